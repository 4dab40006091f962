/// solver/friction/supernodes.h: Newton steps over groups of contacts that move together.
///
/// The contacts of two bodies have the same neighbours in W, and at most six relative motions, however many
/// contacts there are. Their rows of W are combinations of six: W_gg = L_g L_g' of rank 6 or less, and W = L
/// X L' with blocks X_gh of side 6 between groups. A Newton step
///     (B W + A + eps B) x = b,    C = (A + eps B)^-1, K = C B
/// becomes
///     (1 + S X) y = L' C b,    S = L' K L,    x = C b - K L X y
/// in six unknowns per group instead of three per contact. Groups are found from W alone, without knowledge
/// of the bodies.
#ifndef SLIP_SOLVER_FRICTION_SUPERNODES_H
#define SLIP_SOLVER_FRICTION_SUPERNODES_H

#include "solver/linalg/block_lu.h"
#include "solver/friction/newton_loop.h"

typedef struct slip_supernodes {
    int contacts, count;
    int *group;         // of each contact
    int *start, *order; // contacts of each group
    int *at;            // scratch: of each contact, its place in a row of W
    int entries;        // blocks of X
    slip_matrix X;
    int *row_start, *column;
    double *values;
    int *pivot;      // per group: the rows of W that span all others, -1 for none
    double *root;    // per group: L_g in these rows, lower triangular
    double *L;       // 3 x 6 per contact
    double *one, *S; // 6 x 6 per group
    double *y, *v;   // 6 per group
    bool *on;        // groups with an active contact
    slip_block_lu lu;
} slip_supernodes;

/// Takes the memory to look for groups in W.
void slip_supernodes_layout(slip_arena *a, slip_supernodes *g, int contacts);

/// Finds groups. False if they would not reduce the number of unknowns enough, or W is not symmetric.
bool slip_supernodes_find(slip_supernodes *g, const slip_problem *p);

/// Takes the memory for X, and for the order of its elimination.
void slip_supernodes_layout_matrix(slip_arena *a, slip_supernodes *g);

/// Fills in L and X; false if the rank of a group exceeds six, or is zero.
bool slip_supernodes_fill(slip_supernodes *g, const slip_problem *p);

/// A Newton step; it does not use `user` of the loop.
bool slip_supernodes_step(slip_supernodes *g, slip_newton *k);

#endif
