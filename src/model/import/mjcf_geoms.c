/// model/import/mjcf_geoms.c: geoms of MJCF as shapes, and the mass that they have.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "model/import/mjcf.h"
#include "model/import/robot_rotation.h"
#include "model/model_tolerances.h"

static const double PI = 3.14159265358979323846;
static const double MAX_MASS = 1e100; // kg; moments of inertia of more may not be numbers

bool slip_mjcf_place(const slip_mjcf *m, const slip_xml *element, double at[3], double attitude[4])
{
    static const double axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    static const char *const refused[] = { "xyaxes", "zaxis" };
    double quat[4] = { 1, 0, 0, 0 }, euler[3] = { 0 }, turn[4] = { 0, 0, 1, 0 }, length = 0.0;
    memset(at, 0, 3 * sizeof *at);
    bool fine = slip_robot_numbers(m->robot, element, "pos", 3, at);
    fine = slip_robot_numbers(m->robot, element, "quat", 4, quat) && fine;
    fine = slip_robot_numbers(m->robot, element, "euler", 3, euler) && fine;
    fine = slip_robot_numbers(m->robot, element, "axisangle", 4, turn) && fine;
    for (int k = 0; k < 2; k++) {
        const slip_xml_attribute *a = slip_xml_attribute_of(element, refused[k]);
        if (a)
            slip_robot_error(m->robot, a->where, "write a quat", "attitudes by '%s' are not taken over",
                             refused[k]);
    }
    for (int k = 0; k < 4; k++) length = slip_hypot(length, quat[k]);
    if (!(length > 0.0) || !(slip_hypot(slip_hypot(turn[0], turn[1]), turn[2]) > 0.0)) {
        slip_robot_error(m->robot, element->where, NULL, "this attitude has no direction");
        length = 1.0, quat[0] = 1.0, turn[2] = 1.0, fine = false;
    }
    for (int k = 0; k < 4; k++) attitude[k] = quat[k] / length;
    for (int k = 0; k < 3 && slip_xml_attribute_of(element, "euler"); k++) {
        double next[4];
        slip_rotation_about(axes[m->euler[k] - 'x'], euler[k] * m->angle, next);
        slip_rotation_product(attitude, next, attitude);
    }
    if (slip_xml_attribute_of(element, "axisangle")) slip_rotation_about(turn, turn[3] * m->angle, attitude);
    return fine;
}

// ------------------------------------------------------------------------------------------------- shapes

static int sizes_of(const char *type)
{
    static const struct {
        const char *name;
        int sizes;
    } kinds[] = { { "sphere", 1 }, { "capsule", 2 }, { "cylinder", 2 }, { "box", 3 }, { "plane", 0 } };
    for (int k = 0; k < 5; k++)
        if (strcmp(kinds[k].name, type) == 0) return kinds[k].sizes;
    return -1;
}

// the middle, length and attitude of a geom given by its two ends
static bool read_ends(const slip_mjcf *m, const slip_xml *geom, slip_robot_shape *shape)
{
    double ends[6], along[3], length = 0.0;
    static const double up[3] = { 0, 0, 1 };
    if (!slip_robot_need_numbers(m->robot, geom, "fromto", 6, ends)) return false;
    for (int k = 0; k < 3; k++) {
        along[k] = ends[3 + k] - ends[k];
        shape->at[k] = 0.5 * (ends[3 + k] + ends[k]);
        length = slip_hypot(length, along[k]);
    }
    if (!(length > 0.0)) {
        slip_robot_error(m->robot, slip_xml_attribute_of(geom, "fromto")->where, NULL,
                         "both ends are the same");
        return false;
    }
    double axis[3] = { up[1] * along[2] - up[2] * along[1], up[2] * along[0] - up[0] * along[2], 0.0 };
    double across = slip_hypot(axis[0], axis[1]);
    if (!(across > PARALLEL_DIRECTION * length)) axis[0] = 1.0;
    slip_rotation_about(axis, slip_atan2(across, along[2]), shape->attitude);
    shape->size[1] = length;
    return true;
}

