/// model/bodies/poses.c: where the bodies are and how fast they move, as expressions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/bodies.h"

// --------------------------------------------------------------------------------------- by name

slip_body *slip_known_body(const slip_reader *r, const char *name, size_t length)
{
    if (!r->bodies) return NULL;
    if (length == 6 && memcmp(name, "ground", 6) == 0) return &r->bodies->items[0];
    const slip_symbol *s = slip_lookup(r, name, length);
    return s && s->kind == SLIP_SYMBOL_BODY ? &r->bodies->items[s->index] : NULL;
}

slip_body *slip_find_body(slip_reader *r, slip_span where, const char *name, size_t length)
{
    slip_bodies *b = r->bodies;
    slip_body *body = slip_known_body(r, name, length);
    if (body) return body;
    enum { MOST = 1000 };
    const char *names[MOST];
    int count = 0;
    for (int k = 0; k < b->count && count < MOST; k++) names[count++] = b->items[k].name;
    char word[100], hint[200];
    snprintf(word, sizeof word, "%.*s", (int)(length < 80 ? length : 80), name);
    slip_nearest_name(word, names, count, hint, (int)sizeof hint);
    slip_reader_error(r, where, hint, "there is no body '%s'", word);
    return NULL;
}

static void say_no_point(slip_reader *r, const slip_body *body, slip_span where, const char *name)
{
    enum { MOST = 1000 };
    const char *names[MOST] = { "centre" };
    int count = 1;
    slip_yaml *points = slip_reader_map(body->node, "points");
    for (slip_yaml *node = points ? points->first : NULL; node && count < MOST; node = node->next)
        names[count++] = node->key->text;
    char hint[200];
    slip_nearest_name(name, names, count, hint, (int)sizeof hint);
    slip_reader_error(r, where, hint, "body '%.60s' has no point '%.60s'", body->name, name);
}

slip_vec slip_body_centre(slip_reader *r, slip_body *body)
{
    slip_vec local = { slip_node_number(r, 0.0), slip_node_number(r, 0.0) };
    slip_yaml *node = slip_yaml_find(body->node, "centre");
    char what[120];
    snprintf(what, sizeof what, "the centre of body '%.80s'", body->name);
    if (node) slip_read_place(r, node, what, &local);
    return local;
}

bool slip_local_point(slip_reader *r, slip_body *body, const char *name, slip_vec *local)
{
    if (strcmp(name, "centre") == 0) {
        *local = slip_body_centre(r, body);
        return true;
    }
    slip_yaml *node = slip_yaml_find(slip_reader_map(body->node, "points"), name);
    char what[200];
    snprintf(what, sizeof what, "point '%.80s' of body '%.80s'", name, body->name);
    if (node) slip_read_place(r, node, what, local);
    return node != NULL;
}

// the pose of the ground and of moving bodies once they are placed
static bool is_placed(const slip_body *body)
{
    return body->stage == SLIP_DONE;
}

slip_place slip_find_place(slip_reader *r, const slip_yaml *text)
{
    const char *dot = strchr(text->text, '.');
    size_t length = dot ? (size_t)(dot - text->text) : text->length;
    slip_place none = { .body = NULL };
    slip_body *body = slip_find_body(r, slip_yaml_part(text, 0, length), text->text, length);
    if (!body) return none;
    slip_vec local = { slip_node_number(r, 0.0), slip_node_number(r, 0.0) };
    if (dot && !slip_local_point(r, body, dot + 1, &local)) {
        say_no_point(r, body, slip_yaml_part(text, length + 1, text->length - length - 1), dot + 1);
        return none;
    }
    if (!is_placed(body) || local.x == SLIP_NONE || local.y == SLIP_NONE) return none;
    slip_vec arm = slip_vec_rotate(r, body->cos, body->sin, local);
    return (slip_place){ body, local, arm, slip_vec_add(r, body->at, arm) };
}

slip_vec slip_body_point(slip_reader *r, const slip_body *body, slip_vec local)
{
    return slip_vec_add(r, body->at, slip_vec_rotate(r, body->cos, body->sin, local));
}

slip_vec slip_body_velocity(slip_reader *r, const slip_body *body, slip_vec arm)
{
    return slip_vec_add(r, body->velocity, slip_vec_scale(r, body->spin, slip_vec_turned(r, arm)));
}

// --------------------------------------------------------------------------------------- placing

static const char *const axis_names[SLIP_AXIS_COUNT] = { "x", "y", "th", "s" };

// a coordinate, or the function of time that stands for it, or 0
static slip_ref axis_value(slip_reader *r, slip_body *body, int axis)
{
    if (body->axis[axis]) return body->axis[axis]->value.part[0];
    slip_yaml *map = slip_reader_map(body->node, axis_names[axis]);
    slip_yaml *node = slip_yaml_find(map, "motion");
    char what[160];
    snprintf(what, sizeof what, "the motion of %s of body '%.80s'", axis_names[axis], body->name);
    slip_wanted wanted = { .what = what, .may_use = SLIP_USES_TIME, .count = 1 };
    slip_value value;
    if (!node) return slip_node_number(r, 0.0);
    body->moves = true;
    return slip_read_formula(r, node, &wanted, &value, NULL) ? value.part[0] : SLIP_NONE;
}

