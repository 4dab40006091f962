/// cycle/onward.c: further branches: of twice the period at a doubling, of other events behind a border.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "cycle/follower.h"

bool slip_same_events(const char *a, const char *b)
{
    slip_text twice = { 0 };
    slip_text_add(&twice, "%s, %s", a, a);
    bool same = strlen(a) == strlen(b) && (!twice.data || strstr(twice.data, b));
    slip_text_destroy(&twice);
    return same;
}

// a seed from f->trial and a tangent
static slip_branch_seed *plant(slip_follower *f, const double *tangent, int periods)
{
    size_t size = (size_t)f->size;
    double *room = malloc(2 * size * sizeof *room);
    if (!room || !slip_grow((void **)&f->seeds, &f->seed_capacity, f->seed_count, sizeof *f->seeds)) {
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

// Where a multiplier is -1, (M + I) v = 0: neighbours along v come back on the other side, and are home after
// two periods. v is the tangent of the doubled branch (Seydel 2010, section 5.6)
void slip_follower_double(slip_follower *f, double value)
{
    const slip_shooting *x = f->shooting;
    int n = f->n;
    double *A = f->system.A, *v = f->dz, length = 0.0;
    if (!f->doubled || f->periods > 8) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = f->fixed[i] ? i == j
                                       : (x->M[(size_t)j * (size_t)n + (size_t)i] + (i == j)) * f->scale[j] /
                                             f->scale[i];
    slip_pivots_factor(&f->system, n);
    if (f->system.rank == n) f->system.rank = n - 1; // singular up to rounding: the last pivot
    memset(v, 0, (size_t)f->size * sizeof *v);
    slip_pivots_null(&f->system, 0, v);
    for (int k = 0; k < n; k++) {
        if (f->fixed[k] || f->shifts[k]) v[k] = 0.0;
        length += v[k] * v[k];
    }
    for (int k = 0; k < n; k++) v[k] /= sqrt(length);
    double phase = f->phase;
    f->phase *= 0.5;
    slip_branch_seed *s = length > 0.0 ? plant(f, v, 2 * f->periods) : NULL;
    f->phase = phase;
    if (!s) return;
    s->doubled = true;
    if (!f->forced) s->z[n] *= 2.0;
    snprintf(s->origin, sizeof s->origin, "doubling at %s = %.12g", f->name, value);
}

// -------------------------------------------------------------------------------------------------- borders

// whether an orbit lies on a branch that is known: between two of its points, with the same events
static bool is_known(const slip_follower *f, const slip_cycle_branch *all, const slip_cycle *c, double value)
{
    for (const slip_cycle_branch *b = all; b; b = b->next)
        for (int k = 0; k + 1 < b->point_count; k++) {
            const slip_cycle_branch_point *p = &b->points[k], *q = p + 1;
            if (!p->cycle || !q->cycle || (p->value - value) * (q->value - value) > 0.0) continue;
            if (!slip_same_events(p->cycle->signature, c->signature) || p->cycle->start != q->cycle->start)
                continue;
            double share = q->value != p->value ? (value - p->value) / (q->value - p->value) : 0.0, far = 0.0;
            if (fabs(p->cycle->start - c->start) > 1e-3 * c->period && f->forced) continue;
            for (int i = 0; i < f->n; i++) {
                double x = p->cycle->state[i] + share * (q->cycle->state[i] - p->cycle->state[i]);
                far = fmax(far, fabs(x - c->state[i]) / f->scale[i]);
            }
            if (far < 0.05) return true;
        }
    return false;
}

static bool try_at(slip_follower *f, double value, const char *signature, const slip_cycle_branch *all)
{
    double *row = f->direction;
    memcpy(f->trial, f->z, (size_t)f->size * sizeof *f->z);
    f->trial[f->size - 1] = value;
    memset(row, 0, (size_t)f->size * sizeof *row);
    row[f->size - 1] = 1.0;
    if (!slip_follower_improve(f, row)) return false;
    slip_cycle *c = slip_follower_describe(f);
    bool fresh = c && !slip_same_events(c->signature, signature) && !is_known(f, all, c, value);
    slip_cycle_destroy(c);
    return fresh;
}

void slip_follower_cross(slip_follower *f, double value, const char *signature, const slip_cycle_branch *all)
{
    static const double parts[] = { 1e-6, 1e-5, 1e-4, 1e-3, 1e-2 };
    double ahead = f->tangent[f->size - 1] < 0.0 ? -1.0 : 1.0, range = fabs(f->to - f->from);
    for (int side = 0; side < 2 && !f->failed; side++)
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            double sense = side ? -ahead : ahead;
            if (!try_at(f, value + sense * parts[k] * range, signature, all)) continue;
            f->direction[f->size - 1] = sense;
            slip_follower_tangent(f, f->direction, f->dz);
            slip_branch_seed *s = plant(f, f->dz, f->periods);
            if (s) snprintf(s->origin, sizeof s->origin, "other events behind %s = %.12g", f->name, value);
            return;
        }
}
