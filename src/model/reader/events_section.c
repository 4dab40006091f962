/// model/reader/events_section.c: events of a model, and the condition that ends a run.
#include <stdio.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "model/reader/reader.h"

// ------------------------------------------------------------------------------------------ conditions

// whether an expression follows from more than constants, parameters and modes
static bool is_time_varying(const slip_reader *r, slip_ref ref)
{
    const slip_model *m = r->model;
    for (int k = 0; k < slip_graph_input_count(m->graph); k++) {
        bool held = !r->inclusion && k > m->moving_coordinate_count && k <= m->coordinate_count;
        if (!held && slip_graph_depends(m->graph, ref, slip_graph_input_ref(m->graph, k))) return true;
    }
    return false;
}

// The margin of a condition that is only true or false: a number far beyond any real margin, which locators
// recognise.
static slip_ref binary_margin(slip_graph *g, slip_ref truth)
{
    slip_ref far = slip_graph_constant(g, 1e300);
    return slip_graph_op(g, SLIP_OP_IF, truth, far, slip_graph_constant(g, -1e300));
}

// A function that changes sign where the condition does: a < b is b - a > 0, `and` is the smaller one of
// both.
// *at: an equality of what moves, which holds for an instant at the most.
static slip_ref condition_margin(slip_reader *r, slip_ref ref, slip_ref *at)
{
    slip_graph *g = r->model->graph;
    slip_node n = slip_graph_node(g, ref);
    if (n.op == SLIP_OP_LT || n.op == SLIP_OP_LE) return slip_op2(g, SLIP_OP_SUB, n.arg[1], n.arg[0]);
    if (n.op == SLIP_OP_NOT) return slip_op1(g, SLIP_OP_NEG, condition_margin(r, n.arg[0], at));
    if (n.op == SLIP_OP_AND || n.op == SLIP_OP_OR) {
        slip_ref a = condition_margin(r, n.arg[0], at), b = condition_margin(r, n.arg[1], at);
        return slip_op2(g, n.op == SLIP_OP_AND ? SLIP_OP_MIN : SLIP_OP_MAX, a, b);
    }
    if (is_time_varying(r, ref)) *at = ref;
    return binary_margin(g, ref);
}

static bool is_truth(slip_op op)
{
    return op == SLIP_OP_LT || op == SLIP_OP_LE || op == SLIP_OP_EQ || op == SLIP_OP_NE ||
           op == SLIP_OP_AND || op == SLIP_OP_OR || op == SLIP_OP_NOT;
}

static bool read_condition(slip_reader *r, slip_yaml *node, const char *what, slip_model_event *w)
{
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_MOTION, .count = 1 };
    if (!node || !slip_read_scalar(r, node, &wanted, &w->condition)) return false;
    slip_graph *g = r->model->graph;
    if (!is_truth(slip_graph_node(g, w->condition.ref).op)) {
        slip_reader_error(r, node->where, "x > 0.1", "%s is not a comparison", what);
        return false;
    }
    slip_ref equal = SLIP_NONE;
    w->margin = condition_margin(r, w->condition.ref, &equal);
    if (w->margin == SLIP_NONE) return slip_reader_no_memory(r);
    w->text = slip_reader_text(r, node->text, node->length);
    w->where = node->where;
    if (equal == SLIP_NONE) return true;
    slip_reader_error(r, node->where, "< and > say from which side",
                      "%s holds for an instant only: what moves is never equal to anything for longer", what);
    return false;
}

static bool read_guard(slip_reader *r, slip_yaml *node, const char *name, slip_model_event *w)
{
    char what[160];
    snprintf(what, sizeof what, "the guard of event '%.100s'", name);
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_MOTION, .count = 1 };
    w->guard.ref = SLIP_NONE;
    if (!node) return true;
    if (!slip_read_scalar(r, node, &wanted, &w->guard)) return false;
    if (is_truth(slip_graph_node(r->model->graph, w->guard.ref).op)) return true;
    slip_reader_error(r, node->where, "x > 0.1", "%s is not a comparison", what);
    return false;
}

// ----------------------------------------------------------------------------------------- assignments

