/// formulation/dai_choose.c: the constants of every element of a mechanical model, given or designed.
#include <math.h>
#include <stdlib.h>

#include "formulation/dai.h"
#include "slipstick/design.h"
#include "system/effective_mass.h"

// a value the user gave wins; NaN means it was not given
static double given_or(double given, double chosen) { return isnan(given) ? chosen : given; }

static double lesser(double a, double b) { return a < b ? a : b; }

static slip_status choose_contact(const slip_element *element, slip_mass_probe *probe, double step,
                                  slip_dai_constants *c)
{
    const slip_dai_constants *own = &element->dai;
    double mass = slip_effective_mass(probe, &element->normal);
    slip_dai_design d = slip_design_dai(element->restitution, mass, step);
    c->K = given_or(own->K, d.K);
    c->beta = given_or(own->beta, d.beta);
    c->alpha = own->alpha;
    if (isnan(c->alpha)) {
        double ratio = slip_dai_ratio(element->restitution, c->beta * sqrt(c->K / mass));
        c->alpha = isnan(own->K) && isnan(own->beta) ? d.alpha : c->beta * given_or(ratio, 0.12);
    }
    return SLIP_OK;
}

static void choose_friction(const slip_element *element, slip_mass_probe *probe, double step, slip_dai_constants *c)
{
    const slip_dai_constants *own = &element->dai;
    double mass = INFINITY, K, beta;
    for (int k = 0; k < element->slip_count; k++)
        mass = lesser(mass, slip_effective_mass(probe, &element->tangent[k]));
    slip_design_dai_friction(mass, step, &K, &beta);
    c->K_t = given_or(element->has_gap ? own->K_t : own->K, K);
    c->beta_t = given_or(element->has_gap ? own->beta_t : own->beta, beta);
}

slip_status slip_dai_choose(slip_ode *ode, double step, slip_dai_constants *constants, slip_error *error)
{
    const slip_equations *e = ode->equations;
    slip_mass_probe *probe = NULL;
    slip_status status = slip_mass_probe_create(ode->equations, error, &probe);
    for (int k = 0; k < e->element_count && status == SLIP_OK; k++) {
        constants[k] = (slip_dai_constants){ NAN, NAN, NAN, NAN, NAN };
        if (e->elements[k].has_gap) status = choose_contact(&e->elements[k], probe, step, &constants[k]);
        if (e->elements[k].slip_count) choose_friction(&e->elements[k], probe, step, &constants[k]);
    }
    slip_mass_probe_destroy(probe);
    return status;
}
