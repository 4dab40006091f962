/// solver/tiny.h: direct principal pivoting for a handful of unknowns, in a tableau on the stack.
#ifndef SLIP_SOLVER_TINY_H
#define SLIP_SOLVER_TINY_H

#include "slipstick/problem.h"

enum { SLIP_TINY = 32, SLIP_TINY_PLANAR = 5 };

/// Tries LCP and MLCP up to SLIP_TINY unknowns and FC2D up to SLIP_TINY_PLANAR contacts, stored. Returns the
/// number of pivots with a candidate in z, or -1 with z left alone. Proves nothing: the caller judges z.
int slip_tiny_solve(const slip_problem *p, double *z);

#endif
