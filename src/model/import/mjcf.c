/// model/import/mjcf.c: MuJoCo's format (mujoco.readthedocs.io, XML reference): bodies in one another, hinges, slides,
/// balls and free joints; geoms, defaults and the other sections are in the other mjcf files.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/import/mjcf.h"
#include "model/import/robot_rotation.h"

static int count_parts(const slip_xml *body)
{
    int count = 1;
    for (const slip_xml *child = body->first; child; child = child->next) {
        if (strcmp(child->name, "body") == 0) count += count_parts(child);
        count += strcmp(child->name, "joint") == 0 || strcmp(child->name, "freejoint") == 0;
    }
    return count;
}

const char *slip_mjcf_name(const slip_xml *element, const char *otherwise)
{
    const slip_xml_attribute *a = slip_xml_attribute_of(element, "name");
    return a && a->value[0] ? a->value : otherwise;
}

static slip_robot_joint_kind joint_kind(const slip_mjcf *m, const slip_xml *joint)
{
    static const char *const words[] = { "hinge", "slide", "ball", "free" };
    static const slip_robot_joint_kind kinds[] = { SLIP_ROBOT_REVOLUTE, SLIP_ROBOT_PRISMATIC, SLIP_ROBOT_BALL,
                                                   SLIP_ROBOT_FREE };
    const slip_xml_attribute *type = slip_xml_attribute_of(joint, "type");
    if (strcmp(joint->name, "freejoint") == 0) return SLIP_ROBOT_FREE;
    for (int k = 0; k < 4; k++)
        if (strcmp(type ? type->value : "hinge", words[k]) == 0) return kinds[k];
    slip_robot_error(m->robot, type->where, "there are hinge, slide, ball and free",
                     "'%.60s' is not a type of joint", type->value);
    return SLIP_ROBOT_FIXED;
}

// what a joint is said to be at where the file shows the robot; the coordinate counts from there
static double reference_of(const slip_mjcf *m, const slip_xml *element, const slip_robot_joint *joint)
{
    double reference = 0.0;
    if (joint->kind == SLIP_ROBOT_REVOLUTE || joint->kind == SLIP_ROBOT_PRISMATIC)
        slip_robot_numbers(m->robot, element, "ref", 1, &reference);
    return joint->kind == SLIP_ROBOT_REVOLUTE ? reference * m->angle : reference;
}

static void read_range(const slip_mjcf *m, const slip_xml *element, slip_robot_joint *joint)
{
    const slip_xml_attribute *limited = slip_xml_attribute_of(element, "limited"),
                             *given = slip_xml_attribute_of(element, "range");
    double range[2] = { 0, 0 }, unit = joint->kind == SLIP_ROBOT_REVOLUTE ? m->angle : 1.0;
    joint->limited = limited && strcmp(limited->value, "auto") != 0 ? strcmp(limited->value, "true") == 0
                                                                    : given && m->limits_by_range;
    if (!joint->limited) return;
    if (!slip_robot_need_numbers(m->robot, element, "range", 2, range)) return;
    joint->lower = range[0] * unit - reference_of(m, element, joint);
    joint->upper = range[1] * unit - reference_of(m, element, joint);
    if (!(joint->lower < joint->upper))
        slip_robot_error(m->robot, given->where, NULL, "the lower limit, %g, must be below the upper one, %g",
                         range[0], range[1]);
    joint->start = fmin(fmax(0.0, joint->lower), joint->upper);
}

// what a drive adds to the joint: the inertia of its rotor, and a limit of all forces of actuators
static void read_drive(const slip_mjcf *m, const slip_xml *element, slip_robot_joint *joint)
{
    const slip_xml_attribute *limited = slip_xml_attribute_of(element, "actuatorfrclimited"),
                             *range = slip_xml_attribute_of(element, "actuatorfrcrange");
    double forces[2];
    if (slip_xml_attribute_of(element, "armature"))
        slip_robot_size(m->robot, element, "armature", 1, true, &joint->armature);
    joint->drives_limited = range && !(limited && strcmp(limited->value, "false") == 0);
    if (!joint->drives_limited || !slip_robot_numbers(m->robot, element, "actuatorfrcrange", 2, forces))
        return;
    joint->drive_least = forces[0], joint->drive_most = forces[1];
}

static void read_forces(const slip_mjcf *m, const slip_xml *element, slip_robot_joint *joint)
{
    static const char *const names[] = { "damping", "frictionloss", "stiffness" };
    double *const values[] = { &joint->damping, &joint->friction, &joint->stiffness };
    for (int k = 0; k < 3; k++)
        if (slip_xml_attribute_of(element, names[k]))
            slip_robot_size(m->robot, element, names[k], 1, true, values[k]);
    slip_robot_numbers(m->robot, element, "springref", 1, &joint->relaxed);
    if (joint->kind == SLIP_ROBOT_REVOLUTE) joint->relaxed *= m->angle;
    joint->relaxed -= reference_of(m, element, joint);
    read_drive(m, element, joint);
    const bool turns = joint->kind == SLIP_ROBOT_BALL || joint->kind == SLIP_ROBOT_FREE;
    if (turns && (joint->damping != 0.0 || joint->friction != 0.0 || joint->stiffness != 0.0 ||
                  joint->armature != 0.0))
        slip_robot_warn_once(
            m->robot, element->where,
            "damping, friction, stiffness and armature of balls and free bodies are left out");
}

