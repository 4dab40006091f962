/// sensitivity/sensitivity_tapes.c: the formulas of a system, differentiated along a direction that is an input.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "sensitivity/sensitivity.h"

enum { MAX_BATCHED_COLUMNS = 8 };

/// On the way to the tapes.
typedef struct maker {
    slip_sensitivity *t;
    slip_equations *e;
    slip_graph *g;
    slip_symbols is;
    slip_ref *a, *force, *slide, *dp, *batch; // nodes of the inputs
    slip_derivative_direction ways;           // the direction, and parameters with how they change
    slip_ref *jump, *bend; // -M a + W f by coordinate, G a by row: of any acceleration or jump of rates
    slip_ref *rate;        // of rows
    slip_ref *roots;
    int root_count;
} maker;

// ------------------------------------------------------------------------------------------------ inputs

static slip_ref new_input(maker *k, const char *what, int number)
{
    char name[40];
    snprintf(name, sizeof name, "%s %d", what, number);
    return slip_graph_input(k->g, name);
}

static int add_inputs(maker *k, const char *what, int count, slip_ref *nodes)
{
    int first = -1;
    for (int i = 0; i < count; i++) {
        slip_ref node = new_input(k, what, i);
        if (nodes) nodes[i] = node;
        if (i == 0 && node >= 0) first = slip_graph_node(k->g, node).index;
    }
    return first;
}

static bool create_inputs(maker *k)
{
    slip_sensitivity *t = k->t;
    const slip_model *model = k->e->model;
    slip_ref *d = k->ways.direction;
    for (int i = 0; i < k->ways.direction_count; i++) d[i] = SLIP_NONE;
    t->in.a = add_inputs(k, "acceleration", t->n, k->a);
    t->in.force = add_inputs(k, "force", t->rows, k->force);
    t->in.slide = add_inputs(k, "slide", t->elements, k->slide);
    t->in.dt = add_inputs(k, "dt", 1, d);
    t->in.dq = add_inputs(k, "dq", t->n, d + 1);
    t->in.du = add_inputs(k, "du", t->n, d + 1 + t->n);
    t->in.dp = add_inputs(k, "dp", t->parameter_count, k->dp);
    t->in.batch = add_inputs(k, "batch", t->batched ? 2 * t->n * t->column_count : 0, k->batch);
    t->in.quantity = -1;
    for (int i = 0; i < model->quantity_count; i++) {
        slip_ref node = new_input(k, "dquantity", i);
        d[model->quantities[i].input] = node;
        if (i == 0 && node >= 0) t->in.quantity = slip_graph_node(k->g, node).index;
    }
    slip_ref last = new_input(k, "end", 0);
    t->in.count = last >= 0 ? slip_graph_node(k->g, last).index + 1 : 0;
    return last >= 0;
}

// numbers of the graph that change with parameters and are none
static size_t known_capacity(const maker *k)
{
    const slip_sensitivity *t = k->t;
    size_t count = (size_t)k->e->model->parameter_count + 1, all = (size_t)t->column_count;
    for (size_t i = 0; i < all * (size_t)t->constants.leaves; i++) count += t->constants.leaf[i] != 0.0;
    return count;
}

