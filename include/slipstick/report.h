/// report.h: what runs did, kept in constant memory, and one HTML page about it that opens from disk.
///
///     slip_recording *recording = NULL;
///     slip_recording_create(NULL, &error, &recording);
///     settings.draw = true;                               // a slip_sim_def: forces and frames for the page
///     slip_sim_create(model, &settings, &error, &sim);
///     run.observer = slip_recording_observer(recording);  // a slip_run_def
///     slip_run(sim, &run, &info, &error);
///
///     slip_report_def report = slip_default_report_def();
///     report.model = model;
///     report.runs = &recording, report.run_count = 1;
///     slip_report_write("ball.html", &report, &error);
///
/// A recording sees every step whatever the run writes to its files, and states between the steps of a
/// formulation that chooses its own. It does not change a run by a bit. The page is described in
/// docs/report.md, what is put into it in web/data.md of the source.
#ifndef SLIPSTICK_REPORT_H
#define SLIPSTICK_REPORT_H

#include "slipstick/analysis.h"
#include "slipstick/domain_map.h"
#include "slipstick/compare.h"
#include "slipstick/cycle.h"
#include "slipstick/two_parameter.h"
#include "slipstick/fit.h"
#include "slipstick/model.h"
#include "slipstick/run.h"
#include "slipstick/sim.h"
#include "slipstick/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_recording_def {
    int points; ///< kept of every column at the most; longer runs are decimated and keep every extreme (8192)
    int frames; ///< kept of the drawing at the most, at equal distances in time (2000)
} slip_recording_def;

slip_recording_def slip_default_recording_def(void); ///< the defaults in parentheses above

/// What one run did. The model of the run must outlive it, the simulation need not.
typedef struct slip_recording slip_recording;

/// `def` may be NULL. Memory for the rows is taken when the run begins, none after that.
slip_status slip_recording_create(const slip_recording_def *def, slip_error *error,
                                  slip_recording **recording);
void slip_recording_destroy(slip_recording *recording); ///< NULL is fine

/// The recording as a run sees it. Belongs to the recording.
slip_run_observer *slip_recording_observer(slip_recording *recording);

long slip_recording_rows(const slip_recording *recording);  ///< instants it looked at
int slip_recording_points(const slip_recording *recording); ///< what is kept of them
int slip_recording_frames(const slip_recording *recording); ///< frames of the drawing that are kept

/// Something to read first.
typedef enum slip_tone { SLIP_TONE_PLAIN, SLIP_TONE_GOOD, SLIP_TONE_WARN, SLIP_TONE_BAD } slip_tone;
typedef struct slip_finding {
    slip_tone tone;
    const char *text;
} slip_finding;

/// What the page is about. Of comparison, fit and analyses give what there is, NULL for the rest; what they
/// say is put into words and stands first.
typedef struct slip_report_def {
    const char *command;     ///< as typed; NULL: left out
    const slip_model *model; ///< must be given
    slip_recording *const *runs;
    int run_count;
    const slip_comparison *comparison; ///< its recordings come after `runs`
    const slip_analysis *analysis;
    slip_domain_map *map;
    const slip_critical *critical;
    const slip_fit *fit, *against;           ///< a fit, and a second one to the same data
    const slip_fit_data *data;               ///< of the fit: measured and fitted curves
    const slip_sweep *sweep;                 ///< many runs
    const slip_cycle *cycle;                 ///< a periodic motion
    const slip_cycle_branch *branch;         ///< or such motions along a parameter,
    const char *along;                       ///< "w=0.5:2"
    const slip_two_parameter_diagram *plane; ///< or their special points over two parameters
    const slip_finding *found;               ///< said before all others
    int found_count;
    bool reproducible; ///< leaves out when and how long: the same run gives the same bytes (false)
    const char *page;  ///< HTML that holds the line <!--slipstick-data-->; NULL: the one that was built in
} slip_report_def;

/// The defaults in parentheses above; the model is still to be given.
slip_report_def slip_default_report_def(void);

/// Whether slip_report_write could write there, as far as can be known before a long run: SLIP_UNSUPPORTED
/// when this library was built without its page, SLIP_IO when the file cannot be made. Leaves nothing behind.
slip_status slip_report_check(const char *path, slip_error *error);

/// Writes the whole page or nothing: beside the file first, then in its place.
slip_status slip_report_write(const char *path, const slip_report_def *def, slip_error *error);

#ifdef __cplusplus
}
#endif
#endif
