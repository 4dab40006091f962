/// physics/friction/law_terms.h: expressions that several laws share.
#ifndef SLIP_PHYSICS_FRICTION_LAW_TERMS_H
#define SLIP_PHYSICS_FRICTION_LAW_TERMS_H

#include "symbolic/graph/expression_builders.h"
#include "physics/friction/friction_law.h"

/// |v|, one or two components.
slip_ref slip_law_speed(const slip_law_terms *in);

/// v/|v|, component k; 0 at rest.
slip_ref slip_law_direction(const slip_law_terms *in, int k);

/// force = magnitude v/|v| + D v; no D where `viscous` is SLIP_NONE.
void slip_law_along_slip(const slip_law_terms *in, slip_ref magnitude, slip_ref viscous,
                         slip_law_result *out);

/// 1 + (s - 1) exp(-(|v|/v_s)^n); n = 2 is written as a product where `exponent` is SLIP_NONE.
slip_ref slip_law_stribeck_factor(const slip_law_terms *in, slip_ref ratio_at_rest, slip_ref speed,
                                  slip_ref exponent);

/// Bristles with stiffness K, damping B and a force D v, parameters 0, 1 and 2: K e + B e' + D v, component
/// k.
slip_ref slip_law_bristle_force(const slip_law_terms *in, slip_ref rate, int k);

/// A spring and damper in series with set-valued Coulomb friction (frick_element.c): its index among the
/// states, and its constants.
typedef struct slip_frick_element {
    int state;
    slip_ref K, B, limit, stage;
} slip_frick_element;

/// Adds its force, its rate and its sticking condition.
void slip_law_add_frick(const slip_law_terms *in, slip_frick_element e, slip_law_result *out);

/// For slip_law.choose of laws whose parameters 0 and 1 are K and B.
void slip_law_choose_spring_damper(double K, double B, double *parameter);

#endif
