/// formulation/regularized/compliant.h: contacts with a thin compliant layer (Song, Kraus, Kumar, Dupont 2001, "paper
/// 001").
///
/// Normal, d = max(0, -gap), without suction (12, 13 after the errata):
///     kelvin-voigt     N = max(0, K d + C d')                       (10)
///     hunt-crossley    N = max(0, K d^beta (1 + 3/2 alpha d'))      (11)
/// Tangential, one state delta per slip component. Assume rolling, and slide where Coulomb's limit is
/// exceeded (14-18); as one single-valued law, with v the slip velocity and T the friction on the system:
///     T = clip(K_t delta - C_t v, -+ mu N),      delta' = (T - K_t delta)/C_t
/// Smooth friction instead, without a state (42):  T = -mu N tanh(v/gamma)
#ifndef SLIP_FORMULATION_REGULARIZED_COMPLIANT_H
#define SLIP_FORMULATION_REGULARIZED_COMPLIANT_H

#include "formulation/regularized/contact_time_scale.h"
#include "formulation/ode/ode_elements.h"

/// Constants in force of one element; NaN where it has no use for them.
typedef struct slip_compliant_constants {
    slip_normal_law law;
    double K, C, alpha, beta; ///< contact
    double K_t, C_t, gamma;   ///< its slip
    double zeta;  ///< > 0: C was chosen and follows the effective mass along the motion, C = 2 zeta sqrt(K m)
    double x;     ///< > 0: alpha is x/(3/2 v) at the speed v with which the contact was touched last
    double least; ///< the least such speed
    double lasts; ///< s, about, of an impact, where it follows the step; else 0
    double depth; ///< > 0: K was chosen, and a rest deformation beyond this is too much
    double mass;  ///< kg, that K and C were chosen for
} slip_compliant_constants;

/// The same where the effective mass of the contact is `mass`; NaN: as at the start.
slip_compliant_constants slip_compliant_with_mass(const slip_compliant_constants *c, double mass);

/// The stiffness of a contact that the model gives, N/m^beta: its own, or by Hertz under hunt-crossley; NaN: it is
/// chosen.
double slip_compliant_given_stiffness(const slip_contact *contact, slip_normal_law law);

/// Whether the model gives it, for slip_formulation.
bool slip_compliant_knows_stiffness(const slip_contact *contact, slip_normal_law law);

/// Constants of every element: as given, from the dimensionless groups, or chosen from restitution,
/// effective mass and time_scale. `ode` takes warnings; may be NULL.
slip_status slip_compliant_choose_constants(slip_equations *equations, slip_normal_law law,
                                            slip_contact_time_scale time_scale, slip_ode *ode,
                                            slip_compliant_constants *constants, slip_error *error);

/// The same for an explicit step.
slip_status slip_compliant_choose_for_step(slip_equations *equations, slip_normal_law law, double step,
                                           slip_ode *ode, slip_compliant_constants *constants,
                                           slip_error *error);

/// Whether a contact under this law takes its alpha from the speed of each impact.
bool slip_compliant_uses_impact_speed(const slip_element *element, slip_normal_law law,
                                      const slip_contact_time_scale *time_scale);

/// Whether the constants of contact k follow the mass that it meets in each impact (ode/impact_masses.h).
bool slip_compliant_follows_impacts(const slip_equations *equations, int k, slip_normal_law law,
                                    const slip_contact_time_scale *time_scale);

/// Warns of stated restitutions that a fixed step cannot keep: touch-down falls somewhere within a step.
void slip_compliant_warn_scatter(slip_ode *ode, double step, const slip_compliant_constants *constants);

/// N and its derivatives with respect to d and d', at d > 0.
typedef struct slip_normal_force {
    double force, stiffness, damping;
} slip_normal_force;
slip_normal_force slip_compliant_normal(const slip_compliant_constants *c, double d, double d_rate);

/// The deformation at rest under a load N >= 0.
double slip_compliant_static_depth(const slip_compliant_constants *c, double N);

/// The same as a method: what the three formulations create.
slip_status slip_compliant_method(const slip_model *model, const slip_sim_def *settings, slip_normal_law law,
                                  bool smooth, slip_error *error, slip_method **method);

#endif
