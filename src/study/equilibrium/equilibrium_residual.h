/// study/equilibrium/equilibrium_residual.h: the equilibrium equations of a model and their Jacobian.
///
/// At a position q with all rates 0, the residual is the acceleration a(q, p). Newton's method on a = 0 finds
/// equilibria, and da/dp continues them along a parameter.
#ifndef SLIP_STUDY_EQUILIBRIUM_EQUILIBRIUM_RESIDUAL_H
#define SLIP_STUDY_EQUILIBRIUM_EQUILIBRIUM_RESIDUAL_H

#include "study/bifurcation/flow_map.h"
#include "slipstick/equilibrium.h"

typedef struct slip_equilibrium_residual {
    const slip_model *model; ///< the one that is varied
    slip_model *varied;
    slip_flow_map *shot;
    int n, states;   ///< number of coordinates; of states
    bool *fixed;     ///< per state
    double *state;   ///< rates are 0
    double *a;       ///< accelerations
    double *A;       ///< derivatives of the rates of all states with respect to all states, row by row
    double *P;       ///< derivatives of the accelerations with respect to the parameter; 0 without one
    int held;        ///< number of rows that hold the model: sticking contacts and constraints
    bool *barred;    ///< per coordinate: a contact or a constraint holds it, whatever friction does
    bool known;      ///< there are derivatives
    double residual; ///< largest acceleration
    char reason[300];
    void *memory;
} slip_equilibrium_residual;

/// Of the model with parameter `name` at `value`; NULL: the model as it is.
slip_status slip_equilibrium_residual_create(const slip_model *model, const slip_equilibrium_def *def,
                                             const char *name, double value, slip_error *error,
                                             slip_equilibrium_residual **still);
void slip_equilibrium_residual_destroy(slip_equilibrium_residual *still);

/// The position at which the search starts: that of the model, or as the caller gives it.
slip_status slip_equilibrium_first_place(const slip_model *model, const slip_equilibrium_def *def,
                                         double *place, slip_error *error);

/// Evaluates residual and Jacobian at the position `place`. False with a reason if the contact problem has no
/// solution there, or none that can be differentiated.
bool slip_equilibrium_residual_evaluate(slip_equilibrium_residual *still, const double *place);

/// Newton's method from `place`, which becomes the equilibrium. False with a reason.
bool slip_equilibrium_residual_solve(slip_equilibrium_residual *still, double *place, char *text,
                                     size_t size);

/// Describes the equilibrium at the position evaluated last. SLIP_NO_MEMORY, or SLIP_OK.
slip_status slip_equilibrium_residual_describe(slip_equilibrium_residual *still, bool derivative,
                                               slip_equilibrium *rest);

#endif
