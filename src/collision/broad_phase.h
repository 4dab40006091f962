/// collision/broad_phase.h: pairs of solids that may touch: those whose boxes overlap.
///
/// Boxes may be of any mixture of sizes; time and memory are proportional to the number of boxes and pairs.
/// Pairs are sorted by the lower number, then the higher one, so that their order depends on the boxes alone
/// and not on earlier searches.
///
///     slip_broad_phase *broad = slip_broad_phase_create();
///     slip_status status = slip_broad_phase_find(broad, count, bounds, fixed, &error);
///     for (int k = 0; k < broad->pair_count; k++) narrow(broad->pair[k][0], broad->pair[k][1]);
///
/// Memory grows with the largest scene seen, and is kept: the same scene again allocates nothing.
#ifndef SLIP_COLLISION_BROAD_PHASE_H
#define SLIP_COLLISION_BROAD_PHASE_H

#include "collision/collision.h"

typedef struct slip_broad_phase {
    int (*pair)[2]; ///< first < second, in ascending order
    int pair_count;
    long tests;  ///< of one box against another, in the last search
    long growth; ///< number of allocations since it was made; constant in a steady state
    struct slip_broad_phase_work *work;
} slip_broad_phase;

slip_broad_phase *slip_broad_phase_create(void); ///< NULL when out of memory
void slip_broad_phase_destroy(slip_broad_phase *broad);

/// Finds the pairs among `count` boxes that overlap or touch. Two boxes that are both `fixed` are not a pair;
/// NULL: no box is fixed. Boxes may be unbounded (half-spaces) as long as they are few, since each is tested
/// against all others. A box with low > high or NaN is a bad argument.
slip_status slip_broad_phase_find(slip_broad_phase *broad, int count, const slip_aabb *box, const bool *fixed,
                                  slip_error *error);

#endif
