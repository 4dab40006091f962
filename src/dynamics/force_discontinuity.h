/// dynamics/force_discontinuity.h: where forces and frictions jump or bend along the motion.
///
/// `if(abs(x) < w, F, 0)` acts on a short way, which a step may pass in one go. A method that looks for such
/// borders ends its step there and begins the next one on the other side. Switches of the time alone are in
/// the timetable; those of gaps and slips show in the contacts.
#ifndef SLIP_DYNAMICS_FORCE_DISCONTINUITY_H
#define SLIP_DYNAMICS_FORCE_DISCONTINUITY_H

#include "dynamics/step_scan.h"

typedef struct slip_force_discontinuity {
    int count; ///< switches of forces and frictions that follow from the state; 0: there is nothing to look
               ///< for
    slip_switches switches;
    slip_step_scan scan;
    double *sign;            ///< per function of the scan: the side it is on; 0: not watched
    double *rate, *rate_end; ///< 2 n each, for the caller's leg
} slip_force_discontinuity;

/// False when out of memory; destroy in any case.
bool slip_force_discontinuity_create(slip_force_discontinuity *border, slip_equations *equations,
                                     double until);
void slip_force_discontinuity_destroy(slip_force_discontinuity *border);

/// The part of a leg after which the first switch changes sides, in (0, 1]; 1 when none does, or the leg
/// begins there.
double slip_force_discontinuity_first(slip_force_discontinuity *border, const slip_step_interval *leg);

#endif
