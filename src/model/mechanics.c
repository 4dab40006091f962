/// model/mechanics.c: coordinates, energies, masses, forces, contacts, frictions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/loader.h"

// ----------------------------------------------------------------------------------------- names

// the good children of a map that become symbols of one kind, in order
static int declare_all(slip_loader *r, slip_symbol_kind kind, const char *section, int first_index)
{
    slip_yaml *map = slip_loader_map(r->root, section);
    int count = 0;
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_loader_stopped(r); node = node->next) {
        slip_symbol *s = slip_declare(r, kind, node->key, node);
        if (!s) continue;
        s->index = first_index + count++;
        s->stage = node->bad && kind != SLIP_SYMBOL_COORDINATE ? SLIP_FAILED : SLIP_DONE;
    }
    return count;
}

// inputs of the graph: coordinates, then their rates
static void make_inputs(slip_loader *r)
{
    slip_graph *graph = r->model->graph;
    for (int rates = 0; rates < 2; rates++) {
        for (size_t k = 0; k < r->symbol_count && !slip_loader_stopped(r); k++) {
            slip_symbol *s = r->symbols[k];
            if (s->kind != SLIP_SYMBOL_COORDINATE) continue;
            char name[200];
            snprintf(name, sizeof name, "%.190s%s", s->name, rates ? "'" : "");
            slip_ref node = slip_graph_input(graph, name);
            if (node == SLIP_NONE) slip_loader_no_memory(r);
            *(rates ? &s->rate : &s->value) = (slip_value){ 1, { node, SLIP_NONE } };
        }
    }
}

void slip_declare_mechanics(slip_loader *r)
{
    slip_model *m = r->model;
    m->coordinate_count = declare_all(r, SLIP_SYMBOL_COORDINATE, "coordinates", 0);
    m->contact_count = declare_all(r, SLIP_SYMBOL_CONTACT, "contacts", 0);
    m->friction_count = declare_all(r, SLIP_SYMBOL_FRICTION, "frictions", m->contact_count);
    m->constraint_count = declare_all(r, SLIP_SYMBOL_CONSTRAINT, "constraints", 0);
    make_inputs(r);
    m->coordinates = SLIP_LOADER_NEW(r, slip_coordinate, m->coordinate_count);
    m->contacts = SLIP_LOADER_NEW(r, slip_contact, m->contact_count);
    m->frictions = SLIP_LOADER_NEW(r, slip_friction, m->friction_count);
    m->constraints = SLIP_LOADER_NEW(r, slip_constraint, m->constraint_count);
    m->forces = SLIP_LOADER_NEW(r, slip_formula, m->coordinate_count);
    for (int k = 0; m->forces && k < m->coordinate_count; k++) m->forces[k].ref = SLIP_NONE;
}

static void read_coordinate(slip_loader *r, const slip_symbol *s)
{
    slip_coordinate *c = &r->model->coordinates[s->index];
    *c = (slip_coordinate){ .name = s->name, .where = s->node->key->where };
    char of[160];
    snprintf(of, sizeof of, "coordinate '%.120s'", s->name);
    if (s->node->bad) return;
    if (s->node->kind == SLIP_YAML_MAP) {
        slip_read_constant(r, s->node, "coordinates.*", "start", of, 0.0, &c->start);
        slip_read_constant(r, s->node, "coordinates.*", "rate", of, 0.0, &c->rate);
        return;
    }
    char what[200];
    snprintf(what, sizeof what, "the start of %s", of);
    slip_wanted wanted = { .what = what, .count = 1 };
    slip_value value;
    if (slip_read_formula(r, s->node, &wanted, &value, NULL)) slip_evaluate(r, value.part[0], &c->start);
}

// ---------------------------------------------------------------------------------------- masses

// A coordinate whose rate does not enter the kinetic energy has no mass.
static void check_kinetic(slip_loader *r, const slip_formula *kinetic)
{
    slip_partial *partials = NULL;
    int count = slip_graph_gradient(r->model->graph, kinetic->ref, &partials);
    if (count < 0) slip_loader_no_memory(r);
    int n = r->model->coordinate_count, at = 0;
    while (at < count && partials[at].input < 1 + n) at++;
    for (int k = 0; k < n && count >= 0; k++) {
        if (at < count && partials[at].input == 1 + n + k) {
            at++;
            continue;
        }
        const char *name = r->model->coordinates[k].name;
        slip_loader_error(r, kinetic->where, NULL,
                          "coordinate '%.80s' has no mass: %.80s' does not appear in the kinetic energy",
                          name, name);
    }
    free(partials);
}

