/// symbolic/graph/caches.h: results of earlier work that may be reused, and how to switch that off.
///
/// Every cached result is compared with the data that it was computed from, so that a run without caches
/// gives the same answer; test `run.caches` compares the two over random models. A graph passes the caches
/// that are switched off on to everything made from it. `run.caches: off` switches off all of them.
///
///     the same bits        matrices, starts, programs, code
///     the same motion      verdicts: the last one is reused while the problem has hardly changed; under
///                          `auto` it decides when to change formulations
///     the last digits      guesses: a solver that starts elsewhere ends within its tolerance, and where
///                          impulses are not unique, with other ones
///                          rest: a sleeping island does not creep with the residual of its solver
#ifndef SLIP_SYMBOLIC_GRAPH_CACHES_H
#define SLIP_SYMBOLIC_GRAPH_CACHES_H

#include "symbolic/graph/formula.h"

typedef enum slip_cache {
    SLIP_CACHE_MATRICES = 1 << 0, ///< moreau: matrices of contact problems, and their factors
    SLIP_CACHE_GUESSES = 1 << 1, ///< starting points of solvers: states, active sets and impulses of the last
                                 ///< step
    SLIP_CACHE_VERDICTS = 1 << 2, ///< results about the contact problem of an earlier step
    SLIP_CACHE_STARTS = 1 << 3,   ///< data that one start of a simulation leaves to the next: tape caches,
                                  ///< rewinding
    SLIP_CACHE_PROGRAMS = 1 << 4, ///< steps as fused programs, and steps taken in place
    SLIP_CACHE_CODE = 1 << 5,     ///< machine code, and memoised values of functions
    SLIP_CACHE_REST = 1 << 6,     ///< sleeping islands of bodies
    SLIP_CACHES = (1 << 7) - 1    ///< all of them
} slip_cache;

/// Switches off these caches for everything made from this graph and its copies.
void slip_graph_leave_out(slip_graph *graph, unsigned caches);
bool slip_graph_keeps(const slip_graph *graph, slip_cache cache);

#endif
