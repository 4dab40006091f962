/// solver/friction/anderson.h: acceleration of a fixed point iteration x -> g(x) by the last few steps (Anderson 1965;
/// the form with differences of Fang and Saad 2009).
///
///     f = g(x) - x,   x_next = g - dG y   where y minimises | f - dF y |
/// The columns of dF and dG are differences of the last f and g. If g is linear this is equivalent to GMRES.
/// The norm has a weight per entry. Bad steps are not detected here: the caller then clears the history.
#ifndef SLIP_SOLVER_FRICTION_ANDERSON_H
#define SLIP_SOLVER_FRICTION_ANDERSON_H

#include "base/arena.h"

enum { SLIP_ANDERSON_DEPTH = 6 };

typedef struct slip_anderson {
    int size, columns, newest;                             // entries; columns in use; index of the newest
    double *dF, *dG;                                       // DEPTH columns of `size`
    double *f, *g;                                         // of the last step
    double gram[SLIP_ANDERSON_DEPTH][SLIP_ANDERSON_DEPTH]; // dF' dF
    bool begun;
} slip_anderson;

void slip_anderson_layout(slip_arena *a, slip_anderson *k, int size);

/// Clears the history.
void slip_anderson_begin(slip_anderson *k, int size);

/// Replaces x by the next point, given g = g(x). `weight` has one number for each `group` entries. Returns
/// the weighted norm of f.
double slip_anderson_next(slip_anderson *k, int group, const double *weight, double *x, const double *g);

#endif
