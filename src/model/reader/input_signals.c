/// model/reader/input_signals.c: the `inputs:` section: values from outside.
///
/// A constant is a mode that whoever runs the model sets; a column of a file or a list of points is a
/// function of the time.
#include <stdio.h>
#include <string.h>

#include "model/reader/lookup_tables.h"

static bool read_points(slip_reader *r, const slip_yaml *map, slip_table_data *t)
{
    slip_yaml *times = slip_reader_value(map, "t"), *values = slip_reader_value(map, "value");
    if (!times || !values) {
        if (!slip_yaml_find(map, "t") || !slip_yaml_find(map, "value"))
            slip_reader_error(r, map->key->where,
                              "{t: [0, 1], value: [0, 5]}, or {file: data.csv, column: force}",
                              "input '%.80s' needs t and value, or a file", map->key->text);
        return false;
    }
    slip_dimension ignored = { 0 };
    t->knot[0] = slip_read_numbers(r, times, "a time", &ignored);
    t->value = slip_read_numbers(r, values, "a value", &t->result);
    t->count[0] = times->count;
    if (!t->knot[0] || !t->value) return false;
    if (values->count == times->count) return slip_check_knots(r, t->knot[0], times->count, times, NULL, "t");
    slip_reader_error(r, values->where, NULL, "value has %d values, expected %d", values->count,
                      times->count);
    return false;
}

static bool read_column(slip_reader *r, const slip_yaml *map, const slip_yaml *file, slip_table_data *t)
{
    const slip_yaml *column = slip_reader_value(map, "column");
    if (!column) {
        slip_reader_error(r, map->key->where, "column: force",
                          "input '%.80s' has to say which column of the file it is", map->key->text);
        return false;
    }
    const slip_yaml *const names[] = { slip_reader_value(map, "time"), column };
    slip_csv csv = { 0 };
    if (!slip_csv_read(r, file, names, 2, &csv)) return false;
    t->knot[0] = csv.value[0];
    t->value = csv.value[1];
    t->count[0] = csv.rows;
    return slip_check_knots(r, csv.value[0], csv.rows, NULL, &csv, "times");
}

static void read_signal(slip_reader *r, slip_symbol *s)
{
    const slip_yaml *map = s->node;
    slip_table_data t = { .axes = 1, .count = { 0, 1 } };
    s->stage = SLIP_STAGE_FAILED;
    s->used = true;
    if (map->bad) return;
    const slip_yaml *file = slip_reader_value(map, "file");
    slip_read_interpolation(r, map, &t);
    if (!(file ? read_column(r, map, file, &t) : read_points(r, map, &t))) return;
    if (t.interpolation != SLIP_STEPS && t.count[0] < 2) {
        slip_reader_error(r, map->key->where, NULL, "input '%.80s' needs at least 2 points", s->name);
        return;
    }
    s->value = slip_scalar(slip_table_node(r, &t, &r->t));
    s->value.dimension = t.result;
    s->uses = SLIP_USES_TIME;
    if (s->value.part[0] != SLIP_NONE) s->stage = SLIP_STAGE_DONE;
}

void slip_read_signals(slip_reader *r)
{
    slip_yaml *map = slip_reader_map(r->root, "inputs");
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next) {
        if (node->kind != SLIP_YAML_MAP) continue; // a mode
        slip_symbol *s = slip_declare(r, SLIP_SYMBOL_DEFINITION, node->key, node);
        if (s) read_signal(r, s);
    }
}
