/// dynamics/lagrange.c: mass matrix and forces by Lagrange's equations, from energies or masses.
#include <limits.h>
#include <stdlib.h>

#include "symbolic/graph/expression_builders.h"
#include "dynamics/derivation.h"
#include "dynamics/inertia.h"
#include "solver/linalg/union_find.h"

static slip_ref sum_ref(slip_equations *e, slip_ref a, slip_ref b)
{
    return slip_graph_op(e->graph, SLIP_OP_ADD, a, b, SLIP_NONE);
}

static slip_ref difference_ref(slip_equations *e, slip_ref a, slip_ref b)
{
    return slip_graph_op(e->graph, SLIP_OP_SUB, a, b, SLIP_NONE);
}

static slip_ref product_ref(slip_equations *e, slip_ref a, slip_ref b)
{
    return slip_graph_op(e->graph, SLIP_OP_MUL, a, b, SLIP_NONE);
}

// which coordinate an input is; -1 when it is none, or a mode, which no force moves
static int moving_coordinate(const slip_equations *e, int input)
{
    int k = input >= 1 && input <= e->n ? input - 1 : -1;
    return k >= 0 && e->model->coordinates[k].is_held ? -1 : k;
}

// h_k -= dV/dq_k; where q' is not u, the power V' = dV/dq q' tells what belongs to each rate
static slip_status subtract_potential_gradient(slip_equations *e, slip_ref V)
{
    slip_partial *partials = NULL;
    slip_ref of = e->turns ? slip_along_motion(e, V) : V;
    int count = slip_graph_gradient(e->graph, of, &partials);
    if (count < 0) return SLIP_NO_MEMORY;
    for (int k = 0; k < count; k++) {
        int i = e->turns ? slip_rate_of(e, partials[k].input) : moving_coordinate(e, partials[k].input);
        if (i >= 0) e->h[i] = difference_ref(e, e->h[i], partials[k].value);
    }
    free(partials);
    return SLIP_OK;
}

// One row of Lagrange's equations from the momentum p = dT/du_i:
//   M_ij = dp/du_j,   h_i -= sum_j dp/dq_j u_j + dp/dt
static slip_status momentum_row(slip_equations *e, int i, slip_ref p, slip_mass_list *mass)
{
    slip_partial *partials = NULL;
    int count = slip_graph_gradient(e->graph, p, &partials);
    if (count < 0) return SLIP_NO_MEMORY;
    slip_status status = SLIP_OK;
    for (int k = 0; k < count && status == SLIP_OK; k++) {
        int j = slip_rate_of(e, partials[k].input), at = moving_coordinate(e, partials[k].input);
        slip_ref value = partials[k].value;
        if (partials[k].input == 0)
            e->h[i] = difference_ref(e, e->h[i], value);
        else if (at >= 0)
            e->h[i] = difference_ref(e, e->h[i], product_ref(e, value, e->u[at]));
        else if (j >= 0 && j <= i && !slip_mass_list_add(mass, i, j, value))
            status = SLIP_NO_MEMORY;
    }
    free(partials);
    return status;
}

// T -> M and the inertial part of h, and the Jacobi kinetic energy T2 - T0 = p.u - T
static slip_status from_kinetic(slip_equations *e, slip_ref T, slip_mass_list *mass)
{
    slip_partial *partials = NULL;
    int count = slip_graph_gradient(e->graph, T, &partials);
    if (count < 0) return SLIP_NO_MEMORY;
    slip_status status = SLIP_OK;
    slip_ref jacobi = slip_zero(e);
    bool natural = slip_is_zero(e, slip_at_zero_rates(e, T));
    for (int k = 0; k < count && status == SLIP_OK; k++) {
        int i = slip_rate_of(e, partials[k].input), at = moving_coordinate(e, partials[k].input);
        slip_ref value = partials[k].value;
        if (at >= 0) e->h[at] = sum_ref(e, e->h[at], value);
        if (partials[k].input == 0) e->power = difference_ref(e, e->power, value); // -dL/dt
        if (i < 0) continue;
        status = momentum_row(e, i, value, mass);
        jacobi = sum_ref(e, jacobi, product_ref(e, value, e->u[i]));
        if (!slip_is_zero(e, slip_at_zero_rates(e, value))) natural = false;
    }
    free(partials);
    e->kinetic = natural ? T : difference_ref(e, jacobi, T);
    if (!natural) e->driven = difference_ref(e, T, e->kinetic);
    return status;
}

