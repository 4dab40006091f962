/// model/import/unread_attributes.c: attributes that nobody reads, and on which the motion may depend.
///
/// A misspelt name, or a property that is not taken over, would change the motion without a word. So for
/// every element that is read there is a list of what is read of it and of what has to do with pictures,
/// drives or solvers alone; anything else is warned of, unless it says nothing: 0, false or auto.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/import/robot.h"

typedef struct known {
    const char *element, *attributes; // parted and bordered by blanks
} known;

#define PLACE " pos quat euler axisangle xyaxes zaxis "

static const known MJCF[] = {
    { "compiler",
      " angle eulerseq autolimits coordinate meshdir texturedir assetdir strippath discardvisual usethread "
      "fusestatic inertiafromgeom convexhull saveinertial exactmeshinertia " },
    { "option", " gravity timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance "
                "mpr_tolerance "
                "o_margin o_solref o_solimp o_friction integrator cone jacobian solver collision iterations "
                "ls_iterations "
                "noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints magnetic " },
    { "body", " name childclass user sleep " PLACE },
    { "inertial", " mass diaginertia fullinertia " PLACE },
    { "freejoint", " name group align " },
    { "joint",
      " name class type group pos axis range limited damping frictionloss stiffness springref ref armature "
      "solreflimit solimplimit solreffriction solimpfriction actuatorfrcrange actuatorfrclimited "
      "actuatorgravcomp user " },
    { "geom", " name class type contype conaffinity group priority size material rgba fromto mass density "
              "mesh solmix "
              "solref solimp user " PLACE },
};

static const known URDF[] = {
    { "link", " name type " },
    { "inertial", "" },
    { "mass", " value " },
    { "inertia", " ixx ixy ixz iyy iyz izz " },
    { "joint", " name type " },
    { "origin", " xyz rpy " },
    { "parent", " link " },
    { "child", " link " },
    { "axis", " xyz " },
    { "limit", " lower upper effort velocity " },
    { "dynamics", " damping friction " },
    { "mimic", " joint multiplier offset " },
    { "box", " size " },
    { "sphere", " radius " },
    { "cylinder", " radius length " },
    { "capsule", " radius length " },
    { "mesh", " filename scale " },
};

static bool is_listed(const char *list, const char *name)
{
    char text[80];
    const int length = snprintf(text, sizeof text, " %s ", name);
    return length < (int)sizeof text && strstr(list, text);
}

// 0, false, auto, several zeros; or contacts with friction in two directions, as usual
static bool says_nothing(const char *name, const char *value)
{
    if (strcmp(value, "false") == 0 || strcmp(value, "auto") == 0) return true;
    if (strcmp(name, "condim") == 0 && strcmp(value, "3") == 0) return true;
    for (const char *at = value; *at;) {
        char *end;
        if (strtod(at, &end) != 0.0 || end == at) return *(at + strspn(at, " \t\r\n")) == '\0';
        at = end;
    }
    return true;
}

static void check_attributes(slip_robot *robot, const slip_xml *element, const char *attributes)
{
    for (const slip_xml_attribute *a = element->attributes; a; a = a->next) {
        char text[240];
        if (strchr(a->name, ':') || is_listed(attributes, a->name) || says_nothing(a->name, a->value))
            continue;
        snprintf(text, sizeof text, "'%.60s' of <%.60s> is left out, and the motion may depend on it",
                 a->name, element->name);
        slip_robot_warn_once(robot, a->where, text);
    }
}

void slip_robot_check_attributes(slip_robot *robot, const slip_xml *element)
{
    const bool mjcf = strcmp(robot->format, "MJCF") == 0;
    const known *list = mjcf ? MJCF : URDF;
    const size_t count = mjcf ? sizeof MJCF / sizeof *MJCF : sizeof URDF / sizeof *URDF;
    if (!element || strcmp(element->name, "visual") == 0) return;
    for (size_t k = 0; k < count; k++)
        if (strcmp(list[k].element, element->name) == 0) check_attributes(robot, element, list[k].attributes);
    for (const slip_xml *child = element->first; child; child = child->next)
        slip_robot_check_attributes(robot, child);
}
