/// formulation/regularized/dai.c: differential algebraic inclusions as ODEs (Xiong, Kikuuwe, Yamamoto 2013).
///
/// Each gap gets a state e, each slip a state a (one or two components), with
///     f    = K max(0, e - beta (g + e)/alpha)              (25)
///     e'   = max(-e/beta, -(g + e)/alpha)                  (24)
///     s    = K_t sat(F/K_t, a + beta_t v)                  (18b), F = mu f for a contact (30)
///     a'   = (sat(F/K_t, a + beta_t v) - a)/beta_t         (18a)
/// f pushes along the gap, s against the slip. True static friction: v = a' in stick, so the massless
/// slider (v - a') stands still exactly.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "formulation/regularized/dai.h"
#include "formulation/ode/baumgarte.h"
#include "formulation/ode/friction_law_elements.h"
#include "formulation/ode/ode_method.h"
#include "integrator/integrator.h"

/// A friction element's sat(Z, a + beta v) with its components and truth value of sticking.
typedef struct saturation {
    slip_ref part[2];
    slip_ref inside; ///< |a + beta v| <= Z
} saturation;

static saturation saturate_friction(slip_ode *ode, slip_ref Z, int count, const slip_ref *argument)
{
    slip_graph *g = ode->graph;
    saturation s = { { SLIP_NONE, SLIP_NONE }, SLIP_NONE };
    if (count == 1) {
        s.part[0] = slip_element_regime_branch(ode, slip_op2(g, SLIP_OP_SAT, Z, argument[0]), 1);
        s.inside = slip_op2(g, SLIP_OP_LE, slip_op1(g, SLIP_OP_ABS, argument[0]), Z);
        return s;
    }
    s.part[0] =
        slip_element_regime_branch(ode, slip_graph_op(g, SLIP_OP_SAT_X, Z, argument[0], argument[1]), 1);
    s.part[1] =
        slip_element_regime_branch(ode, slip_graph_op(g, SLIP_OP_SAT_Y, Z, argument[0], argument[1]), 2);
    slip_ref xx = slip_op2(g, SLIP_OP_MUL, argument[0], argument[0]);
    slip_ref yy = slip_op2(g, SLIP_OP_MUL, argument[1], argument[1]);
    slip_ref size = slip_op1(g, SLIP_OP_SQRT, slip_op2(g, SLIP_OP_ADD, xx, yy));
    s.inside = slip_op2(g, SLIP_OP_LE, size, Z);
    return s;
}

static void check_alpha(slip_ode *ode, const char *element, const slip_dai_constants *c)
{
    if (!(c->alpha > c->beta)) return; // at equality the contact is perfectly elastic
    slip_warning *w =
        slip_ode_warn(ode, SLIP_WARNING_ENERGY_CREATED, element,
                      "contact %s creates energy: its alpha, %g s, is greater than its beta, %g s", element,
                      c->alpha, c->beta);
    slip_warning_value(w, "alpha", c->alpha, "s");
    slip_warning_value(w, "beta", c->beta, "s");
}

slip_dai_normal slip_dai_normal_law(slip_ode *ode, const char *element, slip_ref gap, slip_ref e,
                                    const slip_dai_constants *c, slip_dai_changes changes)
{
    slip_graph *g = ode->graph;
    check_alpha(ode, element, c);
    slip_ref k = slip_element_constant(ode, element, "K", c->K),
             al = slip_element_constant(ode, element, "alpha", c->alpha);
    slip_ref be = slip_element_constant(ode, element, "beta", c->beta);
    if (changes.slower >= 0) {
        al = slip_op2(g, SLIP_OP_MUL, al, changes.slower);
        be = slip_op2(g, SLIP_OP_MUL, be, changes.slower);
    }
    if (changes.more >= 0) be = slip_op2(g, SLIP_OP_ADD, be, changes.more);
    slip_ref sum = slip_op2(g, SLIP_OP_ADD, gap, e);
    slip_ref inner =
        slip_op2(g, SLIP_OP_SUB, e, slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_MUL, be, sum), al));
    slip_ref out = slip_op2(g, SLIP_OP_DIV, slip_op1(g, SLIP_OP_NEG, e), be);
    slip_ref in = slip_op2(g, SLIP_OP_DIV, slip_op1(g, SLIP_OP_NEG, sum), al);
    slip_ref zero = slip_graph_constant(g, 0.0);
    if (changes.K >= 0) k = changes.K;
    slip_ref force = slip_op2(g, SLIP_OP_MUL, k,
                              slip_element_regime_branch(ode, slip_op2(g, SLIP_OP_MAX, zero, inner), 1));
    return (slip_dai_normal){ .force = force,
                              .rate = slip_element_regime_branch(ode, slip_op2(g, SLIP_OP_MAX, out, in), 1),
                              .closed = slip_op2(g, SLIP_OP_LT, zero, inner) };
}

