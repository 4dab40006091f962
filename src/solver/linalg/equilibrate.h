/// solver/linalg/equilibrate.h: units in which the entries of a matrix are of one size.
#ifndef SLIP_SOLVER_LINALG_EQUILIBRATE_H
#define SLIP_SOLVER_LINALG_EQUILIBRATE_H

/// Powers of two s such that the rows and columns of s A s, n x n, are within a factor of thirty of each
/// other and near 1; all alike if they were to begin with, and 1 if they were near 1 too. Diagonal entries
/// that are a millionth of the rest become 1 instead, where that makes no entry large. x_i = s_i x'_i, y_i
/// = y'_i / s_i leaves y = A x + b a complementarity problem, and rounds nothing.
void slip_equilibrate(int n, const double *A, double *scale);

#endif
