/// model/import/mjcf.h: between mjcf*.c.
#ifndef SLIP_MODEL_IMPORT_MJCF_H
#define SLIP_MODEL_IMPORT_MJCF_H

#include "model/import/robot.h"

typedef struct slip_mjcf {
    slip_robot *robot;
    double angle;          ///< rad per unit of angle
    const char *euler;     ///< sequence of axes, "xyz"
    const slip_xml *asset; ///< where meshes are; NULL: none
    const char *meshes;    ///< folder of their files, "" for that of the robot
    bool limits_by_range;  ///< a joint with a range is limited unless it says otherwise
    bool weigh_geoms;      ///< masses are those of geoms, also where a body has an <inertial>
} slip_mjcf;

/// Gives elements below `world` the attributes that their default classes have and they do not.
void slip_mjcf_apply_defaults(slip_robot *robot, const slip_xml *root, slip_xml *world);

/// pos and quat, euler or axisangle of an element.
bool slip_mjcf_place(const slip_mjcf *m, const slip_xml *element, double at[3], double attitude[4]);

/// Geoms of a body: shapes that can touch, for a link whose frame begins at `origin` of the body or, NULL,
/// for the ground; and, where the body has no <inertial>, mass, centre and inertia.
void slip_mjcf_geoms(const slip_mjcf *m, const slip_xml *body, slip_robot_link *link, const double origin[3]);

#endif
