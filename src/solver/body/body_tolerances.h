/// solver/body/body_tolerances.h: tolerances of the contact solver for many bodies.
///
/// Residuals are relative to q, the velocities without contact forces; weights are relative to the diagonal
/// of the Delassus operator W; costs are counted in sweeps of Gauss-Seidel over the island.
#ifndef SLIP_SOLVER_BODY_BODY_TOLERANCES_H
#define SLIP_SOLVER_BODY_BODY_TOLERANCES_H

// ------------------------------------------------------------------------------------- choice of the method

/// Cost of the product of two blocks of side 6, in units of one contact in a sweep, as measured: in large
/// islands, where positions have many neighbours, and in others.
static const double PRODUCT_SWEEPS_LARGE = 0.5;
static const double PRODUCT_SWEEPS = 1.6;

/// If Newton stops below this residual and one of its steps costs more than so many sweeps, it gets its
/// number of steps once more: the interior-point method would need more factorisations.
static const double EXTEND_NEWTON_BELOW = 1e-5;
static const double EXPENSIVE_STEP_SWEEPS = 100.0;

/// Residual below which Newton's method is tried first in a large island. Farther away it rarely converges,
/// and each of its factorisations is expensive.
static const double LARGE_NEWTON_BELOW = 2e-2;

/// Of the tolerance: Newton goes on to this part of it, which costs one more step at most: bodies at rest
/// then have a good initial guess for many time steps. In a large island a step costs more than the sweeps
/// that it saves.
static const double NEWTON_TOLERANCE_FACTOR = 0.1;
static const double NEWTON_TOLERANCE_FACTOR_LARGE = 1.0;

/// Of the tolerance: the change of a sweep is about the residual before it. Below this multiple the true
/// residual is worth its price.
static const double SWEEP_CHANGE_NEAR_TOLERANCE = 2.0;

/// First proximal weight of Newton's method when it starts from the all-stick solution: of its own
/// regularisation, so that the first step does not undo it.
static const double ALL_STICK_PROXIMAL_WEIGHT = 1e-6;

// ------------------------------------------------------------------------------------------ factorisation

/// Pairs of blocks that the factor has room for: per contact, per contact of islands with a few thousand
/// contacts, and the total up to which an island has the larger number (23 MB). In the plane, where blocks
/// are smaller, as many as fit into the same memory. In space a tower needs 1/4 per contact, a wall of 10^4
/// boxes 2, a heap of 100 spheres 2 and one of 1000 spheres 7; a pyramid of 5050 boxes in the plane needs
/// 3.6. Larger heaps are left to the sweeps.
static const double PAIRS_PER_CONTACT = 2.5;
static const double PAIRS_PER_CONTACT_SMALL = 12.0;
static const double PAIRS_SMALL_TOTAL = 40000.0;

// ------------------------------------------------------------------------------------------ interior points

/// Of the diagonal of W: proximal (Tikhonov) weight that keeps the linear systems accurate. Being proximal,
/// it does not move the solution.
static const double PROXIMAL_WEIGHT = 1e-7;

/// Parts of a full step: a step below SHORT_STEP makes no progress, one above LONG_STEP lets the derivative
/// of |u_T| be trusted more.
static const double SHORT_STEP = 0.1;
static const double LONG_STEP = 0.3;

/// Part of the longest step inside the cones that is taken: STEP_TO_BOUNDARY, and up to STEP_TO_BOUNDARY_GAIN
/// more as the steps become full, which is 0.995 near the solution. Both together stay strictly inside the
/// cones.
static const double STEP_TO_BOUNDARY = 0.95;
static const double STEP_TO_BOUNDARY_GAIN = 0.045;

/// Part of the derivative of |u_T| that is followed: below FOLLOW_MIN it is dropped altogether; after a long
/// step it grows by FOLLOW_GROWTH of itself and by FOLLOW_GAIN.
static const double FOLLOW_MIN = 0.02;
static const double FOLLOW_GROWTH = 2.0;
static const double FOLLOW_GAIN = 0.1;

/// Friction coefficient below which the first point is as far inside the cone as with this one: a flat cone
/// would put it on the boundary.
static const double FLAT_CONE_FRICTION = 0.1;

// ------------------------------------------------------------------------------- uniqueness certificate

/// Of dv' M dv, the kinetic energy of a difference of two solutions: how far above zero the form has to be.
/// The same margin as in verdict/contact/uniqueness.c; impulses come from solvers with a residual of 1e-8,
/// and friction coefficients are not known to two per cent.
static const double FORM_MARGIN = 0.02;

/// Of the largest load of an island: a contact that carries less is unloaded, since solvers do not go
/// farther.
static const double ZERO_LOAD_TOLERANCE = 1e-7;

/// Of the diagonal of the form (1 after scaling): added to it, because self-equilibrated loads move nothing,
/// and in these directions the form is zero up to rounding.
static const double DIAGONAL_SHIFT = 1e-12;

/// Of the trace of the normal equations for the frictions of a group: the same shift, for directions in which
/// the group does not resist.
static const double GROUP_DIAGONAL_SHIFT = 1e-12;

/// Of the friction coefficient: by how much a direction of friction may exceed its cone through rounding.
static const double CONE_ROUNDING_RELATIVE = 1e-9;

// ------------------------------------------------------------------------- search for a second solution

/// Of the largest normal impulse of the solution: the initial ones of braced starts, and of random ones in
/// turn. A jam carries more than the weights do; much larger ones only take more sweeps.
static const double SEARCH_BRACED_LOAD = 10.0;
static const double SEARCH_RANDOM_LOADS[] = { 30.0, 3.0, 0.3 };

/// Of the friction coefficients: those with which the loads of a start that sticks are found.
static const double SEARCH_STUCK_FRICTION = 10.0;

/// Share of the contacts that a random start leaves open.
static const double RANDOM_OPEN_SHARE = 0.3;

/// Sweeps, or Newton steps that cost as much, that a start may take; one that needs more has not ended.
static const double SEARCH_MAX_SWEEPS = 300.0;

#endif
