/// solver/body/body_sparse_lu.h: LU of matrices with one block per body and two per pair of bodies that touch.
///
///     J = 1 + sum over contacts of back_a' K H_b        a, b the bodies of the contact
/// The order is that of ordering.h, found anew only when other pairs touch than before. Pivots are taken
/// within the diagonal blocks, which suits M + H' K H with a friction law's K.
///
/// A position has its pivot, its row of U and its column of L for itself: it is assembled, then each earlier
/// position that it is a neighbour of is subtracted, in ascending order, then it is done. So threads of the
/// island's thread_pool can work on different positions at the same time, to the same bits.
#ifndef SLIP_SOLVER_BODY_BODY_SPARSE_LU_H
#define SLIP_SOLVER_BODY_BODY_SPARSE_LU_H

#include "base/arena.h"
#include "solver/body/delassus_operator.h"
#include "solver/linalg/ordering.h"
#include "solver/linalg/etree_partition.h"

typedef struct slip_body_lu {
    int nodes, side;
    long room;            // pairs of blocks there is memory for
    bool analysed, fits;  // the pattern below is that of `joined`; its factor has room
    bool *joined;         // per contact: it is part of the pattern
    slip_adjacency graph; // of bodies that touch
    slip_ordering ordering;
    int *start, *member;           // later neighbours of each position
    int *earlier_start;            // and its earlier ones:
    int *earlier;                  //     positions, ascending
    int *earlier_at;               //     where it is among their members
    int *next;                     // the first earlier one that was not subtracted yet
    slip_thread_pool *thread_pool; // of the island
    slip_etree_partition share;    // what its threads do
    int *stage;                    // of the factorisation, for the thread_pool
    double *lower, *upper;         // blocks L(member, position) and U(position, member)
    double *pivot;                 // diagonal blocks, inverted by the factorisation
    double *x;                     // scratch
} slip_body_lu;

/// `room`: pairs of blocks off the diagonal that the factor may have.
void slip_body_lu_layout(slip_arena *a, slip_body_lu *f, int side, int bodies, int contacts, long room);

/// Forgets the pattern: for another island.
void slip_body_lu_begin(slip_body_lu *f, int bodies);

/// Takes the pattern of the contacts that are on, unless it is the present one. False when the factor has no
/// room.
bool slip_body_lu_analyse(slip_body_lu *f, const slip_island *island, const bool *on);

/// Factors J over the contacts that are on; K has d x d numbers per contact, or where contacts follow others
/// as many for each of its group (bodygroups.h). False when it is singular.
bool slip_body_lu_factor(slip_body_lu *f, const slip_island *island, const bool *on, const double *K);

/// x = J^-1 x; `side` numbers per body of the island.
void slip_body_lu_solve(slip_body_lu *f, double *x);

#endif
