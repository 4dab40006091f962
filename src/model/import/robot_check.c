/// model/import/robot_check.c: links have to hang together as a tree, and what moves needs a mass.
#include <stdio.h>
#include <string.h>

#include "model/import/robot.h"

enum { MAX_PARTS = 2000 }; // links, and joints

static bool find_carriers(slip_robot *robot)
{
    bool fine = true;
    for (int k = 0; k < robot->joint_count; k++) {
        slip_robot_joint *joint = &robot->joints[k];
        slip_robot_link *child = &robot->links[joint->child];
        if (child->carrier >= 0) {
            slip_robot_error(robot, joint->where, "close a loop in the model, under 'joints'",
                             "link '%.60s' is carried by two joints", child->name);
            slip_diagnose(robot->notes, SLIP_NOTE, robot->joints[child->carrier].where, NULL,
                          "the other one is here");
            fine = false;
        }
        child->carrier = k;
    }
    return fine;
}

// following the carriers from a link leads to the root, unless they go round in a circle
static bool has_root(slip_robot *robot, int link)
{
    for (int k = 0; k <= robot->link_count; k++) {
        if (link < 0 || robot->links[link].carrier < 0) return true;
        link = robot->joints[robot->links[link].carrier].parent;
    }
    return false;
}

static bool has_one_root(slip_robot *robot)
{
    int root = -1;
    bool fine = true;
    for (int k = 0; k < robot->link_count && fine; k++) {
        if (!has_root(robot, k)) {
            slip_robot_error(robot, robot->links[k].where, NULL, "link '%.60s' carries itself",
                             robot->links[k].name);
            return false;
        }
        if (robot->links[k].carrier >= 0) continue;
        if (root >= 0) {
            slip_robot_error(robot, robot->links[k].where, NULL,
                             "link '%.60s' is carried by no joint, and so is '%.60s': one can be the root",
                             robot->links[k].name, robot->links[root].name);
            fine = false;
        }
        root = k;
    }
    return fine;
}

// its own mass or that of something that hangs on it
static void mark_loaded(const slip_robot *robot, bool *loaded)
{
    for (int k = 0; k < robot->link_count; k++)
        for (int at = k; robot->links[k].mass > 0.0 && at >= 0 && !loaded[at];) {
            loaded[at] = true;
            at = robot->links[at].carrier < 0 ? -1 : robot->joints[robot->links[at].carrier].parent;
        }
}

static bool moves(const slip_robot_joint *joint)
{
    return joint->kind != SLIP_ROBOT_FIXED;
}

// A joint that moves nothing with a mass has no motion of its own: it stays where it starts. Where no other moves, there
// is nothing to compute.
static bool has_masses(slip_robot *robot)
{
    bool *loaded = SLIP_POOL_NEW(robot->pool, bool, robot->link_count + 1);
    const slip_robot_joint *idle = NULL;
    int moving = robot->def->free && loaded, idle_count = 0;
    if (!loaded) return robot->no_memory = true, false;
    mark_loaded(robot, loaded);
    for (int k = 0; k < robot->joint_count; k++)
        moving += moves(&robot->joints[k]) && loaded[robot->joints[k].child];
    for (int k = 0; k < robot->joint_count; k++) {
        slip_robot_joint *joint = &robot->joints[k];
        if (!moves(joint) || loaded[joint->child]) continue;
        if (moving == 0)
            slip_robot_error(robot, joint->where, "give its link an <inertial>, or make the joint fixed",
                             "joint '%.60s' moves nothing that has a mass", joint->name);
        if (idle_count++ == 0) idle = joint;
        joint->kind = SLIP_ROBOT_FIXED;
    }
    char more[60] = "";
    if (idle_count > 1) snprintf(more, sizeof more, "; so are %d more joints", idle_count - 1);
    if (idle && moving > 0)
        slip_diagnose(robot->notes, SLIP_WARNING, idle->where, "give its link an <inertial>",
                      "joint '%.60s' moves nothing that has a mass and is fixed%s", idle->name, more);
    return moving > 0 || idle_count == 0;
}

static bool is_idle(const slip_robot *robot, slip_robot_mover m)
{
    if (m.tendon >= 0) return robot->tendons[m.tendon].term_count == 0;
    return m.joint >= 0 && !slip_robot_has_coordinate(&robot->joints[m.joint]);
}

// what acts on joints that have become fixed acts no more; counts stay, so that tendons keep their numbers
static void drop_idle_parts(slip_robot *robot)
{
    for (int k = 0; k < robot->tendon_count; k++) {
        slip_robot_tendon *t = &robot->tendons[k];
        int kept = 0;
        for (int n = 0; n < t->term_count; n++)
            if (slip_robot_has_coordinate(&robot->joints[t->terms[n].joint])) t->terms[kept++] = t->terms[n];
        t->term_count = kept;
        if (kept == 0) t->limited = false, t->friction = t->stiffness = t->damping = 0.0;
    }
    int actuators = 0, couplings = 0;
    for (int k = 0; k < robot->actuator_count; k++)
        if (!is_idle(robot, robot->actuators[k].of)) robot->actuators[actuators++] = robot->actuators[k];
    for (int k = 0; k < robot->coupling_count; k++)
        if (!is_idle(robot, robot->couplings[k].first) && !is_idle(robot, robot->couplings[k].second))
            robot->couplings[couplings++] = robot->couplings[k];
    robot->actuator_count = actuators;
    robot->coupling_count = couplings;
}

static bool is_free_from_ground(slip_robot *robot)
{
    bool fine = true;
    for (int k = 0; k < robot->joint_count; k++) {
        const slip_robot_joint *joint = &robot->joints[k];
        bool root = joint->parent >= 0 && robot->links[joint->parent].carrier < 0;
        if (joint->kind != SLIP_ROBOT_FREE || joint->parent < 0 || (root && !robot->def->free)) continue;
        slip_robot_error(
            robot, joint->where, NULL,
            "joint '%.60s' floats against a link that moves: only what floats against the ground is "
            "taken over",
            joint->name);
        fine = false;
    }
    return fine;
}

bool slip_robot_check(slip_robot *robot)
{
    if (robot->link_count == 0) {
        slip_robot_error(robot, robot->where, NULL, "there are no links in this file");
        return false;
    }
    if (robot->link_count > MAX_PARTS || robot->joint_count > MAX_PARTS) {
        slip_robot_error(robot, robot->links[0].where, NULL, "there are more than %d links or joints",
                         MAX_PARTS);
        return false;
    }
    bool by_name = strcmp(robot->format, "URDF") == 0; // joints of MJCF do not name bodies
    for (int k = 0; k < robot->link_count && by_name; k++)
        for (int j = 0; j < k; j++)
            if (strcmp(robot->links[j].name, robot->links[k].name) == 0) {
                slip_robot_error(robot, robot->links[k].where, NULL, "there are two links '%.60s'",
                                 robot->links[k].name);
                slip_diagnose(robot->notes, SLIP_NOTE, robot->links[j].where, NULL, "the other one is here");
                return false;
            }
    const int before = slip_diagnostics_error_count(robot->notes);
    slip_robot_repair_inertias(robot);
    if (slip_diagnostics_error_count(robot->notes) != before) return false;
    return find_carriers(robot) && has_one_root(robot) && is_free_from_ground(robot) && has_masses(robot) &&
           (drop_idle_parts(robot), true);
}
