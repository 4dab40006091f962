/// formulation/regularized/compliant_constants.c: constants of compliant contacts: given, dimensionless, or
/// chosen.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/regularized/compliant.h"
#include "base/elementary.h"
#include "slipstick/design.h"
#include "dynamics/effective_mass.h"
#include "formulation/regularized/regularized_tolerances.h"

// How stiff a contact may be for a step h (docs/trust.md; test/song/design.c holds them to it): a contact of
// kelvin-voigt starts with a jump of its force, which costs more than the smooth start of hunt-crossley.
static const double KELVIN_VOIGT_W_H = 0.05, HUNT_CROSSLEY_W_H = 0.15;
static const double TANGENT_W_H = 0.5, TANGENT_DAMPING = 0.7;
static const double MIN_RESTITUTION = 0.01; // what a wish for less gets: below, damping alone sets the step
static const double MIN_RESTITUTION_IMPLICIT = 0.0009; // the same without a step to keep to
static const double DEFAULT_RESTITUTION =
    0.2; // nobody asked, and an explicit step has to follow: well damped
static const double DEFAULT_EXPONENT = 1.5, DEFAULT_IMPACT_SPEED = 1.0, DEFAULT_GAMMA = 1e-3;
// A stiffness that needs more than this of the step is not chosen to keep MAX_STATIC_DEPTH_OF_GAP; the run
// warns when the contact is pressed in further.
static const double MAX_W_H = 0.5;
// a touch-down within a fixed step scatters the restitution of kelvin-voigt by up to this times w h
static const double RESTITUTION_SCATTER_PER_W_H = 0.1;

static double given_or_default(double given, double chosen)
{
    return isnan(given) ? chosen : given;
}

static double finite_or_one(double mass)
{
    return isfinite(mass) ? mass : 1.0;
}

// what a contact without restitution gets: as little as can be
static double wished_restitution(const slip_element *element, slip_contact_time_scale time_scale)
{
    if (time_scale.tau > 0.0) return fmax(element->contact->restitution, MIN_RESTITUTION_IMPLICIT);
    return element->contact->restitution_given ? fmax(element->contact->restitution, MIN_RESTITUTION)
                                               : DEFAULT_RESTITUTION;
}

double slip_compliant_given_stiffness(const slip_contact *contact, slip_normal_law law)
{
    const slip_compliance *own = &contact->compliance;
    const bool hertz = law == SLIP_HUNT_CROSSLEY && isnan(own->K) && isnan(own->eps) &&
                       given_or_default(own->beta, DEFAULT_EXPONENT) == DEFAULT_EXPONENT;
    return hertz ? slip_contact_hertz_stiffness(contact) : own->K;
}

// x of hunt-crossley for the restitution of a contact, by the law that it names
static double damping_for_restitution(const slip_element *element, slip_contact_time_scale time_scale)
{
    const slip_damping_law *law = element->contact->damping;
    const double e = wished_restitution(element, time_scale);
    return (law ? law : slip_damping_law_at(0))->factor(e);
}

static slip_status check_compliance(const slip_element *element, slip_error *error)
{
    const slip_compliance *own = &element->contact->compliance;
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
    double K_bar = given_or_default(own->K_bar, 1.0);
    if (c->law == SLIP_KELVIN_VOIGT) {
        c->K = K_bar * m / (eps * T * T);
        c->C = given_or_default(own->C_bar, 1.0) * m / (sqrt(eps) * T);
    } else {
        c->K = K_bar * m * L / (T * T * slip_pow(eps * L, c->beta));
        c->alpha = given_or_default(own->alpha_bar, 1.0) * T / (sqrt(eps) * L) / 1.5;
    }
    c->K_t = given_or_default(own->K_t_bar, 1.0) * m / (eps * T * T);
    c->C_t = given_or_default(own->C_t_bar, 1.0) * m / (sqrt(eps) * T);
}

// the one that holds a restitution at any speed, unless something of the other one is stated
static slip_normal_law law_of(const slip_contact *contact, slip_normal_law law)
{
    if (law != SLIP_NORMAL_LAW_AS_GIVEN) return law;
    const slip_compliance *own = &contact->compliance;
    if (!isnan(own->C) || !isnan(own->C_bar)) return SLIP_KELVIN_VOIGT;
    bool hertz = !isnan(own->alpha) || !isnan(own->alpha_bar) || !isnan(own->beta) || !isnan(own->speed) ||
                 !isnan(own->eps) || !isnan(slip_contact_hertz_stiffness(contact));
    return hertz ? SLIP_HUNT_CROSSLEY : SLIP_KELVIN_VOIGT;
}

