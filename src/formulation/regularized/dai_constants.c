/// formulation/regularized/dai_constants.c: the constants of every element of a mechanical model, given or
/// designed.
#include <math.h>
#include <stdlib.h>

#include "formulation/regularized/dai.h"
#include "symbolic/compiler/tape_cache.h"
#include "slipstick/design.h"
#include "dynamics/effective_mass.h"
#include "formulation/regularized/regularized_tolerances.h"

// a value the user gave wins; NaN means it was not given
static double given_or_default(double given, double chosen)
{
    return isnan(given) ? chosen : given;
}

// an element that moves nothing needs some constants too
static double finite_or_one(double mass)
{
    return isfinite(mass) ? mass : 1.0;
}

static double lesser_or_given(double a, double b)
{
    return a < b ? a : b;
}

// alpha for the K and beta in force; where that restitution is out of reach, the least alpha that is chosen
static double alpha_for(double restitution, double beta, double w, slip_contact_time_scale time_scale)
{
    double ratio = slip_dai_ratio(restitution, beta * w);
    return isnan(ratio) ? lesser_or_given(time_scale.tau > 0.0 ? IMPLICIT_ALPHA_W / w : time_scale.step, beta)
                        : ratio * beta;
}

// what the constants in force make of the restitution that the model states
static void compare_restitution(slip_ode *ode, const slip_element *element, bool own, double made)
{
    if (fabs(made - element->contact->restitution) <= REPORTED_RESTITUTION_ERROR) return;
    if (own)
        slip_ode_warn(
            ode, SLIP_WARNING_RESTITUTION, element->name,
            "contact %s: the given dai constants make a restitution of %.3g, not the %.3g that is stated; "
            "leave them out to have them chosen for it",
            element->name, made, element->contact->restitution);
    else
        slip_ode_warn(
            ode, SLIP_WARNING_RESTITUTION, element->name,
            "contact %s: a restitution of %.3g is below what formulation dai reaches; %.3g is used. "
            "Formulations with impacts take any value",
            element->name, element->contact->restitution, made);
}

/// What all elements share. Alpha and beta do not depend on the mass, and neighbours mostly have the same
/// restitution, so the design of the last one, for a mass of 1, is kept.
typedef struct chooser {
    slip_ode *ode;
    slip_mass_probe *probe;
    slip_contact_time_scale time_scale;
    double restitution;
    slip_dai_design unit;
} chooser;

static slip_dai_design scaled_design(chooser *all, double restitution, double mass)
{
    if (!(restitution == all->restitution))
        all->unit = all->time_scale.tau > 0.0 ? slip_design_dai_stiff(restitution, 1.0, all->time_scale.tau)
                                              : slip_design_dai(restitution, 1.0, all->time_scale.step);
    all->restitution = restitution;
    slip_dai_design d = all->unit;
    d.K *= mass;
    return d;
}

// Alpha, beta and w = sqrt(K/m) make the restitution and bound the step: where the mass at the contact
// changes along the motion, K changes with it.
static slip_status follow_mass(slip_ode *ode, const slip_element *element, double per_mass, slip_ref *K)
{
    slip_ref mass;
    slip_status status = slip_element_mass(ode, element, &mass);
    if (status != SLIP_OK || mass < 0) return status;
    *K = slip_graph_op(ode->graph, SLIP_OP_MUL, slip_graph_constant(ode->graph, per_mass), mass, SLIP_NONE);
    return *K < 0 ? SLIP_NO_MEMORY : SLIP_OK;
}

// A design takes longer than many a run: that of the last element is kept for the next simulation
typedef struct memo {
    slip_contact_time_scale time_scale;
    double restitution;
    slip_dai_design unit;
} memo;

static const char memo_key = 0;

static memo *recall_design(chooser *all)
{
    slip_tape_cache *tape_cache = slip_graph_cache(all->ode->graph);
    memo *kept = tape_cache ? slip_tape_cache_take(tape_cache, &memo_key) : NULL;
    if (kept && kept->time_scale.tau == all->time_scale.tau && kept->time_scale.step == all->time_scale.step)
        all->restitution = kept->restitution, all->unit = kept->unit;
    return kept;
}

static void store_design(const chooser *all, memo *kept)
{
    slip_tape_cache *tape_cache = slip_graph_cache(all->ode->graph);
    if (tape_cache && !kept) kept = malloc(sizeof *kept);
    if (!tape_cache || !kept) return; // it is made anew then
    *kept = (memo){ all->time_scale, all->restitution, all->unit };
    slip_tape_cache_put(tape_cache, &memo_key, kept, free);
}

