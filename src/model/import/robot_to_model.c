/// model/import/robot_to_model.c: a robot as a model file.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "symbolic/graph/formula.h"
#include "base/decimal.h"
#include "model/import/robot.h"
#include "model/import/robot_rotation.h"

slip_robot_shape *slip_robot_add_shape(slip_robot *robot, slip_robot_link *link, slip_robot_shape shape)
{
    slip_robot_shape *made = SLIP_POOL_NEW(robot->pool, slip_robot_shape, 1);
    slip_robot_shape **first = link ? &link->shapes : &robot->ground_shapes,
                     **last = link ? &link->last_shape : &robot->last_ground_shape;
    robot->no_memory = robot->no_memory || !made;
    if (!made) return NULL;
    *made = shape;
    made->next = NULL;
    if (*last)
        (*last)->next = made;
    else
        *first = made;
    *last = made;
    return made;
}

// ------------------------------------------------------------------------------------------------- names

bool slip_robot_has_coordinate(const slip_robot_joint *joint)
{
    return joint->kind == SLIP_ROBOT_REVOLUTE || joint->kind == SLIP_ROBOT_PRISMATIC;
}

static bool is_id_taken(const slip_robot *robot, const char *id)
{
    if (slip_formula_is_reserved(id) || strcmp(id, "ground") == 0 || strcmp(id, "floor") == 0) return true;
    for (int k = 0; k < robot->link_count; k++)
        if (robot->links[k].id && strcmp(robot->links[k].id, id) == 0) return true;
    for (int k = 0; k < robot->joint_count; k++)
        if (robot->joints[k].id && strcmp(robot->joints[k].id, id) == 0) return true;
    for (int k = 0; k < robot->tendon_count; k++)
        if (robot->tendons[k].id && strcmp(robot->tendons[k].id, id) == 0) return true;
    for (int k = 0; k < robot->actuator_count; k++) {
        const slip_robot_actuator *a = &robot->actuators[k];
        if ((a->id && strcmp(a->id, id) == 0) || (a->force_id && strcmp(a->force_id, id) == 0)) return true;
    }
    for (int k = 0; k < robot->loop_count; k++)
        if (robot->loops[k].id && strcmp(robot->loops[k].id, id) == 0) return true;
    for (int k = 0; k < robot->coupling_count; k++)
        if (robot->couplings[k].id && strcmp(robot->couplings[k].id, id) == 0) return true;
    return false;
}

// a name of the model language like the given one, that nothing else has: letters, digits and _
static const char *make_id(slip_robot *robot, const char *name, const char *kind)
{
    char id[80], last[100];
    int length = 0;
    if (!isalpha((unsigned char)name[0])) length = snprintf(id, sizeof id, "%s%s", kind, name[0] ? "_" : "");
    for (const char *c = name; *c && length < 60; c++) id[length++] = isalnum((unsigned char)*c) ? *c : '_';
    id[length] = '\0';
    snprintf(last, sizeof last, "%s", id);
    if (is_id_taken(robot, last)) snprintf(last, sizeof last, "%s_%s", id, kind);
    for (int k = 2; is_id_taken(robot, last); k++) snprintf(last, sizeof last, "%s_%s%d", id, kind, k);
    const char *kept = slip_pool_text(robot->pool, last, strlen(last));
    robot->no_memory = robot->no_memory || !kept;
    return kept ? kept : "";
}

static void make_ids(slip_robot *robot)
{
    for (int k = 0; k < robot->joint_count; k++) // first: what stands in formulas and results keeps its name
        if (slip_robot_has_coordinate(&robot->joints[k]))
            robot->joints[k].id = make_id(robot, robot->joints[k].name, "joint");
    for (int k = 0; k < robot->link_count; k++)
        robot->links[k].id = make_id(robot, robot->links[k].name, "link");
    for (int k = 0; k < robot->joint_count; k++)
        if (!slip_robot_has_coordinate(&robot->joints[k]))
            robot->joints[k].id = make_id(robot, robot->joints[k].name, "joint");
    for (int k = 0; k < robot->tendon_count; k++)
        robot->tendons[k].id = make_id(robot, robot->tendons[k].name, "tendon");
    for (int k = 0; k < robot->actuator_count; k++) {
        slip_robot_actuator *a = &robot->actuators[k];
        char force[140];
        a->id = make_id(robot, a->name, "input");
        snprintf(force, sizeof force, "%.100s_force", a->id);
        a->force_id = make_id(robot, force, "of");
    }
    for (int k = 0; k < robot->loop_count; k++)
        robot->loops[k].id = make_id(robot, robot->loops[k].name, "loop");
    for (int k = 0; k < robot->coupling_count; k++)
        robot->couplings[k].id = make_id(robot, robot->couplings[k].name, "coupling");
}

