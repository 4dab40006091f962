/// solver/linalg/matrix.h: operations on matrices and operators that solvers need beyond products.
#ifndef SLIP_SOLVER_LINALG_MATRIX_H
#define SLIP_SOLVER_LINALG_MATRIX_H

#include "slipstick/problem.h"

/// y[0..side) = (A x) for the rows of block `at`; DENSE and SPARSE only.
void slip_matrix_rows(const slip_matrix *A, int at, int side, const double *x, double *y);

/// Trace of diagonal block `at`, for the residual.
double slip_matrix_trace(const slip_matrix *A, int at, int side);

/// The dense form of A, row-major rows x cols, into `out`; DENSE and SPARSE only.
void slip_matrix_fill(const slip_matrix *A, double *out);

/// Block row access: number of blocks of side `side` in block row `at`, their columns (NULL: all, in
/// order) and values, each block with `*stride` numbers from row to row and `*step` from block to
/// block. DENSE, or SPARSE with block == side.
int slip_matrix_block_row(const slip_matrix *A, int at, int side, const int **column, const double **values,
                          int *stride, int *step);

/// DELASSUS: v += M^-1 G_a' dr for the rows of block `at`, and u_a = G_a v.
void slip_delassus_scatter(const slip_matrix *W, int at, int side, const double *dr, double *v);
void slip_delassus_gather(const slip_matrix *W, int at, int side, const double *v, double *u);

#endif
