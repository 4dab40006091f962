/// solver/problem/feasibility.c: feasibility and boundedness of a quadratic program by non-negative least squares
/// on the equilibrated problem. A convex program has no minimiser only if one of the two fails (Frank and Wolfe
/// 1956).
#include "solver/problem/feasibility.h"

#include <math.h>
#include <string.h>

#include "solver/problem/problem_tolerances.h"

void slip_feasibility_layout(slip_arena *a, slip_feasibility *k, const slip_problem *p)
{
    const int n = p->W.rows, m = p->A.rows;
    slip_nnls_layout(a, &k->nnls, n + m + 1, 3 * n + m);
    k->scale = SLIP_TAKE(a, double, n + m);
}

// An unknown is origin + x or origin - x with x >= 0, or free: x - x'. With two bounds x has an upper one
// too.
typedef struct side {
    double origin, sign, width;
    bool free, two;
} side;

static side side_of(const slip_problem *p, int i)
{
    const double low = p->lower ? p->lower[i] : -INFINITY, high = p->upper ? p->upper[i] : INFINITY;
    side s = { .sign = 1.0, .free = isinf(low) && isinf(high), .two = isfinite(low) && isfinite(high) };
    if (isfinite(low)) s.origin = low;
    if (isinf(low) && isfinite(high)) s.origin = high, s.sign = -1.0;
    if (s.two) s.width = high - low;
    return s;
}

// Puts coefficient c of unknown i into the row being filled.
static void put_coefficient(slip_feasibility *k, double *row, const side *s, int i, double c)
{
    row[2 * i] = s->sign * c * k->scale[i];
    if (s->free) row[2 * i + 1] = -c * k->scale[i];
}

static double *new_row(slip_feasibility *k, int *rows, int cols, double f)
{
    double *row = k->nnls.E + (long)*rows * cols;
    memset(row, 0, sizeof(double) * (size_t)cols);
    k->nnls.f[(*rows)++] = f;
    return row;
}

// The residual of f for the best y >= 0, relative to f.
static double nnls_leftover(slip_feasibility *k, int rows, int cols)
{
    double square = 0.0;
    for (int r = 0; r < rows; r++) square += k->nnls.f[r] * k->nnls.f[r];
    const double off = slip_nnls_solve(&k->nnls, rows, cols);
    return off < 0.0 ? NAN : square > 0.0 ? off / sqrt(square) : 0.0;
}

// Residual of the constraints A x >= b within the bounds.
static double constraint_infeasibility(slip_feasibility *k, const slip_problem *p)
{
    const int n = p->W.rows, m = p->A.rows, cols = 3 * n + m;
    int rows = 0;
    for (int r = 0; r < m; r++) {
        const double *a = p->A.values + (long)r * n, unit = k->scale[n + r];
        double f = p->b[r];
        for (int i = 0; i < n; i++) f -= a[i] * side_of(p, i).origin;
        double *row = new_row(k, &rows, cols, f * unit);
        for (int i = 0; i < n; i++) {
            const side s = side_of(p, i);
            put_coefficient(k, row, &s, i, a[i] * unit);
        }
        if (r >= p->equalities) row[2 * n + r] = -1.0;
    }
    for (int i = 0; i < n; i++) {
        const side s = side_of(p, i);
        if (!s.two) continue;
        double *row = new_row(k, &rows, cols, s.width / k->scale[i]);
        row[2 * i] = row[2 * n + m + i] = 1.0;
    }
    return nnls_leftover(k, rows, cols);
}

// Residual of the conditions on a direction d of unbounded descent: Q d = 0, A d >= 0, compatible with the
// bounds, and c'd = -1.
static double distance_to_descent(slip_feasibility *k, const slip_problem *p)
{
    const int n = p->W.rows, m = p->A.rows, cols = 3 * n + m;
    int rows = 0;
    double size = 0.0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(p->q[i]) * k->scale[i]);
    if (size == 0.0) return 1.0;
    for (int r = 0; r < n + m + 1; r++) {
        const bool last = r == n + m;
        const double unit = last ? 1.0 / size : k->scale[r];
        double *row = new_row(k, &rows, cols, last ? -1.0 : 0.0);
        for (int i = 0; i < n; i++) {
            const side s = side_of(p, i);
            const double c = last    ? p->q[i]
                             : r < n ? p->W.values[(long)r * n + i]
                                     : p->A.values[(long)(r - n) * n + i];
            if (!s.two) put_coefficient(k, row, &s, i, c * unit);
        }
        if (!last && r >= n + p->equalities) row[2 * n + r - n] = -1.0;
    }
    return nnls_leftover(k, rows, cols);
}

bool slip_feasibility_no_minimiser(slip_feasibility *k, const slip_problem *p)
{
    for (int i = 0; i < p->size; i++) k->scale[i] = 1.0 / sqrt(slip_box_scale(p, i));
    if (constraint_infeasibility(k, p) > INFEASIBLE_ABOVE) return true;
    return distance_to_descent(k, p) <= DESCENT_BELOW;
}
