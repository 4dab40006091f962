/// model/import/mjcf_masses.c: volumes and moments of geoms: of solids by their textbook formulas, of meshes as sums over
/// tetrahedra between their triangles and the origin (Tonon 2004).
#include <math.h>
#include <string.h>

#include "collision/convex_hull.h"
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

// volume, first and second moments of what lies between a surface and the origin; its area, and that as a vector, which
// is 0 for a closed surface
typedef struct integrals {
    double volume, first[3], second[6], area, closed[3];
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
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double part = 0.5 * ((b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]));
        out->closed[k] += part;
        square += part * part;
    }
    out->area += sqrt(square);
}

static void integrate(const slip_mesh *mesh, const double scale[3], integrals *out)
{
    *out = (integrals){ 0 };
    for (int t = 0; t < mesh->triangle_count; t++) {
        double corner[3][3];
        for (int k = 0; k < 3; k++) {
            const double *x = mesh->points + 3 * (mesh->triangles ? mesh->triangles[t][k] : 3 * t + k);
            for (int c = 0; c < 3; c++) corner[k][c] = scale[c] * x[c];
        }
        add_triangle(out, corner[0], corner[1], corner[2]);
    }
}

// Whether these can be the integrals of a solid: the surface is closed, and no direction has a negative variance, which
// faces that point both ways give.
static bool is_solid(const integrals *sum)
{
    const double size = sqrt(sum->area), v = sum->volume;
    double s[6];
    for (int k = 0; k < 3; k++)
        if (fabs(sum->closed[k]) > OPEN_SURFACE * sum->area) return false;
    if (!(fabs(v) > FLAT_MESH * size * size * size)) return false;
    for (int k = 0; k < 6; k++)
        s[k] = sum->second[k] / v - sum->first[ROW[k]] / v * (sum->first[COLUMN[k]] / v);
    const double minor = s[0] * s[1] - s[3] * s[3];
    const double det = s[2] * minor - s[5] * (s[0] * s[5] - s[3] * s[4]) + s[4] * (s[3] * s[5] - s[1] * s[4]);
    return s[0] > 0.0 && minor > 0.0 && det > 0.0;
}

static bool integrate_hull(const slip_mesh *mesh, const double scale[3], integrals *out)
{
    slip_hull *hull = NULL;
    slip_error error;
    *out = (integrals){ 0 };
    if (slip_hull_create(mesh->points, mesh->count, mesh->tolerance, "mesh", &error, &hull) != SLIP_OK)
        return false;
    for (int f = 0; f < hull->face_count; f++)
        for (int k = hull->face_start[f] + 1; k + 1 < hull->face_start[f + 1]; k++) {
            const int corners[3] = { hull->face_vertex[hull->face_start[f]], hull->face_vertex[k],
                                     hull->face_vertex[k + 1] };
            double x[3][3];
            for (int n = 0; n < 3; n++)
                for (int c = 0; c < 3; c++) x[n][c] = scale[c] * hull->vertex[3 * corners[n] + c];
            add_triangle(out, x[0], x[1], x[2]);
        }
    slip_hull_destroy(hull);
    return true;
}

// the integrals of a mesh, or of its hull where it is not closed; false when it has none: that was said
static bool integrate_file(const slip_mjcf *m, const slip_included *read, const slip_xml_attribute *file,
                           const double scale[3], integrals *sum)
{
    slip_mesh mesh;
    slip_error error;
    const slip_status status =
        slip_mesh_read(read->file.name, read->file.text, (size_t)read->file.length, &error, &mesh);
    if (status == SLIP_NO_MEMORY) m->robot->no_memory = true;
    if (status == SLIP_BAD_FILE)
        slip_robot_error(m->robot, file->where, "OBJ and STL files are read", "%s: %s", error.where,
                         read->file.hidden ? "this is not a mesh" : error.text);
    if (status != SLIP_OK) return false;
    integrate(&mesh, scale, sum);
    bool fine = is_solid(sum);
    if (!fine && integrate_hull(&mesh, scale, sum) && is_solid(sum)) {
        slip_robot_warn_once(m->robot, file->where,
                             "meshes that are not closed have the mass of their convex hull");
        fine = true;
    }
    slip_mesh_destroy(&mesh);
    if (!fine)
        slip_robot_warn_once(m->robot, file->where, "meshes that are sheets have no volume, and no mass");
    return fine;
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
    integrals sum;
    double about[6];
    if (!read || !integrate_file(m, read, file, shape->size, &sum)) return false;
    *volume = fabs(sum.volume);
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
