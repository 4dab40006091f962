/// dynamics/redundant_constraints.h: constraints that hold wherever the others do.
///
/// A grid of hinged bodies closes each mesh by two equations, of which some follow from those of the meshes
/// around it. At a state that satisfies all of them such rows depend on one another exactly; at the midpoint
/// of a step, which misses the constraints by a little, they almost do, and an elimination that takes what is
/// left of a row for a row of its own divides by that little. So it is decided once, at the start, which
/// constraints are redundant, and no step looks at them again.
///
/// A row that depends on others at the start alone, as where a linkage is stretched, is not redundant. The
/// two are told apart away from the start: from a nearby state that satisfies all other constraints.
///
/// The force of a joint is open where other constraints hold what it holds. Friction that follows it then
/// leaves the motion open, too.
#ifndef SLIP_DYNAMICS_REDUNDANT_CONSTRAINTS_H
#define SLIP_DYNAMICS_REDUNDANT_CONSTRAINTS_H

#include "dynamics/system.h"

/// Fills system->redundant and open_load for the start of the model. False when memory runs out.
bool slip_system_find_redundant(slip_system *system, const slip_model *model);

#endif
