/// solver/body/island_strategy.h: what a thread has to solve islands, and how it solves one.
#ifndef SLIP_SOLVER_BODY_ISLAND_STRATEGY_H
#define SLIP_SOLVER_BODY_ISLAND_STRATEGY_H

#include "solver/friction/anderson.h"
#include "solver/body/body_contact_groups.h"
#include "solver/body/body_interior_point.h"
#include "solver/body/body_newton.h"
#include "solver/body/body_gauss_seidel.h"

/// What iterations are counted of.
enum {
    SLIP_ISLAND_BY_SWEEPS,
    SLIP_ISLAND_BY_NEWTON,
    SLIP_ISLAND_BY_PIVOTING,
    SLIP_ISLAND_BY_INTERIOR_POINT,
    SLIP_ISLAND_METHOD_COUNT
};

/// What a thread has for the island in hand, in cache lines that no other thread writes to.
typedef struct slip_island_solver {
    _Alignas(64) slip_body_newton newton;
    slip_body_interior_point inner;
    slip_contact_groups groups;
    slip_anderson anderson;
    slip_contact_levels waves; // and these, beside the acceleration
    double *next;
    double *keep, *first;
    double *dense, *dense_w; // a few contacts
    void *few;
    const slip_solve_options *options;
    int iterations[SLIP_ISLAND_METHOD_COUNT];
    int left;           // sweeps that an island may still take; a Newton step counts as what it costs
    double step_cost;   // of a Newton step, in sweeps
    bool large;         // the factor is most of it
    slip_outcome worst; // of the islands that fell short, the last one's
    int worst_island;
    void *memory;
} slip_island_solver;

/// Takes its memory for an island of few contacts, or for one of a given size: what it is solved by does not
/// depend on the others.
void slip_island_solver_layout_dense(slip_arena *a, slip_island_solver *k, int d);
void slip_island_solver_layout_large(slip_arena *a, slip_island_solver *k, int d, int side,
                                     slip_island_size island, bool groups);

/// Solves an island from the guess in its r, where the answer stays, as good as it is.
void slip_island_solver_solve(slip_island_solver *k, slip_island *island);

#endif
