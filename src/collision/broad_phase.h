/// collision/broad_phase.h: which of many solids may touch: pairs of boxes that overlap.
///
/// Boxes of any mixture of sizes, in time and memory that grow with their number and that of the pairs. The
/// order of the pairs depends on the boxes alone, not on what was asked before: by the lower number, then the
/// higher.
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
    long growth; ///< how often memory was taken since it was made; stays the same in a steady state
    struct slip_broad_phase_work *work;
} slip_broad_phase;

slip_broad_phase *slip_broad_phase_create(void); ///< NULL when out of memory
void slip_broad_phase_destroy(slip_broad_phase *broad);

/// Finds the pairs among `count` boxes that overlap or touch. Two boxes that are both `fixed` are no pair;
/// NULL: none is. Boxes that are infinite in a direction (half-spaces) are fine, as long as they are few:
/// each is tested against all. A box with low > high or not a number is a bad argument.
slip_status slip_broad_phase_find(slip_broad_phase *broad, int count, const slip_aabb *box, const bool *fixed,
                                  slip_error *error);

#endif
