/// collision/mesh_hollow.c: how far a mesh is from its convex hull.
///
/// The depth of a point below a convex hull is the least of its distances to the planes of the faces. It is a
/// concave function of the point and nowhere negative on the mesh, so at the middle of a triangle it is at least a
/// third of its largest value there: a hollow is never missed, however large its triangles are.
#include <math.h>

#include "collision/mesh_file.h"

// products of triangles and planes that are looked at, a few hundredths of a second: of larger meshes every so many
// triangles only, since the hollows of those have thousands
static const double MOST_PAIRS = 2e7;

static double depth_at(const slip_hull *hull, const double at[3])
{
    double least = INFINITY;
    for (int f = 0; f < hull->face_count; f++) {
        const double *plane = hull->plane[f];
        least = fmin(least, plane[3] - (plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2]));
    }
    return least;
}

static void middle_of(const slip_mesh *mesh, int triangle, double at[3])
{
    for (int i = 0; i < 3; i++) {
        at[i] = 0.0;
        for (int c = 0; c < 3; c++)
            at[i] +=
                mesh->points[3 * (mesh->triangles ? mesh->triangles[triangle][c] : 3 * triangle + c) + i] /
                3.0;
    }
}

double slip_mesh_hollow(const slip_mesh *mesh, const slip_hull *hull)
{
    const double pairs = (double)mesh->triangle_count * hull->face_count;
    const int stride = (int)fmax(1.0, ceil(pairs / MOST_PAIRS));
    double deepest = 0.0, at[3];
    for (int k = 0; k < mesh->triangle_count; k += stride) {
        middle_of(mesh, k, at);
        deepest = fmax(deepest, depth_at(hull, at));
    }
    return deepest;
}
