/// model/bodies/declare.c: names, coordinates and the order in which a scene is read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/bodies.h"

static const char *const axis_names[SLIP_AXIS_COUNT] = { "x", "y", "th", "s" };

// ------------------------------------------------------------------------------------------ bodies

static bool is_point_name_taken(const char *name)
{
    for (int k = 0; k < SLIP_AXIS_COUNT; k++)
        if (strcmp(name, axis_names[k]) == 0) return true;
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
        else if (is_point_name_taken(node->key->text))
            slip_reader_error(r, node->key->where, "choose another name",
                              "'%.80s.%.80s' means something already and cannot be a point", body->name,
                              node->key->text);
    }
}

static slip_mount read_mount(slip_reader *r, slip_body *body)
{
    static const char *const keys[] = { "revolute", "prismatic", "weld" };
    slip_yaml *node = slip_yaml_find(body->node, "joint");
    char of[120];
    snprintf(of, sizeof of, "the joint of body '%.80s'", body->name);
    if (!node) return SLIP_MOUNT_FREE;
    if (node->bad || !(node = slip_choose_key(r, node, keys, 3, of))) {
        body->stage = SLIP_FAILED;
        return SLIP_MOUNT_WELD;
    }
    return node->key->text[0] == 'r'   ? SLIP_MOUNT_REVOLUTE
           : node->key->text[0] == 'p' ? SLIP_MOUNT_PRISMATIC
                                       : SLIP_MOUNT_WELD;
}

static void check_joint_keys(slip_reader *r, const slip_body *body)
{
    slip_yaml *joint = slip_reader_map(body->node, "joint");
    slip_yaml *along = slip_yaml_find(joint, "along"), *angle = slip_yaml_find(joint, "angle");
    if (along && body->mount != SLIP_MOUNT_PRISMATIC)
        slip_reader_error(r, along->key->where, NULL, "'along' belongs to a prismatic joint");
    if (angle && body->mount == SLIP_MOUNT_REVOLUTE)
        slip_reader_error(r, angle->key->where, "th: {start: ...} says where it begins",
                          "a revolute joint leaves the angle free");
}

static bool has_axis(const slip_body *body, int axis)
{
    switch (body->mount) {
    case SLIP_MOUNT_FREE:
        return axis != SLIP_AXIS_S;
    case SLIP_MOUNT_REVOLUTE:
        return axis == SLIP_AXIS_TH;
    case SLIP_MOUNT_PRISMATIC:
        return axis == SLIP_AXIS_S;
    default:
        return false;
    }
}

static void say_no_axis(slip_reader *r, const slip_body *body, const slip_yaml *node)
{
    static const char *const what[] = { "is fixed: nothing of it is free", "has x, y and th",
                                        "turns about a point: it has th only",
                                        "slides along a line: it has s only",
                                        "is welded: nothing of it is free" };
    slip_reader_error(r, node->key->where, NULL, "body '%.80s' has no coordinate '%s'; it %s", body->name,
                      node->key->text, what[body->mount]);
}

// a body that is free and has no inertia is a particle: it does not turn
static bool is_particle(const slip_body *body)
{
    return body->mount == SLIP_MOUNT_FREE && !slip_yaml_find(body->node, "inertia");
}

// the coordinate under the name of the user's choice, else body.axis
static void declare_axis(slip_reader *r, slip_body *body, int axis, int *count)
{
    slip_yaml *node = slip_yaml_find(body->node, axis_names[axis]);
    if (!has_axis(body, axis)) {
        if (node && body->stage != SLIP_FAILED) say_no_axis(r, body, node);
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
                                  "'%s' has no meaning beside 'motion': it is no coordinate then", others[k]);
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
        snprintf(text, sizeof text, "%.150s.%s", body->name, axis_names[axis]);
        s = slip_declare_derived(r, SLIP_SYMBOL_COORDINATE, text, node ? node : body->node);
    }
    if (!s) return;
    s->index = (*count)++;
    s->stage = SLIP_DONE;
    s->of_body = true;
    s->guessed = slip_yaml_find(map, "guess") != NULL;
    s->axis = node;
    body->axis[axis] = s;
}

static void declare_body(slip_reader *r, slip_body *body, int *count)
{
    check_points(r, body);
    body->mount = read_mount(r, body);
    if (body->stage != SLIP_FAILED) check_joint_keys(r, body);
    for (int k = 0; k < SLIP_AXIS_COUNT; k++) declare_axis(r, body, k, count);
}

static void declare_ground(slip_reader *r, slip_body *ground, slip_yaml *node)
{
    static const char *const own[] = { "points", "shape", "shapes" };
    ground->node = node;
    for (slip_yaml *child = node->first; child; child = child->next) {
        bool fits = child->bad;
        for (int k = 0; k < 3; k++) fits = fits || strcmp(child->key->text, own[k]) == 0;
        if (!fits)
            slip_reader_error(r, child->key->where, "the ground has points, shape and shapes",
                              "the ground does not move, so it has no '%s'", child->key->text);
    }
    check_points(r, ground);
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
    b->mistakes = slip_diagnostics_error_count(r->notes);
    b->items[0] = (slip_body){ .name = "ground", .mount = SLIP_MOUNT_GROUND };
    return b;
}

// sections that say something about bodies only
static void refuse_sections(slip_reader *r)
{
    for (slip_yaml *node = r->root->first; node; node = node->next)
        if (!node->bad && slip_schema_child("", node->key->text)->front == SLIP_FRONT_BODIES)
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
            s->stage = body->stage = SLIP_FAILED;
            body->mount = SLIP_MOUNT_WELD;
        } else {
            s->stage = SLIP_DONE;
            declare_body(r, body, &coordinate_count);
        }
    }
    return coordinate_count;
}

