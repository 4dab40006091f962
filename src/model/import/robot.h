/// model/import/robot.h: a tree of links and joints, between the formats it is read from and the model it becomes.
///
/// Frames: the frame of a link is that of the joint that carries it. `at` and `attitude` of a joint say where
/// that frame is in the one of its parent when the coordinate is 0; `axis` is in the parent's frame too.
/// Quaternions are (w, x, y, z); tensors are (xx, yy, zz, xy, xz, yz) about the centre of mass in the axes of
/// the link; SI units.
#ifndef SLIP_MODEL_IMPORT_ROBOT_H
#define SLIP_MODEL_IMPORT_ROBOT_H

#include "base/text.h"
#include "model/import/xml.h"
#include "model/model.h"
#include "model/reader/reader.h"
#include "slipstick/import.h"

typedef enum slip_robot_joint_kind {
    SLIP_ROBOT_FIXED,
    SLIP_ROBOT_REVOLUTE,
    SLIP_ROBOT_PRISMATIC,
    SLIP_ROBOT_FREE,
    SLIP_ROBOT_BALL
} slip_robot_joint_kind;

typedef enum slip_robot_shape_kind {
    SLIP_ROBOT_BOX,      ///< size: edges
    SLIP_ROBOT_SPHERE,   ///< size: radius
    SLIP_ROBOT_CYLINDER, ///< size: radius, length; along its z axis
    SLIP_ROBOT_CAPSULE,  ///< the same, with round ends beyond the length
    SLIP_ROBOT_PLANE,    ///< through `at`, free where its z axis points
    SLIP_ROBOT_MESH,     ///< the hull of a file; size: m per unit of its numbers along each axis
    SLIP_ROBOT_ELLIPSOID ///< size: semi-axes
} slip_robot_shape_kind;

typedef struct slip_robot_shape {
    slip_robot_shape_kind kind;
    const char *name; ///< as written; "" for none
    const char *file; ///< of a mesh, from where the program runs
    double size[3], at[3], attitude[4];
    struct slip_robot_shape *next;
} slip_robot_shape;

typedef struct slip_robot_link {
    const char *name; ///< as written
    const char *id;   ///< in the model
    double mass, centre[3], inertia[6];
    slip_robot_shape *shapes, *last_shape;
    int carrier;             ///< joint that carries it; -1: the root
    double origin[3];        ///< where its frame begins in the body of the file
    const slip_xml *element; ///< of MJCF: its body; NULL for a link between two joints of one body
    slip_span where;
} slip_robot_link;

typedef struct slip_robot_joint {
    const char *name, *id;
    slip_robot_joint_kind kind;
    int parent, child; ///< links; parent -1: the ground
    double at[3], attitude[4], axis[3];
    bool limited;
    double lower, upper, start;
    double damping, friction, stiffness, relaxed; ///< N s/m or N m s, N or N m, N/m or N m/rad, m or rad
    double armature;                              ///< of its drive, kg or kg m^2
    double reference;    ///< what the file says where the coordinate of the model is 0
    bool drives_limited; ///< all actuators together push with `drive_least` to `drive_most`
    double drive_least, drive_most;
    int mimics;            ///< joint that it follows; -1: none
    double factor, offset; ///< of mimics
    slip_span where;
} slip_robot_joint;

/// Two bodies that stay together at a point, and with `weld` do not turn against each other.
typedef struct slip_robot_loop {
    const char *name, *id;
    bool weld;
    int link[2]; ///< -1: the ground
    double at[2][3], attitude[4];
    slip_span where;
} slip_robot_loop;

typedef struct slip_robot_term {
    int joint;
    double factor;
} slip_robot_term;

/// A sum of coordinates with its own limits, spring, damper and friction.
typedef struct slip_robot_tendon {
    const char *name, *id;
    int term_count;
    slip_robot_term *terms;
    double length; ///< where all coordinates are 0
    bool limited;
    double lower, upper, damping, friction, stiffness;
    double relaxed[2]; ///< no force between these lengths
    slip_span where;
} slip_robot_tendon;

/// A joint or a tendon, or (both -1) nothing.
typedef struct slip_robot_mover {
    int joint, tendon;
} slip_robot_mover;

/// first = c0 + c1 second + c2 second^2 + ..., counted from where the file shows the robot
typedef struct slip_robot_coupling {
    const char *name, *id;
    slip_robot_mover first, second;
    double c[5];
} slip_robot_coupling;

/// force = gain u + bias0 + bias1 length + bias2 velocity, with length = gear times that of its mover.
typedef struct slip_robot_actuator {
    const char *name, *id, *force_id;
    slip_robot_mover of;
    double gear, gain, bias[3], damping_ratio;
    bool control_limited, force_limited;
    double control[2], force[2], start;
    slip_span where;
} slip_robot_actuator;

typedef struct slip_robot {
    slip_pool *pool;
    slip_diagnostics *notes;
    const slip_import_def *def;
    const char *name, *file, *format;
    int link_count, joint_count;
    slip_robot_link *links;
    slip_robot_joint *joints;
    slip_robot_shape *ground_shapes, *last_ground_shape;
    int loop_count, tendon_count, coupling_count, actuator_count;
    slip_robot_loop *loops;
    slip_robot_tendon *tendons;
    slip_robot_coupling *couplings;
    slip_robot_actuator *actuators;
    double gravity[3];
    slip_span where;  ///< its first element
    slip_model files; ///< nothing but the files that the robot names, as the door of the reader keeps them
    slip_reader door;
    bool no_memory;
} slip_robot;

