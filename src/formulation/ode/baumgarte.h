/// formulation/ode/baumgarte.h: bilateral constraints in an ODE.
///
/// J u + d = 0 is held on the level of accelerations: forces J' lambda are added to the right-hand sides with
///     J u' + z = -2 w (J u + d) - w^2 g        (Baumgarte's feedback, critically damped)
/// so that what rounding and the integrator leave of g and its rate decays at w, and M u' = r + J' lambda
/// stays an ordinary differential equation. lambda is an expression like any other force: integrators, guards
/// and what `derive` prints need not know. Constraints must be independent of one another, and no more than
/// SLIP_MASS_FORMULA_MAX.
#ifndef SLIP_FORMULATION_ODE_BAUMGARTE_H
#define SLIP_FORMULATION_ODE_BAUMGARTE_H

#include "formulation/ode/ode.h"

/// Call it when every other force is in ode->rate, before slip_ode_compile. `step`: feedback is as fast as it
/// bears. Does nothing for a model without constraints.
slip_status slip_ode_add_baumgarte(slip_ode *ode, const char *formulation, double step, slip_error *error);

#endif
