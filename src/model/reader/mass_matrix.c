/// model/reader/mass_matrix.c: the kinetic energy, or the mass matrix instead of it.
#include <stdio.h>
#include <stdlib.h>

#include "model/reader/reader.h"

// A coordinate whose rate does not enter the kinetic energy has no mass.
static void check_kinetic(slip_reader *r, const slip_formula *kinetic)
{
    slip_partial *partials = NULL;
    int count = slip_graph_gradient(r->model->graph, kinetic->ref, &partials);
    if (count < 0) slip_reader_no_memory(r);
    int n = r->model->mass_coordinate_count, first = 1 + r->model->coordinate_count, at = 0;
    while (at < count && partials[at].input < first) at++;
    for (int k = 0; k < n && count >= 0; k++) {
        if (at < count && partials[at].input == first + k) {
            at++;
            continue;
        }
        const char *name = r->model->coordinates[k].name;
        slip_reader_error(r, kinetic->where, NULL,
                          "coordinate '%.80s' has no mass: %.80s' does not appear in the kinetic energy",
                          name, name);
    }
    free(partials);
}

static void read_energy(slip_reader *r, slip_yaml *energy, slip_yaml *mass)
{
    slip_model *m = r->model;
    slip_formula_spec kinetic = { .what = "the kinetic energy", .may_use = SLIP_USES_MECHANICS, .count = 1 };
    slip_formula_spec potential = { .what = "the potential energy",
                                    .may_use = SLIP_USES_POSITION,
                                    .count = 1 };
    slip_yaml *node = slip_yaml_find(energy, "kinetic");
    if (node && mass) {
        slip_reader_error(r, mass->key->where, "leave one of them out",
                          "masses are given twice: by 'mass' and by the kinetic energy");
        slip_reader_note(r, node->key->where, "the kinetic energy is here");
    }
    if (slip_read_scalar(r, node, &kinetic, &m->kinetic) && m->kinetic.ref != SLIP_NONE && !mass &&
        !r->bodies)
        check_kinetic(r, &m->kinetic);
    slip_read_scalar(r, slip_yaml_find(energy, "potential"), &potential, &m->potential);
}

static bool is_zero_node(const slip_graph *graph, slip_ref ref)
{
    slip_node node = slip_graph_node(graph, ref);
    return node.op == SLIP_OP_CONSTANT && node.value == 0.0;
}

static void add_mass(slip_reader *r, int row, int column, slip_formula value)
{
    if (row != column && is_zero_node(r->model->graph, value.ref)) return;
    r->model->mass[r->model->mass_count++] = (slip_mass_entry){ row, column, value };
}

static bool read_mass_entry(slip_reader *r, slip_yaml *node, int row, int column, slip_formula *value)
{
    char what[160];
    snprintf(what, sizeof what, "mass (%d, %d)", row + 1, column + 1);
    if (node->key) snprintf(what, sizeof what, "the mass of '%.120s'", node->key->text);
    slip_formula_spec wanted = { .what = what,
                                 .may_use = SLIP_USES_POSITION,
                                 .count = 1,
                                 .range = row == column ? &slip_bounds_positive : NULL };
    return slip_read_scalar(r, node, &wanted, value) && value->ref != SLIP_NONE;
}

static void read_mass_map(slip_reader *r, slip_yaml *mass)
{
    slip_model *m = r->model;
    bool *given = calloc((size_t)m->mass_coordinate_count + 1, sizeof *given);
    if (!given) {
        slip_reader_no_memory(r);
        return;
    }
    bool complete = true;
    for (slip_yaml *node = mass->first; node; node = node->next) {
        slip_symbol *s = slip_reference(r, SLIP_SYMBOL_COORDINATE, node->key, "coordinate");
        slip_formula value;
        if (!s) complete = false;
        if (!s) continue;
        given[s->index] = true;
        if (read_mass_entry(r, node, s->index, s->index, &value)) add_mass(r, s->index, s->index, value);
    }
    for (int k = 0; k < m->mass_coordinate_count && complete; k++)
        if (!given[k])
            slip_reader_error(r, mass->key->where, NULL, "coordinate '%.80s' has no mass",
                              m->coordinates[k].name);
    free(given);
}

