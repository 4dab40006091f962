/// verdict/contact/uniqueness_cache.c: what is known of a contact problem, and for how long.
#include "verdict/contact/uniqueness_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "verdict/contact/verdict_tolerances.h"

static void uniqueness_cache_layout(slip_arena *a, slip_uniqueness_cache *p, int elements, int n)
{
    int q = p->most;
    p->who = SLIP_TAKE(a, int, q);
    p->W = SLIP_TAKE(a, double, q *q);
    p->b = SLIP_TAKE(a, double, q);
    p->limit = SLIP_TAKE(a, double, q);
    p->way = SLIP_TAKE(a, double, q);
    p->same_W = SLIP_TAKE_SCRATCH(a, double, q *q);
    p->work = SLIP_TAKE_SCRATCH(a, double, slip_uniqueness_work_size(q));
    p->open_work = SLIP_TAKE_SCRATCH(a, double, slip_indeterminacy_work_size(q, n));
    p->now.owner = SLIP_TAKE_SCRATCH(a, int, q);
    p->now.at = SLIP_TAKE_SCRATCH(a, int, q);
    p->now.who = SLIP_TAKE_SCRATCH(a, int, q);
    p->now.mu = SLIP_TAKE_SCRATCH(a, double, elements);
    p->now.mass = SLIP_TAKE_SCRATCH(a, double, q);
    p->now.x = SLIP_TAKE_SCRATCH(a, double, q);
    p->now.rate = SLIP_TAKE_SCRATCH(a, double, q);
    p->now.D = SLIP_TAKE_SCRATCH(a, double, q *q);
    p->now.S = SLIP_TAKE_SCRATCH(a, double, q *q);
    p->now.c = SLIP_TAKE_SCRATCH(a, double, q);
    p->now.limit = SLIP_TAKE_SCRATCH(a, double, q);
    p->now.columns = SLIP_TAKE_SCRATCH(a, double, q *q);
    p->now.way = SLIP_TAKE_SCRATCH(a, double, q);
    p->now.response = SLIP_TAKE_SCRATCH(a, double, q *n);
    p->now.a = SLIP_TAKE_SCRATCH(a, double, n);
}

bool slip_uniqueness_cache_create(slip_uniqueness_cache *p, int most, int elements, int coordinates)
{
    *p =
        (slip_uniqueness_cache){ .most = most < SLIP_UNIQUENESS_MAX_UNKNOWNS ? most
                                                                             : SLIP_UNIQUENESS_MAX_UNKNOWNS };
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &p->memory))
        uniqueness_cache_layout(&arena, p, elements, coordinates);
    if (!p->memory) return false;
    return true;
}

void slip_uniqueness_cache_archive(slip_uniqueness_cache *p, int elements, int coordinates, slip_archive *a)
{
    slip_uniqueness_cache again = *p;
    slip_arena arena = { .base = p->memory, .archive = a };
    slip_archive_open(a, "proof");
    uniqueness_cache_layout(&arena, &again, elements, coordinates);
    slip_archive_bool(a, "known", &p->known);
    slip_archive_bool(a, "wide", &p->wide);
    slip_archive_bytes(a, "found", &p->found, sizeof p->found);
    slip_archive_bytes(a, "open", &p->open, sizeof p->open);
    slip_archive_int(a, "count", &p->count);
    slip_archive_long(a, "tried", &p->tried);
    slip_archive_int(a, "recalled", &p->recalled);
    slip_archive_close(a);
    p->compared = false;
    if (p->count < 0 || p->count > p->most)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "a proof of %d rows", p->count);
}

void slip_uniqueness_cache_destroy(slip_uniqueness_cache *p)
{
    free(p->memory);
}

static double largest_abs(int n, const double *x)
{
    double most = 0.0;
    for (int k = 0; k < n; k++) most = fabs(x[k]) > most ? fabs(x[k]) : most;
    return most;
}

static bool are_close(int n, const double *a, const double *b, double part)
{
    double most = 0.0, off = 0.0;
    for (int k = 0; k < n; k++) {
        double size = fabs(a[k]), change = fabs(a[k] - b[k]);
        if (size > most) most = size;
        if (!(change <= off)) off = change;
    }
    return off <= part * most;
}

bool slip_limits_near(int count, const double *a, const double *b, double part)
{
    for (int k = 0; k < count; k++)
        if (!(fabs(a[k] - b[k]) <= part * fabs(a[k]))) return false;
    return true;
}

// what rests has one W in all steps, and bits are compared faster than numbers
static bool is_close_to_key(slip_uniqueness_cache *p, const slip_uniqueness_key *key, double part)
{
    const double *W = key->W;
    const int entries = p->count * p->count;
    const size_t bytes = (size_t)entries * sizeof *W;
    if (p->compared && key->number && p->number == key->number) return true;
    if (p->compared && memcmp(p->same_W, W, bytes) == 0) return true;
    p->compared = are_close(entries, p->W, W, part);
    p->number = key->number;
    p->room = part * largest_abs(p->count, p->b);
    if (p->compared) memcpy(p->same_W, W, bytes);
    return p->compared;
}

bool slip_uniqueness_cache_is_valid(slip_uniqueness_cache *p, const slip_uniqueness_key *key)
{
    enum { OPEN_LOOKS = 8 };
    int q = key->count;
    double part = p->wide ? REUSE_CHANGE : REUSE_CHANGE_SMALL;
    if (p->forgets || !p->known || p->count != q || memcmp(p->who, key->who, (size_t)q * sizeof *p->who) != 0)
        return false;
    if (p->found == SLIP_MOTION_INDETERMINATE && ++p->recalled < OPEN_LOOKS) return true;
    return are_close(q, p->b, key->b, part) && slip_limits_near(q, p->limit, key->limit, part) &&
           (!key->way || are_close(q, p->way, key->way, part)) && is_close_to_key(p, key, part);
}

void slip_uniqueness_cache_set_second(slip_uniqueness_cache *p, int coordinate, double one, double other)
{
    p->open = (slip_indeterminacy){ .motion = true,
                                    .two = true,
                                    .coordinate = coordinate,
                                    .low = fmin(one, other),
                                    .high = fmax(one, other) };
    p->found = SLIP_MOTION_INDETERMINATE;
    p->wide = true;
}

slip_motion_uniqueness slip_uniqueness_cache_renew(slip_uniqueness_cache *p, const slip_uniqueness_key *key,
                                                   const slip_contact_solution *instant,
                                                   const slip_compliant_constants *constants)
{
    size_t q = (size_t)key->count;
    p->tried++;
    p->known = true;
    p->compared = false;
    p->recalled = 0;
    p->count = key->count;
    memcpy(p->who, key->who, q * sizeof *p->who);
    memcpy(p->b, key->b, q * sizeof *p->b);
    memcpy(p->limit, key->limit, q * sizeof *p->limit);
    memcpy(p->W, key->W, q * q * sizeof *p->W);
    if (key->way) memcpy(p->way, key->way, q * sizeof *p->way);
    p->found = slip_uniqueness_prove(instant, constants, p->work, &p->wide);
    p->open = (slip_indeterminacy){ 0 };
    if (p->found == SLIP_UNIQUENESS_NOT_PROVED && instant->normal_count > 0 && instant->count > 1) {
        p->open = slip_indeterminacy_find(instant, p->open_work);
        if (p->open.motion) p->found = SLIP_MOTION_INDETERMINATE, p->wide = true;
    }
    return p->found;
}
