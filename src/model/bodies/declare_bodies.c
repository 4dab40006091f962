/// model/bodies/declare_bodies.c: names, coordinates and the order in which a scene is read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/joint_type.h"

// ------------------------------------------------------------------------------------------ bodies

// in space a few more names mean something
static bool is_point_name_taken(slip_reader *r, const char *name)
{
    static const char *const spatial[] = { "qw", "qx", "qy", "qz", "wx",     "wy",
                                           "wz", "w1", "w2", "w3", "stretch" };
    bool space = slip_dimensions(r) == 3;
    for (int k = 0; k < SLIP_AXIS_COUNT; k++)
        if (strcmp(name, slip_axis_names[k]) == 0) return k != SLIP_AXIS_Z || space;
    for (int k = 0; k < 11 && space; k++)
        if (strcmp(name, spatial[k]) == 0) return true;
    return strcmp(name, "centre") == 0;
}

static void check_points(slip_reader *r, const slip_body *body)
{
    slip_yaml *points = slip_reader_map(body->node, "points");
    for (slip_yaml *node = points ? points->first : NULL; node; node = node->next) {
        if (node->bad) continue;
        if (!slip_formula_is_name(node->key->text, node->key->length))
            slip_reader_error(r, node->key->where, "a name is a letter or _, then letters, digits and _",
                              "'%.80s' cannot be the name of a point", node->key->text);
        else if (is_point_name_taken(r, node->key->text))
            slip_reader_error(r, node->key->where, "choose another name",
                              "'%.80s.%.80s' means something already and cannot be a point", body->name,
                              node->key->text);
    }
}

static slip_mount read_mount(slip_reader *r, slip_body *body)
{
    slip_yaml *node = slip_yaml_find(body->node, "joint"), *value;
    char of[120];
    snprintf(of, sizeof of, "the joint of body '%.80s'", body->name);
    if (!node) return SLIP_MOUNT_FREE;
    body->joint = slip_choose_joint(r, node, true, of, &value);
    if (body->joint) return SLIP_MOUNT_JOINT;
    body->stage = SLIP_STAGE_FAILED;
    return SLIP_MOUNT_INVALID;
}

// "prismatic", "prismatic or slot": the kinds that carry a body and leave it this
static const char *kinds_that(bool slide, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (int k = 0; slip_joint_type_at(k) && at < size; k++) {
        const slip_joint_type *type = slip_joint_type_at(k);
        if (type->carries && (slide ? type->slides && !type->one_axis : type->turns))
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? " or " : "", type->info.name);
    }
    return text;
}

static void check_joint_keys(slip_reader *r, const slip_body *body)
{
    slip_yaml *joint = slip_reader_map(body->node, "joint");
    slip_yaml *along = slip_yaml_find(joint, "along"), *angle = slip_yaml_find(joint, "angle"),
              *axis = slip_yaml_find(joint, "axis");
    char kinds[80];
    slip_yaml *lead = slip_yaml_find(joint, "lead");
    const bool screws = body->joint && body->joint->screws;
    if (lead && !screws) slip_reader_error(r, lead->key->where, NULL, "'lead' belongs to a screw joint");
    if (!lead && screws && !slip_schema_misspelt(&r->schema, joint, "bodies.*.joint", "lead"))
        slip_reader_error(r, joint->key->where, "lead: how far it moves with every turn, m",
                          "the screw joint of body '%.80s' needs 'lead'", body->name);
    if (along && (!slip_body_slides(body) || body->joint->one_axis))
        slip_reader_error(r, along->key->where, NULL, "'along' belongs to a %s joint",
                          kinds_that(true, kinds, sizeof kinds));
    if (axis && (!slip_body_turns(body) || slip_dimensions(r) == 2))
        slip_reader_error(r, axis->key->where, NULL, "'axis' belongs to a %s joint in space",
                          kinds_that(false, kinds, sizeof kinds));
    if (along) slip_check_direction(r, along);
    if (angle && slip_dimensions(r) == 3) {
        slip_reader_error(r, angle->key->where, "attitude: {axis: [0, 0, 1], angle: 30 deg} of the body",
                          "in space a joint has no 'angle'");
        return;
    }
    if (angle && slip_body_turns(body))
        slip_reader_error(r, angle->key->where, "th: {start: ...} says where it begins",
                          "a %s joint leaves the angle free", body->joint->info.name);
}

