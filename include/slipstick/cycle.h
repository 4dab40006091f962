/// cycle.h: periodic orbits through impacts, sticking and sliding, and their stability.
///
///     slip_cycle_def def = slip_default_cycle_def();
///     def.period = "2*pi/w";                          // forced; NULL: the period is to be found
///     slip_cycle *cycle = NULL;
///     if (slip_cycle_find(model, &def, &error, &cycle) != SLIP_OK) ...
///     if (cycle->found) printf("%g s, stable: %d\n", cycle->period, cycle->stable);
///     else puts(cycle->text);                         // what was tried
///     slip_cycle_destroy(cycle);
///
/// Newton's method on the states at the ends of segments (multiple shooting) with the derivatives of
/// sensitivity.h; unstable orbits too.
#ifndef SLIPSTICK_CYCLE_H
#define SLIPSTICK_CYCLE_H

#include "slipstick/branch.h"
#include "slipstick/sensitivity.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_cycle_def {
    const char *formulation; ///< any but auto (lcp); with differences auto too. lcp and gauss report all
                             ///< events, others only impacts
    bool differences;   ///< derivatives by finite differences: for every formulation and impact law (false)
    const char *period; ///< of a forced motion: a number or a formula of parameters; NULL: not known
    double guess;       ///< s, of a period that is not known (NaN: from the simulated motion)
    const char *start;  ///< "x=1.5, x'=0": a point near the orbit (NULL: the end of a simulated motion)
    const char *drift;  ///< "y, phi": coordinates that may advance from period to period (NULL: none)
    const char *sensitivity;   ///< "c, w": parameters for derivatives of the orbit (NULL: none)
    double settle;             ///< s of simulated motion before the search (NaN: as long as the model runs)
    int segments;              ///< of the period, 1 to 50 (1)
    double relative, absolute; ///< tolerances of the runs (1e-11, 1e-13)
    const volatile sig_atomic_t *stop; ///< nonzero: the search ends without an answer; may be NULL
} slip_cycle_def;

slip_cycle_def slip_default_cycle_def(void); ///< as in parentheses

/// An event of the orbit; t is 0 at its point.
typedef struct slip_cycle_event {
    double t;
    char *element;
    slip_event_kind kind;
    double approach;                              ///< m/s, of impacts; else NaN
    double *before, *after;                       ///< states
    double *time_derivative;                      ///< of t to parameters of the definition, along the orbit
    double *before_derivative, *after_derivative; ///< of the states; states x parameters, row by row
} slip_cycle_event;

typedef struct slip_cycle {
    bool found;          ///< false: only `text` is filled in
    char text[480];      ///< what was tried, and how far it came
    double period;       ///< s
    int period_multiple; ///< of the orbit in it: more than 1 if a multiple of its period was given; found by
                         ///< slip_cycle_find to 1e-6 of its extent
    bool forced;
    int state_count;
    char **state_name;
    double start;         ///< s, the time of the point: 0, except on branches of forced motions
    double *state;        ///< a point of the orbit, at that time
    double *size;         ///< per state: size of the motion
    double *low, *high;   ///< per state: least and greatest value at the ends of steps
    int row_count;        ///< of the motion over a period, at the ends of steps and on both sides of events
    double *rows;         ///< t since the point, then the states, row by row
    double *advance;      ///< per state: its advance over a period; 0 unless it may drift
    double *monodromy;    ///< derivative of the state after a period to the state before, row by row
    int multiplier_count; ///< as many as there are states that move freely
    double *multiplier_re, *multiplier_im; ///< by falling modulus
    int trivial;                           ///< multipliers that are always 1: along the motion, along shifts
    int zeros;   ///< multipliers that are exactly 0: sticking, or an impact without rebound, forgets the past
    int neutral; ///< of an orbit that is neither stable nor unstable: multipliers of modulus 1 that are not
                 ///< trivial, as without damping, or beside something that friction holds; else 0
    bool stable; ///< all others are inside the unit circle
    int event_count;
    slip_cycle_event *events;
    char *signature;               ///< "impact wall, stick rub": kinds and elements in their order
    double work, friction, impact; ///< J over a period: they add up to 0 with the change of energy
    double determinant,
        expected; ///< of the monodromy; e^2 per impact times exp of the divergence. NaN if something sticks
    double least_gap; ///< m, smallest gap at which an open contact turns back; infinite: none does
    int parameter_count;
    char **parameter_name;
    double *period_derivative; ///< per parameter
    double *state_derivative;  ///< of the point, states x parameters
    int iterations;
    double residual; ///< largest difference between both ends, relative to the size of the motion
} slip_cycle;

/// Finds a periodic motion near a start. A status other than SLIP_OK means that nothing could be tried.
slip_status slip_cycle_find(const slip_model *model, const slip_cycle_def *def, slip_error *error,
                            slip_cycle **cycle);
void slip_cycle_destroy(slip_cycle *cycle); ///< NULL is fine

typedef struct slip_cycle_branch_point {
    double value; ///< of the parameter
    slip_branch_kind kind;
    slip_cycle *cycle; ///< NULL at a border that is not reached itself
} slip_cycle_branch_point;

/// Periodic motions along a parameter, in the order in which they were found.
typedef struct slip_cycle_branch {
    int point_count;
    slip_cycle_branch_point *points;
    int periods;       ///< of the first branch in one of this branch: 2 after a doubling
    char origin[200];  ///< where it branches off another one: "doubling at w = 2.6529"; "" of the first
    char text[480];    ///< why it ended
    char between[360]; ///< where multipliers cross the unit circle without a special point; "": nowhere
    struct slip_cycle_branch *next; ///< a further branch; NULL: the last
} slip_cycle_branch;

/// How far to go.
typedef struct slip_cycle_along {
    const char *along; ///< "w=0.5:2": the parameter starts at the first value; required
    int max_points;    ///< of each branch (400)
    int max_branches;  ///< across changes of the events, and at doublings (6); 1: only the first
    bool doubled;      ///< doublings lead to further branches (false)
} slip_cycle_along;

slip_cycle_along slip_default_cycle_along(void); ///< as in parentheses

/// Follows the orbit that slip_cycle_find finds along a parameter, through folds (pseudo-arclength), until it
/// leaves the range. Where the events of the orbit change, it looks for the orbit on the other side, and
/// follows that as a further branch.
slip_status slip_cycle_follow(const slip_model *model, const slip_cycle_def *def,
                              const slip_cycle_along *along, slip_error *error, slip_cycle_branch **branch);
void slip_cycle_branch_destroy(slip_cycle_branch *branch); ///< with all further ones; NULL is fine

/// As one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_cycle_branch_json(const slip_cycle_branch *branch);

/// Draws all branches over the parameter: solid where stable, dashed where not, with a mark at each special
/// point. The vertical axis is the extent of the state `of`, or "period"; NULL: the first state. `along` is
/// as in slip_cycle_along, or the name alone. The path ends in .svg or .png.
slip_status slip_cycle_branch_picture(const char *path, const slip_cycle_branch *branch, const char *along,
                                      const char *of, const char *title, slip_error *error);

/// As one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_cycle_json(const slip_cycle *cycle);

#ifdef __cplusplus
}
#endif
#endif
