/// solver.h: solvers for the problems of problem.h, one interface, one judge.
///
///     const slip_solver *solver = slip_solver_find("auto");
///     slip_solve_options options = slip_default_solve_options();
///     size_t bytes;
///     slip_solve_work_size(solver, &problem, &options, &bytes);          // measure once
///     void *work = aligned_alloc(64, bytes);                             // take once
///     slip_solve_info info;
///     slip_outcome outcome = slip_solve(solver, &problem, &options, z, w, work, &info);
///
/// slip_solve() allocates nothing, keeps no state and gives the same bits every time. Work measured
/// for a dense LCP or contact problem also serves every smaller one, so a time stepper measures for
/// its largest number of contacts and goes on.
///
/// `converged` is decided in one place, after the solver has returned: w = W z + q and the residual
/// are computed again from the data; the residual and its rounding must both be within the tolerance. A
/// solver's own idea of success never counts.
#ifndef SLIPSTICK_SOLVER_H
#define SLIPSTICK_SOLVER_H

#include "slipstick/parts.h"
#include "slipstick/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SLIP_MAX_SOLVER_OPTIONS = 32 };

/// Settings of all solvers; start from slip_default_solve_options() and change what you mean to.
typedef struct slip_solve_options {
    double tolerance;      ///< residual below which an answer is accepted (1e-8)
    double max_iterations; ///< 0: as many as the solver thinks reasonable (0)
    double warm_start;     ///< 1: z holds a guess on entry (0)

    /// What single solvers declare in their records, one after another: by name with slip_solve_option_set()
    /// and slip_solve_option().
    double own[SLIP_MAX_SOLVER_OPTIONS];
} slip_solve_options;

/// The defaults in parentheses above, and those of every solver.
slip_solve_options slip_default_solve_options(void);

/// No option given: all NaN. slip_sim_def takes such options; those that are given replace what a formulation
/// sets by itself.
slip_solve_options slip_no_solve_options(void);

/// Takes over what is given, that is, not NaN; NULL gives nothing.
void slip_solve_options_take(slip_solve_options *options, const slip_solve_options *given);

/// Sets one option from "tolerance=1e-6" or "newton.inner=50"; unknown keys and values out of range
/// are errors that name the nearest key or the range.
slip_status slip_solve_option_set(slip_solve_options *options, const char *key_value, slip_error *error);

/// The value of one option, "tolerance" or "newton.inner"; NaN when there is no such option.
double slip_solve_option(const slip_solve_options *options, const char *key);

/// All options as data, for help and reports: index from 0, false past the last.
typedef struct slip_option_entry {
    char key[64]; ///< "tolerance", "newton.inner"
    slip_option option;
} slip_option_entry;

/// Option number `index`; false past the last.
bool slip_solve_option_entry(int index, slip_option_entry *entry);

typedef enum slip_uniqueness { SLIP_UNIQUENESS_UNKNOWN, SLIP_UNIQUE, SLIP_NOT_UNIQUE } slip_uniqueness;

/// One stage of a solve: `auto` has several, every other solver one.
typedef struct slip_solve_stage {
    const char *solver;
    int iterations;
    slip_outcome outcome;
    double residual;
} slip_solve_stage;

enum { SLIP_MAX_STAGES = 16 };

/// What a solve did.
typedef struct slip_solve_info {
    int iterations;             ///< pivots, sweeps, Newton steps: the solver's own unit; sum over stages
    double residual;            ///< slip_residuals.invariant of the answer
    double residual_standard;   ///< slip_residuals.standard of the answer
    double rounding;            ///< slip_residuals.rounding of the answer
    slip_uniqueness uniqueness; ///< what was noticed on the way, at no extra cost
    int solutions;              ///< `enum`: number of solutions found; -1 when not counted
    int stage_count;            ///< the path taken
    slip_solve_stage stages[SLIP_MAX_STAGES];
} slip_solve_info;

