/// broad.h: which of many solids may touch: pairs of boxes that overlap.
///
/// Boxes of any mixture of sizes, in time and memory that grow with their number and that of the pairs. The
/// order of the pairs depends on the boxes alone, not on what was asked before: by the lower number, then the
/// higher.
///
///     slip_broad *broad = slip_broad_create();
///     slip_status status = slip_broad_find(broad, count, bounds, fixed, &error);
///     for (int k = 0; k < broad->pair_count; k++) narrow(broad->pair[k][0], broad->pair[k][1]);
///
/// Memory grows with the largest scene seen, and is kept: the same scene again allocates nothing.
#ifndef SLIP_COLLIDE_BROAD_H
#define SLIP_COLLIDE_BROAD_H

#include "collide/collide.h"

typedef struct slip_broad {
    int (*pair)[2]; ///< first < second, in ascending order
    int pair_count;
    long tests;  ///< of one box against another, in the last search
    long growth; ///< how often memory was taken since it was made; stays the same in a steady state
    struct slip_broad_work *work;
} slip_broad;

slip_broad *slip_broad_create(void); ///< NULL when out of memory
void slip_broad_destroy(slip_broad *broad);

/// Finds the pairs among `count` boxes that overlap or touch. Two boxes that are both `fixed` are no pair;
/// NULL: none is. Boxes that are infinite in a direction (half-spaces) are fine, as long as they are few:
/// each is tested against all. A box with low > high or not a number is a bad argument.
slip_status slip_broad_find(slip_broad *broad, int count, const slip_extent *box, const bool *fixed,
                            slip_error *error);

#endif
