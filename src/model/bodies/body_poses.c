/// model/bodies/body_poses.c: where the bodies are and how fast they move, as expressions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/joint_type.h"
#include "model/model_tolerances.h"

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
    enum { MAX_NAMES = 1000 };
    const char *names[MAX_NAMES];
    int count = 0;
    for (int k = 0; k < b->count && count < MAX_NAMES; k++) names[count++] = b->items[k].name;
    char word[100], hint[200];
    snprintf(word, sizeof word, "%.*s", (int)(length < 80 ? length : 80), name);
    slip_suggest_name(word, names, count, hint, (int)sizeof hint);
    slip_reader_error(r, where, hint, "there is no body '%s'", word);
    return NULL;
}

static void say_no_point(slip_reader *r, const slip_body *body, slip_span where, const char *name)
{
    enum { MAX_NAMES = 1000 };
    const char *names[MAX_NAMES] = { "centre" };
    int count = 1;
    slip_yaml *points = slip_reader_map(body->node, "points");
    for (slip_yaml *node = points ? points->first : NULL; node && count < MAX_NAMES; node = node->next)
        names[count++] = node->key->text;
    char hint[200];
    slip_suggest_name(name, names, count, hint, (int)sizeof hint);
    slip_reader_error(r, where, hint, "body '%.60s' has no point '%.60s'", body->name, name);
}

slip_vec slip_body_centre(slip_reader *r, slip_body *body)
{
    slip_vec local = slip_vec_zero(r);
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
    return body->stage == SLIP_STAGE_DONE;
}

slip_place slip_find_place(slip_reader *r, const slip_yaml *text)
{
    const char *dot = strchr(text->text, '.');
    size_t length = dot ? (size_t)(dot - text->text) : text->length;
    slip_place none = { .body = NULL };
    slip_body *body = slip_find_body(r, slip_yaml_part(text, 0, length), text->text, length);
    if (!body) return none;
    slip_vec local = slip_vec_zero(r);
    if (dot && !slip_local_point(r, body, dot + 1, &local)) {
        say_no_point(r, body, slip_yaml_part(text, length + 1, text->length - length - 1), dot + 1);
        return none;
    }
    if (!is_placed(body) || !slip_vec_is_complete(r, local)) return none;
    slip_complete_attitude(r, body);
    slip_vec arm = slip_body_rotate(r, body, local);
    return (slip_place){ body, local, arm, slip_vec_add(r, body->at, arm) };
}

static bool is_zero_vec(slip_reader *r, slip_vec a)
{
    return slip_node_is(r, a.x, 0.0) && slip_node_is(r, a.y, 0.0) && slip_node_is(r, a.z, 0.0);
}

slip_vec slip_body_rotate(slip_reader *r, slip_body *body, slip_vec local)
{
    if (body->waits && is_zero_vec(r, local)) return local;
    slip_complete_attitude(r, body);
    if (slip_dimensions(r) == 3) return slip_rotation_matrix_apply(r, &body->turn, local);
    return slip_vec_rotate(r, body->cos, body->sin, local);
}

slip_vec slip_body_point(slip_reader *r, slip_body *body, slip_vec local)
{
    return slip_vec_add(r, body->at, slip_body_rotate(r, body, local));
}

slip_vec slip_body_velocity(slip_reader *r, slip_body *body, slip_vec arm)
{
    slip_complete_attitude(r, body);
    slip_vec turning = slip_dimensions(r) == 3
                           ? slip_vec_cross(r, body->omega, arm)
                           : slip_vec_scale(r, body->spin, slip_vec_perpendicular(r, arm));
    return slip_vec_add(r, body->velocity, turning);
}

// --------------------------------------------------------------------------------------- placing

const char *const slip_axis_names[SLIP_AXIS_COUNT] = { "x", "y", "z", "th", "s" };

// a coordinate, or the function of time that stands for it, or 0
static slip_ref axis_value(slip_reader *r, slip_body *body, int axis)
{
    if (body->axis[axis]) return body->axis[axis]->value.part[0];
    slip_yaml *map = slip_reader_map(body->node, slip_axis_names[axis]);
    slip_yaml *node = slip_yaml_find(map, "motion");
    char what[160];
    snprintf(what, sizeof what, "the motion of %s of body '%.80s'", slip_axis_names[axis], body->name);
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_TIME, .count = 1 };
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

