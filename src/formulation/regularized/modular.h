/// formulation/regularized/modular.h: constants of formulation modular.
#ifndef SLIP_FORMULATION_REGULARIZED_MODULAR_H
#define SLIP_FORMULATION_REGULARIZED_MODULAR_H

#include "formulation/regularized/contact_time_scale.h"
#include "formulation/ode/ode.h"

/// Of one element: Kikuuwe 2008, eqs 19 and 23; NaN where it has no such part.
typedef struct slip_modular_constants {
    double K, B;     ///< normal
    double K_t, B_t; ///< friction
    double zeta;     ///< > 0: B follows the mass at the contact along the motion, 2 zeta sqrt(K m)
    double depth;    ///< m, that it may be pressed in at rest; 0 where K was given
    double lasts;    ///< s, about, of an impact, where it follows the step; else 0
    double mass;     ///< kg, that K and B were chosen for
} slip_modular_constants;

/// Of every element: the compliance given in the model, or chosen from restitution, mass and time_scale.
slip_status slip_modular_choose_constants(slip_ode *ode, slip_contact_time_scale time_scale,
                                          slip_modular_constants *constants, slip_error *error);

#endif
