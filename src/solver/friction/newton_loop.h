/// solver/friction/newton_loop.h: the loop of newton.c around any way to solve its linear systems.
#ifndef SLIP_SOLVER_FRICTION_NEWTON_LOOP_H
#define SLIP_SOLVER_FRICTION_NEWTON_LOOP_H

#include "base/arena.h"
#include "slipstick/solver.h"

typedef struct slip_newton {
    const slip_problem *p;
    int d, nodes, n;
    double scale;      // ||q||, for boxes ||q / D||
    double *z, *w, *E; // the iterate, w with the proximal term, the law's error
    double *z_try, *w_try, *E_try;
    double *center, *step, *known, *best;
    double *rho, *eps, *mean; // per block
    double *A, *B;            // dE = A dz + B dw, d x d per block
    bool *on;                 // blocks not on a bound

    /// Solves (B W + A + eps B) x = b over the blocks that are on. On entry `step` has b there, on return x;
    /// A and w_try may be overwritten. False when it is singular.
    bool (*solve)(struct slip_newton *k);
    void *user; // of `solve`
} slip_newton;

/// Takes the vectors for a problem with `nodes` blocks of d unknowns.
void slip_newton_layout(slip_arena *a, slip_newton *k, const slip_problem *p);

/// For ways to solve that eliminate the contacts first: b in `step` becomes C b with C = (A + eps B)^-1, and
/// A becomes K = C B; blocks that are off are left alone. False when one is singular.
bool slip_newton_eliminate_blocks(slip_newton *k);

/// A first guess for contacts: the impulses that would keep all of them from moving, each giving way by
/// `soft` times diag W so that redundant ones share a load, put back into the cones. One linear system
/// carries a load down a tower at once. False when there is none.
bool slip_newton_all_stick(slip_newton *k, double soft, double *z);

/// How the loop begins and ends; the options of the solver `newton`.
typedef struct slip_newton_options {
    double proximal, least, inner, rho;
    int limit; // Newton steps in all
} slip_newton_options;

/// Improves z by one proximal step after another; the opinion is the solver's own.
slip_outcome slip_newton_loop(slip_newton *k, const slip_newton_options *ways, double tolerance, double *z,
                              double *w, slip_solve_info *info);

#endif
