/// solver/split.h: a sparse problem as the islands it falls apart into, each a problem of its own.
///
/// Blocks that W joins, directly or through others, are one island. A point that solves each island to a
/// tolerance solves the whole to it: errors and q add up alike.
#ifndef SLIP_SOLVER_SPLIT_H
#define SLIP_SOLVER_SPLIT_H

#include "core/arena.h"
#include "slipstick/solver.h"

typedef struct slip_split {
    const slip_problem *p;
    int count;           // islands
    int *start, *order;  // blocks of each, ascending
    int *local;          // of each block: its island, then its place in it
    int blocks, entries; // of the largest
    slip_problem one;    // the island that was taken last, in the arrays below
    int *row_start, *column;
    double *values, *q, *mu, *lower, *upper, *z, *w;
} slip_split;

/// Whether it makes sense to look: stored in blocks of the law's side, and not small.
bool slip_split_worth(const slip_problem *p);

/// Takes the memory to look for islands, and looks; with an arena that only counts it does not look.
void slip_split_find(slip_arena *a, slip_split *s, const slip_problem *p);

/// Takes the memory for one island at a time, after slip_split_find().
void slip_split_layout(slip_arena *a, slip_split *s);

/// Copies island k: s->one, and s->z from z.
void slip_split_take(slip_split *s, int k, const double *z);

/// Puts s->z of island k back.
void slip_split_give(const slip_split *s, int k, double *z);

#endif
