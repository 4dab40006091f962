/// model/reader/distributions.c: the `distributions:` section: how parameters vary from one specimen to the next.
#include "model/reader/reader.h"

static const char *const kinds[] = { "uniform", "normal", "log" };
enum { DISTRIBUTION_KINDS = 3 };

// the one distribution of a parameter; its list, or NULL after a mistake
static slip_yaml *find_kind(slip_reader *r, const slip_yaml *map, slip_distribution_kind *kind)
{
    slip_yaml *list = NULL;
    int given = 0;
    for (int k = 0; k < DISTRIBUTION_KINDS; k++) {
        slip_yaml *found = slip_reader_value(map, kinds[k]);
        if (!found) continue;
        *kind = (slip_distribution_kind)k, list = found, given++;
    }
    if (given == 1) return list;
    const bool said = map->kind != SLIP_YAML_MAP || (!given && map->count > 0); // by the check of keys
    if (!said)
        slip_reader_error(r, map->key->where, "{normal: [0.3, 0.05]} or {uniform: [0.2, 0.4]}",
                          "the distribution of '%.80s' has %s, expected one of uniform, normal and log",
                          map->key->text, given ? "several distributions" : "no distribution");
    return NULL;
}

static bool check_distribution(slip_reader *r, const slip_yaml *list, const slip_distribution *d)
{
    const char *wrong = NULL;
    if (d->kind == SLIP_DISTRIBUTION_NORMAL && !(d->b >= 0.0))
        wrong = "a standard deviation must not be negative";
    if (d->kind != SLIP_DISTRIBUTION_NORMAL && !(d->a <= d->b)) wrong = "the least value comes first";
    if (d->kind == SLIP_DISTRIBUTION_LOG_UNIFORM && !(d->a > 0.0))
        wrong = "a parameter whose logarithm is uniform must be > 0";
    if (!wrong) return true;
    slip_reader_error(r, list->where, NULL, "%s, got [%.9g, %.9g]", wrong, d->a, d->b);
    return false;
}

// in the unit of the parameter, or of the number before it
static bool read_number(slip_reader *r, slip_yaml *item, const char *of, slip_dimension *unit, double *number)
{
    const slip_formula_spec wanted = { .what = "a number of a distribution", .count = 1 };
    slip_value value;
    char text[2][64];
    if (!slip_read_formula(r, item, &wanted, &value, NULL) || !slip_evaluate(r, value.part[0], number))
        return false;
    if (slip_dimension_clash(unit, &value.dimension)) {
        slip_reader_error(r, item->where, NULL, "the distribution of '%.80s' is in %s, this number in %s", of,
                          slip_dimension_phrase(unit, text[0], sizeof text[0]),
                          slip_dimension_phrase(&value.dimension, text[1], sizeof text[1]));
        return false;
    }
    *unit = slip_dimension_sum(unit, &value.dimension);
    return true;
}

static void read_one(slip_reader *r, const slip_yaml *map)
{
    slip_model *m = r->model;
    slip_distribution d = { 0 };
    const slip_symbol *s = slip_reference(r, SLIP_SYMBOL_PARAMETER, map->key, "parameter");
    slip_yaml *list = s ? find_kind(r, map, &d.kind) : NULL;
    if (!list) return;
    if (list->count != 2) {
        slip_reader_error(r, list->where,
                          d.kind == SLIP_DISTRIBUTION_NORMAL ? "[mean, deviation]" : "[least, greatest]",
                          "%s takes two numbers, got %d", kinds[d.kind], list->count);
        return;
    }
    d.key = s->name;
    slip_dimension unit = s->value.dimension;
    if (read_number(r, list->first, d.key, &unit, &d.a) &&
        read_number(r, list->first->next, d.key, &unit, &d.b) && check_distribution(r, list, &d))
        m->spreads[m->spread_count++] = d;
}

void slip_read_spreads(slip_reader *r)
{
    slip_yaml *section = slip_reader_map(r->root, "distributions");
    if (!section) return;
    r->model->spreads = SLIP_READER_NEW(r, slip_distribution, section->count);
    for (slip_yaml *map = section->first; map && r->model->spreads && !slip_reader_stopped(r);
         map = map->next)
        read_one(r, map);
}