static bool has_axis(const slip_reader *r, const slip_body *body, int axis)
{
    if (body->mount == SLIP_MOUNT_FREE)
        return axis != SLIP_AXIS_S && axis != (slip_dimensions(r) == 3 ? SLIP_AXIS_TH : SLIP_AXIS_Z);
    return (axis == SLIP_AXIS_TH && slip_body_turns(body)) ||
           (axis == SLIP_AXIS_S && slip_body_slides(body) && !body->joint->screws);
}

static void say_no_axis(slip_reader *r, const slip_body *body, const slip_yaml *node)
{
    const char *what = body->joint                      ? body->joint->leaves
                       : body->mount != SLIP_MOUNT_FREE ? "is fixed: nothing of it is free"
                       : slip_dimensions(r) == 3        ? "has x, y, z and its attitude"
                                                        : "has x, y and th";
    slip_reader_error(r, node->key->where, NULL, "body '%.80s' has no coordinate '%s'; it %s", body->name,
                      node->key->text, what);
}

// a body that is free and has no inertia is a particle: it does not turn
static bool is_particle(const slip_body *body)
{
    return body->mount == SLIP_MOUNT_FREE && !slip_yaml_find(body->node, "inertia");
}

// the coordinate under the name of the user's choice, else body.axis
static void declare_axis(slip_reader *r, slip_body *body, int axis, int *count)
{
    slip_yaml *node = slip_yaml_find(body->node, slip_axis_names[axis]);
    if (!has_axis(r, body, axis)) {
        if (node && body->stage != SLIP_STAGE_FAILED) say_no_axis(r, body, node);
        return;
    }
    slip_yaml *map = node && node->kind == SLIP_YAML_MAP && !node->bad ? node : NULL;
    slip_yaml *motion = slip_yaml_find(map, "motion"), *name = slip_yaml_find(map, "name");
    if (motion) {
        static const char *const others[] = { "start", "rate", "guess", "name" };
        for (int k = 0; k < 4; k++) {
            slip_yaml *other = slip_yaml_find(map, others[k]);
            if (other)
                slip_reader_error(r, other->key->where, NULL,
                                  "'%s' has no meaning beside 'motion': it is not a coordinate then",
                                  others[k]);
        }
        return;
    }
    if (axis == SLIP_AXIS_TH && is_particle(body)) {
        if (node)
            slip_reader_error(r, node->key->where, "inertia: about its centre, kg m^2",
                              "body '%.80s' has no inertia, so it cannot turn", body->name);
        return;
    }
    slip_symbol *s = NULL;
    if (name && !name->bad) {
        s = slip_declare(r, SLIP_SYMBOL_COORDINATE, name, node);
    } else {
        char text[200];
        snprintf(text, sizeof text, "%.150s.%s", body->name, slip_axis_names[axis]);
        s = slip_declare_derived(r, SLIP_SYMBOL_COORDINATE, text, node ? node : body->node);
    }
    if (!s) return;
    s->index = (*count)++;
    s->stage = SLIP_STAGE_DONE;
    s->of_body = true;
    s->of_coordinate.unit = axis == SLIP_AXIS_TH ? "rad" : "m";
    s->guessed = slip_yaml_find(map, "guess") != NULL;
    s->of_coordinate.axis = node;
    body->axis[axis] = s;
}

