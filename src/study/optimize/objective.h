/// study/optimize/objective.h: the objective and the constraints, as formulas of the results of a run.
#ifndef SLIP_STUDY_OPTIMIZE_OBJECTIVE_H
#define SLIP_STUDY_OPTIMIZE_OBJECTIVE_H

#include "symbolic/graph/formula.h"
#include "slipstick/optimize.h"
#include "slipstick/sweep.h"

/// Expression 0 is the objective, to be minimised; the others are at most 0, or 0 where `equal` says so.
typedef struct slip_objective {
    const slip_optimize_def *def;
    slip_graph *graph;
    slip_tape *tape;
    char **labels; ///< names that formulas may use: values of a sweep, and "t"; input k has label k
    int label_count;
    int count; ///< of expressions
    slip_ref roots[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS];
    bool equal[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS];
    unsigned outputs; ///< results of a run that the expressions use
    bool exact;       ///< sensitivities of the runs are sufficient for exact gradients of all expressions
    slip_partial *partials[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS]; ///< of each expression to what it names
    int partial_count[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS];
    int first_partial[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS]; ///< its first result of the tape
    int *slope; ///< label of the derivative of label k to what is free: slope[k * free_count + i]; -1: none
} slip_objective;

/// Reads the expressions. `probe` is a sweep that stores everything.
slip_status slip_objective_create(const slip_optimize_def *def, const slip_sweep *probe, slip_error *error,
                                  slip_objective *goal);
void slip_objective_destroy(slip_objective *goal);

/// The name of an override key in slip_sim_def.sensitivity: "mu", "x", "x'"; false when it has none.
bool slip_objective_sensitivity_name(const char *key, char *name, int size);

/// Number of a label, -1 when there is none.
int slip_objective_label(const slip_objective *goal, const char *name);

#endif