slip_dai_tangent slip_dai_tangent_law(slip_ode *ode, const char *element, bool alone, slip_ref limit,
                                      int count, const slip_ref *velocity, const slip_ref *a,
                                      const slip_dai_constants *c)
{
    slip_graph *g = ode->graph;
    slip_dai_tangent law = { .count = count };
    slip_ref k = slip_element_constant(ode, element, alone ? "K" : "K_t", c->K_t), argument[2];
    slip_ref be = slip_element_constant(ode, element, alone ? "beta" : "beta_t", c->beta_t);
    for (int i = 0; i < count; i++)
        argument[i] = slip_op2(g, SLIP_OP_ADD, a[i], slip_op2(g, SLIP_OP_MUL, be, velocity[i]));
    saturation s = saturate_friction(ode, slip_op2(g, SLIP_OP_DIV, limit, k), count, argument);
    for (int i = 0; i < count; i++) {
        law.force[i] = slip_op2(g, SLIP_OP_MUL, k, s.part[i]);
        law.rate[i] = slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_SUB, s.part[i], a[i]), be);
    }
    law.stick = s.inside;
    return law;
}

// ------------------------------------------------------------------------------------- mechanics

// Added to beta, over alpha and at least over sqrt(m/K): holds a contact at rest while others strike. K beta/alpha
// is the stiffness with which it answers at first.
static const double HOLD_OVER_ALPHA = 1e4, MIN_HOLD = 100.0;
static const double MAX_HOLDING_ALPHA = 0.5; // of beta

// States of a contact that follows its impacts: besides those of the others, how much slower than alone its law is,
// because the stiffness has a limit and alpha and beta are times.
enum { DAI_IMPACT_STATES = SLIP_IMPACT_STATES + 1 };

// (1 + r) K, what z adds to beta, and the factor of alpha and beta
static int follow_impacts(slip_ode *ode, const slip_element *element, const slip_dai_constants *c,
                          double mass, int at, slip_ode_element *view, slip_dai_changes *changes)
{
    slip_graph *g = ode->graph;
    slip_ref stiffer, damping;
    // an alpha near beta makes a spring of it, which gives back what it holds
    const double hold = c->alpha > MAX_HOLDING_ALPHA * c->beta
                            ? 0.0
                            : fmax(MIN_HOLD, HOLD_OVER_ALPHA * c->alpha * sqrt(c->K / mass));
    slip_element_impact_states(ode, element, at,
                               (slip_impact_following){ .mass = mass, .exponent = 1.0, .hold = hold }, view,
                               &stiffer, &damping);
    changes->K = slip_op2(g, SLIP_OP_MUL, slip_graph_constant(g, c->K), stiffer);
    changes->more = slip_op2(g, SLIP_OP_MUL, slip_graph_constant(g, sqrt(mass / c->K)), damping);
    view->impact.slower = at + SLIP_IMPACT_STATES;
    ode->rate[view->impact.slower] = slip_graph_constant(g, 0.0);
    changes->slower = slip_op2(g, SLIP_OP_ADD, slip_graph_constant(g, 1.0),
                               slip_element_state(ode, view->impact.slower, element->name, "slower"));
    return at + DAI_IMPACT_STATES;
}

static int add_dai_normal(slip_ode *ode, const slip_element *element, const slip_dai_constants *c,
                          const slip_dai_contact_design *choice, int at, slip_ode_element *view)
{
    const int own = at++;
    slip_ref e = slip_element_state(ode, own, element->name, "e");
    slip_dai_changes changes = { .K = choice->K, .slower = SLIP_NONE, .more = SLIP_NONE };
    if (choice->mass > 0.0) at = follow_impacts(ode, element, c, choice->mass, at, view, &changes);
    slip_dai_normal law = slip_dai_normal_law(ode, element->name, element->gap, e, c, changes);
    ode->rate[own] = law.rate;
    view->gap = element->gap;
    view->normal = law.force;
    view->closed = law.closed;
    slip_element_push(ode, &element->normal, law.force, false);
    slip_element_add_power(ode, SLIP_LEDGER_CONTACT, law.force, &element->normal, true);
    return at;
}

static int add_dai_tangent(slip_ode *ode, const slip_element *element, const slip_dai_constants *c, int at,
                           slip_ode_element *view)
{
    static const char *const suffix[2][2] = { { "a", "" }, { "a.x", "a.y" } };
    int count = element->slip_count;
    slip_ref a[2], v[2];
    for (int k = 0; k < count; k++) v[k] = element->tangent[k].rate;
    view->limit = slip_element_limit(ode, element, view);
    if (element->contact->law)
        return slip_law_element(ode, element, element->contact->law, element->law_parameter, at, view);
    for (int k = 0; k < count; k++)
        a[k] = slip_element_state(ode, at + k, element->name, suffix[count - 1][k]);
    slip_dai_tangent law =
        slip_dai_tangent_law(ode, element->name, !element->has_gap, view->limit, count, v, a, c);
    view->slip_count = count;
    for (int k = 0; k < count; k++) {
        ode->rate[at + k] = law.rate[k];
        view->slip[k] = v[k];
        view->force[k] = slip_op1(ode->graph, SLIP_OP_NEG, law.force[k]);
        slip_element_push(ode, &element->tangent[k], law.force[k], true);
        slip_element_add_power(ode, SLIP_LEDGER_FRICTION, law.force[k], &element->tangent[k], false);
    }
    view->stick = view->closed >= 0 ? slip_op2(ode->graph, SLIP_OP_AND, view->closed, law.stick) : law.stick;
    return at + count;
}

