/// model/import/mjcf_places.c: places and attitudes in MJCF, and where links are.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "model/import/mjcf.h"
#include "model/import/robot_rotation.h"

// the axes of a sequence move with the body, those in capital letters stay with its parent
static void turn_by_euler(const slip_mjcf *m, const double euler[3], double attitude[4])
{
    static const double axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int k = 0; k < 3; k++) {
        double next[4];
        const bool moves = m->euler[k] >= 'x';
        slip_rotation_about(axes[m->euler[k] - (moves ? 'x' : 'X')], euler[k] * m->angle, next);
        if (moves)
            slip_rotation_product(attitude, next, attitude);
        else
            slip_rotation_product(next, attitude, attitude);
    }
}

static bool fail_direction(const slip_mjcf *m, const slip_xml *element, double attitude[4])
{
    static const double none[4] = { 1, 0, 0, 0 };
    slip_robot_error(m->robot, element->where, NULL, "this attitude has no direction");
    memcpy(attitude, none, sizeof none);
    return false;
}

static bool read_attitude(const slip_mjcf *m, const slip_xml *element, double attitude[4])
{
    double quat[4] = { 1, 0, 0, 0 }, euler[3] = { 0 }, turn[4] = { 0, 0, 1, 0 }, xy[6] = { 1, 0, 0, 0, 1, 0 },
           z[3] = { 0, 0, 1 }, length = 0.0;
    bool fine = slip_robot_numbers(m->robot, element, "quat", 4, quat);
    fine = slip_robot_numbers(m->robot, element, "euler", 3, euler) && fine;
    fine = slip_robot_numbers(m->robot, element, "axisangle", 4, turn) && fine;
    fine = slip_robot_numbers(m->robot, element, "xyaxes", 6, xy) && fine;
    fine = slip_robot_numbers(m->robot, element, "zaxis", 3, z) && fine;
    for (int k = 0; k < 4; k++) length = slip_hypot(length, quat[k]);
    const bool turned = slip_hypot(slip_hypot(turn[0], turn[1]), turn[2]) > 0.0;
    if (!(length > 0.0) || !turned) return fail_direction(m, element, attitude);
    for (int k = 0; k < 4; k++) attitude[k] = quat[k] / length;
    if (slip_xml_attribute_of(element, "euler")) turn_by_euler(m, euler, attitude);
    if (slip_xml_attribute_of(element, "axisangle")) slip_rotation_about(turn, turn[3] * m->angle, attitude);
    if (slip_xml_attribute_of(element, "xyaxes") && !slip_rotation_from_xy(xy, xy + 3, attitude))
        return fail_direction(m, element, attitude);
    if (slip_xml_attribute_of(element, "zaxis") && !slip_rotation_from_z(z, attitude))
        return fail_direction(m, element, attitude);
    return fine;
}

static bool read_own_place(const slip_mjcf *m, const slip_xml *element, double at[3], double attitude[4])
{
    memset(at, 0, 3 * sizeof *at);
    const bool fine = slip_robot_numbers(m->robot, element, "pos", 3, at);
    return read_attitude(m, element, attitude) && fine;
}

bool slip_mjcf_leave_frames(const slip_mjcf *m, const slip_xml *element, double at[3], double attitude[4])
{
    bool fine = true;
    for (const slip_xml *frame = element->frame; frame; frame = frame->frame) {
        double origin[3], turn[4];
        fine = read_own_place(m, frame, origin, turn) && fine;
        slip_rotation_vector(turn, at, at);
        for (int k = 0; k < 3; k++) at[k] += origin[k];
        slip_rotation_product(turn, attitude, attitude);
    }
    return fine;
}

bool slip_mjcf_place(const slip_mjcf *m, const slip_xml *element, double at[3], double attitude[4])
{
    const bool fine = read_own_place(m, element, at, attitude);
    return slip_mjcf_leave_frames(m, element, at, attitude) && fine;
}

void slip_mjcf_pose(const slip_robot *robot, int link, double at[3], double attitude[4])
{
    static const double none[4] = { 1, 0, 0, 0 };
    memset(at, 0, 3 * sizeof *at);
    memcpy(attitude, none, sizeof none);
    for (int k = link; k >= 0;) { // the carrier of link k is joint k: every link is made with its joint
        const slip_robot_joint *joint = &robot->joints[k];
        slip_rotation_vector(joint->attitude, at, at);
        for (int c = 0; c < 3; c++) at[c] += joint->at[c];
        slip_rotation_product(joint->attitude, attitude, attitude);
        k = joint->parent;
    }
}