/// A method, as a const struct; src/registry/solvers.def lists them all.
typedef struct slip_solver {
    const char *name;      ///< "lemke": on the command line, in model files, in reports
    const char *summary;   ///< one line for `slipstick list solvers`
    const char *accepts;   ///< the kinds in words: "LCP, MLCP, RELAY"
    const char *reference; ///< where the method is from; "" when nowhere in particular
    unsigned kinds;        ///< bit (1u << slip_kind) for each kind it takes
    unsigned forms;        ///< bit (1u << slip_matrix_form) for each storage it takes
    int max_size;          ///< most unknowns, 0 for no limit
    int fast_up_to;    ///< contacts up to which it is fast: as a fallback it is asked for no more; 0 for any
    int fallback_rank; ///< order in which it answers where another one fell short; 0: it is not asked
    bool chooses;      ///< it asks others: who has a solver that suits takes that one instead
    bool judges;       ///< `run` itself ends with slip_solve()'s verdict on the z and w it returns

    const slip_option *options; ///< its own, option_count of them, as "newton.inner" in slip_solve_options
    int option_count;

    /// Bytes that `run` may touch; as slip_solve_work_size().
    slip_status (*work_size)(const slip_problem *p, const slip_solve_options *o, size_t *bytes);

    /// Improves z. The outcome is the solver's own opinion; slip_solve() has the last word.
    slip_outcome (*run)(const slip_problem *p, const slip_solve_options *o, double *z, double *w, void *work,
                        slip_solve_info *info);
} slip_solver;

int slip_solver_count(void);                           ///< number of solvers
const slip_solver *slip_solver_get(int index);         ///< solver number `index`; NULL past the end
const slip_solver *slip_solver_find(const char *name); ///< NULL when there is none

/// Whether `solver` takes a problem of this kind, storage and size. Global kinds: condense first.
bool slip_solver_accepts(const slip_solver *solver, const slip_problem *p);

/// Bytes of 64-byte aligned work that slip_solve() needs, 64 or more. SLIP_UNSUPPORTED when the solver does
/// not take the problem, SLIP_NO_MEMORY when there is none for measuring; nothing can be solved then. A
/// solver may find out only while solving that a problem is too large for it: the outcome is then `unsuited`.
slip_status slip_solve_work_size(const slip_solver *solver, const slip_problem *p,
                                 const slip_solve_options *options, size_t *bytes);

/// Solves p. z has p->size numbers (a guess on entry with warm_start), w receives W z + q; `info` may
/// be NULL. z and w are always finite on return.
slip_outcome slip_solve(const slip_solver *solver, const slip_problem *p, const slip_solve_options *options,
                        double *z, double *w, void *work, slip_solve_info *info);

/// What one solver made of a problem.
typedef struct slip_solve_result {
    const slip_solver *solver;
    slip_outcome outcome;
    slip_solve_info info;
    double seconds; ///< of wall clock
    double *z, *w;  ///< p->size numbers each
} slip_solve_result;

/// Solves p in memory of its own and takes the time; outcome `unsuited` where the solver does not take it. To
/// be released with slip_solve_result_free() in any case; SLIP_NO_MEMORY is the one thing that can go wrong.
slip_status slip_solve_timed(const slip_problem *p, const slip_solver *solver,
                             const slip_solve_options *options, slip_solve_result *answer);
void slip_solve_result_free(slip_solve_result *answer); ///< its vectors

/// A problem and answers to it as one JSON object (docs/json.md); `file` is where it was read from. To be
/// released with free(); NULL when out of memory.
char *slip_solve_results_json(const slip_problem *p, const char *file, const slip_solve_result *answers,
                              int count);
const char *slip_uniqueness_name(slip_uniqueness uniqueness); ///< "unique"; never NULL
long slip_problem_nonzeros(const slip_problem *p);            ///< stored entries of W

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
