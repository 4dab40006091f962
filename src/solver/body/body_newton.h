/// solver/body/body_newton.h: Newton's loop over an island, with its linear systems in the velocities of the bodies.
///
/// With v the change of the velocities, the system (B W + A + eps B) x = b of newton_loop.h, W = H M^-1 H',
/// becomes
///     x = C b - K H v,   (1 + M^-1 H' K H) v = M^-1 H' C b,       C = (A + eps B)^-1,  K = C B
/// with one block per body, however many contacts the body has.
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

/// The memory of the factor, and that of everything else.
void slip_body_newton_layout_factor(slip_arena *a, slip_body_newton *k, int side, int bodies, int contacts);
void slip_body_newton_layout(slip_arena *a, slip_body_newton *k, int d, int side, int bodies, int contacts);

/// All-stick starting point: the impulses that would stop every contact, projected onto the friction cones.
/// It takes a single linear solve, which carries a load down a whole tower where sweeps would need a hundred
/// rounds. Returns false if the factor does not fit into memory; z is then unchanged.
bool slip_body_newton_all_stick(slip_body_newton *k, const slip_island *island, const slip_problem *problem,
                                double *z);

/// Improves z by at most ways->limit steps.
slip_outcome slip_body_newton_run(slip_body_newton *k, const slip_island *island, const slip_problem *problem,
                                  const slip_newton_options *ways, double tolerance, double *z, double *w,
                                  slip_solve_info *info);

#endif
