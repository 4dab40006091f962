/// formulation/regularized/modular.c: bodies as admittances, contacts and frictions as impedances (Kikuuwe and Yamamoto
/// 2008).
///
/// A friction with a known limit is fricK (19), a contact is fricKN (23):
///     f_n = max(0, -(K g + B g'))  for g < 0, else 0                   (23a), never pulling
///     f_t = gsat(mu f_n, (B_t + tau K_t) v + K_t e)                    (19b), (23b), (23c)
///     e'  = (f_t - K_t e)/(B_t + tau K_t)                              (19c), (23d)
/// with tau the step that the stage of rk4-generalised stands for (21). f_n pushes along the gap and f_t
/// against the slip: the paper's signs, printed the other way round, attract and accelerate (errata K1, K2).
/// The radius mu f_n is never negative (errata K4). In stick e' = v exactly: no drift.
#include <math.h>

#include "symbolic/graph/expression_builders.h"
#include "formulation/ode/baumgarte.h"
#include "formulation/ode/friction_law_elements.h"
#include "formulation/ode/ode_elements.h"
#include "formulation/regularized/modular.h"
#include "formulation/ode/ode_method.h"
#include "integrator/integrator.h"

// Damping that holds a contact at rest while others strike, over the critical one.
static const double HOLD = 300.0;

// whether the constants of contact k follow the mass that it meets in each impact (ode/impact_masses.h)
static bool follows_impacts(const slip_equations *e, int k, const slip_contact_time_scale *time_scale)
{
    return time_scale->located && e->elements[k].has_gap && isnan(e->elements[k].contact->compliance.C) &&
           slip_element_shares_impacts(e, k);
}

// (1 + r) K, and 2 (zeta + z) sqrt(K m) with the K and m that were chosen
static int follow_impacts(slip_ode *ode, const slip_element *element, const slip_modular_constants *c, int at,
                          slip_ode_element *view, slip_ref *K, slip_ref *B)
{
    slip_graph *g = ode->graph;
    slip_ref stiffer, damping;
    slip_element_impact_states(ode, element, at,
                               (slip_impact_following){ .mass = c->mass,
                                                        .zeta = c->zeta,
                                                        .exponent = 1.0,
                                                        .hold = HOLD,
                                                        .given = !isnan(element->contact->compliance.K) },
                               view, &stiffer, &damping);
    slip_ref zeta = slip_element_constant(ode, element->name, "zeta", c->zeta);
    slip_ref critical = slip_element_constant(ode, element->name, "B_critical", 2.0 * sqrt(c->K * c->mass));
    *K = slip_op2(g, SLIP_OP_MUL, *K, stiffer);
    *B = slip_op2(g, SLIP_OP_MUL, slip_op2(g, SLIP_OP_ADD, zeta, damping), critical);
    return at + SLIP_IMPACT_STATES;
}

static int add_modular_normal(slip_ode *ode, const slip_element *element, const slip_modular_constants *c,
                              bool follows, int at, slip_ode_element *view)
{
    slip_graph *g = ode->graph;
    slip_ref K = slip_element_constant(ode, element->name, "K", c->K), B, zero = slip_graph_constant(g, 0.0);
    if (follows)
        at = follow_impacts(ode, element, c, at, view, &K, &B);
    else
        B = slip_element_damping(ode, element, "B", K, c->zeta, c->B);
    slip_ref spring = slip_op2(g, SLIP_OP_MUL, K, element->gap);
    slip_ref damper = slip_op2(g, SLIP_OP_MUL, B, element->normal.rate);
    slip_ref push = slip_op2(g, SLIP_OP_ADD, spring, damper);
    push = slip_element_regime_branch(ode, slip_op2(g, SLIP_OP_MAX, zero, slip_op1(g, SLIP_OP_NEG, push)), 1);
    slip_ref inside = slip_op2(g, SLIP_OP_LT, element->gap, zero);
    view->gap = element->gap;
    view->normal = slip_element_regime_branch(ode, slip_graph_op(g, SLIP_OP_IF, inside, push, zero), 1);
    view->closed = slip_op2(g, SLIP_OP_LT, zero, view->normal);
    slip_element_push(ode, &element->normal, view->normal, false);
    slip_element_add_power(ode, SLIP_LEDGER_CONTACT, view->normal, &element->normal, true);
    return at;
}

