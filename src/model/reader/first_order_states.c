/// model/reader/first_order_states.c: first-order states of a mechanical model, z' = f(t, q, u, z).
///
/// A state is the rate of a coordinate that nothing else depends on, its integral over time: unit mass, force
/// f. So every formulation knows it, an impact leaves it alone, and what depends on it may depend on rates.
#include <stdio.h>
#include <string.h>

#include "model/reader/reader.h"

static slip_symbol *declare_integral(slip_reader *r, const slip_symbol *state, slip_yaml *node, int index)
{
    char name[200];
    snprintf(name, sizeof name, "%.180s.integral", state->name);
    slip_symbol *s = slip_declare_derived(r, SLIP_SYMBOL_COORDINATE, name, node);
    if (!s) return NULL;
    s->index = index;
    s->stage = SLIP_STAGE_DONE;
    s->of_coordinate.rate_name = state->name;
    s->integrates = true;
    return s;
}

int slip_declare_states(slip_reader *r, int coordinate_count)
{
    slip_yaml *map = slip_reader_map(r->root, "states");
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next) {
        slip_symbol *state = slip_declare(r, SLIP_SYMBOL_STATE, node->key, node);
        if (!state) continue;
        state->stage = SLIP_STAGE_DONE;
        state->integral = declare_integral(r, state, node, coordinate_count);
        if (state->integral) coordinate_count++;
    }
    return coordinate_count;
}

void slip_place_states(slip_reader *r)
{
    for (size_t k = 0; k < r->symbol_count; k++) {
        slip_symbol *s = r->symbols[k];
        if (s->kind == SLIP_SYMBOL_STATE && s->integral) s->value = slip_symbol_rate(s->integral);
    }
}

void slip_read_state(slip_reader *r, const slip_symbol *s, slip_coordinate *c)
{
    c->is_state = true;
    if (s->node->bad) return;
    char of[160], what[200];
    snprintf(of, sizeof of, "state '%.120s'", s->of_coordinate.rate_name);
    snprintf(what, sizeof what, "the rate of %s", of);
    slip_read_constant(r, s->node, "states.*", "start", of, 0.0, &c->rate);
    const slip_yaml *start = slip_yaml_find(s->node, "start");
    slip_symbol *state = slip_lookup(r, s->of_coordinate.rate_name, strlen(s->of_coordinate.rate_name));
    if (start && state) state->value.dimension = start->dimension;
    if (start) c->rate_unit = slip_reader_unit(r, &start->dimension);
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_MOTION, .count = 1 };
    slip_read_scalar(r, slip_yaml_find(s->node, "rate"), &wanted, &r->model->forces[s->index]);
}
