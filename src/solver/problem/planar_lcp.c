/// solver/problem/planar_lcp.c: planar Coulomb friction as an LCP, Flores 2010 eq 85.
#include <string.h>

#include "slipstick/problem.h"

void slip_lcp_from_planar(int contacts, const double *W, const double *q, const double *mu, double *A,
                          double *b)
{
    const int n = contacts, rows = 3 * n, cols = 2 * n;
    memset(A, 0, sizeof(double) * (size_t)rows * (size_t)rows);
    for (int i = 0; i < n; i++) {
        const double *normal = W + (long)(2 * i) * cols, *tangent = normal + cols;
        double *row_n = A + (long)i * rows, *row_t = A + (long)(n + i) * rows,
               *row_l = A + (long)(2 * n + i) * rows;
        for (int j = 0; j < n; j++) {
            row_n[j] = normal[2 * j] - normal[2 * j + 1] * mu[j];
            row_n[n + j] = normal[2 * j + 1];
            row_t[j] = tangent[2 * j] - tangent[2 * j + 1] * mu[j];
            row_t[n + j] = tangent[2 * j + 1];
        }
        row_t[2 * n + i] = 1.0;
        row_l[i] = 2.0 * mu[i];
        row_l[n + i] = -1.0;
        b[i] = q[2 * i];
        b[n + i] = q[2 * i + 1];
        b[2 * n + i] = 0.0;
    }
}

void slip_planar_from_lcp(int contacts, const double *mu, const double *x, double *r)
{
    for (int i = 0; i < contacts; i++) {
        r[2 * i] = x[i];
        r[2 * i + 1] = x[contacts + i] - mu[i] * x[i];
    }
}

void slip_planar_free_velocity(int n, const double *free, const double *before, const double *eps, double *q)
{
    for (int i = 0; i < n; i++) q[i] = free[i] + (1.0 + eps[i]) * before[i];
}
