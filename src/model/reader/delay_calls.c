/// model/reader/delay_calls.c: delay(x, tau) in formulas: a value as it was some time before.
///
/// During a step the delayed value is a known function of the time, a polynomial that the simulation puts
/// together from the past. Its coefficients are modes, so every formulation knows them:
///     c0 + d (c1 + d (c2 + d (c3 + d (c4 + d c5)))),  d = t - from
/// How many delays a model has shows when its formulas are read, and modes are declared before: where there
/// was not room enough, the model is read again with more.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "model/reader/reader.h"

enum { PAIRS = SLIP_DELAY_COEFFICIENTS / 2 };

// ------------------------------------------------------------------------------------------------- names

static slip_symbol *declare_delay_mode(slip_reader *r, slip_yaml *node, const char *name, const char *rate,
                                       int index)
{
    slip_symbol *s = slip_declare_derived(r, SLIP_SYMBOL_COORDINATE, name, node);
    if (!s) return NULL;
    s->index = index;
    s->stage = SLIP_STAGE_DONE;
    s->held = s->delayed = true;
    s->of_coordinate.rate_name = slip_reader_text(r, rate, strlen(rate));
    return s;
}

int slip_declare_delays(slip_reader *r, int coordinate_count)
{
    slip_yaml *node = slip_yaml_find(r->root, "coordinates");
    if (r->delay_room == 0) return coordinate_count;
    if (!node) node = slip_yaml_find(r->root, "bodies");
    r->delay_symbols = slip_pool_take(r->scratch, (size_t)(1 + PAIRS * r->delay_room), sizeof(slip_symbol *));
    if (!r->delay_symbols) return slip_reader_no_memory(r), coordinate_count;
    slip_symbol **next = r->delay_symbols;
    *next++ = declare_delay_mode(r, node, "delay.from", "delay.to", coordinate_count++);
    for (int k = 0; k < r->delay_room && !slip_reader_stopped(r); k++)
        for (int i = 0; i < PAIRS; i++) {
            char name[60], rate[60];
            snprintf(name, sizeof name, i ? "delay.%d.c%d" : "delay.%d", k + 1, 2 * i);
            snprintf(rate, sizeof rate, "delay.%d.c%d", k + 1, 2 * i + 1);
            *next++ = declare_delay_mode(r, node, name, rate, coordinate_count++);
        }
    return coordinate_count;
}

// ------------------------------------------------------------------------------------------------- calls

static slip_ref delay_polynomial(slip_reader *r, int k)
{
    slip_graph *g = r->model->graph;
    slip_symbol **own = r->delay_symbols + 1 + PAIRS * k;
    slip_ref d = slip_op2(g, SLIP_OP_SUB, r->t, r->delay_symbols[0]->value.part[0]);
    slip_ref sum = own[PAIRS - 1]->rate;
    for (int i = SLIP_DELAY_COEFFICIENTS - 2; i >= 0; i--) {
        const slip_symbol *s = own[i / 2];
        slip_ref c = i % 2 ? s->rate : s->value.part[0];
        sum = slip_op2(g, SLIP_OP_ADD, c, slip_op2(g, SLIP_OP_MUL, d, sum));
    }
    return sum;
}

static bool uses_quantities(const slip_reader *r, slip_ref of)
{
    for (size_t k = 0; k < r->quantity_count; k++)
        if (slip_graph_depends(r->model->graph, of, r->quantities[k].node)) return true;
    return false;
}

