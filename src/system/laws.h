/// system/laws.h: laws of friction as rigid formulations have them.
#ifndef SLIP_SYSTEM_LAWS_H
#define SLIP_SYSTEM_LAWS_H

#include "system/equations.h"

/// Puts laws with a share of the limit, and viscous ones, into friction and forces of the equations. Friction
/// of contacts with a viscous part is left as it is: no rigid formulation takes it.
slip_status slip_take_laws(slip_equations *equations);

#endif
