/// solver/lcp/lemke.h: the smallest contact problem, without going through the table of solvers.
#ifndef SLIP_SOLVER_LCP_LEMKE_H
#define SLIP_SOLVER_LCP_LEMKE_H

#include "slipstick/solver.h"

/// One approaching planar contact without friction: z and w as slip_solve() with lemke finds them, to the
/// same bits, if that converges. False for any other problem; nothing is written then.
bool slip_frictionless_contact_solve(const double *W, const double *q, double mu, const slip_solve_options *o,
                                     double *z, double *w);

#endif
