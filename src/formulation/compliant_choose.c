/// formulation/compliant_choose.c: constants of compliant contacts: given, dimensionless, or chosen.
#include <math.h>

#include "formulation/compliant.h"
#include "slipstick/design.h"
#include "system/effective_mass.h"

// How stiff a contact may be for a step h (docs/trust.md; test/song/design.c holds them to it): a contact of
// kelvin-voigt starts with a jump of its force, which costs more than the smooth start of hunt-crossley.
static const double KELVIN_VOIGT_W_H = 0.05, HUNT_CROSSLEY_W_H = 0.15;
static const double TANGENT_W_H = 0.5, TANGENT_DAMPING = 0.7;
static const double LEAST_RESTITUTION = 0.01; // what a wish for less gets: below, damping alone sets the step
static const double UNSAID_RESTITUTION = 0.2; // nobody asked: well damped
static const double EXPONENT = 1.5, SPEED = 1.0, GAMMA = 1e-3;

static double given_or(double given, double chosen)
{
    return isnan(given) ? chosen : given;
}

static double or_one(double mass)
{
    return isfinite(mass) ? mass : 1.0;
}

static double wished_restitution(const slip_element *element)
{
    return element->restitution_given ? fmax(element->restitution, LEAST_RESTITUTION) : UNSAID_RESTITUTION;
}

static slip_status check(const slip_element *element, slip_error *error)
{
    const slip_compliance *own = &element->compliance;
    char place[160];
    const char *missing = isnan(own->mass)     ? "mass"
                          : isnan(own->length) ? "length"
                          : isnan(own->time)   ? "time"
                                               : NULL;
    if (!isnan(own->eps) && missing)
        return slip_fail(error, SLIP_BAD_MODEL, slip_span_place(own->where, place, sizeof place),
                         "contact '%s': compliance.eps needs compliance.%s, the characteristic scale",
                         element->name, missing);
    if (own->beta < 1.0)
        return slip_fail(error, SLIP_BAD_MODEL, slip_span_place(own->where, place, sizeof place),
                         "contact '%s': compliance.exponent must be 1 or greater, got %g", element->name,
                         own->beta);
    return SLIP_OK;
}

// dimensional meaning of the scaled parameters (34, 37 after the errata)
static void from_groups(const slip_compliance *own, slip_compliant_constants *c)
{
    double m = own->mass, L = own->length, T = own->time, eps = own->eps;
    double K_bar = given_or(own->K_bar, 1.0);
    if (c->law == SLIP_KELVIN_VOIGT) {
        c->K = K_bar * m / (eps * T * T);
        c->C = given_or(own->C_bar, 1.0) * m / (sqrt(eps) * T);
    } else {
        c->K = K_bar * m * L / (T * T * pow(eps * L, c->beta));
        c->alpha = given_or(own->alpha_bar, 1.0) * T / (sqrt(eps) * L) / 1.5;
    }
    c->K_t = given_or(own->K_t_bar, 1.0) * m / (eps * T * T);
    c->C_t = given_or(own->C_t_bar, 1.0) * m / (sqrt(eps) * T);
}

// what the constants in force make of the restitution that the model states
static void compare(slip_ode *ode, const slip_element *element, double mass,
                    const slip_compliant_constants *c, double speed)
{
    if (!ode || !element->restitution_given) return;
    double made = c->law == SLIP_KELVIN_VOIGT
                      ? slip_kelvin_voigt_restitution(c->C / (2.0 * sqrt(c->K * mass)))
                      : slip_hunt_crossley_restitution(1.5 * c->alpha * speed);
    const slip_compliance *own = &element->compliance;
    if (fabs(made - element->restitution) > 0.005 && element->restitution > LEAST_RESTITUTION)
        slip_ode_warn(ode, element->name,
                      "contact %s: the given compliance makes a restitution of %.3g, not the %.3g that is "
                      "stated; leave "
                      "its damping out to have it chosen",
                      element->name, made, element->restitution);
    else if (fabs(made - element->restitution) > 0.005)
        slip_ode_warn(
            ode, element->name,
            "contact %s: a restitution of %.3g is below what a compliant contact reaches; %.3g is used. "
            "Formulations with impacts take any value",
            element->name, element->restitution, made);
    else if (c->law == SLIP_HUNT_CROSSLEY && element->restitution < 1.0 && isnan(own->speed) &&
             isnan(own->alpha))
        slip_ode_warn(
            ode, element->name,
            "contact %s: the restitution of hunt-crossley depends on the impact speed; %.3g holds at %g m/s. "
            "Set compliance.speed to the speed that matters",
            element->name, element->restitution, speed);
}

