/// study/equilibrium/equilibrium_residual.h: a model that is put somewhere and does not move: accelerations, and their derivatives.
#ifndef SLIP_STUDY_EQUILIBRIUM_EQUILIBRIUM_RESIDUAL_H
#define SLIP_STUDY_EQUILIBRIUM_EQUILIBRIUM_RESIDUAL_H

#include "study/bifurcation/flow_map.h"
#include "slipstick/equilibrium.h"

typedef struct slip_equilibrium_residual {
    const slip_model *model; ///< the one that is varied
    slip_model *varied;
    slip_flow_map *shot;
    int n, states;   ///< coordinates; states
    bool *fixed;     ///< per state
    double *state;   ///< rates are 0
    double *a;       ///< per coordinate, with the derivatives that follow
    double *A;       ///< of the rates of all states to all states, row by row
    double *P;       ///< of accelerations to the parameter; 0 without one
    int held;        ///< rows of what holds
    bool *barred;    ///< per coordinate: a contact or a constraint holds it, whatever friction does
    bool known;      ///< there are derivatives
    double residual; ///< largest acceleration
    char reason[300];
    void *memory;
} slip_equilibrium_residual;

/// `name` of a parameter at `value`; NULL: as the model says.
slip_status slip_equilibrium_residual_create(const slip_model *model, const slip_equilibrium_def *def,
                                             const char *name, double value, slip_error *error,
                                             slip_equilibrium_residual **still);
void slip_equilibrium_residual_destroy(slip_equilibrium_residual *still);

/// Puts it at `place` and looks. False with a reason when there is no answer, or none with derivatives.
bool slip_equilibrium_residual_evaluate(slip_equilibrium_residual *still, const double *place);

/// Newton's method from `place` on, which ends on an equilibrium. False with a reason.
bool slip_equilibrium_residual_solve(slip_equilibrium_residual *still, double *place, char *text,
                                     size_t size);

/// What there is to say about where it was looked last. SLIP_NO_MEMORY, or SLIP_OK.
slip_status slip_equilibrium_residual_describe(slip_equilibrium_residual *still, bool derivative,
                                               slip_equilibrium *rest);

#endif
