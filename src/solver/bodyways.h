/// solver/bodyways.h: what a thread has to solve islands, and how it solves one.
#ifndef SLIP_SOLVER_BODYWAYS_H
#define SLIP_SOLVER_BODYWAYS_H

#include "solver/anderson.h"
#include "solver/bodygroups.h"
#include "solver/bodyinner.h"
#include "solver/bodynewton.h"
#include "solver/bodysweep.h"

/// What iterations are counted of.
enum { SLIP_BY_SWEEPS, SLIP_BY_NEWTON, SLIP_BY_AUTO, SLIP_BY_INNER, SLIP_BODY_KINDS };

/// What a thread has for the island in hand, in cache lines that no other thread writes to.
typedef struct slip_body_work {
    _Alignas(64) slip_body_newton newton;
    slip_body_inner inner;
    slip_body_groups groups;
    slip_anderson anderson;
    slip_waves waves; // and these, beside the acceleration
    double *next;
    double *keep, *first;
    double *dense, *dense_w; // a few contacts
    void *few;
    const slip_solve_options *options;
    int iterations[SLIP_BODY_KINDS];
    int left;           // sweeps that an island may still take; a Newton step counts as what it costs
    double step_cost;   // of a Newton step, in sweeps
    bool large;         // the factor is most of it
    slip_outcome worst; // of the islands that fell short, the last one's
    int worst_island;
    void *memory;
} slip_body_work;

/// Takes its memory for an island of few contacts, or for one of a given size: what it is solved by does not
/// depend on the others.
void slip_body_work_layout_few(slip_arena *a, slip_body_work *k, int d);
void slip_body_work_layout_many(slip_arena *a, slip_body_work *k, int d, int side, slip_bodies_island island,
                                bool groups);

/// Solves an island from the guess in its r, where the answer stays, as good as it is.
void slip_body_work_solve(slip_body_work *k, slip_island *island);

#endif
