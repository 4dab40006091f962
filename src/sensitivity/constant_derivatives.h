/// sensitivity/constant_derivatives.h: derivatives of the constants of a formulation with respect to
/// parameters of the model, where no formula relates them.
///
/// Formulas of a model contain its parameters. Other numbers are computed from them when the formulation is
/// built: it chooses stiffnesses from masses, restitutions and steps, bodies have combined moments of
/// inertia, or an equilibrium is solved for. So the formulation is rebuilt with the parameter perturbed both
/// ways (fourth-order central differences, relative step 1e-3, error about 1e-12): its graph has the same
/// nodes with other constants.
#ifndef SLIP_SENSITIVITY_CONSTANT_DERIVATIVES_H
#define SLIP_SENSITIVITY_CONSTANT_DERIVATIVES_H

#include "sensitivity/sensitivity_parameters.h"

/// How the run was set up, so that it can be rebuilt with other parameters.
typedef struct slip_sensitivity_origin {
    const slip_model *model; ///< as it was read: not yet at rest, where it starts at rest
    const slip_sim_def *settings;
    slip_status (*create)(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                          slip_method **method);
} slip_sensitivity_origin;

/// What is looked at of a method.
typedef struct slip_constant_derivatives_view {
    slip_graph *(*graph)(slip_method *method);
    int extras; ///< numbers beside those of the graph
    void (*take)(slip_method *method, const slip_model *model, double *extra);
} slip_constant_derivatives_view;

/// A number of the run may be the same as another one by chance, or be 1 or 0, and be gone from the formulas.
/// So they are taken from a method whose parameters are off by some 1e-13 of their size, the double.
typedef struct slip_constant_derivatives {
    slip_constant_derivatives_view view;
    slip_model *model, *rested; ///< of the double; where it is at rest, if that is where it starts
    slip_method *method;
    int leaves;    ///< nodes of its graph as the formulation made it
    double *leaf;  ///< per column and such node: the derivative of a number
    double *extra; ///< per column and extra
} slip_constant_derivatives;

/// The double of a run of `model`, and the derivatives to columns that are parameters, those alone for which
/// asked[column]. SLIP_UNSUPPORTED when there are none.
slip_status slip_constant_derivatives_find(slip_constant_derivatives *constants,
                                           const slip_sensitivity_origin *origin, const slip_model *model,
                                           const slip_sensitivity_column *columns, int count,
                                           const bool *asked, slip_error *error);
void slip_constant_derivatives_destroy(slip_constant_derivatives *constants);

#endif
