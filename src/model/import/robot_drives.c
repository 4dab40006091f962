/// model/import/robot_drives.c: what drives a robot, in the model file: actuators as inputs with a force each, tendons as
/// definitions, rotors as kinetic energy, and the forces of all of them on the joints.
#include <string.h>

#include "model/import/robot.h"

// a factor that is not 1, with its sign: " - 5*"; nothing stands before the first of a value
static void add_factor(slip_text *y, double factor, bool first)
{
    slip_text_add(y, "%s", factor < 0.0 ? (first ? "-" : " - ") : (first ? "" : " + "));
    if (factor == 1.0 || factor == -1.0) return;
    slip_robot_add_number(y, factor < 0.0 ? -factor : factor);
    slip_text_add(y, "*");
}

// "0.5*a + 0.5*b", or with the rates
void slip_robot_add_tendon(const slip_robot *robot, const slip_robot_tendon *t, bool rate, slip_text *y)
{
    for (int k = 0; k < t->term_count; k++) {
        add_factor(y, t->terms[k].factor, k == 0);
        slip_text_add(y, "%s%s", robot->joints[t->terms[k].joint].id, rate ? "'" : "");
    }
}

static void add_clamp(slip_text *y, bool limited, const double ends[2])
{
    if (!limited) return;
    slip_text_add(y, "max(");
    slip_robot_add_number(y, ends[0]);
    slip_text_add(y, ", min(");
    slip_robot_add_number(y, ends[1]);
    slip_text_add(y, ", ");
}

// length of what an actuator moves, or its rate
static void add_length(slip_text *y, const slip_robot *robot, const slip_robot_actuator *a, bool rate)
{
    const slip_robot_tendon *t = a->of.tendon >= 0 ? &robot->tendons[a->of.tendon] : NULL;
    const double offset = rate ? 0.0 : t ? t->length : robot->joints[a->of.joint].reference;
    const bool sum = offset != 0.0 || t;
    slip_text_add(y, sum ? "(" : "");
    if (t)
        slip_robot_add_tendon(robot, t, rate, y);
    else
        slip_text_add(y, "%s%s", robot->joints[a->of.joint].id, rate ? "'" : "");
    if (offset != 0.0) {
        slip_text_add(y, offset < 0.0 ? " - " : " + ");
        slip_robot_add_number(y, offset < 0.0 ? -offset : offset);
    }
    slip_text_add(y, sum ? ")" : "");
}

// gain u + bias0 + gear (bias1 length + bias2 velocity)
static void add_force(slip_text *y, const slip_robot *robot, const slip_robot_actuator *a)
{
    add_clamp(y, a->force_limited, a->force);
    add_factor(y, a->gain, true);
    add_clamp(y, a->control_limited, a->control);
    slip_text_add(y, a->control_limited ? "%s))" : "%s", a->id);
    if (a->bias[0] != 0.0) slip_text_add(y, a->bias[0] < 0.0 ? " - " : " + ");
    if (a->bias[0] != 0.0) slip_robot_add_number(y, a->bias[0] < 0.0 ? -a->bias[0] : a->bias[0]);
    for (int k = 1; k < 3; k++) {
        if (a->bias[k] * a->gear == 0.0) continue;
        add_factor(y, a->bias[k] * a->gear, false);
        add_length(y, robot, a, k == 2);
    }
    if (a->force_limited) slip_text_add(y, "))");
}

static void add_inputs(slip_text *y, const slip_robot *robot)
{
    for (int k = 0; k < robot->actuator_count; k++) {
        slip_text_add(y, "%s  %s: ", k ? "" : "inputs:\n", robot->actuators[k].id);
        slip_robot_add_number(y, robot->actuators[k].start);
        slip_text_add(y, "\n");
    }
    for (int k = 0; k < robot->actuator_count; k++) {
        slip_text_add(y, "%s  %s: ", k ? "" : "define:\n", robot->actuators[k].force_id);
        add_force(y, robot, &robot->actuators[k]);
        slip_text_add(y, "\n");
    }
}

// the kinetic energy of rotors that turn with the joints
static void add_rotors(slip_text *y, const slip_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->joint_count; k++) {
        const slip_robot_joint *j = &robot->joints[k];
        if (!slip_robot_has_coordinate(j) || j->armature == 0.0) continue;
        slip_text_add(y, any ? " + " : "energy:\n  kinetic: ");
        slip_robot_add_number(y, 0.5 * j->armature);
        slip_text_add(y, "*%s'^2", j->id);
        any = true;
    }
    if (any) slip_text_add(y, "\n");
}

// ------------------------------------------------------------------------------------------------- forces

// -0.1*elbow' - 5*(elbow - (0.2))
static void add_own_forces(slip_text *y, const slip_robot_joint *j)
{
    if (j->damping != 0.0) {
        slip_text_add(y, y->data[y->length - 1] == ':' ? " -"
                                                       : " - "); // a value that begins with "- " is a list
        slip_robot_add_number(y, j->damping);
        slip_text_add(y, "*%s'", j->id);
    }
    if (j->stiffness != 0.0) {
        slip_text_add(y, y->data[y->length - 1] == ':' ? " -" : " - ");
        slip_robot_add_number(y, j->stiffness);
        slip_text_add(y, "*(%s - (", j->id);
        slip_robot_add_number(y, j->relaxed);
        slip_text_add(y, "))");
    }
}

