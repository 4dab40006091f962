/// model/import/mjcf_actuators.c: <actuator> of MJCF as inputs of the model, and the <keyframe> in which it starts.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/import/mjcf.h"
#include "model/import/robot_rotation.h"

enum { MAX_PARAMETERS = 16 }; // of gains and biases

// the first `most` numbers of an attribute that may have fewer or more; the rest keeps its value
static void read_some(const slip_mjcf *m, const slip_xml *e, const char *name, int most, double *values)
{
    const slip_xml_attribute *a = slip_xml_attribute_of(e, name);
    const int count = slip_robot_number_count(a);
    double read[MAX_PARAMETERS];
    if (!a) return;
    if (count < 1 || count > MAX_PARAMETERS) {
        slip_robot_error(m->robot, a->where, NULL, "'%s' must be 1 to %d numbers", name, MAX_PARAMETERS);
        return;
    }
    slip_robot_list(a, count, read);
    memcpy(values, read, (size_t)(count < most ? count : most) * sizeof *values);
}

static bool is_word(const slip_xml *e, const char *name, const char *word)
{
    const slip_xml_attribute *a = slip_xml_attribute_of(e, name);
    return a && strcmp(a->value, word) == 0;
}

static bool read_range(const slip_mjcf *m, const slip_xml *e, const char *limited, const char *range,
                       double ends[2])
{
    const bool given = slip_xml_attribute_of(e, range) != NULL;
    const bool on =
        is_word(e, limited, "true") || (given && m->limits_by_range && !is_word(e, limited, "false"));
    return on && slip_robot_need_numbers(m->robot, e, range, 2, ends);
}

// ---------------------------------------------------------------------------------------------- kinds

static void read_position(const slip_mjcf *m, const slip_xml *e, slip_robot_actuator *a)
{
    double kp = 1.0, kv = 0.0, inherit = 0.0;
    slip_robot_numbers(m->robot, e, "kp", 1, &kp);
    slip_robot_numbers(m->robot, e, "kv", 1, &kv);
    slip_robot_numbers(m->robot, e, "dampratio", 1, &a->damping_ratio);
    slip_robot_numbers(m->robot, e, "inheritrange", 1, &inherit);
    a->gain = kp;
    a->bias[1] = -kp;
    a->bias[2] = -kv;
    if (slip_xml_attribute_of(e, "timeconst"))
        slip_robot_warn_once(m->robot, e->where, "'timeconst' of actuators is left out: they act at once");
    const slip_robot_joint *joint = a->of.joint >= 0 ? &m->robot->joints[a->of.joint] : NULL;
    if (!(inherit > 0.0) || !joint || !joint->limited || a->control_limited) return;
    const double middle = 0.5 * (joint->lower + joint->upper) + joint->reference,
                 half = 0.5 * (joint->upper - joint->lower);
    a->control_limited = true;
    a->control[0] = middle - inherit * half;
    a->control[1] = middle + inherit * half;
}

static void read_velocity(const slip_mjcf *m, const slip_xml *e, slip_robot_actuator *a)
{
    double kv = 1.0;
    slip_robot_numbers(m->robot, e, "kv", 1, &kv);
    a->gain = kv;
    a->bias[2] = -kv;
}

// false when its force is no such sum
static bool read_general(const slip_mjcf *m, const slip_xml *e, slip_robot_actuator *a)
{
    static const char *const gains[] = { "fixed" }, *const biases[] = { "none", "affine" };
    const slip_xml_attribute *gain = slip_xml_attribute_of(e, "gaintype"),
                             *bias = slip_xml_attribute_of(e, "biastype"),
                             *dynamics = slip_xml_attribute_of(e, "dyntype");
    if (gain && strcmp(gain->value, gains[0]) != 0) return false;
    if (bias && strcmp(bias->value, biases[0]) != 0 && strcmp(bias->value, biases[1]) != 0) return false;
    if (dynamics && (strcmp(dynamics->value, "filter") == 0 || strcmp(dynamics->value, "filterexact") == 0))
        slip_robot_warn_once(m->robot, dynamics->where,
                             "'dyntype' of actuators is left out: they act at once");
    else if (dynamics && strcmp(dynamics->value, "none") != 0)
        return false;
    read_some(m, e, "gainprm", 1, &a->gain);
    if (bias && strcmp(bias->value, biases[1]) == 0) read_some(m, e, "biasprm", 3, a->bias);
    return true;
}

