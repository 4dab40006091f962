/// equilibrium.h: equilibria of a model: points, and sets of them that friction holds, along a
/// parameter.
///
///     slip_equilibrium_def def = slip_default_equilibrium_def();
///     slip_equilibrium *rest = NULL;
///     if (slip_equilibrium_find(model, &def, &error, &rest) != SLIP_OK) ...
///     if (rest->found) printf("stable: %d\n", rest->stable);
///     else puts(rest->text);                          // what was tried
///     slip_equilibrium_destroy(rest);
///
/// Coordinates are at rest; the surfaces they touch may move, as a belt does. For periodic motions see
/// cycle.h.
#ifndef SLIPSTICK_EQUILIBRIUM_H
#define SLIPSTICK_EQUILIBRIUM_H

#include "slipstick/branch.h"
#include "slipstick/sensitivity.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_equilibrium_def {
    const char *formulation; ///< lcp or gauss (lcp)
    const char *start;       ///< "x=1.5": coordinates near it (NULL: as the model says)
    const char *along;       ///< "v=0.5:2": a parameter to follow it along; NULL: none
    int max_points;          ///< of a branch (400)
} slip_equilibrium_def;

slip_equilibrium_def slip_default_equilibrium_def(void); ///< as in parentheses

/// One equilibrium.
typedef struct slip_equilibrium {
    bool found;     ///< false: only `text` is filled in
    char text[480]; ///< what was tried
    int coordinate_count;
    char **name;
    double *place; ///< of the coordinates
    bool held;     ///< friction holds it: it is one of a set of equilibria
    double *low,
        *high; ///< per coordinate: range in which it stays if it is moved, and what nothing holds follows
    int count; ///< eigenvalues, as many as there are states that move freely
    double *re, *im;    ///< 1/s, by falling real part; 0 for coordinates that friction holds
    int zeros;          ///< eigenvalues that are exactly 0: coordinates that friction holds
    bool stable;        ///< all others have a negative real part
    double *derivative; ///< of the place to the parameter that it is followed along; NULL without one
    double residual;    ///< largest acceleration
} slip_equilibrium;

typedef struct slip_equilibrium_point {
    double value; ///< of the parameter
    slip_branch_kind kind;
    slip_equilibrium *rest; ///< NULL at an end that is not reached itself
} slip_equilibrium_point;

/// Equilibria along a parameter, in the order in which they were found.
typedef struct slip_equilibrium_branch {
    int point_count;
    slip_equilibrium_point *points;
    char text[480]; ///< why it ended
} slip_equilibrium_branch;

/// Finds an equilibrium near a start; `along` matters only for its derivative. A status other than SLIP_OK
/// means that nothing could be tried.
slip_status slip_equilibrium_find(const slip_model *model, const slip_equilibrium_def *def, slip_error *error,
                                  slip_equilibrium **rest);
void slip_equilibrium_destroy(slip_equilibrium *rest); ///< NULL is fine

/// Follows it along a parameter: a point through folds (pseudo-arclength), a set that friction holds by its
/// extent, until the end of the range.
slip_status slip_equilibrium_follow(const slip_model *model, const slip_equilibrium_def *def,
                                    slip_error *error, slip_equilibrium_branch **branch);
void slip_equilibrium_branch_destroy(slip_equilibrium_branch *branch); ///< NULL is fine

/// As one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_equilibrium_json(const slip_equilibrium *rest);
char *slip_equilibrium_branch_json(const slip_equilibrium_branch *branch); ///< the same of a branch

#ifdef __cplusplus
}
#endif
#endif
