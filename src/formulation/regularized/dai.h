/// formulation/regularized/dai.h: the pieces of formulation dai that mechanics and inclusions share.
#ifndef SLIP_FORMULATION_REGULARIZED_DAI_H
#define SLIP_FORMULATION_REGULARIZED_DAI_H

#include "formulation/regularized/contact_time_scale.h"
#include "formulation/ode/ode_elements.h"

/// What changes along the motion, SLIP_NONE where it does not.
typedef struct slip_dai_changes {
    slip_ref K;      ///< stiffness in place of that of the start
    slip_ref slower; ///< factor of alpha and beta
    slip_ref more;   ///< added to beta
} slip_dai_changes;

/// f and e' of one gap, Xiong 2013 eqs 25 and 24. Constants are noted in ode->constants.
typedef struct slip_dai_normal {
    slip_ref force, rate, closed;
} slip_dai_normal;
slip_dai_normal slip_dai_normal_law(slip_ode *ode, const char *element, slip_ref gap, slip_ref e,
                                    const slip_dai_constants *c, slip_dai_changes changes);

/// s and a' of one slip, Xiong 2013 eqs 18b and 18a, with c->K_t and c->beta_t; one or two components.
/// `alone`: the element has no gap, so its constants are called K and beta.
typedef struct slip_dai_tangent {
    int count;
    slip_ref force[2], rate[2], stick;
} slip_dai_tangent;
slip_dai_tangent slip_dai_tangent_law(slip_ode *ode, const char *element, bool alone, slip_ref limit,
                                      int count, const slip_ref *velocity, const slip_ref *a,
                                      const slip_dai_constants *c);

/// What goes with the constants of an element.
typedef struct slip_dai_contact_design {
    double made;    ///< the restitution that they make of a free impact; NaN for frictions, and where they
                    ///< create energy
    double release; ///< m per m/s of impact speed: how deep such an impact ends; NaN where constants were
                    ///< given, or no restitution
    double
        lasts; ///< s, an impact, where that follows the step; NaN where it does not, or constants were given
    double depth; ///< m, that it may be pressed in at rest; 0 where constants were given
    double mass;  ///< kg, > 0: K follows the mass that it meets in each impact (ode/impact_masses.h)
    slip_ref K; ///< stiffness where it follows the mass at the contact along the motion; SLIP_NONE where K is
                ///< constant
} slip_dai_contact_design;

/// K, alpha, beta, K_t, beta_t of every element: as given, or chosen from restitution, effective mass
/// and time_scale (design.h). A friction element's K and beta are returned in K_t and beta_t.
slip_status slip_dai_choose_constants(slip_ode *ode, slip_contact_time_scale time_scale,
                                      slip_dai_constants *constants, slip_dai_contact_design *choices,
                                      slip_error *error);

/// Whether the constants of contact k follow the mass that it meets in each impact.
bool slip_dai_follows_impacts(const slip_equations *equations, int k,
                              const slip_contact_time_scale *time_scale);

/// Xiong 2013, section 4.4.
slip_status slip_dai_inclusion(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                               slip_ode **ode);

#endif