static bool read_kind(const slip_mjcf *m, const slip_xml *e, slip_robot_actuator *a)
{
    if (strcmp(e->name, "motor") == 0) return true;
    if (strcmp(e->name, "general") == 0) return read_general(m, e, a);
    if (strcmp(e->name, "position") == 0) return read_position(m, e, a), true;
    if (strcmp(e->name, "velocity") == 0) return read_velocity(m, e, a), true;
    return false;
}

static bool read_mover(const slip_mjcf *m, const slip_xml *e, slip_robot_mover *of)
{
    const slip_xml_attribute *joint = slip_xml_attribute_of(e, "joint");
    if (!joint) joint = slip_xml_attribute_of(e, "jointinparent");
    of->joint = -1;
    for (int k = 0; joint && k < m->robot->joint_count; k++)
        if (slip_robot_has_coordinate(&m->robot->joints[k]) &&
            strcmp(m->robot->joints[k].name, joint->value) == 0)
            of->joint = k;
    of->tendon = slip_mjcf_tendon_of(m, e, "tendon");
    return of->joint >= 0 || of->tendon >= 0;
}

// ------------------------------------------------------------------------------------- damping from a ratio

// Moment of inertia, or mass, that a joint moves where all coordinates are 0: the diagonal of the mass matrix
static double moved_inertia(const slip_robot *robot, int joint)
{
    const slip_robot_joint *j = &robot->joints[joint];
    double at[3], turn[4], axis[3], parent_at[3], parent_turn[4], sum = j->armature, length = 0.0;
    slip_mjcf_pose(robot, j->child, at, turn);
    slip_mjcf_pose(robot, j->parent, parent_at, parent_turn);
    slip_rotation_vector(parent_turn, j->axis, axis);
    for (int k = 0; k < 3; k++) length += axis[k] * axis[k];
    for (int k = 0; k < robot->link_count; k++) {
        int up = k;
        while (up >= 0 && up != j->child) up = robot->joints[up].parent;
        if (up != j->child) continue;
        const slip_robot_link *link = &robot->links[k];
        double own_at[3], own_turn[4], I[6], arm[3];
        if (j->kind == SLIP_ROBOT_PRISMATIC) {
            sum += link->mass;
            continue;
        }
        slip_mjcf_pose(robot, k, own_at, own_turn);
        slip_rotation_tensor(own_turn, link->inertia, I);
        slip_rotation_vector(own_turn, link->centre, arm);
        for (int c = 0; c < 3; c++) arm[c] += own_at[c] - at[c];
        const double *n = axis;
        const double cross[3] = { n[1] * arm[2] - n[2] * arm[1], n[2] * arm[0] - n[0] * arm[2],
                                  n[0] * arm[1] - n[1] * arm[0] };
        const double turned = I[0] * n[0] * n[0] + I[1] * n[1] * n[1] + I[2] * n[2] * n[2] +
                              2.0 * (I[3] * n[0] * n[1] + I[4] * n[0] * n[2] + I[5] * n[1] * n[2]);
        sum += (turned + link->mass * (cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2])) /
               length;
    }
    return sum;
}

static void damp(const slip_mjcf *m, const slip_xml *e, slip_robot_actuator *a)
{
    if (!(a->damping_ratio > 0.0)) return;
    if (a->of.joint < 0)
        slip_robot_warn_once(m->robot, e->where, "'dampratio' of actuators of tendons is left out");
    else
        a->bias[2] = -2.0 * a->damping_ratio * sqrt(a->gain * moved_inertia(m->robot, a->of.joint));
}

void slip_mjcf_actuators(const slip_mjcf *m, const slip_xml *root)
{
    const slip_xml *section = slip_xml_child(root, "actuator");
    for (const slip_xml *e = section ? section->first : NULL; e; e = e->next) {
        slip_robot_actuator *a = &m->robot->actuators[m->robot->actuator_count];
        *a = (slip_robot_actuator){ .gear = 1.0, .gain = 1.0, .where = e->where };
        const bool moves = read_mover(m, e, &a->of);
        a->control_limited = read_range(m, e, "ctrllimited", "ctrlrange", a->control);
        a->force_limited = read_range(m, e, "forcelimited", "forcerange", a->force);
        read_some(m, e, "gear", 1, &a->gear);
        if (!moves || !read_kind(m, e, a)) {
            char text[160];
            snprintf(text, sizeof text, "<%.60s> of <actuator> that %s is left out", e->name,
                     moves ? "has dynamics of its own"
                           : "moves neither hinge, slide nor tendon between joints");
            slip_robot_warn_once(m->robot, e->where, text);
            continue;
        }
        damp(m, e, a);
        const slip_robot_mover *of = &a->of;
        a->name = slip_mjcf_name(e, of->joint >= 0 ? m->robot->joints[of->joint].name
                                                   : m->robot->tendons[of->tendon].name);
        m->robot->actuator_count++;
    }
}

