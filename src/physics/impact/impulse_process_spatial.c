/// physics/impact/impulse_process_spatial.c: a slip in space that turns while the impulse grows.
///
/// With w = r n, |n| = 1, dP = r ds:
///     n' = g - (n.g) n,   g = a_t - mu B n,   r' = (n.g) r
///     v_n' = (a_nn - mu a_t.n) r,   P' = r,   T' = -mu n r,   work' = v_n r
/// Right-hand sides are polynomials, so Taylor coefficients follow from products of series. The end of a
/// phase is a root of one of the sums. The slip approaches zero as s goes to infinity, along one direction
/// and without a singularity; it counts as zero when it is of the size of rounding.
#include <math.h>

#include "base/elementary.h"
#include "physics/impact/impulse_process.h"
#include "physics/impact/impact_tolerances.h"

enum { TAYLOR_ORDER = 18, MAX_TAYLOR_STEPS = 4000 };

typedef struct series {
    double n[2][TAYLOR_ORDER + 1], r[TAYLOR_ORDER + 1], v[TAYLOR_ORDER + 1], P[TAYLOR_ORDER + 1],
        T[2][TAYLOR_ORDER + 1], work[TAYLOR_ORDER + 1];
} series;

// Coefficient k of a product of series.
static double series_product(const double *a, const double *b, int k)
{
    double sum = 0.0;
    for (int i = 0; i <= k; i++) sum += a[i] * b[k - i];
    return sum;
}

static double sum_at(const double *a, double s)
{
    double sum = a[TAYLOR_ORDER];
    for (int k = TAYLOR_ORDER - 1; k >= 0; k--) sum = sum * s + a[k];
    return sum;
}

static void start_series(const slip_impulse_process *p, series *x)
{
    const double r = slip_hypot(p->v[1], p->v[2]);
    x->r[0] = r;
    x->v[0] = p->v[0], x->P[0] = p->P, x->work[0] = p->work;
    for (int c = 0; c < 2; c++) x->n[c][0] = p->v[1 + c] / r, x->T[c][0] = p->T[c];
}

static void taylor_coefficients(const slip_impulse_process *p, series *x)
{
    const double *A = p->A, mu = p->mu;
    double g[2][TAYLOR_ORDER], q[TAYLOR_ORDER], push[TAYLOR_ORDER];
    for (int k = 0; k < TAYLOR_ORDER; k++) {
        for (int c = 0; c < 2; c++) {
            const double *B = A + 3 * (1 + c);
            g[c][k] = (k ? 0.0 : B[0]) - mu * (B[1] * x->n[0][k] + B[2] * x->n[1][k]);
        }
        push[k] = (k ? 0.0 : A[0]) - mu * (A[1] * x->n[0][k] + A[2] * x->n[1][k]);
        q[k] = series_product(x->n[0], g[0], k) + series_product(x->n[1], g[1], k);
        const double next = 1.0 / (k + 1);
        for (int c = 0; c < 2; c++) {
            x->n[c][k + 1] = next * (g[c][k] - series_product(q, x->n[c], k));
            x->T[c][k + 1] = -mu * next * series_product(x->r, x->n[c], k);
        }
        x->r[k + 1] = next * series_product(x->r, q, k);
        x->v[k + 1] = next * series_product(x->r, push, k);
        x->P[k + 1] = next * x->r[k];
        x->work[k + 1] = next * series_product(x->r, x->v, k);
    }
}

// 1/kg, size of the rate at which the slip changes with the impulse.
static double slip_rate_scale(const slip_impulse_process *p)
{
    const double *A = p->A;
    return fabs(A[3]) + fabs(A[6]) + p->mu * (A[4] + A[8] + fabs(A[5]));
}

// The step for which the truncated terms of the series are rounding.
static double convergence_radius(const slip_impulse_process *p, const series *x)
{
    double h = 1.0 / slip_rate_scale(p);
    for (int k = TAYLOR_ORDER - 1; k <= TAYLOR_ORDER; k++) {
        const double last = fmax(fabs(x->r[k]) / x->r[0], fmax(fabs(x->n[0][k]), fabs(x->n[1][k])));
        if (last > 0.0) h = fmin(h, slip_pow(TAYLOR_TERM_NEGLIGIBLE / last, 1.0 / k));
    }
    return h;
}

// The first s in (0, h] at which a sum that is below `value` at 0 reaches it.
static double first_root(const double *a, double value, double h)
{
    double low = 0.0, high = h;
    for (int k = 0; k < 200; k++) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        *(sum_at(a, middle) < value ? &low : &high) = middle;
    }
    return high;
}

static void advance_state(slip_impulse_process *p, const series *x, double s)
{
    const double nx = sum_at(x->n[0], s), ny = sum_at(x->n[1], s), size = slip_hypot(nx, ny),
                 r = sum_at(x->r, s);
    p->v[0] = sum_at(x->v, s);
    p->v[1] = r * nx / size, p->v[2] = r * ny / size;
    p->P = sum_at(x->P, s), p->work = sum_at(x->work, s);
    for (int c = 0; c < 2; c++) p->T[c] = sum_at(x->T[c], s);
}

bool slip_impulse_process_spatial(slip_impulse_process *p, bool *lost)
{
    series x;
    for (int step = 0; step < MAX_TAYLOR_STEPS; step++) {
        start_series(p, &x);
        taylor_coefficients(p, &x);
        p->straight = slip_hypot(x.n[0][1], x.n[1][1]) <= SLIP_STRAIGHT_RELATIVE * slip_rate_scale(p);
        if (p->straight) return false;
        const double *watched = p->goal == SLIP_UNTIL_RATE      ? x.v
                                : p->goal == SLIP_UNTIL_IMPULSE ? x.P
                                                                : x.work;
        double h = convergence_radius(p, &x);
        if (x.v[1] < 0.0) p->path |= SLIP_PATH_JAMMED;
        // A quantity that starts at its goal and falls (compression) must not reach it again within the step.
        while (watched[0] >= p->value && watched[1] < 0.0 && sum_at(watched, h) >= p->value) h *= 0.5;
        if (watched[0] >= p->value && watched[1] >= 0.0) return true;
        if (sum_at(watched, h) >= p->value) {
            advance_state(p, &x, first_root(watched, p->value, h));
            if (p->goal == SLIP_UNTIL_RATE) p->v[0] = p->value;
            return true;
        }
        advance_state(p, &x, h);
        if (slip_hypot(p->v[1], p->v[2]) > p->rest) continue;
        p->v[1] = p->v[2] = 0.0;
        return false;
    }
    *lost = true;
    return true;
}
