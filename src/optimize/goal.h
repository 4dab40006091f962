/// optimize/goal.h: what is minimised and what has to hold, as formulas of what a run leaves behind.
#ifndef SLIP_OPTIMIZE_GOAL_H
#define SLIP_OPTIMIZE_GOAL_H

#include "formula/formula.h"
#include "slipstick/optimize.h"
#include "slipstick/sweep.h"

/// Expression 0 is the objective, to be minimised; the others are at most 0, or 0 where `equal` says so.
typedef struct slip_goal {
    const slip_optimize_def *def;
    slip_graph *graph;
    slip_tape *tape;
    char **labels; ///< values of a sweep, and "t": what may be named; input k is label k
    int label_count;
    int count; ///< of expressions
    slip_ref roots[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS];
    bool equal[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS];
    unsigned keep; ///< what of a run the expressions look at
} slip_goal;

/// Reads the expressions. `probe` is a sweep that keeps everything.
slip_status slip_goal_create(const slip_optimize_def *def, const slip_sweep *probe, slip_error *error,
                             slip_goal *goal);
void slip_goal_destroy(slip_goal *goal);

/// Number of a label, -1 when there is none.
int slip_goal_label(const slip_goal *goal, const char *name);

#endif
