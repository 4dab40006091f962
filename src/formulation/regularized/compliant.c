/// formulation/regularized/compliant.c: contacts with a compliant layer as an ODE (Song 2001, section 3 and
/// eq 42).
#include "formulation/regularized/compliant.h"

#include <math.h>

#include "base/elementary.h"
#include "symbolic/graph/expression_builders.h"
#include "formulation/ode/baumgarte.h"
#include "formulation/ode/friction_law_elements.h"
#include "formulation/ode/ode_method.h"
#include "formulation/regularized/regularized_tolerances.h"

// ---------------------------------------------------------------------------------------------- normal

/// 1 + r and z of a contact whose constants follow its impacts (ode/impact_masses.h); SLIP_NONE otherwise.
typedef struct impact_factors {
    slip_ref stiffer, damping;
} impact_factors;

// 3/2 alpha d' of hunt-crossley; alpha for a restitution at the speed with which the contact was touched last
static slip_ref rate_term(slip_ode *ode, const slip_element *element, const slip_compliant_constants *c,
                          impact_factors factors, slip_ref d_rate, slip_ode_element *view)
{
    slip_graph *g = ode->graph;
    if (view->speed < 0) {
        slip_ref alpha = slip_element_constant(ode, element->name, "alpha", c->alpha);
        return slip_op2(g, SLIP_OP_MUL, slip_op2(g, SLIP_OP_MUL, slip_graph_constant(g, 1.5), alpha), d_rate);
    }
    slip_ref x = slip_element_constant(ode, element->name, "alpha_v", c->x);
    if (factors.damping >= 0) x = slip_op2(g, SLIP_OP_ADD, x, factors.damping);
    slip_ref v = slip_element_state(ode, view->speed, element->name, "v");
    ode->rate[view->speed] = slip_graph_constant(g, 0.0);
    v = slip_op2(g, SLIP_OP_MAX, slip_graph_constant(g, c->least), v);
    return slip_op2(g, SLIP_OP_MUL, x, slip_op2(g, SLIP_OP_DIV, d_rate, v));
}

// C of kelvin-voigt, 2 (zeta + z) sqrt(K m) with the K and m that it was chosen for
static slip_ref damping_of(slip_ode *ode, const slip_element *element, const slip_compliant_constants *c,
                           impact_factors factors, slip_ref K)
{
    slip_graph *g = ode->graph;
    if (factors.damping < 0) return slip_element_damping(ode, element, "C", K, c->zeta, c->C);
    slip_ref zeta = slip_element_constant(ode, element->name, "zeta", c->zeta);
    slip_ref critical = slip_element_constant(ode, element->name, "C_critical", 2.0 * sqrt(c->K * c->mass));
    return slip_op2(g, SLIP_OP_MUL, slip_op2(g, SLIP_OP_ADD, zeta, factors.damping), critical);
}

// N before it is cut at zero; d is max(0, -gap)
static slip_ref normal_force(slip_ode *ode, const slip_element *element, const slip_compliant_constants *c,
                             impact_factors factors, slip_ref d, slip_ref d_rate, slip_ode_element *view)
{
    slip_graph *g = ode->graph;
    const char *name = element->name;
    slip_ref K = slip_element_constant(ode, name, "K", c->K);
    if (c->law == SLIP_KELVIN_VOIGT) {
        slip_ref C = damping_of(ode, element, c, factors, K);
        if (factors.stiffer >= 0) K = slip_op2(g, SLIP_OP_MUL, K, factors.stiffer);
        slip_ref spring = slip_op2(g, SLIP_OP_MUL, K, d), damper = slip_op2(g, SLIP_OP_MUL, C, d_rate);
        return slip_op2(g, SLIP_OP_ADD, spring, damper);
    }
    slip_ref beta = slip_element_constant(ode, name, "exponent", c->beta);
    if (factors.stiffer >= 0) K = slip_op2(g, SLIP_OP_MUL, K, factors.stiffer);
    slip_ref elastic = slip_op2(g, SLIP_OP_MUL, K, slip_op2(g, SLIP_OP_POW, d, beta));
    slip_ref rate = rate_term(ode, element, c, factors, d_rate, view);
    return slip_op2(g, SLIP_OP_MUL, elastic, slip_op2(g, SLIP_OP_ADD, slip_graph_constant(g, 1.0), rate));
}

// Damping that holds a contact at rest while others strike, in the unit of z: a contact gives way by some
// thousandth of the depth of the impact.
static const double KELVIN_VOIGT_HOLD = 300.0, HUNT_CROSSLEY_HOLD = 1e5;

