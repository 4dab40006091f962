/// model/import/mjcf_geoms.c: geoms of MJCF as shapes, which may have a mass.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "model/import/mjcf.h"
#include "model/import/robot_rotation.h"

static const double MAX_MASS = 1e100; // kg; moments of inertia of more may not be numbers

// ------------------------------------------------------------------------------------------------- shapes

static int sizes_of(const char *type)
{
    static const struct {
        const char *name;
        int sizes;
    } kinds[] = { { "sphere", 1 }, { "capsule", 2 }, { "cylinder", 2 },
                  { "box", 3 },    { "plane", 0 },   { "ellipsoid", 3 } };
    for (int k = 0; k < 6; k++)
        if (strcmp(kinds[k].name, type) == 0) return kinds[k].sizes;
    return -1;
}

// the middle, length and attitude of a geom given by its two ends
static bool read_ends(const slip_mjcf *m, const slip_xml *geom, slip_robot_shape *shape)
{
    double ends[6], along[3], length = 0.0;
    if (!slip_robot_need_numbers(m->robot, geom, "fromto", 6, ends)) return false;
    for (int k = 0; k < 3; k++) {
        along[k] = ends[3 + k] - ends[k];
        shape->at[k] = 0.5 * (ends[3 + k] + ends[k]);
        length = slip_hypot(length, along[k]);
    }
    if (!slip_rotation_from_z(along, shape->attitude)) {
        slip_robot_error(m->robot, slip_xml_attribute_of(geom, "fromto")->where, NULL,
                         "both ends are the same");
        return false;
    }
    shape->size[1] = length;
    return slip_mjcf_leave_frames(m, geom, shape->at, shape->attitude);
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
    static const char *const words[] = {
        "box", "sphere", "cylinder", "capsule", "plane", "mesh", "ellipsoid"
    };
    const slip_xml_attribute *type = slip_xml_attribute_of(geom, "type"),
                             *name = slip_xml_attribute_of(geom, "name");
    const char *kind = type ? type->value : "sphere";
    int sizes = sizes_of(kind);
    bool ends = slip_xml_attribute_of(geom, "fromto") && sizes == 2;
    *shape = (slip_robot_shape){ .name = name ? name->value : "" };
    if (strcmp(kind, "hfield") == 0 || strcmp(kind, "sdf") == 0) {
        slip_robot_warn_once(m->robot, type->where,
                             "geoms of types hfield and sdf are left out: nothing is touched with them");
        return false;
    }
    if (sizes < 0) {
        slip_robot_error(m->robot, type->where,
                         "there are sphere, capsule, cylinder, box, ellipsoid, plane and mesh",
                         "geoms of type '%.60s' are not taken over", kind);
        return false;
    }
    for (int k = 0; k < 7; k++)
        if (strcmp(words[k], kind) == 0) shape->kind = (slip_robot_shape_kind)k;
    if (!slip_mjcf_place(m, geom, shape->at, shape->attitude)) return false;
    if (sizes > 0 && !read_sizes(m, geom, ends ? 1 : sizes, shape->size)) return false;
    if (ends) return read_ends(m, geom, shape);
    for (int k = shape->kind == SLIP_ROBOT_BOX ? 0 : 1; k < sizes && shape->kind != SLIP_ROBOT_ELLIPSOID; k++)
        shape->size[k] *= 2.0; // MJCF has halves
    return true;
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

// the mesh that a geom names, and its file; NULL after a mistake
static const slip_xml_attribute *mesh_of(const slip_mjcf *m, const slip_xml *geom, const slip_xml **asset)
{
    const char *name = slip_robot_need_text(m->robot, geom, "mesh");
    const slip_xml *mesh = name ? asset_of(m, name) : NULL;
    const slip_xml_attribute *file = mesh ? slip_xml_attribute_of(mesh, "file") : NULL;
    *asset = mesh;
    if (!name) return NULL;
    if (!file) {
        slip_robot_error(m->robot, geom->where, "<asset><mesh name=\"part\" file=\"part.stl\"/></asset>",
                         "no <mesh> of <asset> is called '%.60s' and has a file", name);
        return NULL;
    }
    return file;
}

// A mesh counts from refpos and refquat, before it is scaled: they move the place of the geom
static bool move_by_reference(const slip_mjcf *m, const slip_xml *mesh, slip_robot_shape *shape)
{
    double at[3] = { 0, 0, 0 }, turn[4] = { 1, 0, 0, 0 }, length = 0.0;
    const double *scale = shape->size;
    if (!slip_robot_numbers(m->robot, mesh, "refpos", 3, at) ||
        !slip_robot_numbers(m->robot, mesh, "refquat", 4, turn))
        return false;
    for (int k = 0; k < 4; k++) length = slip_hypot(length, turn[k]);
    const bool turned = turn[1] != 0.0 || turn[2] != 0.0 || turn[3] != 0.0;
    if (!(length > 0.0) || (turned && (scale[0] != scale[1] || scale[1] != scale[2]))) {
        slip_robot_error(m->robot, mesh->where, "place the geom instead",
                         "a mesh that is turned by refquat has one scale for all axes");
        return false;
    }
    for (int k = 0; k < 4; k++) turn[k] *= (k ? -1.0 : 1.0) / length;
    slip_rotation_product(shape->attitude, turn, shape->attitude);
    for (int k = 0; k < 3; k++) at[k] *= scale[k];
    slip_rotation_vector(shape->attitude, at, at);
    for (int k = 0; k < 3; k++) shape->at[k] -= at[k];
    return true;
}

// ------------------------------------------------------------------------------------------------- masses

// its mass as given, or that of its volume
static void weigh(const slip_mjcf *m, const slip_xml *geom, const slip_robot_shape *shape,
                  const slip_xml_attribute *file, slip_robot_link *link)
{
    const bool given = slip_xml_attribute_of(geom, "mass") != NULL;
    double density = 1000.0, mass = 0.0, volume = 0.0, centre[3], moments[6];
    slip_robot_numbers(m->robot, geom, "density", 1, &density);
    if (given && !slip_robot_size(m->robot, geom, "mass", 1, true, &mass)) return;
    if (given ? mass == 0.0 : density == 0.0) return;
    if (shape->kind == SLIP_ROBOT_PLANE || !slip_mjcf_measure(m, shape, file, &volume, centre, moments))
        return;
    if (!given) mass = density * volume;
    if (mass >= 0.0 && mass < MAX_MASS)
        slip_mjcf_add_mass(link, mass, centre, moments);
    else
        slip_robot_error(m->robot, geom->where, NULL, "with this density the geom has a mass of %g kg", mass);
}

// ------------------------------------------------------------------------------------------------- bodies

// A mesh touches as its hull unless it is for the eye alone, and so does a solid that is fitted to a mesh
static void add_mesh(const slip_mjcf *m, const slip_xml *geom, slip_robot_link *link, const double origin[3],
                     bool weighed)
{
    const slip_xml_attribute *type = slip_xml_attribute_of(geom, "type");
    const bool touches = can_touch(m, geom), skip = m->robot->def->skip_meshes;
    const slip_xml *asset = NULL;
    if (weighed && (!touches || skip || !link)) {
        if (touches)
            slip_robot_warn_once(m->robot, geom->where, "meshes are left out: nothing is touched with them");
        return;
    }
    if (type && strcmp(type->value, "mesh") != 0 && touches)
        slip_robot_warn_once(m->robot, type->where,
                             "geoms that are fitted to a mesh touch as the hull of the mesh");
    const slip_xml_attribute *file = mesh_of(m, geom, &asset);
    slip_robot_shape shape = { .name = "", .kind = SLIP_ROBOT_MESH, .size = { 1, 1, 1 } };
    if (!file || !slip_mjcf_place(m, geom, shape.at, shape.attitude) ||
        !slip_robot_scale(m->robot, asset, shape.size))
        return;
    if (!move_by_reference(m, asset, &shape)) return;
    for (int k = 0; k < 3; k++) shape.at[k] -= origin[k];
    if (!weighed) weigh(m, geom, &shape, file, link);
    if (touches && !skip && slip_robot_mesh(m->robot, asset, file, m->meshes, &shape))
        slip_robot_add_shape(m->robot, link, shape);
}

static void add_solid(const slip_mjcf *m, const slip_xml *geom, slip_robot_link *link, const double origin[3],
                      bool weighed)
{
    slip_robot_shape shape;
    if (!read_shape(m, geom, &shape)) return;
    for (int k = 0; k < 3; k++) shape.at[k] -= origin[k];
    if (!weighed) weigh(m, geom, &shape, NULL, link);
    if (link && shape.kind == SLIP_ROBOT_PLANE)
        slip_robot_error(m->robot, geom->where, NULL, "a plane that moves is not taken over");
    else if (!link && shape.kind != SLIP_ROBOT_PLANE && shape.kind != SLIP_ROBOT_SPHERE)
        slip_robot_warn_once(
            m->robot, geom->where,
            "geoms of the world other than planes and spheres are left out: nothing lands on them");
    else if (can_touch(m, geom))
        slip_robot_add_shape(m->robot, link, shape);
}

void slip_mjcf_geoms(const slip_mjcf *m, const slip_xml *body, slip_robot_link *link, const double origin[3])
{
    const bool weighed = !link || (!m->weigh_geoms && read_inertial(m, body, link, origin));
    for (const slip_xml *geom = slip_xml_child(body, "geom"); geom; geom = slip_xml_next(geom, "geom")) {
        const slip_xml_attribute *type = slip_xml_attribute_of(geom, "type");
        if (slip_xml_attribute_of(geom, "mesh") || (type && strcmp(type->value, "mesh") == 0))
            add_mesh(m, geom, link, origin, weighed);
        else
            add_solid(m, geom, link, origin, weighed);
    }
}
