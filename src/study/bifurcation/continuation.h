/// study/bifurcation/continuation.h: a branch of periodic motions on its way along a parameter.
#ifndef SLIP_STUDY_BIFURCATION_CONTINUATION_H
#define SLIP_STUDY_BIFURCATION_CONTINUATION_H

#include "study/bifurcation/shooting.h"

/// Functions that pass zero at special points.
typedef struct slip_branch_tests {
    double fold, doubling, torus, crossing;
    bool complex; ///< torus means something
    int outside;  ///< multipliers outside the unit circle; -1 where one is too near to it to tell
    double gap, strike, turn, rest, slide, hold; ///< become zero at borders
} slip_branch_tests;

enum { SLIP_BRANCH_HISTORY = 24 };

/// The last points of a walk, the newest first; the first point of all stands for those before it.
typedef struct slip_branch_history {
    slip_branch_tests tests[SLIP_BRANCH_HISTORY];
    double value[SLIP_BRANCH_HISTORY];
} slip_branch_history;

/// Where a further branch begins.
typedef struct slip_branch_seed {
    double *z, *tangent;
    double phase;
    int periods;
    bool beside;  ///< z is where it branches off, and belongs to another branch
    bool doubled; ///< of twice the period of that
    char origin[200];
} slip_branch_seed;

/// Unknowns z are the states of the point, the period where it is not known, and the parameter, each measured
/// in a size of its own.
typedef struct slip_continuation {
    const slip_model *model;
    const slip_cycle_def *def;
    slip_cycle_def own; ///< with the parameter among the derivatives, and the period of this branch
    char name[80], period[240];
    double from, to; ///< of the parameter
    int n, size;     ///< states; unknowns
    bool forced;
    bool doubled;            ///< doublings lead to further branches
    int periods;             ///< of the forcing, or of the first orbit
    double phase;            ///< of the point in the period
    slip_branch_kind wanted; ///< the walk ends where this is found; PLAIN: it goes on
    const bool *fixed, *shifts;
    double *scale;             ///< per unknown
    double *z, *tangent;       ///< the last point
    double *trial, *direction; ///< another one
    double *secant;            ///< through two others, at a crossing
    double *b, *dz;
    slip_lu_complete system;

    slip_model *timed;      ///< the model with the period of a forced motion as its end; NULL: not made yet
    char timed_period[256]; ///< that period
    slip_sim *spare;        ///< of the last orbit, which the next one is made with; NULL: none

    // the orbit that was looked at last
    slip_model *varied;
    slip_flow_map *shot;
    slip_shooting *shooting;

    slip_cycle_branch *branch;    ///< the one in hand
    const slip_cycle_branch *all; ///< and those before it, from the first on
    bool joins;                   ///< it has come to where it crosses one of those
    bool vanishes;                ///< it has come to where its orbit is a point
    size_t capacity;
    slip_branch_seed *seeds;
    size_t seed_count, seed_capacity;
    char refusal[160]; ///< why the model does not take the last value of the parameter; "": it does
    bool failed;       ///< out of memory
    void *memory;
} slip_continuation;

// ---- branch.c: the walk

bool slip_continuation_allocate(
    slip_continuation *f); ///< for as many unknowns as `size`; false when there is none
void slip_continuation_free(slip_continuation *f); ///< all but the branches

/// A new branch in hand, without points; NULL when out of memory.
slip_cycle_branch *slip_continuation_add_branch(slip_continuation *f, const char *origin);

void slip_continuation_accept(slip_continuation *f); ///< trial and direction become the last point

/// From f->z along f->tangent, where `first` is the orbit.
void slip_continuation_run(slip_continuation *f, int max_points, const slip_cycle *first,
                           const slip_cycle_branch *all);

// ---- spot.c: one orbit

void slip_continuation_drop_orbit(slip_continuation *f);

/// The period of this branch as a formula: the given one, `periods` times.
void slip_continuation_set_periods(slip_continuation *f, int periods);

/// The motion over a period from the unknowns z. False when there is none, or none with derivatives.
bool slip_continuation_evaluate(slip_continuation *f, const double *z);

/// The tangent of the branch where it was looked last, of unit length, in the sense of `like`.
void slip_continuation_tangent(slip_continuation *f, const double *like, double *tangent);

/// Newton's method from f->trial on, in which `row` of the unknowns keeps its value. True when it is on a
/// branch.
bool slip_continuation_newton(slip_continuation *f, const double *row);

/// The determinant of that system with the tangent as `row`, where it was looked last: it passes zero where
/// another branch crosses, and not at folds (Keller 1977).
double slip_continuation_branch_test(slip_continuation *f, const double *tangent);

/// The same from z + ds tangent, across the tangent. False too when it ends elsewhere than nearby.
bool slip_continuation_correct(slip_continuation *f, double ds);

/// The orbit that was looked at last; NULL when it cannot be described.
slip_cycle *slip_continuation_describe(slip_continuation *f);

// ---- special.c: special points

slip_branch_tests slip_continuation_test_functions(slip_continuation *f, const slip_cycle *c,
                                                   const double *tangent);

/// Passes zero where a real multiplier passes -1.
double slip_period_doubling_test(const slip_cycle *c);

/// How many multipliers may pass the unit circle at what the tests show between two points.
int slip_unit_circle_crossings(const slip_branch_tests *a, const slip_branch_tests *b);

bool slip_continuation_add_point(slip_continuation *f, double value, slip_branch_kind kind,
                                 slip_cycle *cycle);

/// Adds what is special between the last point and one ds further on. True when it looked elsewhere for it.
bool slip_continuation_locate_special(slip_continuation *f, double ds, const slip_branch_tests *a,
                                      const slip_branch_tests *b);

/// Adds the end of the branch: where something becomes zero that became less and less at the last points.
/// Returns the value of the parameter there, NaN when nothing does.
double slip_continuation_end_value(slip_continuation *f, const slip_branch_history *past);

// ---- crossing.c: where another branch crosses

/// The orbit between the last point and one ds further on, where the determinant was `before` and is
/// `behind`; the parameter there. NULL when there is none.
slip_cycle *slip_continuation_branch_point(slip_continuation *f, double ds, double before, double behind,
                                           double *value);

// ---- onward.c: further branches

/// The same up to where the list begins.
bool slip_same_event_sequence(const char *a, const char *b);

/// A seed from f->trial and a tangent; NULL when out of memory.
slip_branch_seed *slip_continuation_add_seed(slip_continuation *f, const double *tangent, int periods);

/// A branch of the doubled period, from a doubling in f->trial with the orbit that was looked at last.
void slip_continuation_switch_doubled(slip_continuation *f, double value);

/// Both ways along a branch that crosses in f->trial, where f->direction is the tangent of the one in hand.
void slip_continuation_switch_branch(slip_continuation *f, double value);

// ---- behind.c: what is behind a border

/// What is behind a border at `value`, from the last point on.
void slip_continuation_search_grazing(slip_continuation *f, double value, const char *signature,
                                      const slip_cycle_branch *all);

#endif
