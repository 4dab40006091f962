/// solver.h: solvers for the problems of problem.h, one interface, one judge.
///
///     const slip_solver *solver = slip_solver_find("auto");
///     slip_solve_options options = slip_default_solve_options();
///     size_t bytes = slip_solve_work_size(solver, &problem, &options);   // measure once
///     void *work = aligned_alloc(64, bytes);                             // take once
///     slip_solve_info info;
///     slip_outcome outcome = slip_solve(solver, &problem, &options, z, w, work, &info);
///
/// slip_solve() allocates nothing, keeps no state and gives the same bits every time. Work measured
/// for a dense LCP or contact problem also serves every smaller one, so a time stepper measures for
/// its largest number of contacts and goes on.
///
/// `converged` is decided in one place, after the solver has returned: w = W z + q and the residual
/// are computed again from the data; the residual and slip_rounding() must both be within the
/// tolerance. A solver's own idea of success never counts.
#ifndef SLIPSTICK_SOLVER_H
#define SLIPSTICK_SOLVER_H

#include "slipstick/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Settings. Common ones first: field, default, low, high, meaning.
#define SLIP_COMMON_OPTIONS(X)                                                                               \
    X(tolerance, 1e-8, 0.0, 1.0, "residual below which an answer is accepted")                               \
    X(max_iterations, 0.0, 0.0, 1e9, "0: as many as the solver thinks reasonable")                           \
    X(warm_start, 0.0, 0.0, 1.0, "1: z holds a guess on entry")

#define SLIP_LEMKE_OPTIONS(X)                                                                                \
    X(pivot, 1e-9, 0.0, 1e-3, "entries below this part of their column are zero")                            \
    X(refine, 1.0, 0.0, 1.0, "1: solve the final basis again to regain digits")

#define SLIP_ENUM_OPTIONS(X)                                                                                 \
    X(accept, 1e-9, 0.0, 1e-3, "sign violation, relative, that a mode may have")                             \
    X(apart, 1e-7, 0.0, 1.0, "solutions nearer than this, relative, count as one")

#define SLIP_PGS_OPTIONS(X)                                                                                  \
    X(relaxation, 1.0, 1e-3, 1.999, "1 is plain Gauss-Seidel")                                               \
    X(check_every, 10.0, 1.0, 1e6, "most sweeps between residual checks")

#define SLIP_ALA_OPTIONS(X)                                                                                  \
    X(r, 0.0, 0.0, 1e300, "augmentation parameter; 0: chosen and adapted by itself")                         \
    X(shrink, 0.67, 0.1, 0.99, "r is multiplied by this when a step moves too far")

#define SLIP_NSGS_OPTIONS(X)                                                                                 \
    X(relaxation, 1.0, 1e-3, 1.999, "1 is plain block Gauss-Seidel")                                         \
    X(give_up, 0.0, 0.0, 1.0, "stop when sweeps to go exceed this part of the limit; 0: never")

#define SLIP_NEWTON_OPTIONS(X)                                                                               \
    X(proximal, 1e-3, 0.0, 1e3, "first proximal weight, relative to diag W; adapted")                        \
    X(least, 1e-10, 0.0, 1.0, "smallest proximal weight")                                                    \
    X(inner, 25.0, 1.0, 1e4, "Newton steps per proximal step")                                               \
    X(rho, 0.0, 0.0, 1e6, "augmentation relative to 1/diag W; 0: 10 in space, 1 in the plane, 100 for boxes")

#define SLIP_APG_OPTIONS(X)                                                                                  \
    X(restart, 1.0, 0.0, 1.0, "1: momentum restarts when it points uphill")                                  \
    X(inner, 50.0, 1.0, 1e6, "steps between updates of the slip term mu |u_T|")

#define SLIP_QP_OPTIONS(X) X(min_norm, 1.0, 0.0, 1.0, "1: among the minimisers the one of least norm")

#define SLIP_AUTO_OPTIONS(X)                                                                                 \
    X(sweeps, 60.0, 0.0, 1e6, "Gauss-Seidel sweeps before something stronger is tried")                      \
    X(effort, 1.0, 0.01, 1e3, "scales the iteration limits of every stage")

/// Every solver with options: its word in `solver.key=value` and its table.
#define SLIP_OPTION_GROUPS(G)                                                                                \
    G(lemke, SLIP_LEMKE_OPTIONS)                                                                             \
    G(enumerate, SLIP_ENUM_OPTIONS)                                                                          \
    G(pgs, SLIP_PGS_OPTIONS)                                                                                 \
    G(ala, SLIP_ALA_OPTIONS)                                                                                 \
    G(nsgs, SLIP_NSGS_OPTIONS)                                                                               \
    G(newton, SLIP_NEWTON_OPTIONS)                                                                           \
    G(apg, SLIP_APG_OPTIONS)                                                                                 \
    G(qp, SLIP_QP_OPTIONS)                                                                                   \
    G(automatic, SLIP_AUTO_OPTIONS)

