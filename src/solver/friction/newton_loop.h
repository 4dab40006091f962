/// solver/friction/newton_loop.h: the proximal Newton loop, for any method that solves its linear systems.
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
    bool *on;                 // active blocks: not on a bound

    /// Solves (B W + A + eps B) x = b over the active blocks. On entry `step` holds b there, on return x; A
    /// and w_try may be overwritten. False when the matrix is singular.
    bool (*solve)(struct slip_newton *k);
    void *user; // of `solve`
} slip_newton;

/// Lays out the vectors for problem p.
void slip_newton_layout(slip_arena *a, slip_newton *k, const slip_problem *p);

/// For methods that eliminate the contacts first: b in `step` becomes C b with C = (A + eps B)^-1, and A
/// becomes K = C B; inactive blocks are left alone. False when a block is singular.
bool slip_newton_eliminate_blocks(slip_newton *k);

/// All-stick starting point: the impulses that would stop every contact, regularised by `soft` times diag W
/// so that redundant contacts share the load, then projected onto the friction cones. A single linear solve
/// carries a load down a whole tower. False if the system is singular.
bool slip_newton_all_stick(slip_newton *k, double soft, double *z);

/// Parameters of the loop; the options of the solver `newton`.
typedef struct slip_newton_options {
    double proximal, least, inner, rho;
    int limit; // most Newton steps
} slip_newton_options;

/// Improves z by proximal steps. The outcome is the loop's own view; the caller judges z by its residual.
slip_outcome slip_newton_loop(slip_newton *k, const slip_newton_options *ways, double tolerance, double *z,
                              double *w, slip_solve_info *info);

#endif