static void read_energy(slip_loader *r, slip_yaml *energy, slip_yaml *mass)
{
    slip_model *m = r->model;
    slip_wanted kinetic = { .what = "the kinetic energy", .may_use = SLIP_USES_MOTION, .count = 1 };
    slip_wanted potential = { .what = "the potential energy", .may_use = SLIP_USES_POSITION, .count = 1 };
    slip_yaml *node = slip_yaml_find(energy, "kinetic");
    if (node && mass) {
        slip_loader_error(r, mass->key->where, "leave one of them out",
                          "masses are given twice: by 'mass' and by the kinetic energy");
        slip_loader_note(r, node->key->where, "the kinetic energy is here");
    }
    if (slip_read_scalar(r, node, &kinetic, &m->kinetic) && m->kinetic.ref != SLIP_NONE && !mass)
        check_kinetic(r, &m->kinetic);
    slip_read_scalar(r, slip_yaml_find(energy, "potential"), &potential, &m->potential);
}

static bool is_zero(const slip_graph *graph, slip_ref ref)
{
    slip_node node = slip_graph_node(graph, ref);
    return node.op == SLIP_OP_CONSTANT && node.value == 0.0;
}

static void add_mass(slip_loader *r, int row, int column, slip_formula value)
{
    if (row != column && is_zero(r->model->graph, value.ref)) return;
    r->model->mass[r->model->mass_count++] = (slip_mass_entry){ row, column, value };
}

static bool read_mass_entry(slip_loader *r, slip_yaml *node, int row, int column, slip_formula *value)
{
    char what[160];
    snprintf(what, sizeof what, "mass (%d, %d)", row + 1, column + 1);
    if (node->key) snprintf(what, sizeof what, "the mass of '%.120s'", node->key->text);
    slip_wanted wanted = { .what = what,
                           .may_use = SLIP_USES_POSITION,
                           .count = 1,
                           .range = row == column ? SLIP_RANGE_POSITIVE : SLIP_RANGE_ANY_VALUE };
    return slip_read_scalar(r, node, &wanted, value) && value->ref != SLIP_NONE;
}

