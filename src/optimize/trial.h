/// optimize/trial.h: what the expressions of a goal are worth at points.
#ifndef SLIP_OPTIMIZE_TRIAL_H
#define SLIP_OPTIMIZE_TRIAL_H

#include "optimize/goal.h"

typedef struct slip_trial {
    const slip_goal *goal;
    int threads;    ///< for the runs of one call
    double *inputs; ///< of the tape
    int *label;     ///< input of each value of a sweep
    bool knows_labels;
    long runs, failed_runs;
} slip_trial;

slip_status slip_trial_create(const slip_goal *goal, int threads, slip_error *error, slip_trial *trial);
void slip_trial_destroy(slip_trial *trial);

/// One point, and the derivatives of the values to what is free, where they ride along; *known says whether.
bool slip_trial_look(slip_trial *trial, const double *x, double *values,
                     double slopes[][SLIP_OPTIMIZE_MAX_FREE], bool *known);

/// `rows` points of def->free_count numbers each; goal->count values for each, NaN where a run gave none.
/// False when there is no memory.
bool slip_trial_values(slip_trial *trial, const double *points, int rows, double *values);

/// A sweep of these points that keeps `keep`.
slip_status slip_trial_sweep(const slip_optimize_def *def, const double *points, int rows, unsigned keep,
                             int threads, bool companion, slip_error *error, slip_sweep **sweep);

#endif
