/// peer.h: the solvers of Siconos numerics, if the package is there, on the same problems.
///
/// Each run happens in a child process with a limit on its time, since some of them print, exit or
/// do not end.
#ifndef SLIP_BENCH_PEER_H
#define SLIP_BENCH_PEER_H

#include "slipstick/problem.h"

typedef struct peer_result {
    bool solved;     ///< residual (ours, from the data) below the tolerance
    double seconds;  ///< best of several runs, the driver call alone
    double residual; ///< slip_residuals.invariant
    double standard;
} peer_result;

/// Number of peers that take this kind, and their names; 0 without Siconos.
int peer_count(slip_kind kind);
const char *peer_name(slip_kind kind, int k);

/// Runs one peer to the tolerance, from a guess (NULL: zero): its own tolerance is tightened until our
/// residual is met. At most `limit` s.
peer_result peer_solve(const slip_problem *p, int k, double tolerance, double limit, const double *guess);

#endif
