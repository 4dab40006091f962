/// study/bifurcation/floquet.h: Floquet multipliers of a periodic orbit that was found.
#ifndef SLIP_STUDY_BIFURCATION_FLOQUET_H
#define SLIP_STUDY_BIFURCATION_FLOQUET_H

#include "study/bifurcation/shooting.h"

/// Fills monodromy matrix, multipliers, number of exact zeros and determinant of the orbit. *elsewhere
/// becomes true when the flow map was evaluated at other motions for that. False when out of memory.
bool slip_floquet_fill(slip_cycle *cycle, slip_shooting *search, bool *elsewhere);

#endif
