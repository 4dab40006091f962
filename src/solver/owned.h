/// solver/owned.h: a problem together with the memory it stands on.
#ifndef SLIP_SOLVER_OWNED_H
#define SLIP_SOLVER_OWNED_H

#include <stdbool.h>

#include "core/arena.h"
#include "slipstick/problem.h"

typedef struct owned {
    slip_problem problem; // first, so that its address is the owner's
    slip_pool *pool;
} owned;

owned *slip_owned_create(void); ///< NULL when out of memory

/// A SPARSE matrix with blocks of side `block` from entries sorted by row, then column, in the
/// owner's pool; false when out of memory.
bool slip_owned_blocks(owned *o, int rows, int cols, int block, int count, const int *row, const int *col,
                       const double *value, slip_matrix *out);

#endif
