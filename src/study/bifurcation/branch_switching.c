/// study/bifurcation/branch_switching.c: branch switching: to the orbit of twice the period at a period
/// doubling, and to the other branch at a branch point.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "study/bifurcation/continuation.h"

enum { MAX_DOUBLED_PERIODS = 8 }; // branches of more periods are not doubled again

bool slip_same_event_sequence(const char *a, const char *b)
{
    slip_text twice = { 0 };
    slip_text_add(&twice, "%s, %s", a, a);
    bool same = strlen(a) == strlen(b) && (!twice.data || strstr(twice.data, b));
    slip_text_destroy(&twice);
    return same;
}

slip_branch_seed *slip_continuation_add_seed(slip_continuation *f, const double *tangent, int periods)
{
    size_t size = (size_t)f->size;
    double *room = malloc(2 * size * sizeof *room);
    if (!room || !slip_array_grow((void **)&f->seeds, &f->seed_capacity, f->seed_count, sizeof *f->seeds)) {
        free(room);
        f->failed = true;
        return NULL;
    }
    slip_branch_seed *s = &f->seeds[f->seed_count++];
    *s = (slip_branch_seed){ .z = room, .tangent = room + size, .phase = f->phase, .periods = periods };
    memcpy(s->z, f->trial, size * sizeof *room);
    memcpy(s->tangent, tangent, size * sizeof *room);
    return s;
}

// ------------------------------------------------------------------------------------------------- doubling

// Where a multiplier is -1, (M + I) v = 0: a perturbation along v changes its sign after one period and is
// restored after two. v is the tangent of the doubled branch (Seydel 2010, section 5.6).
void slip_continuation_switch_doubled(slip_continuation *f, double value)
{
    const slip_shooting *x = f->shooting;
    int n = f->n;
    double *A = f->system.A, *v = f->dz, length = 0.0;
    if (!f->doubled || f->periods > MAX_DOUBLED_PERIODS) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = f->fixed[i] ? i == j
                                       : (x->M[(size_t)j * (size_t)n + (size_t)i] + (i == j)) * f->scale[j] /
                                             f->scale[i];
    slip_lu_complete_factor(&f->system, n);
    if (f->system.rank == n) f->system.rank = n - 1; // singular up to rounding, so the last pivot is dropped
    memset(v, 0, (size_t)f->size * sizeof *v);
    slip_lu_complete_null_vector(&f->system, 0, v);
    for (int k = 0; k < n; k++) {
        if (f->fixed[k] || f->shifts[k]) v[k] = 0.0;
        length += v[k] * v[k];
    }
    for (int k = 0; k < n; k++) v[k] /= sqrt(length);
    double phase = f->phase;
    f->phase *= 0.5;
    slip_branch_seed *s = length > 0.0 ? slip_continuation_add_seed(f, v, 2 * f->periods) : NULL;
    f->phase = phase;
    if (!s) return;
    s->beside = s->doubled = true;
    if (!f->forced) s->z[n] *= 2.0;
    snprintf(s->origin, sizeof s->origin, "doubling at %s = %.12g", f->name, value);
}

// ------------------------------------------------------------------------------------------------ crossings

// At a branch point the system with the tangent as its last row is singular. Its null vector is orthogonal to
// the branch being followed and, to first order, tangent to the other one (Seydel 2010, section 5.5).
void slip_continuation_switch_branch(slip_continuation *f, double value)
{
    const int size = f->size;
    double *v = f->dz, length = 0.0;
    (void)slip_continuation_branch_test(f, f->direction);
    if (f->system.rank == size) f->system.rank = size - 1;
    slip_lu_complete_null_vector(&f->system, 0, v);
    for (int k = 0; k < size; k++) length += v[k] * v[k];
    if (!(length > 0.0)) return;
    for (int k = 0; k < size; k++) v[k] /= sqrt(length);
    for (int side = 0; side < 2; side++) {
        slip_branch_seed *s = slip_continuation_add_seed(f, v, f->periods);
        if (!s) return;
        s->beside = true;
        snprintf(s->origin, sizeof s->origin, "branching at %s = %.12g", f->name, value);
        for (int k = 0; k < size; k++) v[k] = -v[k];
    }
}
