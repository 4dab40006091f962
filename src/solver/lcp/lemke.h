/// solver/lcp/lemke.h: the smallest contact problem, without a table of solvers in between.
#ifndef SLIP_SOLVER_LCP_LEMKE_H
#define SLIP_SOLVER_LCP_LEMKE_H

#include "slipstick/solver.h"

/// One planar contact without friction that is struck: z and w as slip_solve() with lemke finds them, to the
/// same bits, where that converges. False where it is another problem; then nothing was written.
bool slip_frictionless_contact_solve(const double *W, const double *q, double mu, const slip_solve_options *o,
                                     double *z, double *w);

#endif