// what a key names: x, x', a state, a mode
static slip_symbol *target_of(slip_reader *r, const slip_yaml *key, bool *rate)
{
    size_t length = key->length;
    bool primed = length > 1 && key->text[length - 1] == '\'';
    slip_symbol *s = slip_lookup(r, key->text, primed ? length - 1 : length);
    if (s && s->stage == SLIP_STAGE_FAILED) return NULL;
    bool state = s && s->kind == SLIP_SYMBOL_STATE && !primed && !(s->integral && s->integral->held);
    bool moves = s && s->kind == SLIP_SYMBOL_COORDINATE && !s->integrates && !(primed && s->held);
    if (moves && s->of_coordinate.turns) {
        slip_reader_error(r, key->where, NULL, "'%.80s' is part of an attitude: events cannot set it",
                          key->text);
        return NULL;
    }
    if (moves && s->from_outside) {
        slip_reader_error(r, key->where, "a mode can be set by events",
                          "'%.80s' is an input: it is set from outside", key->text);
        return NULL;
    }
    *rate = primed || state;
    if (state) return s->integral;
    if (moves) return s;
    slip_reader_error(r, key->where, "coordinates, rates, states and modes can be set",
                      "there is no coordinate, rate, state or mode '%.80s'", key->text);
    return NULL;
}

static void check_target_unit(slip_reader *r, const slip_yaml *node, const slip_dimension *own)
{
    char first[SLIP_UNIT_LENGTH], other[SLIP_UNIT_LENGTH];
    if (!slip_dimension_clash(own, &node->dimension)) return;
    slip_reader_error(r, node->where, NULL, "units do not match: '%.80s' is in %s, its new value in %s",
                      node->key->text, slip_dimension_phrase(own, first, sizeof first),
                      slip_dimension_phrase(&node->dimension, other, sizeof other));
}

static void read_assignment(slip_reader *r, slip_yaml *node, slip_model_event *w)
{
    bool rate = false;
    char what[160];
    slip_symbol *s = target_of(r, node->key, &rate);
    snprintf(what, sizeof what, "the new value of '%.100s'", node->key->text);
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_MOTION, .count = 1 };
    slip_assignment a = { .coordinate = s ? s->index : -1, .rate = rate };
    if (!slip_read_scalar(r, node, &wanted, &a.value) || !s) return;
    slip_symbol *state =
        s->integrates ? slip_lookup(r, s->of_coordinate.rate_name, strlen(s->of_coordinate.rate_name)) : NULL;
    const slip_dimension of_rate = slip_dimension_rate(&s->value.dimension);
    check_target_unit(r, node, state ? &state->value.dimension : rate ? &of_rate : &s->value.dimension);
    a.name = rate ? s->of_coordinate.rate_name : s->name;
    w->assignments[w->assignment_count++] = a;
}

// ---------------------------------------------------------------------------------------------- events

static void read_when(slip_reader *r, slip_yaml *node)
{
    slip_model_event w = { .condition.ref = SLIP_NONE, .guard.ref = SLIP_NONE, .margin = SLIP_NONE };
    const slip_yaml *key = node->key;
    if (!slip_formula_is_name(key->text, key->length)) {
        slip_reader_error(r, key->where, "a name is a letter or _, then letters, digits and _",
                          "'%.80s' cannot be the name of an event", key->text);
        return;
    }
    char what[160];
    snprintf(what, sizeof what, "the condition of event '%.100s'", key->text);
    slip_yaml *set = slip_reader_map(node, "set");
    bool good = read_condition(r, slip_reader_value(node, "condition"), what, &w);
    good &= read_guard(r, slip_reader_value(node, "guard"), key->text, &w);
    w.name = slip_reader_text(r, key->text, key->length);
    w.assignments = SLIP_READER_NEW(r, slip_assignment, set ? set->count : 0);
    for (slip_yaml *one = set ? set->first : NULL; one && !slip_reader_stopped(r); one = one->next)
        if (!one->bad) read_assignment(r, one, &w);
    if (good) r->model->whens[r->model->when_count++] = w;
}

void slip_read_model_events(slip_reader *r)
{
    slip_yaml *map = slip_reader_map(r->root, "when"), *run = slip_reader_map(r->root, "run");
    slip_yaml *stop = run ? slip_reader_value(run, "stop") : NULL;
    if (!map && !stop) return;
    r->model->whens = SLIP_READER_NEW(r, slip_model_event, (map ? map->count : 0) + 1);
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next)
        if (!node->bad) read_when(r, node);
    slip_model_event w = { .name = "stop", .stops = true, .guard.ref = SLIP_NONE };
    if (stop && !slip_reader_stopped(r) && read_condition(r, stop, "run.stop", &w))
        r->model->whens[r->model->when_count++] = w;
}
