/// dynamics/equations.c: rows of contacts and constraints, derived exactly in the model's graph; the life of
/// equations.
#include "dynamics/equations.h"

#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "symbolic/compiler/tape_cache.h"
#include "dynamics/derivation.h"

// q -> q', t -> 1 (Flores 2010: the terms behind h and the rates of W)
slip_ref slip_along_motion(slip_equations *e, slip_ref f)
{
    return slip_graph_directional_known(e->graph, f, e->along_motion, 1 + 2 * e->n, e->model->known,
                                        e->model->known_count);
}

static slip_ref at_rest_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    const slip_equations *e = context;
    slip_node node = slip_graph_node(graph, original);
    if (node.op == SLIP_OP_INPUT && slip_rate_of(e, node.index) >= 0) return slip_graph_constant(graph, 0.0);
    return rewritten;
}

slip_ref slip_at_zero_rates(slip_equations *e, slip_ref f)
{
    return slip_graph_rewrite(e->graph, f, at_rest_rule, e);
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
        int i = slip_rate_of(e, partials[k].input);
        if (i < 0) continue;
        row->column[row->count] = i;
        row->value[row->count++] = partials[k].value;
    }
    free(partials);
    row->drift = slip_at_zero_rates(e, rate);
    if (row->drift < 0) return SLIP_NO_MEMORY;
    if (slip_is_zero(e, row->drift)) row->drift = SLIP_NONE;
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
static slip_status bound_friction(slip_equations *e, slip_element *element)
{
    slip_ref friction = element->contact->friction.ref;
    element->friction = friction;
    if (friction < 0) return SLIP_OK;
    double low = slip_graph_interval(e->graph, friction).low;
    element->bounded = low < 0.0;
    if (low < 0.0) element->friction = slip_op2(e->graph, SLIP_OP_MAX, slip_zero(e), friction);
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
                             .gap = c->gap.ref,
                             .static_friction = c->static_friction.ref };
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
        status = bound_friction(e, &e->elements[k]);
        if (status == SLIP_OK) status = derive_rows(e, &e->elements[k]);
    }
    for (int k = 0; k < model->constraint_count && status == SLIP_OK; k++) {
        e->constraint_zero[k] = model->constraints[k].zero.ref;
        status = row_from_position(e, e->constraint_zero[k], &e->constraints[k]);
    }
    return status;
}

// ------------------------------------------------------------------------------------------ create

static slip_status allocate_equation_arrays(slip_equations *e)
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
        bool own = velocity >= 0 && !slip_is_many_body_coordinate(e, k); // of a quaternion, or 0: a mode
        e->velocity[k] = own ? velocity : e->u[k];
        e->along_motion[1 + k] = own ? SLIP_NONE : e->u[k];
        e->turns = e->turns || (own && !model->coordinates[k].is_held);
        e->along_motion[1 + e->n + k] = SLIP_NONE;
    }
    e->along_motion[0] = slip_graph_constant(e->graph, 1.0);
    if (e->along_motion[0] < 0) return SLIP_NO_MEMORY;
    return SLIP_OK;
}

static int first_many_body_column(const slip_equations *e, const slip_row *row)
{
    for (int k = 0; k < row->count; k++)
        if (slip_is_many_body_coordinate(e, row->column[k])) return row->column[k];
    return -1;
}

// what moves by numbers is moved by gravity and by contacts that are found alone
static slip_status check_many_body_coordinates(slip_equations *e, slip_error *error)
{
    int bad = -1;
    for (int k = 0; k < e->n && bad < 0; k++)
        if (slip_is_many_body_coordinate(e, k) && !slip_is_zero(e, e->h[k])) bad = k;
    for (int k = 0; k < e->constraint_count && bad < 0; k++)
        bad = first_many_body_column(e, &e->constraints[k]);
    for (int k = 0; k < e->element_count && bad < 0; k++) {
        const slip_element *element = &e->elements[k];
        if (element->has_gap) bad = first_many_body_column(e, &element->normal);
        for (int c = 0; c < element->slip_count && bad < 0; c++)
            bad = first_many_body_column(e, &element->tangent[c]);
    }
    if (bad < 0) return SLIP_OK;
    return slip_fail_at(
        error, e->model->coordinates[bad].where,
        "a formula acts on coordinate '%s' of a body whose contacts are detected, and does not name "
        "the body: write it with the name of the body",
        e->model->coordinates[bad].name);
}

static slip_status derive_equations(slip_equations *e, slip_error *error)
{
    slip_status status = allocate_equation_arrays(e);
    if (status != SLIP_OK) return status;
    status = slip_derive_dynamics(e, error);
    if (status == SLIP_OK) status = derive_elements(e);
    if (status == SLIP_OK && e->model->crowd) status = check_many_body_coordinates(e, error);
    bool whole = e->kinetic >= 0 && e->driven >= 0 && e->potential >= 0 && e->power >= 0;
    for (int k = 0; k < e->n; k++) whole = whole && e->h[k] >= 0;
    return status == SLIP_OK && !whole ? SLIP_NO_MEMORY : status;
}

// what the tape_cache gives back
static bool save_derived(slip_equations *e)
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
static bool reuse_for_variation(slip_equations *e, const slip_model *model)
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
        const double low = c->friction.ref < 0 ? 0.0 : slip_graph_interval(e->graph, c->friction.ref).low;
        if (isnan(low) || (low < 0.0) != element->bounded) return false;
    }
    return true;
}

static void destroy_cached_equations(void *equations)
{
    slip_equations *e = equations;
    if (!e) return;
    slip_time_event_cache_destroy(e->timetable);
    slip_graph_destroy(e->graph);
    slip_pool_destroy(e->pool);
    free(e);
}

static slip_equations *find_cached_equations(const slip_model *model)
{
    slip_tape_cache *tape_cache = slip_graph_cache(model->graph);
    slip_equations *e = tape_cache ? slip_tape_cache_take(tape_cache, model->origin) : NULL;
    if (!e || reuse_for_variation(e, model)) return e;
    destroy_cached_equations(e);
    return NULL;
}

slip_status slip_equations_create(const slip_model *model, slip_error *error, slip_equations **equations)
{
    *equations = NULL;
    if (model->crowd) {
        char place[160];
        const slip_contact *found = &model->contacts[model->crowd->element[0]];
        return slip_fail(error, SLIP_UNSUPPORTED, slip_span_place(found->where, place, sizeof place),
                         "contact '%s' is detected while bodies move, and this needs all contacts as "
                         "formulas: formulation "
                         "moreau takes the model as it is; write 'between' for the others",
                         found->name);
    }
    return slip_equations_create_many_body(model, error, equations);
}

slip_status slip_equations_create_many_body(const slip_model *model, slip_error *error,
                                            slip_equations **equations)
{
    *equations = find_cached_equations(model);
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
    slip_status status = e->pool && e->graph ? derive_equations(e, error) : SLIP_NO_MEMORY;
    if (status == SLIP_OK && !save_derived(e)) status = SLIP_NO_MEMORY;
    if (status != SLIP_OK) {
        destroy_cached_equations(e);
        return status == SLIP_NO_MEMORY ? slip_fail(error, status, "equations", "out of memory") : status;
    }
    *equations = e;
    return SLIP_OK;
}

void slip_equations_destroy(slip_equations *e)
{
    slip_tape_cache *tape_cache = e ? slip_graph_cache(e->graph) : NULL;
    if (tape_cache)
        slip_tape_cache_put(tape_cache, e->origin, e, destroy_cached_equations);
    else
        destroy_cached_equations(e);
}
