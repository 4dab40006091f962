/// hull.h: the convex hull of points in space: vertices, faces, edges, for solids and for drawing.
///
/// Faces are whole: points in one plane make one polygon, however many triangles it would take. Points nearer
/// than SLIP_HULL_TOLERANCE times the size of the set to a face, edge or vertex of the hull are taken to be
/// on it.
#ifndef SLIP_COLLIDE_HULL_H
#define SLIP_COLLIDE_HULL_H

#include "core/status.h"

#define SLIP_HULL_TOLERANCE 1e-10

/// Most vertices of a hull: a guard against scans taken for shapes.
enum { SLIP_HULL_VERTICES_MAX = 100000 };

typedef struct slip_hull {
    int vertex_count, edge_count, face_count;
    double *vertex;  ///< x, y, z of each
    int (*edge)[4];  ///< its two vertices, first < second; the faces on its left and right, seen from outside
    int *face_start; ///< where the loop of each face begins in face_vertex; face_count + 1 entries
    int *face_vertex;     ///< anticlockwise from outside
    int *face_edge;       ///< the edge from each vertex of a loop to the next
    double (*plane)[4];   ///< of each face: unit outward normal n and offset d, n . x = d
    int *fan_start, *fan; ///< the edges at each vertex; vertex_count + 1 entries
} slip_hull;

/// The hull of `count` points (x, y, z one after another), to be released with slip_hull_destroy. Points that
/// all lie in one plane, or fewer than 4, have none. `where` names them in messages.
slip_status slip_hull_create(const double *points, int count, const char *where, slip_error *error,
                             slip_hull **hull);
void slip_hull_destroy(slip_hull *hull);

#endif