static impact_factors follow_impacts(slip_ode *ode, const slip_element *element,
                                     const slip_compliant_constants *c, int at, slip_ode_element *view)
{
    const bool kelvin = c->law == SLIP_KELVIN_VOIGT;
    impact_factors factors;
    slip_element_impact_states(
        ode, element, at,
        (slip_impact_following){ .mass = c->mass,
                                 .zeta = kelvin ? c->zeta : 0.0,
                                 .exponent = kelvin ? 1.0 : c->beta,
                                 .hold = kelvin ? KELVIN_VOIGT_HOLD : HUNT_CROSSLEY_HOLD,
                                 .given = !isnan(slip_compliant_given_stiffness(element->contact, c->law)) },
        view, &factors.stiffer, &factors.damping);
    return factors;
}

static int add_compliant_normal(slip_ode *ode, const slip_element *element, const slip_compliant_constants *c,
                                bool follows, int at, slip_ode_element *view)
{
    impact_factors factors = { SLIP_NONE, SLIP_NONE };
    if (follows) factors = follow_impacts(ode, element, c, at, view), at += SLIP_IMPACT_STATES;
    if (c->x > 0.0) view->speed = at++;
    slip_graph *g = ode->graph;
    slip_ref zero = slip_graph_constant(g, 0.0), minus = slip_op1(g, SLIP_OP_NEG, element->gap);
    slip_ref inside = slip_op2(g, SLIP_OP_LT, zero, minus),
             d_rate = slip_op1(g, SLIP_OP_NEG, element->normal.rate);
    slip_ref d = slip_element_regime_branch(ode, slip_op2(g, SLIP_OP_MAX, zero, minus), 1);
    slip_ref force = normal_force(ode, element, c, factors, d, d_rate, view);
    slip_ref push = slip_element_regime_branch(ode, slip_op2(g, SLIP_OP_MAX, zero, force), 1);
    // damping acts in contact only: a gap that closes is not braked in the air (13)
    view->normal = c->law == SLIP_KELVIN_VOIGT ? slip_graph_op(g, SLIP_OP_IF, inside, push, zero) : push;
    view->gap = element->gap;
    view->closed = slip_op2(g, SLIP_OP_LT, zero, view->normal);
    if (c->depth > 0.0) view->strain = slip_op2(g, SLIP_OP_DIV, d, slip_graph_constant(g, c->depth));
    slip_element_push(ode, &element->normal, view->normal, false);
    slip_element_add_power(ode, SLIP_LEDGER_CONTACT, view->normal, &element->normal, true);
    return at;
}

// -------------------------------------------------------------------------------------------- tangential

static slip_ref square_sum(slip_graph *g, int count, const slip_ref *x)
{
    slip_ref sum = slip_op2(g, SLIP_OP_MUL, x[0], x[0]);
    return count == 1 ? sum : slip_op2(g, SLIP_OP_ADD, sum, slip_op2(g, SLIP_OP_MUL, x[1], x[1]));
}

// T = clip(K_t delta - C_t v, -+ limit); returns the truth value of rolling
static slip_ref rolling_or_sliding(slip_ode *ode, const char *name, const slip_compliant_constants *c,
                                   slip_ref limit, int count, const slip_ref *v, int at, slip_ref *T)
{
    static const char *const suffix[2][2] = { { "delta", "" }, { "delta.x", "delta.y" } };
    slip_graph *g = ode->graph;
    slip_ref K = slip_element_constant(ode, name, "K_t", c->K_t),
             C = slip_element_constant(ode, name, "C_t", c->C_t);
    slip_ref trial[2], spring[2];
    for (int k = 0; k < count; k++) {
        spring[k] = slip_op2(g, SLIP_OP_MUL, K, slip_element_state(ode, at + k, name, suffix[count - 1][k]));
        trial[k] = slip_op2(g, SLIP_OP_SUB, spring[k], slip_op2(g, SLIP_OP_MUL, C, v[k]));
    }
    if (count == 1) {
        T[0] = slip_element_regime_branch(ode, slip_op2(g, SLIP_OP_SAT, limit, trial[0]), 1);
    } else {
        T[0] = slip_element_regime_branch(ode, slip_graph_op(g, SLIP_OP_SAT_X, limit, trial[0], trial[1]), 1);
        T[1] = slip_element_regime_branch(ode, slip_graph_op(g, SLIP_OP_SAT_Y, limit, trial[0], trial[1]), 2);
    }
    for (int k = 0; k < count; k++)
        ode->rate[at + k] = slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_SUB, T[k], spring[k]), C);
    slip_ref size =
        count == 1 ? slip_op1(g, SLIP_OP_ABS, trial[0]) : slip_op1(g, SLIP_OP_SQRT, square_sum(g, 2, trial));
    return slip_op2(g, SLIP_OP_LE, size, limit);
}

