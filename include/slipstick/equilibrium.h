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
/// Coordinates stand still; what they rub on may move, as a belt does. For periodic motions see cycle.h.
#ifndef SLIPSTICK_EQUILIBRIUM_H
#define SLIPSTICK_EQUILIBRIUM_H

#include "slipstick/branch.h"
#include "slipstick/sensitivity.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_equilibrium_def {
    const char *formulation; ///< lcp or gauss (lcp)
    const char *start;       ///< "x=1.5": a place near it (NULL: where the model starts)
    const char *along;       ///< "v=0.5:2": a parameter to follow it along; NULL: none
    int max_points;          ///< of a branch (400)
} slip_equilibrium_def;

slip_equilibrium_def slip_default_equilibrium_def(void); ///< as in parentheses

/// One place, with what is around it.
typedef struct slip_equilibrium {
    bool found;     ///< false: only `text` says something
    char text[480]; ///< what was tried
    int coordinate_count;
    char **name;
    double *place;      ///< of the coordinates
    bool held;          ///< friction holds it: places around it are at rest too
    double *low, *high; ///< per coordinate: how far it may be moved alone and still stays
    int count;          ///< eigenvalues, as many as there are states that move freely
    double *re, *im;    ///< 1/s, by falling real part; those of what is held are 0
    int zeros;          ///< of them exactly 0: what is held
    bool stable;        ///< all others have a negative real part
    double *derivative; ///< of the place to the parameter that it is followed along; NULL without one
    double residual;    ///< largest acceleration
} slip_equilibrium;

typedef struct slip_equilibrium_point {
    double value; ///< of the parameter
    slip_branch_kind kind;
    slip_equilibrium *rest; ///< NULL at an end that is not reached itself
} slip_equilibrium_point;

/// Places along a parameter, in the order in which they were found.
typedef struct slip_equilibrium_branch {
    int point_count;
    slip_equilibrium_point *points;
    char text[480]; ///< why it ended
} slip_equilibrium_branch;

/// Finds a place of rest near a start; `along` counts for its derivative alone. A status other than SLIP_OK
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