bool slip_compliant_knows_stiffness(const slip_contact *contact, slip_normal_law law)
{
    return !isnan(contact->compliance.eps) ||
           !isnan(slip_compliant_given_stiffness(contact, law_of(contact, law)));
}

// what all contacts of a model share while their constants are chosen
typedef struct chooser {
    slip_ode *ode; // takes warnings; may be NULL
    slip_mass_probe *probe;
    slip_normal_law law; // of the formulation
    slip_contact_time_scale time_scale;
    int speeds; // contacts whose restitution holds at one speed only
    char names[160];
} chooser;

static void note_speed(chooser *all, const char *name)
{
    size_t at = strlen(all->names);
    snprintf(all->names + at, sizeof all->names - at, "%s%s", all->speeds++ ? ", " : "", name);
}

// what the constants in force make of the restitution that the model states
static void compare_restitution(chooser *all, const slip_element *element, double mass,
                                const slip_compliant_constants *c, double speed)
{
    const slip_compliance *own = &element->contact->compliance;
    double e = element->contact->restitution;
    if (!all->ode || !element->contact->restitution_given) return;
    bool kelvin = c->law == SLIP_KELVIN_VOIGT;
    double made = kelvin ? slip_kelvin_voigt_restitution(c->C / (2.0 * sqrt(c->K * mass)))
                         : slip_hunt_crossley_restitution(1.5 * c->alpha * speed);
    if (fabs(made - e) > REPORTED_RESTITUTION_ERROR && e > MIN_RESTITUTION)
        slip_ode_warn(all->ode, SLIP_WARNING_RESTITUTION, element->name,
                      "contact %s: the given compliance makes a restitution of %.3g, not the %.3g that is "
                      "stated; leave its damping out to have it chosen",
                      element->name, made, e);
    else if (fabs(made - e) > REPORTED_RESTITUTION_ERROR)
        slip_ode_warn(
            all->ode, SLIP_WARNING_RESTITUTION, element->name,
            "contact %s: a restitution of %.3g is below what a compliant contact reaches; %.3g is used. "
            "Formulations with impacts take any value",
            element->name, e, made);
    else if (!kelvin && c->x == 0.0 && e < 1.0 && isnan(own->speed) && isnan(own->alpha))
        note_speed(all, element->name);
}

static void tell_speeds(chooser *all)
{
    if (all->speeds)
        slip_ode_warn(
            all->ode, SLIP_WARNING_RESTITUTION, "",
            "the restitution of hunt-crossley depends on the impact speed; the stated one holds at %g m/s "
            "(%s). Set compliance.speed to the speed that matters",
            DEFAULT_IMPACT_SPEED, all->names);
}

// a stiffness that carries what rests on the contact at the start, N/depth, as far as the step allows
static double supporting_stiffness(double load, double depth, double ease, double step)
{
    double w = MAX_W_H / step;
    return load > 0.0 && depth > 0.0 ? fmin(2.0 * load / depth, w * w / ease) : 0.0;
}

// how soon a contact with these constants answers to a touch at `speed`
static double contact_response_time(const slip_compliant_constants *c, double mass, double speed)
{
    if (c->law == SLIP_KELVIN_VOIGT) return 0.3 * fmin(sqrt(mass / c->K), mass / c->C);
    double depth = slip_pow(0.5 * (c->beta + 1.0) * mass * speed * speed / c->K, 1.0 / (c->beta + 1.0));
    return 0.3 * depth / speed;
}

// sqrt(K/m) of kelvin-voigt, and of hunt-crossley at `speed`: an impact goes as deep as speed/w
static double contact_frequency(slip_contact_time_scale time_scale, double w_h)
{
    return time_scale.tau > 0.0 ? 1.0 / time_scale.tau : w_h / time_scale.step;
}

static void choose_kelvin_voigt(chooser *all, const slip_element *element, double mass, double support,
                                slip_compliant_constants *c)
{
    const slip_compliance *own = &element->contact->compliance;
    double w = contact_frequency(all->time_scale, KELVIN_VOIGT_W_H);
    c->K = given_or_default(own->K, given_or_default(c->K, fmax(mass * w * w, support)));
    if (isnan(own->C) && isnan(c->C))
        c->zeta = slip_kelvin_voigt_zeta(wished_restitution(element, all->time_scale));
    c->C = given_or_default(own->C, given_or_default(c->C, 2.0 * c->zeta * sqrt(c->K * mass)));
}