static void choose_normal(const slip_element *element, double mass, double step, slip_ode *ode,
                          slip_compliant_constants *c)
{
    const slip_compliance *own = &element->compliance;
    double e = wished_restitution(element), speed = given_or(own->speed, SPEED);
    c->beta = c->law == SLIP_KELVIN_VOIGT ? NAN : given_or(own->beta, EXPONENT);
    if (!isnan(own->eps)) from_groups(own, c);
    if (c->law == SLIP_KELVIN_VOIGT) {
        double w = KELVIN_VOIGT_W_H / step;
        c->K = given_or(own->K, given_or(c->K, mass * w * w));
        c->C = given_or(own->C, given_or(c->C, 2.0 * slip_kelvin_voigt_zeta(e) * sqrt(c->K * mass)));
    } else { // an impact at `speed` goes as deep as speed/w without damping
        double depth = speed * step / HUNT_CROSSLEY_W_H;
        c->K = given_or(
            own->K, given_or(c->K, 0.5 * (c->beta + 1.0) * mass * speed * speed / pow(depth, c->beta + 1.0)));
        c->alpha = given_or(own->alpha, given_or(c->alpha, slip_hunt_crossley_x(e) / (1.5 * speed)));
    }
    compare(ode, element, mass, c, speed);
}

static void choose_tangent(const slip_element *element, slip_mass_probe *probe, double step,
                           slip_compliant_constants *c)
{
    const slip_compliance *own = &element->compliance;
    double mass = INFINITY, w = TANGENT_W_H / step;
    for (int k = 0; k < element->slip_count; k++)
        mass = fmin(mass, slip_crowded_mass(probe, &element->tangent[k]));
    c->K_t = given_or(own->K_t, given_or(c->K_t, or_one(mass) * w * w));
    c->C_t = given_or(own->C_t, given_or(c->C_t, 2.0 * TANGENT_DAMPING * sqrt(c->K_t * or_one(mass))));
    c->gamma = given_or(own->gamma, GAMMA);
}

static slip_normal_law law_of(const slip_element *element, slip_normal_law law)
{
    if (law != SLIP_LAW_AS_GIVEN) return law;
    const slip_compliance *own = &element->compliance;
    return isnan(own->C) && isnan(own->C_bar) ? SLIP_HUNT_CROSSLEY : SLIP_KELVIN_VOIGT;
}

slip_status slip_compliant_choose(slip_equations *e, slip_normal_law law, double step, slip_ode *ode,
                                  slip_compliant_constants *constants, slip_error *error)
{
    slip_mass_probe *probe = NULL;
    slip_status status = slip_mass_probe_create(e, error, &probe);
    if (status != SLIP_OK) return status;
    for (int k = 0; k < e->element_count; k++)
        for (int i = 0; i < e->elements[k].slip_count; i++)
            slip_mass_crowd(probe, &e->elements[k].tangent[i]);
    for (int k = 0; k < e->element_count && status == SLIP_OK; k++) {
        const slip_element *element = &e->elements[k];
        slip_compliant_constants *c = &constants[k];
        *c = (slip_compliant_constants){ law_of(element, law), NAN, NAN, NAN, NAN, NAN, NAN, NAN };
        status = check(element, error);
        if (status == SLIP_OK && element->has_gap)
            choose_normal(element, or_one(slip_effective_mass(probe, &element->normal)), step, ode, c);
        if (status == SLIP_OK && element->slip_count) choose_tangent(element, probe, step, c);
    }
    slip_mass_probe_destroy(probe);
    return status;
}
