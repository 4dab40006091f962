/// solver/problem/solver_record.h: declarations that the solvers share with the table and with each other.
#ifndef SLIP_SOLVER_PROBLEM_SOLVER_RECORD_H
#define SLIP_SOLVER_PROBLEM_SOLVER_RECORD_H

#include "base/arena.h"
#include "registry/option.h"
#include "solver/problem/solver_options.h"

#define PART(symbol, name) extern const slip_solver slip_solver_##symbol;
#include "registry/solvers.def"
#undef PART

#define SLIP_BIT(x)        (1u << (x))
#define SLIP_BOX_KINDS     (SLIP_BIT(SLIP_KIND_LCP) | SLIP_BIT(SLIP_KIND_MLCP) | SLIP_BIT(SLIP_KIND_RELAY))
#define SLIP_CONTACT_KINDS (SLIP_BIT(SLIP_KIND_FC2D) | SLIP_BIT(SLIP_KIND_FC3D))

/// The problem kinds that a solver accepts, as bits and in words.
#define SLIP_ACCEPTS_LCP_PLANAR                                                                              \
    .kinds = SLIP_BIT(SLIP_KIND_LCP) | SLIP_BIT(SLIP_KIND_FC2D), .accepts = "LCP, FC2D"
#define SLIP_ACCEPTS_CONTACTS .kinds = SLIP_CONTACT_KINDS, .accepts = "FC2D, FC3D"
#define SLIP_ACCEPTS_BOXES_CONTACTS                                                                          \
    .kinds = SLIP_BOX_KINDS | SLIP_CONTACT_KINDS, .accepts = "LCP, MLCP, RELAY, FC2D, FC3D"
#define SLIP_ACCEPTS_BOXES_PLANAR                                                                            \
    .kinds = SLIP_BOX_KINDS | SLIP_BIT(SLIP_KIND_FC2D), .accepts = "LCP, MLCP, RELAY, FC2D"
#define SLIP_ACCEPTS_QP .kinds = SLIP_BIT(SLIP_KIND_QP), .accepts = "QP"
#define SLIP_ACCEPTS_ALL                                                                                     \
    .kinds = SLIP_BOX_KINDS | SLIP_CONTACT_KINDS | SLIP_BIT(SLIP_KIND_QP),                                   \
    .accepts = "LCP, MLCP, RELAY, FC2D, FC3D, QP"

/// Storages.
#define SLIP_STORED (SLIP_BIT(SLIP_DENSE) | SLIP_BIT(SLIP_SPARSE))

/// The iteration limit in force: the caller's, or the solver's own.
static inline int slip_solver_iteration_limit(const slip_solve_options *o, int usual)
{
    return o->max_iterations > 0.0 ? (int)o->max_iterations : usual;
}

/// D_i^2 of slip_residual() for a box problem: the factor from the unit of z_i to that of w_i; > 0.
double slip_box_scale(const slip_problem *p, int i);

/// Judges z: writes w, the residuals and the rounding into info, and returns `claim` corrected by the
/// residual.
slip_outcome slip_solution_judge(const slip_problem *p, const slip_solve_options *o, slip_outcome claim,
                                 const double *z, double *w, slip_solve_info *info);

#endif
