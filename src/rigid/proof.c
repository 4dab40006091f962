/// rigid/proof.c: a proof that holds for a while.
#include "rigid/proof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"

static void layout(slip_arena *a, slip_proof *p, int elements)
{
    size_t q = (size_t)p->most;
    p->owner = SLIP_TAKE(a, int, q);
    p->D = SLIP_TAKE(a, double, q *q);
    p->c = SLIP_TAKE(a, double, q);
    p->now.owner = SLIP_TAKE(a, int, q);
    p->now.at = SLIP_TAKE(a, int, q);
    p->now.mu = SLIP_TAKE(a, double, elements);
    p->now.mass = SLIP_TAKE(a, double, q);
    p->now.x = SLIP_TAKE(a, double, q);
    p->now.rate = SLIP_TAKE(a, double, q);
    p->now.D = SLIP_TAKE(a, double, q *q);
    p->now.S = SLIP_TAKE(a, double, q *q);
    p->now.c = SLIP_TAKE(a, double, q);
    p->now.columns = SLIP_TAKE(a, double, q *q);
    p->work = SLIP_TAKE(a, double, slip_unique_size(p->most));
}

bool slip_proof_create(slip_proof *p, int most, int elements)
{
    *p = (slip_proof){ .most = most < SLIP_UNIQUE_MOST ? most : SLIP_UNIQUE_MOST };
    slip_arena count = { 0 };
    layout(&count, p, elements);
    slip_arena real = { .base = slip_arena_memory(count.used) };
    if (!real.base) return false;
    p->memory = real.base;
    layout(&real, p, elements);
    return true;
}

void slip_proof_destroy(slip_proof *p)
{
    free(p->memory);
}

static bool near_by(int n, const double *a, const double *b)
{
    double most = 0.0, off = 0.0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(a[k])), off = fmax(off, fabs(a[k] - b[k]));
    return off <= 0.02 * most;
}

static bool unchanged(const slip_proof *p, const slip_instant *i, const double *c)
{
    return p->known && p->count == i->count && p->normal_count == i->normal_count &&
           memcmp(p->owner, i->owner, (size_t)i->count * sizeof *p->owner) == 0 &&
           near_by(i->count, p->c, c) && near_by(i->count * i->count, p->D, i->D);
}

slip_motion_count slip_prove(slip_proof *p, const slip_instant *i, const double *c,
                             const slip_compliant_constants *constants)
{
    if (i->count > p->most) return SLIP_NOT_PROVED;
    if (unchanged(p, i, c)) return p->found;
    p->tried++;
    p->known = true;
    p->count = i->count, p->normal_count = i->normal_count;
    memcpy(p->owner, i->owner, (size_t)i->count * sizeof *p->owner);
    memcpy(p->c, c, (size_t)i->count * sizeof *p->c);
    memcpy(p->D, i->D, (size_t)(i->count * i->count) * sizeof *p->D);
    return p->found = slip_unique_motion(i, constants, p->work);
}
