/// base/linalg/rotation.c: plane rotations (Golub and Van Loan, 5.1.8).
#include "base/linalg/rotation.h"

#include <math.h>

#include "base/elementary.h"

double slip_rotation(double x, double y, double *c, double *s)
{
    if (y == 0.0) {
        *c = 1.0, *s = 0.0;
        return x;
    }
    const double sum = x * x + y * y, r = sum > 0x1p-900 ? sqrt(sum) : slip_hypot(x, y);
    *c = x / r;
    *s = y / r;
    return r;
}

// one rotation of `width` columns; the row that is turned again by the next one stays in `carry`
static inline void turn(int width, double c, double s, double *restrict p, const double *restrict q,
                        double *restrict carry)
{
    double y[4];
    for (int j = 0; j < width; j++) y[j] = q[j];
    for (int j = 0; j < width; j++) p[j] = c * carry[j] + s * y[j];
    for (int j = 0; j < width; j++) carry[j] = c * y[j] - s * carry[j];
}

static inline void turn_all(int width, int count, const double *c, const double *s, double *p, ptrdiff_t step)
{
    double carry[4];
    for (int j = 0; j < width; j++) carry[j] = p[j];
    for (int k = 0; k < count; k++, p += step) turn(width, c[k], s[k], p, p + step, carry);
    for (int j = 0; j < width; j++) p[j] = carry[j];
}

void slip_rotate_rows(int count, const double *c, const double *s, int n, double *rows, ptrdiff_t step)
{
    int at = 0;
    for (; at + 4 <= n; at += 4) turn_all(4, count, c, s, rows + at, step);
    for (; at + 2 <= n; at += 2) turn_all(2, count, c, s, rows + at, step);
    if (at < n) turn_all(1, count, c, s, rows + at, step);
}
