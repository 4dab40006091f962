/// model/bodies/material_pairs.c: what pairs of materials say about contacts that are found.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/bodies/rigid_bodies.h"
#include "model/detect_model.h"

static int material_index(const slip_yaml *materials, const char *name)
{
    int k = 0;
    for (const slip_yaml *node = materials ? materials->first : NULL; node; node = node->next, k++)
        if (strcmp(node->key->text, name) == 0) return k;
    return -1;
}

static void say_unknown(slip_reader *r, const slip_yaml *materials, slip_span where, const char *name)
{
    enum { MAX_NAMES = 200 };
    const char *names[MAX_NAMES] = { "" };
    int count = 0;
    for (const slip_yaml *node = materials ? materials->first : NULL; node && count < MAX_NAMES;
         node = node->next)
        names[count++] = node->key->text;
    char hint[200];
    slip_suggest_name(name, names, count, hint, (int)sizeof hint);
    slip_reader_error(r, where, count ? hint : "materials: {steel: {steel: {friction: 0.2}}}",
                      "there is no material '%.60s'", name);
}

int slip_material_of(slip_reader *r, const slip_yaml *body)
{
    const slip_yaml *materials = slip_reader_map(r->root, "materials");
    const slip_yaml *node = body ? slip_reader_value(body, "material") : NULL;
    if (!node) return -1;
    const int k = material_index(materials, node->text);
    if (k < 0) say_unknown(r, materials, node->where, node->text);
    return k;
}

// a number of a pair, in both places; false when it was there already
static bool store_pair_value(slip_reader *r, const slip_yaml *pair, const char *key, int n, int i, int j,
                             double *table)
{
    char of[160];
    double value;
    snprintf(of, sizeof of, "the pair of materials '%.60s'", pair->key->text);
    slip_read_constant(r, pair, "materials.*.*", key, of, NAN, &value);
    const bool new = isnan(table[n * i + j]);
    table[n * i + j] = table[n * j + i] = value;
    return new;
}

const char *slip_contact_couple_key(int kind)
{
    return kind ? "spinning" : "rolling";
}

void slip_refuse_spinning_friction(slip_reader *r, const slip_yaml *node)
{
    const slip_yaml *found = slip_yaml_find(node, "spinning");
    if (found && slip_dimensions(r) == 2)
        slip_reader_error(r, found->key->where, "space: 3 is for bodies in space",
                          "in the plane no body turns about the normal of a contact");
}

static void read_pair(slip_reader *r, slip_detect_model *crowd, const slip_yaml *pair, int i, int j)
{
    const int n = crowd->material_count;
    bool new = store_pair_value(r, pair, "friction", n, i, j, crowd->friction);
    new = store_pair_value(r, pair, "static", n, i, j, crowd->at_rest) && new;
    new = store_pair_value(r, pair, "restitution", n, i, j, crowd->restitution) && new;
    for (int k = 0; k < 2; k++)
        new = store_pair_value(r, pair, slip_contact_couple_key(k), n, i, j, crowd->resistance[k]) && new;
    slip_refuse_spinning_friction(r, pair);
    if (!new)
        slip_reader_error(r, pair->key->where, "each pair is given once, under either of the two",
                          "this pair of materials was given before");
    const double sliding = crowd->friction[n * i + j], at_rest = crowd->at_rest[n * i + j];
    if (at_rest < sliding)
        slip_reader_error(
            r, slip_yaml_find(pair, "static")->where, NULL,
            "static friction of the pair of materials '%.60s', %g, is below its sliding friction, %g",
            pair->key->text, at_rest, sliding);
}

void slip_read_materials(slip_reader *r, slip_detect_model *crowd)
{
    const slip_yaml *materials = slip_reader_map(r->root, "materials");
    const int n = materials ? materials->count : 0;
    r->all_shape = r->all_shape || n > 0; // its numbers stand where no variation copies them
    if (!n) return;
    crowd->material_count = n;
    double **const tables[] = { &crowd->friction, &crowd->at_rest, &crowd->restitution, &crowd->resistance[0],
                                &crowd->resistance[1] };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        double *table = *tables[t] = SLIP_READER_NEW(r, double, n *n);
        if (!table) return;
        for (int k = 0; k < n * n; k++) table[k] = NAN;
    }
    int i = 0;
    for (const slip_yaml *node = materials->first; node; node = node->next, i++)
        for (const slip_yaml *pair = node->bad ? NULL : node->first; pair; pair = pair->next) {
            const int j = material_index(materials, pair->key->text);
            if (j < 0)
                say_unknown(r, materials, pair->key->where, pair->key->text);
            else if (!pair->bad)
                read_pair(r, crowd, pair, i, j);
        }
}
