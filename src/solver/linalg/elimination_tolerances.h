/// solver/linalg/elimination_tolerances.h: tolerances of sparse elimination, scaling and least squares.
#ifndef SLIP_SOLVER_LINALG_ELIMINATION_TOLERANCES_H
#define SLIP_SOLVER_LINALG_ELIMINATION_TOLERANCES_H

/// Of the determinant that a diagonal block of its largest entry could have: a block below this is singular.
/// It only has to catch exact zeros and underflow; whether the solution is any good is judged by its
/// residual.
static const double BLOCK_SINGULAR_RELATIVE = 1e-30;

/// Of the squared length of a column: what Gram-Schmidt must leave of it for the column to be independent of
/// the others. The square of 1e-11, as the rank tolerance of dense matrices.
static const double COLUMN_DEPENDENT_SQUARED = 1e-22;

/// Of the length of the right-hand side: a residual, or the correlation of a column with it, that is smaller
/// is rounding, and non-negative least squares ends there.
static const double NNLS_CONVERGED_RELATIVE = 1e-13;

/// Of the largest entry of an equilibrated matrix: a diagonal entry below this is hidden behind the others,
/// and the diagonal is scaled to one first. Beyond six decades too few digits of such a row would count.
static const double DIAGONAL_HIDDEN_RELATIVE = 1e-6;

#endif