// keys of one kind of space in the other
static void check_attitude_keys(slip_reader *r, const slip_body *body)
{
    slip_yaml *attitude = slip_yaml_find(body->node, "attitude"), *spin = slip_yaml_find(body->node, "spin");
    slip_yaml *inertia = slip_yaml_find(body->node, "inertia");
    bool turns = slip_body_spins(body) || (body->mount == SLIP_MOUNT_FREE && inertia);
    if (slip_dimensions(r) == 2) {
        slip_yaml *keys[] = { attitude, spin };
        for (int k = 0; k < 2; k++)
            if (keys[k])
                slip_reader_error(r, keys[k]->key->where, "th: {start: ..., rate: ...}",
                                  "'%s' belongs to bodies in space, with space: 3", keys[k]->key->text);
        if (inertia && !inertia->bad && inertia->kind == SLIP_YAML_LIST) {
            slip_reader_error(r, inertia->where, "space: 3 is for bodies in space",
                              "in the plane the inertia of a body is one number");
            inertia->bad = true;
        }
        return;
    }
    if (spin && !turns)
        slip_reader_error(r, spin->key->where,
                          body->mount == SLIP_MOUNT_FREE ? "inertia: about its centre, kg m^2" : NULL,
                          body->mount == SLIP_MOUNT_FREE ? "body '%.80s' has no inertia, so it cannot turn"
                                                         : "body '%.80s' has no attitude that is free",
                          body->name);
    if (attitude && body->mount == SLIP_MOUNT_FREE && !inertia)
        slip_reader_error(r, attitude->key->where, "inertia: about its centre, kg m^2",
                          "body '%.80s' has no inertia, so it cannot turn", body->name);
}

static void declare_body(slip_reader *r, slip_body *body, int *count)
{
    slip_yaml *inertia = slip_yaml_find(body->node, "inertia");
    body->round = !inertia || inertia->kind == SLIP_YAML_SCALAR;
    check_points(r, body);
    body->mount = read_mount(r, body);
    if (body->stage != SLIP_STAGE_FAILED) check_joint_keys(r, body);
    for (int k = 0; k < SLIP_AXIS_COUNT; k++) declare_axis(r, body, k, count);
    if (body->stage != SLIP_STAGE_FAILED) slip_declare_constrained_axes(r, body, count);
    check_attitude_keys(r, body);
    bool free = body->mount == SLIP_MOUNT_FREE && !is_particle(body);
    if (slip_dimensions(r) == 3 && (free || slip_body_spins(body))) slip_declare_attitude(r, body, count);
}

static void declare_ground(slip_reader *r, slip_body *ground, slip_yaml *node)
{
    static const char *const own[] = { "points", "shape", "shapes", "material" };
    ground->node = node;
    for (slip_yaml *child = node->first; child; child = child->next) {
        bool fits = child->bad;
        for (int k = 0; k < 4; k++) fits = fits || strcmp(child->key->text, own[k]) == 0;
        if (!fits)
            slip_reader_error(r, child->key->where, "the ground has points, shape and shapes",
                              "the ground does not move, so it has no '%s'", child->key->text);
    }
    check_points(r, ground);
}

// space: 3; anything but 2 and 3 is a mistake
static bool is_in_space(slip_reader *r)
{
    slip_yaml *node = slip_reader_value(r->root, "space");
    if (!node || strcmp(node->text, "2") == 0) return false;
    if (strcmp(node->text, "3") != 0)
        slip_reader_error(r, node->where, "2: the plane, 3: space",
                          "bodies live in 2 or 3 dimensions, not '%.20s'", node->text);
    return true;
}

static slip_bodies *take_bodies(slip_reader *r, const slip_yaml *map)
{
    slip_bodies *b = SLIP_POOL_NEW(r->scratch, slip_bodies, 1);
    if (b) b->items = SLIP_POOL_NEW(r->scratch, slip_body, 1 + map->count);
    if (!b || !b->items) {
        slip_reader_no_memory(r);
        return NULL;
    }
    b->count = 1;
    b->space = is_in_space(r);
    b->mistakes = slip_diagnostics_error_count(r->notes);
    b->items[0] = (slip_body){ .name = "ground", .mount = SLIP_MOUNT_GROUND };
    return b;
}

