/// collision/narrow_phase.h: declarations that the files of the narrow phase share.
#ifndef SLIP_COLLISION_NARROW_PHASE_H
#define SLIP_COLLISION_NARROW_PHASE_H

#include "collision/collision.h"
#include "collision/vector3.h"

/// A solid at its pose.
typedef struct slip_placed_solid {
    const slip_solid *solid;
    slip_axes frame; ///< of the shape
} slip_placed_solid;

/// A solid whose body is at `pose`, relative to `origin`: near it, coordinates are small and exact.
slip_placed_solid slip_placed_solid_at(const slip_solid *solid, const slip_pose *pose, slip_v3 origin);

enum { SLIP_MANIFOLD_MAX_CANDIDATES = 64 };

/// Contact points being collected: more than are returned, so that the best can be chosen.
typedef struct slip_manifold {
    double margin;
    int count;
    slip_manifold_point touch[SLIP_MANIFOLD_MAX_CANDIDATES];
} slip_manifold;

/// Adds a point unless its gap is above the margin, or its identity is present already (the deeper one
/// stays).
void slip_manifold_add(slip_manifold *found, uint64_t id, slip_v3 point, slip_v3 normal, double gap);
void slip_manifold_add_point(slip_manifold *found, const slip_manifold_point *touch);

/// The point with the smallest gap; NULL if there is none.
const slip_manifold_point *slip_manifold_nearest(const slip_manifold *found);

/// Whether a point along n has a gap of at most `gap`, that of the nearest pair plus rounding. Points that
/// are as deep along another normal are removed: corners of inclined flat parts are no measure of depth.
bool slip_manifold_confirms_depth(slip_manifold *found, slip_v3 n, double gap);

/// Adds a point between a surface point of a and one of b; both lie on one line along n.
static inline void slip_manifold_add_between(slip_manifold *found, uint64_t id, slip_v3 pa, slip_v3 pb,
                                             slip_v3 n)
{
    slip_manifold_add(found, id, v3_scale(0.5, v3_add(pa, pb)), n, v3_dot(n, v3_sub(pa, pb)));
}

/// Algorithms for pairs of kinds: contact points of a and b, of the kinds named, a before b in SLIP_SOLIDS.
typedef void slip_pair_collider(const slip_placed_solid *a, const slip_placed_solid *b, slip_manifold *found);

slip_pair_collider slip_collide_halfspace;      ///< b is the half-space, a anything else
slip_pair_collider slip_collide_sphere_capsule; ///< spheres and capsules among themselves
slip_pair_collider
    slip_collide_polytopes; ///< spheres, capsules, boxes and hulls; at least one is a box or hull
slip_pair_collider slip_collide_cylinder_ellipsoid; ///< one is a cylinder or an ellipsoid
slip_pair_collider slip_collide_polygon2d;          ///< discs and polygons

#endif
