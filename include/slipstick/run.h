/// run.h: a whole run with its files.
///
/// In the output directory:
///   trajectory.csv  header line, then t, coordinates, rates, element states, recorded quantities;
///                   the shortest digits that read back to the same bits, one row per recorded time
///   events.csv      t,element,kind,text and the numbers of SLIP_EVENT_NUMBERS
///   summary.json    the same object as slip_run_summary() gives
/// Files are flushed as the run goes, whole lines at a time: a killed run leaves a valid prefix, in which a
/// last line that was not finished begins with #.
#ifndef SLIPSTICK_RUN_H
#define SLIPSTICK_RUN_H

#include <signal.h>

#include "slipstick/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_run_info slip_run_info;

/// Observes a run without changing a bit of it. A recording is one (report.h). Functions may be NULL.
typedef struct slip_run_observer slip_run_observer;
struct slip_run_observer {
    slip_status (*begin)(slip_run_observer *observer, slip_sim *sim, slip_error *error);
    void (*look)(slip_run_observer *observer, slip_sim *sim); ///< at every state from which a step is taken
    void (*event)(slip_run_observer *observer, const slip_event *event);
    void (*end)(slip_run_observer *observer, slip_sim *sim, const slip_run_info *info);
};

typedef struct slip_run_def {
    const char *directory; ///< created when missing; NULL: no files
    double every;          ///< s between recorded rows; NaN: as the model says, else every step
    const double *at;      ///< recorded times instead of `every`, increasing; NULL: use `every`
    int at_count;
    slip_run_observer *observer; ///< NULL: none
    bool companion;  ///< run a second time at another resolution and find the horizon, see slip_run_horizon
                     ///< (false)
    double accuracy; ///< agreement that the horizon asks for; NaN: as the model says, else 0.01
    bool hdf5;       ///< also trajectory.h5, when the library was built with HDF5
    const char *resume; ///< file with a saved state to continue from, see slip_sim_save; NULL: from the start
    const char *save;   ///< file to write the state to when the run is done, paused or stopped; NULL: none
    double pause;       ///< s: end with the first step that reaches it, as SLIP_PAUSED (never)
    /// Called with every recorded row, as many numbers as there are columns; may be NULL. False ends the run,
    /// as a file that cannot be written does.
    bool (*row)(void *context, const slip_sim *sim, const double *row);
    const volatile sig_atomic_t *stop; ///< the run ends cleanly when this becomes nonzero; may be NULL
    /// Called from time to time with the fraction done, and at the end; may be NULL.
    void (*progress)(void *context, double fraction, const slip_sim *sim);
    void *context;
} slip_run_def;

slip_run_def slip_default_run_def(void); ///< no files, rows as the model says, no observer

struct slip_run_info {
    slip_run_outcome outcome;
    long steps, rows, events;
    double wall_seconds;
    double peak_bytes; ///< of the process
    char text[480];    ///< why it ended, when not done: what happened, when, what to do
};

/// Runs the simulation to its end and records it. Times of `at` between two steps are reached by a separate
/// step that does not affect the run. A status other than SLIP_OK means that nothing could be started (bad
/// directory, bad times); how the run itself went is in *info.
slip_status slip_run(slip_sim *sim, const slip_run_def *def, slip_run_info *info, slip_error *error);

/// The time up to which two resolutions of a run agree. The companion of a fixed-step run has twice its step
/// if that is stable, else half; that of an error-controlled run has other tolerances. Coordinates are
/// compared at about a hundred instants, relative to the size of the motion.
typedef struct slip_horizon {
    bool known;        ///< false: no companion ran, or it was stopped; nothing else is filled in but `text`
    double until;      ///< s; the end of the run when they agree throughout
    double again;      ///< s, from which they agree again, to the end; NaN when they do not
    int coordinate;    ///< the one that goes first; -1: none
    double accuracy;   ///< agreement asked for
    double agreement;  ///< largest difference of a coordinate over the whole run, relative to the size of the
                       ///< motion
    bool chaotic;      ///< the motion itself amplifies small differences: no step helps
    double resolution; ///< a step, or relative error, that was tried and agrees to the end; NaN: none was
                       ///< needed or found
    int coordinate_count;
    char companion[64]; ///< "step 0.002 s"
    char text[480];     ///< one sentence
} slip_horizon;

/// The horizon of a run that slip_run() made with `companion`.
slip_horizon slip_run_horizon(const slip_sim *sim);

/// The largest difference of coordinate k over the whole run, relative to the size of the motion; NaN when it
/// is not known.
double slip_run_agreement(const slip_sim *sim, int k);

/// Largest distance that a contact or friction of a compliant formulation crept while sticking, over stick
/// phases of at least a twentieth of the run.
typedef struct slip_creep {
    bool known; ///< false: no companion ran, the formulation is rigid, or no stick phase was that long
    double distance, time; ///< in `unit`; s
    double rate;           ///< their quotient
    const char *element;   ///< its name
    const char *unit;      ///< of the distance: "m" or "rad"
} slip_creep;

/// The creep of a run that slip_run() made with `companion`.
slip_creep slip_run_creep(const slip_sim *sim);

/// Whether to trust the run, in one word (slip_trust_name). It is trusted if it reached its end without a
/// warning, no verdict on rigid contacts is against it, two resolutions agree, and the scheme changed the
/// energy by at most 5 %. It is unchecked if nothing speaks against it, but no companion ran or the verdict
/// on rigid contacts was off. *doubt, unless `doubt` is NULL, is the reason in a sentence, or "" if it is
/// trusted.
const char *slip_run_trust(slip_sim *sim, const slip_run_info *info, const char **doubt);

/// One JSON object on one run, documented in docs/json.md. To be released with free(); NULL when out
/// of memory.
char *slip_run_summary(slip_sim *sim, const slip_run_info *info);

enum { SLIP_NUMBER_SIZE = 26 }; ///< room for every double as text: -1.2345678901234567e-308 and its end

/// `value` in the shortest digits that read back to the same bits, with a point in every locale, as in the files of a
/// run; "nan", "inf" and "-inf" where it is none. Returns the length of the text, which ends with a NUL.
int slip_number_write(double value, char text[SLIP_NUMBER_SIZE]);

/// What this library was built with, as a JSON object: version, compiler, optional parts.
/// To be released with free().
char *slip_build_summary(void);
const char *slip_version(void); ///< "0.2.0"

/// An optional part of the library.
typedef struct slip_build_part {
    const char *name; ///< "HDF5"
    bool present;     ///< this build has it; of "machine_code": the system lets this process run some
    const char *use;  ///< what it is for
} slip_build_part;
const slip_build_part *slip_build_part_at(int k); ///< NULL past the end

#ifdef __cplusplus
}
#endif
#endif
