/// model/import/mjcf_masses.c: volumes and moments of geoms: of solids by their textbook formulas, of meshes as sums over
/// tetrahedra between their triangles and the origin (Tonon 2004).
#include <math.h>
#include <string.h>

#include "collision/mesh_file.h"
#include "model/import/mjcf.h"
#include "model/import/robot_rotation.h"
#include "model/model_tolerances.h"

static const double PI = 3.14159265358979323846;
static const int ROW[6] = { 0, 1, 2, 0, 0, 1 }, COLUMN[6] = { 0, 1, 2, 1, 2, 2 };

// ------------------------------------------------------------------------------------------------- solids

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
    case SLIP_ROBOT_ELLIPSOID:
        return 4.0 / 3.0 * PI * d[0] * d[1] * d[2];
    default:
        return 0.0;
    }
}

// moments of a mass of 1 about the centre in the axes of the shape
static void moments_of(const slip_robot_shape *s, double I[6])
{
    const double *d = s->size, r = d[0], l = d[1];
    memset(I, 0, 6 * sizeof *I);
    if (s->kind == SLIP_ROBOT_BOX || s->kind == SLIP_ROBOT_ELLIPSOID) {
        const double part = s->kind == SLIP_ROBOT_BOX ? 1.0 / 12.0 : 0.2;
        for (int k = 0; k < 3; k++)
            I[k] = part * (d[(k + 1) % 3] * d[(k + 1) % 3] + d[(k + 2) % 3] * d[(k + 2) % 3]);
    } else if (s->kind == SLIP_ROBOT_SPHERE) {
        I[0] = I[1] = I[2] = 0.4 * r * r;
    } else if (s->kind == SLIP_ROBOT_CYLINDER) {
        I[0] = I[1] = (3.0 * r * r + l * l) / 12.0;
        I[2] = 0.5 * r * r;
    } else if (s->kind == SLIP_ROBOT_CAPSULE) { // a cylinder and two halves of a ball
        double balls = (4.0 / 3.0 * r) / (l + 4.0 / 3.0 * r), middle = 1.0 - balls;
        I[0] = I[1] =
            middle * (3.0 * r * r + l * l) / 12.0 + balls * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
        I[2] = 0.5 * middle * r * r + 0.4 * balls * r * r;
    }
}

// ------------------------------------------------------------------------------------------------- meshes

// volume, first and second moments of what lies between a surface and the origin
typedef struct integrals {
    double volume, first[3], second[6];
} integrals;