// of gamma: the speed from which on smooth friction is as good as at its limit, tanh(3.8) = 0.999
static const double SATURATION_SPEED_OVER_GAMMA = 3.8;

// T = -limit tanh(|v|/gamma) v/|v| (42); returns the truth value of friction below its limit
static slip_ref smooth_friction(slip_ode *ode, const char *name, const slip_compliant_constants *c,
                                slip_ref limit, int count, const slip_ref *v, slip_ref *T)
{
    slip_graph *g = ode->graph;
    slip_ref gamma = slip_element_constant(ode, name, "gamma", c->gamma), x[2] = { SLIP_NONE, SLIP_NONE };
    slip_ref factor = limit, speed;
    for (int k = 0; k < count; k++) x[k] = slip_op2(g, SLIP_OP_DIV, v[k], gamma);
    if (count == 1) {
        x[0] = slip_op1(g, SLIP_OP_TANH, x[0]);
        speed = slip_op1(g, SLIP_OP_ABS, v[0]);
    } else { // tanh(s)/s is smooth at s = 0; the smoothing keeps its formula so
        slip_ref s = slip_op1(
            g, SLIP_OP_SQRT,
            slip_op2(g, SLIP_OP_ADD, square_sum(g, 2, x), slip_graph_constant(g, TANH_SMOOTHING_SQUARED)));
        factor = slip_op2(g, SLIP_OP_MUL, limit, slip_op2(g, SLIP_OP_DIV, slip_op1(g, SLIP_OP_TANH, s), s));
        speed = slip_op1(g, SLIP_OP_SQRT, square_sum(g, 2, v));
    }
    for (int k = 0; k < count; k++) T[k] = slip_op1(g, SLIP_OP_NEG, slip_op2(g, SLIP_OP_MUL, factor, x[k]));
    slip_ref full = slip_op2(g, SLIP_OP_MUL, slip_graph_constant(g, SATURATION_SPEED_OVER_GAMMA), gamma);
    return slip_op2(g, SLIP_OP_LE, speed, full);
}

static int add_compliant_tangent(slip_ode *ode, const slip_element *element,
                                 const slip_compliant_constants *c, bool is_smooth, int at,
                                 slip_ode_element *view)
{
    int count = element->slip_count;
    slip_ref v[2] = { SLIP_NONE, SLIP_NONE }, T[2] = { SLIP_NONE, SLIP_NONE };
    for (int k = 0; k < count; k++) v[k] = element->tangent[k].rate;
    view->limit = slip_element_limit(ode, element, view);
    if (element->contact->law)
        return slip_law_element(ode, element, element->contact->law, element->law_parameter, at, view);
    slip_ref stick = is_smooth ? smooth_friction(ode, element->name, c, view->limit, count, v, T)
                               : rolling_or_sliding(ode, element->name, c, view->limit, count, v, at, T);
    view->slip_count = count;
    for (int k = 0; k < count; k++) {
        view->slip[k] = v[k];
        view->force[k] = T[k];
        slip_element_push(ode, &element->tangent[k], T[k], false);
        slip_element_add_power(ode, SLIP_LEDGER_FRICTION, T[k], &element->tangent[k], true);
    }
    view->stick = view->closed >= 0 ? slip_op2(ode->graph, SLIP_OP_AND, view->closed, stick) : stick;
    return is_smooth ? at : at + count;
}

// -------------------------------------------------------------------------------------------- the whole

static bool add_elements(slip_ode *ode, const slip_compliant_constants *constants, slip_normal_law law,
                         const slip_contact_time_scale *time_scale, bool is_smooth)
{
    const slip_equations *e = ode->equations;
    int at = 2 * ode->n;
    slip_element_init_ledger(ode);
    for (int k = 0; k < e->element_count; k++) {
        const slip_element *element = &e->elements[k];
        slip_ode_element *view = &ode->elements[k];
        *view = slip_ode_empty_element(element->name);
        if (element->has_gap)
            at = add_compliant_normal(ode, element, &constants[k],
                                      slip_compliant_follows_impacts(e, k, law, time_scale), at, view);
        if (element->has_gap && constants[k].lasts > 0.0 &&
            !slip_element_check_impacts(ode, k, NAN, NAN, constants[k].lasts, constants[k].depth))
            return false;
        if (element->slip_count) at = add_compliant_tangent(ode, element, &constants[k], is_smooth, at, view);
    }
    return true;
}

