/// collision/convex_polytope.h: boxes and hulls as polytopes; a capsule is an edge and a sphere a vertex, with a radius.
#ifndef SLIP_COLLISION_CONVEX_POLYTOPE_H
#define SLIP_COLLISION_CONVEX_POLYTOPE_H

#include "collision/convex_hull.h"
#include "collision/narrow_phase.h"
#include "collision/manifold_clip.h"

typedef struct slip_polytope {
    const slip_hull *shape;
    slip_axes frame;
    double radius;
    slip_hull own; ///< of solids that are not hulls
    double corner[8][3], side[6][4];
    slip_v3 world[8], normal[6]; ///< vertices and normals of `own`, in world coordinates
} slip_polytope;

/// `poly` must not be moved afterwards, since it points into itself.
void slip_polytope_of(const slip_placed_solid *placed, slip_polytope *poly);

static inline slip_v3 slip_polytope_vertex(const slip_polytope *p, int i)
{
    return p->shape == &p->own ? p->world[i] : v3_point_to_world(&p->frame, v3_of(p->shape->vertex + 3 * i));
}

static inline slip_v3 slip_polytope_normal(const slip_polytope *p, int face)
{
    return p->shape == &p->own ? p->normal[face] : v3_to_world(&p->frame, v3_of(p->shape->plane[face]));
}

/// Height of x above a face whose normal is n.
static inline double slip_polytope_height(const slip_polytope *p, int face, slip_v3 n, slip_v3 x)
{
    return v3_dot(n, v3_sub(x, p->frame.at)) - p->shape->plane[face][3];
}

/// The vertex farthest along n; the search begins at `from`.
int slip_polytope_support(const slip_polytope *p, slip_v3 n, int from);

/// The face whose normal is closest to n; -1 if there are none.
int slip_polytope_face_along(const slip_polytope *p, slip_v3 n);

slip_aabb slip_polytope_bounds(const slip_polytope *p);

/// Whether a point in the plane of a face is within its edges, or on the line of an edge between its ends.
bool slip_polytope_within_face(const slip_polytope *p, int face, slip_v3 x, double nearly);
bool slip_polytope_within_edge(const slip_polytope *p, int edge, slip_v3 x, double nearly);

/// A face, or an edge, as a patch.
void slip_polytope_face_patch(const slip_polytope *p, int face, slip_face_patch *patch);
void slip_polytope_edge_patch(const slip_polytope *p, int edge, slip_face_patch *patch);

#endif
