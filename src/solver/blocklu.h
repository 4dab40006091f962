/// solver/blocklu.h: LU of block-sparse matrices with a symmetric pattern and blocks of side 1, 2 or 3.
///
/// Nodes are eliminated in an order of least degree, chosen once per pattern. Pivots stay on the
/// diagonal blocks, which suits the regularised Newton matrices it is made for. Nodes may be switched
/// off from one factorisation to the next: the open contacts of a step cost nothing.
#ifndef SLIP_SOLVER_BLOCKLU_H
#define SLIP_SOLVER_BLOCKLU_H

#include <stdbool.h>

#include "core/arena.h"
#include "slipstick/problem.h"

typedef struct slip_blocklu {
    int nodes, side;
    int *order, *place;    // node eliminated at a position, and back
    int *start, *member;   // later neighbours of each position, ascending positions
    double *lower, *upper; // blocks L(member, position) and U(position, member)
    double *pivot;         // diagonal blocks, inverted by the factorisation
    int *entry;            // of each matrix entry: which block of the factor it lands in, see blocklu.c
    int *active;           // scratch: active members of one position
    double *x;             // scratch
} slip_blocklu;

enum { SLIP_MAX_NODES = 8192 };

/// Number of blocks in the strict upper factor of W, and the elimination order; `nodes` ints in order.
/// `bits` has slip_blocklu_bits(nodes) bytes. Returns -1 when the factor would exceed `most` blocks.
long slip_blocklu_order(const slip_matrix *W, int side, int *order, void *bits, long most);
size_t slip_blocklu_bits(int nodes);

/// Takes the memory for a factor with `blocks` strict upper blocks and `entries` matrix entries;
/// f->order is the caller's.
void slip_blocklu_layout(slip_arena *a, slip_blocklu *f, int nodes, int side, long blocks, long entries);

/// Fills the symbolic part after slip_blocklu_order(); `bits` as above.
void slip_blocklu_analyse(slip_blocklu *f, const slip_matrix *W, void *bits);

/// Factors J with J_ab = B_a W_ab + [a = b] A_a over the nodes with on[a]; A and B have side x side
/// numbers per node. False when a diagonal block is singular.
bool slip_blocklu_factor(slip_blocklu *f, const slip_matrix *W, const double *A, const double *B,
                         const bool *on);

/// x := J^-1 x over the active nodes; the others are left alone.
void slip_blocklu_solve(slip_blocklu *f, const bool *on, double *x);

#endif
