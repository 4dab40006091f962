/// symbolic/graph/caches.h: what is kept of work that was done before, and can be left out.
///
/// Everything that is kept is compared with what it was made of, so that a run without it gives the same
/// answer; test `run.caches` compares the two over random models. A graph carries what is left out from a
/// model to all that is made of it. `run.caches: off` leaves out everything.
///
/// Matrices, starts, programs and code have the same bits; derivatives that ride along, the same digits.
///
/// Verdicts are recalled while the problem has hardly moved: the motion has the same bits, but under `auto`,
/// which changes formulations by them.
///
/// Guesses: a solver that begins elsewhere ends within its tolerance, and with other impulses where they are
/// not unique. Rest: an island that sleeps does not creep by what its solver leaves. There the motion is the
/// same up to that.
#ifndef SLIP_SYMBOLIC_GRAPH_CACHES_H
#define SLIP_SYMBOLIC_GRAPH_CACHES_H

#include "symbolic/graph/formula.h"

typedef enum slip_cache {
    SLIP_CACHE_MATRICES = 1 << 0, ///< moreau: matrices of contact problems, and their factors
    SLIP_CACHE_GUESSES = 1 << 1, ///< where solvers begin: states, active sets and impulses of the step before
    SLIP_CACHE_VERDICTS = 1 << 2, ///< what was proved, or found, of the contact problem of a step before
    SLIP_CACHE_STARTS = 1 << 3,   ///< what one start of a simulation leaves to the next: shelves, rewinds
    SLIP_CACHE_PROGRAMS = 1 << 4, ///< steps as single programs, and steps that are made in place
    SLIP_CACHE_CODE = 1 << 5,     ///< machine code, and the values of functions that it remembers
    SLIP_CACHE_REST = 1 << 6,     ///< islands of bodies that sleep
    SLIP_CACHES = (1 << 7) - 1    ///< all of them
} slip_cache;

/// What is made of this graph, and of its copies, does without these.
void slip_graph_leave_out(slip_graph *graph, unsigned caches);
bool slip_graph_keeps(const slip_graph *graph, slip_cache cache);

#endif
