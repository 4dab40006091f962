/// system/force_border.h: where forces and frictions jump or bend along the motion.
///
/// `if(abs(x) < w, F, 0)` acts on a short way, which a step may pass in one go. A method that looks for such
/// borders ends its step there and begins the next one on the other side. Switches of the time alone are in
/// the timetable; those of gaps and slips show in the contacts.
#ifndef SLIP_SYSTEM_FORCE_BORDER_H
#define SLIP_SYSTEM_FORCE_BORDER_H

#include "system/scan.h"

typedef struct slip_force_border {
    int count; ///< switches of forces and frictions that follow from the state; 0: there is nothing to look
               ///< for
    slip_switches switches;
    slip_scan scan;
    double *sign;            ///< per function of the scan: the side it is on; 0: not watched
    double *rate, *rate_end; ///< 2 n each, for the caller's leg
} slip_force_border;

/// False when out of memory; destroy in any case.
bool slip_force_border_create(slip_force_border *border, slip_equations *equations, double until);
void slip_force_border_destroy(slip_force_border *border);

/// The part of a leg after which the first switch changes sides, in (0, 1]; 1 when none does, or the leg
/// begins there.
double slip_force_border_first(slip_force_border *border, const slip_leg *leg);

#endif