// a link and the joint that carries it; its frame begins at `at` of the parent
static slip_robot_joint *add_link(slip_robot *robot, const char *name, int parent, slip_span where)
{
    slip_robot_link *link = &robot->links[robot->link_count];
    slip_robot_joint *joint = &robot->joints[robot->joint_count++];
    *link = (slip_robot_link){ .name = name, .carrier = -1, .where = where };
    *joint = (slip_robot_joint){ .name = name,
                                 .parent = parent,
                                 .child = robot->link_count++,
                                 .attitude = { 1, 0, 0, 0 },
                                 .axis = { 0, 0, 1 },
                                 .mimics = -1,
                                 .where = where };
    return joint;
}

// joint `element` of a body; `origin` is where the frame of the link before begins in the body, and becomes
// that of this one
static void add_joint(const slip_mjcf *m, const slip_xml *element, slip_robot_joint *joint, double origin[3])
{
    double anchor[3], axis[3] = { 0, 0, 1 }, offset[3], turned[3];
    memcpy(anchor, origin, sizeof anchor);
    joint->name = slip_mjcf_name(element, joint->name);
    joint->where = element->where;
    joint->kind = joint_kind(m, element);
    if (joint->kind == SLIP_ROBOT_REVOLUTE || joint->kind == SLIP_ROBOT_BALL)
        slip_robot_numbers(m->robot, element, "pos", 3, anchor);
    if (slip_robot_numbers(m->robot, element, "axis", 3, axis) &&
        !(fabs(axis[0]) + fabs(axis[1]) + fabs(axis[2]) > 0.0)) {
        slip_robot_error(m->robot, slip_xml_attribute_of(element, "axis")->where, NULL,
                         "an axis needs a direction");
        axis[2] = 1.0;
    }
    for (int k = 0; k < 3; k++) offset[k] = anchor[k] - origin[k];
    slip_rotation_vector(joint->attitude, offset, turned);
    for (int k = 0; k < 3; k++) joint->at[k] += turned[k];
    slip_rotation_vector(joint->attitude, axis, joint->axis);
    memcpy(origin, anchor, sizeof anchor);
    if (joint->kind != SLIP_ROBOT_FREE) read_range(m, element, joint);
    joint->reference = reference_of(m, element, joint);
    read_forces(m, element, joint);
}

static void warn_of_rest(const slip_mjcf *m, const slip_xml *body)
{
    static const char *const known[] = { "body", "joint", "freejoint", "geom", "inertial", "site" };
    for (const slip_xml *child = body->first; child; child = child->next) {
        bool is_known = false;
        for (int k = 0; k < 6; k++) is_known = is_known || strcmp(child->name, known[k]) == 0;
        if (!is_known) slip_robot_warn_omitted(m->robot, child, NULL);
    }
}

static const char *name_between(slip_robot *robot, const char *body, const char *joint)
{
    char text[130];
    snprintf(text, sizeof text, "%.60s_%.60s", body, joint);
    const char *kept = slip_pool_text(robot->pool, text, strlen(text));
    robot->no_memory = robot->no_memory || !kept;
    return kept ? kept : "";
}

// where the frame of a link begins in its body: what stands in the body is counted from there
static void read_body(const slip_mjcf *m, const slip_xml *body, int parent, const double parent_origin[3])
{
    slip_robot *robot = m->robot;
    const char *name = slip_mjcf_name(body, "body");
    double origin[3] = { 0, 0, 0 };
    slip_robot_joint *joint = add_link(robot, name, parent, body->where);
    slip_mjcf_place(m, body, joint->at, joint->attitude);
    for (int k = 0; k < 3; k++) joint->at[k] -= parent_origin[k];
    bool carried = false;
    for (const slip_xml *child = body->first; child; child = child->next) {
        if (strcmp(child->name, "joint") != 0 && strcmp(child->name, "freejoint") != 0) continue;
        if (carried) { // a further joint: what carried the body so far is a link between
            robot->links[joint->child].name = name_between(robot, name, joint->name);
            joint = add_link(robot, name, joint->child, body->where);
        }
        add_joint(m, child, joint, origin);
        carried = true;
    }
    int own = joint->child;
    robot->links[own].element = body;
    memcpy(robot->links[own].origin, origin, sizeof origin);
    slip_mjcf_geoms(m, body, &robot->links[own], origin);
    warn_of_rest(m, body);
    for (const slip_xml *child = slip_xml_child(body, "body"); child; child = slip_xml_next(child, "body"))
        read_body(m, child, own, origin);
}