static slip_ref joint_angle(slip_reader *r, slip_body *body, slip_yaml *joint, const char *key)
{
    char of[120];
    snprintf(of, sizeof of, "the joint of body '%.80s'", body->name);
    return slip_read_length(r, joint, "bodies.*.joint", key, of, 0.0);
}

static void pose_on(slip_reader *r, slip_body *body, slip_yaml *joint, slip_place on)
{
    body->moves = on.body->moves;
    body->on = on.body;
    body->hang = on.local;
    body->at = on.at;
    if (body->mount == SLIP_MOUNT_REVOLUTE) {
        body->th = axis_value(r, body, SLIP_AXIS_TH);
        return;
    }
    body->th = slip_node_op(r, SLIP_OP_ADD, on.body->th, joint_angle(r, body, joint, "angle"));
    if (body->mount == SLIP_MOUNT_WELD) return;
    slip_ref along = slip_node_op(r, SLIP_OP_ADD, on.body->th, joint_angle(r, body, joint, "along"));
    slip_vec axis = { slip_node_op(r, SLIP_OP_COS, along, SLIP_NONE),
                      slip_node_op(r, SLIP_OP_SIN, along, SLIP_NONE) };
    body->at = slip_vec_add(r, on.at, slip_vec_scale(r, axis_value(r, body, SLIP_AXIS_S), axis));
}

static bool finish_pose(slip_reader *r, slip_body *body)
{
    for (int k = 0; k < SLIP_AXIS_COUNT; k++) body->moves = body->moves || body->axis[k];
    body->cos = slip_node_op(r, SLIP_OP_COS, body->th, SLIP_NONE);
    body->sin = slip_node_op(r, SLIP_OP_SIN, body->th, SLIP_NONE);
    body->velocity = (slip_vec){ slip_time_derivative(r, body->at.x), slip_time_derivative(r, body->at.y) };
    body->spin = slip_time_derivative(r, body->th);
    return body->velocity.x != SLIP_NONE && body->velocity.y != SLIP_NONE && body->spin != SLIP_NONE;
}

static slip_yaml *joint_target(const slip_body *body)
{
    static const char *const keys[] = { NULL, NULL, "revolute", "prismatic", "weld" };
    slip_yaml *joint = slip_reader_map(body->node, "joint");
    return joint && keys[body->mount] ? slip_reader_value(joint, keys[body->mount]) : NULL;
}

// the body that another one stands on; NULL when it stands on nothing, or after a mistake
static slip_body *stands_on(slip_reader *r, slip_body *body)
{
    slip_yaml *target = joint_target(body);
    if (!target) return NULL;
    size_t length = strcspn(target->text, ".");
    slip_body *on = slip_find_body(r, slip_yaml_part(target, 0, length), target->text, length);
    if (!on) body->stage = SLIP_FAILED;
    return on;
}

// `body` is on its way up to itself
static void say_circle(slip_reader *r, slip_body *body)
{
    slip_reader_error(r, joint_target(body)->where,
                      "a body's own joint leads towards the ground; what closes a loop stands under 'joints'",
                      "the joints of the bodies go in a circle: nothing holds '%.80s'", body->name);
}

static void place_body(slip_reader *r, slip_body *body)
{
    body->stage = SLIP_FAILED;
    slip_yaml *target = joint_target(body);
    if (body->mount == SLIP_MOUNT_GROUND || body->mount == SLIP_MOUNT_FREE) {
        body->at = (slip_vec){ axis_value(r, body, SLIP_AXIS_X), axis_value(r, body, SLIP_AXIS_Y) };
        body->th = axis_value(r, body, SLIP_AXIS_TH);
    } else {
        slip_place on = target ? slip_find_place(r, target) : (slip_place){ 0 };
        if (!on.body) return;
        pose_on(r, body, slip_reader_map(body->node, "joint"), on);
    }
    if (body->th == SLIP_NONE || body->at.x == SLIP_NONE || body->at.y == SLIP_NONE) return;
    if (finish_pose(r, body)) body->stage = SLIP_DONE;
}

// up the joints to a body that is placed, then down again; chains may be long, so no recursion
static void place_chain(slip_reader *r, slip_body *body, slip_body **chain)
{
    int length = 0;
    while (body && body->stage == SLIP_WAITING) {
        body->stage = SLIP_OPEN;
        chain[length++] = body;
        slip_body *next = stands_on(r, body);
        if (next && next->stage == SLIP_OPEN) {
            say_circle(r, body);
            for (int k = 0; k < length; k++) chain[k]->stage = SLIP_FAILED;
            return;
        }
        body = next;
    }
    while (length > 0)
        if (chain[--length]->stage == SLIP_OPEN) place_body(r, chain[length]);
}

void slip_place_bodies(slip_reader *r)
{
    slip_bodies *b = r->bodies;
    slip_body **chain = calloc((size_t)b->count + 1, sizeof *chain);
    if (!chain) slip_reader_no_memory(r);
    for (int k = 0; chain && k < b->count && !slip_reader_stopped(r); k++)
        place_chain(r, &b->items[k], chain);
    free(chain);
}
