/// solver/body/body_contact_groups.h: contacts that follow another one, and the linear systems of both together.
///
/// A follower c of contact l has P_c = share P_l, by a velocity of its own: v = weight (P_c - share P_l) >= 0
/// is complementary to P_c >= 0 (bodies.h). That is a matrix L beside W,
///     u = (H M^-1 H' + L) r + q,
/// which joins a contact and those that follow it, and nobody else: a group. So in the elimination of
/// bodynewton.h a group takes the place of a contact,
///     C = (A + B (eps + L))^-1,    K = C B
/// with one d x d block for each pair of contacts of it; bodies and their blocks stay as they are.
#ifndef SLIP_SOLVER_BODY_BODY_CONTACT_GROUPS_H
#define SLIP_SOLVER_BODY_BODY_CONTACT_GROUPS_H

#include "base/arena.h"
#include "solver/body/delassus_operator.h"

/// Per contact, one block for each contact of its group, SLIP_CONTACT_GROUP_MAX apart.
typedef struct slip_contact_groups {
    double *C, *K;
} slip_contact_groups;

void slip_contact_groups_layout(slip_arena *a, slip_contact_groups *g, int d, int contacts);

/// C and K of an island from A and B, d x d per contact, and eps; A NULL: 1. Contacts that are not on have
/// no part in it. False where a group is singular.
bool slip_contact_groups_solve(slip_contact_groups *g, const slip_island *island, const bool *on,
                               const double *A, const double *B, const double *eps);

/// y += by M x over the contacts that are on; M is C or K.
void slip_contact_groups_add(const slip_island *island, const bool *on, const double *M, double by,
                             const double *x, double *y);

#endif