static void read_mass_map(slip_loader *r, slip_yaml *mass)
{
    slip_model *m = r->model;
    bool *given = calloc((size_t)m->coordinate_count + 1, sizeof *given);
    if (!given) {
        slip_loader_no_memory(r);
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
    for (int k = 0; k < m->coordinate_count && complete; k++)
        if (!given[k])
            slip_loader_error(r, mass->key->where, NULL, "coordinate '%.80s' has no mass",
                              m->coordinates[k].name);
    free(given);
}

static void read_mass_row(slip_loader *r, slip_yaml *row, int i, slip_ref *square)
{
    int n = r->model->coordinate_count, j = 0;
    for (slip_yaml *node = row->first; node; node = node->next, j++) {
        slip_formula value;
        if (!read_mass_entry(r, node, i, j, &value)) continue;
        square[i * n + j] = value.ref;
        if (j <= i) add_mass(r, i, j, value);
        if (j < i && square[j * n + i] != SLIP_NONE && square[j * n + i] != value.ref)
            slip_loader_error(
                r, node->where, "write the same formula on both sides, or the lower triangle only",
                "'mass' is not symmetric: entry (%d, %d) differs from (%d, %d)", i + 1, j + 1, j + 1, i + 1);
    }
}

// a row of the lower triangle ends at the diagonal; a whole row must mirror it
static bool check_mass_shape(slip_loader *r, const slip_yaml *mass)
{
    int n = r->model->coordinate_count, i = 0;
    if (mass->count != n) {
        slip_loader_error(r, mass->key->where, NULL, "'mass' has %d row%s for %d coordinate%s", mass->count,
                          mass->count == 1 ? "" : "s", n, n == 1 ? "" : "s");
        return false;
    }
    bool good = true;
    for (const slip_yaml *row = mass->first; row && !slip_loader_stopped(r); row = row->next, i++) {
        if (row->count == n || row->count == i + 1) continue;
        char triangle[60] = "";
        if (i + 1 < n) snprintf(triangle, sizeof triangle, ", or %d as a lower triangle", i + 1);
        slip_loader_error(r, row->where, NULL, "row %d of 'mass' has %d %s; expected %d%s", i + 1, row->count,
                          row->count == 1 ? "entry" : "entries", n, triangle);
        good = false;
    }
    return good;
}

static void read_mass_rows(slip_loader *r, slip_yaml *mass)
{
    int n = r->model->coordinate_count, i = 0;
    slip_ref *square = malloc(((size_t)n * n + 1) * sizeof *square);
    if (!square) {
        slip_loader_no_memory(r);
        return;
    }
    for (int k = 0; k < n * n; k++) square[k] = SLIP_NONE;
    for (slip_yaml *row = mass->first; row && !slip_loader_stopped(r); row = row->next)
        read_mass_row(r, row, i++, square);
    free(square);
}

static void read_mass(slip_loader *r, slip_yaml *mass)
{
    slip_model *m = r->model;
    size_t n = (size_t)m->coordinate_count;
    if (mass->kind == SLIP_YAML_LIST && !check_mass_shape(r, mass)) return;
    m->mass = SLIP_LOADER_NEW(r, slip_mass_entry, mass->kind == SLIP_YAML_MAP ? n : n * (n + 1) / 2);
    if (!m->mass) return;
    if (mass->kind == SLIP_YAML_MAP)
        read_mass_map(r, mass);
    else
        read_mass_rows(r, mass);
}

static void read_masses(slip_loader *r)
{
    slip_model *m = r->model;
    m->kinetic.ref = m->potential.ref = SLIP_NONE;
    slip_yaml *energy = slip_yaml_find(r->root, "energy"), *mass = slip_yaml_find(r->root, "mass");
    bool energy_bad = energy && energy->bad;
    if (energy && !energy_bad) read_energy(r, energy, mass);
    if (mass && !mass->bad) read_mass(r, mass);
    bool kinetic =
        slip_yaml_find(energy, "kinetic") || slip_schema_misspelt(energy, "energy", "kinetic") || energy_bad;
    bool misspelt = slip_schema_misspelt(r->root, "", "energy") || slip_schema_misspelt(r->root, "", "mass");
    slip_yaml *coordinates = slip_loader_map(r->root, "coordinates");
    if (kinetic || mass || misspelt || !coordinates) return;
    slip_loader_error(r, energy ? energy->key->where : coordinates->key->where,
                      "energy: {kinetic: 0.5*m*x'^2}, or  mass: {x: m}", "the coordinates have no masses");
}

// ---------------------------------------------------------------------------------------- forces

static void read_forces(slip_loader *r)
{
    slip_yaml *map = slip_loader_map(r->root, "forces");
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_loader_stopped(r); node = node->next) {
        slip_symbol *s = slip_reference(r, SLIP_SYMBOL_COORDINATE, node->key, "coordinate");
        slip_formula ignored;
        char what[160];
        snprintf(what, sizeof what, "the force on '%.100s'", node->key->text);
        slip_wanted wanted = { .what = what, .may_use = SLIP_USES_MOTION, .count = 1 };
        slip_read_scalar(r, node, &wanted, s ? &r->model->forces[s->index] : &ignored);
    }
}

static void read_constraint(slip_loader *r, const slip_symbol *s)
{
    slip_constraint *c = &r->model->constraints[s->index];
    c->name = s->name;
    c->zero.ref = SLIP_NONE;
    char what[160];
    snprintf(what, sizeof what, "constraint '%.120s'", s->name);
    slip_wanted wanted = { .what = what, .may_use = SLIP_USES_POSITION, .count = 1 };
    slip_value value;
    unsigned uses = 0;
    if (!slip_read_formula(r, s->node, &wanted, &value, &uses)) return;
    c->zero = (slip_formula){ value.part[0], s->node->where };
    if (!(uses & SLIP_USES_COORDINATES))
        slip_loader_error(r, s->node->where, NULL, "%s depends on no coordinate", what);
}

// ----------------------------------------------------------------------------- contacts, frictions

// d2/du2 == 0, as far as the form of the expression shows it
static bool is_linear_in_rates(slip_loader *r, slip_ref root)
{
    slip_graph *graph = r->model->graph;
    int n = r->model->coordinate_count;
    slip_partial *first = NULL, *second = NULL;
    int count = slip_graph_gradient(graph, root, &first);
    bool linear = true;
    for (int k = 0; k < count && linear; k++) {
        if (first[k].input < 1 + n || first[k].input >= 1 + 2 * n) continue;
        int more = slip_graph_gradient(graph, first[k].value, &second);
        for (int j = 0; j < more; j++)
            linear = linear && !(second[j].input >= 1 + n && second[j].input < 1 + 2 * n);
        if (more < 0) slip_loader_no_memory(r);
        free(second);
        second = NULL;
    }
    if (count < 0) slip_loader_no_memory(r);
    free(first);
    return linear;
}

