/// solver/problem/solver_options.h: options of solvers by number, for code that reads or sets them in every solve.
#ifndef SLIP_SOLVER_PROBLEM_SOLVER_OPTIONS_H
#define SLIP_SOLVER_PROBLEM_SOLVER_OPTIONS_H

#include "slipstick/solver.h"

/// The index of the first option of a solver in slip_solve_options.own; they are in the order of its table.
int slip_solver_first_option(const slip_solver *solver);

/// The options of all solvers.
const slip_option *slip_common_solve_options(int *count);

/// The place of the value of option number `index` (slip_solve_option_entry); NULL past the last.
double *slip_solve_option_at(slip_solve_options *options, int index);

/// The present values of the options of a solver, in the order of its table.
static inline const double *slip_solver_own_options(const slip_solver *solver, const slip_solve_options *o)
{
    return o->own + slip_solver_first_option(solver);
}

/// Options that other code sets, in the tables of their solvers.
enum { SLIP_NEWTON_PROXIMAL, SLIP_NEWTON_LEAST, SLIP_NEWTON_INNER, SLIP_NEWTON_RHO };
enum { SLIP_NSGS_RELAXATION, SLIP_NSGS_GIVE_UP };
enum { SLIP_QP_MIN_NORM };

#endif
