/// solver/problem/contact_law.h: the law of one block: projections, and the exact solution of one contact alone.
#ifndef SLIP_SOLVER_PROBLEM_CONTACT_LAW_H
#define SLIP_SOLVER_PROBLEM_CONTACT_LAW_H

#include <math.h>
#include <stdbool.h>

#include "slipstick/problem.h"

/// Whether the blocks are contacts (with a cone) or single unknowns (with a box).
static inline bool slip_problem_is_contact(const slip_problem *p)
{
    return p->kind == SLIP_KIND_FC2D || p->kind == SLIP_KIND_FC3D;
}

/// The box of unknown i of LCP, MLCP, RELAY.
static inline void slip_problem_box(const slip_problem *p, int i, double *low, double *high)
{
    if (p->kind == SLIP_KIND_RELAY) {
        *low = p->lower[i];
        *high = p->upper[i];
    } else {
        *low = p->kind == SLIP_KIND_MLCP && i < p->equalities ? -INFINITY : 0.0;
        *high = INFINITY;
    }
}

static inline double slip_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/// Projection of x on K = { |x_T| <= mu x_N }, d = 2 or 3, in place.
void slip_project_cone(int d, double mu, double *x);

/// Projection of x (d - 1 numbers) on the disc of radius `radius`, in place.
void slip_project_disc(int d, double radius, double *x);

/// The exact solution of one contact: u = W r + q with the Coulomb law, W d x d row-major. For W with a
/// positive definite symmetric part a solution exists for every mu, and this finds one, sooner when r is near
/// it on entry. False when the block is too degenerate (r is then left alone).
bool slip_one_contact_solve(int d, const double *W, const double *q, double mu, double *r);

#endif
