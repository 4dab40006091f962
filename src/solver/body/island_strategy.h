/// solver/body/island_strategy.h: the workspace of one thread for solving islands, and the strategy that solves one.
#ifndef SLIP_SOLVER_BODY_ISLAND_STRATEGY_H
#define SLIP_SOLVER_BODY_ISLAND_STRATEGY_H

#include "solver/friction/anderson.h"
#include "solver/body/body_contact_groups.h"
#include "solver/body/body_interior_point.h"
#include "solver/body/body_newton.h"
#include "solver/body/body_gauss_seidel.h"

/// Methods whose iterations are counted.
enum {
    SLIP_ISLAND_BY_SWEEPS,
    SLIP_ISLAND_BY_NEWTON,
    SLIP_ISLAND_BY_PIVOTING,
    SLIP_ISLAND_BY_INTERIOR_POINT,
    SLIP_ISLAND_METHOD_COUNT
};

/// The workspace of a thread, in cache lines that no other thread writes to.
typedef struct slip_island_solver {
    _Alignas(64) slip_body_newton newton;
    slip_body_interior_point inner;
    slip_contact_groups groups;
    slip_anderson anderson;
    slip_contact_levels waves; // for the sweeps, beside the acceleration
    double *next;
    double *keep, *first;
    double *dense, *dense_w; // for a few contacts
    void *few;
    const slip_solve_options *options;
    int iterations[SLIP_ISLAND_METHOD_COUNT];
    int left;           // sweeps that the island may still take; a Newton step counts with its cost in sweeps
    double step_cost;   // of a Newton step, in sweeps
    bool large;         // the factorisation dominates that cost
    slip_outcome worst; // outcome of the last island that did not converge
    int worst_island;
    void *memory;
} slip_island_solver;

/// Lays out the memory for an island of few contacts, or for one of a given size. The method of an island
/// does not depend on the other islands. The dense solver takes what follows the former: so many bytes, which
/// are asked for when the workspace is measured and never in a step, since measuring costs more than solving.
void slip_island_solver_layout_dense(slip_arena *a, slip_island_solver *k, int d);
size_t slip_island_solver_dense_size(int d);
void slip_island_solver_layout_large(slip_arena *a, slip_island_solver *k, int d, int side,
                                     slip_island_size island, bool groups);

/// Solves an island from the guess in its r, and leaves the best result there.
void slip_island_solver_solve(slip_island_solver *k, slip_island *island);

#endif