// h_i -= M_ij' u_j of an entry below or on the diagonal, and of the one that it stands for above
static void subtract_mass_rate(slip_equations *e, const slip_mass_entry *m)
{
    slip_ref change = slip_along_motion(e, m->value.ref);
    if (slip_is_zero(e, change)) return;
    e->h[m->row] = difference_ref(e, e->h[m->row], product_ref(e, change, e->u[m->column]));
    if (m->row != m->column)
        e->h[m->column] = difference_ref(e, e->h[m->column], product_ref(e, change, e->u[m->row]));
}

// h_k += dT/dq_k, and what a mass that changes with t does to the energy
static slip_status add_kinetic_gradient(slip_equations *e, slip_ref T)
{
    slip_partial *partials = NULL;
    int count = slip_graph_gradient(e->graph, T, &partials);
    if (count < 0) return SLIP_NO_MEMORY;
    for (int k = 0; k < count; k++) {
        int at = moving_coordinate(e, partials[k].input);
        if (at >= 0) e->h[at] = sum_ref(e, e->h[at], partials[k].value);
        if (partials[k].input == 0) e->power = difference_ref(e, e->power, partials[k].value); // -dL/dt
    }
    free(partials);
    return SLIP_OK;
}

// A mass matrix stands for T = u'Mu/2: Lagrange's equations from that, entries as they are given
static slip_status from_mass(slip_equations *e, const slip_model *model, slip_mass_list *mass)
{
    slip_ref sum = slip_zero(e), half = slip_graph_constant(e->graph, 0.5);
    for (int k = 0; k < model->mass_count; k++) {
        const slip_mass_entry *m = &model->mass[k];
        if (!slip_mass_list_add(mass, m->row, m->column, m->value.ref)) return SLIP_NO_MEMORY;
        slip_ref term = product_ref(e, m->value.ref, product_ref(e, e->u[m->row], e->u[m->column]));
        sum = sum_ref(e, sum, m->row == m->column ? product_ref(e, half, term) : term);
        subtract_mass_rate(e, m);
    }
    e->kinetic = sum;
    return add_kinetic_gradient(e, sum);
}

// M may depend on t and q only; a coordinate without mass has no equation of motion
static slip_status check_mass(slip_equations *e, const slip_mass_list *mass, const char *diagonal,
                              slip_error *error)
{
    const slip_model *model = e->model;
    for (size_t k = 0; k < mass->count && model->mass_count == 0; k++) {
        slip_partial *partials = NULL;
        int count = slip_graph_gradient(e->graph, mass->items[k].value, &partials), bad = -1;
        for (int i = 0; i < count && bad < 0; i++) bad = slip_rate_of(e, partials[i].input);
        free(partials);
        if (count < 0) return SLIP_NO_MEMORY;
        if (bad >= 0)
            return slip_fail_at(error, model->kinetic.where,
                                "the kinetic energy must be quadratic in the rates, but is not in %s'",
                                model->coordinates[bad].name);
    }
    for (int k = 0; k < e->n; k++)
        if (!diagonal[k] && !slip_is_many_body_coordinate(e, k))
            return slip_fail_at(error, model->coordinates[k].where,
                                "coordinate '%s' has no mass: it does not occur in the kinetic energy",
                                model->coordinates[k].name);
    return SLIP_OK;
}

