/// solver/lcp/direct_pivoting.h: direct principal pivoting for a handful of unknowns, in a tableau on the stack.
#ifndef SLIP_SOLVER_LCP_DIRECT_PIVOTING_H
#define SLIP_SOLVER_LCP_DIRECT_PIVOTING_H

#include "slipstick/problem.h"

enum { SLIP_DIRECT_PIVOTING_MAX = 32, SLIP_DIRECT_PIVOTING_MAX_PLANAR = 5 };

/// Tries stored problems: LCP and MLCP of up to SLIP_DIRECT_PIVOTING_MAX unknowns and FC2D of up to
/// SLIP_DIRECT_PIVOTING_MAX_PLANAR contacts. Returns the number of pivots with a candidate in z, or -1 with z
/// unchanged. It proves nothing: the caller judges z by its residual.
int slip_direct_pivoting_solve(const slip_problem *p, double *z);

#endif