/// Puts a shape at the end of those of a link, or of the ground where `link` is NULL. NULL when out of
/// memory.
slip_robot_shape *slip_robot_add_shape(slip_robot *robot, slip_robot_link *link, slip_robot_shape shape);

/// A mistake at a place of the file.
#define slip_robot_error(robot, where, hint, ...)                                                            \
    slip_diagnose((robot)->notes, SLIP_ERROR, where, hint, __VA_ARGS__)

// -------------------------------------------------------------------------- reading attributes (values.c)

/// `count` numbers of an attribute into `values`, which keep what they have when it is absent. False when it
/// is there and wrong: that was said.
bool slip_robot_numbers(slip_robot *robot, const slip_xml *element, const char *name, int count,
                        double *values);

/// The numbers of an attribute that has `count` of them.
void slip_robot_list(const slip_xml_attribute *attribute, int count, double *values);

/// How many numbers an attribute has; -1 when they are none. 0 for NULL.
int slip_robot_number_count(const slip_xml_attribute *attribute);

/// The same for an attribute that has to be there.
bool slip_robot_need_numbers(slip_robot *robot, const slip_xml *element, const char *name, int count,
                             double *values);

/// One number that has to be in a range; `least` itself only when `closed`.
bool slip_robot_size(slip_robot *robot, const slip_xml *element, const char *name, int count, bool closed,
                     double *values);

/// The text of an attribute that has to be there; NULL when it is not: that was said.
const char *slip_robot_need_text(slip_robot *robot, const slip_xml *element, const char *name);

/// Says once per kind of element that it is left out, and why unless that is NULL.
void slip_robot_warn_omitted(slip_robot *robot, const slip_xml *element, const char *why);

/// Warns of attributes of an element and of what is in it that nobody reads (attributes.c).
void slip_robot_check_attributes(slip_robot *robot, const slip_xml *element);

/// A warning that is given once, however often there is a reason.
void slip_robot_warn_once(slip_robot *robot, slip_span where, const char *text);
void slip_robot_warn_once_with_hint(slip_robot *robot, slip_span where, const char *hint, const char *text);

/// One number or three of `scale`, none of them 0; 1 where there is none. False after a mistake.
bool slip_robot_scale(slip_robot *robot, const slip_xml *element, double scale[3]);

/// A mesh of a file in `folder` beside that of the robot, with the `scale` of `element`. False when it is left out:
/// that was said.
bool slip_robot_mesh(slip_robot *robot, const slip_xml *element, const slip_xml_attribute *file,
                     const char *folder, slip_robot_shape *shape);

// --------------------------------------------------------------------------------- files (robot_files.c)

/// A path whose relative names count from the folder of the robot, seen from where the program runs. NULL when out of
/// memory.
const char *slip_robot_path(slip_robot *robot, const char *folder, const char *file);

/// The same for the model file: from its own folder, where that is known.
const char *slip_robot_path_for_model(slip_robot *robot, const char *path);

/// The folder of a package; NULL when it is not found.
const char *slip_robot_package(slip_robot *robot, const char *name);

/// The bytes of a file that the robot names, through the door of model/reader/input_files.h. NULL after a mistake.
const slip_included *slip_robot_read_file(slip_robot *robot, const char *file, slip_span where,
                                          slip_input_kind kind);

// ------------------------------------------------------------------------------------------- formats

/// Fill a robot from a tree; mistakes are in the notes.
void slip_robot_from_urdf(slip_robot *robot, const slip_xml *root);
void slip_robot_from_mjcf(slip_robot *robot, slip_xml *root);

// ------------------------------------------------------------------------------------------- the model

/// Checks that links hang together as a tree and that what moves has a mass.
bool slip_robot_check(slip_robot *robot);

/// Makes inertias that no body has into those of bodies, and says so.
void slip_robot_repair_inertias(slip_robot *robot);

/// The model file.
void slip_robot_write(slip_robot *robot, slip_text *yaml);

/// Has a coordinate of its own.
bool slip_robot_has_coordinate(const slip_robot_joint *joint);

/// Parts of the model file that drive it: inputs, definitions, the kinetic energy of drives, forces (robot_drives.c).
void slip_robot_write_drives(const slip_robot *robot, slip_text *yaml);

/// Parts that hold it: frictions, stops, loops, couplings (robot_couplings.c). The number of stops is that of contacts.
int slip_robot_stop_count(const slip_robot *robot);
void slip_robot_write_stops(const slip_robot *robot, slip_text *yaml);
void slip_robot_write_frictions(const slip_robot *robot, slip_text *yaml);
void slip_robot_write_couplings(const slip_robot *robot, slip_text *yaml);

/// A number without -0; and tendon t, or its rate, as a sum of coordinates.
void slip_robot_add_number(slip_text *yaml, double value);
void slip_robot_add_tendon(const slip_robot *robot, const slip_robot_tendon *t, bool rate, slip_text *yaml);

#endif
