/// optimize/search.h: one search by a method of NLopt.
#ifndef SLIP_OPTIMIZE_SEARCH_H
#define SLIP_OPTIMIZE_SEARCH_H

#include <nlopt.h>

#include "optimize/trial.h"

typedef struct slip_optimize_method_record {
    slip_part_info info;
    nlopt_algorithm algorithm;
    bool gradient, constraints, equalities, bounded, draws;
} slip_optimize_method_record;

/// The method of that name; NULL when there is none. The one to take where none is named.
const slip_optimize_method_record *slip_optimize_method_named(const char *name);
const slip_optimize_method_record *slip_optimize_method_for(const slip_goal *goal);

/// A point that was tried, and what it is worth.
typedef struct slip_tried {
    double x[SLIP_OPTIMIZE_MAX_FREE];
    double value[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS];
    double excess; ///< by how much the constraints are violated
    bool known;
} slip_tried;

/// Whether `a` is better than `b`: less excess beyond `tolerance` first, then the smaller objective.
bool slip_tried_is_better(const slip_tried *a, const slip_tried *b, double tolerance);

typedef struct slip_search {
    const slip_optimize_def *def;
    const slip_optimize_method_record *method;
    slip_trial trial;
    double start[SLIP_OPTIMIZE_MAX_FREE], scale[SLIP_OPTIMIZE_MAX_FREE];
    slip_tried best;
    slip_optimize_outcome outcome;
    /// After every run; may be NULL.
    void (*progress)(void *context, const struct slip_search *search);
    void *context;

    // inside a search
    nlopt_opt optimizer;
    slip_tried last;
    double last_gradient[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS][SLIP_OPTIMIZE_MAX_FREE];
    bool has_gradient;
    double worst; ///< greatest objective seen: what stands for a run that gave none
    bool no_memory;
} slip_search;

/// From `start`, with `scale` as the size of a change. Global methods are followed by a local one.
slip_status slip_search_run(slip_search *search, slip_error *error);

/// Derivatives of the objective at a point, true when they are exact; else they are central differences, NaN
/// where a run failed.
bool slip_search_gradient(slip_search *search, const double *x, double *gradient);

#endif
