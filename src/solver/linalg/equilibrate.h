/// solver/linalg/equilibrate.h: symmetric equilibration of a matrix by powers of two.
#ifndef SLIP_SOLVER_LINALG_EQUILIBRATE_H
#define SLIP_SOLVER_LINALG_EQUILIBRATE_H

/// Finds powers of two s such that the rows and columns of s A s, n x n, are within a factor of thirty of
/// each other and near 1; all s are equal if the rows were balanced already, and 1 if they were near 1 too.
/// Diagonal entries below a millionth of the rest become 1 instead, if that makes no entry large. With x_i =
/// s_i x'_i and y_i = y'_i / s_i, y = A x + b remains a complementarity problem, and nothing is rounded.
void slip_equilibrate(int n, const double *A, double *scale);

#endif