// sections that say something about bodies only
static void refuse_sections(slip_reader *r)
{
    for (slip_yaml *node = r->root->first; node; node = node->next)
        if (!node->bad && slip_schema_child(&r->schema, "", node->key->text)->front == SLIP_FRONT_BODIES)
            slip_reader_error(r, node->key->where, NULL, "'%s' belongs to a model with 'bodies'",
                              node->key->text);
}

int slip_declare_bodies(slip_reader *r, int coordinate_count)
{
    slip_yaml *map = slip_reader_map(r->root, "bodies");
    if (!map) refuse_sections(r);
    if (!map || !(r->bodies = take_bodies(r, map))) return coordinate_count;
    slip_bodies *b = r->bodies;
    for (slip_yaml *node = map->first; node && !slip_reader_stopped(r); node = node->next) {
        if (strcmp(node->key->text, "ground") == 0) {
            if (!node->bad) declare_ground(r, &b->items[0], node);
            continue;
        }
        slip_symbol *s = slip_declare(r, SLIP_SYMBOL_BODY, node->key, node);
        if (!s) continue;
        s->index = b->count;
        s->used = true;
        slip_body *body = &b->items[b->count++];
        *body = (slip_body){ .name = s->name, .symbol = s, .node = node };
        if (node->bad) {
            s->stage = body->stage = SLIP_STAGE_FAILED;
            body->mount = SLIP_MOUNT_INVALID;
        } else {
            s->stage = SLIP_STAGE_DONE;
            declare_body(r, body, &coordinate_count);
        }
    }
    return coordinate_count;
}

// ------------------------------------------------------------------------------------- coordinates

void slip_read_axis(slip_reader *r, slip_symbol *s, slip_coordinate *c)
{
    slip_yaml *node = s->of_coordinate.axis;
    char of[160], what[200];
    snprintf(of, sizeof of, "coordinate '%.120s'", s->name);
    if (s->of_coordinate.unit)
        slip_coordinate_unit(r, s, c, slip_dimension_read(s->of_coordinate.unit, SLIP_ASSUMED_UNIT));
    if (s->of_coordinate.turns) slip_read_attitude_start(r, s, c);
    if (!node || node->bad) return;
    if (s->guessed) {
        static const char *const others[] = { "start", "rate" };
        c->is_found = true;
        slip_read_constant(r, node, "bodies.*.x", "guess", of, 0.0, &c->start);
        for (int k = 0; k < 2; k++) {
            slip_yaml *other = slip_yaml_find(node, others[k]);
            if (other)
                slip_reader_error(r, other->key->where, NULL,
                                  "%s has a guess: its %s is found from the loops", of, others[k]);
        }
        return;
    }
    if (node->kind == SLIP_YAML_MAP) {
        slip_read_constant(r, node, "bodies.*.x", "start", of, 0.0, &c->start);
        slip_read_constant(r, node, "bodies.*.x", "rate", of, 0.0, &c->rate);
        return;
    }
    snprintf(what, sizeof what, "the start of %s", of);
    slip_formula_spec wanted = { .what = what, .count = 1 };
    slip_value value;
    if (slip_read_formula(r, node, &wanted, &value, NULL)) slip_evaluate_into(r, value.part[0], &c->start);
}

// ------------------------------------------------------------------------------------ the sequence

