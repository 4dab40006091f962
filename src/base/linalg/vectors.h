/// base/linalg/vectors.h: sums over short vectors, term by term from the first on.
///
/// Kernels of factorisations have their own sums, in four parts (kernel.h).
#ifndef SLIP_BASE_LINALG_VECTORS_H
#define SLIP_BASE_LINALG_VECTORS_H

static inline double dot_product(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/// y := y + scale a
static inline void add_scaled(int n, double scale, const double *a, double *y)
{
    for (int i = 0; i < n; i++) y[i] += scale * a[i];
}

#endif