static void read_compiler(slip_mjcf *m, const slip_xml *compiler)
{
    const slip_xml_attribute *angle = slip_xml_attribute_of(compiler, "angle"),
                             *euler = slip_xml_attribute_of(compiler, "eulerseq"),
                             *limits = slip_xml_attribute_of(compiler, "autolimits"),
                             *coordinate = slip_xml_attribute_of(compiler, "coordinate"),
                             *meshes = slip_xml_attribute_of(compiler, "meshdir"),
                             *geoms = slip_xml_attribute_of(compiler, "inertiafromgeom");
    m->weigh_geoms = geoms && strcmp(geoms->value, "true") == 0;
    if (!meshes) meshes = slip_xml_attribute_of(compiler, "assetdir");
    if (meshes) m->meshes = meshes->value;
    if (angle && strcmp(angle->value, "radian") == 0) m->angle = 1.0;
    if (limits) m->limits_by_range = strcmp(limits->value, "true") == 0;
    if (coordinate && strcmp(coordinate->value, "local") != 0)
        slip_robot_error(m->robot, coordinate->where, NULL, "coordinates have to be local");
    if (!euler) return;
    if (strlen(euler->value) == 3 && strspn(euler->value, "xyzXYZ") == 3)
        m->euler = euler->value;
    else
        slip_robot_error(m->robot, euler->where, NULL,
                         "'%.20s' is not a sequence of three of the axes x, y and z, or X, Y and Z",
                         euler->value);
}

static void warn_of_sections(const slip_mjcf *m, const slip_xml *root)
{
    static const char *const known[] = { "compiler", "option", "default",  "worldbody", "asset",
                                         "equality", "tendon", "actuator", "keyframe" };
    for (const slip_xml *child = root->first; child; child = child->next) {
        bool is_known = false;
        for (int k = 0; k < 9; k++) is_known = is_known || strcmp(child->name, known[k]) == 0;
        if (!is_known) slip_robot_warn_omitted(m->robot, child, NULL);
    }
}

int slip_mjcf_count(const slip_xml *root, const char *section)
{
    const slip_xml *element = slip_xml_child(root, section);
    return element ? element->count : 0;
}

static bool take_memory(slip_robot *robot, const slip_xml *root, const slip_xml *world)
{
    const int parts = count_parts(world) + 1, equalities = slip_mjcf_count(root, "equality") + 1;
    robot->links = SLIP_POOL_NEW(robot->pool, slip_robot_link, parts);
    robot->joints = SLIP_POOL_NEW(robot->pool, slip_robot_joint, parts);
    robot->loops = SLIP_POOL_NEW(robot->pool, slip_robot_loop, equalities);
    robot->couplings = SLIP_POOL_NEW(robot->pool, slip_robot_coupling, equalities);
    robot->tendons = SLIP_POOL_NEW(robot->pool, slip_robot_tendon, slip_mjcf_count(root, "tendon") + 1);
    robot->actuators = SLIP_POOL_NEW(robot->pool, slip_robot_actuator, slip_mjcf_count(root, "actuator") + 1);
    robot->no_memory = robot->no_memory || !robot->links || !robot->joints || !robot->loops ||
                       !robot->couplings || !robot->tendons || !robot->actuators;
    return !robot->no_memory;
}

// defaults are in the elements now; frames are kept until they are, since they hand classes down
static void read_world(const slip_mjcf *m, const slip_xml *root, slip_xml *world)
{
    static const double nowhere[3] = { 0, 0, 0 };
    slip_robot_check_attributes(m->robot, slip_xml_child(root, "compiler"));
    slip_robot_check_attributes(m->robot, slip_xml_child(root, "option"));
    slip_robot_check_attributes(m->robot, world);
    slip_mjcf_geoms(m, world, NULL, nowhere);
    warn_of_rest(m, world);
    for (const slip_xml *body = slip_xml_child(world, "body"); body; body = slip_xml_next(body, "body"))
        read_body(m, body, -1, nowhere);
    slip_mjcf_tendons(m, root);
    slip_mjcf_equalities(m, root, world);
    slip_mjcf_actuators(m, root);
    slip_mjcf_keyframe(m, root);
}

void slip_robot_from_mjcf(slip_robot *robot, slip_xml *root)
{
    robot->format = "MJCF";
    slip_mjcf_join_files(robot, root);
    const slip_xml_attribute *name = slip_xml_attribute_of(root, "model");
    slip_mjcf m = { .robot = robot,
                    .angle = 3.14159265358979323846 / 180.0,
                    .euler = "xyz",
                    .limits_by_range = true,
                    .asset = slip_xml_child(root, "asset"),
                    .meshes = "" };
    slip_xml *world = slip_xml_child(root, "worldbody");
    robot->name = name ? name->value : "";
    robot->gravity[2] = -9.81;
    slip_robot_numbers(robot, slip_xml_child(root, "option"), "gravity", 3, robot->gravity);
    read_compiler(&m, slip_xml_child(root, "compiler"));
    warn_of_sections(&m, root);
    if (!world) slip_robot_error(robot, root->where, NULL, "<mujoco> needs <worldbody>");
    if (!world || !take_memory(robot, root, world)) return;
    slip_mjcf_apply_defaults(robot, root);
    slip_mjcf_open_frames(world);
    read_world(&m, root, world);
}