static void choose_hunt_crossley(chooser *all, const slip_element *element, double mass, double speed,
                                 slip_compliant_constants *c)
{
    const slip_compliance *own = &element->contact->compliance;
    double reach = speed / contact_frequency(all->time_scale, HUNT_CROSSLEY_W_H);
    double x = damping_for_restitution(element, all->time_scale);
    double K = 0.5 * (c->beta + 1.0) * mass * speed * speed / slip_pow(reach, c->beta + 1.0);
    c->K =
        given_or_default(slip_compliant_given_stiffness(element->contact, c->law), given_or_default(c->K, K));
    c->alpha = given_or_default(own->alpha, given_or_default(c->alpha, x / (1.5 * speed)));
    if (!slip_compliant_uses_impact_speed(element, all->law, &all->time_scale)) return;
    c->x = x;
    c->least = all->time_scale.creep;
}

static void choose_normal(chooser *all, const slip_element *element, double mass, double load, double ease,
                          slip_compliant_constants *c)
{
    const slip_compliance *own = &element->contact->compliance;
    double speed = given_or_default(own->speed,
                                    all->time_scale.tau > 0.0 ? all->time_scale.speed : DEFAULT_IMPACT_SPEED),
           step = all->time_scale.step;
    double depth = MAX_STATIC_DEPTH_OF_GAP *
                   (all->time_scale.tau > 0.0 ? all->time_scale.size : slip_gap_size(all->probe, element));
    c->mass = mass;
    c->beta = c->law == SLIP_KELVIN_VOIGT ? NAN : given_or_default(own->beta, DEFAULT_EXPONENT);
    if (!isnan(own->eps)) from_groups(own, c);
    if (isnan(slip_compliant_given_stiffness(element->contact, c->law)) && isnan(c->K)) {
        c->depth = depth;
        double w_h = c->law == SLIP_KELVIN_VOIGT ? KELVIN_VOIGT_W_H : HUNT_CROSSLEY_W_H;
        if (all->time_scale.tau == 0.0)
            c->lasts = IMPACT_DURATION_OVER_TAU / contact_frequency(all->time_scale, w_h);
    }
    if (all->ode && c->depth > 0.0)
        all->ode->patience =
            12.0 / contact_frequency(all->time_scale, KELVIN_VOIGT_W_H); // two periods of its bounces
    if (c->law == SLIP_KELVIN_VOIGT)
        choose_kelvin_voigt(all, element, mass,
                            all->time_scale.tau > 0.0 ? 0.0 : supporting_stiffness(load, depth, ease, step),
                            c);
    else
        choose_hunt_crossley(all, element, mass, speed, c);
    compare_restitution(all, element, mass, c, speed);
    double soon = contact_response_time(c, mass, speed);
    if (all->ode) all->ode->answer = all->ode->answer > 0.0 ? fmin(all->ode->answer, soon) : soon;
}

// 1/s, how fast the normal force of an impact dies away: that of a damper alone, or of a Hertz spring whose
// depth is that of the impact
static double fastest_rate(const slip_compliant_constants *c, double tau)
{
    if (c->zeta > 0.0) return 2.0 * c->zeta / tau;
    return c->x > 0.0 ? slip_pow(0.5 * c->x, 1.0 / (1.0 + c->beta)) / tau : 0.0;
}

static void choose_tangent(const slip_element *element, slip_mass_probe *probe,
                           slip_contact_time_scale time_scale, slip_compliant_constants *c)
{
    const slip_compliance *own = &element->contact->compliance;
    double mass = INFINITY, w = TANGENT_W_H / time_scale.stick;
    for (int k = 0; k < element->slip_count; k++)
        mass = fmin(mass, slip_shared_mass(probe, &element->tangent[k]));
    c->K_t = given_or_default(own->K_t, given_or_default(c->K_t, finite_or_one(mass) * w * w));
    double damping = 2.0 * TANGENT_DAMPING * sqrt(c->K_t * finite_or_one(mass));
    if (time_scale.tau > 0.0 && element->has_gap)
        damping =
            fmax(damping, FRICTION_OVER_NORMAL_RATE * fastest_rate(c, time_scale.tau) * finite_or_one(mass));
    c->C_t = given_or_default(own->C_t, given_or_default(c->C_t, damping));
    c->gamma = given_or_default(own->gamma, time_scale.tau > 0.0 ? time_scale.creep : DEFAULT_GAMMA);
}

static void warn_of_scatter(slip_ode *ode, const slip_element *element, double step, double scatter)
{
    slip_warning *w = slip_ode_warn(
        ode, SLIP_WARNING_RESTITUTION, element->name,
        "contact %s: with this step the restitution of %.3g holds within %.1g only, because touchdown falls "
        "within a step; take a smaller step, or integrator cash-karp",
        element->name, element->contact->restitution, scatter);
    slip_warning_value(w, "scatter", scatter, "");
    slip_warning_advise(w, "run.step", slip_round_down_two_digits(0.5 * step));
    slip_warning_advise_word(w, "run.integrator", "cash-karp");
}