static void check_slip(slip_loader *r, const slip_slip *slip, slip_span where, const char *what,
                       unsigned uses)
{
    unsigned needed = slip->is_rate ? SLIP_USES_RATES : SLIP_USES_COORDINATES;
    if (!(uses & needed)) {
        slip_loader_error(r, where,
                          slip->is_rate ? "slip: is for a displacement" : "slip': is for a velocity",
                          "%s depends on no %s", what, slip->is_rate ? "rate" : "coordinate");
        return;
    }
    for (int k = 0; k < slip->count && slip->is_rate; k++)
        if (!is_linear_in_rates(r, slip->part[k].ref))
            slip_loader_error(r, slip->part[k].where, NULL, "%s must be linear in the rates", what);
}

// one formula (of one or two components) or a list of two
static bool read_slip_node(slip_loader *r, slip_yaml *node, const char *of, slip_slip *slip)
{
    char what[200];
    snprintf(what, sizeof what, "the slip%s of %.150s", slip->is_rate ? "'" : "", of);
    slip_wanted wanted = { .what = what, .may_use = slip->is_rate ? SLIP_USES_MOTION : SLIP_USES_POSITION };
    slip_value value;
    unsigned uses = 0, all = 0;
    if (node->kind == SLIP_YAML_SCALAR) {
        if (!slip_read_formula(r, node, &wanted, &value, &all)) return false;
        slip->count = value.count;
        for (int k = 0; k < value.count; k++) slip->part[k] = (slip_formula){ value.part[k], node->where };
    } else {
        bool good = true;
        wanted.count = 1;
        for (slip_yaml *item = node->first; item; item = item->next) {
            if (slip_read_formula(r, item, &wanted, &value, &uses))
                slip->part[slip->count++] = (slip_formula){ value.part[0], item->where };
            else
                good = false;
            all |= uses;
        }
        if (!good) slip->count = 0;
        if (!good) return false;
    }
    check_slip(r, slip, node->where, what, all);
    return true;
}

// false when there is no slip at all
static bool read_slip(slip_loader *r, slip_yaml *element, const char *of, slip_slip *slip)
{
    slip_yaml *displacement = slip_yaml_find(element, "slip"), *rate = slip_yaml_find(element, "slip'");
    for (int k = 0; k < 2; k++) slip->part[k].ref = SLIP_NONE;
    if (!displacement && !rate) return false;
    if (displacement && rate) {
        slip_loader_error(r, rate->key->where, NULL, "%s has both slip and slip'; give one of them", of);
        slip_loader_note(r, displacement->key->where, "the other one is here");
    }
    slip_yaml *node = displacement ? displacement : rate;
    slip->is_rate = !displacement;
    if (node->bad || !read_slip_node(r, node, of, slip)) element->bad = true;
    return true;
}

void slip_read_dai(slip_loader *r, const slip_yaml *map, const char *parent, const char *of,
                   slip_dai_constants *dai)
{
    double *const values[] = { &dai->K, &dai->alpha, &dai->beta, &dai->K_t, &dai->beta_t };
    static const char *const names[] = { "K", "alpha", "beta", "K_t", "beta_t" };
    for (int k = 0; k < 5; k++) {
        *values[k] = NAN;
        const slip_key *key = slip_schema_child(parent, names[k]);
        if (map && key && strcmp(key->key, names[k]) == 0)
            slip_read_constant(r, map, parent, names[k], of, NAN, values[k]);
    }
}

static bool read_constant_formula(slip_loader *r, slip_yaml *map, const char *key, const char *of,
                                  slip_formula *out)
{
    double value;
    *out = (slip_formula){ .ref = SLIP_NONE };
    slip_yaml *node = slip_yaml_find(map, key);
    if (!node || !slip_read_constant(r, map, "contacts.*", key, of, 0.0, &value)) return node == NULL;
    out->where = node->where;
    out->ref = slip_graph_constant(r->model->graph, value);
    return out->ref != SLIP_NONE || slip_loader_no_memory(r);
}

