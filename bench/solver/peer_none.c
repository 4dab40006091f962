/// peer_none.c: no Siconos on this machine.
#include <math.h>

#include "peer.h"

int peer_count(slip_kind kind)
{
    (void)kind;
    return 0;
}

const char *peer_name(slip_kind kind, int k)
{
    (void)kind;
    (void)k;
    return "";
}

peer_result peer_solve(const slip_problem *p, int k, double tolerance, double limit, const double *guess)
{
    (void)p;
    (void)k;
    (void)tolerance;
    (void)limit;
    (void)guess;
    return (peer_result){ .residual = INFINITY, .standard = INFINITY };
}