// connected coordinates become one dense block
static slip_status make_blocks(slip_equations *e, const slip_mass_list *mass, slip_error *error)
{
    int n = e->n;
    slip_ref none = slip_zero(e);
    int *parent = SLIP_POOL_NEW(e->pool, int, n), *block_of = SLIP_POOL_NEW(e->pool, int, n);
    int *place = SLIP_POOL_NEW(e->pool, int, n);
    char *diagonal = SLIP_POOL_NEW(e->pool, char, n);
    e->blocks = SLIP_POOL_NEW(e->pool, slip_mass_block, n);
    if (!parent || !block_of || !place || !diagonal || !e->blocks) return SLIP_NO_MEMORY;
    slip_union_find_init(n, parent);
    for (size_t k = 0; k < mass->count; k++) {
        const struct slip_mass_item *m = &mass->items[k];
        if (m->value < 0) return SLIP_NO_MEMORY;
        if (slip_is_zero(e, m->value)) continue;
        if (m->row == m->column) diagonal[m->row] = 1;
        slip_union_find_join(parent, m->row, m->column);
    }
    slip_status status = check_mass(e, mass, diagonal, error);
    if (status != SLIP_OK) return status;

    for (int k = 0; k < n; k++) block_of[k] = -1;
    for (int k = 0; k < n; k++) { // blocks in order of their first coordinate
        int root = slip_union_find_root(parent, k);
        if (slip_is_many_body_coordinate(e, k)) continue;
        if (block_of[root] < 0) block_of[root] = e->block_count++;
        place[k] = e->blocks[block_of[root]].count++;
    }
    size_t all = 0; // entries of all blocks are counted in int behind this
    for (int b = 0; b < e->block_count; b++) all += (size_t)e->blocks[b].count * (size_t)e->blocks[b].count;
    if (all > INT_MAX / 2) return SLIP_NO_MEMORY;
    for (int b = 0; b < e->block_count; b++) {
        size_t m = (size_t)e->blocks[b].count;
        e->blocks[b].coordinate = SLIP_POOL_NEW(e->pool, int, m);
        e->blocks[b].entry = SLIP_POOL_NEW(e->pool, slip_ref, m * m);
        if (!e->blocks[b].coordinate || !e->blocks[b].entry) return SLIP_NO_MEMORY;
        for (size_t k = 0; k < m * m; k++) e->blocks[b].entry[k] = none;
    }
    for (int k = 0; k < n; k++)
        if (!slip_is_many_body_coordinate(e, k))
            e->blocks[block_of[slip_union_find_root(parent, k)]].coordinate[place[k]] = k;
    for (size_t k = 0; k < mass->count; k++) {
        const struct slip_mass_item *m = &mass->items[k];
        slip_mass_block *b = &e->blocks[block_of[slip_union_find_root(parent, m->row)]];
        if (block_of[slip_union_find_root(parent, m->column)] !=
            block_of[slip_union_find_root(parent, m->row)])
            continue; // a zero
        slip_ref *entry = &b->entry[place[m->row] * b->count + place[m->column]];
        *entry = slip_is_zero(e, *entry) ? m->value : slip_graph_sum(e->graph, *entry, m->value);
        b->entry[place[m->column] * b->count + place[m->row]] = *entry;
    }
    return SLIP_OK;
}

// z' = f: a unit mass that is in no energy
static slip_status add_first_order_states(slip_equations *e, slip_mass_list *mass)
{
    slip_ref one = slip_graph_constant(e->graph, 1.0);
    for (int k = e->model->mass_coordinate_count; k < e->n; k++)
        if (!slip_mass_list_add(mass, k, k, one)) return SLIP_NO_MEMORY;
    return SLIP_OK;
}

slip_status slip_derive_dynamics(slip_equations *e, slip_error *error)
{
    const slip_model *model = e->model;
    slip_mass_list mass = { 0 };
    e->power = slip_zero(e);
    for (int k = 0; k < e->n; k++) {
        slip_ref Q = model->forces ? model->forces[k].ref : SLIP_NONE;
        e->h[k] = Q >= 0 ? Q : slip_zero(e);
        bool works = Q >= 0 && !model->coordinates[k].is_state;
        if (works) e->power = sum_ref(e, e->power, product_ref(e, Q, e->u[k]));
    }
    slip_status status = SLIP_OK;
    e->potential = slip_zero(e);
    if (model->potential.ref >= 0) {
        e->potential = model->potential.ref;
        status = subtract_potential_gradient(e, e->potential);
        slip_ref direction[1] = { slip_graph_constant(e->graph, 1.0) };
        e->power = sum_ref(e, e->power, slip_graph_directional(e->graph, e->potential, direction, 1));
    }
    e->kinetic = e->driven = slip_zero(e);
    if (status == SLIP_OK && model->kinetic.ref >= 0)
        status = from_kinetic(e, model->kinetic.ref, &mass);
    else if (status == SLIP_OK && model->mass_count)
        status = from_mass(e, model, &mass);
    if (status == SLIP_OK) status = slip_add_body_inertias(e, &mass);
    if (status == SLIP_OK) status = add_first_order_states(e, &mass);
    if (status == SLIP_OK) status = make_blocks(e, &mass, error);
    free(mass.items);
    return status;
}
