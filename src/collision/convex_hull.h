/// collision/convex_hull.h: the convex hull of points in space, with vertices, faces and edges, for solids and for drawing.
///
/// Coplanar points make one polygon, however many triangles it would take. Points closer to the hull of the
/// others than a tolerance are left out, and faces whose corners are within it of one plane are merged. Below
/// that, signs of volumes are exact (points are rounded to a grid of 2^-40 of the size of the set, and the
/// rest is integer arithmetic), so that the hull is closed for any set of points.
#ifndef SLIP_COLLISION_CONVEX_HULL_H
#define SLIP_COLLISION_CONVEX_HULL_H

#include "base/arena.h"
#include "base/status.h"

/// Distances below which points of a hull are one plane or one point, relative to the size of the set of points:
/// one for coordinates that were computed or typed, far above their rounding of 1e-16, and one for those of
/// files in single precision, whose coordinates are rounded to 6e-8.
#define SLIP_HULL_TOLERANCE        1e-10
#define SLIP_HULL_TOLERANCE_SINGLE 1e-6

/// Most vertices of a hull: a larger set is a scan and not a shape, and contacts with it would take long.
enum { SLIP_HULL_VERTICES_MAX = 20000 };

typedef struct slip_hull {
    int vertex_count, edge_count, face_count;
    const double *vertex;     ///< x, y, z of each
    const int (*edge)[4];     ///< its two vertices, first < second; the faces left and right of it, seen from
                              ///< outside
    const int *face_start;    ///< start of the loop of each face in face_vertex; face_count + 1 entries
    const int *face_vertex;   ///< anticlockwise, seen from outside
    const int *face_edge;     ///< the edge from each vertex of a loop to the next
    const double (*plane)[4]; ///< of each face: unit outward normal n and offset d, n . x = d
    const int *fan_start;     ///< start of the edges at each vertex in `fan`; vertex_count + 1 entries
    const int *fan;
} slip_hull;

/// The hull of `count` points (x, y, z one after another), to be released with slip_hull_destroy. Coplanar
/// points, or fewer than 4, have none. `where` names them in messages.
slip_status slip_hull_create(const double *points, int count, double tolerance, const char *where,
                             slip_error *error, slip_hull **hull);
void slip_hull_destroy(slip_hull *hull);

/// The same in a pool, with which it is released.
slip_status slip_hull_create_in_pool(slip_pool *pool, const double *points, int count, double tolerance,
                                     const char *where, slip_error *error, slip_hull **hull);

#endif