// ----------------------------------------------------------------------------------------------- numbers

void slip_robot_add_number(slip_text *y, double value)
{
    slip_text_number(y, value == 0.0 ? 0.0 : value); // no -0
}

static void add_list(slip_text *y, int count, const double *values)
{
    slip_text_add(y, "[");
    for (int k = 0; k < count; k++) {
        if (k) slip_text_add(y, ", ");
        slip_robot_add_number(y, values[k]);
    }
    slip_text_add(y, "]");
}

static bool all_zero(int count, const double *values)
{
    for (int k = 0; k < count; k++)
        if (values[k] != 0.0) return false;
    return true;
}

static void add_key(slip_text *y, const char *key, int count, const double *values)
{
    slip_text_add(y, ", %s: ", key);
    if (count == 1)
        slip_robot_add_number(y, values[0]);
    else
        add_list(y, count, values);
}

// text from the file, in quotes or a comment: it stays in its line
static void add_safe(slip_text *y, const char *text)
{
    for (int k = 0; k < 120 && text[k]; k++) {
        char c = text[k];
        bool plain = c >= 32 && c != 127 && c != '"' && c != '\\';
        if (((unsigned char)c & 0xC0) != 0x80) slip_text_bytes(y, plain ? &c : "_", 1); // one per character
    }
}

// ------------------------------------------------------------------------------------------------ shapes

static void add_shape(slip_text *y, const slip_robot_shape *s)
{
    static const char *const words[] = {
        "box", "sphere", "cylinder", "capsule", "plane", "mesh", "ellipsoid"
    };
    static const int sizes[] = { 3, 1, 2, 0, 0, 0, 3 };
    static const double up[3] = { 0, 0, 1 };
    double axis[3];
    slip_rotation_vector(s->attitude, up, axis);
    slip_text_add(y, "{%s: ", words[s->kind]);
    if (s->kind == SLIP_ROBOT_CAPSULE) {
        double ends[2][3];
        for (int k = 0; k < 3; k++) ends[0][k] = s->at[k] - 0.5 * s->size[1] * axis[k];
        for (int k = 0; k < 3; k++) ends[1][k] = s->at[k] + 0.5 * s->size[1] * axis[k];
        slip_text_add(y, "[");
        add_list(y, 3, ends[0]);
        slip_text_add(y, ", ");
        add_list(y, 3, ends[1]);
        slip_text_add(y, "]");
        add_key(y, "radius", 1, s->size);
    } else if (s->kind == SLIP_ROBOT_PLANE) {
        add_list(y, 3, s->at);
        add_key(y, "normal", 3, axis);
    } else if (s->kind == SLIP_ROBOT_MESH) {
        slip_text_add(y, "\"");
        add_safe(y, s->file);
        slip_text_add(y, "\"");
        const bool same = s->size[0] > 0.0 && s->size[0] == s->size[1] && s->size[1] == s->size[2];
        if (s->size[0] != 1.0 || !same) add_key(y, "scale", same ? 1 : 3, s->size);
    } else if (sizes[s->kind] == 1) {
        slip_robot_add_number(y, s->size[0]);
    } else {
        add_list(y, sizes[s->kind], s->size);
    }
    bool centred = s->kind != SLIP_ROBOT_CAPSULE && s->kind != SLIP_ROBOT_PLANE;
    if (centred && !all_zero(3, s->at)) add_key(y, "at", 3, s->at);
    if (centred && s->kind != SLIP_ROBOT_SPHERE && !all_zero(3, s->attitude + 1))
        add_key(y, "attitude", 4, s->attitude);
    slip_text_add(y, "}");
}

static void add_shapes(slip_text *y, const slip_robot_shape *first)
{
    if (!first) return;
    slip_text_add(y, ",\n    shapes: {");
    int k = 1;
    for (const slip_robot_shape *s = first; s; s = s->next, k++) {
        slip_text_add(y, "%ss%d: ", k > 1 ? ", " : "", k);
        add_shape(y, s);
    }
    slip_text_add(y, "}");
}

