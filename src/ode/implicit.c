/// ode/implicit.c: I - scale df/dx of an ODE, factored group by group.
#include "ode/implicit.h"

#include <math.h>
#include <stdlib.h>

#include "core/dense.h"
#include "ode/jacobian.h"

struct slip_newton {
    slip_jacobian *jacobian;
    int group_count;
    double **factor; // LU of each group
    int **pivot;
    double *part; // one vector over the largest group
    void *memory;
};

static void layout(slip_arena *a, slip_newton *w)
{
    w->factor = SLIP_TAKE(a, double *, w->group_count);
    w->pivot = SLIP_TAKE(a, int *, w->group_count);
    w->part = SLIP_TAKE(a, double, slip_jacobian_largest_group(w->jacobian));
    for (int g = 0; g < w->group_count; g++) {
        const int *states;
        int m = slip_jacobian_group(w->jacobian, g, &states);
        double *factor = SLIP_TAKE(a, double, m *m);
        int *pivot = SLIP_TAKE(a, int, m);
        if (a->base) w->factor[g] = factor, w->pivot[g] = pivot;
    }
}

void slip_newton_destroy(slip_newton *w)
{
    if (!w) return;
    slip_jacobian_destroy(w->jacobian);
    free(w->memory);
    free(w);
}

slip_status slip_newton_create(slip_ode *ode, slip_error *error, slip_newton **out)
{
    *out = NULL;
    slip_newton *w = calloc(1, sizeof *w);
    if (!w) return slip_fail(error, SLIP_NO_MEMORY, "integrator", "out of memory");
    slip_status status = slip_jacobian_create(ode, false, error, &w->jacobian);
    if (status == SLIP_OK) {
        w->group_count = slip_jacobian_group_count(w->jacobian);
        slip_arena count = { 0 };
        layout(&count, w);
        slip_arena real = { .base = slip_arena_memory(count.used) };
        w->memory = real.base;
        if (real.base)
            layout(&real, w);
        else
            status = slip_fail(error, SLIP_NO_MEMORY, "integrator", "out of memory");
    }
    if (status != SLIP_OK) {
        slip_newton_destroy(w);
        return status;
    }
    *out = w;
    return SLIP_OK;
}

bool slip_newton_factor(slip_newton *w, double t, const double *x, const double *rate, double scale)
{
    if (!slip_jacobian_evaluate(w->jacobian, t, x, rate)) return false;
    for (int g = 0; g < w->group_count; g++) {
        const int *states;
        int m = slip_jacobian_group(w->jacobian, g, &states);
        double *A = w->factor[g], sum = 0.0;
        slip_jacobian_dense(w->jacobian, g, A);
        for (int k = 0; k < m * m; k++) {
            sum += 0.0 * A[k];
            A[k] = (k % (m + 1) == 0 ? 1.0 : 0.0) - scale * A[k];
        }
        if (sum != 0.0 || !slip_lu(m, A, w->pivot[g])) return false;
    }
    return true;
}

bool slip_newton_derivative(slip_newton *w, double t, const double *x, const double *rate, double *J,
                            int stride)
{
    if (!slip_jacobian_evaluate(w->jacobian, t, x, rate)) return false;
    double sum = 0.0;
    for (int g = 0; g < w->group_count; g++) {
        const int *states;
        int m = slip_jacobian_group(w->jacobian, g, &states);
        double *A = w->factor[g];
        slip_jacobian_dense(w->jacobian, g, A);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) {
                sum += 0.0 * A[i * m + j];
                J[states[j] * stride + states[i]] = A[i * m + j];
            }
    }
    return sum == 0.0;
}

void slip_newton_solve(slip_newton *w, double *b)
{
    for (int g = 0; g < w->group_count; g++) {
        const int *states;
        int m = slip_jacobian_group(w->jacobian, g, &states);
        for (int k = 0; k < m; k++) w->part[k] = b[states[k]];
        slip_lu_solve(m, w->factor[g], w->pivot[g], w->part);
        for (int k = 0; k < m; k++) b[states[k]] = w->part[k];
    }
}