static int add_element(slip_ode *ode, const slip_element *element, const slip_modular_constants *c,
                       bool follows, int at, slip_ode_element *view)
{
    *view = slip_ode_empty_element(element->name);
    if (element->has_gap) at = add_modular_normal(ode, element, c, follows, at, view);
    if (!element->slip_count) return at;
    view->limit = slip_element_limit(ode, element, view);
    if (element->contact->law)
        return slip_law_element(ode, element, element->contact->law, element->law_parameter, at, view);
    double parameter[] = { c->K_t, c->B_t };
    return slip_law_element(ode, element, &slip_law_kikuuwe, parameter, at, view);
}

static int modular_state_count(const slip_equations *e, const slip_contact_time_scale *time_scale)
{
    int count = 2 * e->n;
    for (int k = 0; k < e->element_count; k++) {
        const slip_element *element = &e->elements[k];
        if (follows_impacts(e, k, time_scale)) count += SLIP_IMPACT_STATES;
        count += slip_law_element_states(element->contact->law ? element->contact->law : &slip_law_kikuuwe,
                                         element);
    }
    return count;
}

static slip_status build_modular_ode(slip_ode *ode, const slip_sim_def *settings,
                                     slip_contact_time_scale time_scale, slip_error *error)
{
    const slip_equations *e = ode->equations;
    slip_modular_constants *constants = SLIP_POOL_NEW(ode->pool, slip_modular_constants, e->element_count);
    slip_status status =
        constants ? slip_modular_choose_constants(ode, time_scale, constants, error) : SLIP_NO_MEMORY;
    if (status == SLIP_OK) status = slip_law_prepare(ode, time_scale.stick, error);
    if (status != SLIP_OK) return status;
    ode->tau = time_scale.tau;
    ode->size = time_scale.size;
    ode->creep = time_scale.creep;
    slip_law_stage_input(ode);
    slip_element_init_ledger(ode);
    int at = 2 * ode->n;
    for (int k = 0; k < e->element_count; k++) {
        at = add_element(ode, &e->elements[k], &constants[k], follows_impacts(e, k, &time_scale), at,
                         &ode->elements[k]);
        if (e->elements[k].has_gap)
            slip_element_set_strain(ode, e->elements[k].gap, constants[k].depth, constants[k].lasts,
                                    &ode->elements[k]);
        if (constants[k].lasts > 0.0 &&
            !slip_element_check_impacts(ode, k, NAN, NAN, constants[k].lasts, constants[k].depth))
            return SLIP_NO_MEMORY;
    }
    status = slip_law_balance_at_rest(ode, error);
    if (status == SLIP_OK) status = slip_ode_add_baumgarte(ode, settings->formulation, settings->step, error);
    return status == SLIP_OK ? slip_ode_compile(ode, error) : status;
}

static slip_status modular_create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                                  slip_method **method)
{
    *method = NULL;
    slip_equations *equations = NULL;
    slip_status status = slip_equations_create(model, error, &equations);
    if (status != SLIP_OK) return status;
    slip_contact_time_scale time_scale;
    status = slip_contact_time_scale_choose(equations, settings, error, &time_scale);
    if (status != SLIP_OK) {
        slip_equations_destroy(equations);
        return status;
    }
    slip_ode *ode = NULL;
    status = slip_ode_create(model, equations, modular_state_count(equations, &time_scale),
                             equations->element_count, error, &ode);
    if (status != SLIP_OK) return status;
    status = build_modular_ode(ode, settings, time_scale, error);
    if (status != SLIP_OK) {
        slip_ode_destroy(ode);
        return status == SLIP_NO_MEMORY ? slip_fail(error, status, "formulation modular", "out of memory")
                                        : status;
    }
    return slip_ode_method_create(ode, settings, error, method);
}

static bool knows_stiffness(const slip_contact *contact)
{
    return !isnan(contact->compliance.K);
}

const slip_formulation slip_formulation_modular = {
    .info = { "modular",
              "fricK and fricKN components: true stiction, spring and damper contacts; rk4-generalised",
              "mechanics", "Kikuuwe 2008, eqs 13, 19-24" },
    .mechanics = true,
    .family = SLIP_FAMILY_COMPLIANT,
    .integrator = "substeps",
    .plain_integrator = "rk4-generalised",
    .takes_constraints = true,
    .takes_laws = true,
    .no_restitution_t = true,
    .reference = 4,
    .knows_stiffness = knows_stiffness,
    .create = modular_create,
};
