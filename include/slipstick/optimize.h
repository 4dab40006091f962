/// optimize.h: parameters and initial values that minimise a value of the motion.
///
///     const char *free[] = { "speed", "angle" }, *limits[] = { "max(y) <= 2" };
///     double lower[] = { 0.0, 0.0 }, upper[] = { 10.0, 1.5 };
///     slip_optimize_def def = slip_default_optimize_def();
///     def.model = model;
///     def.free = free, def.free_count = 2, def.lower = lower, def.upper = upper;
///     def.minimize = "-x";
///     def.constraints = limits, def.constraint_count = 1;
///     slip_optimum *best = NULL;
///     if (slip_optimize(&def, &error, &best) == SLIP_OK) use(best->value, best->trusted);
///     slip_optimum_destroy(best);
///
/// Expressions are formulas of the results of a run: x is a column of the trajectory at the end, min(x),
/// max(x) and mean(x) are over the steps, count(impact), first(impact) and last(impact) are of events, t is
/// the end, and parameters stand for their values. Methods are those of NLopt. Derivatives come from
/// the runs where that is possible (sensitivity.h) and the expressions only use the end of the run; otherwise
/// they are finite differences. The answer is the same for any number of threads.
#ifndef SLIPSTICK_OPTIMIZE_H
#define SLIPSTICK_OPTIMIZE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "slipstick/diagnostics.h"
#include "slipstick/model.h"
#include "slipstick/parts.h"
#include "slipstick/sim.h"
#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SLIP_OPTIMIZE_MAX_FREE = 12, SLIP_OPTIMIZE_MAX_CONSTRAINTS = 16 };

typedef struct slip_optimize_def {
    const slip_model *model;        ///< must be given
    slip_sim_def sim;               ///< formulation, step and the like; NaN and NULL: as the model says
    const char *minimize;           ///< must be given
    bool maximize;                  ///< maximise instead (false)
    const char *const *constraints; ///< "A <= B", "A >= B" or "A == B"
    int constraint_count;
    const char *const *free; ///< what may change, as in an override: "mu", "coordinates.x.start"
    int free_count;
    const double *start; ///< NULL: as the model says
    const double *lower; ///< smallest and largest value allowed; -INFINITY and INFINITY for none; NULL:
    const double *upper; ///< no bounds
    const char *method;  ///< NULL: chosen by what the problem has
    int starts;          ///< searches from so many points, the first is the start; 0: local methods within
                         ///< bounds try points all over them first, and begin at the start and at the three
                         ///< best of these (0)
    int threads;         ///< 0: one per processor
    long max_runs;       ///< of each search (2000)
    double tolerance;    ///< of the answer, as a part of the bounds' width or of the start (1e-6)
    uint64_t seed;       ///< of methods that draw (1)
    double after;        ///< s; min, max, mean and events ignore the run before it (0)
    slip_diagnostics *notes; ///< mistakes in expressions, with their place; may be NULL
    /// Called after every run of a search, never twice at once; may be NULL.
    void (*progress)(void *context, long runs, double best);
    void *context;
    const volatile sig_atomic_t *stop; ///< nonzero: the best so far is the answer; may be NULL
} slip_optimize_def;

slip_optimize_def slip_default_optimize_def(void); ///< the defaults in parentheses above

/// How the best search ended.
typedef enum slip_optimize_outcome {
    SLIP_OPTIMIZE_CONVERGED,
    SLIP_OPTIMIZE_ROUNDED, ///< no further progress: limited by the noise of the runs
    SLIP_OPTIMIZE_MAX_RUNS,
    SLIP_OPTIMIZE_STOPPED
} slip_optimize_outcome;
const char *slip_optimize_outcome_name(slip_optimize_outcome outcome); ///< "converged", "max-runs"

typedef struct slip_optimum {
    int free_count, constraint_count;
    char *names[SLIP_OPTIMIZE_MAX_FREE]; ///< of what was free
    const char *method;
    slip_optimize_outcome outcome;
    double value[SLIP_OPTIMIZE_MAX_FREE];    ///< where it is least
    bool at_bound[SLIP_OPTIMIZE_MAX_FREE];   ///< and stopped by its bound
    double objective;                        ///< the value of `minimize` there
    double gradient[SLIP_OPTIMIZE_MAX_FREE]; ///< its derivatives there; NaN where they are not known
    bool exact; ///< they come from the run itself (sensitivity.h), not from differences
    /// How far each constraint is from its limit; negative: violated.
    double slack[SLIP_OPTIMIZE_MAX_CONSTRAINTS];
    bool feasible;          ///< all constraints hold
    bool trusted;           ///< the run at the answer is
    double horizon;         ///< s, of that run; NaN when unknown
    char text[256];         ///< what speaks against that run, or ""
    long runs, failed_runs; ///< made; those that gave no value
    int starts, agreed;     ///< searches that found a value; how many ended at the best one
    int scanned;            ///< points that were tried all over the bounds before the searches
} slip_optimum;

/// Searches. A search that does not converge is an answer too, see slip_optimum.outcome; an error is returned
/// where nothing could be searched, and where no run gave a value.
slip_status slip_optimize(const slip_optimize_def *def, slip_error *error, slip_optimum **optimum);
void slip_optimum_destroy(slip_optimum *optimum); ///< NULL is fine

/// The value of `minimize` in one run, with what is free at `value`; NaN: as the model says.
slip_status slip_optimize_value(const slip_optimize_def *def, const double *value, slip_error *error,
                                double *objective);

/// The model with the answer set, for a report or further work.
slip_status slip_optimum_model(const slip_optimize_def *def, const slip_optimum *optimum, slip_error *error,
                               slip_model **model);

/// The answer as one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_optimum_json(const slip_optimum *optimum);

/// The k-th method; NULL past the end.
const slip_part_info *slip_optimize_method(int k);

#ifdef __cplusplus
}
#endif
#endif