// what a joint with friction holds is 0, but its rates are not the model's to leave out
static void pose_held(slip_reader *r, slip_body *body)
{
    if (!body->held_count || slip_body_slides(body)) return;
    slip_vec held = { slip_constrained_axis_value(r, body, 0), slip_constrained_axis_value(r, body, 1),
                      SLIP_NONE };
    body->at = slip_vec_add(r, body->at, held);
}

static void pose_on(slip_reader *r, slip_body *body, slip_yaml *joint, slip_place on)
{
    pose_held(r, body);
    if (slip_body_turns(body))
        body->th = axis_value(r, body, SLIP_AXIS_TH);
    else
        body->th = slip_node_op(r, SLIP_OP_ADD, on.body->th, joint_angle(r, body, joint, "angle"));
    if (!slip_body_slides(body)) return;
    slip_ref along = slip_node_op(r, SLIP_OP_ADD, on.body->th, joint_angle(r, body, joint, "along"));
    slip_vec axis = { slip_node_op(r, SLIP_OP_COS, along, SLIP_NONE),
                      slip_node_op(r, SLIP_OP_SIN, along, SLIP_NONE), SLIP_NONE };
    body->at = slip_vec_add(r, on.at, slip_vec_scale(r, axis_value(r, body, SLIP_AXIS_S), axis));
    if (!body->held_count) return;
    slip_vec off =
        slip_vec_scale(r, slip_constrained_axis_value(r, body, 0), slip_vec_perpendicular(r, axis));
    body->joint_axis = axis;
    body->at = slip_vec_add(r, body->at, off);
    body->th = slip_node_op(r, SLIP_OP_ADD, body->th, slip_constrained_axis_value(r, body, 1));
}

static bool finish_pose(slip_reader *r, slip_body *body)
{
    body->cos = slip_node_op(r, SLIP_OP_COS, body->th, SLIP_NONE);
    body->sin = slip_node_op(r, SLIP_OP_SIN, body->th, SLIP_NONE);
    body->velocity = slip_vec_rate(r, body->at);
    body->spin = slip_time_derivative(r, body->th);
    return slip_vec_is_complete(r, body->velocity) && body->spin != SLIP_NONE;
}

// ------------------------------------------------------------------------------------------ in space

// a direction of a joint in the frame of what it hangs on: `along`, x where none is given, or `axis`, z
static bool joint_axis(slip_reader *r, slip_body *body, slip_yaml *joint, bool along, slip_vec *axis)
{
    const char *key = along ? "along" : "axis";
    slip_yaml *list = slip_yaml_find(joint, key);
    char what[160];
    snprintf(what, sizeof what, "'%s' of the joint of body '%.80s'", key, body->name);
    *axis = slip_vec_zero(r);
    slip_ref one = slip_node_number(r, 1.0);
    *(along ? &axis->x : &axis->z) = one;
    return !list || slip_read_direction(r, list, what, axis);
}

static bool own_turn(slip_reader *r, slip_body *body, slip_rotation_matrix *turn, slip_ref q[4])
{
    char what[160];
    snprintf(what, sizeof what, "the attitude of body '%.80s'", body->name);
    if (!slip_read_rotation(r, slip_yaml_find(body->node, "attitude"), what, q)) return false;
    *turn = slip_rotation_matrix_of(r, q);
    return true;
}

// what a joint with friction holds, in the axes of what it hangs on; `rates`: how fast that changes
static slip_vec held_in_space(slip_reader *r, const slip_body *body, const slip_body *on, bool rates)
{
    slip_ref part[3];
    for (int k = 0; k < 3; k++) {
        part[k] = slip_constrained_axis_value(r, body, k);
        if (rates) part[k] = slip_time_derivative(r, part[k]);
    }
    return slip_rotation_matrix_apply(r, &on->turn, (slip_vec){ part[0], part[1], part[2] });
}

// the displacement along the axis of a joint: a coordinate, or what the lead of a thread makes of the angle
static slip_ref slide_of(slip_reader *r, slip_body *body, slip_yaml *joint, slip_ref th)
{
    if (!body->joint->screws) return axis_value(r, body, SLIP_AXIS_S);
    slip_ref turns = slip_node_op(r, SLIP_OP_DIV, th, slip_node_number(r, FULL_TURN));
    return slip_node_op(r, SLIP_OP_MUL, joint_angle(r, body, joint, "lead"), turns);
}