// -f*(k*(max(0, L - upper) + min(0, L - lower)) + d*L'), which is k*(L - length) where both are the same
static void add_tendon_force(slip_text *y, const slip_robot *robot, const slip_robot_tendon *t, double factor)
{
    static const char *const parts[] = { "min(0, ", " + max(0, " };
    const bool band = t->relaxed[0] != t->relaxed[1];
    slip_text_add(y, y->data[y->length - 1] == ':' ? " -(" : " - (");
    slip_robot_add_number(y, factor);
    slip_text_add(y, ")*(");
    if (t->stiffness != 0.0) {
        slip_robot_add_number(y, t->stiffness);
        slip_text_add(y, "*(");
        for (int end = 0; end < (band ? 2 : 1); end++) {
            if (band) slip_text_add(y, "%s", parts[end]);
            slip_robot_add_tendon(robot, t, false, y);
            slip_text_add(y, " + (");
            slip_robot_add_number(y, t->length - t->relaxed[end]);
            slip_text_add(y, band ? "))" : ")");
        }
        slip_text_add(y, t->damping != 0.0 ? ") + " : ")");
    }
    if (t->damping != 0.0) {
        slip_robot_add_number(y, t->damping);
        slip_text_add(y, "*(");
        slip_robot_add_tendon(robot, t, true, y);
        slip_text_add(y, ")");
    }
    slip_text_add(y, ")");
}

// the factor of a joint in a tendon; 0: it has no part in it
static double factor_in(const slip_robot_tendon *t, int joint)
{
    double factor = 0.0;
    for (int k = 0; k < t->term_count; k++) factor += t->terms[k].joint == joint ? t->terms[k].factor : 0.0;
    return factor;
}

static double lever_of(const slip_robot *robot, const slip_robot_actuator *a, int joint)
{
    if (a->of.tendon >= 0) return a->gear * factor_in(&robot->tendons[a->of.tendon], joint);
    return a->of.joint == joint ? a->gear : 0.0;
}

static bool is_driven(const slip_robot *robot, int joint)
{
    for (int k = 0; k < robot->actuator_count; k++)
        if (lever_of(robot, &robot->actuators[k], joint) != 0.0) return true;
    return false;
}

static void add_drives(slip_text *y, const slip_robot *robot, int joint)
{
    const slip_robot_joint *j = &robot->joints[joint];
    const double ends[2] = { j->drive_least, j->drive_most };
    bool any = false;
    if (!is_driven(robot, joint)) return;
    const bool begins = y->data[y->length - 1] == ':';
    if (begins || j->drives_limited) slip_text_add(y, begins ? " " : " + ");
    add_clamp(y, j->drives_limited, ends);
    for (int k = 0; k < robot->actuator_count; k++) {
        const slip_robot_actuator *a = &robot->actuators[k];
        const double lever = lever_of(robot, a, joint);
        if (lever == 0.0) continue;
        add_factor(y, lever, !any && (begins || j->drives_limited));
        any = true;
        slip_text_add(y, "%s", a->force_id);
    }
    if (j->drives_limited) slip_text_add(y, "))");
}

static bool is_pushed(const slip_robot *robot, int joint)
{
    const slip_robot_joint *j = &robot->joints[joint];
    if (j->damping != 0.0 || j->stiffness != 0.0 || is_driven(robot, joint)) return true;
    for (int k = 0; k < robot->tendon_count; k++) {
        const slip_robot_tendon *t = &robot->tendons[k];
        if ((t->stiffness != 0.0 || t->damping != 0.0) && factor_in(t, joint) != 0.0) return true;
    }
    return false;
}

static void add_forces(slip_text *y, const slip_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->joint_count && !y->failed; k++) {
        const slip_robot_joint *j = &robot->joints[k];
        if (!slip_robot_has_coordinate(j) || !is_pushed(robot, k)) continue;
        slip_text_add(y, "%s  %s:", any ? "" : "forces:\n", j->id);
        any = true;
        if (y->failed) return;
        add_own_forces(y, j);
        for (int n = 0; n < robot->tendon_count && !y->failed; n++) {
            const slip_robot_tendon *t = &robot->tendons[n];
            const double factor = factor_in(t, k);
            if ((t->stiffness != 0.0 || t->damping != 0.0) && factor != 0.0)
                add_tendon_force(y, robot, t, factor);
        }
        if (!y->failed) add_drives(y, robot, k);
        slip_text_add(y, "\n");
    }
}

void slip_robot_write_drives(const slip_robot *robot, slip_text *y)
{
    add_inputs(y, robot);
    add_rotors(y, robot);
    add_forces(y, robot);
}
