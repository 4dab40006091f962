/// collide/pairs.h: between the files of the narrow phase.
#ifndef SLIP_COLLIDE_PAIRS_H
#define SLIP_COLLIDE_PAIRS_H

#include "collide/collide.h"
#include "collide/vector.h"

/// A solid where it is.
typedef struct slip_placed {
    const slip_solid *solid;
    slip_axes frame; ///< of the shape
} slip_placed;

/// A solid whose body is at `pose`, seen from `origin`: near it, numbers are small and exact.
slip_placed slip_placed_at(const slip_solid *solid, const slip_pose *pose, slip_v3 origin);

enum { SLIP_FOUND_MAX = 64 };

/// Touches on their way: more than are handed out, so that the best can be chosen.
typedef struct slip_found {
    double margin;
    int count;
    slip_touch touch[SLIP_FOUND_MAX];
} slip_found;

/// Adds a touch unless its gap is above the margin, or its identity is there already (the deeper stays).
void slip_found_add(slip_found *found, uint64_t id, slip_v3 point, slip_v3 normal, double gap);
void slip_found_take(slip_found *found, const slip_touch *touch);

/// The touch with the least gap; NULL when there is none.
const slip_touch *slip_found_nearest(const slip_found *found);

/// Whether a touch along n has a gap of at most `gap`, that of the nearest pair with what counts as rounding.
/// What is as deep along another normal is taken off: corners of flat parts that stand at an angle are no
/// measure of depth.
bool slip_found_tells(slip_found *found, slip_v3 n, double gap);

/// A touch between a surface point of a and one of b; both lie on one line along n.
static inline void slip_found_between(slip_found *found, uint64_t id, slip_v3 pa, slip_v3 pb, slip_v3 n)
{
    slip_found_add(found, id, v3_scale(0.5, v3_add(pa, pb)), n, v3_dot(n, v3_sub(pa, pb)));
}

/// Pairs of kinds: touches of a and b, of kinds as named, a before b in SLIP_SOLIDS.
typedef void slip_pair_touches(const slip_placed *a, const slip_placed *b, slip_found *found);

slip_pair_touches slip_touch_halfspace; ///< b is the half-space, a anything else
slip_pair_touches slip_touch_round;     ///< spheres and capsules among themselves
slip_pair_touches
    slip_touch_polytopes; ///< spheres, capsules, boxes, hulls among themselves, one of the last two
slip_pair_touches slip_touch_curved; ///< one is a cylinder or an ellipsoid
slip_pair_touches slip_touch_flat;   ///< discs and polygons

#endif