bool slip_dai_follows_impacts(const slip_equations *equations, int k,
                              const slip_contact_time_scale *time_scale)
{
    const slip_element *element = &equations->elements[k];
    const slip_dai_constants *own = &element->contact->dai;
    return time_scale->located && element->has_gap && isnan(own->K) && isnan(own->alpha) &&
           isnan(own->beta) && slip_element_shares_impacts(equations, k);
}

static slip_status choose_contact(chooser *all, const slip_element *element, bool follows,
                                  slip_dai_constants *c, slip_dai_contact_design *choice)
{
    const slip_dai_constants *own = &element->contact->dai;
    double mass = finite_or_one(slip_effective_mass(all->probe, &element->normal));
    slip_dai_design d = { 0 };
    if (isnan(own->K) || isnan(own->beta)) d = scaled_design(all, element->contact->restitution, mass);
    c->K = given_or_default(own->K, d.K);
    double w = sqrt(c->K / mass), stretch = sqrt(d.K / c->K); // a stiffer contact has shorter times
    c->beta = given_or_default(own->beta, d.beta * stretch);
    c->alpha = own->alpha;
    if (isnan(c->alpha))
        c->alpha = isnan(own->beta) ? d.alpha * stretch
                                    : alpha_for(element->contact->restitution, c->beta, w, all->time_scale);
    bool given = !isnan(own->K) || !isnan(own->alpha) || !isnan(own->beta);
    choice->made = given ? slip_dai_impact(c->alpha / c->beta, c->beta * w).restitution : d.restitution;
    if (element->contact->restitution_given) compare_restitution(all->ode, element, given, choice->made);
    if (!given && element->contact->restitution_given) choice->release = d.release;
    if (!given) choice->depth = MAX_STATIC_DEPTH_OF_GAP * slip_gap_size(all->probe, element);
    if (!given && !(all->time_scale.tau > 0.0)) choice->lasts = d.contact_time;
    if (given) return SLIP_OK;
    if (follows) choice->mass = mass;
    return follows ? SLIP_OK : follow_mass(all->ode, element, d.K / mass, &choice->K);
}

static void choose_friction(const chooser *all, const slip_element *element, slip_dai_constants *c)
{
    const slip_dai_constants *own = &element->contact->dai;
    double mass = INFINITY, K, beta;
    for (int k = 0; k < element->slip_count; k++)
        mass = lesser_or_given(mass, slip_shared_mass(all->probe, &element->tangent[k]));
    slip_design_dai_friction(finite_or_one(mass), all->time_scale.stick, &K, &beta);
    // beta/tau^2 is the rate of a contact that is hardly more than a damper
    if (element->has_gap && all->time_scale.tau > 0.0 && isnan(own->beta) && isnan(own->K))
        beta = fmax(beta, FRICTION_OVER_NORMAL_RATE * c->beta / (all->time_scale.tau * all->time_scale.tau) *
                              finite_or_one(mass) / K);
    c->K_t = given_or_default(element->has_gap ? own->K_t : own->K, K);
    c->beta_t = given_or_default(element->has_gap ? own->beta_t : own->beta, beta);
}

slip_status slip_dai_choose_constants(slip_ode *ode, slip_contact_time_scale time_scale,
                                      slip_dai_constants *constants, slip_dai_contact_design *choices,
                                      slip_error *error)
{
    const slip_equations *e = ode->equations;
    slip_mass_probe *probe = NULL;
    slip_status status = slip_mass_probe_create(ode->equations, error, &probe);
    if (status != SLIP_OK) return status;
    chooser all = { .ode = ode, .probe = probe, .time_scale = time_scale, .restitution = NAN };
    memo *kept = recall_design(&all);
    for (int k = 0; k < e->element_count; k++)
        for (int i = 0; i < e->elements[k].slip_count; i++)
            slip_shared_mass_add_row(probe, &e->elements[k].tangent[i]);
    for (int k = 0; k < e->element_count && status == SLIP_OK; k++) {
        constants[k] = (slip_dai_constants){ NAN, NAN, NAN, NAN, NAN };
        choices[k] = (slip_dai_contact_design){ NAN, NAN, NAN, 0.0, 0.0, SLIP_NONE };
        if (e->elements[k].has_gap)
            status = choose_contact(&all, &e->elements[k], slip_dai_follows_impacts(e, k, &time_scale),
                                    &constants[k], &choices[k]);
        if (e->elements[k].slip_count) choose_friction(&all, &e->elements[k], &constants[k]);
    }
    store_design(&all, kept);
    slip_mass_probe_destroy(probe);
    return status;
}