static void add_triangle(integrals *out, const double *a, const double *b, const double *c)
{
    const double det = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                       a[2] * (b[0] * c[1] - b[1] * c[0]);
    out->volume += det / 6.0;
    for (int k = 0; k < 3; k++) out->first[k] += det / 24.0 * (a[k] + b[k] + c[k]);
    for (int k = 0; k < 6; k++) {
        const int i = ROW[k], j = COLUMN[k];
        const double sum_i = a[i] + b[i] + c[i], sum_j = a[j] + b[j] + c[j];
        out->second[k] += det / 120.0 * (sum_i * sum_j + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
}

static void integrate(const slip_mesh *mesh, const double scale[3], integrals *out)
{
    *out = (integrals){ 0 };
    for (int t = 0; t < mesh->triangle_count; t++) {
        double corner[3][3];
        for (int k = 0; k < 3; k++) {
            const double *x = mesh->points + 3 * (mesh->triangles ? mesh->triangles[3 * t + k] : 3 * t + k);
            for (int c = 0; c < 3; c++) corner[k][c] = scale[c] * x[c];
        }
        add_triangle(out, corner[0], corner[1], corner[2]);
    }
}

// the volume of the box around the points, times the scale
static double box_volume(const slip_mesh *mesh, const double scale[3])
{
    double volume = 1.0;
    for (int c = 0; c < 3; c++) {
        double least = mesh->points[c], most = least;
        for (int k = 0; k < mesh->count; k++) {
            least = fmin(least, mesh->points[3 * k + c]);
            most = fmax(most, mesh->points[3 * k + c]);
        }
        volume *= fabs(scale[c]) * (most - least);
    }
    return volume;
}

// in the axes of the mesh, for a mass of 1
static bool measure_mesh(const slip_mjcf *m, const slip_robot_shape *shape, const slip_xml_attribute *file,
                         double *volume, double centre[3], double moments[6])
{
    slip_text path = { 0 };
    const char *folder = m->meshes;
    slip_text_add(&path, "%s%s%s", folder, folder[0] && folder[strlen(folder) - 1] != '/' ? "/" : "",
                  file->value);
    const slip_included *read =
        path.failed ? NULL : slip_robot_read_file(m->robot, path.data, file->where, SLIP_INPUT_DATA);
    if (path.failed) m->robot->no_memory = true;
    slip_text_destroy(&path);
    slip_mesh mesh;
    slip_error error;
    integrals sum;
    if (!read) return false;
    const slip_status status =
        slip_mesh_read(read->file.name, read->file.text, (size_t)read->file.length, &error, &mesh);
    if (status == SLIP_NO_MEMORY) m->robot->no_memory = true;
    if (status == SLIP_BAD_FILE)
        slip_robot_error(m->robot, file->where, "OBJ and STL files are read", "%s: %s", error.where,
                         read->file.hidden ? "this is not a mesh" : error.text);
    if (status != SLIP_OK) return false;
    integrate(&mesh, shape->size, &sum);
    const bool solid = fabs(sum.volume) > FLAT_MESH * box_volume(&mesh, shape->size);
    slip_mesh_destroy(&mesh);
    if (!solid) {
        slip_robot_error(m->robot, file->where, "give its body an <inertial>",
                         "this mesh has no volume, and its mass is asked for");
        return false;
    }
    *volume = fabs(sum.volume);
    double about[6];
    for (int k = 0; k < 3; k++) centre[k] = sum.first[k] / sum.volume;
    for (int k = 0; k < 6; k++) about[k] = sum.second[k] / sum.volume - centre[ROW[k]] * centre[COLUMN[k]];
    for (int k = 0; k < 6; k++) moments[k] = k < 3 ? about[(k + 1) % 3] + about[(k + 2) % 3] : -about[k];
    return true;
}

bool slip_mjcf_measure(const slip_mjcf *m, const slip_robot_shape *shape, const slip_xml_attribute *file,
                       double *volume, double centre[3], double moments[6])
{
    double own[6], at[3] = { 0, 0, 0 };
    if (file) {
        if (!measure_mesh(m, shape, file, volume, at, own)) return false;
    } else {
        *volume = volume_of(shape);
        moments_of(shape, own);
    }
    slip_rotation_tensor(shape->attitude, own, moments);
    slip_rotation_vector(shape->attitude, at, centre);
    for (int k = 0; k < 3; k++) centre[k] += shape->at[k];
    return true;
}

// --------------------------------------------------------------------------------------------------- links

// I += those of a part about another point: m (d.d E - d d')
static void add_moments(double I[6], const double own[6], double mass, const double d[3])
{
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int k = 0; k < 6; k++)
        I[k] += own[k] + mass * ((ROW[k] == COLUMN[k] ? square : 0.0) - d[ROW[k]] * d[COLUMN[k]]);
}

void slip_mjcf_add_mass(slip_robot_link *link, double mass, const double at[3], const double moments[6])
{
    double own[6], all = link->mass + mass, before[3], to[3], I[6] = { 0 }, centre[3];
    if (!(mass > 0.0)) return;
    for (int k = 0; k < 6; k++) own[k] = mass * moments[k];
    for (int k = 0; k < 3; k++) {
        centre[k] = (link->mass * link->centre[k] + mass * at[k]) / all;
        before[k] = link->centre[k] - centre[k];
        to[k] = at[k] - centre[k];
    }
    add_moments(I, link->inertia, link->mass, before);
    add_moments(I, own, mass, to);
    memcpy(link->inertia, I, sizeof I);
    memcpy(link->centre, centre, sizeof centre);
    link->mass = all;
}