static int compliant_state_count(const slip_equations *e, slip_normal_law law,
                                 const slip_contact_time_scale *time_scale, bool is_smooth)
{
    int count = 2 * e->n;
    for (int k = 0; k < e->element_count; k++) {
        const slip_element *element = &e->elements[k];
        if (element->has_gap && slip_compliant_uses_impact_speed(element, law, time_scale)) count++;
        if (slip_compliant_follows_impacts(e, k, law, time_scale)) count += SLIP_IMPACT_STATES;
        if (element->contact->law)
            count += slip_law_element_states(element->contact->law, element);
        else if (!is_smooth)
            count += element->slip_count;
    }
    return count;
}

static slip_status build_compliant_ode(slip_ode *ode, const slip_sim_def *settings, slip_normal_law law,
                                       slip_contact_time_scale time_scale, bool is_smooth, slip_error *error)
{
    const slip_equations *e = ode->equations;
    slip_compliant_constants *constants =
        SLIP_POOL_NEW(ode->pool, slip_compliant_constants, e->element_count);
    if (!constants) return SLIP_NO_MEMORY;
    slip_status status =
        slip_compliant_choose_constants(ode->equations, law, time_scale, ode, constants, error);
    if (status == SLIP_OK && time_scale.step == settings->step && time_scale.tau == 0.0)
        slip_compliant_warn_scatter(ode, settings->step, constants);
    if (status == SLIP_OK) status = slip_law_prepare(ode, time_scale.stick, error);
    if (status != SLIP_OK) return status;
    ode->tau = time_scale.tau;
    ode->size = time_scale.size;
    ode->creep = time_scale.creep;
    if (!add_elements(ode, constants, law, &time_scale, is_smooth)) return SLIP_NO_MEMORY;
    status = slip_law_balance_at_rest(ode, error);
    if (status == SLIP_OK) status = slip_ode_add_baumgarte(ode, settings->formulation, settings->step, error);
    return status == SLIP_OK ? slip_ode_compile(ode, error) : status;
}

// The model as an ODE.
static slip_status make_ode(const slip_model *model, const slip_sim_def *settings, slip_normal_law law,
                            bool is_smooth, slip_error *error, slip_ode **out)
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
    status = slip_ode_create(model, equations, compliant_state_count(equations, law, &time_scale, is_smooth),
                             equations->element_count, error, &ode);
    if (status != SLIP_OK) return status;
    status = build_compliant_ode(ode, settings, law, time_scale, is_smooth, error);
    if (status != SLIP_OK) {
        slip_ode_destroy(ode);
        return status == SLIP_NO_MEMORY ? slip_fail(error, status, "compliant contacts", "out of memory")
                                        : status;
    }
    *out = ode;
    return SLIP_OK;
}

slip_status slip_compliant_method(const slip_model *model, const slip_sim_def *settings, slip_normal_law law,
                                  bool is_smooth, slip_error *error, slip_method **method)
{
    *method = NULL;
    slip_ode *ode = NULL;
    slip_status status = make_ode(model, settings, law, is_smooth, error, &ode);
    return status == SLIP_OK ? slip_ode_method_create(ode, settings, error, method) : status;
}

// -------------------------------------------------------------------------------------------- in numbers

slip_normal_force slip_compliant_normal(const slip_compliant_constants *c, double d, double d_rate)
{
    if (c->law == SLIP_KELVIN_VOIGT) return (slip_normal_force){ c->K * d + c->C * d_rate, c->K, c->C };
    double elastic = c->K * slip_pow(d, c->beta), factor = 1.0 + 1.5 * c->alpha * d_rate;
    return (slip_normal_force){ elastic * factor, c->beta * elastic / d * factor, 1.5 * c->alpha * elastic };
}

slip_compliant_constants slip_compliant_with_mass(const slip_compliant_constants *c, double mass)
{
    slip_compliant_constants here = *c;
    if (c->zeta > 0.0 && mass > 0.0) here.C = 2.0 * c->zeta * sqrt(c->K * mass);
    return here;
}

double slip_compliant_static_depth(const slip_compliant_constants *c, double N)
{
    return c->law == SLIP_KELVIN_VOIGT ? N / c->K : slip_pow(N / c->K, 1.0 / c->beta);
}
