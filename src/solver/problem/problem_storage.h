/// solver/problem/problem_storage.h: a problem that owns the memory of its arrays.
#ifndef SLIP_SOLVER_PROBLEM_PROBLEM_STORAGE_H
#define SLIP_SOLVER_PROBLEM_PROBLEM_STORAGE_H

#include <stdbool.h>

#include "base/arena.h"
#include "slipstick/problem.h"

typedef struct problem_storage {
    slip_problem problem; // first, so that its address is the owner's
    slip_pool *pool;
} problem_storage;

problem_storage *slip_problem_storage_create(void); ///< NULL when out of memory

/// A SPARSE matrix with blocks of side `block` from entries sorted by row, then column, in the
/// owner's pool; false when out of memory.
bool slip_problem_storage_blocks(problem_storage *o, int rows, int cols, int block, int count, const int *row,
                                 const int *col, const double *value, slip_matrix *out);

#endif
