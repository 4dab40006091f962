/// solver/body/body_newton.h: the Newton loop over an island, its linear systems in the velocities of the bodies.
///
/// With v the change of the velocities, the system (B W + A + eps B) x = b of newton.h, W = H M^-1 H',
/// becomes
///     x = C b - K H v,   (1 + M^-1 H' K H) v = M^-1 H' C b,       C = (A + eps B)^-1,  K = C B
/// one block per body, however many contacts it has.
#ifndef SLIP_SOLVER_BODY_BODY_NEWTON_H
#define SLIP_SOLVER_BODY_BODY_NEWTON_H

#include "solver/body/body_contact_groups.h"
#include "solver/body/body_sparse_lu.h"
#include "solver/friction/newton_loop.h"

typedef struct slip_body_newton {
    slip_newton loop;
    slip_body_lu lu;
    slip_contact_groups *groups; // borrowed
    const slip_island *island;
    slip_problem problem;
    double *v;
    double work; // block products of all factorisations
} slip_body_newton;

/// The factor, and everything else.
void slip_body_newton_layout_factor(slip_arena *a, slip_body_newton *k, int side, int bodies, int contacts);
void slip_body_newton_layout(slip_arena *a, slip_body_newton *k, int d, int side, int bodies, int contacts);

/// A guess for what is at rest: the impulses of contacts that are glued, put back into their cones. One
/// linear system, so a load that the sweeps would take a hundred rounds to carry down a tower arrives at
/// once. False when there is no room for its factor; z is then as it was.
bool slip_body_newton_all_stick(slip_body_newton *k, const slip_island *island, const slip_problem *problem,
                                double *z);

/// Improves z by at most `limit` steps.
slip_outcome slip_body_newton_run(slip_body_newton *k, const slip_island *island, const slip_problem *problem,
                                  const slip_newton_options *ways, double tolerance, double *z, double *w,
                                  slip_solve_info *info);

#endif