// ------------------------------------------------------------------------------------------------ bodies

// where joints and loops sit on a link, behind points that are there
static void add_points(slip_text *y, const slip_robot *robot, int link)
{
    for (int k = 0; k < robot->loop_count; k++)
        for (int end = 0; end < 2; end++) {
            if (robot->loops[k].link[end] != link) continue;
            slip_text_add(y, ", on_%s%s: ", robot->loops[k].id, end ? "_2" : "");
            add_list(y, 3, robot->loops[k].at[end]);
        }
    for (int k = 0; k < robot->joint_count; k++) {
        const slip_robot_joint *joint = &robot->joints[k];
        if (joint->parent != link || joint->kind == SLIP_ROBOT_FREE) continue;
        slip_text_add(y, ", at_%s: ", joint->id);
        add_list(y, 3, joint->at);
    }
}

static bool carries_points(const slip_robot *robot, int link)
{
    for (int k = 0; k < robot->joint_count; k++)
        if (robot->joints[k].parent == link && robot->joints[k].kind != SLIP_ROBOT_FREE) return true;
    for (int k = 0; k < robot->loop_count; k++)
        if (robot->loops[k].link[0] == link || robot->loops[k].link[1] == link) return true;
    return false;
}

static void add_place(slip_text *y, const double *at)
{
    static const char *const axes[] = { "x", "y", "z" };
    for (int k = 0; k < 3; k++) {
        if (at[k] == 0.0) continue;
        slip_text_add(y, ", %s: {start: ", axes[k]);
        slip_robot_add_number(y, at[k]);
        slip_text_add(y, "}");
    }
}

static bool has_constraints(const slip_robot *robot)
{
    bool any = robot->loop_count > 0 || robot->coupling_count > 0;
    for (int k = 0; k < robot->joint_count; k++) any = any || robot->joints[k].mimics >= 0;
    return any;
}

static void add_joint(slip_text *y, const slip_robot *robot, const slip_robot_link *link)
{
    static const char *const words[] = { "weld", "revolute", "prismatic", "", "spherical" };
    const slip_robot_joint *joint = link->carrier >= 0 ? &robot->joints[link->carrier] : NULL;
    if (!joint && robot->def->free) return;
    if (!joint) {
        slip_text_add(y, ", joint: {weld: ground}");
        return;
    }
    const char *parent = joint->parent >= 0 ? robot->links[joint->parent].id : "ground";
    if (joint->kind == SLIP_ROBOT_FREE) {
        add_place(y, joint->at);
    } else {
        slip_text_add(y, ",\n    joint: {%s: %s.at_%s", words[joint->kind], parent, joint->id);
        if (joint->kind == SLIP_ROBOT_REVOLUTE) add_key(y, "axis", 3, joint->axis);
        if (joint->kind == SLIP_ROBOT_PRISMATIC) add_key(y, "along", 3, joint->axis);
        slip_text_add(y, "}");
    }
    if (!all_zero(3, joint->attitude + 1)) add_key(y, "attitude", 4, joint->attitude);
    if (joint->kind != SLIP_ROBOT_REVOLUTE && joint->kind != SLIP_ROBOT_PRISMATIC) return;
    slip_text_add(y, ", %s: {name: %s", joint->kind == SLIP_ROBOT_REVOLUTE ? "th" : "s", joint->id);
    if (has_constraints(robot))
        add_key(y, "guess", 1, &joint->start); // the loops may be open there
    else if (joint->start != 0.0)
        add_key(y, "start", 1, &joint->start);
    slip_text_add(y, "}");
}

static void add_inertia(slip_text *y, const slip_robot_link *link)
{
    const double *I = link->inertia;
    bool round = I[0] == I[1] && I[1] == I[2] && all_zero(3, I + 3);
    if (all_zero(6, I)) return;
    add_key(y, "inertia", round ? 1 : all_zero(3, I + 3) ? 3 : 6, I);
}

