/// solver/bodylu.h: LU of matrices with one block per body and two per pair of bodies that touch.
///
///     J = 1 + sum over contacts of back_a' K H_b        a, b the bodies of the contact
/// The order is that of ordering.h, found anew only when other pairs touch than before. Pivots are taken
/// within the diagonal blocks, which suits M + H' K H with a friction law's K.
///
/// A position has its pivot, its row of U and its column of L for itself: it is assembled, then each earlier
/// position that it is a neighbour of is subtracted, in ascending order, then it is done. So threads of the
/// island's gang can work on different positions at the same time, to the same bits.
#ifndef SLIP_SOLVER_BODYLU_H
#define SLIP_SOLVER_BODYLU_H

#include "core/arena.h"
#include "solver/bodysystem.h"
#include "solver/ordering.h"
#include "solver/treeshare.h"

typedef struct slip_bodylu {
    int nodes, side;
    long room;            // pairs of blocks there is memory for
    bool analysed, fits;  // the pattern below is that of `joined`; its factor has room
    bool *joined;         // per contact: it is part of the pattern
    slip_adjacency graph; // of bodies that touch
    slip_ordering ordering;
    int *start, *member;   // later neighbours of each position
    int *earlier_start;    // and its earlier ones:
    int *earlier;          //     positions, ascending
    int *earlier_at;       //     where it is among their members
    int *next;             // the first earlier one that was not subtracted yet
    slip_gang *gang;       // of the island
    slip_tree_share share; // what its threads do
    int *stage;            // of the factorisation, for the gang
    double *lower, *upper; // blocks L(member, position) and U(position, member)
    double *pivot;         // diagonal blocks, inverted by the factorisation
    double *x;             // scratch
} slip_bodylu;

/// `room`: pairs of blocks off the diagonal that the factor may have.
void slip_bodylu_layout(slip_arena *a, slip_bodylu *f, int side, int bodies, int contacts, long room);

/// Forgets the pattern: for another island.
void slip_bodylu_begin(slip_bodylu *f, int bodies);

/// Takes the pattern of the contacts that are on, unless it is the present one. False when the factor has no
/// room.
bool slip_bodylu_analyse(slip_bodylu *f, const slip_island *island, const bool *on);

/// Factors J over the contacts that are on; K has d x d numbers per contact, or where contacts follow others
/// as many for each of its group (bodygroups.h). False when it is singular.
bool slip_bodylu_factor(slip_bodylu *f, const slip_island *island, const bool *on, const double *K);

/// x = J^-1 x; `side` numbers per body of the island.
void slip_bodylu_solve(slip_bodylu *f, double *x);

#endif