// ------------------------------------------------------------------------------------- coordinates

void slip_read_axis(slip_reader *r, const slip_symbol *s, slip_coordinate *c)
{
    slip_yaml *node = s->axis;
    char of[160], what[200];
    snprintf(of, sizeof of, "coordinate '%.120s'", s->name);
    if (!node || node->bad) return;
    if (s->guessed) {
        static const char *const others[] = { "start", "rate" };
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
    slip_wanted wanted = { .what = what, .count = 1 };
    slip_value value;
    if (slip_read_formula(r, node, &wanted, &value, NULL)) slip_evaluate(r, value.part[0], &c->start);
}

// --------------------------------------------------------------------------------- names in formulas

// x, y, th, s of a body; false when the name is none of these
static bool axis_in_formula(slip_reader *r, const slip_body *body, const char *name, bool rate,
                            slip_value *value)
{
    slip_ref ref;
    if (strcmp(name, "x") == 0)
        ref = rate ? body->velocity.x : body->at.x;
    else if (strcmp(name, "y") == 0)
        ref = rate ? body->velocity.y : body->at.y;
    else if (strcmp(name, "th") == 0)
        ref = rate ? body->spin : body->th;
    else if (strcmp(name, "s") == 0 && body->axis[SLIP_AXIS_S])
        ref = rate ? body->axis[SLIP_AXIS_S]->rate.part[0] : body->axis[SLIP_AXIS_S]->value.part[0];
    else
        return false;
    *value = (slip_value){ 1, { ref, SLIP_NONE } };
    if (ref == SLIP_NONE) slip_reader_no_memory(r);
    return true;
}

slip_body_search slip_find_in_body(slip_reader *r, const char *name, int primes, slip_value *value,
                                   unsigned *uses)
{
    size_t length = strcspn(name, ".");
    slip_body *body = slip_known_body(r, name, length);
    if (!body || name[length] != '.' || primes > 1) return SLIP_NOT_IN_BODY;
    if (body->stage == SLIP_FAILED) return SLIP_BODY_FAILED;
    if (body->stage != SLIP_DONE) return SLIP_BODY_NOT_PLACED;
    *uses = !body->moves ? 0 : primes ? SLIP_USES_MOTION : SLIP_USES_POSITION;
    if (axis_in_formula(r, body, name + length + 1, primes == 1, value)) return SLIP_IN_BODY;
    slip_vec local, at;
    if (r->bodies->in_place) return SLIP_BODY_NOT_PLACED;
    if (!slip_local_point(r, body, name + length + 1, &local)) return SLIP_NOT_IN_BODY;
    *value = (slip_value){ 2, { r->t, r->t } }; // stands in for a point that is wrong
    if (local.x == SLIP_NONE || local.y == SLIP_NONE) return SLIP_BODY_FAILED;
    at = slip_body_point(r, body, local);
    if (primes) at = (slip_vec){ slip_time_derivative(r, at.x), slip_time_derivative(r, at.y) };
    *value = (slip_value){ 2, { at.x, at.y } };
    return SLIP_IN_BODY;
}

// enough to be helpful, few enough to be quick
enum { MOST_SUGGESTIONS = 600 };

static bool suggest(slip_reader *r, const char *body, const char *point, const char *axis)
{
    slip_bodies *b = r->bodies;
    char name[200];
    snprintf(name, sizeof name, "%.80s.%.80s%s%s", body, point, point[0] ? "." : "", axis);
    const char *kept = slip_pool_text(r->scratch, name, strlen(name));
    if (!kept) return slip_reader_no_memory(r);
    b->suggestions[b->suggestion_count++] = kept;
    return true;
}

int slip_count_in_bodies(slip_reader *r)
{
    slip_bodies *b = r->bodies;
    if (!b || b->suggestions) return b ? b->suggestion_count : 0;
    b->suggestions = SLIP_POOL_NEW(r->scratch, const char *, MOST_SUGGESTIONS + 3);
    if (!b->suggestions) slip_reader_no_memory(r);
    for (int k = 1; k < b->count && r->status == SLIP_OK && b->suggestion_count < MOST_SUGGESTIONS; k++) {
        const slip_body *body = &b->items[k];
        for (int axis = 0; axis < SLIP_AXIS_S; axis++) suggest(r, body->name, "", axis_names[axis]);
        slip_yaml *points = slip_reader_map(body->node, "points");
        for (slip_yaml *node = points ? points->first : NULL; node && b->suggestion_count < MOST_SUGGESTIONS;
             node = node->next)
            for (int axis = 0; axis < SLIP_AXIS_TH; axis++)
                suggest(r, body->name, node->key->text, axis_names[axis]);
    }
    return b->suggestion_count;
}

const char *slip_suggest_in_body(slip_reader *r, int k)
{
    return r->bodies->suggestions[k];
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
    for (int k = 0; k < n && count >= 0; k++) {
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
    add_to(r, &m->kinetic, b->kinetic, map->key->where);
    add_to(r, &m->potential, b->potential, map->key->where);
    for (int k = 0; k < m->coordinate_count; k++) add_to(r, &m->forces[k], b->forces[k], map->key->where);
    if (slip_diagnostics_error_count(r->notes) != b->mistakes) return;
    if (m->kinetic.ref == SLIP_NONE)
        slip_reader_error(r, map->key->where, NULL, "none of the bodies has a mass and can move");
    else
        check_masses(r);
}

void slip_release_bodies(slip_reader *r)
{
    if (r->bodies) free((void *)r->bodies->touching);
}
