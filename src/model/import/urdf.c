/// model/import/urdf.c: the Unified Robot Description Format of ROS, as its specification has it
/// (wiki.ros.org/urdf/XML): defaults included.
#include <math.h>
#include <string.h>

#include "model/import/robot.h"
#include "model/import/robot_rotation.h"

// xyz and rpy of <origin>; where there is none, nothing is moved
static bool read_origin(slip_robot *robot, const slip_xml *parent, double at[3], double attitude[4])
{
    const slip_xml *origin = slip_xml_child(parent, "origin");
    double rpy[3] = { 0, 0, 0 };
    memset(at, 0, 3 * sizeof *at);
    bool fine = slip_robot_numbers(robot, origin, "xyz", 3, at);
    fine = slip_robot_numbers(robot, origin, "rpy", 3, rpy) && fine;
    slip_rotation_from_rpy(rpy, attitude);
    return fine;
}

// ------------------------------------------------------------------------------------------------ links

static void read_inertial(slip_robot *robot, const slip_xml *inertial, slip_robot_link *link)
{
    static const char *const names[6] = { "ixx", "iyy", "izz", "ixy", "ixz", "iyz" };
    const slip_xml *mass = slip_xml_child(inertial, "mass"), *inertia = slip_xml_child(inertial, "inertia");
    double attitude[4], moment[6] = { 0 };
    read_origin(robot, inertial, link->centre, attitude);
    if (mass)
        slip_robot_size(robot, mass, "value", 1, true, &link->mass);
    else
        slip_robot_error(robot, inertial->where, NULL, "<inertial> needs <mass>");
    if (!inertia) return;
    for (int k = 0; k < 6; k++)
        if (k < 3)
            slip_robot_need_numbers(robot, inertia, names[k], 1, &moment[k]);
        else
            slip_robot_numbers(robot, inertia, names[k], 1, &moment[k]);
    slip_rotation_tensor(attitude, moment, link->inertia);
}

static bool read_geometry(slip_robot *robot, const slip_xml *kind, slip_robot_shape *shape)
{
    if (strcmp(kind->name, "box") == 0) {
        shape->kind = SLIP_ROBOT_BOX;
        return slip_robot_size(robot, kind, "size", 3, false, shape->size);
    }
    if (strcmp(kind->name, "sphere") == 0) {
        shape->kind = SLIP_ROBOT_SPHERE;
        return slip_robot_size(robot, kind, "radius", 1, false, shape->size);
    }
    if (strcmp(kind->name, "cylinder") == 0 || strcmp(kind->name, "capsule") == 0) {
        shape->kind = kind->name[1] == 'y' ? SLIP_ROBOT_CYLINDER : SLIP_ROBOT_CAPSULE;
        bool radius = slip_robot_size(robot, kind, "radius", 1, false, &shape->size[0]);
        return slip_robot_size(robot, kind, "length", 1, false, &shape->size[1]) && radius;
    }
    if (strcmp(kind->name, "mesh") == 0 && !robot->def->skip_meshes)
        return slip_robot_need_text(robot, kind, "filename") &&
               slip_robot_mesh(robot, kind, slip_xml_attribute_of(kind, "filename"), "", shape);
    if (strcmp(kind->name, "mesh") == 0)
        slip_robot_warn_omitted(robot, kind, "its link touches nothing with it");
    else
        slip_robot_error(robot, kind->where, "there are box, sphere, cylinder, capsule and mesh",
                         "<%.60s> is not a shape", kind->name);
    return false;
}

static void read_collision(slip_robot *robot, const slip_xml *collision, slip_robot_link *link)
{
    const slip_xml *geometry = slip_xml_child(collision, "geometry");
    const slip_xml_attribute *name = slip_xml_attribute_of(collision, "name");
    slip_robot_shape shape = { .name = name ? name->value : "" };
    if (!geometry || geometry->count != 1) {
        slip_robot_error(robot, geometry ? geometry->where : collision->where, NULL,
                         "<collision> needs <geometry> with one shape in it");
        return;
    }
    bool placed = read_origin(robot, collision, shape.at, shape.attitude);
    if (read_geometry(robot, geometry->first, &shape) && placed) slip_robot_add_shape(robot, link, shape);
}

