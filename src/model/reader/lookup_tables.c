/// model/reader/lookup_tables.c: the `tables:` section: functions of one or two variables by their values at points.
#include "model/reader/lookup_tables.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------ numbers

const double *slip_read_numbers(slip_reader *r, slip_yaml *list, const char *what, slip_dimension *dimension)
{
    double *numbers = SLIP_POOL_NEW(r->scratch, double, list->count);
    if (!numbers) slip_reader_no_memory(r);
    bool good = numbers != NULL;
    int at = 0;
    for (slip_yaml *item = list->first; item && numbers && !slip_reader_stopped(r); item = item->next) {
        slip_formula_spec wanted = { .what = what, .count = 1 };
        slip_value value;
        bool fine = slip_read_formula(r, item, &wanted, &value, NULL) &&
                    slip_evaluate(r, value.part[0], &numbers[at]);
        if (fine && dimension && !dimension->known) *dimension = value.dimension;
        good = good && fine;
        at++;
    }
    return good && !slip_reader_stopped(r) ? numbers : NULL;
}

bool slip_check_knots(slip_reader *r, const double *knot, int count, const slip_yaml *list,
                      const slip_csv *csv, const char *what)
{
    const slip_yaml *item = list && list->kind == SLIP_YAML_LIST ? list->first->next : list;
    for (int k = 1; k < count; k++) {
        slip_span where = csv ? slip_span_at(csv->file, csv->place[0][k], csv->length[k]) : item->where;
        if (!(knot[k] > knot[k - 1])) {
            slip_reader_error(r, where, NULL, "%s must increase, got %.9g after %.9g", what, knot[k],
                              knot[k - 1]);
            return false;
        }
        if (!csv) item = item->next;
    }
    if (count <= SLIP_MAX_KNOTS) return true;
    const slip_span where = list ? list->where : (slip_span){ csv->file, 0, 1 };
    slip_reader_error(r, where, NULL, "a table has at most %d points, this one %d", SLIP_MAX_KNOTS, count);
    return false;
}

void slip_read_interpolation(slip_reader *r, const slip_yaml *map, slip_table_data *t)
{
    static const char *const words[] = { "step", "linear", "spline" };
    slip_span where;
    const char *word = slip_read_word(r, map, "interpolation", &where);
    t->interpolation = SLIP_LINEAR;
    for (int k = 0; word && k < 3; k++)
        if (strcmp(word, words[k]) == 0) t->interpolation = (slip_interpolation)k, word = NULL;
    if (word) slip_reader_error(r, where, NULL, "interpolation is step, linear or spline, not '%.80s'", word);
    word = slip_read_word(r, map, "outside", &where);
    t->extends = word && strcmp(word, "extend") == 0;
    if (word && !t->extends && strcmp(word, "hold") != 0)
        slip_reader_error(r, where, NULL, "outside is hold or extend, not '%.80s'", word);
}

// ------------------------------------------------------------------------------------------------- sources

static void say_lengths(slip_reader *r, const slip_yaml *at, const char *what, int got, int expected)
{
    slip_reader_error(r, at->where, NULL, "%s has %d values, expected %d", what, got, expected);
}

// z: one list of values per knot of x
static const double *read_grid(slip_reader *r, slip_yaml *z, const slip_table_data *t,
                               slip_dimension *dimension)
{
    size_t width = (size_t)t->count[1];
    double *all = SLIP_POOL_NEW(r->scratch, double, (size_t)t->count[0] * width);
    if (!all) slip_reader_no_memory(r);
    if (z->count != t->count[0]) return say_lengths(r, z, "z", z->count, t->count[0]), NULL;
    int row = 0;
    for (slip_yaml *list = z->first; list && all; list = list->next, row++) {
        if (list->kind != SLIP_YAML_LIST || list->count != t->count[1])
            return say_lengths(r, list, "this row of z", list->kind == SLIP_YAML_LIST ? list->count : 1,
                               t->count[1]),
                   NULL;
        const double *numbers = slip_read_numbers(r, list, "a value of z", dimension);
        if (!numbers) return NULL;
        memcpy(all + (size_t)row * width, numbers, width * sizeof *all);
    }
    return all;
}

static bool read_lists(slip_reader *r, const slip_yaml *map, slip_table_data *t)
{
    slip_yaml *x = slip_reader_value(map, "x"), *y = slip_reader_value(map, "y"),
              *z = slip_reader_value(map, "z");
    if (!x || !y) {
        if (!slip_yaml_find(map, "x") || !slip_yaml_find(map, "y"))
            slip_reader_error(r, map->key->where, "{x: [0, 1, 2], y: [0, 3, 4]}",
                              "table '%.80s' needs x and y, or a file", map->key->text);
        return false;
    }
    t->axes = z ? 2 : 1;
    t->knot[0] = slip_read_numbers(r, x, "a value of x", &t->argument[0]);
    t->count[0] = x->count;
    const double *second = slip_read_numbers(r, y, "a value of y", z ? &t->argument[1] : &t->result);
    if (!t->knot[0] || !second || !slip_check_knots(r, t->knot[0], x->count, x, NULL, "x")) return false;
    if (!z && y->count != x->count) return say_lengths(r, y, "y", y->count, x->count), false;
    t->count[1] = z ? y->count : 1;
    t->knot[1] = second;
    if (z && !slip_check_knots(r, second, y->count, y, NULL, "y")) return false;
    t->value = z ? read_grid(r, z, t, &t->result) : second;
    return t->value != NULL;
}

