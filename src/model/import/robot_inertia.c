/// model/import/robot_inertia.c: inertias that no body has, made into those of bodies.
///
/// Numbers of robot descriptions come from drawings, are rounded, and are sometimes guessed. The principal moments of a body
/// are not negative, and none exceeds the sum of the two others. A negative one becomes 0; where the greatest is too large,
/// the two others get half of what is missing each, which leaves the axes and the greatest moment as they are.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "model/import/robot.h"
#include "model/model_tolerances.h"

static const int ROW[6] = { 0, 1, 2, 0, 0, 1 }, COLUMN[6] = { 0, 1, 2, 1, 2, 2 };

// principal moments, rising, and their axes as rows; false when there are no such numbers
static bool find_principal(const double I[6], double moment[3], double axes[9])
{
    double work[3 * SLIP_SYMMETRIC_WORK];
    for (int k = 0; k < 6; k++) axes[3 * ROW[k] + COLUMN[k]] = axes[3 * COLUMN[k] + ROW[k]] = I[k];
    return slip_symmetric_eigen(3, axes, moment, work);
}

static bool is_of_body(const double moment[3])
{
    const double slack = MOMENT_SLACK * (moment[0] + moment[1] + moment[2]);
    return moment[0] >= 0.0 && moment[2] <= moment[0] + moment[1] + slack;
}

// whether what is below 0 can be a rounded 0: against the other moments, those of the mass at a short arm, or the
// greatest of the robot
static bool is_rounding(double mass, const double moment[3], double greatest)
{
    const double scale = fmax(fabs(moment[2]), mass * ROUNDED_MOMENT_ARM * ROUNDED_MOMENT_ARM);
    return moment[0] >= -fmax(ROUNDED_MOMENT * scale, ROUNDED_MOMENT_OF_ROBOT * greatest);
}

static double greatest_moment(const slip_robot *robot)
{
    double greatest = 0.0;
    for (int k = 0; k < robot->link_count; k++)
        for (int c = 0; c < 3; c++) greatest = fmax(greatest, robot->links[k].inertia[c]);
    return greatest;
}

static void make_of_body(double moment[3])
{
    for (int k = 0; k < 3; k++) moment[k] = fmax(moment[k], 0.0);
    const double missing = moment[2] - moment[0] - moment[1];
    if (missing <= 0.0) return;
    moment[0] += 0.5 * missing;
    moment[1] += 0.5 * missing;
}

static void set_tensor(double I[6], const double moment[3], const double axes[9])
{
    for (int k = 0; k < 6; k++) {
        I[k] = 0.0;
        for (int a = 0; a < 3; a++) I[k] += moment[a] * axes[3 * a + ROW[k]] * axes[3 * a + COLUMN[k]];
    }
}

static bool repair(slip_robot *robot, slip_robot_link *link, double greatest, double before[3],
                   double after[3])
{
    double axes[9];
    if (!find_principal(link->inertia, before, axes) || is_of_body(before)) return false;
    if (!is_rounding(link->mass, before, greatest)) {
        slip_robot_error(robot, link->where, "give it the moments of a body: 0 or greater",
                         "the inertia of '%.60s' has a negative principal moment, %.4g", link->name,
                         before[0]);
        return false;
    }
    memcpy(after, before, 3 * sizeof *after);
    make_of_body(after);
    set_tensor(link->inertia, after, axes);
    return true;
}

void slip_robot_repair_inertias(slip_robot *robot)
{
    const slip_robot_link *first = NULL;
    const double greatest = greatest_moment(robot);
    double before[3] = { 0 }, after[3] = { 0 };
    int count = 0;
    for (int k = 0; k < robot->link_count; k++) {
        double own_before[3], own_after[3];
        if (!repair(robot, &robot->links[k], greatest, own_before, own_after)) continue;
        if (count++ == 0) {
            first = &robot->links[k];
            memcpy(before, own_before, sizeof before);
            memcpy(after, own_after, sizeof after);
        }
    }
    char more[60] = "";
    if (count > 1) snprintf(more, sizeof more, "; so were those of %d more links", count - 1);
    if (count > 0)
        slip_diagnose(
            robot->notes, SLIP_WARNING, first->where,
            "principal moments are 0 or greater, and none is greater than the sum of the two others",
            "no body has the inertia of '%.60s': its principal moments %.4g, %.4g and %.4g were repaired to "
            "%.4g, %.4g and %.4g%s",
            first->name, before[0], before[1], before[2], after[0], after[1], after[2], more);
}
