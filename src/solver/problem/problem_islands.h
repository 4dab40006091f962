/// solver/problem/problem_islands.h: a sparse problem as the islands it falls apart into, each a problem of its own.
///
/// Blocks that W joins, directly or through others, are one island. A point that solves each island to a
/// tolerance solves the whole to it: errors and q add up alike.
#ifndef SLIP_SOLVER_PROBLEM_PROBLEM_ISLANDS_H
#define SLIP_SOLVER_PROBLEM_PROBLEM_ISLANDS_H

#include "base/arena.h"
#include "slipstick/solver.h"

typedef struct slip_problem_islands {
    const slip_problem *p;
    int count;           // islands
    int *start, *order;  // blocks of each, ascending
    int *local;          // of each block: its island, then its place in it
    int blocks, entries; // of the largest
    slip_problem one;    // the island that was taken last, in the arrays below
    int *row_start, *column;
    double *values, *q, *mu, *lower, *upper, *z, *w;
} slip_problem_islands;

/// Whether it makes sense to look: stored in blocks of the law's side, and not small.
bool slip_problem_islands_worthwhile(const slip_problem *p);

/// Takes the memory to look for islands, and looks; with an arena that only counts it does not look.
void slip_problem_islands_find(slip_arena *a, slip_problem_islands *s, const slip_problem *p);

/// Takes the memory for one island at a time, after slip_problem_islands_find().
void slip_problem_islands_layout(slip_arena *a, slip_problem_islands *s);

/// Copies island k: s->one, and s->z from z.
void slip_problem_islands_copy_out(slip_problem_islands *s, int k, const double *z);

/// Puts s->z of island k back.
void slip_problem_islands_copy_back(const slip_problem_islands *s, int k, double *z);

#endif
