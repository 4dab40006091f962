/// dynamics/rigid_friction_laws.h: laws of friction as rigid formulations have them.
#ifndef SLIP_DYNAMICS_RIGID_FRICTION_LAWS_H
#define SLIP_DYNAMICS_RIGID_FRICTION_LAWS_H

#include "dynamics/equations.h"

/// Puts laws with a share of the limit, and viscous ones, into friction and forces of the equations. Friction
/// of contacts with a viscous part is left as it is: no rigid formulation takes it.
slip_status slip_add_rigid_friction_laws(slip_equations *equations);

#endif
