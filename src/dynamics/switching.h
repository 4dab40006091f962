/// dynamics/switching.h: where the equations of a system bend or jump, and which of that matters now.
///
/// Equations of motion bend wherever they are looked at; a gap, a slip and a friction only while their
/// contact is closed. A system made by slip_system_create_locked has its switches locked
/// (symbolic/analysis/switching_functions.h): each stays on the side that it was set to until it is set to another one.
#ifndef SLIP_DYNAMICS_SWITCHING_H
#define SLIP_DYNAMICS_SWITCHING_H

#include "symbolic/analysis/switching_functions.h"
#include "dynamics/equations.h"

typedef struct slip_switching {
    slip_switches switches;
    bool *always; ///< per switch: the equations of motion hold it
    int *start,
        *list; ///< switches of element e: list[start[e]] .. list[start[e + 1]]; those of t alone left out
    slip_tape *tape; ///< values of all switches, then their levels (the value again where it is not a floor)
} slip_switching;

/// The switches below roots[0..count), which are replaced by locked expressions; owner[k] is the element of a
/// root, -1 for the equations of motion. *switching is NULL when there are none: then nothing is replaced.
/// False when out of memory.
bool slip_switching_create(slip_equations *equations, slip_ref *roots, const int *owner, int count,
                           slip_switching **switching);
void slip_switching_destroy(slip_switching *switching);

#endif