static void add_elements(slip_ode *ode, const slip_dai_constants *constants,
                         const slip_dai_contact_design *choices)
{
    const slip_equations *e = ode->equations;
    slip_element_init_ledger(ode);
    int at = 2 * ode->n;
    for (int k = 0; k < e->element_count; k++) {
        const slip_element *element = &e->elements[k];
        slip_ode_element *view = &ode->elements[k];
        *view = slip_ode_empty_element(element->name);
        if (element->has_gap) at = add_dai_normal(ode, element, &constants[k], &choices[k], at, view);
        if (element->has_gap)
            slip_element_set_strain(ode, element->gap, choices[k].depth, choices[k].lasts, view);
        if (!isnan(choices[k].made)) // no part of the laws, but what they amount to
            ode->constants[ode->constant_count++] =
                (slip_constant){ element->name, "restitution", choices[k].made };
        if (element->slip_count) at = add_dai_tangent(ode, element, &constants[k], at, view);
    }
}

static bool watch_bounces(slip_ode *ode, const slip_dai_contact_design *choices)
{
    const slip_equations *e = ode->equations;
    for (int k = 0; k < e->element_count; k++)
        if (!isnan(choices[k].lasts) &&
            !slip_element_check_impacts(ode, k, choices[k].made, choices[k].release, choices[k].lasts,
                                        choices[k].depth))
            return false;
    return true;
}

static int dai_state_count(const slip_equations *e, const slip_contact_time_scale *time_scale)
{
    int count = 2 * e->n;
    for (int k = 0; k < e->element_count; k++) {
        const slip_element *element = &e->elements[k];
        count += element->has_gap + (slip_dai_follows_impacts(e, k, time_scale) ? DAI_IMPACT_STATES : 0);
        count += element->contact->law ? slip_law_element_states(element->contact->law, element)
                                       : element->slip_count;
    }
    return count;
}

static slip_status mechanics_ode(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                                 slip_ode **out)
{
    *out = NULL;
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
    status = slip_ode_create(model, equations, dai_state_count(equations, &time_scale),
                             equations->element_count, error, &ode);
    if (status != SLIP_OK) return status;
    slip_dai_constants *constants = SLIP_POOL_NEW(ode->pool, slip_dai_constants, equations->element_count);
    slip_dai_contact_design *choices =
        SLIP_POOL_NEW(ode->pool, slip_dai_contact_design, equations->element_count);
    status = constants && choices ? slip_dai_choose_constants(ode, time_scale, constants, choices, error)
                                  : SLIP_NO_MEMORY;
    if (status == SLIP_OK) status = slip_law_prepare(ode, time_scale.stick, error);
    if (status == SLIP_OK && !watch_bounces(ode, choices)) status = SLIP_NO_MEMORY;
    if (status == SLIP_OK) {
        add_elements(ode, constants, choices);
        status = slip_law_balance_at_rest(ode, error);
    }
    if (status == SLIP_OK) status = slip_ode_add_baumgarte(ode, settings->formulation, settings->step, error);
    ode->tau = time_scale.tau;
    ode->size = time_scale.size;
    ode->creep = time_scale.creep;
    if (status == SLIP_OK) status = slip_ode_compile(ode, error);
    if (status != SLIP_OK) {
        slip_ode_destroy(ode);
        return status == SLIP_NO_MEMORY ? slip_fail(error, status, "formulation dai", "out of memory")
                                        : status;
    }
    *out = ode;
    return SLIP_OK;
}

static slip_status dai_create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                              slip_method **method)
{
    *method = NULL;
    slip_ode *ode = NULL;
    slip_status status = model->type == SLIP_INCLUSION ? slip_dai_inclusion(model, settings, error, &ode)
                                                       : mechanics_ode(model, settings, error, &ode);
    return status == SLIP_OK ? slip_ode_method_create(ode, settings, error, method) : status;
}

static bool knows_stiffness(const slip_contact *contact)
{
    return !isnan(contact->dai.K);
}

const slip_formulation slip_formulation_dai = {
    .info = { "dai", "sat/max ODE with true stiction, restitution from alpha and beta",
              "mechanics, inclusion", "Xiong 2013, eqs 18, 24-25, 29-32" },
    .mechanics = true,
    .family = SLIP_FAMILY_COMPLIANT,
    .inclusion = true,
    .integrator = "substeps",
    .plain_integrator = "rk4",
    .chosen_for =
        SLIP_FOR_INCLUSIONS | SLIP_FOR_INTEGRATOR | SLIP_FOR_LAWS | SLIP_FOR_FRICTION | SLIP_FOR_SMOOTH,
    .takes_constraints = true,
    .takes_laws = true,
    .no_restitution_t = true,
    .reference = 3,
    .knows_stiffness = knows_stiffness,
    .create = dai_create,
};
