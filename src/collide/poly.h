/// collide/poly.h: boxes and hulls as polytopes; a capsule is one edge and a sphere one vertex, with a
/// radius.
#ifndef SLIP_COLLIDE_POLY_H
#define SLIP_COLLIDE_POLY_H

#include "collide/hull.h"
#include "collide/pairs.h"
#include "collide/patch.h"

typedef struct slip_poly {
    const slip_hull *shape;
    slip_axes frame;
    double radius;
    slip_hull own; ///< of what is not made of points
    double corner[8][3], side[6][4];
    slip_v3 world[8], normal[6]; ///< vertices and normals of `own`, where they are
} slip_poly;

/// `poly` must stay where it is.
void slip_poly_of(const slip_placed *placed, slip_poly *poly);

static inline slip_v3 slip_poly_vertex(const slip_poly *p, int i)
{
    return p->shape == &p->own ? p->world[i] : v3_point_out(&p->frame, v3_of(p->shape->vertex + 3 * i));
}

static inline slip_v3 slip_poly_normal(const slip_poly *p, int face)
{
    return p->shape == &p->own ? p->normal[face] : v3_out(&p->frame, v3_of(p->shape->plane[face]));
}

/// Height of x above a face whose normal is n.
static inline double slip_poly_height(const slip_poly *p, int face, slip_v3 n, slip_v3 x)
{
    return v3_dot(n, v3_sub(x, p->frame.at)) - p->shape->plane[face][3];
}

/// The vertex that is farthest along n; the search begins at `from`.
int slip_poly_support(const slip_poly *p, slip_v3 n, int from);

/// The face that looks most along n; -1 when there are none.
int slip_poly_face_along(const slip_poly *p, slip_v3 n);

slip_extent slip_poly_bounds(const slip_poly *p);

/// Whether a point of the plane of a face is within its edges, of the line of an edge between its ends.
bool slip_poly_within_face(const slip_poly *p, int face, slip_v3 x, double nearly);
bool slip_poly_within_edge(const slip_poly *p, int edge, slip_v3 x, double nearly);

/// A face, or an edge, as a patch.
void slip_poly_face_patch(const slip_poly *p, int face, slip_patch *patch);
void slip_poly_edge_patch(const slip_poly *p, int edge, slip_patch *patch);

#endif
