/// solver/problem/problem_islands.h: the islands that a sparse problem splits into, each as a problem of its own.
///
/// Blocks that W couples, directly or through others, are one island. A point that solves each island to a
/// tolerance solves the whole to it, because the squares of errors and of q add up in the same way.
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

/// Whether the search pays: W is stored in blocks of the side of the law, and is not small.
bool slip_problem_islands_worthwhile(const slip_problem *p);

/// Lays out the memory for the search, and finds the islands; an arena that only counts does not search.
void slip_problem_islands_find(slip_arena *a, slip_problem_islands *s, const slip_problem *p);

/// Takes the memory for one island at a time, after slip_problem_islands_find().
void slip_problem_islands_layout(slip_arena *a, slip_problem_islands *s);

/// Copies island k: s->one, and s->z from z.
void slip_problem_islands_copy_out(slip_problem_islands *s, int k, const double *z);

/// Puts s->z of island k back.
void slip_problem_islands_copy_back(const slip_problem_islands *s, int k, double *z);

#endif