// ------------------------------------------------------------------------------------------------ keyframes

// the numbers of an attribute of any length; NULL when there is none
static double *read_all(const slip_mjcf *m, const slip_xml *key, const char *name, int *count)
{
    const slip_xml_attribute *a = slip_xml_attribute_of(key, name);
    *count = slip_robot_number_count(a);
    double *values = *count > 0 ? SLIP_POOL_NEW(m->robot->pool, double, *count) : NULL;
    if (*count > 0 && !values) m->robot->no_memory = true;
    if (values) slip_robot_list(a, *count, values);
    if (a && *count < 0) slip_robot_error(m->robot, a->where, NULL, "'%s' must be numbers", name);
    return values;
}

static int width_of(const slip_robot_joint *joint)
{
    static const int widths[] = { 0, 1, 1, 7, 4 }; // fixed, revolute, prismatic, free, ball
    return widths[joint->kind];
}

static void start_at(slip_robot_joint *joint, const double *q)
{
    double length = 0.0;
    const double *turn = joint->kind == SLIP_ROBOT_FREE ? q + 3 : q;
    if (slip_robot_has_coordinate(joint)) {
        joint->start = q[0] - joint->reference;
        return;
    }
    for (int k = 0; k < 4; k++) length += turn[k] * turn[k];
    if (!(length > 0.0)) return;
    if (joint->kind == SLIP_ROBOT_FREE) {
        memcpy(joint->at, q, sizeof joint->at);
        for (int k = 0; k < 4; k++) joint->attitude[k] = turn[k] / sqrt(length);
    } else {
        double unit[4];
        for (int k = 0; k < 4; k++) unit[k] = turn[k] / sqrt(length);
        slip_rotation_product(joint->attitude, unit, joint->attitude);
    }
}

static void set_start(const slip_mjcf *m, const slip_xml *key)
{
    slip_robot *robot = m->robot;
    int given, controls, needed = 0;
    const double *q = read_all(m, key, "qpos", &given), *u = read_all(m, key, "ctrl", &controls);
    for (int k = 0; k < robot->joint_count; k++) needed += width_of(&robot->joints[k]);
    if (q && given != needed)
        slip_robot_error(robot, slip_xml_attribute_of(key, "qpos")->where, NULL,
                         "'qpos' has %d numbers, the joints of this file have %d", given, needed);
    for (int k = 0; q && given == needed && k < robot->joint_count; k++) {
        start_at(&robot->joints[k], q);
        q += width_of(&robot->joints[k]);
    }
    if (slip_xml_attribute_of(key, "qvel"))
        slip_robot_warn_once(robot, key->where, "'qvel' of <key> is left out: the model starts at rest");
    if (u && controls != robot->actuator_count)
        slip_robot_warn_once(robot, key->where,
                             "'ctrl' of <key> is left out, as some actuators are: inputs start at 0");
    for (int k = 0; u && controls == robot->actuator_count && k < controls; k++)
        robot->actuators[k].start = u[k];
}

void slip_mjcf_keyframe(const slip_mjcf *m, const slip_xml *root)
{
    const slip_xml *section = slip_xml_child(root, "keyframe");
    const char *wanted = m->robot->def->keyframe;
    if (!wanted) return;
    slip_text names = { 0 };
    for (const slip_xml *key = section ? slip_xml_child(section, "key") : NULL; key;
         key = slip_xml_next(key, "key")) {
        const char *name = slip_mjcf_name(key, "");
        if (strcmp(name, wanted) == 0) {
            set_start(m, key);
            slip_text_destroy(&names);
            return;
        }
        slip_text_add(&names, "%s%.60s", names.length ? ", " : "there are ", name);
    }
    slip_robot_error(m->robot, section ? section->where : root->where, names.failed ? NULL : names.data,
                     "there is no keyframe '%.60s'", wanted);
    slip_text_destroy(&names);
}