// turned about an axis of what it hangs on, or slid along one; `attitude` is how it stands in between
static bool pose_on_in_space(slip_reader *r, slip_body *body, slip_yaml *joint, slip_place on)
{
    slip_rotation_matrix own;
    slip_vec axis;
    slip_ref q[4];
    bool slides = slip_body_slides(body), turns = slip_body_turns(body), one = body->joint->one_axis;
    if (!own_turn(r, body, &own, q) || !joint_axis(r, body, joint, slides && !one, &axis)) return false;
    slip_ref th = turns ? axis_value(r, body, SLIP_AXIS_TH) : slip_node_number(r, 0.0);
    slip_vec ground = slip_rotation_matrix_apply(r, &on.body->turn, axis), rate = slip_vec_zero(r);
    if (slides) {
        slip_ref s = slide_of(r, body, joint, th);
        body->at = slip_vec_add(r, on.at, slip_vec_scale(r, s, ground));
        rate = slip_vec_scale(r, slip_time_derivative(r, s), ground);
    }
    if (slides && turns && !one) {
        if (!joint_axis(r, body, joint, false, &axis)) return false;
        ground = slip_rotation_matrix_apply(r, &on.body->turn, axis);
    }
    body->joint_axis = ground;
    if (body->held_count) {
        body->at = slip_vec_add(r, body->at, held_in_space(r, body, on.body, false));
        rate = slip_vec_add(r, rate, held_in_space(r, body, on.body, true));
    }
    if (turns) {
        slip_rotation_matrix turned = slip_rotation_matrix_about(r, axis, th);
        own = slip_rotation_matrix_product(r, &turned, &own);
        slip_ref about[4], standing[4];
        memcpy(standing, q, sizeof q);
        slip_quaternion_nodes_about(r, axis, th, about);
        slip_quaternion_nodes_product(r, about, standing, q);
    }
    slip_quaternion_nodes_product(r, on.body->quaternion, q, body->quaternion);
    body->th = th;
    body->turn = slip_rotation_matrix_product(r, &on.body->turn, &own);
    slip_ref speed = slip_time_derivative(r, th);
    body->omega = slip_vec_add(r, on.body->omega, slip_vec_scale(r, speed, ground));
    slip_vec about = slip_vec_scale(r, speed, slip_rotation_matrix_apply_inv(r, &own, axis));
    body->own = slip_vec_add(r, slip_rotation_matrix_apply_inv(r, &own, on.body->own), about);
    slip_vec carried = slip_body_velocity(r, on.body, slip_vec_sub(r, body->at, on.body->at));
    body->velocity = slip_vec_add(r, carried, rate);
    return true;
}

// velocities are known by what carries the body: shorter than what deriving its place would give
static bool finish_pose_in_space(slip_reader *r, slip_body *body)
{
    bool free = body->mount == SLIP_MOUNT_FREE || body->mount == SLIP_MOUNT_GROUND;
    if (free) body->velocity = slip_vec_rate(r, body->at);
    if (body->waits) return slip_vec_is_complete(r, body->velocity);
    bool whole = slip_vec_is_complete(r, body->velocity) && slip_vec_is_complete(r, body->omega) &&
                 slip_vec_is_complete(r, body->own);
    for (int k = 0; k < 3; k++) {
        whole = whole && slip_vec_is_complete(r, body->turn.axis[k]);
        slip_vec rate = slip_vec_cross(r, body->omega, body->turn.axis[k]);
        for (int c = 0; c < 3 && !free; c++)
            slip_set_known_rate(r, slip_vec_part(body->at, c), slip_vec_part(body->velocity, c));
        for (int c = 0; c < 3; c++)
            slip_set_known_rate(r, slip_vec_part(body->turn.axis[k], c), slip_vec_part(rate, c));
    }
    return whole;
}

// most likely one of a crowd: what nothing names needs no formulas for how it turns
static bool may_wait(slip_reader *r, const slip_body *body)
{
    return body->mount == SLIP_MOUNT_FREE && r->bodies->finds && !slip_is_name_used(r, body->name);
}

