/// solver/body/body_interior_point.h: an interior-point method over an island, for jams in which Newton's method stalls.
///
/// In the coordinates x = (mu r_N, r_T) and y = (u_N + mu |u_T|, mu u_T) Coulomb's law says that both lie in
/// the Lorentz cone and are orthogonal. The method follows x o y = tau (1, 0, 0) as tau falls, with
/// Nesterov-Todd scaling, Mehrotra's predictor and corrector, and the Jordan product (Acary, Armand and
/// Nguyen 2024). It needs no initial guess, and is not disturbed by redundant contacts or by impulses that
/// are a thousand times the load. Its linear systems are those of body_newton.h.
///
/// It converges to the neighbourhood of the solution, where contacts at the boundary between two modes slow
/// it down. Newton's method does the rest.
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
    double *lack;            // defect of y: its difference from the y of the velocities
    double *slope;           // per contact: d |u_T| / d u_T, to the degree that it is included
    double *w;               // per contact: the scaling, a vector of the cone, and its size eta
    double *eta;
    double *give;  // per contact: proximal weight, where contacts depend on others
    double *K, *C; // d x d per contact: impulses over velocities, and (1 + give K)^-1
    double *b, *du, *best, *v;
} slip_body_interior_point;

/// Parameters of the central path. A jam that stalls the method on one path may be solved on another.
typedef struct slip_interior_point_options {
    double size;   // of the first point, relative to the velocities of the problem
    double centre; // smallest centring parameter, relative to tau
    double blur;   // relative to sqrt(tau diag W): slips below it have no direction
    double trust;  // factor of the included derivative of |u_T| after a short step
    int limit;     // most steps
    bool smooth;   // |u_T| is rounded off below the blur too, which halves the steps in large heaps
    bool near;     // start from r, inside the cones by its residual; otherwise from nothing
} slip_interior_point_options;

void slip_body_interior_point_layout(slip_arena *a, slip_body_interior_point *k, int d, int side, int bodies,
                                     int contacts);

/// Improves r, starting from nothing or from r itself, and returns the best r that it finds. It ends at the
/// tolerance, or when no step helps any more; u are the velocities of r. Returns the number of steps; 0 if
/// the factor does not fit into memory, and r is then unchanged.
int slip_body_interior_point_run(slip_body_interior_point *k, slip_body_lu *lu, const slip_island *island,
                                 const slip_problem *problem, const slip_interior_point_options *ways,
                                 double tolerance, double *r, double *u);

#endif