#define SLIP_OPTION_AS_FIELD(field, value, low, high, text) double field;
#define SLIP_OPTION_GROUP_AS_STRUCT(group, TABLE)                                                            \
    struct {                                                                                                 \
        TABLE(SLIP_OPTION_AS_FIELD)                                                                          \
    } group;

/// All settings of all solvers; start from slip_default_solve_options() and change what you mean to.
typedef struct slip_solve_options {
    SLIP_COMMON_OPTIONS(SLIP_OPTION_AS_FIELD)
    SLIP_OPTION_GROUPS(SLIP_OPTION_GROUP_AS_STRUCT)
} slip_solve_options;

slip_solve_options slip_default_solve_options(void);

/// Sets one option from "tolerance=1e-6" or "newton.inner=50"; unknown keys and values out of range
/// are errors that name the nearest key or the range.
slip_status slip_solve_option_set(slip_solve_options *options, const char *key_value, slip_error *error);

/// The option tables as data, for help and reports: index from 0, false past the last.
typedef struct slip_option_entry {
    const char *key; ///< "tolerance", "newton.inner"
    const char *text;
    double value, low, high; ///< default and range
} slip_option_entry;
bool slip_solve_option_entry(int index, slip_option_entry *entry);

typedef enum slip_uniqueness { SLIP_UNIQUENESS_UNKNOWN, SLIP_UNIQUE, SLIP_NOT_UNIQUE } slip_uniqueness;

/// One stage of a solve: `auto` has several, every other solver one.
typedef struct slip_solve_stage {
    const char *solver;
    int iterations;
    slip_outcome outcome;
    double residual;
} slip_solve_stage;

enum { SLIP_MOST_STAGES = 12 };

/// What a solve did.
typedef struct slip_solve_info {
    int iterations;             ///< pivots, sweeps, Newton steps: the solver's own unit; sum over stages
    double residual;            ///< slip_residuals.invariant of the answer
    double residual_standard;   ///< slip_residuals.standard of the answer
    double rounding;            ///< slip_rounding of the answer
    slip_uniqueness uniqueness; ///< what was noticed on the way, at no extra cost
    int solutions;              ///< `enum`: number of solutions found; -1 when not counted
    int stage_count;            ///< the path taken
    slip_solve_stage stages[SLIP_MOST_STAGES];
} slip_solve_info;

/// A method, as a const struct; src/solver/table.c lists them all.
typedef struct slip_solver {
    const char *name;      ///< "lemke": on the command line, in model files, in reports
    const char *summary;   ///< one line for `slipstick list solvers`
    const char *accepts;   ///< the kinds in words: "LCP, MLCP, RELAY"
    const char *reference; ///< where the method is from; "" when nowhere in particular
    unsigned kinds;        ///< bit (1u << slip_kind) for each kind it takes
    unsigned forms;        ///< bit (1u << slip_matrix_form) for each storage it takes
    int max_size;          ///< most unknowns, 0 for no limit
    int quick;             ///< contacts up to which it is quick: a stand-in is asked for no more; 0 for any
    bool judges;           ///< `run` itself ends with slip_solve()'s verdict on the z and w it returns

    /// Bytes of work for this problem; 0 when it cannot be measured (out of memory, too large).
    size_t (*work_size)(const slip_problem *p, const slip_solve_options *o);

    /// Improves z. The outcome is the solver's own opinion; slip_solve() has the last word.
    slip_outcome (*run)(const slip_problem *p, const slip_solve_options *o, double *z, double *w, void *work,
                        slip_solve_info *info);
} slip_solver;

int slip_solver_count(void);
const slip_solver *slip_solver_get(int index);
const slip_solver *slip_solver_find(const char *name); ///< NULL when there is none

/// Whether `solver` takes a problem of this kind, storage and size. Global kinds: condense first.
bool slip_solver_accepts(const slip_solver *solver, const slip_problem *p);

/// Bytes of 64-byte aligned work that slip_solve() needs; 0 when the solver does not take the
/// problem or its size cannot be measured.
size_t slip_solve_work_size(const slip_solver *solver, const slip_problem *p,
                            const slip_solve_options *options);

/// Solves p. z has p->size numbers (a guess on entry with warm_start), w receives W z + q; `info` may
/// be NULL. z and w are always finite on return.
slip_outcome slip_solve(const slip_solver *solver, const slip_problem *p, const slip_solve_options *options,
                        double *z, double *w, void *work, slip_solve_info *info);

/// All solutions of a small problem, one after another in `solutions` (room for `most` times p->size
/// numbers), with enumerate.* options. Returns how many there are, which may exceed `most`; -1 when
/// the kind or size is not for enumeration. Modes whose solutions form a continuum contribute one
/// point and set *continuum. Kinds LCP, MLCP, RELAY, FC2D; work as measured for solver "enum".
int slip_solutions(const slip_problem *p, const slip_solve_options *options, double *solutions, int most,
                   bool *continuum, void *work);

#ifdef __cplusplus
}
#endif
#endif
