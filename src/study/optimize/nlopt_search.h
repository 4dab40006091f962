/// study/optimize/nlopt_search.h: one search by a method of NLopt.
#ifndef SLIP_STUDY_OPTIMIZE_NLOPT_SEARCH_H
#define SLIP_STUDY_OPTIMIZE_NLOPT_SEARCH_H

#include <nlopt.h>

#include "study/optimize/objective_values.h"

typedef struct slip_optimize_method_record {
    slip_part_info info;
    nlopt_algorithm algorithm;
    bool gradient, constraints, equalities, bounded, draws;
} slip_optimize_method_record;

/// The method of that name, NULL when there is none; and the method that is chosen when none is named.
const slip_optimize_method_record *slip_optimize_method_named(const char *name);
const slip_optimize_method_record *slip_optimize_method_for(const slip_objective *goal);

/// A point that was tried, with its values.
typedef struct slip_candidate {
    double x[SLIP_OPTIMIZE_MAX_FREE];
    double value[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS];
    double excess; ///< by how much the constraints are violated
    bool known;
} slip_candidate;

/// Sets `known` and `excess` from the values.
void slip_candidate_judge(slip_candidate *candidate, const slip_objective *goal);

/// Whether `a` is better than `b`: less excess beyond `tolerance` first, then the smaller objective.
bool slip_candidate_is_better(const slip_candidate *a, const slip_candidate *b, double tolerance);

typedef struct slip_nlopt_search {
    const slip_optimize_def *def;
    const slip_optimize_method_record *method;
    slip_objective_values trial;
    double start[SLIP_OPTIMIZE_MAX_FREE], scale[SLIP_OPTIMIZE_MAX_FREE];
    slip_candidate best;
    slip_optimize_outcome outcome;
    /// After every run; may be NULL.
    void (*progress)(void *context, const struct slip_nlopt_search *search);
    void *context;

    // inside a search
    nlopt_opt optimizer;
    slip_candidate last;
    double last_gradient[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS][SLIP_OPTIMIZE_MAX_FREE];
    bool has_gradient;
    double worst; ///< largest objective so far, used for runs without a value
    bool no_memory;
} slip_nlopt_search;

/// From `start`, with `scale` as the size of a change. Global methods are followed by a local one.
slip_status slip_nlopt_search_run(slip_nlopt_search *search, slip_error *error);

/// Derivatives of the objective at a point, true when they are exact; else they are central differences, NaN
/// where a run failed.
bool slip_nlopt_search_gradient(slip_nlopt_search *search, const double *x, double *gradient);

#endif
