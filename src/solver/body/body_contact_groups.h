/// solver/body/body_contact_groups.h: contacts that depend on another one, and the linear systems of both together.
///
/// The normal impulse of a dependent contact c is a share of that of contact l, P_c = share P_l. It has a
/// velocity of its own for this: v = weight (P_c - share P_l) >= 0 is complementary to P_c >= 0
/// (body_solver.h). This adds a matrix L to W,
///     u = (H M^-1 H' + L) r + q,
/// which couples a contact with those that depend on it and with no other; together they are a group. In the
/// elimination of body_newton.h a group therefore takes the place of a contact,
///     C = (A + B (eps + L))^-1,    K = C B
/// with one d x d block for each pair of its contacts. The blocks of the bodies stay as they are.
#ifndef SLIP_SOLVER_BODY_BODY_CONTACT_GROUPS_H
#define SLIP_SOLVER_BODY_BODY_CONTACT_GROUPS_H

#include "base/arena.h"
#include "solver/body/delassus_operator.h"

/// For each contact, one block per contact of its group, at a distance of SLIP_CONTACT_GROUP_MAX blocks.
typedef struct slip_contact_groups {
    double *C, *K;
} slip_contact_groups;

void slip_contact_groups_layout(slip_arena *a, slip_contact_groups *g, int d, int contacts);

/// Computes C and K of an island from A and B, d x d per contact, and eps; if A is NULL it is the identity.
/// Inactive contacts are left out. Returns false if the matrix of a group is singular.
bool slip_contact_groups_solve(slip_contact_groups *g, const slip_island *island, const bool *on,
                               const double *A, const double *B, const double *eps);

/// y += by M x over the active contacts; M is C or K.
void slip_contact_groups_add(const slip_island *island, const bool *on, const double *M, double by,
                             const double *x, double *y);

#endif