// Three columns are a grid, row by row: x1 y1 z, x1 y2 z, ... x2 y1 z, ...
static bool fold_grid(slip_reader *r, const slip_csv *csv, slip_table_data *t)
{
    int width = 1;
    while (width < csv->rows && csv->value[0][width] == csv->value[0][0]) width++;
    double *x = SLIP_POOL_NEW(r->scratch, double, csv->rows);
    if (!x) return slip_reader_no_memory(r);
    for (int k = 0; k < csv->rows; k++) {
        int row = k / width;
        bool same =
            csv->value[1][k] == csv->value[1][k % width] && csv->value[0][k] == csv->value[0][row * width];
        bool more = k % width > 0 ? k >= width || csv->value[1][k] > csv->value[1][k - 1]
                                  : k == 0 || csv->value[0][k] > csv->value[0][k - 1];
        if (!same || !more || (k == csv->rows - 1 && (k + 1) % width != 0)) {
            const slip_span where = slip_span_at(csv->file, csv->place[0][k], csv->length[k]);
            slip_reader_error(r, where, NULL,
                              "this row breaks the grid: all y of the first x, then the same y of the next "
                              "x, both increasing");
            return false;
        }
        x[row] = csv->value[0][k];
    }
    *t = (slip_table_data){ .axes = 2,
                            .count = { csv->rows / width, width },
                            .knot = { x, csv->value[1] },
                            .value = csv->value[2],
                            .interpolation = t->interpolation,
                            .extends = t->extends };
    return true;
}

static bool read_table_file(slip_reader *r, const slip_yaml *map, const slip_yaml *file, slip_table_data *t)
{
    const slip_yaml *columns = slip_reader_value(map, "columns"), *names[3] = { NULL };
    int count = 0;
    for (const slip_yaml *item = columns ? columns->first : NULL; item && count < 3; item = item->next)
        names[count++] = item;
    if (!columns || columns->kind != SLIP_YAML_LIST || columns->count < 2 || columns->count > 3) {
        slip_reader_error(r, columns ? columns->where : file->where,
                          "columns: [x, y], or [x, y, z] for two variables",
                          "table '%.80s' has to say which columns it takes from the file", map->key->text);
        return false;
    }
    slip_csv csv = { 0 };
    if (!slip_csv_read(r, file, names, count, &csv)) return false;
    if (count == 3) return fold_grid(r, &csv, t);
    t->axes = 1;
    t->count[0] = csv.rows;
    t->count[1] = 1;
    t->knot[0] = csv.value[0];
    t->value = csv.value[1];
    return slip_check_knots(r, csv.value[0], csv.rows, NULL, &csv, "x");
}

// ------------------------------------------------------------------------------------------------- section

static void read_table(slip_reader *r, slip_symbol *s)
{
    const slip_yaml *map = s->node;
    slip_table_data *t = SLIP_POOL_NEW(r->scratch, slip_table_data, 1);
    if (!t) slip_reader_no_memory(r);
    s->stage = SLIP_STAGE_FAILED;
    if (!t || map->bad) return;
    const slip_yaml *file = slip_reader_value(map, "file");
    slip_read_interpolation(r, map, t);
    if (!(file ? read_table_file(r, map, file, t) : read_lists(r, map, t))) return;
    int least = t->interpolation == SLIP_STEPS ? 1 : 2;
    if (t->count[0] < least || (t->axes == 2 && t->count[1] < least)) {
        slip_reader_error(r, map->key->where, NULL, "table '%.80s' needs at least %d points", s->name, least);
        return;
    }
    if (t->axes == 2 && t->interpolation == SLIP_SPLINE) {
        slip_reader_error(r, map->key->where, "interpolation: linear",
                          "tables of two variables have no spline");
        return;
    }
    if (t->axes == 2 && (long)t->count[0] * t->count[1] > SLIP_MAX_KNOTS) {
        slip_reader_error(r, map->key->where, NULL, "a table has at most %d points, this one %ld",
                          SLIP_MAX_KNOTS, (long)t->count[0] * t->count[1]);
        return;
    }
    s->of_function.table = t;
    s->of_function.argument_count = t->axes;
    s->stage = SLIP_STAGE_DONE;
}

void slip_read_tables(slip_reader *r)
{
    slip_yaml *map = slip_reader_map(r->root, "tables");
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next) {
        slip_symbol *s = slip_declare(r, SLIP_SYMBOL_FUNCTION, node->key, node);
        if (s) read_table(r, s);
    }
}

bool slip_table_call(slip_reader *r, const slip_symbol *s, const slip_value *argument, slip_value *value,
                     char *problem)
{
    const slip_table_data *t = s->of_function.table;
    slip_ref refs[2] = { argument[0].part[0], t->axes == 2 ? argument[1].part[0] : SLIP_NONE };
    char first[SLIP_UNIT_LENGTH], other[SLIP_UNIT_LENGTH];
    for (int k = 0; k < t->axes; k++) {
        if (argument[k].count != 1) {
            snprintf(problem, SLIP_PROBLEM_LENGTH, "table '%.80s' takes one value, not two components",
                     s->name);
            return false;
        }
        if (!slip_dimension_clash(&t->argument[k], &argument[k].dimension)) continue;
        snprintf(problem, SLIP_PROBLEM_LENGTH,
                 "units do not match: table '%.80s' is over %s, and this is in %s", s->name,
                 slip_dimension_phrase(&t->argument[k], first, sizeof first),
                 slip_dimension_phrase(&argument[k].dimension, other, sizeof other));
        return false;
    }
    *value = slip_scalar(slip_table_node(r, t, refs));
    value->dimension = t->result;
    return value->part[0] != SLIP_NONE;
}
