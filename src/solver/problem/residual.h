/// solver/problem/residual.h: norms that the residuals of boxes and of contacts share.
#ifndef SLIP_SOLVER_PROBLEM_RESIDUAL_H
#define SLIP_SOLVER_PROBLEM_RESIDUAL_H

#include <stdbool.h>

#include "slipstick/problem.h"

/// The error of a solution as a whole and in its worst row.
typedef struct slip_residual_norms {
    double whole;    // |error| / |q|
    double worst;    // largest error of a row over the size of its terms, with its weight
    double rounding; // eps |size| / |q|
} slip_residual_norms;

/// From sums of squares and the worst ratio of a row. If q is zero the terms take its place. NaN becomes
/// infinity.
slip_residual_norms slip_residual_norms_of(double error, double q, double size, double worst, int rows);

/// Whether the entries of the matrix can be visited row by row.
bool slip_matrix_has_rows(const slip_problem *p);

slip_residuals slip_box_residual(const slip_problem *p, const double *z, double *w);
double slip_box_residual_of_products(const slip_problem *p, const double *z, double *w);

#endif
