/// study/bifurcation/continuation.h: continuation of a branch of periodic orbits along a parameter.
#ifndef SLIP_STUDY_BIFURCATION_CONTINUATION_H
#define SLIP_STUDY_BIFURCATION_CONTINUATION_H

#include "study/bifurcation/shooting.h"

/// Test functions: each changes sign at one kind of special point.
typedef struct slip_branch_tests {
    double fold, doubling, torus, crossing;
    bool complex; ///< there is a complex pair of multipliers, so that `torus` is defined
    int outside; ///< number of multipliers outside the unit circle; -1 where one is too close to it to decide
    double gap, strike, turn, rest, slide, hold; ///< vanish where the event sequence of the orbit changes
} slip_branch_tests;

enum { SLIP_BRANCH_HISTORY = 24 };

/// The last points of a branch, newest first. Before the branch has that many points, the first one fills the
/// rest.
typedef struct slip_branch_history {
    slip_branch_tests tests[SLIP_BRANCH_HISTORY];
    double value[SLIP_BRANCH_HISTORY];
} slip_branch_history;

/// Where a further branch begins.
typedef struct slip_branch_seed {
    double *z, *tangent;
    double phase;
    int periods;
    bool beside;  ///< z is the branch point itself, which belongs to the branch it was found on
    bool doubled; ///< the orbits of the new branch have twice the period
    char origin[200];
} slip_branch_seed;

/// One branch while it is followed. The unknowns z are the states at the section, the period where it is not
/// known, and the parameter, each in units of its own size.
typedef struct slip_continuation {
    const slip_model *model;
    const slip_cycle_def *def;
    slip_cycle_def own; ///< def with derivatives with respect to the parameter, and the period of this branch
    char name[80], period[240];
    double from, to; ///< range of the parameter
    int n, size;     ///< number of states; of unknowns
    bool forced;
    bool doubled; ///< branches are switched at period doublings
    int periods;  ///< periods of the forcing, or of the first orbit, in one period of this branch
    double phase; ///< phase of the section, as a fraction of the period
    slip_branch_kind
        wanted; ///< the branch ends at the first point of this kind; PLAIN: at the end of the range
    const bool *fixed, *shifts;
    double *scale;             ///< size of each unknown
    double *z, *tangent;       ///< the last accepted point and its tangent
    double *trial, *direction; ///< the point being corrected and its tangent
    double *secant;            ///< direction of the branch at a branch point, where it has no unique tangent
    double *b, *dz;
    slip_lu_complete system;

    slip_model *timed;      ///< a forced model whose run ends after one period; NULL: not made yet
    char timed_period[256]; ///< the period for which it was made
    slip_sim *spare;        ///< the simulation of the last orbit, reused for the next; NULL: none

    // the orbit that was evaluated last
    slip_model *varied;
    slip_flow_map *shot;
    slip_shooting *shooting;

    slip_cycle_branch *branch;    ///< the branch being followed
    const slip_cycle_branch *all; ///< the list of all branches so far, from the first one
    bool joins;                   ///< the branch has reached a branch point of one of those, and ends
    bool vanishes;                ///< the orbit has shrunk to an equilibrium, and the branch ends
    size_t capacity;
    slip_branch_seed *seeds;
    size_t seed_count, seed_capacity;
    char refusal[160]; ///< why the model rejects the last value of the parameter; "": it accepts it
    bool failed;       ///< out of memory
    void *memory;
} slip_continuation;

// ---- continuation.c: the continuation itself

bool slip_continuation_allocate(
    slip_continuation *f);                         ///< memory for `size` unknowns; false when out of memory
void slip_continuation_free(slip_continuation *f); ///< frees everything except the branches

/// Begins a new branch without points; NULL when out of memory.
slip_cycle_branch *slip_continuation_add_branch(slip_continuation *f, const char *origin);

void slip_continuation_accept(slip_continuation *f); ///< trial and direction become the last point

