/// system/equations.c: Lagrange's equations and contact rows, derived exactly in the model's graph.
#include "system/equations.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/build.h"
#include "core/status.h"
#include "formula/shelf.h"
#include "model/crowd.h"
#include "system/inertia.h"

static slip_status fail_at(slip_error *error, slip_span where, const char *text, const char *name)
{
    char place[160];
    return slip_fail(error, SLIP_BAD_MODEL, slip_span_place(where, place, sizeof place), text, name);
}

// ------------------------------------------------------------------------- small graph conveniences

static slip_ref zero(slip_equations *e)
{
    return slip_graph_constant(e->graph, 0.0);
}

static slip_ref add(slip_equations *e, slip_ref a, slip_ref b)
{
    return slip_graph_op(e->graph, SLIP_OP_ADD, a, b, SLIP_NONE);
}

static slip_ref sub(slip_equations *e, slip_ref a, slip_ref b)
{
    return slip_graph_op(e->graph, SLIP_OP_SUB, a, b, SLIP_NONE);
}

static slip_ref mul(slip_equations *e, slip_ref a, slip_ref b)
{
    return slip_graph_op(e->graph, SLIP_OP_MUL, a, b, SLIP_NONE);
}

static bool is_zero(const slip_equations *e, slip_ref a)
{
    if (a < 0) return false; // out of memory: not known to be zero
    slip_node node = slip_graph_node(e->graph, a);
    return node.op == SLIP_OP_CONSTANT && node.value == 0.0;
}

// which coordinate an input is the position or the rate of; -1 when neither
static int coordinate_of(const slip_equations *e, int input)
{
    return input >= 1 && input <= e->n ? input - 1 : -1;
}
static int rate_of(const slip_equations *e, int input)
{
    return input > e->n && input <= 2 * e->n ? input - e->n - 1 : -1;
}

// moved by numbers, not by these equations (crowd.h)
static bool in_crowd(const slip_equations *e, int k)
{
    return slip_model_is_number(e->model, k);
}

// the same without modes, which no force moves
static int moving_coordinate(const slip_equations *e, int input)
{
    int k = coordinate_of(e, input);
    return k >= 0 && e->model->coordinates[k].is_held ? -1 : k;
}

// q -> q', t -> 1 (Flores 2010: the terms behind h and the rates of W)
slip_ref slip_along_motion(slip_equations *e, slip_ref f)
{
    return slip_graph_along_known(e->graph, f, e->along_motion, 1 + 2 * e->n, e->model->known,
                                  e->model->known_count);
}

static slip_ref at_rest_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    const slip_equations *e = context;
    slip_node node = slip_graph_node(graph, original);
    if (node.op == SLIP_OP_INPUT && rate_of(e, node.index) >= 0) return slip_graph_constant(graph, 0.0);
    return rewritten;
}

slip_ref slip_at_rest(slip_equations *e, slip_ref f)
{
    return slip_graph_rewrite(e->graph, f, at_rest_rule, e);
}

// --------------------------------------------------------------------------------- mass and forces

