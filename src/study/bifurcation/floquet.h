/// study/bifurcation/floquet.h: the multipliers of a periodic motion that was found.
#ifndef SLIP_STUDY_BIFURCATION_FLOQUET_H
#define SLIP_STUDY_BIFURCATION_FLOQUET_H

#include "study/bifurcation/shooting.h"

/// Monodromy matrix, multipliers, exact zeros and determinant of the orbit. *elsewhere becomes true when the
/// shot was used for other motions on the way. False when out of memory.
bool slip_floquet_fill(slip_cycle *cycle, slip_shooting *search, bool *elsewhere);

#endif
