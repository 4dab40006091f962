/// solver/friction/anderson.h: acceleration of a fixed point iteration x -> g(x) by the last few steps (Anderson 1965;
/// the form with differences of Fang and Saad 2009).
///
///     f = g(x) - x,   x_next = g - dG y   with y that makes | f - dF y | least
/// The columns of dF and dG are differences of the last f and g. Where g is linear this is GMRES in disguise.
/// The norm has a weight per entry. Nothing here knows when a step was bad: the caller begins anew.
#ifndef SLIP_SOLVER_FRICTION_ANDERSON_H
#define SLIP_SOLVER_FRICTION_ANDERSON_H

#include "base/arena.h"

enum { SLIP_ANDERSON_DEPTH = 6 };

typedef struct slip_anderson {
    int size, columns, newest;                             // entries; columns in use; where the last one went
    double *dF, *dG;                                       // DEPTH columns of `size`
    double *f, *g;                                         // of the last step
    double gram[SLIP_ANDERSON_DEPTH][SLIP_ANDERSON_DEPTH]; // dF' dF
    bool begun;
} slip_anderson;

void slip_anderson_layout(slip_arena *a, slip_anderson *k, int size);

/// Forgets all columns.
void slip_anderson_begin(slip_anderson *k, int size);

/// From x and g = g(x): puts the next point into x. `weight` has one number for each `group` entries.
/// Returns |f|, weighted.
double slip_anderson_next(slip_anderson *k, int group, const double *weight, double *x, const double *g);

#endif
