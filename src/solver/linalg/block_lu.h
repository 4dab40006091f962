/// solver/linalg/block_lu.h: LU of block-sparse matrices with a symmetric pattern and blocks of side 1, 2, 3 or 6.
///
/// The order of elimination is that of ordering.h, chosen once per pattern. Pivots stay on the diagonal
/// blocks, which is stable for the regularised Newton matrices it is meant for. Nodes may be switched off
/// from one factorisation to the next, so that open contacts cost nothing.
#ifndef SLIP_SOLVER_LINALG_BLOCK_LU_H
#define SLIP_SOLVER_LINALG_BLOCK_LU_H

#include <stdbool.h>

#include "base/arena.h"
#include "slipstick/problem.h"
#include "solver/linalg/ordering.h"

enum { SLIP_BLOCK_LU_MAX_SIDE = 6 };

typedef struct slip_block_lu {
    int nodes, side;
    long entries;           // of the matrix, in blocks
    slip_adjacency graph;   // of the matrix
    slip_ordering ordering; // order of elimination
    int *start, *member;    // later neighbours of each position, ascending positions
    double *lower, *upper;  // blocks L(member, position) and U(position, member)
    double *pivot;          // diagonal blocks, inverted by the factorisation
    int *entry;             // destination of each matrix entry in the factor, as block_lu.c explains
    int *active;            // scratch: active members of one position
    double *x;              // scratch
} slip_block_lu;

/// Takes the memory for the graph of a matrix with `entries` blocks, and its order.
void slip_block_lu_layout_order(slip_arena *a, slip_block_lu *f, int nodes, int side, long entries);

/// Finds the order. Returns the number of blocks in the strict upper factor.
long slip_block_lu_order(slip_block_lu *f, const slip_matrix *W);

/// Takes the memory for a factor with `blocks` strict upper blocks.
void slip_block_lu_layout(slip_arena *a, slip_block_lu *f, long blocks);

/// Fills the symbolic part after slip_block_lu_order().
void slip_block_lu_analyse(slip_block_lu *f, const slip_matrix *W);

/// Factors J with J_ab = B_a W_ab + [a = b] A_a over the nodes with on[a]; A and B have side x side
/// numbers per node. False when a diagonal block is singular.
bool slip_block_lu_factor(slip_block_lu *f, const slip_matrix *W, const double *A, const double *B,
                          const bool *on);

/// x := J^-1 x over the active nodes; the others are left alone.
void slip_block_lu_solve(slip_block_lu *f, const bool *on, double *x);

#endif
