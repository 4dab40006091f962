/// formulation/ode/ode_elements.c: contacts and frictions as expressions in an ODE: what every such formulation does.
#include "formulation/ode/ode_elements.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "dynamics/effective_mass.h"
#include "formulation/ode/contact_response.h"
#include "dynamics/mass_formula.h"

slip_ref slip_element_state(slip_ode *ode, int at, const char *element, const char *suffix)
{
    char name[256];
    snprintf(name, sizeof name, "%s.%s", element, suffix);
    ode->state_name[at] = slip_pool_text(ode->pool, name, strlen(name));
    ode->state[at] = ode->state_name[at] ? slip_graph_input(ode->graph, name) : SLIP_NONE;
    ode->start[at] = slip_element_start_of(ode->model, name);
    return ode->state[at];
}

slip_ref slip_element_constant(slip_ode *ode, const char *element, const char *name, double value)
{
    char full[256];
    snprintf(full, sizeof full, "%s_%s", name, element);
    assert(ode->constant_count < ode->constant_room);
    ode->constants[ode->constant_count++] = (slip_constant){ element, name, value };
    return slip_graph_parameter(ode->graph, full, value);
}

slip_status slip_element_mass(slip_ode *ode, const slip_element *element, slip_ref *mass)
{
    const slip_status status = slip_effective_mass_formula(ode->equations, &element->normal, mass);
    if (ode->equations->masses_fixed && !ode->says_fixed)
        slip_ode_warn(
            ode, SLIP_WARNING_FIXED_MASS, "",
            "more than %d coordinates are coupled through the mass matrix: stiffness and damping of "
            "contacts are those of the start, and do not follow the mass along the motion",
            SLIP_MASS_FORMULA_MAX);
    return status;
}

slip_ref slip_element_damping(slip_ode *ode, const slip_element *element, const char *name, slip_ref K,
                              double zeta, double C)
{
    slip_graph *g = ode->graph;
    slip_ref mass = SLIP_NONE;
    if (zeta > 0.0 && slip_element_mass(ode, element, &mass) != SLIP_OK)
        return SLIP_NONE; // and so is everything that is made of it: out of memory
    if (mass < 0) return slip_element_constant(ode, element->name, name, C);
    slip_ref ratio = slip_element_constant(ode, element->name, "zeta", zeta);
    slip_ref critical = slip_op1(g, SLIP_OP_SQRT, slip_op2(g, SLIP_OP_MUL, K, mass));
    return slip_op2(g, SLIP_OP_MUL, slip_op2(g, SLIP_OP_MUL, slip_graph_constant(g, 2.0), ratio), critical);
}

// a coordinate of `a` and one of `b` are in the same block of the mass matrix
static bool rows_are_coupled(const slip_equations *e, const slip_row *a, const slip_row *b)
{
    for (int k = 0; k < e->block_count; k++) {
        bool of_a = false, of_b = false;
        for (int i = 0; i < e->blocks[k].count; i++) {
            const int coordinate = e->blocks[k].coordinate[i];
            for (int c = 0; c < a->count; c++) of_a = of_a || a->column[c] == coordinate;
            for (int c = 0; c < b->count; c++) of_b = of_b || b->column[c] == coordinate;
        }
        if (of_a && of_b) return true;
    }
    return false;
}

bool slip_element_shares_impacts(const slip_equations *e, int k)
{
    const slip_element *element = &e->elements[k];
    if (e->n > SLIP_CONTACT_RESPONSE_MAX || !element->has_gap) return false;
    for (int i = 0; i < element->slip_count && element->friction >= 0; i++)
        if (rows_are_coupled(e, &element->normal, &element->tangent[i])) return true;
    for (int j = 0; j < e->element_count; j++) {
        const slip_element *other = &e->elements[j];
        if (j == k || !other->has_gap) continue;
        if (e->constraint_count || rows_are_coupled(e, &element->normal, &other->normal)) return true;
        for (int i = 0; i < other->slip_count; i++)
            if (rows_are_coupled(e, &element->normal, &other->tangent[i])) return true;
    }
    return false;
}

