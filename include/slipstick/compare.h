/// compare.h: one model under every formulation that takes it, side by side, and which to use.
///
/// Every formulation gets the same physical inputs (mu, e, compliance where given) and the same step
/// and end. Its motion is compared with a reference, which stands when two independent families of
/// formulations agree on it (event-driven, refined time stepping, refined compliant contacts); then its step
/// is refined until it agrees with the reference to a stated accuracy, which gives what that accuracy costs.
/// Times are processor time of one thread, so they may be compared although runs go in parallel.
#ifndef SLIPSTICK_COMPARE_H
#define SLIPSTICK_COMPARE_H

#include <signal.h>

#include "slipstick/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_compare_def {
    const char *const *formulations; ///< by name; NULL: all there are
    int formulation_count;
    double step, until; ///< s; NaN: as the model says
    double accuracy;    ///< agreement asked for, relative to how far the coordinates move (1e-3)
    double budget;      ///< s of processor time that a formulation may spend on refining (0.25)
    int threads;        ///< 0: one per processor
    int record; ///< points to keep of each run at the common step for a report, see report.h; 0: none (0)
    const volatile sig_atomic_t *stop; ///< ends early when nonzero; may be NULL
    /// Called from worker threads, one at a time, with runs done and expected; may be NULL.
    void (*progress)(void *context, int done, int expected);
    void *context;
} slip_compare_def;

/// All formulations, with the defaults in parentheses above.
slip_compare_def slip_default_compare_def(void);

/// What one formulation gave.
typedef struct slip_compare_row {
    const char *formulation;
    bool applies;             ///< false: `text` says why not; nothing else is filled in
    slip_run_outcome outcome; ///< of the run at the common step
    bool trusted;             ///< done, nothing put it in doubt, and close to a reference that stands
    char text[480];           ///< why it does not apply, how it ended, or the first warning
    long steps;
    double seconds; ///< processor time of that run
    double off;     ///< largest difference of a coordinate from the reference at any of 64 instants, over the
                    ///< size of its motion
    double spread;  ///< largest difference of a coordinate at the end from the reference
    double energy_error;   ///< |numerical| energy over the largest energy seen; NaN without masses
    double penetration;    ///< deepest negative gap, m
    double creep;          ///< largest slip speed of an element while it sticks, mean over a stick phase, m/s
    double cone_violation; ///< largest |friction| - limit, N
    bool reached;          ///< the accuracy was reached by refining the step
    double accurate_step;  ///< s: with this step ...
    double accurate_seconds; ///< ... at this cost
    int coordinate_count;
    double *end; ///< coordinates at the end
} slip_compare_row;

typedef struct slip_comparison slip_comparison;

/// Compares. `def` may be NULL. The comparison may outlive the model.
slip_status slip_compare(const slip_model *model, const slip_compare_def *def, slip_error *error,
                         slip_comparison **comparison);
void slip_comparison_destroy(slip_comparison *comparison); ///< NULL is fine

int slip_comparison_count(const slip_comparison *comparison); ///< number of rows, one per formulation

/// Row k; NULL past the end. Lives as long as the comparison.
const slip_compare_row *slip_comparison_row(const slip_comparison *comparison, int k);

const char *slip_comparison_model(const slip_comparison *comparison); ///< its name
const char *
slip_comparison_reference(const slip_comparison *comparison); ///< "lcp", "moreau with step 6.25e-05 s"
double
slip_comparison_scale(const slip_comparison *comparison); ///< how far the coordinates move: spread 1 is this
int slip_comparison_coordinate_count(const slip_comparison *comparison); ///< coordinates that were compared

/// The name of compared coordinate k; NULL past the end.
const char *slip_comparison_coordinate(const slip_comparison *comparison, int k);

/// Whether two families agree on the reference.
bool slip_comparison_confirmed(const slip_comparison *comparison);

/// Whether they differ, so that nothing can be recommended.
bool slip_comparison_disputed(const slip_comparison *comparison);

/// Whether it was stopped before its end.
bool slip_comparison_stopped(const slip_comparison *comparison);

/// One sentence: the cheapest formulation that can be trusted here, and why; and its row, -1 when there is
/// none.
const char *slip_comparison_sentence(const slip_comparison *comparison);

/// The row of that formulation; -1 when there is none.
int slip_comparison_chosen(const slip_comparison *comparison);

/// What the run of row k at the common step did; NULL where it does not apply or nothing was to be recorded.
/// Lives as long as the comparison.
const struct slip_recording *slip_comparison_recording(const slip_comparison *comparison, int k);

/// The comparison as one JSON object (docs/json.md). To be released with free(); NULL without memory.
char *slip_comparison_json(const slip_comparison *comparison);

#ifdef __cplusplus
}
#endif
#endif