static void read_link(slip_robot *robot, const slip_xml *element, slip_robot_link *link)
{
    const char *name = slip_robot_need_text(robot, element, "name");
    *link = (slip_robot_link){ .name = name ? name : "", .carrier = -1, .where = element->where };
    if (name) link->where = slip_xml_attribute_of(element, "name")->where;
    for (const slip_xml *child = element->first; child; child = child->next) {
        if (strcmp(child->name, "inertial") == 0)
            read_inertial(robot, child, link);
        else if (strcmp(child->name, "collision") == 0)
            read_collision(robot, child, link);
        else
            slip_robot_warn_omitted(robot, child, NULL);
    }
}

// ----------------------------------------------------------------------------------------------- joints

static int link_named(slip_robot *robot, const slip_xml *joint, const char *role)
{
    const slip_xml *element = slip_xml_child(joint, role);
    if (!element) slip_robot_error(robot, joint->where, NULL, "<joint> needs <%s>", role);
    const char *name = element ? slip_robot_need_text(robot, element, "link") : NULL;
    for (int k = 0; name && k < robot->link_count; k++)
        if (strcmp(robot->links[k].name, name) == 0) return k;
    if (name)
        slip_robot_error(robot, slip_xml_attribute_of(element, "link")->where, NULL,
                         "there is no link '%.60s'", name);
    return -1;
}

static void read_kind(slip_robot *robot, const slip_xml *element, slip_robot_joint *joint)
{
    static const struct {
        const char *name;
        slip_robot_joint_kind kind;
    } kinds[] = { { "revolute", SLIP_ROBOT_REVOLUTE },
                  { "continuous", SLIP_ROBOT_REVOLUTE },
                  { "prismatic", SLIP_ROBOT_PRISMATIC },
                  { "fixed", SLIP_ROBOT_FIXED },
                  { "floating", SLIP_ROBOT_FREE } };
    const char *type = slip_robot_need_text(robot, element, "type");
    for (int k = 0; type && k < 5; k++)
        if (strcmp(type, kinds[k].name) == 0) {
            joint->kind = kinds[k].kind;
            joint->limited = k == 0 || k == 2;
            return;
        }
    if (type)
        slip_robot_error(robot, slip_xml_attribute_of(element, "type")->where,
                         "there are revolute, continuous, prismatic, fixed and floating",
                         "joints of type '%.60s' are not taken over", type);
}

static void read_limit(slip_robot *robot, const slip_xml *element, slip_robot_joint *joint)
{
    const slip_xml *limit = slip_xml_child(element, "limit");
    if (!joint->limited) return;
    if (!limit) {
        slip_robot_error(robot, element->where, "type=\"continuous\" is a hinge without limits",
                         "a %s joint needs <limit>",
                         joint->kind == SLIP_ROBOT_REVOLUTE ? "revolute" : "prismatic");
        return;
    }
    bool fine = slip_robot_numbers(robot, limit, "lower", 1, &joint->lower);
    fine = slip_robot_numbers(robot, limit, "upper", 1, &joint->upper) && fine;
    if (fine && joint->lower == joint->upper) {
        slip_robot_warn_once_with_hint(
            robot, limit->where, "a limit that is absent is 0; a joint that does not move is fixed",
            "limits that leave no room, lower = upper, are left out: the joint moves freely");
        joint->limited = false;
        return;
    }
    if (fine && !(joint->lower < joint->upper))
        slip_robot_error(robot, limit->where, NULL, "the lower limit, %g, must be below the upper one, %g",
                         joint->lower, joint->upper);
    joint->start = fmin(fmax(0.0, joint->lower), joint->upper);
    if (slip_xml_attribute_of(limit, "effort") || slip_xml_attribute_of(limit, "velocity"))
        slip_robot_warn_once(robot, limit->where,
                             "effort and velocity of <limit> are left out: the model has no drive");
}

static void read_axis(slip_robot *robot, const slip_xml *element, slip_robot_joint *joint)
{
    const slip_xml *axis = slip_xml_child(element, "axis");
    double own[3] = { 1, 0, 0 };
    if (joint->kind == SLIP_ROBOT_FIXED || joint->kind == SLIP_ROBOT_FREE)
        return; // an axis says nothing there
    if (slip_robot_numbers(robot, axis, "xyz", 3, own) &&
        !(fabs(own[0]) + fabs(own[1]) + fabs(own[2]) > 0.0)) {
        slip_robot_error(robot, slip_xml_attribute_of(axis, "xyz")->where, NULL, "an axis needs a direction");
        own[0] = 1.0;
    }
    slip_rotation_vector(joint->attitude, own, joint->axis);
}