// the sizes that a kind of geom has; further ones are of no account
static bool read_sizes(const slip_mjcf *m, const slip_xml *geom, int count, double *sizes)
{
    const slip_xml_attribute *a = slip_xml_attribute_of(geom, "size");
    int given = slip_robot_number_count(a);
    double read[3];
    if (given <= count || given > 3) return slip_robot_size(m->robot, geom, "size", count, false, sizes);
    if (!slip_robot_numbers(m->robot, geom, "size", given, read)) return false;
    memcpy(sizes, read, (size_t)count * sizeof *sizes);
    for (int k = 0; k < count; k++)
        if (!(read[k] > 0.0)) {
            slip_robot_error(m->robot, a->where, NULL, "'size' must be greater than 0, got %g", read[k]);
            return false;
        }
    return true;
}

static bool read_shape(const slip_mjcf *m, const slip_xml *geom, slip_robot_shape *shape)
{
    static const char *const words[] = { "box", "sphere", "cylinder", "capsule", "plane" };
    const slip_xml_attribute *type = slip_xml_attribute_of(geom, "type"),
                             *name = slip_xml_attribute_of(geom, "name");
    const char *kind = type ? type->value : "sphere";
    int sizes = sizes_of(kind);
    bool ends = slip_xml_attribute_of(geom, "fromto") && sizes == 2;
    *shape = (slip_robot_shape){ .name = name ? name->value : "" };
    if (sizes < 0) {
        slip_robot_error(m->robot, type->where, "there are sphere, capsule, cylinder, box and plane",
                         "geoms of type '%.60s' are not taken over", kind);
        return false;
    }
    for (int k = 0; k < 5; k++)
        if (strcmp(words[k], kind) == 0) shape->kind = (slip_robot_shape_kind)k;
    if (!slip_mjcf_place(m, geom, shape->at, shape->attitude)) return false;
    if (sizes > 0 && !read_sizes(m, geom, ends ? 1 : sizes, shape->size)) return false;
    if (ends) return read_ends(m, geom, shape);
    for (int k = shape->kind == SLIP_ROBOT_BOX ? 0 : 1; k < sizes; k++)
        shape->size[k] *= 2.0; // MJCF has halves
    return true;
}

// -------------------------------------------------------------------------------------------------- masses

static double volume_of(const slip_robot_shape *s)
{
    const double *d = s->size, r = d[0];
    switch (s->kind) {
    case SLIP_ROBOT_BOX:
        return d[0] * d[1] * d[2];
    case SLIP_ROBOT_SPHERE:
        return 4.0 / 3.0 * PI * r * r * r;
    case SLIP_ROBOT_CYLINDER:
        return PI * r * r * d[1];
    case SLIP_ROBOT_CAPSULE:
        return PI * r * r * (d[1] + 4.0 / 3.0 * r);
    default:
        return 0.0;
    }
}

// moments about the centre in the axes of the shape
static void moments_of(const slip_robot_shape *s, double mass, double I[6])
{
    const double *d = s->size, r = d[0], l = d[1];
    memset(I, 0, 6 * sizeof *I);
    if (s->kind == SLIP_ROBOT_BOX) {
        for (int k = 0; k < 3; k++)
            I[k] = mass / 12.0 * (d[(k + 1) % 3] * d[(k + 1) % 3] + d[(k + 2) % 3] * d[(k + 2) % 3]);
    } else if (s->kind == SLIP_ROBOT_SPHERE) {
        I[0] = I[1] = I[2] = 0.4 * mass * r * r;
    } else if (s->kind == SLIP_ROBOT_CYLINDER) {
        I[0] = I[1] = mass * (3.0 * r * r + l * l) / 12.0;
        I[2] = 0.5 * mass * r * r;
    } else if (s->kind == SLIP_ROBOT_CAPSULE) { // a cylinder and two halves of a ball
        double balls = mass * (4.0 / 3.0 * r) / (l + 4.0 / 3.0 * r), middle = mass - balls;
        I[0] = I[1] =
            middle * (3.0 * r * r + l * l) / 12.0 + balls * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
        I[2] = 0.5 * middle * r * r + 0.4 * balls * r * r;
    }
}

