/// model/reader/differential_inclusion.c: x' in Phi(t, x), with sgn and dio where they stand in the mathematics.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/reader/reader.h"

// a key x' or x'': the length of its name, and the number of quotes
static size_t split_primes(const slip_yaml *key, int *primes)
{
    size_t length = key->length;
    while (length > 0 && key->text[length - 1] == '\'') length--;
    *primes = (int)(key->length - length);
    return length;
}

static slip_symbol *declare_state(slip_reader *r, slip_yaml *node, int *order)
{
    size_t length = split_primes(node->key, order);
    if (*order < 1 || *order > 2) {
        int shown = length < 80 ? (int)length : 80;
        if (!node->bad)
            slip_reader_error(r, node->key->where, "x' is for a first-order, x'' for a second-order equation",
                              "expected %.*s' or %.*s'', got '%.80s'", shown, node->key->text, shown,
                              node->key->text, node->key->text);
        return NULL;
    }
    return slip_declare_part(r, SLIP_SYMBOL_STATE, node->key, length, node);
}

static slip_value make_state(slip_reader *r, const char *name, slip_span where)
{
    slip_model *m = r->model;
    slip_ref input = slip_graph_input(m->graph, name);
    if (input == SLIP_NONE) slip_reader_no_memory(r);
    m->states[m->state_count++] =
        (slip_inclusion_state){ .name = name, .unit = "", .where = where, .rate.ref = SLIP_NONE };
    return slip_scalar(input);
}

static void add_states(slip_reader *r, slip_symbol *s, int order)
{
    s->index = r->model->state_count;
    s->stage = SLIP_STAGE_DONE;
    s->value = make_state(r, s->name, s->node->key->where);
    if (order == 1) return;
    size_t length = strlen(s->name);
    char *rate = SLIP_READER_NEW(r, char, length + 2);
    if (!rate) return;
    memcpy(rate, s->name, length);
    rate[length] = '\'';
    s->rate = make_state(r, rate, s->node->key->where).part[0];
}

void slip_declare_inclusion(slip_reader *r)
{
    slip_yaml *map = slip_reader_map(r->root, "inclusion");
    if (!map) return;
    r->model->states = SLIP_READER_NEW(r, slip_inclusion_state, 2 * (size_t)map->count);
    for (slip_yaml *node = map->first; node && !slip_reader_stopped(r); node = node->next) {
        int order = 0;
        slip_symbol *s = declare_state(r, node, &order);
        if (s) add_states(r, s, order);
    }
}

static void read_equation(slip_reader *r, slip_symbol *s)
{
    slip_inclusion_state *x = &r->model->states[s->index];
    bool second = s->rate != SLIP_NONE;
    if (second) x[0].rate = (slip_formula){ s->rate, s->node->key->where };
    char what[160];
    snprintf(what, sizeof what, "the right-hand side of %.120s", s->node->key->text);
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_MOTION, .count = 1, .set_valued = true };
    slip_read_scalar(r, s->node, &wanted, &x[second].rate);
}

static slip_inclusion_state *find_state(slip_reader *r, const slip_yaml *key)
{
    int primes = 0;
    size_t length = split_primes(key, &primes);
    const slip_symbol *s = slip_lookup(r, key->text, length);
    if (s && s->stage == SLIP_STAGE_FAILED) return NULL;
    if (s && s->kind == SLIP_SYMBOL_STATE && (primes == 0 || (primes == 1 && s->rate != SLIP_NONE)))
        return &r->model->states[s->index + primes];
    enum { MAX_NAMES = 1000 };
    const char *names[MAX_NAMES] = { NULL };
    int count = 0;
    for (; count < r->model->state_count && count < MAX_NAMES; count++)
        names[count] = r->model->states[count].name;
    char hint[200];
    slip_suggest_name(key->text, names, count, hint, (int)sizeof hint);
    slip_reader_error(r, key->where, hint, "there is no state '%.80s'", key->text);
    return NULL;
}

// x from its own start, or from that of x'
static void read_unit(slip_reader *r, const slip_yaml *node)
{
    int primes = 0;
    size_t length = split_primes(node->key, &primes);
    slip_symbol *s = slip_lookup(r, node->key->text, length);
    slip_dimension own = node->dimension, second = slip_dimension_read("s", SLIP_GIVEN_UNIT);
    if (!s || s->kind != SLIP_SYMBOL_STATE || !own.known) return;
    if (primes) own = slip_dimension_product(&own, &second, 1.0);
    s->value.dimension = own;
    const slip_dimension rate = slip_dimension_rate(&own);
    r->model->states[s->index].unit = slip_reader_unit(r, &s->value.dimension);
    if (s->rate != SLIP_NONE) r->model->states[s->index + 1].unit = slip_reader_unit(r, &rate);
}

void slip_read_inclusion_start(slip_reader *r)
{
    slip_yaml *map = slip_reader_map(r->root, "start");
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next) {
        if (node->bad || strchr(node->key->text, '.')) continue; // states of elements: element_starts.c
        slip_inclusion_state *state = find_state(r, node->key);
        char what[160];
        snprintf(what, sizeof what, "the start of '%.120s'", node->key->text);
        slip_formula_spec wanted = { .what = what, .count = 1 };
        slip_value value;
        if (slip_read_formula(r, node, &wanted, &value, NULL) && state)
            slip_evaluate_into(r, value.part[0], &state->start);
        read_unit(r, node);
    }
}

// constants of one definition, which must hold an element
static void read_element_constants(slip_reader *r, slip_yaml *node)
{
    slip_symbol *s = slip_reference(r, SLIP_SYMBOL_DEFINITION, node->key, "definition");
    if (!s || s->stage == SLIP_STAGE_FAILED) return;
    s->used = true;
    if (!slip_is_set_valued(r, s->value)) {
        slip_reader_error(r, node->key->where, NULL, "definition '%.80s' has no sgn and no dio", s->name);
        return;
    }
    char of[160];
    snprintf(of, sizeof of, "'%.120s'", s->name);
    slip_inclusion_constants *c = &r->model->constants[r->model->constants_count++];
    *c = (slip_inclusion_constants){ .name = s->name, .where = node->key->where };
    slip_read_dai(r, node, "dai.*", of, &c->dai);
}

static void read_constants(slip_reader *r)
{
    slip_yaml *map = slip_reader_map(r->root, "dai");
    if (!map) return;
    slip_model *m = r->model;
    m->constants = SLIP_READER_NEW(r, slip_inclusion_constants, (size_t)map->count + 1);
    if (!m->constants) return;
    m->constants[m->constants_count++] = (slip_inclusion_constants){ .where = map->key->where };
    slip_read_dai(r, map, "dai", NULL, &m->constants[0].dai);
    for (slip_yaml *node = map->first; node && !slip_reader_stopped(r); node = node->next)
        if (node->kind == SLIP_YAML_MAP && !node->bad) read_element_constants(r, node);
}

void slip_read_inclusion(slip_reader *r)
{
    for (size_t k = 0; k < r->symbol_count && !slip_reader_stopped(r); k++)
        if (r->symbols[k]->kind == SLIP_SYMBOL_STATE) read_equation(r, r->symbols[k]);
    if (!slip_reader_stopped(r)) read_constants(r);
}
