/// model/import/mjcf.h: between mjcf*.c.
#ifndef SLIP_MODEL_IMPORT_MJCF_H
#define SLIP_MODEL_IMPORT_MJCF_H

#include "model/import/robot.h"

typedef struct slip_mjcf {
    slip_robot *robot;
    double angle;          ///< rad per unit of angle
    const char *euler;     ///< sequence of axes, "xyz", or of the parent's, "XYZ"
    const slip_xml *asset; ///< where meshes are; NULL: none
    const char *meshes;    ///< folder of their files, "" for that of the robot
    bool limits_by_range;  ///< a joint with a range is limited unless it says otherwise
    bool weigh_geoms;      ///< masses are those of geoms, also where a body has an <inertial>
} slip_mjcf;

/// Puts included files and sections of one name together; and takes <frame>s away, which their children know then
/// (mjcf_sections.c).
void slip_mjcf_join_files(slip_robot *robot, slip_xml *root);
void slip_mjcf_open_frames(slip_xml *world);

/// Gives elements of all sections the attributes that their default classes have and they do not.
void slip_mjcf_apply_defaults(slip_robot *robot, const slip_xml *root);

/// pos and quat, euler, axisangle, xyaxes or zaxis of an element, and of the frames it is in.
bool slip_mjcf_place(const slip_mjcf *m, const slip_xml *element, double at[3], double attitude[4]);

/// Moves a place in the frames of an element into its body.
bool slip_mjcf_leave_frames(const slip_mjcf *m, const slip_xml *element, double at[3], double attitude[4]);

/// Geoms of a body: shapes that can touch, for a link whose frame begins at `origin` of the body or, NULL,
/// for the ground; and, where the body has no <inertial>, mass, centre and inertia.
void slip_mjcf_geoms(const slip_mjcf *m, const slip_xml *body, slip_robot_link *link, const double origin[3]);

/// Adds a body's mass, with moments about its own centre, to a link (mjcf_masses.c).
void slip_mjcf_add_mass(slip_robot_link *link, double mass, const double centre[3], const double moments[6]);

/// Volume, centre and moments of a shape for a mass of 1 in the axes of its link. A mesh is read from `file`. False when
/// it has none: that was said.
bool slip_mjcf_measure(const slip_mjcf *m, const slip_robot_shape *shape, const slip_xml_attribute *file,
                       double *volume, double centre[3], double moments[6]);

/// Sections behind the bodies: loops and couplings, tendons, actuators, the keyframe of the start.
void slip_mjcf_tendons(const slip_mjcf *m, const slip_xml *root);
void slip_mjcf_equalities(const slip_mjcf *m, const slip_xml *root, const slip_xml *world);
void slip_mjcf_actuators(const slip_mjcf *m, const slip_xml *root);
void slip_mjcf_keyframe(const slip_mjcf *m, const slip_xml *root);

/// Children of all sections of the root that have this name.
int slip_mjcf_count(const slip_xml *root, const char *section);

/// The joint or tendon of a name that an attribute has; -1 when it is absent, and after a mistake.
int slip_mjcf_joint_of(const slip_mjcf *m, const slip_xml *element, const char *attribute);
int slip_mjcf_tendon_of(const slip_mjcf *m, const slip_xml *element, const char *attribute);

/// Where a link is when all coordinates are 0.
void slip_mjcf_pose(const slip_robot *robot, int link, double at[3], double attitude[4]);

/// The name of an element, or `otherwise`.
const char *slip_mjcf_name(const slip_xml *element, const char *otherwise);

#endif
