/// collision/quickhull.h: the triangles of a hull; internal to convex_hull.c.
#ifndef SLIP_COLLISION_QUICKHULL_H
#define SLIP_COLLISION_QUICKHULL_H

#include <stdbool.h>
#include <stdint.h>

#include "collision/vector3.h"
#include "base/arena.h"

/// A triangle, anticlockwise from outside; next[k] is the one across the edge from v[k] to v[k + 1].
typedef struct slip_hull_triangle {
    int v[3], next[3];
    int outside; ///< first of the points above it; -1 for none
    bool dead;
    slip_v3 normal; ///< unit, outward
    double offset;
} slip_hull_triangle;

typedef struct slip_quickhull {
    int count;
    const double *points;
    int64_t (*grid)[3];  ///< the points on the grid
    int *next_outside;   ///< the next point in the same list
    int *start;          ///< of each point: the new triangle whose first vertex it is
    double size, nearly; ///< of the set; distances below `nearly` are zero
    int vertices;        ///< points that are corners of triangles
    slip_hull_triangle *triangle;
    size_t triangles, room;
    int *todo, *visible, *horizon; ///< stacks
    size_t todo_room, visible_room, horizon_room;
} slip_quickhull;

typedef enum slip_hull_outcome { SLIP_HULL_DONE, SLIP_HULL_FLAT, SLIP_HULL_NO_MEMORY } slip_hull_outcome;

/// Fills q->triangle; those that are not dead make the hull. Released with slip_quickhull_free in any case.
slip_hull_outcome slip_quickhull_run(slip_quickhull *q, slip_pool *pool, const double *points, int count,
                                     double tolerance);
void slip_quickhull_free(slip_quickhull *q);

static inline slip_v3 slip_quickhull_point(const slip_quickhull *q, int i)
{
    return v3_of(q->points + 3 * i);
}

#endif