static bool take_directions(slip_reader *r)
{
    slip_bodies *b = r->bodies;
    int n = r->model->coordinate_count;
    b->along_count = 1 + 2 * n;
    b->along = SLIP_POOL_NEW(r->scratch, slip_ref, 1 + 2 * n);
    b->forces = SLIP_POOL_NEW(r->scratch, slip_ref, n);
    if (!b->along || !b->forces) return slip_reader_no_memory(r);
    b->along[0] = slip_node_number(r, 1.0);
    for (int k = 0; k < n; k++) {
        b->along[1 + k] = slip_graph_input_ref(r->model->graph, 1 + n + k);
        b->along[1 + n + k] = b->forces[k] = SLIP_NONE;
    }
    b->kinetic = b->potential = slip_node_number(r, 0.0);
    return true;
}

void slip_build_bodies(slip_reader *r)
{
    if (!r->bodies || slip_reader_stopped(r) || !take_directions(r)) return;
    slip_read_parameters(r);
    if (!slip_reader_stopped(r)) slip_place_bodies(r);
}

int slip_declare_clearances(slip_reader *r, int index)
{
    slip_yaml *map = slip_reader_map(r->root, "clearances");
    for (slip_yaml *node = map ? map->first : NULL; node && r->bodies && !slip_reader_stopped(r);
         node = node->next)
        index = slip_declare_clearance(r, node, index);
    return index;
}

// ------------------------------------------------------------------------------------- the result

// a coordinate whose rate does not enter the kinetic energy has no mass
static void check_masses(slip_reader *r)
{
    const slip_model *m = r->model;
    slip_partial *partials = NULL;
    int count = slip_graph_gradient(m->graph, m->kinetic.ref, &partials), n = m->coordinate_count, at = 0;
    if (count < 0) slip_reader_no_memory(r);
    while (at < count && partials[at].input < 1 + n) at++;
    for (int k = 0; k < m->mass_coordinate_count && count >= 0; k++) {
        bool there = at < count && partials[at].input == 1 + n + k;
        at += there;
        if (!there)
            slip_reader_error(r, m->coordinates[k].where,
                              "give the body a mass, or an inertia where it only turns",
                              "coordinate '%.80s' moves nothing that has mass", m->coordinates[k].name);
    }
    free(partials);
}

// what the bodies have goes on top of what was written as formulas
static void add_to(slip_reader *r, slip_formula *sum, slip_ref more, slip_span where)
{
    if (more == SLIP_NONE || slip_node_is(r, more, 0.0)) return;
    if (sum->ref == SLIP_NONE)
        *sum = (slip_formula){ more, where };
    else
        sum->ref = slip_node_op(r, SLIP_OP_ADD, sum->ref, more);
}

void slip_read_bodies(slip_reader *r)
{
    slip_bodies *b = r->bodies;
    slip_model *m = r->model;
    slip_yaml *map = slip_reader_map(r->root, "bodies");
    slip_read_body_energies(r);
    slip_read_body_elements(r);
    slip_check_unused(r);
    if (slip_reader_stopped(r)) return;
    if (b->kinetic == SLIP_NONE || b->potential == SLIP_NONE) {
        slip_reader_no_memory(r);
        return;
    }
    bool clean = slip_diagnostics_error_count(r->notes) == b->mistakes;
    if (b->space && clean) slip_check_inertias(r);
    add_to(r, &m->kinetic, b->kinetic, map->key->where);
    add_to(r, &m->potential, b->potential, map->key->where);
    for (int k = 0; k < m->coordinate_count; k++) add_to(r, &m->forces[k], b->forces[k], map->key->where);
    if (b->space || !clean) return;
    if (b->found) return; // a crowd has masses of its own
    if (m->kinetic.ref == SLIP_NONE)
        slip_reader_error(r, map->key->where, NULL, "none of the bodies has a mass and can move");
    else
        check_masses(r);
}

void slip_release_bodies(slip_reader *r)
{
    if (!r->bodies) return;
    free((void *)r->bodies->touching);
    free(r->bodies->centrings);
    free(r->bodies->known);
    slip_release_detected(r->bodies);
    slip_release_used_names(r->bodies);
}
