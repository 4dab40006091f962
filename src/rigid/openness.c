/// rigid/openness.c: is the motion determined where the forces are not?
#include "rigid/openness.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/// Relative to the largest: singular values below are zero, forces below are none, changes of acceleration
/// below do not count.
static const double ZERO_VALUE = 1e-10, ZERO_FORCE = 1e-9, ZERO_CHANGE = 1e-6;

int slip_openness_size(const slip_rigid *r)
{
    int m = r->most, n = r->system->n;
    return 3 * m * m + 12 * m + 2 * n;
}

// D over the rows whose rate vanishes, column by column; returns their number
static int kernel(const slip_rigid *r, double small, int *at, double *K)
{
    int count = 0;
    for (int i = 0; i < r->count; i++)
        if (fabs(r->rate[i]) <= small) at[count++] = i;
    for (int j = 0; j < count; j++)
        for (int i = 0; i < count; i++) K[j * count + i] = r->D[at[i] * r->count + at[j]];
    return count;
}

// x + s v for s in [low, high] keeps the normals at 0 or above
static void feasible(const slip_rigid *r, int count, const int *at, const double *v, double dust, double *low,
                     double *high)
{
    *low = -INFINITY, *high = INFINITY;
    for (int k = 0; k < count; k++) {
        if (at[k] >= r->normal_count || v[k] == 0.0) continue;
        double room = r->x[at[k]] > dust ? r->x[at[k]] : 0.0;
        if (v[k] > 0.0)
            *low = fmax(*low, -room / v[k]);
        else
            *high = fmin(*high, room / -v[k]);
    }
}

// what forces v do to the accelerations; the coordinate that changes most against what it does anyway
static int change(const slip_rigid *r, int count, const int *at, const double *v, double *da, double *most)
{
    int n = r->system->n, best = -1;
    memset(da, 0, (size_t)n * sizeof *da);
    for (int k = 0; k < count; k++)
        for (int j = 0; j < n; j++) da[j] += r->response[(size_t)at[k] * (size_t)n + (size_t)j] * v[k];
    *most = 0.0;
    for (int j = 0; j < n; j++)
        if (fabs(da[j]) > *most) *most = fabs(da[j]), best = j;
    return best;
}

// one direction in which forces are free: does it move the accelerations, and can it be gone?
static void try_direction(const slip_rigid *r, int count, const int *at, double *v, double force, double *da,
                          slip_openness *o)
{
    double size = 0.0, low, high, most, carried = 0.0;
    for (int k = 0; k < count; k++) size = fmax(size, fabs(v[k]));
    for (int k = 0; k < count && size > 0.0; k++) { // rounding must not forbid a direction
        v[k] *= force / size;
        if (fabs(v[k]) < ZERO_FORCE * force) v[k] = 0.0;
    }
    feasible(r, count, at, v, ZERO_FORCE * force, &low, &high);
    if (!(high - low > ZERO_FORCE)) return;
    int j = change(r, count, at, v, da, &most);
    for (int k = 0; k < count; k++)
        carried =
            fmax(carried,
                 force * fabs(j < 0 ? 0.0 : r->response[(size_t)at[k] * (size_t)r->system->n + (size_t)j]));
    if (j < 0 || !(most > ZERO_CHANGE * fmax(carried, r->scale))) return;
    low = fmax(low, -1e3), high = fmin(high, 1e3);
    double a = r->a[j] + low * da[j], b = r->a[j] + high * da[j];
    if (o->motion && fabs(b - a) <= o->high - o->low) return;
    o->motion = true;
    o->coordinate = j;
    o->low = fmin(a, b), o->high = fmax(a, b);
}

slip_openness slip_rigid_openness(const slip_rigid *r, double *work)
{
    slip_openness o = { .dimension = 0 };
    int m = r->most, at[256];
    double *K = work, *V = K + m * m, *value = V + m * m, *spare = value + m, *da = spare + 10 * m,
           force = 0.0;
    if (r->count == 0 || r->count > 256) return o.dimension = r->count ? -1 : 0, o;
    for (int i = 0; i < r->count; i++) force = fmax(force, fabs(r->x[i]));
    int count = kernel(r, 1e-8 * r->scale + 1e-12, at, K);
    if (count == 0 || force == 0.0) return o;
    double unused[1];
    if (LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'A', count, count, K, count, value, unused, 1, V, count,
                            spare, 10 * m) != 0)
        return o.dimension = -1, o;
    for (int k = count - 1; k >= 0 && value[k] <= ZERO_VALUE * value[0]; k--) {
        double *v = spare; // a row of V'
        for (int i = 0; i < count; i++) v[i] = V[i * count + k];
        o.dimension++;
        try_direction(r, count, at, v, force, da, &o);
    }
    return o;
}
