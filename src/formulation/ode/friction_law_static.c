/// formulation/ode/friction_law_static.c: frictions that balance what pushes (slip_law.balances_at_rest;
/// Kikuuwe 2008, reference 1).
///
/// Below a speed a friction takes what keeps its slip from accelerating, up to s F. What that is depends on
/// all that pushes, through the mass matrix, and on the other frictions of this kind, at rest or not: with r
/// the forces of everything else, A_ij = w_i M^-1 w_j' and b_i = w_i M^-1 r + z_i,
///     sum_j A_ij f_j = b_i   for those at rest,     f_i = F_i sgn(v_i)   for the others.
#include <stdio.h>

#include "symbolic/graph/expression_builders.h"
#include "formulation/ode/friction_law_elements.h"
#include "dynamics/mass_formula.h"
#include "formulation/ode/ode_tolerances.h"

enum { MAX_BALANCED_FRICTIONS = 6 }; // the solution is written out

typedef struct resting {
    slip_ode *ode;
    slip_mass_formula *mass;
    int count;
    slip_ref at_rest[MAX_BALANCED_FRICTIONS], sliding[MAX_BALANCED_FRICTIONS], most[MAX_BALANCED_FRICTIONS];
    slip_ref B[MAX_BALANCED_FRICTIONS][MAX_BALANCED_FRICTIONS],
        f[MAX_BALANCED_FRICTIONS]; // matrix and right side, then the solution
} resting;

static const slip_element *resting_element(const resting *s, int i)
{
    return &s->ode->equations->elements[s->ode->resting[i]];
}

static slip_ref minus_product(slip_graph *g, slip_ref a, slip_ref b, slip_ref c)
{
    return slip_op2(g, SLIP_OP_SUB, a, slip_op2(g, SLIP_OP_MUL, b, c));
}

// speed, limits and truth value of rest of one friction
static void begin_friction(resting *s, int i)
{
    slip_graph *g = s->ode->graph;
    const slip_element *element = resting_element(s, i);
    slip_ode_element *view = &s->ode->elements[s->ode->resting[i]];
    const slip_law *law = element->contact->law;
    slip_law_terms in = { .graph = g, .count = 1, .limit = view->limit, .stage = s->ode->stage };
    slip_law_result out = slip_law_result_empty();
    in.velocity[0] = element->tangent[0].rate;
    for (int k = 0; k < law->option_count; k++)
        in.parameter[k] = slip_graph_constant(g, element->law_parameter[k]);
    law->write(&in, &out);
    s->at_rest[i] = out.stick;
    if (view->closed >= 0) s->at_rest[i] = slip_op2(g, SLIP_OP_AND, view->closed, s->at_rest[i]);
    s->sliding[i] = out.sliding;
    s->most[i] = out.max_at_rest;
}

// row i of the system
static bool balance_row(resting *s, int i, slip_ref *forces)
{
    slip_graph *g = s->ode->graph;
    slip_equations *e = s->ode->equations;
    const slip_row *row = &resting_element(s, i)->tangent[0];
    slip_ref z = slip_equations_drift_rate(e, row), zero = slip_graph_constant(g, 0.0),
             one = slip_graph_constant(g, 1.0);
    slip_ref pushed = slip_mass_formula_response(s->mass, row, s->ode->rate + e->n);
    s->f[i] = slip_graph_op(g, SLIP_OP_IF, s->at_rest[i], slip_op2(g, SLIP_OP_ADD, pushed, z), s->sliding[i]);
    for (int j = 0; j < s->count; j++) {
        const slip_row *other = &resting_element(s, j)->tangent[0];
        for (int k = 0; k < e->n; k++) forces[k] = zero;
        for (int k = 0; k < other->count; k++) forces[other->column[k]] = other->value[k];
        slip_ref A = slip_mass_formula_response(s->mass, row, forces);
        // two frictions on one slip share what they hold
        if (i == j) A = slip_op2(g, SLIP_OP_MUL, A, slip_graph_constant(g, 1.0 + SHARED_FRICTION_SHIFT));
        s->B[i][j] = slip_graph_op(g, SLIP_OP_IF, s->at_rest[i], A, i == j ? one : zero);
    }
    return z >= 0 && pushed >= 0;
}

// Gauss' elimination; every leading part is that of a mass matrix, and 1 where a friction slides
static void eliminate_unrolled(resting *s)
{
    slip_graph *g = s->ode->graph;
    int n = s->count;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            slip_ref factor = slip_op2(g, SLIP_OP_DIV, s->B[i][k], s->B[k][k]);
            for (int j = k + 1; j < n; j++) s->B[i][j] = minus_product(g, s->B[i][j], factor, s->B[k][j]);
            s->f[i] = minus_product(g, s->f[i], factor, s->f[k]);
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) s->f[i] = minus_product(g, s->f[i], s->B[i][j], s->f[j]);
        s->f[i] = slip_op2(g, SLIP_OP_DIV, s->f[i], s->B[i][i]);
    }
}

static void finish_friction(resting *s, int i)
{
    slip_ode *ode = s->ode;
    slip_graph *g = ode->graph;
    const slip_row *row = &resting_element(s, i)->tangent[0];
    slip_ode_element *view = &ode->elements[ode->resting[i]];
    slip_ref held = slip_op2(g, SLIP_OP_SAT, s->most[i], s->f[i]);
    slip_ref force = slip_graph_op(g, SLIP_OP_IF, s->at_rest[i], held, s->sliding[i]);
    slip_ref holds = slip_op2(g, SLIP_OP_LE, slip_op1(g, SLIP_OP_ABS, s->f[i]), s->most[i]);
    view->slip_count = 1;
    view->slip[0] = row->rate;
    view->force[0] = slip_op1(g, SLIP_OP_NEG, force);
    view->stick = slip_op2(g, SLIP_OP_AND, s->at_rest[i], holds);
    slip_element_push(ode, row, force, true);
    slip_element_add_power(ode, SLIP_LEDGER_FRICTION, force, row, false);
}

slip_status slip_law_balance_at_rest(slip_ode *ode, slip_error *error)
{
    slip_equations *e = ode->equations;
    resting s = { .ode = ode, .count = ode->resting_count };
    if (s.count == 0) return SLIP_OK;
    bool too_large = s.count > MAX_BALANCED_FRICTIONS;
    if (!too_large) s.mass = slip_mass_formula_create(e, &too_large);
    char law[64];
    snprintf(law, sizeof law, "law %s", resting_element(&s, 0)->contact->law->info.name);
    if (too_large)
        return slip_fail(error, SLIP_UNSUPPORTED, law,
                         "its forces are written out, for at most %d such frictions and %d coupled "
                         "coordinates; take kikuuwe, "
                         "which holds without knowing what pushes",
                         MAX_BALANCED_FRICTIONS, SLIP_MASS_FORMULA_MAX);
    slip_ref *forces = SLIP_POOL_NEW(ode->pool, slip_ref, e->n);
    if (!s.mass || !forces) return SLIP_NO_MEMORY;
    for (int i = 0; i < s.count; i++) begin_friction(&s, i);
    for (int i = 0; i < s.count; i++)
        if (!balance_row(&s, i, forces)) return SLIP_NO_MEMORY;
    eliminate_unrolled(&s);
    for (int i = 0; i < s.count; i++) finish_friction(&s, i);
    return slip_graph_failed(ode->graph) ? SLIP_NO_MEMORY : SLIP_OK;
}
