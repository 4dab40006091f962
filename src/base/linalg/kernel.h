/// base/linalg/kernel.h: the inner loops of all factorisations, along rows, inline.
///
/// All of them run over consecutive numbers, and each number of the result depends on its own column alone.
/// Groups of four are therefore packed by a compiler that may not change the order of a sum, and how wide
/// the packs are does not change a bit. Sums along a row are the exception: they have four parts, here in
/// the source, so that their order is fixed too.
#ifndef SLIP_BASE_LINALG_KERNEL_H
#define SLIP_BASE_LINALG_KERNEL_H

#include <stddef.h>

/// Row i of a matrix whose rows are `stride` apart.
static inline double *row_of(double *A, int stride, int i)
{
    return A + (size_t)i * (size_t)stride;
}

static inline const double *row_in(const double *A, int stride, int i)
{
    return A + (size_t)i * (size_t)stride;
}

/// y := y - a x
static inline void subtract(int n, double *restrict y, double a, const double *restrict x)
{
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int c = 0; c < 4; c++) y[k + c] -= a * x[k + c];
    for (; k < n; k++) y[k] -= a * x[k];
}

/// y := y - a x, z := z - b x
static inline void subtract_from_two(int n, double *restrict y, double *restrict z, double a, double b,
                                     const double *restrict x)
{
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        for (int c = 0; c < 4; c++) y[k + c] -= a * x[k + c];
        for (int c = 0; c < 4; c++) z[k + c] -= b * x[k + c];
    }
    for (; k < n; k++) {
        y[k] -= a * x[k];
        z[k] -= b * x[k];
    }
}

/// y := y - a w - b x, in this order
static inline void subtract_two(int n, double *restrict y, double a, const double *restrict w, double b,
                                const double *restrict x)
{
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int c = 0; c < 4; c++) y[k + c] = y[k + c] - a * w[k + c] - b * x[k + c];
    for (; k < n; k++) y[k] = y[k] - a * w[k] - b * x[k];
}

/// y := y - a[0] x_0 - a[1] x_1 - a[2] x_2 - a[3] x_3, in this order; the rows x are `stride` apart
static inline void subtract_four(int n, double *restrict y, const double *a, const double *x, int stride)
{
    const double *restrict p = x, *restrict q = p + stride, *restrict r = q + stride,
                           *restrict s = r + stride;
    const double e = a[0], f = a[1], g = a[2], h = a[3];
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int c = 0; c < 4; c++)
            y[k + c] = y[k + c] - e * p[k + c] - f * q[k + c] - g * r[k + c] - h * s[k + c];
    for (; k < n; k++) y[k] = y[k] - e * p[k] - f * q[k] - g * r[k] - h * s[k];
}

/// The same for two rows y and z, with a and b: what is loaded serves twice.
static inline void subtract_four_from_two(int n, double *restrict y, double *restrict z, const double *a,
                                          const double *b, const double *x, int stride)
{
    const double *restrict p = x, *restrict q = p + stride, *restrict r = q + stride,
                           *restrict s = r + stride;
    const double e = a[0], f = a[1], g = a[2], h = a[3], i = b[0], j = b[1], l = b[2], m = b[3];
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        for (int c = 0; c < 4; c++)
            y[k + c] = y[k + c] - e * p[k + c] - f * q[k + c] - g * r[k + c] - h * s[k + c];
        for (int c = 0; c < 4; c++)
            z[k + c] = z[k + c] - i * p[k + c] - j * q[k + c] - l * r[k + c] - m * s[k + c];
    }
    for (; k < n; k++) {
        y[k] = y[k] - e * p[k] - f * q[k] - g * r[k] - h * s[k];
        z[k] = z[k] - i * p[k] - j * q[k] - l * r[k] - m * s[k];
    }
}

static inline void swap_rows(int n, double *restrict a, double *restrict b)
{
    for (int k = 0; k < n; k++) {
        const double keep = a[k];
        a[k] = b[k];
        b[k] = keep;
    }
}

/// Sum of a[k] b[k]: four sums of every fourth product, then (0 + 1) + (2 + 3), then the last few.
static inline double dot(int n, const double *a, const double *b)
{
    double sum[4] = { 0 };
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int c = 0; c < 4; c++) sum[c] += a[k + c] * b[k + c];
    double all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (; k < n; k++) all += a[k] * b[k];
    return all;
}

/// dot of x and y with v, at once.
static inline void dot_two(int n, const double *x, const double *y, const double *v, double of[2])
{
    double sum[4] = { 0 }, other[4] = { 0 };
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        for (int c = 0; c < 4; c++) sum[c] += x[k + c] * v[k + c];
        for (int c = 0; c < 4; c++) other[c] += y[k + c] * v[k + c];
    }
    of[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    of[1] = (other[0] + other[1]) + (other[2] + other[3]);
    for (; k < n; k++) {
        of[0] += x[k] * v[k];
        of[1] += y[k] * v[k];
    }
}

#endif
