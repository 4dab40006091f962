/// formulation/regularized/contact_time_scale.h: how fast the contacts and frictions of a model are to answer.
///
/// A rigid contact answers at once; a compliant one takes tau = sqrt(m/K). Whatever else happens must be
/// slow against that: the body moves on by v tau while it is stopped, sinks by a tau^2 under a load m a, and
/// an impact lasts some tau. An explicit integrator needs several steps in a tau, so there tau follows the
/// step. An integrator that takes any stiffness leaves tau to the motion.
#ifndef SLIP_FORMULATION_REGULARIZED_CONTACT_TIME_SCALE_H
#define SLIP_FORMULATION_REGULARIZED_CONTACT_TIME_SCALE_H

#include "slipstick/sim.h"
#include "dynamics/equations.h"

typedef struct slip_contact_time_scale {
    double step;  ///< s, that constants are chosen for where tau is 0
    double tau;   ///< s, sqrt(m/K) of contacts, from the motion; 0: the step rules
    double stick; ///< s, the step that frictions are chosen for: frictions answer sooner than contacts do
    double speed; ///< m/s, of the motion; 1 where the start does not say
    double
        size; ///< m, of the largest coordinate that a contact or friction sees; 0 where none is away from 0
    double creep; ///< m/s, slip velocity that is as good as none
    bool located; ///< touch-down is found, so that a contact can know the speed of its impact
} slip_contact_time_scale;

/// Constants that follow a step.
slip_contact_time_scale slip_contact_time_scale_of_step(double step);

/// Constants for the integrator of `settings`.
slip_status slip_contact_time_scale_choose(slip_equations *equations, const slip_sim_def *settings,
                                           slip_error *error, slip_contact_time_scale *time_scale);

#endif
