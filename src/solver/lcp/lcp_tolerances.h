/// solver/lcp/lcp_tolerances.h: tolerances of pivoting, enumeration and quadratic programs.
///
/// Matrices are equilibrated before, so that all entries of a tableau are compared in one unit.
#ifndef SLIP_SOLVER_LCP_LCP_TOLERANCES_H
#define SLIP_SOLVER_LCP_LCP_TOLERANCES_H

// ----------------------------------------------------------------------------------------------- pivoting

/// Of the largest right-hand side: entries below this are what rounding leaves of zero. A hundred roundings,
/// for the few pivots that small problems take.
static const double RHS_ROUNDING_RELATIVE = 1e-14;

/// Of the largest entry of the row (1 for the equations, which are equilibrated): a smaller pivot would make
/// the tableau rounding. Two decades above what elimination leaves of zero.
static const double PIVOT_MIN_RELATIVE = 1e-12;

/// Absolute: a pivot of Murty's method must be a normal number, so that its reciprocal is finite. The method
/// is for matrices whose pivots are positive in exact arithmetic; the residual judges the rest.
static const double PIVOT_NONZERO = 1e-300;

/// Of the width of its box: an unknown that the basis puts on the upper bound is set to it if it was computed
/// to lie farther away than this. Closer values are left as the refinement made them.
static const double OFF_BOUND_RELATIVE = 1e-9;

/// Of the ratios compared: ratios of Lemke's test that differ by less are tied, and the lexicographic rule
/// decides. A few decades above rounding: to miss a tie could cycle, to see one too many cannot.
static const double RATIO_TIE_RELATIVE = 1e-11;

/// A frictionless contact solved in closed form has a residual of a few roundings of q. Tolerances of at
/// least so many need no check of the residual.
enum { CLOSED_FORM_ROUNDINGS = 64 };

// -------------------------------------------------------------------------------------------- enumeration

/// Residual up to which a refined point is a solution, and not merely near one: refinement uses twice the
/// digits and reaches 1e-15 where the mode has a solution.
static const double EXACT_RESIDUAL = 1e-11;

/// Of the size that q gives to the unknowns: solutions whose unknowns are all smaller are compared on this
/// scale, so that two roundings of zero are not counted as two solutions.
static const double DISTINCT_UNKNOWN_SCALE = 1e-6;

/// Relative violation of a sign that no rounding explains: the mode has no solution, and is not refined. If
/// the pivots show that more digits were lost, PIVOT_ROUNDINGS times their ratio takes its place.
static const double SIGN_VIOLATION_TOLERANCE = 1e-7;
static const double PIVOT_ROUNDINGS = 1e4;

/// Last relative correction of the refinement above which it does not converge: the matrix of the mode is
/// singular for the digits at hand. REFINED_ROUNDINGS is the correction at which it ends.
static const double REFINEMENT_DIVERGES = 1e-12;
static const double REFINED_ROUNDINGS = 4.0;

/// Of |f|: what non-negative least squares may leave of the equations of a singular mode that has a solution.
static const double NNLS_RESIDUAL_TOLERANCE = 1e-9;

/// Of the size of a point: a slack below this is none, and its inequality is active.
static const double TIGHT_CONSTRAINT_TOLERANCE = 1e-9;

/// Of the largest unknown: a smaller one is what rounding leaves of zero. It would be judged by itself if q
/// is 0.
static const double UNKNOWN_ROUNDING_RELATIVE = 1e-13;

/// Of the largest entry, in elimination with twice the digits. Data of few digits that make a singular matrix
/// leave a pivot of 1e-30; a matrix that rounding has made regular leaves one of 1e-17.
static const double EXACTLY_SINGULAR_PIVOT = 1e-25;

// -------------------------------------------------------------------------------------- quadratic programs

/// Of the length of a vector: what Gram-Schmidt must leave of it for the vector to extend a basis. Larger
/// than rounding, because the null space is found from a computed factor.
static const double BASIS_DEPENDENT_RELATIVE = 1e-9;

/// Of the length of a row: components along the null space below this are rounding, and would pass for a
/// direction.
static const double NULL_COMPONENT_RELATIVE = 1e-12;

/// Of the right-hand side, which is 1: a residual of the least-distance problem below this means that the
/// inequalities contradict each other.
static const double LEAST_DISTANCE_INFEASIBLE = 1e-12;

/// Of the largest unknown: a minimiser that can be moved farther than this is not unique.
static const double MINIMISER_MOVED_RELATIVE = 1e-6;

#endif