static void read_dynamics(slip_robot *robot, const slip_xml *element, slip_robot_joint *joint)
{
    const slip_xml *dynamics = slip_xml_child(element, "dynamics");
    if (slip_xml_attribute_of(dynamics, "damping"))
        slip_robot_size(robot, dynamics, "damping", 1, true, &joint->damping);
    if (slip_xml_attribute_of(dynamics, "friction"))
        slip_robot_size(robot, dynamics, "friction", 1, true, &joint->friction);
}

static void read_mimic(slip_robot *robot, const slip_xml *element, slip_robot_joint *joint)
{
    const slip_xml *mimic = slip_xml_child(element, "mimic");
    const char *name = mimic ? slip_robot_need_text(robot, mimic, "joint") : NULL;
    joint->mimics = -1;
    joint->factor = 1.0;
    if (!name) return;
    slip_robot_numbers(robot, mimic, "multiplier", 1, &joint->factor);
    slip_robot_numbers(robot, mimic, "offset", 1, &joint->offset);
    for (int k = 0; k < robot->joint_count; k++)
        if (strcmp(robot->joints[k].name, name) == 0) joint->mimics = k;
    if (joint->mimics < 0 || &robot->joints[joint->mimics] == joint)
        slip_robot_error(robot, slip_xml_attribute_of(mimic, "joint")->where, NULL,
                         "there is no other joint '%.60s'", name);
}

static void read_joint(slip_robot *robot, const slip_xml *element, slip_robot_joint *joint)
{
    static const char *const known[] = { "origin", "parent", "child", "axis", "limit", "dynamics", "mimic" };
    read_kind(robot, element, joint);
    joint->parent = link_named(robot, element, "parent");
    joint->child = link_named(robot, element, "child");
    read_origin(robot, element, joint->at, joint->attitude);
    read_axis(robot, element, joint);
    read_limit(robot, element, joint);
    read_dynamics(robot, element, joint);
    read_mimic(robot, element, joint);
    for (const slip_xml *child = element->first; child; child = child->next) {
        bool is_known = false;
        for (int k = 0; k < 7; k++) is_known = is_known || strcmp(child->name, known[k]) == 0;
        if (!is_known) slip_robot_warn_omitted(robot, child, NULL);
    }
}

static bool is_link(const slip_xml *element)
{
    return strcmp(element->name, "link") == 0;
}
static bool is_joint(const slip_xml *element)
{
    return strcmp(element->name, "joint") == 0;
}

static bool take_memory(slip_robot *robot, const slip_xml *root)
{
    int links = 0, joints = 0;
    for (const slip_xml *child = root->first; child; child = child->next) {
        links += is_link(child);
        joints += is_joint(child);
    }
    robot->links = SLIP_POOL_NEW(robot->pool, slip_robot_link, links + 1);
    robot->joints = SLIP_POOL_NEW(robot->pool, slip_robot_joint, joints + 1);
    robot->no_memory = !robot->links || !robot->joints;
    return !robot->no_memory;
}

void slip_robot_from_urdf(slip_robot *robot, const slip_xml *root)
{
    const slip_xml_attribute *name = slip_xml_attribute_of(root, "name");
    robot->name = name ? name->value : "";
    robot->format = "URDF";
    robot->gravity[2] = -9.81;
    if (!take_memory(robot, root)) return;
    slip_robot_check_attributes(robot, root);
    for (const slip_xml *child = root->first; child; child = child->next) {
        if (is_link(child)) {
            read_link(robot, child, &robot->links[robot->link_count++]);
        } else if (is_joint(child)) {
            slip_robot_joint *joint = &robot->joints[robot->joint_count++];
            const char *text = slip_robot_need_text(robot, child, "name");
            joint->name = text ? text : "";
            joint->where = text ? slip_xml_attribute_of(child, "name")->where : child->where;
        } else if (strncmp(child->name, "xacro:", 6) == 0) {
            slip_robot_error(robot, child->where, "xacro robot.xacro > robot.urdf",
                             "this is a xacro file: expand it first");
            return;
        } else {
            slip_robot_warn_omitted(robot, child, NULL);
        }
    }
    int k = 0;
    for (const slip_xml *child = root->first; child; child = child->next)
        if (is_joint(child)) read_joint(robot, child, &robot->joints[k++]);
}
