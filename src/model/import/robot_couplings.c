/// model/import/robot_couplings.c: what holds a robot, in the model file: friction and stops of joints and tendons, joints
/// that follow others, loops.
#include "model/import/robot.h"

// ------------------------------------------------------------------------------------- frictions and stops

void slip_robot_write_frictions(const slip_robot *robot, slip_text *y)
{
    bool any = false;
    for (int k = 0; k < robot->joint_count; k++) {
        const slip_robot_joint *j = &robot->joints[k];
        if (!slip_robot_has_coordinate(j) || j->friction == 0.0) continue;
        slip_text_add(y, "%s  %s_friction: {slip: %s, limit: ", any ? "" : "frictions:\n", j->id, j->id);
        slip_robot_add_number(y, j->friction);
        slip_text_add(y, "}\n");
        any = true;
    }
    for (int k = 0; k < robot->tendon_count; k++) {
        const slip_robot_tendon *t = &robot->tendons[k];
        if (t->friction == 0.0) continue;
        slip_text_add(y, "%s  %s_friction: {slip: ", any ? "" : "frictions:\n", t->id);
        slip_robot_add_tendon(robot, t, false, y);
        slip_text_add(y, ", limit: ");
        slip_robot_add_number(y, t->friction);
        slip_text_add(y, "}\n");
        any = true;
    }
}

int slip_robot_stop_count(const slip_robot *robot)
{
    int count = 0;
    for (int k = 0; k < robot->joint_count; k++)
        count += slip_robot_has_coordinate(&robot->joints[k]) && robot->joints[k].limited;
    for (int k = 0; k < robot->tendon_count; k++) count += robot->tendons[k].limited;
    return count;
}

void slip_robot_write_stops(const slip_robot *robot, slip_text *y)
{
    for (int k = 0; k < robot->joint_count; k++) {
        const slip_robot_joint *j = &robot->joints[k];
        if (!slip_robot_has_coordinate(j) || !j->limited) continue;
        slip_text_add(y, "  %s_lower: {gap: %s - (", j->id, j->id);
        slip_robot_add_number(y, j->lower);
        slip_text_add(y, ")}\n  %s_upper: {gap: ", j->id);
        slip_robot_add_number(y, j->upper);
        slip_text_add(y, " - %s}\n", j->id);
    }
    for (int k = 0; k < robot->tendon_count; k++) {
        const slip_robot_tendon *t = &robot->tendons[k];
        if (!t->limited) continue;
        slip_text_add(y, "  %s_lower: {gap: ", t->id);
        slip_robot_add_tendon(robot, t, false, y);
        slip_text_add(y, " - (");
        slip_robot_add_number(y, t->lower - t->length);
        slip_text_add(y, ")}\n  %s_upper: {gap: ", t->id);
        slip_robot_add_number(y, t->upper - t->length);
        slip_text_add(y, " - (");
        slip_robot_add_tendon(robot, t, false, y);
        slip_text_add(y, ")}\n");
    }
}

// --------------------------------------------------------------------------------------------- couplings

static void add_mover(slip_text *y, const slip_robot *robot, slip_robot_mover mover)
{
    slip_text_add(y, "(");
    if (mover.tendon >= 0)
        slip_robot_add_tendon(robot, &robot->tendons[mover.tendon], false, y);
    else
        slip_text_add(y, "%s", robot->joints[mover.joint].id);
    slip_text_add(y, ")");
}

// first - (c0 + c1*second + c2*second^2 + ...)
static void add_coupling(slip_text *y, const slip_robot *robot, const slip_robot_coupling *c)
{
    const bool follows = c->second.joint >= 0 || c->second.tendon >= 0;
    slip_text_add(y, "  %s: ", c->id);
    add_mover(y, robot, c->first);
    slip_text_add(y, " - (");
    slip_robot_add_number(y, c->c[0]);
    for (int k = 1; k < 5 && follows; k++) {
        if (c->c[k] == 0.0) continue;
        slip_text_add(y, " + (");
        slip_robot_add_number(y, c->c[k]);
        slip_text_add(y, ")*");
        add_mover(y, robot, c->second);
        if (k > 1) slip_text_add(y, "^%d", k);
    }
    slip_text_add(y, ")\n");
}

static void add_mimic(slip_text *y, const slip_robot *robot, const slip_robot_joint *j)
{
    slip_text_add(y, "  %s_mimic: %s - (", j->id, j->id);
    slip_robot_add_number(y, j->factor);
    slip_text_add(y, "*%s + (", robot->joints[j->mimics].id);
    slip_robot_add_number(y, j->offset);
    slip_text_add(y, "))\n");
}

static void add_loop(slip_text *y, const slip_robot *robot, const slip_robot_loop *loop)
{
    slip_text_add(y, "  %s: {%s: [", loop->id, loop->weld ? "weld" : "spherical");
    for (int end = 0; end < 2; end++)
        slip_text_add(y, "%s%s.on_%s%s", end ? ", " : "",
                      loop->link[end] < 0 ? "ground" : robot->links[loop->link[end]].id, loop->id,
                      end ? "_2" : "");
    slip_text_add(y, "]");
    if (loop->weld) {
        slip_text_add(y, ", attitude: [");
        for (int k = 0; k < 4; k++) {
            if (k) slip_text_add(y, ", ");
            slip_robot_add_number(y, loop->attitude[k]);
        }
        slip_text_add(y, "]");
    }
    slip_text_add(y, "}\n");
}

void slip_robot_write_couplings(const slip_robot *robot, slip_text *y)
{
    bool any = false;
    for (int k = 0; k < robot->joint_count; k++) {
        const slip_robot_joint *j = &robot->joints[k];
        if (!slip_robot_has_coordinate(j) || j->mimics < 0 ||
            !slip_robot_has_coordinate(&robot->joints[j->mimics]))
            continue;
        slip_text_add(y, any ? "" : "constraints:\n");
        add_mimic(y, robot, j);
        any = true;
    }
    for (int k = 0; k < robot->coupling_count; k++) {
        slip_text_add(y, any ? "" : "constraints:\n");
        add_coupling(y, robot, &robot->couplings[k]);
        any = true;
    }
    for (int k = 0; k < robot->loop_count; k++) {
        slip_text_add(y, k ? "" : "joints:\n");
        add_loop(y, robot, &robot->loops[k]);
    }
}
