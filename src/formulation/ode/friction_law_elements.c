/// formulation/ode/friction_law_elements.c: friction by a law of the library, as an element of an ODE.
#include "formulation/ode/friction_law_elements.h"

#include <math.h>
#include <stdio.h>

#include "symbolic/graph/expression_builders.h"
#include "dynamics/effective_mass.h"

// Found by the spectral radius of one step of rk4-generalised in stick, 0.59 there: whatever was excited is
// gone after ten steps, and a mode twice as stiff (0.44) or damped twice as much (0.77) still dies.
static const double STIFFNESS_PER_STEP = 0.5, DAMPING_PER_STEP = 0.7;

void slip_law_choose_stiffness(double mass, double step, double *K, double *B)
{
    *K = STIFFNESS_PER_STEP * mass / (step * step);
    *B = DAMPING_PER_STEP * mass / step;
}

int slip_law_element_states(const slip_law *law, const slip_element *element)
{
    return law->states * element->slip_count;
}

void slip_law_stage_input(slip_ode *ode)
{
    if (ode->stage < 0) ode->stage = slip_graph_input(ode->graph, "tau");
}

// "joint.e", "joint.e.x", "joint.e3"; "floor.z" at a contact that has been given a law, where e may be
// another's
static slip_ref state_input(slip_ode *ode, const slip_element *element, const slip_law *law, int at,
                            int state, int component)
{
    static const char *const suffix[] = { ".x", ".y" };
    char name[16] = "e";
    if (element->has_gap && element->contact->law) name[0] = 'z';
    int length = 1;
    if (law->states > 1) length += snprintf(name + 1, sizeof name - 1, "%d", state + 1);
    if (element->slip_count == 2)
        snprintf(name + length, sizeof name - (size_t)length, "%s", suffix[component]);
    return slip_element_state(ode, at, element->name, name);
}

/// What the normal force has to do with a law at a contact.
///
/// Laws that are functions of the slip velocity and laws that saturate take F = mu N as it is. Bristles wear
/// off at |v| K/F, which an opening contact would drive beyond all bounds: they are stiff per N of normal
/// force, so that sliding wears them off alike under any load, and N scales what they give. In the air
/// nothing is given, and bristles straighten within some steps.
typedef struct load {
    slip_ref closed, normal, relax; // SLIP_NONE without a gap; normal: only for bristles
    bool saturates;                 // gives nothing by itself where F is 0
} load;

static load load_on(slip_ode *ode, const slip_element *element, const slip_law *law,
                    const slip_ode_element *view)
{
    load at = { SLIP_NONE, SLIP_NONE, SLIP_NONE, law->states > 0 };
    if (!element->has_gap) return at;
    at.closed = view->closed;
    if (!law->scales_with_load) return at;
    at.normal = view->normal;
    at.relax = slip_graph_constant(ode->graph, ode->law_relax);
    return at;
}

static slip_ref force_under(slip_ode *ode, const load *at, slip_ref force)
{
    slip_graph *g = ode->graph;
    if (at->normal >= 0) return slip_op2(g, SLIP_OP_MUL, at->normal, force);
    if (at->closed < 0 || at->saturates) return force;
    return slip_graph_op(g, SLIP_OP_IF, at->closed, force, slip_graph_constant(g, 0.0));
}

static slip_ref rate_under(slip_ode *ode, const load *at, slip_ref state, slip_ref rate)
{
    slip_graph *g = ode->graph;
    if (at->normal < 0) return rate;
    slip_ref straighten = slip_op2(g, SLIP_OP_DIV, slip_op1(g, SLIP_OP_NEG, state), at->relax);
    return slip_graph_op(g, SLIP_OP_IF, at->closed, rate, straighten);
}

