/// model/reader/controllers_section.c: the `controllers:` section: memory and outputs that change at sample times alone.
#include <stdio.h>
#include <string.h>

#include "model/reader/reader.h"

// ------------------------------------------------------------------------------------------------- names

// a mode of each name of a section of a controller; the number of coordinates with them
static int declare_section(slip_reader *r, slip_yaml *controller, const char *section, int coordinate_count)
{
    slip_yaml *map = slip_reader_map(controller, section);
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next) {
        slip_symbol *s = slip_declare_mode(r, node, coordinate_count);
        if (s) s->sampled = true, coordinate_count++;
    }
    return coordinate_count;
}

int slip_declare_controllers(slip_reader *r, int coordinate_count)
{
    slip_yaml *map = slip_reader_map(r->root, "controllers");
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next) {
        coordinate_count = declare_section(r, node, "memory", coordinate_count);
        coordinate_count = declare_section(r, node, "outputs", coordinate_count);
    }
    return coordinate_count;
}

// ---------------------------------------------------------------------------------------------- numbers

static double read_number(slip_reader *r, const slip_yaml *map, const char *key, const slip_bounds *range)
{
    char what[160];
    slip_yaml *node = slip_reader_value(map, key);
    snprintf(what, sizeof what, "the %s of controller '%.80s'", key, map->key->text);
    slip_formula_spec wanted = { .what = what, .count = 1, .range = range };
    slip_value value;
    double number = 0.0;
    if (node && slip_read_formula(r, node, &wanted, &value, NULL)) slip_evaluate(r, value.part[0], &number);
    return number;
}

// a sample is put out before the next one is taken
static void check_times(slip_reader *r, const slip_yaml *map, const slip_controller *c)
{
    if (!(c->period > 0.0) || c->delay + c->jitter < c->period) return;
    const slip_yaml *at = slip_yaml_find(map, c->delay > 0.0 ? "delay" : "jitter");
    slip_reader_error(r, at->where, NULL,
                      "the delay and the jitter of controller '%.80s', %.6g s together, must be shorter than "
                      "its period, %.6g s",
                      c->name, c->delay + c->jitter, c->period);
}

static void read_times(slip_reader *r, const slip_yaml *map, slip_controller *c)
{
    c->period = read_number(r, map, "period", &slip_bounds_positive);
    c->first = read_number(r, map, "first", &slip_bounds_nonnegative);
    c->delay = read_number(r, map, "delay", &slip_bounds_nonnegative);
    c->jitter = read_number(r, map, "jitter", &slip_bounds_nonnegative);
    double seed = read_number(r, map, "seed", &slip_bounds_nonnegative);
    c->seed = seed < 4294967295.0 ? (unsigned)seed : 0u;
    check_times(r, map, c);
}

// ---------------------------------------------------------------------------------------------- formulas

static void read_values(slip_reader *r, const slip_yaml *controller, const char *section, slip_controller *c,
                        int *count)
{
    slip_yaml *map = slip_reader_map(controller, section);
    bool memory = strcmp(section, "memory") == 0;
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next) {
        const slip_symbol *s = node->bad ? NULL : slip_lookup(r, node->key->text, node->key->length);
        slip_yaml *formula = memory && !node->bad ? slip_reader_value(node, "next") : node;
        char what[160];
        snprintf(what, sizeof what, "%s '%.100s'", memory ? "the next value of" : "output", node->key->text);
        slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_MOTION, .count = 1 };
        slip_assignment a = { .name = s ? s->name : "", .coordinate = s ? s->index : -1 };
        if (!s || !s->sampled || !formula || !slip_read_scalar(r, formula, &wanted, &a.value)) continue;
        c->assignments[c->memory_count + c->output_count] = a;
        ++*count;
    }
}

static int count_of(const slip_yaml *map, const char *section)
{
    const slip_yaml *in = slip_reader_map(map, section);
    return in ? in->count : 0;
}

void slip_read_controllers(slip_reader *r)
{
    slip_model *m = r->model;
    slip_yaml *map = slip_reader_map(r->root, "controllers");
    if (!map) return;
    m->controllers = SLIP_READER_NEW(r, slip_controller, map->count);
    for (slip_yaml *node = map->first; node && !slip_reader_stopped(r); node = node->next) {
        if (node->bad) continue;
        slip_controller c = { .name = slip_reader_text(r, node->key->text, node->key->length) };
        c.assignments =
            SLIP_READER_NEW(r, slip_assignment, count_of(node, "memory") + count_of(node, "outputs"));
        read_times(r, node, &c);
        if (c.assignments) read_values(r, node, "memory", &c, &c.memory_count);
        if (c.assignments) read_values(r, node, "outputs", &c, &c.output_count);
        m->controllers[m->controller_count++] = c;
    }
}