static bool set_known_numbers(maker *k, slip_derivative_direction *ways, const slip_ref *dp)
{
    const slip_sensitivity *t = k->t;
    const int leaves = t->constants.leaves;
    for (int i = 0; i < leaves; i++) {
        slip_ref sum = SLIP_NONE;
        for (int c = 0; c < t->column_count; c++) {
            const double by = t->constants.leaf[(size_t)c * (size_t)leaves + (size_t)i];
            if (by == 0.0) continue;
            slip_ref part =
                slip_graph_product(k->g, slip_graph_constant(k->g, by), dp[t->columns[c].parameter]);
            sum = sum == SLIP_NONE ? part : slip_graph_sum(k->g, sum, part);
            if (sum < 0) return false;
        }
        if (sum != SLIP_NONE) slip_derivative_set_known(ways, i, sum);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------- formulas

static slip_ref product_ref(maker *k, slip_ref a, slip_ref b)
{
    return a == SLIP_NONE || b == SLIP_NONE ? SLIP_NONE : slip_graph_product(k->g, a, b);
}

static void add_term(maker *k, slip_ref *sum, slip_ref term)
{
    if (term == SLIP_NONE) return;
    *sum = *sum == SLIP_NONE ? term : slip_graph_sum(k->g, *sum, term);
}

static slip_ref negative_ref(maker *k, slip_ref a)
{
    return a == SLIP_NONE ? a : slip_op1(k->g, SLIP_OP_NEG, a);
}

static void form_rows(maker *k)
{
    const slip_system *s = k->t->form;
    for (int row = 0; row < s->row_count; row++) {
        k->rate[row] = k->bend[row] = SLIP_NONE;
        for (int i = s->start[row]; i < s->start[row + 1]; i++) {
            add_term(k, &k->bend[row], product_ref(k, k->is.value[i], k->a[s->column[i]]));
            add_term(k, &k->rate[row], product_ref(k, k->is.value[i], k->e->u[s->column[i]]));
        }
        add_term(k, &k->rate[row], k->is.drift[row]);
    }
}

// component c of the unit vector of a slip in space; |v| has 1 added to its square while it does not slide
static slip_ref slip_direction(maker *k, const slip_element *element, int e, int c)
{
    slip_ref one = slip_graph_constant(k->g, 1.0);
    if (element->slip_count < 2) return one;
    slip_ref square = slip_graph_difference(k->g, one, k->slide[e]);
    for (int i = 0; i < 2; i++) {
        slip_ref v = k->rate[element->tangent_row + i];
        add_term(k, &square, product_ref(k, v, v));
    }
    return slip_op2(k->g, SLIP_OP_DIV, k->rate[element->tangent_row + c],
                    slip_op1(k->g, SLIP_OP_SQRT, square));
}

// |F/2 + M/l| + |F/2 - M/l| of the multipliers of a joint, as slip_joint_load
static slip_ref joint_force(maker *k, const slip_load *load)
{
    slip_graph *g = k->g;
    const slip_ref *F = k->force + load->of, *M = F + load->forces;
    slip_ref sum = SLIP_NONE;
    for (int side = 0; side < 2; side++) {
        slip_ref square = SLIP_NONE;
        for (int i = 0; i < load->forces; i++) {
            slip_ref part = slip_graph_product(g, slip_graph_constant(g, 0.5), F[i]);
            if (i < load->moments) {
                slip_ref pair =
                    slip_graph_product(g, slip_graph_constant(g, (side ? -1.0 : 1.0) / load->length), M[i]);
                part = slip_graph_sum(g, part, pair);
            }
            add_term(k, &square, product_ref(k, part, part));
        }
        add_term(k, &sum, slip_op1(g, SLIP_OP_SQRT, square));
    }
    return sum;
}

// friction of what slides: its limit, of a load where it has one
static slip_ref friction_limit(maker *k, const slip_element *element, int e)
{
    const slip_system *s = k->t->form;
    slip_ref f = k->is.friction[e];
    const slip_load *load = &element->contact->load;
    if (element->has_gap) return product_ref(k, f, k->force[element->normal_row]);
    if (load->kind == SLIP_LOAD_JOINT) return product_ref(k, f, joint_force(k, load));
    return load->kind == SLIP_LOAD_CONTACT ? product_ref(k, f, k->force[s->elements[load->of].normal_row])
                                           : f;
}

static void add_row_force(maker *k, int row, slip_ref force)
{
    const slip_system *s = k->t->form;
    for (int i = s->start[row]; i < s->start[row + 1]; i++)
        add_term(k, &k->jump[s->column[i]], product_ref(k, k->is.value[i], force));
}

static void form_jumps(maker *k)
{
    const slip_system *s = k->t->form;
    for (int i = 0; i < s->n; i++) k->jump[i] = SLIP_NONE;
    for (int b = 0; b < s->block_count; b++) {
        int size = s->blocks[b].count;
        const int *at = s->blocks[b].coordinate;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) {
                slip_ref entry = k->is.mass[s->block_offset[b] + (i > j ? i * size + j : j * size + i)];
                add_term(k, &k->jump[at[i]], negative_ref(k, product_ref(k, entry, k->a[at[j]])));
            }
    }
    for (int row = 0; row < s->row_count; row++) add_row_force(k, row, k->force[row]);
    for (int e = 0; e < s->element_count; e++)
        for (int c = 0; c < s->elements[e].slip_count; c++) {
            const slip_element *element = &s->elements[e];
            slip_ref size = product_ref(k, friction_limit(k, element, e), k->slide[e]);
            add_row_force(k, element->tangent_row + c,
                          negative_ref(k, product_ref(k, size, slip_direction(k, element, e, c))));
        }
}

// ------------------------------------------------------------------------------------------------- tapes

static void add_root(maker *k, slip_ref f)
{
    slip_ref d = slip_derivative_along(&k->ways, f);
    k->roots[k->root_count++] = d == SLIP_NONE ? slip_graph_constant(k->g, 0.0) : d;
}

static bool compile_roots(maker *k, slip_sensitivity_tape level)
{
    k->t->tape[level] = slip_tape_create(k->g, k->roots, k->root_count);
    k->root_count = 0;
    return k->t->tape[level] != NULL;
}

static bool compile_rows(maker *k)
{
    const slip_system *s = k->t->form;
    for (int i = 0; i < s->constraint_count; i++) add_root(k, k->is.constraint[i]);
    for (int e = 0; e < s->element_count; e++) add_root(k, s->elements[e].has_gap ? k->is.gap[e] : SLIP_NONE);
    if (!compile_roots(k, SLIP_SENS_POSITION)) return false;
    for (int row = 0; row < s->row_count; row++) add_root(k, k->rate[row]);
    return compile_roots(k, SLIP_SENS_VELOCITY);
}

static bool compile_motion(maker *k)
{
    const slip_system *s = k->t->form;
    for (int i = 0; i < s->n; i++) add_root(k, k->jump[i]);
    for (int row = 0; row < s->row_count; row++) add_root(k, k->bend[row]);
    if (!compile_roots(k, SLIP_SENS_IMPACT)) return false;
    for (int i = 0; i < s->n; i++) {
        slip_ref sum = k->jump[i];
        add_term(k, &sum, k->is.h[i]);
        add_root(k, sum);
    }
    for (int row = 0; row < s->row_count; row++) {
        slip_ref sum = k->bend[row];
        add_term(k, &sum, k->is.z[row]);
        add_root(k, sum);
    }
    return compile_roots(k, SLIP_SENS_MOTION);
}

/// Ways along one column of a batch after the other.
typedef struct batch {
    slip_pool *pool;
    slip_derivative_direction ways;
    slip_ref *dp;
} batch;

static bool start_batch(maker *k, batch *b)
{
    const slip_sensitivity *t = k->t;
    *b = (batch){ .pool = slip_pool_create(), .ways = k->ways };
    b->dp = b->pool ? SLIP_POOL_NEW(b->pool, slip_ref, t->parameter_count + 1) : NULL;
    b->ways.direction = b->pool ? SLIP_POOL_NEW(b->pool, slip_ref, b->ways.direction_count) : NULL;
    b->ways.known = b->pool ? SLIP_POOL_NEW(b->pool, slip_known_derivative, known_capacity(k)) : NULL;
    return b->dp && b->ways.direction && b->ways.known;
}

// a parameter changes by 1 or not at all, so that little is left of most columns
static bool set_batch_column(maker *k, batch *b, int c)
{
    const slip_sensitivity *t = k->t;
    b->ways.known_count = 0;
    for (int i = 0; i < b->ways.direction_count; i++)
        b->ways.direction[i] = i >= 1 && i <= 2 * t->n ? k->batch[c * 2 * t->n + i - 1] : SLIP_NONE;
    for (int p = 0; p < t->parameter_count; p++)
        b->dp[p] = slip_graph_constant(k->g, p == t->columns[c].parameter);
    return slip_derivative_set_parameters(&b->ways, k->e->model, t->columns, t->column_count, b->dp) &&
           set_known_numbers(k, &b->ways, b->dp);
}

static slip_ref along_batch(maker *k, const batch *b, slip_ref f)
{
    slip_ref d = slip_derivative_along(&b->ways, f);
    return d == SLIP_NONE ? slip_graph_constant(k->g, 0.0) : d;
}

// The same along all columns at once: what they share is evaluated once
static bool compile_batch(maker *k)
{
    slip_sensitivity *t = k->t;
    const slip_system *s = t->form;
    batch b = { 0 };
    bool fine = !t->batched || start_batch(k, &b);
    for (int c = 0; c < t->column_count && t->batched && fine; c++) {
        fine = set_batch_column(k, &b, c);
        for (int i = 0; i < s->n + s->row_count && fine; i++) {
            slip_ref sum = i < s->n ? k->jump[i] : k->bend[i - s->n];
            add_term(k, &sum, i < s->n ? k->is.h[i] : k->is.z[i - s->n]);
            k->roots[k->root_count++] = along_batch(k, &b, sum);
        }
    }
    slip_pool_destroy(b.pool);
    return compile_roots(k, SLIP_SENS_BATCH) && fine;
}

// Nothing couples the coordinates but forces, and all of them move as their rates say
static bool flies_alone(const slip_sensitivity *t)
{
    const slip_system *s = t->form;
    bool alone = t->m && t->batched && s->constraint_count == 0 && !s->equations->turns;
    for (int b = 0; b < s->block_count; b++) alone = alone && s->blocks[b].count == 1;
    return alone;
}

// Steps in which nothing touches, as one program: q' = u, u' = h/m, and the same of the columns
static bool compile_flight(maker *k)
{
    slip_sensitivity *t = k->t;
    const slip_system *s = t->form;
    const int n = t->n, states = 2 * n, all = states * (1 + t->column_count);
    batch b = { 0 };
    slip_ref *rate = malloc((size_t)all * (sizeof *rate + sizeof(int)) + 1);
    int *input = (int *)(rate + (rate ? all : 0));
    bool fine = rate && flies_alone(t) && start_batch(k, &b);
    const slip_ref zero = slip_graph_constant(k->g, 0.0);
    for (int i = 0; i < states && fine; i++) {
        rate[i] = i < s->moving ? k->e->u[i] : zero;
        input[i] = 1 + i;
    }
    for (int i = 0; i < s->block_count && fine; i++) {
        const int at = s->blocks[i].coordinate[0];
        const slip_ref h = k->is.h[at], mass = k->is.mass[s->block_offset[i]];
        rate[n + at] = h == SLIP_NONE ? zero : slip_op2(k->g, SLIP_OP_DIV, h, mass);
    }
    for (int c = 0; c < t->column_count && fine; c++) {
        fine = set_batch_column(k, &b, c);
        for (int i = 0; i < states && fine; i++) {
            rate[(c + 1) * states + i] = along_batch(k, &b, rate[i]);
            input[(c + 1) * states + i] = slip_graph_node(k->g, k->batch[c * states + i]).index;
        }
    }
    slip_tableau table;
    slip_integrator_cash_karp.tableau(&table);
    t->flies = fine && slip_fused_sensitivity_create(&t->flight, k->g, rate, input, all, -1, &table);
    if (!t->flies) slip_fused_sensitivity_destroy(&t->flight);
    slip_pool_destroy(b.pool);
    free(rate);
    return !slip_graph_failed(k->g);
}

// what changes sign where a switch changes sides
static slip_ref switch_argument(const slip_switch *w)
{
    if (w->input < 0) return w->value;
    return w->level >= 0 ? w->within : w->locked;
}

static bool compile_events(maker *k)
{
    const slip_system *s = k->t->form;
    for (int e = 0; e < s->element_count; e++) add_root(k, s->elements[e].has_gap ? k->is.gap[e] : SLIP_NONE);
    for (int e = 0; e < s->element_count; e++) add_root(k, k->is.friction[e]);
    for (int i = 0; i < k->t->switches; i++) add_root(k, switch_argument(&k->t->form_list[i]));
    for (int i = 0; i < k->t->switches; i++) k->roots[k->root_count++] = switch_argument(&k->t->form_list[i]);
    for (int e = 0; e < s->element_count; e++) add_root(k, k->is.static_friction[e]);
    if (!compile_roots(k, SLIP_SENS_EVENT)) return false;
    const slip_model *model = k->e->model;
    for (int i = 0; i < model->when_count; i++) add_root(k, model->whens[i].margin);
    for (int i = 0; i < model->when_count; i++)
        for (int j = 0; j < model->whens[i].assignment_count; j++)
            add_root(k, model->whens[i].assignments[j].value.ref);
    for (int i = 0; i < model->when_count; i++) k->roots[k->root_count++] = model->whens[i].margin;
    if (!compile_roots(k, SLIP_SENS_MODEL_EVENT)) return false;
    for (int i = 0; i < model->controller_count; i++) {
        const slip_controller *c = &model->controllers[i];
        for (int j = 0; j < c->memory_count + c->output_count; j++) add_root(k, c->assignments[j].value.ref);
    }
    if (!compile_roots(k, SLIP_SENS_SAMPLE)) return false;
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        slip_ref zero = slip_graph_constant(k->g, 0.0), gap = element->has_gap ? k->is.gap[e] : SLIP_NONE,
                 rate = element->has_gap ? k->rate[element->normal_row] : SLIP_NONE;
        k->roots[e] = gap == SLIP_NONE ? zero : gap;
        k->roots[s->element_count + e] = rate == SLIP_NONE ? zero : rate;
    }
    k->root_count = 2 * s->element_count;
    if (!compile_roots(k, SLIP_SENS_GAP)) return false;
    for (int i = 0; i < s->n; i++) add_root(k, k->e->turns ? k->e->velocity[i] : SLIP_NONE);
    if (!compile_roots(k, SLIP_SENS_QUATERNION)) return false;
    for (int i = 0; i < k->e->model->record_count; i++) add_root(k, slip_model_record(k->e->model, i));
    add_root(k, k->e->kinetic);
    add_root(k, k->e->potential);
    return compile_roots(k, SLIP_SENS_RECORD);
}