// I += those of a part about another point: m (d.d E - d d')
static void add_moments(double I[6], const double own[6], double mass, const double d[3])
{
    static const int row[6] = { 0, 1, 2, 0, 0, 1 }, column[6] = { 0, 1, 2, 1, 2, 2 };
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int k = 0; k < 6; k++)
        I[k] += own[k] + mass * ((row[k] == column[k] ? square : 0.0) - d[row[k]] * d[column[k]]);
}

static void add_mass(slip_robot_link *link, const slip_robot_shape *s, double mass)
{
    double own[6], turned[6], all = link->mass + mass, before[3], to[3], I[6] = { 0 }, centre[3];
    if (!(mass > 0.0)) return;
    moments_of(s, mass, own);
    slip_rotation_tensor(s->attitude, own, turned);
    for (int k = 0; k < 3; k++) {
        centre[k] = (link->mass * link->centre[k] + mass * s->at[k]) / all;
        before[k] = link->centre[k] - centre[k];
        to[k] = s->at[k] - centre[k];
    }
    add_moments(I, link->inertia, link->mass, before);
    add_moments(I, turned, mass, to);
    memcpy(link->inertia, I, sizeof I);
    memcpy(link->centre, centre, sizeof centre);
    link->mass = all;
}

// <inertial> of a body. False when there is none.
static bool read_inertial(const slip_mjcf *m, const slip_xml *body, slip_robot_link *link,
                          const double origin[3])
{
    const slip_xml *inertial = slip_xml_child(body, "inertial");
    double attitude[4], I[6] = { 0 };
    if (!inertial) return false;
    slip_mjcf_place(m, inertial, link->centre, attitude);
    for (int k = 0; k < 3; k++) link->centre[k] -= origin[k];
    slip_robot_size(m->robot, inertial, "mass", 1, true, &link->mass);
    if (slip_xml_attribute_of(inertial, "fullinertia"))
        slip_robot_numbers(m->robot, inertial, "fullinertia", 6, I);
    else if (slip_xml_attribute_of(inertial, "diaginertia"))
        slip_robot_size(m->robot, inertial, "diaginertia", 3, true, I);
    slip_rotation_tensor(attitude, I, link->inertia);
    return true;
}

static bool can_touch(const slip_mjcf *m, const slip_xml *geom)
{
    double type = 1.0, affinity = 1.0;
    slip_robot_numbers(m->robot, geom, "contype", 1, &type);
    slip_robot_numbers(m->robot, geom, "conaffinity", 1, &affinity);
    return type != 0.0 || affinity != 0.0;
}

// "a" of a file meshes/a.stl
static bool is_stem(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/'), *begin = slash ? slash + 1 : file, *dot = strrchr(begin, '.');
    const size_t length = dot ? (size_t)(dot - begin) : strlen(begin);
    return strlen(name) == length && strncmp(begin, name, length) == 0;
}

// the mesh of a geom among the assets
static const slip_xml *asset_of(const slip_mjcf *m, const char *name)
{
    const slip_xml *mesh = m->asset ? slip_xml_child(m->asset, "mesh") : NULL;
    for (; mesh; mesh = slip_xml_next(mesh, "mesh")) {
        const slip_xml_attribute *own = slip_xml_attribute_of(mesh, "name"),
                                 *file = slip_xml_attribute_of(mesh, "file");
        if (own ? strcmp(own->value, name) == 0 : file && is_stem(file->value, name)) return mesh;
    }
    return NULL;
}

