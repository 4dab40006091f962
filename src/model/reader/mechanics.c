/// model/reader/mechanics.c: coordinates, forces and constraints, and the order in which a mechanical model is read.
#include <stdio.h>
#include <string.h>

#include "model/reader/reader.h"

// 1 when the name is good
static int declare_symbol(slip_reader *r, slip_symbol_kind kind, slip_yaml *node, int index)
{
    slip_symbol *s = slip_declare(r, kind, node->key, node);
    if (!s) return 0;
    s->index = index;
    s->stage = node->bad && kind != SLIP_SYMBOL_COORDINATE ? SLIP_STAGE_FAILED : SLIP_STAGE_DONE;
    return 1;
}

// the good children of a map that become symbols of one kind, in order
static int declare_all(slip_reader *r, slip_symbol_kind kind, const char *section, int first_index)
{
    slip_yaml *map = slip_reader_map(r->root, section);
    int count = 0;
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next)
        count += declare_symbol(r, kind, node, first_index + count);
    return count;
}

// x' unless it has a name of its own
static bool name_rate(slip_reader *r, slip_symbol *s)
{
    char name[200];
    snprintf(name, sizeof name, "%.190s'", s->name);
    s->of_coordinate.rate_name = slip_reader_text(r, name, strlen(name));
    return s->of_coordinate.rate_name != NULL;
}

// inputs of the graph: coordinates, then their rates
static void make_inputs(slip_reader *r)
{
    slip_graph *graph = r->model->graph;
    for (int rates = 0; rates < 2; rates++) {
        for (size_t k = 0; k < r->symbol_count && !slip_reader_stopped(r); k++) {
            slip_symbol *s = r->symbols[k];
            if (s->kind != SLIP_SYMBOL_COORDINATE) continue;
            if (rates && !s->of_coordinate.rate_name && !name_rate(r, s)) return;
            slip_ref node = slip_graph_input_named(graph, rates ? s->of_coordinate.rate_name : s->name);
            if (node == SLIP_NONE) slip_reader_no_memory(r);
            if (rates)
                s->rate = node;
            else
                s->value = slip_scalar(node);
        }
    }
}

// contacts of formulas one by one, contacts of shapes as many as there are
static int declare_contacts(slip_reader *r)
{
    slip_yaml *map = slip_reader_map(r->root, "contacts");
    int count = 0;
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next) {
        if (r->bodies && !node->bad && slip_yaml_find(node, "detect"))
            count = slip_declare_detected(r, node, count);
        else if (r->bodies && !node->bad && slip_yaml_find(node, "between"))
            count = slip_declare_shape_contacts(r, node, count);
        else
            count += declare_symbol(r, SLIP_SYMBOL_CONTACT, node, count);
    }
    return slip_declare_clearances(r, count);
}

void slip_declare_mechanics(slip_reader *r)
{
    slip_model *m = r->model;
    m->mass_coordinate_count =
        slip_declare_bodies(r, declare_all(r, SLIP_SYMBOL_COORDINATE, "coordinates", 0));
    m->moving_coordinate_count = slip_declare_states(r, m->mass_coordinate_count);
    m->coordinate_count = slip_declare_modes(r, m->moving_coordinate_count);
    make_inputs(r);
    slip_place_states(r);
    slip_build_bodies(r);
    m->contact_count = declare_contacts(r);
    m->element_count = m->contact_count + declare_all(r, SLIP_SYMBOL_FRICTION, "frictions", m->contact_count);
    slip_declare_resistances(r);
    m->constraint_count = declare_all(r, SLIP_SYMBOL_CONSTRAINT, "constraints", 0);
    m->constraint_count = slip_declare_joints(r, m->constraint_count);
    m->coordinates = SLIP_READER_NEW(r, slip_coordinate, m->coordinate_count);
    m->contacts = SLIP_READER_NEW(r, slip_contact, m->element_count);
    m->constraints = SLIP_READER_NEW(r, slip_constraint, m->constraint_count);
    m->forces = SLIP_READER_NEW(r, slip_formula, m->coordinate_count);
    for (int k = 0; m->forces && k < m->coordinate_count; k++) m->forces[k].ref = SLIP_NONE;
}

void slip_coordinate_unit(slip_reader *r, slip_symbol *s, slip_coordinate *c, slip_dimension dimension)
{
    s->value.dimension = dimension;
    c->unit = slip_reader_unit(r, &s->value.dimension);
    const slip_dimension rate = slip_dimension_rate(&dimension);
    c->rate_unit = slip_reader_unit(r, &rate);
}

// The unit of a coordinate is that of its start, or of its rate times a second: `x: 0 mm`.
static void read_unit(slip_reader *r, slip_symbol *s, slip_coordinate *c)
{
    const slip_yaml *start = s->node, *rate = NULL;
    if (s->node->kind == SLIP_YAML_MAP) {
        start = slip_yaml_find(s->node, "start");
        rate = slip_yaml_find(s->node, "rate");
    }
    slip_dimension unknown = { 0 }, own = start ? start->dimension : unknown,
                   change = rate ? rate->dimension : unknown, expected = slip_dimension_rate(&own);
    slip_dimension second = slip_dimension_read("s", SLIP_GIVEN_UNIT);
    char first[SLIP_UNIT_LENGTH], other[SLIP_UNIT_LENGTH];
    if (slip_dimension_clash(&expected, &change))
        slip_reader_error(r, rate->where, NULL,
                          "units do not match: the start of '%.80s' is in %s, its rate in %s", s->name,
                          slip_dimension_phrase(&own, first, sizeof first),
                          slip_dimension_phrase(&change, other, sizeof other));
    if (!own.known) own = slip_dimension_product(&change, &second, 1.0);
    if (slip_dimension_is_number(&own) && !slip_dimension_is_angle(&own))
        own = unknown; // may stand for anything
    slip_coordinate_unit(r, s, c, own);
}