static bool place_in_space(slip_reader *r, slip_body *body, slip_place on)
{
    if (body->on && !slip_body_spins(body))
        return pose_on_in_space(r, body, slip_reader_map(body->node, "joint"), on);
    if (body->attitude[0] && may_wait(r, body)) {
        slip_defer_attitude(r, body);
    } else if (body->attitude[0]) {
        slip_pose_attitude(r, body);
    } else { // the ground, and particles
        body->turn = slip_rotation_matrix_identity(r);
        slip_quaternion_nodes_identity(r, body->quaternion);
        body->omega = body->own = slip_vec_zero(r);
    }
    if (body->on) body->velocity = slip_body_velocity(r, on.body, on.arm);
    if (body->on && body->held_count) {
        slip_vec off = held_in_space(r, body, on.body, false);
        slip_vec carried = slip_body_velocity(r, on.body, slip_vec_add(r, on.arm, off));
        body->at = slip_vec_add(r, body->at, off);
        body->velocity = slip_vec_add(r, carried, held_in_space(r, body, on.body, true));
    }
    return true;
}

// ------------------------------------------------------------------------------------------- the tree

static slip_yaml *joint_target(const slip_body *body)
{
    slip_yaml *joint = slip_reader_map(body->node, "joint");
    return joint && body->joint ? slip_reader_value(joint, body->joint->info.name) : NULL;
}

// the body that another one stands on; NULL when it stands on nothing, or after a mistake
static slip_body *parent_body(slip_reader *r, slip_body *body)
{
    slip_yaml *target = joint_target(body);
    if (!target) return NULL;
    size_t length = strcspn(target->text, ".");
    slip_body *on = slip_find_body(r, slip_yaml_part(target, 0, length), target->text, length);
    if (!on) body->stage = SLIP_STAGE_FAILED;
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
    body->stage = SLIP_STAGE_FAILED;
    bool space = slip_dimensions(r) == 3, hangs = body->mount > SLIP_MOUNT_FREE; // lost ones too
    slip_yaml *target = joint_target(body);
    slip_place on = { 0 };
    if (hangs) {
        if (target) on = slip_find_place(r, target);
        if (!on.body) return;
        body->on = on.body;
        body->hang = on.local;
        body->at = on.at;
        body->moves = on.body->moves;
    } else {
        body->at.x = axis_value(r, body, SLIP_AXIS_X);
        body->at.y = axis_value(r, body, SLIP_AXIS_Y);
        body->at.z = space ? axis_value(r, body, SLIP_AXIS_Z) : SLIP_NONE;
    }
    body->th = SLIP_NONE;
    if (space && !place_in_space(r, body, on)) return;
    if (!space && hangs) pose_on(r, body, slip_reader_map(body->node, "joint"), on);
    if (!space && !hangs) body->th = axis_value(r, body, SLIP_AXIS_TH);
    if ((!space && body->th == SLIP_NONE) || !slip_vec_is_complete(r, body->at)) return;
    for (int k = 0; k < SLIP_AXIS_COUNT; k++) body->moves = body->moves || body->axis[k];
    body->moves = body->moves || body->attitude[0];
    if (space ? finish_pose_in_space(r, body) : finish_pose(r, body)) body->stage = SLIP_STAGE_DONE;
}

// up the joints to a body that is placed, then down again; chains may be long, so no recursion
static void place_chain(slip_reader *r, slip_body *body, slip_body **chain)
{
    int length = 0;
    while (body && body->stage == SLIP_STAGE_WAITING) {
        body->stage = SLIP_STAGE_OPEN;
        chain[length++] = body;
        slip_body *next = parent_body(r, body);
        if (next && next->stage == SLIP_STAGE_OPEN) {
            say_circle(r, body);
            for (int k = 0; k < length; k++) chain[k]->stage = SLIP_STAGE_FAILED;
            return;
        }
        body = next;
    }
    while (length > 0)
        if (chain[--length]->stage == SLIP_STAGE_OPEN) place_body(r, chain[length]);
}

static bool finds_contacts(slip_reader *r)
{
    const slip_yaml *map = slip_reader_map(r->root, "contacts");
    for (const slip_yaml *node = map ? map->first : NULL; node; node = node->next)
        if (!node->bad && slip_yaml_find(node, "detect")) return true;
    return false;
}

void slip_place_bodies(slip_reader *r)
{
    slip_bodies *b = r->bodies;
    b->finds = finds_contacts(r);
    slip_body **chain = calloc((size_t)b->count + 1, sizeof *chain);
    if (!chain) slip_reader_no_memory(r);
    for (int k = 0; chain && k < b->count && !slip_reader_stopped(r); k++)
        place_chain(r, &b->items[k], chain);
    free(chain);
}
