/// solver/body/second_solution.h: a search for a second solution of a body contact problem.
///
/// Where no certificate (uniqueness_certificate.h) shows that the velocities are the only ones, the problem is
/// solved again from initial impulses that are far from those of the known solution, each kind chosen to lead
/// to another one if there is one:
///     opened    no impulses: what falls as long as nothing braces it
///     braced    normal impulses ten times the largest: what a preload can hold
///     stuck     the solution with ten times the friction, reached from there: what holds once it holds
///     smooth    the solution without friction: what slides as long as it slides
///     pushed    those of the solution plus random ones within the cones: sweeps take away what moves bodies, and
///               leave what is self-equilibrated, so the loads end somewhere else in their null space
///     random    random ones within the cones, much larger than those of the solution
/// After one of each kind they are repeated with random loads of their size.
/// Sweeps of Gauss-Seidel follow, forwards and backwards in turn, since they stay near their start; Newton's
/// method ends what they have not finished. Few contacts are left to the sweeps: pivoting would find the same
/// solution from every start.
///
/// A search that finds nothing proves nothing: its result is how many starts ended in a solution. Where friction couples
/// slip and approach of a contact so strongly that it can have two motions all alone (Painleve's paradox,
/// mu |W_NT| >= W_NN), the step of a sweep takes one of them whatever the start, and nothing is searched.
#ifndef SLIP_SOLVER_BODY_SECOND_SOLUTION_H
#define SLIP_SOLVER_BODY_SECOND_SOLUTION_H

#include <stdbool.h>

#include "solver/body/body_solver.h"

typedef struct slip_solution_search slip_solution_search;

slip_solution_search *slip_solution_search_create(void); ///< NULL when out of memory
void slip_solution_search_destroy(slip_solution_search *search);

/// Kinds of starts: as many in a row are one of each.
enum { SLIP_SEARCH_START_KINDS = 6 };

/// A solution, and what to compare others with.
typedef struct slip_solution_search_case {
    const slip_body_problem *problem;
    const double *r, *u; ///< the known solution
    const bool *known;   ///< per contact: its normal impulse is not an unknown. NULL: all are unknowns
    const bool *doubted; ///< per body: islands that are searched
    double load;         ///< N s: the scale of impulses where the solution has none
    double distinct;     ///< m/s: velocities that differ by more are another motion
    const slip_solve_options *options; ///< of the known solution
    void *work;                        ///< of slip_body_problem_solve
    int first_start, starts;           ///< starts by their numbers; they differ from 0 on
    double limit;                      ///< visits of contacts after which no further start is tried
} slip_solution_search_case;

typedef struct slip_solution_search_result {
    bool found;             ///< there is a second solution,
    int contact, direction; ///< which differs most in this velocity of this contact:
    double velocity[2];     ///< m/s, in the known solution and in the second one
    int paradox;     ///< a contact that can have two motions alone, so that nothing was searched; -1: none
    int starts;      ///< that were tried,
    int ended;       ///< that ended in a solution
    double visits;   ///< of contacts: what the search cost
    const double *r; ///< impulses of the second solution; valid until the next search
} slip_solution_search_result;

/// False when out of memory.
bool slip_solution_search_run(slip_solution_search *search, const slip_solution_search_case *now,
                              slip_solution_search_result *result);

#endif