static void add_mesh(const slip_mjcf *m, const slip_xml *geom, slip_robot_link *link, const double origin[3])
{
    const char *name = slip_robot_need_text(m->robot, geom, "mesh");
    const slip_xml *mesh = name ? asset_of(m, name) : NULL;
    const slip_xml_attribute *file = mesh ? slip_xml_attribute_of(mesh, "file") : NULL;
    slip_robot_shape shape = { .name = "" };
    if (!name) return;
    if (!file) {
        slip_robot_error(m->robot, geom->where, "<asset><mesh name=\"part\" file=\"part.stl\"/></asset>",
                         "no <mesh> of <asset> is called '%.60s' and has a file", name);
        return;
    }
    if (slip_xml_attribute_of(mesh, "refpos") || slip_xml_attribute_of(mesh, "refquat")) {
        slip_robot_error(m->robot, mesh->where, "place the geom instead",
                         "a mesh with refpos or refquat is not "
                         "taken over");
        return;
    }
    if (!slip_mjcf_place(m, geom, shape.at, shape.attitude)) return;
    for (int k = 0; k < 3; k++) shape.at[k] -= origin[k];
    if (slip_robot_mesh(m->robot, mesh, file, m->meshes, &shape)) slip_robot_add_shape(m->robot, link, shape);
}

// A mesh for the eye alone is nothing to a model whose masses are given; any other touches as its hull, or is
// left out as asked
static bool is_mesh(const slip_mjcf *m, const slip_xml *geom, slip_robot_link *link, const double origin[3],
                    bool weighed)
{
    const slip_xml_attribute *type = slip_xml_attribute_of(geom, "type");
    if (!type || strcmp(type->value, "mesh") != 0) return false;
    const bool touches = can_touch(m, geom), skip = m->robot->def->skip_meshes;
    if (!weighed)
        slip_robot_error(m->robot, type->where, "give its body an <inertial>",
                         "the mass of a mesh is not known here");
    else if (touches && !skip && link)
        add_mesh(m, geom, link, origin);
    else if (touches)
        slip_robot_warn_once(m->robot, geom->where, "meshes are left out: nothing is touched with them");
    return true;
}

void slip_mjcf_geoms(const slip_mjcf *m, const slip_xml *body, slip_robot_link *link, const double origin[3])
{
    bool weighed = !link || (!m->weigh_geoms && read_inertial(m, body, link, origin));
    for (const slip_xml *geom = slip_xml_child(body, "geom"); geom; geom = slip_xml_next(geom, "geom")) {
        slip_robot_shape shape;
        if (is_mesh(m, geom, link, origin, weighed)) continue;
        if (!read_shape(m, geom, &shape)) continue;
        for (int k = 0; k < 3; k++) shape.at[k] -= origin[k];
        double density = 1000.0, mass;
        slip_robot_numbers(m->robot, geom, "density", 1, &density);
        mass = density * volume_of(&shape);
        if (!(mass >= 0.0 && mass < MAX_MASS) && !slip_xml_attribute_of(geom, "mass")) {
            slip_robot_error(m->robot, geom->where, NULL, "with this density the geom has a mass of %g kg",
                             mass);
            continue;
        }
        if (slip_xml_attribute_of(geom, "mass")) slip_robot_size(m->robot, geom, "mass", 1, true, &mass);
        if (!weighed) add_mass(link, &shape, mass);
        if (link && shape.kind == SLIP_ROBOT_PLANE)
            slip_robot_error(m->robot, geom->where, NULL, "a plane that moves is not taken over");
        else if (!link && shape.kind != SLIP_ROBOT_PLANE && shape.kind != SLIP_ROBOT_SPHERE)
            slip_robot_warn_once(
                m->robot, geom->where,
                "geoms of the world other than planes and spheres are left out: nothing lands on them");
        else if (can_touch(m, geom))
            slip_robot_add_shape(m->robot, link, shape);
    }
}
