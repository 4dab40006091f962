/// base/linalg/reflector.c: Householder reflections (Golub and Van Loan, 5.1).
#include "base/linalg/reflector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/linalg/kernel.h"

/// A sum of squares between these has lost nothing that counts: what underflowed on the way is below the
/// rounding of the sum, and nothing overflowed.
static const double LEAST_SUM = 0x1p-900, MOST_SUM = 0x1p1000;

static double sum_of_squares(int n, const double *x, int stride)
{
    if (stride == 1) return dot(n, x, x);
    const size_t step = (size_t)stride;
    double sum[4] = { 0 };
    int k = 0;
    for (; k + 4 <= n; k += 4, x += 4 * step)
        for (size_t c = 0; c < 4; c++) sum[c] += x[c * step] * x[c * step];
    double all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (; k < n; k++, x += step) all += *x * *x;
    return all;
}

static double sum_of_scaled(int n, const double *x, int stride, double unit)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        const double each = unit * x[(size_t)k * (size_t)stride];
        sum += each * each;
    }
    return sum;
}

// the power of 2 that brings the largest of them near 1; 0 when all are zero
static double unit_of(int n, const double *x, int stride)
{
    double most = 0.0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(x[(size_t)k * (size_t)stride]));
    if (most == 0.0) return 0.0;
    int exponent;
    frexp(most, &exponent);
    return ldexp(1.0, exponent < -1021 ? 1021 : -exponent); // 2^1021 also lifts the smallest subnormal enough
}

double slip_norm(int n, const double *x, int stride)
{
    const double sum = sum_of_squares(n, x, stride);
    if (sum > LEAST_SUM && sum < MOST_SUM) return sqrt(sum);
    if (sum != sum) return sum;
    const double unit = unit_of(n, x, stride);
    return unit == 0.0 ? 0.0 : sqrt(sum_of_scaled(n, x, stride, unit)) / unit;
}

double slip_reflector(int n, double *head, double *tail)
{
    double unit = 1.0, x = *head, below = dot(n, tail, tail), sum = x * x + below;
    if (!(sum > LEAST_SUM && sum < MOST_SUM)) { // once more, in units in which it is near 1
        const double of_tail = unit_of(n, tail, 1), of_head = unit_of(1, head, 1);
        if (of_tail == 0.0) return 0.0;
        unit = of_head == 0.0 ? of_tail : fmin(of_tail, of_head);
        x *= unit;
        below = sum_of_scaled(n, tail, 1, unit);
        sum = x * x + below;
    }
    if (below == 0.0) { // or too little to be seen beside the head
        memset(tail, 0, (size_t)n * sizeof *tail);
        return 0.0;
    }
    const double length = copysign(sqrt(sum), x), divisor = x + length;
    for (int k = 0; k < n; k++) tail[k] = unit * tail[k] / divisor;
    *head = -length / unit;
    return divisor / length;
}

// In twos and fours only because that is faster: each number of a row loses one product, and each of the sums
// has the order of the rows
void slip_reflect_left(int rows, int columns, double *A, int stride, const double *v, double tau,
                       double *work)
{
    if (tau == 0.0 || columns == 0) return;
    memset(work, 0, (size_t)columns * sizeof *work); // becomes -v' A
    int i = 0;
    for (; i + 4 <= rows; i += 4) subtract_four(columns, work, v + i, row_in(A, stride, i), stride);
    for (; i < rows; i++) subtract(columns, work, v[i], row_in(A, stride, i));
    i = 0;
    for (; i + 2 <= rows; i += 2) {
        double *row = row_of(A, stride, i);
        subtract_from_two(columns, row, row + stride, -tau * v[i], -tau * v[i + 1], work);
    }
    if (i < rows) subtract(columns, row_of(A, stride, i), -tau * v[i], work);
}

void slip_reflect_right(int rows, int columns, double *A, int stride, const double *v, double tau)
{
    if (tau == 0.0) return;
    int i = 0;
    for (; i + 2 <= rows; i += 2) {
        double *row = row_of(A, stride, i), along[2];
        dot_two(columns, row, row + stride, v, along);
        subtract_from_two(columns, row, row + stride, tau * along[0], tau * along[1], v);
    }
    if (i < rows) {
        double *row = row_of(A, stride, i);
        subtract(columns, row, tau * dot(columns, row, v), v);
    }
}
