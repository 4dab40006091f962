/// solver/body/body_interior_point.h: an interior-point method over an island, for jams in which Newton's method is caught.
///
/// In the coordinates x = (mu r_N, r_T) and y = (u_N + mu |u_T|, mu u_T) Coulomb's law is that both are in
/// the cone of Lorentz, and orthogonal. The method follows x o y = tau (1, 0, 0) as tau falls, by steps that
/// are scaled after Nesterov and Todd and predicted and corrected after Mehrotra; the products are Jordan's
/// (Acary, Armand and Nguyen 2024). It needs no guess, and redundant contacts and impulses that are a
/// thousand times the load do not disturb it. The linear systems are those of bodynewton.h.
///
/// It arrives near the solution, where contacts that are on the edge of their law slow it down: Newton's
/// method does the rest.
#ifndef SLIP_SOLVER_BODY_BODY_INTERIOR_POINT_H
#define SLIP_SOLVER_BODY_BODY_INTERIOR_POINT_H

#include "solver/body/body_contact_groups.h"
#include "solver/body/body_sparse_lu.h"
#include "slipstick/solver.h"

typedef struct slip_body_interior_point {
    slip_body_lu *lu; // borrowed
    slip_contact_groups *groups;
    bool *on;
    double *x, *y, *dx, *dy; // d per contact, as all vectors here
    double *lack;            // y minus what the velocities make of it
    double *slope;           // per contact: d |u_T| / d u_T, as far as it is followed
    double *w;               // per contact: the scaling, a vector of the cone, and its size
    double *eta;
    double *give;  // per contact, where contacts follow others
    double *K, *C; // d x d per contact: impulses over velocities, and what the regularisation leaves
    double *b, *du, *best, *v;
} slip_body_interior_point;

/// What its path depends on. Jams that stop it on one path may not on another.
typedef struct slip_interior_point_options {
    double size;   // of the first point, over the speeds of the problem
    double centre; // part of tau that a step aims at, at the least
    double blur;   // of sqrt(tau diag W): slips below it have no direction
    double trust;  // in the derivative of |u_T|, times this after a short step
    int limit;     // steps
    bool smooth;   // |u_T| is rounded off there too: large heaps take half the steps
    bool near;     // from r, as far from it as its residual; else from nothing
} slip_interior_point_options;

void slip_body_interior_point_layout(slip_arena *a, slip_body_interior_point *k, int d, int side, int bodies,
                                     int contacts);

/// From nothing or from r to the best r it finds; it ends at the tolerance, or where no step helps. u are the
/// velocities of r. Returns the steps taken; 0 when the factor has no room, and r is then as it was.
int slip_body_interior_point_run(slip_body_interior_point *k, slip_body_lu *lu, const slip_island *island,
                                 const slip_problem *problem, const slip_interior_point_options *ways,
                                 double tolerance, double *r, double *u);

#endif