/// Follows the branch from f->z along f->tangent; `first` is the orbit at f->z.
void slip_continuation_run(slip_continuation *f, int max_points, const slip_cycle *first,
                           const slip_cycle_branch *all);

// ---- arclength_corrector.c: one orbit

void slip_continuation_drop_orbit(slip_continuation *f);

/// Sets the period of this branch, as a formula: `periods` times the given one.
void slip_continuation_set_periods(slip_continuation *f, int periods);

/// Runs the motion over a period from the unknowns z, with its derivatives. False when it has none.
bool slip_continuation_evaluate(slip_continuation *f, const double *z);

/// The unit tangent of the branch at the orbit evaluated last, oriented like `like`.
void slip_continuation_tangent(slip_continuation *f, const double *like, double *tangent);

/// Newton's method from f->trial, with the product of `row` and the unknowns held constant. True when it
/// converges to an orbit.
bool slip_continuation_newton(slip_continuation *f, const double *row);

/// The determinant of this system at the orbit evaluated last, with the tangent as `row`. It changes sign at
/// branch points, and not at folds (Keller 1977).
double slip_continuation_branch_test(slip_continuation *f, const double *tangent);

/// Pseudo-arclength corrector: Newton's method from z + ds tangent, orthogonal to the tangent. False also
/// when it converges to a distant orbit, which lies on another branch.
bool slip_continuation_correct(slip_continuation *f, double ds);

/// Describes the orbit evaluated last; NULL when it cannot be described.
slip_cycle *slip_continuation_describe(slip_continuation *f);

// ---- bifurcations.c: special points

slip_branch_tests slip_continuation_test_functions(slip_continuation *f, const slip_cycle *c,
                                                   const double *tangent);

/// Changes sign where a real multiplier crosses -1.
double slip_period_doubling_test(const slip_cycle *c);

/// Number of multipliers that cross the unit circle between two points, according to the signs of the tests.
int slip_unit_circle_crossings(const slip_branch_tests *a, const slip_branch_tests *b);

bool slip_continuation_add_point(slip_continuation *f, double value, slip_branch_kind kind,
                                 slip_cycle *cycle);

/// Adds the special points between the last point and the next one, at a distance ds. True when other orbits
/// were evaluated for that, so that the next point has to be evaluated again.
bool slip_continuation_locate_special(slip_continuation *f, double ds, const slip_branch_tests *a,
                                      const slip_branch_tests *b);

/// Adds the end point of the branch, where a quantity vanishes that decreased over the last points; it is
/// extrapolated. Returns the value of the parameter there, NaN when there is no such quantity.
double slip_continuation_end_value(slip_continuation *f, const slip_branch_history *past);

// ---- branch_point.c: where another branch crosses

/// Locates the branch point between the last point, where the determinant is `before`, and the next one at a
/// distance ds, where it is `behind`. The value of the parameter goes to `value`. NULL when there is none.
slip_cycle *slip_continuation_branch_point(slip_continuation *f, double ds, double before, double behind,
                                           double *value);

// ---- branch_switching.c: further branches

/// True if both lists are the same sequence of events around the orbit, wherever the lists begin.
bool slip_same_event_sequence(const char *a, const char *b);

/// Adds a seed at f->trial with the given tangent; NULL when out of memory.
slip_branch_seed *slip_continuation_add_seed(slip_continuation *f, const double *tangent, int periods);

/// Adds a seed for the branch of twice the period, at a period doubling in f->trial that was evaluated last.
void slip_continuation_switch_doubled(slip_continuation *f, double value);

/// Adds two seeds, one for each direction of the branch that crosses at the branch point in f->trial;
/// f->direction is the tangent of the branch being followed.
void slip_continuation_switch_branch(slip_continuation *f, double value);

// ---- grazing_search.c: orbits with other events

/// Searches for an orbit with other events beyond the border at `value`, from the last point, and adds a
/// seed.
void slip_continuation_search_grazing(slip_continuation *f, double value, const char *signature,
                                      const slip_cycle_branch *all);

#endif