void slip_compliant_warn_scatter(slip_ode *ode, double step, const slip_compliant_constants *constants)
{
    for (int k = 0; k < ode->equations->element_count; k++) {
        const slip_element *element = &ode->equations->elements[k];
        const slip_compliant_constants *c = &constants[k];
        double e = element->contact->restitution;
        if (!(c->zeta > 0.0) || !element->contact->restitution_given || !(e > MIN_RESTITUTION)) continue;
        double scatter =
            RESTITUTION_SCATTER_PER_W_H * step * 2.0 * c->zeta * c->K / c->C; // sqrt(K/m) = 2 zeta K/C
        if (scatter > REPORTED_SCATTER * e) warn_of_scatter(ode, element, step, scatter);
    }
}

bool slip_compliant_uses_impact_speed(const slip_element *element, slip_normal_law law,
                                      const slip_contact_time_scale *time_scale)
{
    const slip_compliance *own = &element->contact->compliance;
    return time_scale->located && law_of(element->contact, law) == SLIP_HUNT_CROSSLEY && isnan(own->alpha) &&
           isnan(own->speed) && isnan(own->eps);
}

bool slip_compliant_follows_impacts(const slip_equations *equations, int k, slip_normal_law law,
                                    const slip_contact_time_scale *time_scale)
{
    const slip_element *element = &equations->elements[k];
    const slip_compliance *own = &element->contact->compliance;
    if (!time_scale->located || !element->has_gap || !slip_element_shares_impacts(equations, k)) return false;
    if (element->contact->damping && element->contact->damping != slip_damping_law_at(0)) return false;
    if (law_of(element->contact, law) == SLIP_HUNT_CROSSLEY)
        return slip_compliant_uses_impact_speed(element, law, time_scale);
    return isnan(own->C) && isnan(own->eps);
}

static slip_status choose_all(chooser *all, const slip_equations *e, const double *load, const double *ease,
                              slip_compliant_constants *constants, slip_error *error)
{
    for (int k = 0; k < e->element_count; k++) {
        const slip_element *element = &e->elements[k];
        slip_compliant_constants *c = &constants[k];
        *c = (slip_compliant_constants){ law_of(element->contact, all->law),
                                         NAN,
                                         NAN,
                                         NAN,
                                         NAN,
                                         NAN,
                                         NAN,
                                         NAN,
                                         0.0,
                                         0.0,
                                         0.0,
                                         0.0,
                                         0.0,
                                         NAN };
        slip_status status = check_compliance(element, error);
        if (status != SLIP_OK) return status;
        if (element->has_gap)
            choose_normal(all, element, finite_or_one(slip_effective_mass(all->probe, &element->normal)),
                          load[k], ease[k], c);
        if (element->slip_count) choose_tangent(element, all->probe, all->time_scale, c);
    }
    tell_speeds(all);
    return SLIP_OK;
}

slip_status slip_compliant_choose_constants(slip_equations *e, slip_normal_law law,
                                            slip_contact_time_scale time_scale, slip_ode *ode,
                                            slip_compliant_constants *constants, slip_error *error)
{
    chooser all = { .ode = ode, .law = law, .time_scale = time_scale };
    slip_status status = slip_mass_probe_create(e, error, &all.probe);
    if (status != SLIP_OK) return status;
    for (int k = 0; k < e->element_count; k++)
        for (int i = 0; i < e->elements[k].slip_count; i++)
            slip_shared_mass_add_row(all.probe, &e->elements[k].tangent[i]);
    double *load = malloc((2 * (size_t)e->element_count + 1) * sizeof *load);
    status = load ? slip_static_loads_at_start(all.probe, load, load + e->element_count) : SLIP_NO_MEMORY;
    status = status == SLIP_OK ? choose_all(&all, e, load, load + e->element_count, constants, error)
                               : slip_fail(error, status, "compliant contacts", "out of memory");
    free(load);
    slip_mass_probe_destroy(all.probe);
    return status;
}

slip_status slip_compliant_choose_for_step(slip_equations *equations, slip_normal_law law, double step,
                                           slip_ode *ode, slip_compliant_constants *constants,
                                           slip_error *error)
{
    return slip_compliant_choose_constants(equations, law, slip_contact_time_scale_of_step(step), ode,
                                           constants, error);
}