static void add_body(slip_text *y, const slip_robot *robot, int k)
{
    const slip_robot_link *link = &robot->links[k];
    slip_text_add(y, "  %s: {mass: ", link->id);
    slip_robot_add_number(y, link->mass);
    if (!all_zero(3, link->centre)) add_key(y, "centre", 3, link->centre);
    add_inertia(y, link);
    add_joint(y, robot, link);
    if (carries_points(robot, k)) {
        slip_text_add(y, ",\n    points: {origin: [0, 0, 0]");
        add_points(y, robot, k);
        slip_text_add(y, "}");
    }
    add_shapes(y, link->shapes);
    slip_text_add(y, "}");
    if (strcmp(link->id, link->name) != 0) {
        slip_text_add(y, "  # link \"");
        add_safe(y, link->name);
        slip_text_add(y, "\"");
    }
    slip_text_add(y, "\n");
}

static void add_ground(slip_text *y, slip_robot *robot)
{
    static const slip_robot_shape floor = { .kind = SLIP_ROBOT_PLANE, .attitude = { 1, 0, 0, 0 } };
    if (robot->def->floor >= 0.0) slip_robot_add_shape(robot, NULL, floor);
    slip_text_add(y, "  ground: {points: {origin: [0, 0, 0]");
    add_points(y, robot, -1);
    slip_text_add(y, "}");
    add_shapes(y, robot->ground_shapes);
    slip_text_add(y, "}\n");
}

// ---------------------------------------------------------------------------------------------- contacts

static bool has_shapes(const slip_robot *robot)
{
    for (int k = 0; k < robot->link_count; k++)
        if (robot->links[k].shapes) return true;
    return false;
}

// shapes whose contacts are detected, and not declared
static bool has_detected_shapes(const slip_robot *robot)
{
    for (int k = 0; k < robot->link_count; k++)
        for (const slip_robot_shape *s = robot->links[k].shapes; s; s = s->next)
            if (s->kind == SLIP_ROBOT_MESH || s->kind == SLIP_ROBOT_ELLIPSOID) return true;
    return false;
}

// contacts of hulls are found: of each link with the floor, and of no link with another
static void detect_floor(slip_text *y, const slip_robot *robot)
{
    for (int k = 0; k < robot->link_count; k++) {
        if (!robot->links[k].shapes) continue;
        slip_text_add(y, "  floor_%s: {detect: [%s, ground], friction: ", robot->links[k].id,
                      robot->links[k].id);
        slip_robot_add_number(y, robot->def->floor >= 0.0 ? robot->def->floor : 1.0);
        slip_text_add(y, "}\n");
    }
}

static void add_floor(slip_text *y, const slip_robot *robot)
{
    if (!robot->ground_shapes || !has_shapes(robot)) return;
    if (has_detected_shapes(robot)) {
        detect_floor(y, robot);
        return;
    }
    slip_text_add(y, "  floor: {between: [[");
    bool any = false;
    for (int k = 0; k < robot->link_count; k++) {
        if (!robot->links[k].shapes) continue;
        slip_text_add(y, "%s%s", any ? ", " : "", robot->links[k].id);
        any = true;
    }
    slip_text_add(y, "], ground], friction: ");
    slip_robot_add_number(y, robot->def->floor >= 0.0 ? robot->def->floor : 1.0);
    slip_text_add(y, "}\n");
}

static void add_contacts(slip_text *y, const slip_robot *robot)
{
    const bool floor = robot->ground_shapes && has_shapes(robot);
    if (floor || slip_robot_stop_count(robot) > 0) slip_text_add(y, "contacts:\n");
    slip_robot_write_stops(robot, y);
    if (floor) add_floor(y, robot);
}

void slip_robot_write(slip_robot *robot, slip_text *y)
{
    make_ids(robot);
    slip_text_add(y, "# Taken over from the %s file ", robot->format);
    add_safe(y, robot->file);
    slip_text_add(y, " by slipstick import.\nslipstick: 1\nname: \"");
    add_safe(y, robot->name[0] ? robot->name : "robot");
    slip_text_add(y, "\"\nspace: 3\ngravity: ");
    add_list(y, 3, robot->gravity);
    slip_text_add(y, "\nbodies:\n");
    add_ground(y, robot);
    for (int k = 0; k < robot->link_count; k++) add_body(y, robot, k);
    slip_robot_write_drives(robot, y);
    slip_robot_write_frictions(robot, y);
    add_contacts(y, robot);
    slip_robot_write_couplings(robot, y);
    slip_text_add(y, "run: {until: 2}\n");
}
