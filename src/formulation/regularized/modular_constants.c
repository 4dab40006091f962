/// formulation/regularized/modular_constants.c: K and B of every element, given or chosen.
#include <math.h>

#include "base/elementary.h"
#include "formulation/ode/friction_law_elements.h"
#include "formulation/regularized/modular.h"
#include "dynamics/effective_mass.h"
#include "formulation/regularized/regularized_tolerances.h"

// 31 steps in a contact of full restitution; over all phases of touch-down within a step the restitution is
// then met within 0.011 (the damper's force jumps at touch-down, which costs any method of fixed step an
// order)
static const double W_T = 0.1;
// restitution 0.032; more would only settle later, and ask for shorter steps. Without a step to keep to:
// 0.001
static const double MAX_DAMPING = 2.5, MAX_DAMPING_IMPLICIT = 16.0;

// Restitution of a spring and damper that never pull, of damping ratio z >= 0; falls from 1 to 0.
static double restitution_of(double z)
{
    if (z < 0.0) return NAN;
    if (fabs(z - 1.0) < CRITICAL_DAMPING_NEAR) return slip_exp(-2.0);
    double s = sqrt(fabs(1.0 - z * z)), late = 2.0 * z * s, early = 2.0 * z * z - 1.0;
    return slip_exp(-z * (z < 1.0 ? slip_atan2(late, early) : 2.0 * slip_ln(z + s)) / s);
}

static double damping_for(double restitution, double high)
{
    double low = 0.0;
    if (restitution >= 1.0) return 0.0;
    if (restitution <= restitution_of(high)) return high;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if (restitution_of(middle) > restitution)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static double given_or_default(double given, double chosen)
{
    return isnan(given) ? chosen : given;
}

static double finite_or_one(double mass)
{
    return isfinite(mass) ? mass : 1.0;
}

// `shared`: the mass that is left to this contact where several push on the same bodies
static void choose_normal(slip_ode *ode, const slip_element *element, slip_mass_probe *probe, double shared,
                          slip_contact_time_scale time_scale, slip_modular_constants *c)
{
    double mass = finite_or_one(slip_effective_mass(probe, &element->normal));
    double w = W_T / time_scale.step,
           K = time_scale.tau > 0.0 ? mass / (time_scale.tau * time_scale.tau) : shared * w * w;
    c->K = given_or_default(element->contact->compliance.K, K);
    c->mass = mass;
    if (time_scale.tau == 0.0 && isnan(element->contact->compliance.K)) {
        c->lasts = IMPACT_DURATION_OVER_TAU * sqrt(mass / c->K);
        c->depth = MAX_STATIC_DEPTH_OF_GAP * slip_gap_size(probe, element);
    }
    double unit = 2.0 * sqrt(c->K * mass);
    bool stiff = time_scale.tau > 0.0;
    double zeta = damping_for(element->contact->restitution, stiff ? MAX_DAMPING_IMPLICIT : MAX_DAMPING);
    c->B = given_or_default(element->contact->compliance.C, zeta * unit);
    c->zeta = stiff && isnan(element->contact->compliance.C) ? zeta : 0.0;
    double made = restitution_of(c->B / unit);
    if (element->contact->restitution_given &&
        fabs(made - element->contact->restitution) > MODULAR_RESTITUTION_ERROR)
        slip_ode_warn(
            ode, SLIP_WARNING_RESTITUTION, element->name,
            "contact %s: stiffness and damping make a restitution of %.3g, not the %.3g that is stated; "
            "leave compliance.damping out to have it chosen",
            element->name, made, element->contact->restitution);
}

static void choose_friction(const slip_element *element, slip_mass_probe *probe,
                            slip_contact_time_scale time_scale, slip_modular_constants *c)
{
    double mass = INFINITY;
    for (int k = 0; k < element->slip_count; k++)
        mass = fmin(mass, slip_shared_mass(probe, &element->tangent[k]));
    slip_law_choose_stiffness(finite_or_one(mass), time_scale.stick, &c->K_t, &c->B_t);
    if (element->has_gap && c->zeta > 0.0)
        c->B_t =
            fmax(c->B_t, FRICTION_OVER_NORMAL_RATE * 2.0 * c->zeta / time_scale.tau * finite_or_one(mass));
    // Kikuuwe 2008 has one K and one B for normal and friction
    if (element->has_gap) c->K_t = given_or_default(element->contact->compliance.K, c->K_t);
    if (element->has_gap && element->contact->compliance.C > 0.0) c->B_t = element->contact->compliance.C;
    c->K_t = given_or_default(element->contact->compliance.K_t, c->K_t);
    c->B_t = given_or_default(element->contact->compliance.C_t, c->B_t);
}

slip_status slip_modular_choose_constants(slip_ode *ode, slip_contact_time_scale time_scale,
                                          slip_modular_constants *constants, slip_error *error)
{
    const slip_equations *e = ode->equations;
    slip_mass_probe *normals = NULL, *tangents = NULL;
    slip_status status = slip_mass_probe_create(ode->equations, error, &normals);
    if (status == SLIP_OK) status = slip_mass_probe_create(ode->equations, error, &tangents);
    for (int k = 0; k < e->element_count && status == SLIP_OK; k++) {
        const slip_element *element = &e->elements[k];
        if (element->has_gap) slip_shared_mass_add_row(normals, &element->normal);
        for (int i = 0; i < element->slip_count; i++)
            slip_shared_mass_add_row(tangents, &element->tangent[i]);
    }
    for (int k = 0; k < e->element_count && status == SLIP_OK; k++) {
        const slip_element *element = &e->elements[k];
        constants[k] = (slip_modular_constants){ NAN, NAN, NAN, NAN, 0.0, 0.0, 0.0, NAN };
        if (element->has_gap)
            choose_normal(ode, element, normals, finite_or_one(slip_shared_mass(normals, &element->normal)),
                          time_scale, &constants[k]);
        if (element->slip_count) choose_friction(element, tangents, time_scale, &constants[k]);
    }
    slip_mass_probe_destroy(normals);
    slip_mass_probe_destroy(tangents);
    return status;
}
