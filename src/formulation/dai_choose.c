/// formulation/dai_choose.c: the constants of every element of a mechanical model, given or designed.
#include <math.h>
#include <stdlib.h>

#include "formulation/dai.h"
#include "slipstick/design.h"
#include "system/effective_mass.h"

// a value the user gave wins; NaN means it was not given
static double given_or(double given, double chosen)
{
    return isnan(given) ? chosen : given;
}

// an element that moves nothing needs some constants too
static double or_one(double mass)
{
    return isfinite(mass) ? mass : 1.0;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

// alpha for the K and beta in force; where that restitution is out of reach, the least alpha that rk4 bears
static double alpha_for(double restitution, double beta, double w, double step)
{
    double ratio = slip_dai_ratio(restitution, beta * w);
    return isnan(ratio) ? lesser(step, beta) : ratio * beta;
}

// what the constants in force make of the restitution that the model states
static void compare(slip_ode *ode, const slip_element *element, double mass, const slip_dai_constants *c)
{
    double made = slip_dai_impact(c->alpha / c->beta, c->beta * sqrt(c->K / mass)).restitution;
    if (!element->restitution_given || fabs(made - element->restitution) <= 0.005) return;
    bool own = !isnan(element->dai.K) || !isnan(element->dai.alpha) || !isnan(element->dai.beta);
    if (own)
        slip_ode_warn(
            ode, element->name,
            "contact %s: the given dai constants make a restitution of %.3g, not the %.3g that is stated; "
            "leave them out to have them chosen for it",
            element->name, made, element->restitution);
    else
        slip_ode_warn(
            ode, element->name,
            "contact %s: a restitution of %.3g is below what formulation dai reaches; %.3g is used. "
            "Formulations with impacts take any value",
            element->name, element->restitution, made);
}

static void choose_contact(slip_ode *ode, const slip_element *element, slip_mass_probe *probe, double step,
                           slip_dai_constants *c)
{
    const slip_dai_constants *own = &element->dai;
    double mass = or_one(slip_effective_mass(probe, &element->normal));
    slip_dai_design d = slip_design_dai(element->restitution, mass, step);
    c->K = given_or(own->K, d.K);
    double w = sqrt(c->K / mass), stretch = sqrt(d.K / c->K); // a stiffer contact has shorter times
    c->beta = given_or(own->beta, d.beta * stretch);
    c->alpha = own->alpha;
    if (isnan(c->alpha))
        c->alpha = isnan(own->beta) ? d.alpha * stretch : alpha_for(element->restitution, c->beta, w, step);
    compare(ode, element, mass, c);
}

static void choose_friction(const slip_element *element, slip_mass_probe *probe, double step,
                            slip_dai_constants *c)
{
    const slip_dai_constants *own = &element->dai;
    double mass = INFINITY, K, beta;
    for (int k = 0; k < element->slip_count; k++)
        mass = lesser(mass, slip_crowded_mass(probe, &element->tangent[k]));
    slip_design_dai_friction(or_one(mass), step, &K, &beta);
    c->K_t = given_or(element->has_gap ? own->K_t : own->K, K);
    c->beta_t = given_or(element->has_gap ? own->beta_t : own->beta, beta);
}

slip_status slip_dai_choose(slip_ode *ode, double step, slip_dai_constants *constants, slip_error *error)
{
    const slip_equations *e = ode->equations;
    slip_mass_probe *probe = NULL;
    slip_status status = slip_mass_probe_create(ode->equations, error, &probe);
    if (status != SLIP_OK) return status;
    for (int k = 0; k < e->element_count; k++)
        for (int i = 0; i < e->elements[k].slip_count; i++)
            slip_mass_crowd(probe, &e->elements[k].tangent[i]);
    for (int k = 0; k < e->element_count; k++) {
        constants[k] = (slip_dai_constants){ NAN, NAN, NAN, NAN, NAN };
        if (e->elements[k].has_gap) choose_contact(ode, &e->elements[k], probe, step, &constants[k]);
        if (e->elements[k].slip_count) choose_friction(&e->elements[k], probe, step, &constants[k]);
    }
    slip_mass_probe_destroy(probe);
    return SLIP_OK;
}
