/// model/reader/discrete_modes.c: values that stay as they are between events.
///
/// A mode is a coordinate that does not move: q' = 0 whatever u is, and no force acts on it. So every
/// formulation knows it, and gaps, masses and energies may depend on it. Its rate is the time of its last
/// change.
#include <stdio.h>
#include <string.h>

#include "model/reader/reader.h"

static void declare_since(slip_reader *r, slip_symbol *mode, slip_yaml *node)
{
    char name[200];
    snprintf(name, sizeof name, "%.180s.since", mode->name);
    slip_symbol *since = slip_declare_derived(r, SLIP_SYMBOL_STATE, name, node);
    if (!since) return;
    since->stage = SLIP_STAGE_DONE;
    since->integral = mode;
    mode->of_coordinate.rate_name = since->name;
}

slip_symbol *slip_declare_mode(slip_reader *r, slip_yaml *node, int index)
{
    slip_symbol *mode = slip_declare(r, SLIP_SYMBOL_COORDINATE, node->key, node);
    if (!mode) return NULL;
    mode->index = index;
    mode->stage = SLIP_STAGE_DONE;
    mode->held = true;
    declare_since(r, mode, node);
    return mode;
}

static int declare_all(slip_reader *r, const char *section, int coordinate_count)
{
    slip_yaml *map = slip_reader_map(r->root, section);
    bool inputs = strcmp(section, "inputs") == 0;
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next) {
        if (inputs && node->kind == SLIP_YAML_MAP) continue; // a function of the time
        slip_symbol *mode = slip_declare_mode(r, node, coordinate_count);
        if (mode) mode->from_outside = inputs, coordinate_count++;
    }
    return coordinate_count;
}

int slip_declare_modes(slip_reader *r, int coordinate_count)
{
    coordinate_count = declare_all(r, "inputs", declare_all(r, "modes", coordinate_count));
    return slip_declare_delays(r, slip_declare_controllers(r, coordinate_count));
}

void slip_read_mode(slip_reader *r, slip_symbol *s, slip_coordinate *c)
{
    c->is_held = c->is_state = true;
    c->is_input = s->from_outside;
    c->velocity = slip_graph_constant(r->model->graph, 0.0);
    if (c->velocity == SLIP_NONE) slip_reader_no_memory(r);
    c->rate_unit = s->delayed ? "" : "s";
    if (s->delayed) return;
    slip_yaml *start = s->node;
    if (s->sampled) start = start->kind == SLIP_YAML_MAP ? slip_reader_value(start, "start") : NULL;
    if (s->node->bad || !start) return;
    char what[160];
    snprintf(what, sizeof what, "the start of %s '%.120s'", s->from_outside ? "input" : "mode", s->name);
    slip_formula_spec wanted = { .what = what, .count = 1 };
    slip_value value;
    if (!slip_read_formula(r, start, &wanted, &value, NULL)) return;
    slip_evaluate_into(r, value.part[0], &c->start);
    s->value.dimension = value.dimension;
    c->unit = slip_reader_unit(r, &value.dimension);
}