// h_k -= dV/dq_k; where q' is not u, the power V' = dV/dq q' tells what belongs to each rate
static slip_status take_gradient(slip_equations *e, slip_ref V)
{
    slip_partial *partials = NULL;
    slip_ref of = e->turns ? slip_along_motion(e, V) : V;
    int count = slip_graph_gradient(e->graph, of, &partials);
    if (count < 0) return SLIP_NO_MEMORY;
    for (int k = 0; k < count; k++) {
        int i = e->turns ? rate_of(e, partials[k].input) : moving_coordinate(e, partials[k].input);
        if (i >= 0) e->h[i] = sub(e, e->h[i], partials[k].value);
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
        int j = rate_of(e, partials[k].input), at = moving_coordinate(e, partials[k].input);
        slip_ref value = partials[k].value;
        if (partials[k].input == 0)
            e->h[i] = sub(e, e->h[i], value);
        else if (at >= 0)
            e->h[i] = sub(e, e->h[i], mul(e, value, e->u[at]));
        else if (j >= 0 && j <= i && !slip_mass_add(mass, i, j, value))
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
    slip_ref jacobi = zero(e);
    bool natural = is_zero(e, slip_at_rest(e, T));
    for (int k = 0; k < count && status == SLIP_OK; k++) {
        int i = rate_of(e, partials[k].input), at = moving_coordinate(e, partials[k].input);
        slip_ref value = partials[k].value;
        if (at >= 0) e->h[at] = add(e, e->h[at], value);
        if (partials[k].input == 0) e->power = sub(e, e->power, value); // -dL/dt
        if (i < 0) continue;
        status = momentum_row(e, i, value, mass);
        jacobi = add(e, jacobi, mul(e, value, e->u[i]));
        if (!is_zero(e, slip_at_rest(e, value))) natural = false;
    }
    free(partials);
    e->kinetic = natural ? T : sub(e, jacobi, T);
    if (!natural) e->driven = sub(e, T, e->kinetic);
    return status;
}

// h_i -= M_ij' u_j of an entry below or on the diagonal, and of the one that it stands for above
static void change_of_mass(slip_equations *e, const slip_mass_entry *m)
{
    slip_ref change = slip_along_motion(e, m->value.ref);
    if (is_zero(e, change)) return;
    e->h[m->row] = sub(e, e->h[m->row], mul(e, change, e->u[m->column]));
    if (m->row != m->column) e->h[m->column] = sub(e, e->h[m->column], mul(e, change, e->u[m->row]));
}

// h_k += dT/dq_k, and what a mass that changes with t does to the energy
static slip_status gradient_of_mass(slip_equations *e, slip_ref T)
{
    slip_partial *partials = NULL;
    int count = slip_graph_gradient(e->graph, T, &partials);
    if (count < 0) return SLIP_NO_MEMORY;
    for (int k = 0; k < count; k++) {
        int at = moving_coordinate(e, partials[k].input);
        if (at >= 0) e->h[at] = add(e, e->h[at], partials[k].value);
        if (partials[k].input == 0) e->power = sub(e, e->power, partials[k].value); // -dL/dt
    }
    free(partials);
    return SLIP_OK;
}

// A mass matrix stands for T = u'Mu/2: Lagrange's equations from that, entries as they are given
static slip_status from_mass(slip_equations *e, const slip_model *model, slip_mass_list *mass)
{
    slip_ref sum = zero(e), half = slip_graph_constant(e->graph, 0.5);
    for (int k = 0; k < model->mass_count; k++) {
        const slip_mass_entry *m = &model->mass[k];
        if (!slip_mass_add(mass, m->row, m->column, m->value.ref)) return SLIP_NO_MEMORY;
        slip_ref term = mul(e, m->value.ref, mul(e, e->u[m->row], e->u[m->column]));
        sum = add(e, sum, m->row == m->column ? mul(e, half, term) : term);
        change_of_mass(e, m);
    }
    e->kinetic = sum;
    return gradient_of_mass(e, sum);
}

static int find_root(int *parent, int k)
{
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
}

// M may depend on t and q only; a coordinate without mass has no equation of motion
static slip_status check_mass(slip_equations *e, const slip_mass_list *mass, const char *diagonal,
                              slip_error *error)
{
    const slip_model *model = e->model;
    for (size_t k = 0; k < mass->count && model->mass_count == 0; k++) {
        slip_partial *partials = NULL;
        int count = slip_graph_gradient(e->graph, mass->items[k].value, &partials), bad = -1;
        for (int i = 0; i < count && bad < 0; i++) bad = rate_of(e, partials[i].input);
        free(partials);
        if (count < 0) return SLIP_NO_MEMORY;
        if (bad >= 0)
            return fail_at(error, model->kinetic.where,
                           "the kinetic energy must be quadratic in the rates, but is not in %s'",
                           model->coordinates[bad].name);
    }
    for (int k = 0; k < e->n; k++)
        if (!diagonal[k] && !in_crowd(e, k))
            return fail_at(error, model->coordinates[k].where,
                           "coordinate '%s' has no mass: it does not occur in the kinetic energy",
                           model->coordinates[k].name);
    return SLIP_OK;
}

// connected coordinates become one dense block
static slip_status make_blocks(slip_equations *e, const slip_mass_list *mass, slip_error *error)
{
    int n = e->n;
    slip_ref none = zero(e);
    int *parent = SLIP_POOL_NEW(e->pool, int, n), *block_of = SLIP_POOL_NEW(e->pool, int, n);
    int *place = SLIP_POOL_NEW(e->pool, int, n);
    char *diagonal = SLIP_POOL_NEW(e->pool, char, n);
    e->blocks = SLIP_POOL_NEW(e->pool, slip_mass_block, n);
    if (!parent || !block_of || !place || !diagonal || !e->blocks) return SLIP_NO_MEMORY;
    for (int k = 0; k < n; k++) parent[k] = k;
    for (size_t k = 0; k < mass->count; k++) {
        const struct slip_mass_item *m = &mass->items[k];
        if (m->value < 0) return SLIP_NO_MEMORY;
        if (is_zero(e, m->value)) continue;
        if (m->row == m->column) diagonal[m->row] = 1;
        parent[find_root(parent, m->row)] = find_root(parent, m->column);
    }
    slip_status status = check_mass(e, mass, diagonal, error);
    if (status != SLIP_OK) return status;

    for (int k = 0; k < n; k++) block_of[k] = -1;
    for (int k = 0; k < n; k++) { // blocks in order of their first coordinate
        int root = find_root(parent, k);
        if (in_crowd(e, k)) continue;
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
        if (!in_crowd(e, k)) e->blocks[block_of[find_root(parent, k)]].coordinate[place[k]] = k;
    for (size_t k = 0; k < mass->count; k++) {
        const struct slip_mass_item *m = &mass->items[k];
        slip_mass_block *b = &e->blocks[block_of[find_root(parent, m->row)]];
        if (block_of[find_root(parent, m->column)] != block_of[find_root(parent, m->row)]) continue; // a zero
        slip_ref *entry = &b->entry[place[m->row] * b->count + place[m->column]];
        *entry = is_zero(e, *entry) ? m->value : slip_graph_sum(e->graph, *entry, m->value);
        b->entry[place[m->column] * b->count + place[m->row]] = *entry;
    }
    return SLIP_OK;
}

// z' = f: a unit mass that is in no energy
static slip_status add_states(slip_equations *e, slip_mass_list *mass)
{
    slip_ref one = slip_graph_constant(e->graph, 1.0);
    for (int k = e->model->mass_coordinate_count; k < e->n; k++)
        if (!slip_mass_add(mass, k, k, one)) return SLIP_NO_MEMORY;
    return SLIP_OK;
}

static slip_status derive_dynamics(slip_equations *e, slip_error *error)
{
    const slip_model *model = e->model;
    slip_mass_list mass = { 0 };
    e->power = zero(e);
    for (int k = 0; k < e->n; k++) {
        slip_ref Q = model->forces ? model->forces[k].ref : SLIP_NONE;
        e->h[k] = Q >= 0 ? Q : zero(e);
        bool works = Q >= 0 && !model->coordinates[k].is_state;
        if (works) e->power = add(e, e->power, mul(e, Q, e->u[k]));
    }
    slip_status status = SLIP_OK;
    e->potential = zero(e);
    if (model->potential.ref >= 0) {
        e->potential = model->potential.ref;
        status = take_gradient(e, e->potential);
        slip_ref direction[1] = { slip_graph_constant(e->graph, 1.0) };
        e->power = add(e, e->power, slip_graph_along(e->graph, e->potential, direction, 1));
    }
    e->kinetic = e->driven = zero(e);
    if (status == SLIP_OK && model->kinetic.ref >= 0)
        status = from_kinetic(e, model->kinetic.ref, &mass);
    else if (status == SLIP_OK && model->mass_count)
        status = from_mass(e, model, &mass);
    if (status == SLIP_OK) status = slip_add_inertias(e, &mass);
    if (status == SLIP_OK) status = add_states(e, &mass);
    if (status == SLIP_OK) status = make_blocks(e, &mass, error);
    free(mass.items);
    return status;
}

// ------------------------------------------------------------------------------------------- rows

// row of a form that is linear in u, from its expression
static slip_status row_from_rate(slip_equations *e, slip_ref rate, slip_row *row)
{
    slip_partial *partials = NULL;
    int count = rate < 0 ? -1 : slip_graph_gradient(e->graph, rate, &partials);
    if (count < 0) return SLIP_NO_MEMORY;
    row->rate = rate;
    row->column = SLIP_POOL_NEW(e->pool, int, count);
    row->value = SLIP_POOL_NEW(e->pool, slip_ref, count);
    slip_status status = row->column && row->value ? SLIP_OK : SLIP_NO_MEMORY;
    for (int k = 0; k < count && status == SLIP_OK; k++) {
        int i = rate_of(e, partials[k].input);
        if (i < 0) continue;
        row->column[row->count] = i;
        row->value[row->count++] = partials[k].value;
    }
    free(partials);
    row->drift = slip_at_rest(e, rate);
    if (row->drift < 0) return SLIP_NO_MEMORY;
    if (is_zero(e, row->drift)) row->drift = SLIP_NONE;
    return status;
}

static slip_status row_from_position(slip_equations *e, slip_ref position, slip_row *row)
{
    return row_from_rate(e, slip_along_motion(e, position), row);
}

slip_ref slip_equations_drift_rate(slip_equations *e, const slip_row *row)
{
    return slip_along_motion(e, row->rate);
}

// friction never drives: what may be negative counts as zero there
static slip_status take_friction(slip_equations *e, slip_element *element)
{
    slip_ref friction = element->contact->friction.ref;
    element->friction = friction;
    if (friction < 0) return SLIP_OK;
    double low = slip_graph_range(e->graph, friction).low;
    element->bounded = low < 0.0;
    if (low < 0.0) element->friction = slip_op2(e->graph, SLIP_OP_MAX, zero(e), friction);
    return isnan(low) || element->friction < 0 ? SLIP_NO_MEMORY : SLIP_OK;
}

// the element of a contact, with the numbers of its rows
static slip_element number_rows(slip_equations *e, const slip_contact *c)
{
    slip_element element = { .contact = c,
                             .name = c->name,
                             .has_gap = c->has_gap,
                             .slip_count = c->slip.count,
                             .normal_row = -1,
                             .tangent_row = -1,
                             .gap = c->gap.ref };
    memcpy(element.law_parameter, c->law_parameter, sizeof c->law_parameter);
    if (c->has_gap) element.normal_row = e->row_count++;
    if (c->slip.count) element.tangent_row = e->row_count;
    e->row_count += c->slip.count;
    return element;
}

static slip_status derive_rows(slip_equations *e, slip_element *element)
{
    const slip_slip *slip = &element->contact->slip;
    slip_status status = SLIP_OK;
    if (element->has_gap) status = row_from_position(e, element->gap, &element->normal);
    for (int c = 0; c < slip->count && status == SLIP_OK; c++)
        status = slip->is_rate ? row_from_rate(e, slip->part[c].ref, &element->tangent[c])
                               : row_from_position(e, slip->part[c].ref, &element->tangent[c]);
    return status;
}

static slip_status derive_elements(slip_equations *e)
{
    const slip_model *model = e->model;
    slip_status status = SLIP_OK;
    e->row_count = e->constraint_count;
    for (int k = 0; k < e->element_count && status == SLIP_OK; k++) {
        e->elements[k] = number_rows(e, &model->contacts[k]);
        status = take_friction(e, &e->elements[k]);
        if (status == SLIP_OK) status = derive_rows(e, &e->elements[k]);
    }
    for (int k = 0; k < model->constraint_count && status == SLIP_OK; k++) {
        e->constraint_zero[k] = model->constraints[k].zero.ref;
        status = row_from_position(e, e->constraint_zero[k], &e->constraints[k]);
    }
    return status;
}

// ------------------------------------------------------------------------------------------ create

static slip_status take_arrays(slip_equations *e)
{
    const slip_model *model = e->model;
    size_t n = (size_t)e->n;
    e->q = SLIP_POOL_NEW(e->pool, slip_ref, n);
    e->u = SLIP_POOL_NEW(e->pool, slip_ref, n);
    e->h = SLIP_POOL_NEW(e->pool, slip_ref, n);
    e->elements = SLIP_POOL_NEW(e->pool, slip_element, e->element_count);
    e->constraints = SLIP_POOL_NEW(e->pool, slip_row, model->constraint_count);
    e->constraint_zero = SLIP_POOL_NEW(e->pool, slip_ref, model->constraint_count);
    e->along_motion = SLIP_POOL_NEW(e->pool, slip_ref, 1 + 2 * n);
    e->velocity = SLIP_POOL_NEW(e->pool, slip_ref, n);
    bool all = e->q && e->u && e->h && e->elements && e->constraints && e->constraint_zero &&
               e->along_motion && e->velocity;
    if (!all) return SLIP_NO_MEMORY;
    e->time = slip_graph_input_ref(e->graph, 0);
    for (int k = 0; k < e->n; k++) {
        e->q[k] = slip_graph_input_ref(e->graph, 1 + k);
        e->u[k] = slip_graph_input_ref(e->graph, 1 + e->n + k);
        slip_ref velocity = model->coordinates[k].velocity;
        bool own = velocity >= 0 && !in_crowd(e, k); // of a quaternion, or 0: a mode
        e->velocity[k] = own ? velocity : e->u[k];
        e->along_motion[1 + k] = own ? SLIP_NONE : e->u[k];
        e->turns = e->turns || (own && !model->coordinates[k].is_held);
        e->along_motion[1 + e->n + k] = SLIP_NONE;
    }
    e->along_motion[0] = slip_graph_constant(e->graph, 1.0);
    if (e->along_motion[0] < 0) return SLIP_NO_MEMORY;
    return SLIP_OK;
}

static int first_of_crowd(const slip_equations *e, const slip_row *row)
{
    for (int k = 0; k < row->count; k++)
        if (in_crowd(e, row->column[k])) return row->column[k];
    return -1;
}

// what moves by numbers is moved by gravity and by contacts that are found alone
static slip_status check_crowd(slip_equations *e, slip_error *error)
{
    int bad = -1;
    for (int k = 0; k < e->n && bad < 0; k++)
        if (in_crowd(e, k) && !is_zero(e, e->h[k])) bad = k;
    for (int k = 0; k < e->constraint_count && bad < 0; k++) bad = first_of_crowd(e, &e->constraints[k]);
    for (int k = 0; k < e->element_count && bad < 0; k++) {
        const slip_element *element = &e->elements[k];
        if (element->has_gap) bad = first_of_crowd(e, &element->normal);
        for (int c = 0; c < element->slip_count && bad < 0; c++)
            bad = first_of_crowd(e, &element->tangent[c]);
    }
    if (bad < 0) return SLIP_OK;
    return fail_at(error, e->model->coordinates[bad].where,
                   "a formula acts on coordinate '%s' of a body whose contacts are found, and does not name "
                   "the body: write it with the name of the body",
                   e->model->coordinates[bad].name);
}

static slip_status derive(slip_equations *e, slip_error *error)
{
    slip_status status = take_arrays(e);
    if (status != SLIP_OK) return status;
    status = derive_dynamics(e, error);
    if (status == SLIP_OK) status = derive_elements(e);
    if (status == SLIP_OK && e->model->crowd) status = check_crowd(e, error);
    bool whole = e->kinetic >= 0 && e->driven >= 0 && e->potential >= 0 && e->power >= 0;
    for (int k = 0; k < e->n; k++) whole = whole && e->h[k] >= 0;
    return status == SLIP_OK && !whole ? SLIP_NO_MEMORY : status;
}

// what the shelf gives back
static bool remember(slip_equations *e)
{
    e->derived.elements = SLIP_POOL_NEW(e->pool, slip_element, e->element_count);
    if (!e->derived.elements) return false;
    if (e->element_count)
        memcpy(e->derived.elements, e->elements, (size_t)e->element_count * sizeof *e->elements);
    e->derived.h = e->h;
    e->derived.power = e->power;
    e->derived.pool = slip_pool_set_mark(e->pool);
    e->derived.graph = slip_graph_set_mark(e->graph);
    return true;
}

// The equations of another variation. False where its numbers ask for others: they decide whether friction
// needs a bound, and nothing else
static bool renew(slip_equations *e, const slip_model *model)
{
    e->model = model;
    e->origin = model->origin;
    e->mass_formula = NULL;
    e->masses_fixed = false;
    slip_graph_rewind(e->graph, e->derived.graph);
    slip_pool_rewind(e->pool, e->derived.pool);
    e->h = e->derived.h;
    e->power = e->derived.power;
    slip_graph_take_values(e->graph, model->graph);
    for (int k = 0; k < e->element_count; k++) {
        slip_element *element = &e->elements[k];
        const slip_contact *c = &model->contacts[k];
        *element = e->derived.elements[k];
        element->contact = c;
        memcpy(element->law_parameter, c->law_parameter, sizeof c->law_parameter);
        const double low = c->friction.ref < 0 ? 0.0 : slip_graph_range(e->graph, c->friction.ref).low;
        if (isnan(low) || (low < 0.0) != element->bounded) return false;
    }
    return true;
}

static void release(void *equations)
{
    slip_equations *e = equations;
    if (!e) return;
    slip_kept_timetable_destroy(e->timetable);
    slip_graph_destroy(e->graph);
    slip_pool_destroy(e->pool);
    free(e);
}

static slip_equations *from_shelf(const slip_model *model)
{
    slip_shelf *shelf = slip_graph_shelf(model->graph);
    slip_equations *e = shelf ? slip_shelf_take(shelf, model->origin) : NULL;
    if (!e || renew(e, model)) return e;
    release(e);
    return NULL;
}

slip_status slip_equations_create(const slip_model *model, slip_error *error, slip_equations **equations)
{
    *equations = NULL;
    if (model->crowd) {
        char place[160];
        const slip_contact *found = &model->contacts[model->crowd->element[0]];
        return slip_fail(
            error, SLIP_UNSUPPORTED, slip_span_place(found->where, place, sizeof place),
            "contact '%s' is found while bodies move, and this needs all contacts as formulas: formulation "
            "moreau takes the model as it is; write 'between' for the others",
            found->name);
    }
    return slip_equations_beside_crowd(model, error, equations);
}

slip_status slip_equations_beside_crowd(const slip_model *model, slip_error *error,
                                        slip_equations **equations)
{
    *equations = from_shelf(model);
    if (*equations) return SLIP_OK;
    slip_equations *e = calloc(1, sizeof *e);
    if (!e) return slip_fail(error, SLIP_NO_MEMORY, "equations", "out of memory");
    e->model = model;
    e->origin = model->origin;
    e->n = model->coordinate_count;
    e->contact_count = model->contact_count;
    e->element_count = model->element_count;
    e->constraint_count = model->constraint_count;
    e->pool = slip_pool_create();
    e->graph = slip_graph_copy(model->graph);
    slip_status status = e->pool && e->graph ? derive(e, error) : SLIP_NO_MEMORY;
    if (status == SLIP_OK && !remember(e)) status = SLIP_NO_MEMORY;
    if (status != SLIP_OK) {
        release(e);
        return status == SLIP_NO_MEMORY ? slip_fail(error, status, "equations", "out of memory") : status;
    }
    *equations = e;
    return SLIP_OK;
}

void slip_equations_destroy(slip_equations *e)
{
    slip_shelf *shelf = e ? slip_graph_shelf(e->graph) : NULL;
    if (shelf)
        slip_shelf_put(shelf, e->origin, e, release);
    else
        release(e);
}
