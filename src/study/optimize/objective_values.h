/// study/optimize/objective_values.h: values and gradients of the objective and the constraints at given
/// points.
#ifndef SLIP_STUDY_OPTIMIZE_OBJECTIVE_VALUES_H
#define SLIP_STUDY_OPTIMIZE_OBJECTIVE_VALUES_H

#include "study/optimize/objective.h"

typedef struct slip_objective_values {
    const slip_objective *goal;
    int threads;    ///< for the runs of one call
    double *inputs; ///< of the tape
    int *label;     ///< input of each value of a sweep
    bool knows_labels;
    long runs, failed_runs;
} slip_objective_values;

slip_status slip_objective_values_create(const slip_objective *goal, int threads, slip_error *error,
                                         slip_objective_values *trial);
void slip_objective_values_destroy(slip_objective_values *trial);

/// Values at one point, and their derivatives with respect to the free parameters where sensitivities are
/// available; *known tells whether.
bool slip_objective_values_gradient(slip_objective_values *trial, const double *x, double *values,
                                    double slopes[][SLIP_OPTIMIZE_MAX_FREE], bool *known);

/// `rows` points of def->free_count numbers each; goal->count values for each, NaN where a run gave none.
/// False when there is no memory.
bool slip_objective_values_at(slip_objective_values *trial, const double *points, int rows, double *values);

/// A sweep of these points that stores the results in `outputs`.
slip_status slip_objective_values_sweep(const slip_optimize_def *def, const double *points, int rows,
                                        unsigned outputs, int threads, bool companion, slip_error *error,
                                        slip_sweep **sweep);

#endif