int slip_law_element(slip_ode *ode, const slip_element *element, const slip_law *law, const double *parameter,
                     int at, slip_ode_element *view)
{
    slip_graph *g = ode->graph;
    int count = element->slip_count;
    load at_contact = load_on(ode, element, law, view);
    slip_law_terms in = { .graph = g,
                          .count = count,
                          .limit = at_contact.normal >= 0 ? element->friction : view->limit,
                          .stage = ode->stage,
                          .velocity = { SLIP_NONE, SLIP_NONE } };
    slip_law_result out = slip_law_result_empty();
    for (int k = 0; k < law->option_count; k++)
        in.parameter[k] = slip_element_constant(ode, element->name, law->options[k].name, parameter[k]);
    for (int k = 0; k < count; k++) in.velocity[k] = element->tangent[k].rate;
    if (law->balances_at_rest) { // what pushes is known when all elements are there
        ode->resting[ode->resting_count++] = (int)(element - ode->equations->elements);
        return at;
    }
    for (int s = 0; s < law->states; s++)
        for (int k = 0; k < count; k++)
            in.state[s][k] = state_input(ode, element, law, at + s * count + k, s, k);
    law->write(&in, &out);
    for (int k = 0; k < out.hold_count; k++)
        slip_element_regime_branch(ode, out.hold[k].node, out.hold[k].operand);
    for (int s = 0; s < law->states; s++)
        for (int k = 0; k < count; k++)
            ode->rate[at + s * count + k] = rate_under(ode, &at_contact, in.state[s][k], out.rate[s][k]);
    view->slip_count = count;
    view->decay = out.decay;
    if (out.decay >= 0 && at_contact.closed >= 0)
        view->decay = slip_graph_op(g, SLIP_OP_IF, at_contact.closed, out.decay, slip_graph_constant(g, 0.0));
    ode->has_decay = ode->has_decay || out.decay >= 0;
    for (int k = 0; k < count; k++) {
        slip_ref force = force_under(ode, &at_contact, out.force[k]);
        view->slip[k] = in.velocity[k];
        view->force[k] = slip_op1(g, SLIP_OP_NEG, force);
        slip_element_push(ode, &element->tangent[k], force, true);
        slip_element_add_power(ode, SLIP_LEDGER_FRICTION, force, &element->tangent[k], false);
    }
    view->stick = out.stick < 0 ? slip_graph_constant(g, 0.0) : out.stick;
    if (view->closed >= 0) view->stick = slip_op2(g, SLIP_OP_AND, view->closed, view->stick);
    return at + law->states * count;
}

// ---------------------------------------------------------------------------------- parameters left open

static void choose_open_parameters(slip_element *element, double mass, double step)
{
    double K, B;
    slip_law_choose_stiffness(isfinite(mass) ? mass : 1.0, step, &K, &B);
    if (element->contact->law->choose) element->contact->law->choose(K, B, element->law_parameter);
}

slip_status slip_law_prepare(slip_ode *ode, double step, slip_error *error)
{
    slip_equations *e = ode->equations;
    bool any = false;
    for (int k = 0; k < e->element_count; k++) any = any || e->elements[k].contact->law;
    ode->law_relax = 3.0 * step;
    if (!any) return SLIP_OK;
    ode->resting = SLIP_POOL_NEW(ode->pool, int, e->element_count);
    if (!ode->resting) return SLIP_NO_MEMORY;
    slip_mass_probe *probe = NULL;
    slip_status status = slip_mass_probe_create(e, error, &probe);
    if (status != SLIP_OK) return status;
    for (int k = 0; k < e->element_count; k++)
        for (int i = 0; i < e->elements[k].slip_count; i++)
            slip_shared_mass_add_row(probe, &e->elements[k].tangent[i]);
    for (int k = 0; k < e->element_count; k++) {
        slip_element *element = &e->elements[k];
        if (!element->contact->law) continue;
        double mass = INFINITY;
        for (int i = 0; i < element->slip_count; i++)
            mass = fmin(mass, slip_shared_mass(probe, &element->tangent[i]));
        choose_open_parameters(element, mass, step);
    }
    slip_mass_probe_destroy(probe);
    slip_law_stage_input(ode);
    return ode->stage < 0 ? SLIP_NO_MEMORY : SLIP_OK;
}