void slip_element_impact_states(slip_ode *ode, const slip_element *element, int at,
                                slip_impact_following answer, slip_ode_element *view, slip_ref *stiffer,
                                slip_ref *damping)
{
    slip_graph *g = ode->graph;
    slip_ref ratio = slip_element_state(ode, at, element->name, "stiffer");
    *stiffer = slip_op2(g, SLIP_OP_ADD, slip_graph_constant(g, 1.0), ratio);
    *damping = slip_element_state(ode, at + 1, element->name, "damped");
    slip_element_state(ode, at + 2, element->name, "until");
    for (int k = 0; k < SLIP_IMPACT_STATES; k++) ode->rate[at + k] = slip_graph_constant(g, 0.0);
    view->impact = answer;
    view->impact.slower = -1;
    view->impact.stiffness = at;
    view->impact.damping = at + 1;
    view->impact.until = at + 2;
}

slip_ref slip_element_limit(slip_ode *ode, const slip_element *element, slip_ode_element *view)
{
    const slip_load *load = &element->contact->load;
    if (!element->has_gap && load->kind == SLIP_LOAD_NONE) return element->friction;
    slip_ref normal = element->has_gap ? view->normal : ode->elements[load->of].normal;
    if (!element->has_gap) view->load = normal;
    return slip_op2(ode->graph, SLIP_OP_MUL, element->friction, normal);
}

slip_ref slip_element_regime_branch(slip_ode *ode, slip_ref node, int operand)
{
    assert(ode->regime_count < ode->regime_room);
    if (node >= 0) ode->regime[ode->regime_count++] = (struct slip_regime_branch){ node, operand };
    return node;
}

void slip_element_push(slip_ode *ode, const slip_row *row, slip_ref force, bool minus)
{
    for (int k = 0; k < row->count; k++) {
        slip_ref *r = &ode->rate[ode->n + row->column[k]];
        slip_ref term = slip_op2(ode->graph, SLIP_OP_MUL, row->value[k], force);
        *r = slip_op2(ode->graph, minus ? SLIP_OP_SUB : SLIP_OP_ADD, *r, term);
    }
}

void slip_element_add_power(slip_ode *ode, int ledger, slip_ref force, const slip_row *row, bool minus)
{
    slip_graph *g = ode->graph;
    slip_ref *taken = &ode->power[ledger], *work = &ode->power[SLIP_LEDGER_WORK];
    *taken =
        slip_op2(g, minus ? SLIP_OP_SUB : SLIP_OP_ADD, *taken, slip_op2(g, SLIP_OP_MUL, force, row->rate));
    if (row->drift >= 0)
        *work = slip_op2(g, minus ? SLIP_OP_SUB : SLIP_OP_ADD, *work,
                         slip_op2(g, SLIP_OP_MUL, force, row->drift));
}

void slip_element_set_strain(slip_ode *ode, slip_ref gap, double depth, double lasts, slip_ode_element *view)
{
    const double impacts = 4.0; // a load that lasts longer than so many of them rests
    slip_graph *g = ode->graph;
    slip_ref inside = slip_op2(g, SLIP_OP_MAX, slip_graph_constant(g, 0.0), slip_op1(g, SLIP_OP_NEG, gap));
    if (!(depth > 0.0 && lasts > 0.0)) return;
    view->strain = slip_op2(g, SLIP_OP_DIV, inside, slip_graph_constant(g, depth));
    ode->patience = fmax(ode->patience, impacts * lasts);
}

bool slip_element_check_impacts(slip_ode *ode, int k, double restitution, double release, double lasts,
                                double depth)
{
    if (!ode->bounces)
        ode->bounces =
            SLIP_POOL_NEW(ode->pool, struct slip_ode_checked_contact, ode->equations->element_count);
    if (!ode->bounces) return false;
    ode->bounces[ode->bounce_count++] = (struct slip_ode_checked_contact){
        k, ode->equations->elements[k].normal.rate, restitution, release, lasts, depth
    };
    return true;
}

void slip_element_init_ledger(slip_ode *ode)
{
    ode->power[SLIP_LEDGER_WORK] = ode->equations->power;
    ode->power[SLIP_LEDGER_FRICTION] = ode->power[SLIP_LEDGER_CONTACT] = slip_graph_constant(ode->graph, 0.0);
}