// why there is no such delay; "" when there is
static void find_problem(slip_reader *r, const slip_value *argument, double *tau, char *problem)
{
    const slip_graph *g = r->model->graph;
    slip_dimension second = slip_dimension_read("s", SLIP_GIVEN_UNIT);
    char given[SLIP_UNIT_LENGTH];
    const char *text = NULL;
    *tau = NAN;
    if (r->inclusion)
        text = "delay is known to mechanical models only";
    else if (argument[0].count != 1 || argument[1].count != 1)
        text = "delay(x, tau) takes two numbers, not components";
    else if (slip_graph_depends_on_state(g, argument[1].part[0]) ||
             slip_graph_depends(g, argument[1].part[0], r->t))
        text = "the time of a delay must be constant: a number, or a formula of parameters";
    else if (uses_quantities(r, argument[0].part[0]))
        text = "delay cannot take quantities of elements, such as floor.normal";
    if (text) {
        snprintf(problem, SLIP_PROBLEM_LENGTH, "%s", text);
        return;
    }
    if (slip_dimension_clash(&second, &argument[1].dimension))
        snprintf(problem, SLIP_PROBLEM_LENGTH, "the time of a delay is in s, not in %s",
                 slip_dimension_phrase(&argument[1].dimension, given, sizeof given));
    else if (slip_evaluate(r, argument[1].part[0], tau) && !(*tau > 0.0 && isfinite(*tau)))
        snprintf(problem, SLIP_PROBLEM_LENGTH, "the time of a delay must be greater than 0, got %.6g", *tau);
}

// its number, a new one when it was not met before; -1 when out of memory
static int find_delay(slip_reader *r, slip_ref of, double tau)
{
    for (size_t k = 0; k < r->delay_count; k++)
        if (r->delays[k].of == of && r->delays[k].tau == tau) return (int)k;
    if (!slip_array_grow((void **)&r->delays, &r->delay_capacity, r->delay_count, sizeof *r->delays))
        return -1;
    r->delays[r->delay_count] = (slip_delay){ .of = of, .tau = tau };
    return (int)r->delay_count++;
}

bool slip_delay_call(slip_formula_reading *c, const slip_value *argument, slip_value *value, char *problem)
{
    slip_reader *r = c->r;
    double tau;
    *value = slip_scalar(r->t);
    value->dimension = argument[0].dimension;
    if (c->on_trial || c->pending_count || c->circle || c->poisoned) return true;
    find_problem(r, argument, &tau, problem);
    if (problem[0] || r->status != SLIP_OK) return false;
    int k = find_delay(r, argument[0].part[0], tau);
    if (k >= 0 && k < r->delay_room) value->part[0] = delay_polynomial(r, k);
    if (k < 0 || value->part[0] == SLIP_NONE) return slip_reader_no_memory(r);
    slip_note_use(c, "delay", 0, SLIP_USES_DELAYS, *value);
    return true;
}

// ------------------------------------------------------------------------------------------------- start

static bool value_at_start(slip_model *m, slip_ref of, double *value)
{
    slip_tape *tape = slip_tape_create(m->graph, &of, 1);
    double *reg = tape ? calloc((size_t)slip_tape_registers(tape) + 1, sizeof *reg) : NULL;
    int n = m->coordinate_count;
    if (reg) {
        slip_tape_start(tape, reg);
        for (int k = 0; k < n; k++) {
            reg[1 + k] = m->coordinates[k].start;
            reg[1 + n + k] = m->coordinates[k].rate;
        }
        slip_tape_run(tape, reg);
        *value = reg[slip_tape_result(tape, 0)];
    }
    slip_tape_destroy(tape);
    free(reg);
    return reg != NULL;
}

// a delay stands behind those that it takes
void slip_start_delays(slip_reader *r)
{
    slip_model *m = r->model;
    if (r->delay_room == 0) return;
    m->delays = SLIP_READER_NEW(r, slip_delay, r->delay_count);
    for (size_t k = 0; m->delays && k < r->delay_count; k++) {
        m->delays[k] = r->delays[k];
        m->delays[k].coordinate = r->delay_symbols[1 + PAIRS * k]->index;
    }
    m->delay_count = m->delays ? (int)r->delay_count : 0;
    r->all_shape = r->starts_shape = true;
    m->delay_clock = r->delay_symbols[0]->index;
    if (m->at_rest)
        slip_reader_error(r, m->at_rest_at, NULL,
                          "a model with delay(x, tau) cannot start at rest: its past is not known");
    for (int k = 0; k < m->delay_count && !slip_reader_stopped(r); k++) {
        double *start = &m->coordinates[m->delays[k].coordinate].start;
        if (!value_at_start(m, m->delays[k].of, start)) {
            slip_reader_no_memory(r);
        } else if (!isfinite(*start)) {
            slip_reader_error(r, slip_graph_place(m->graph, m->delays[k].of), NULL,
                              "what is delayed has no value at the start");
            *start = 0.0;
        }
    }
}
