/// tangent/ways.h: what a motion is differentiated to, and formulas along that.
#ifndef SLIP_TANGENT_WAYS_H
#define SLIP_TANGENT_WAYS_H

#include "method/method.h"

/// What is differentiated to: a parameter, or where a state starts.
typedef struct slip_tangent_column {
    const char *name;
    int parameter; ///< number among the parameters that are asked for; -1: none
    int state;     ///< number among the states; -1: none
} slip_tangent_column;

/// The columns of these names, count of them, and how many are parameters. Heap memory, also when it fails.
slip_status slip_tangent_columns(const slip_model *model, const slip_method *method, const char *const *names,
                                 int count, slip_error *error, slip_tangent_column **columns,
                                 int *parameter_count);

/// Values of all controllers of a model, memory and outputs.
int slip_tangent_value_count(const slip_model *model);

/// What has no derivatives under any formulation.
slip_status slip_tangent_look_at_model(const slip_model *model, slip_error *error);

/// A direction in a graph: of its inputs, and of nodes that are known to change.
typedef struct slip_ways {
    slip_graph *graph;
    slip_ref *direction; ///< of the first inputs; SLIP_NONE: 0
    int direction_count;
    slip_known *known; ///< sorted, room for all that is put in
    int known_count;
} slip_ways;

/// The derivative of a formula along the direction; what is none stays none.
slip_ref slip_ways_along(const slip_ways *ways, slip_ref formula);

/// A node that changes at this rate.
void slip_ways_know(slip_ways *ways, slip_ref node, slip_ref rate);

/// Parameters that are asked for change at dp[number]; those that follow from them follow. Needs room for all
/// parameters of the model. False when out of memory.
bool slip_ways_know_parameters(slip_ways *ways, const slip_model *model, const slip_tangent_column *columns,
                               int column_count, const slip_ref *dp);

#endif