bool slip_sensitivity_compile(slip_sensitivity *t)
{
    slip_system *s = t->form;
    slip_equations *e = s->equations;
    const slip_model *model = e->model;
    int inputs = 1 + 2 * t->n;
    for (int i = 0; i < model->quantity_count; i++)
        if (model->quantities[i].input >= inputs) inputs = model->quantities[i].input + 1;
    t->batched = t->column_count <= MAX_BATCHED_COLUMNS;
    const int together = t->batched ? t->column_count : 0;
    size_t nodes = (size_t)(2 * t->n + 3 * t->rows + t->elements + t->parameter_count + together * 2 * t->n),
           roots = (size_t)(t->n + 2 * t->rows + 3 * t->elements + 2 * t->switches + model->record_count + 8);
    if (roots < (size_t)(together * (t->n + t->rows))) roots = (size_t)(together * (t->n + t->rows));
    for (int i = 0; i < model->when_count; i++) roots += 2 + (size_t)model->whens[i].assignment_count;
    t->value_count = slip_controller_value_count(model);
    roots += (size_t)t->value_count;
    slip_pool *pool = slip_pool_create();
    maker k = { .t = t, .e = e, .g = e->graph, .is = slip_system_symbols(s) };
    slip_ref *room = pool ? SLIP_POOL_NEW(pool, slip_ref, nodes + roots + (size_t)inputs) : NULL;
    slip_known_derivative *known =
        pool ? SLIP_POOL_NEW(pool, slip_known_derivative, known_capacity(&k)) : NULL;
    bool fine = room && known;
    if (fine) {
        k.a = room, k.jump = k.a + t->n, k.force = k.jump + t->n, k.bend = k.force + t->rows;
        k.rate = k.bend + t->rows, k.slide = k.rate + t->rows, k.dp = k.slide + t->elements;
        k.batch = k.dp + t->parameter_count;
        slip_ref *direction = k.batch + together * 2 * t->n;
        k.roots = direction + inputs;
        k.ways = (slip_derivative_direction){ k.g, direction, inputs, known, 0 };
        fine = create_inputs(&k) &&
               slip_derivative_set_parameters(&k.ways, model, t->columns, t->column_count, k.dp) &&
               set_known_numbers(&k, &k.ways, k.dp);
    }
    if (fine) form_rows(&k), form_jumps(&k);
    fine = fine && compile_rows(&k) && compile_motion(&k) && compile_batch(&k) && compile_flight(&k) &&
           compile_events(&k) && slip_sensitivity_find_numbers(t, &k.ways);
    slip_pool_destroy(pool);
    return fine;
}