static void read_start(slip_reader *r, slip_symbol *s, slip_coordinate *c)
{
    char of[160], what[200];
    snprintf(of, sizeof of, "coordinate '%.120s'", s->name);
    if (s->node->kind == SLIP_YAML_MAP) {
        slip_read_constant(r, s->node, "coordinates.*", "start", of, 0.0, &c->start);
        slip_read_constant(r, s->node, "coordinates.*", "rate", of, 0.0, &c->rate);
        return;
    }
    snprintf(what, sizeof what, "the start of %s", of);
    slip_formula_spec wanted = { .what = what, .count = 1 };
    slip_value value;
    if (slip_read_formula(r, s->node, &wanted, &value, NULL)) slip_evaluate_into(r, value.part[0], &c->start);
}

static void read_coordinate(slip_reader *r, slip_symbol *s)
{
    slip_coordinate *c = &r->model->coordinates[s->index];
    *c = (slip_coordinate){ .name = s->name,
                            .rate_name = s->of_coordinate.rate_name,
                            .where = s->node->key->where };
    c->unit = c->rate_unit = "";
    c->velocity = s->of_coordinate.velocity;
    c->of_body = s->of_body;
    if (s->of_body) slip_read_axis(r, s, c);
    if (s->integrates) slip_read_state(r, s, c);
    if (s->held) slip_read_mode(r, s, c);
    if (s->node->bad || s->of_body || s->integrates || s->held) return;
    read_start(r, s, c);
    read_unit(r, s, c);
}

static void read_forces(slip_reader *r)
{
    slip_yaml *map = slip_reader_map(r->root, "forces");
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next) {
        slip_symbol *s = slip_reference(r, SLIP_SYMBOL_COORDINATE, node->key, "coordinate");
        slip_formula ignored;
        if (s && s->of_coordinate.turns) {
            slip_reader_error(r, node->key->where, "loads: {push: {at: body, torque: [0, 0, 1]}}",
                              "'%.80s' is part of an attitude: what turns a body is a torque", s->name);
            continue;
        }
        if (s && (s->held || s->integrates)) {
            slip_reader_error(r, node->key->where, NULL, "'%.80s' has no mass: no force acts on it", s->name);
            continue;
        }
        char what[160];
        snprintf(what, sizeof what, "the force on '%.100s'", node->key->text);
        slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_MOTION, .count = 1 };
        slip_read_scalar(r, node, &wanted, s ? &r->model->forces[s->index] : &ignored);
    }
}

static void read_constraint(slip_reader *r, const slip_symbol *s)
{
    slip_constraint *c = &r->model->constraints[s->index];
    c->name = s->name;
    c->zero = (slip_formula){ s->of_body ? s->zero : SLIP_NONE, s->node->where };
    if (s->of_body) return;
    char what[160];
    snprintf(what, sizeof what, "constraint '%.120s'", s->name);
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_POSITION, .count = 1 };
    slip_value value;
    unsigned uses = 0;
    if (!slip_read_formula(r, s->node, &wanted, &value, &uses)) return;
    c->zero = (slip_formula){ value.part[0], s->node->where };
    if (!(uses & SLIP_USES_COORDINATES))
        slip_reader_error(r, s->node->where, NULL, "%s depends on no coordinate", what);
}

void slip_read_coordinates(slip_reader *r)
{
    for (size_t k = 0; k < r->symbol_count && !slip_reader_stopped(r); k++)
        if (r->symbols[k]->kind == SLIP_SYMBOL_COORDINATE) read_coordinate(r, r->symbols[k]);
}

void slip_read_mechanics(slip_reader *r)
{
    if (!slip_reader_stopped(r)) slip_read_masses(r);
    if (!slip_reader_stopped(r)) read_forces(r);
    if (!slip_reader_stopped(r)) slip_check_mass_forces(r);
    if (!slip_reader_stopped(r) && r->bodies) slip_read_bodies(r);
    if (!slip_reader_stopped(r)) slip_read_impact(r);
    for (size_t k = 0; k < r->symbol_count && !slip_reader_stopped(r); k++) {
        slip_symbol *s = r->symbols[k];
        if (s->kind == SLIP_SYMBOL_CONSTRAINT && !s->node->bad) read_constraint(r, s);
        if (s->kind == SLIP_SYMBOL_CONTACT || s->kind == SLIP_SYMBOL_FRICTION) slip_read_element(r, s);
    }
    if (!slip_reader_stopped(r)) slip_read_controllers(r);
    if (!slip_reader_stopped(r)) slip_read_detect_model(r);
}