static void read_mass_row(slip_reader *r, slip_yaml *row, int i, slip_ref *square)
{
    int n = r->model->mass_coordinate_count, j = 0;
    for (slip_yaml *node = row->first; node; node = node->next, j++) {
        slip_formula value;
        if (!read_mass_entry(r, node, i, j, &value)) continue;
        square[i * n + j] = value.ref;
        if (j <= i) add_mass(r, i, j, value);
        if (j < i && square[j * n + i] != SLIP_NONE && square[j * n + i] != value.ref)
            slip_reader_error(
                r, node->where, "write the same formula on both sides, or the lower triangle only",
                "'mass' is not symmetric: entry (%d, %d) differs from (%d, %d)", i + 1, j + 1, j + 1, i + 1);
    }
}

// a row of the lower triangle ends at the diagonal; a whole row must mirror it
static bool check_mass_shape(slip_reader *r, const slip_yaml *mass)
{
    int n = r->model->mass_coordinate_count, i = 0;
    if (mass->count != n) {
        slip_reader_error(r, mass->key->where, NULL, "'mass' has %d row%s for %d coordinate%s", mass->count,
                          mass->count == 1 ? "" : "s", n, n == 1 ? "" : "s");
        return false;
    }
    bool good = true;
    for (const slip_yaml *row = mass->first; row && !slip_reader_stopped(r); row = row->next, i++) {
        if (row->count == n || row->count == i + 1) continue;
        char triangle[60] = "";
        if (i + 1 < n) snprintf(triangle, sizeof triangle, ", or %d as a lower triangle", i + 1);
        slip_reader_error(r, row->where, NULL, "row %d of 'mass' has %d %s; expected %d%s", i + 1, row->count,
                          row->count == 1 ? "entry" : "entries", n, triangle);
        good = false;
    }
    return good;
}

static void read_mass_rows(slip_reader *r, slip_yaml *mass)
{
    int n = r->model->mass_coordinate_count, i = 0;
    slip_ref *square = malloc(((size_t)n * n + 1) * sizeof *square);
    if (!square) {
        slip_reader_no_memory(r);
        return;
    }
    for (int k = 0; k < n * n; k++) square[k] = SLIP_NONE;
    for (slip_yaml *row = mass->first; row && !slip_reader_stopped(r); row = row->next)
        read_mass_row(r, row, i++, square);
    free(square);
}

static void read_mass(slip_reader *r, slip_yaml *mass)
{
    slip_model *m = r->model;
    size_t n = (size_t)m->mass_coordinate_count;
    if (mass->kind == SLIP_YAML_LIST && !check_mass_shape(r, mass)) return;
    m->mass = SLIP_READER_NEW(r, slip_mass_entry, mass->kind == SLIP_YAML_MAP ? n : n * (n + 1) / 2);
    if (!m->mass) return;
    if (mass->kind == SLIP_YAML_MAP)
        read_mass_map(r, mass);
    else
        read_mass_rows(r, mass);
}

void slip_read_masses(slip_reader *r)
{
    slip_model *m = r->model;
    m->kinetic.ref = m->potential.ref = SLIP_NONE;
    slip_yaml *energy = slip_yaml_find(r->root, "energy"), *mass = slip_yaml_find(r->root, "mass");
    bool energy_bad = energy && energy->bad;
    if (energy && !energy_bad) read_energy(r, energy, mass);
    if (mass && r->bodies) {
        slip_reader_error(r, mass->key->where, "energy: {kinetic: ...} adds to that of the bodies",
                          "bodies have their own masses; a 'mass' matrix cannot be added to them");
        return;
    }
    if (mass && !mass->bad) read_mass(r, mass);
    bool kinetic = slip_yaml_find(energy, "kinetic") ||
                   slip_schema_misspelt(&r->schema, energy, "energy", "kinetic") || energy_bad;
    bool misspelt = slip_schema_misspelt(&r->schema, r->root, "", "energy") ||
                    slip_schema_misspelt(&r->schema, r->root, "", "mass");
    slip_yaml *coordinates = slip_reader_map(r->root, "coordinates");
    if (kinetic || mass || misspelt || !coordinates || r->bodies) return;
    slip_reader_error(r, energy ? energy->key->where : coordinates->key->where,
                      "energy: {kinetic: 0.5*m*x'^2}, or  mass: {x: m}", "the coordinates have no masses");
}