// friction needs a direction, and a direction without friction does nothing
static void check_friction(slip_loader *r, slip_yaml *node, const char *of, bool has_slip)
{
    slip_yaml *friction = slip_yaml_find(node, "friction"),
              *tangential = slip_yaml_find(node, "restitution_t");
    bool misspelt = slip_schema_misspelt(node, "contacts.*", "slip") ||
                    slip_schema_misspelt(node, "contacts.*", "friction");
    if (misspelt) return;
    if (friction && !has_slip)
        slip_loader_error(r, friction->key->where, "slip: the displacement along the surface",
                          "%s has friction but no slip", of);
    if (!friction && has_slip) {
        slip_yaml *slip = slip_yaml_find(node, "slip");
        if (!slip) slip = slip_yaml_find(node, "slip'");
        slip_loader_warning(r, slip->key->where, "friction: the coefficient of friction",
                            "%s has a slip but no friction: it is frictionless", of);
    }
    if (tangential && !has_slip && !friction)
        slip_loader_warning(r, tangential->key->where, NULL,
                            "restitution_t of %s does nothing without a slip", of);
}

static void read_contact(slip_loader *r, const slip_symbol *s)
{
    slip_contact *c = &r->model->contacts[s->index];
    *c = (slip_contact){ .name = s->name, .where = s->node->key->where };
    c->gap.ref = c->friction.ref = c->restitution.ref = c->restitution_t.ref = SLIP_NONE;
    if (s->node->bad) return;
    char of[160], what[200];
    snprintf(of, sizeof of, "contact '%.120s'", s->name);
    snprintf(what, sizeof what, "the gap of %s", of);
    slip_wanted gap = { .what = what, .may_use = SLIP_USES_POSITION, .count = 1 };
    slip_yaml *node = slip_yaml_find(s->node, "gap");
    slip_value value;
    unsigned uses = 0;
    if (slip_read_formula(r, node, &gap, &value, &uses)) {
        c->gap = (slip_formula){ value.part[0], node->where };
        if (!(uses & SLIP_USES_COORDINATES))
            slip_loader_error(r, node->where, NULL, "%s depends on no coordinate", what);
    }
    snprintf(what, sizeof what, "the friction of %s", of);
    slip_wanted friction = {
        .what = what, .may_use = SLIP_USES_MOTION, .count = 1, .range = SLIP_RANGE_NOT_NEGATIVE
    };
    bool has_slip = read_slip(r, s->node, of, &c->slip);
    slip_read_scalar(r, slip_yaml_find(s->node, "friction"), &friction, &c->friction);
    check_friction(r, s->node, of, has_slip);
    read_constant_formula(r, s->node, "restitution", of, &c->restitution);
    read_constant_formula(r, s->node, "restitution_t", of, &c->restitution_t);
    slip_read_dai(r, slip_loader_map(s->node, "dai"), "contacts.*.dai", of, &c->dai);
}

static void read_friction(slip_loader *r, const slip_symbol *s)
{
    slip_friction *f = &r->model->frictions[s->index - r->model->contact_count];
    *f = (slip_friction){ .name = s->name, .where = s->node->key->where };
    f->limit.ref = SLIP_NONE;
    if (s->node->bad) return;
    char of[160], what[200];
    snprintf(of, sizeof of, "friction '%.120s'", s->name);
    snprintf(what, sizeof what, "the limit of %s", of);
    slip_wanted limit = {
        .what = what, .may_use = SLIP_USES_MOTION, .count = 1, .range = SLIP_RANGE_NOT_NEGATIVE
    };
    slip_read_scalar(r, slip_yaml_find(s->node, "limit"), &limit, &f->limit);
    if (!read_slip(r, s->node, of, &f->slip) && !slip_schema_misspelt(s->node, "frictions.*", "slip"))
        slip_loader_error(r, s->node->key->where, "slip: the displacement it resists, or slip': the velocity",
                          "%s needs 'slip'", of);
    slip_read_dai(r, slip_loader_map(s->node, "dai"), "frictions.*.dai", of, &f->dai);
}

void slip_read_mechanics(slip_loader *r)
{
    for (size_t k = 0; k < r->symbol_count && !slip_loader_stopped(r); k++)
        if (r->symbols[k]->kind == SLIP_SYMBOL_COORDINATE) read_coordinate(r, r->symbols[k]);
    if (!slip_loader_stopped(r)) read_masses(r);
    if (!slip_loader_stopped(r)) read_forces(r);
    for (size_t k = 0; k < r->symbol_count && !slip_loader_stopped(r); k++) {
        slip_symbol *s = r->symbols[k];
        if (s->kind == SLIP_SYMBOL_CONSTRAINT && !s->node->bad) read_constraint(r, s);
        if (s->kind == SLIP_SYMBOL_CONTACT) read_contact(r, s);
        if (s->kind == SLIP_SYMBOL_FRICTION) read_friction(r, s);
    }
}
