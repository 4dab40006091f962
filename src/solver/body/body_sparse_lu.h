/// solver/body/body_sparse_lu.h: LU of matrices with one block per body and two per pair of bodies that touch.
///
///     J = 1 + sum over contacts of back_a' K H_b        a, b the bodies of the contact
/// The order is that of ordering.h, found anew only if the set of touching pairs has changed. Pivots are
/// taken within the diagonal blocks, which is stable for M + H' K H with the K of a friction law.
///
/// Each position owns its pivot, its row of U and its column of L: it is assembled, then every earlier
/// neighbour is subtracted in ascending order, and then it is finished. Threads of the island's thread pool
/// can therefore work on different positions at the same time, with the same bits.
#ifndef SLIP_SOLVER_BODY_BODY_SPARSE_LU_H
#define SLIP_SOLVER_BODY_BODY_SPARSE_LU_H

#include "base/arena.h"
#include "solver/body/delassus_operator.h"
#include "solver/linalg/ordering.h"
#include "solver/linalg/etree_partition.h"

typedef struct slip_body_lu {
    int nodes, side;
    long room;            // pairs of blocks that there is memory for
    bool analysed, fits;  // the pattern below is that of `joined`; its factor fits into memory
    bool *joined;         // per contact: part of the pattern
    slip_adjacency graph; // bodies that touch
    slip_ordering ordering;
    int *start, *member;           // later neighbours of each position
    int *earlier_start;            // earlier neighbours of each position:
    int *earlier;                  //     positions, ascending
    int *earlier_at;               // index of the position among their members
    int *next;                     // the first earlier neighbour that was not subtracted yet
    slip_thread_pool *thread_pool; // of the island
    slip_etree_partition share;    // the part of each thread
    int *stage;                    // stages of the factorisation, for the thread pool
    double *lower, *upper;         // blocks L(member, position) and U(position, member)
    double *pivot;                 // diagonal blocks, inverted by the factorisation
    double *x;                     // scratch
} slip_body_lu;

/// `room` is the number of pairs of off-diagonal blocks that the factor may have.
void slip_body_lu_layout(slip_arena *a, slip_body_lu *f, int side, int bodies, int contacts, long room);

/// Forgets the pattern; call it before another island.
void slip_body_lu_begin(slip_body_lu *f, int bodies);

/// Finds the pattern of the active contacts, unless it is the present one. Returns false if the factor does
/// not fit into memory.
bool slip_body_lu_analyse(slip_body_lu *f, const slip_island *island, const bool *on);

/// Factors J over the active contacts. K has d x d numbers per contact, or where contacts depend on others as
/// many for each contact of its group (body_contact_groups.h). Returns false if J is singular.
bool slip_body_lu_factor(slip_body_lu *f, const slip_island *island, const bool *on, const double *K);

/// x = J^-1 x; `side` numbers per body of the island.
void slip_body_lu_solve(slip_body_lu *f, double *x);

#endif
