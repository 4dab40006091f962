/// simulation/sim/history.c: the history of one value, and interpolating polynomials through it.
#include "simulation/sim/history.h"

#include <math.h>
#include <string.h>

#include "simulation/sim/sim_tolerances.h"

enum {
    INTERPOLATION_POINTS = SLIP_DELAY_COEFFICIENTS,
    KNOTS_KEPT_BEFORE = INTERPOLATION_POINTS,
    KNOTS_VALID_AHEAD = 3
};

// The last knot at or before s; -1: there is none.
static long find_knot(const slip_history *p, double s)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->knots[middle].t <= s)
            low = middle + 1;
        else
            high = middle;
    }
    return (long)low - 1;
}

// ------------------------------------------------------------------------------------------------ adding

static void drop_older(slip_history *p, double before)
{
    long old = find_knot(p, before) - KNOTS_KEPT_BEFORE;
    if (old <= 0) return;
    p->count -= (size_t)old;
    memmove(p->knots, p->knots + old, p->count * sizeof *p->knots);
}

// Removes every second knot inside each smooth piece.
static void thin_out(slip_history *p)
{
    size_t kept = 0;
    bool skipped = true;
    for (size_t k = 0; k < p->count; k++) {
        bool inner = k > 0 && k + 1 < p->count && !p->knots[k].first && !p->knots[k + 1].first;
        skipped = inner && !skipped;
        if (!skipped) p->knots[kept++] = p->knots[k];
    }
    p->count = kept;
}

bool slip_history_add(slip_history *p, slip_history_knot knot, double now)
{
    if (p->count == p->room) {
        drop_older(p, now - p->tau);
        if (2 * p->count > p->room) thin_out(p);
        if (8 * p->count > 7 * p->room) return false;
    }
    p->knots[p->count++] = knot;
    p->largest = fmax(p->largest, fabs(knot.value));
    return true;
}

// --------------------------------------------------------------------------------------------- polynomials

/// The data that a polynomial interpolates; a knot with a derivative counts twice.
typedef struct interpolation_data {
    double z[INTERPOLATION_POINTS], f[INTERPOLATION_POINTS], slope[INTERPOLATION_POINTS];
    int count;
} interpolation_data;

static bool is_apart(const interpolation_data *d, double z, double least)
{
    for (int i = 0; i < d->count; i++)
        if (fabs(d->z[i] - z) < least) return false;
    return true;
}

static void add_knot(interpolation_data *d, const slip_history_knot *k, double origin)
{
    bool twice = !isnan(k->slope) && d->count + 2 <= INTERPOLATION_POINTS;
    for (int i = 0; i < 1 + twice; i++) {
        d->z[d->count] = k->t - origin;
        d->f[d->count] = k->value;
        d->slope[d->count++] = k->slope;
    }
}

// Gathers the nearest knots on both sides within the same smooth piece.
static interpolation_data gather_knots(const slip_history *p, long at, double centre, double origin,
                                       double length)
{
    interpolation_data d = { .count = 0 };
    long left = at, right = at + 1, count = (long)p->count;
    bool more_left = true, more_right = right < count && !p->knots[right].first;
    double least = MIN_KNOT_SPACING * fmax(length, more_right ? p->knots[right].t - p->knots[left].t : 0.0);
    while (d.count < INTERPOLATION_POINTS && (more_left || more_right)) {
        bool go_left = more_left && (!more_right || centre - p->knots[left].t <= p->knots[right].t - centre);
        const slip_history_knot *k = &p->knots[go_left ? left : right];
        if (is_apart(&d, k->t - origin, least)) add_knot(&d, k, origin);
        if (go_left)
            more_left = left > 0 && !k->first, left--;
        else
            right++, more_right = right < count && !p->knots[right].first;
    }
    return d;
}

// Newton's divided differences, with the derivative where a node is double, expanded in powers of s - origin.
static void expand_polynomial(const interpolation_data *d, double c[INTERPOLATION_POINTS])
{
    double table[INTERPOLATION_POINTS];
    int n = d->count;
    memcpy(table, d->f, sizeof table);
    for (int order = 1; order < n; order++)
        for (int i = n - 1; i >= order; i--) {
            double width = d->z[i] - d->z[i - order];
            table[i] = width == 0.0 ? d->slope[i] : (table[i] - table[i - 1]) / width;
        }
    memset(c, 0, INTERPOLATION_POINTS * sizeof *c);
    for (int i = n - 1; i >= 0; i--) { // c = table[i] + (x - z[i]) c
        for (int k = INTERPOLATION_POINTS - 1; k > 0; k--) c[k] = c[k - 1] - d->z[i] * c[k];
        c[0] = table[i] - d->z[i] * c[0];
    }
}

int slip_history_interpolate(const slip_history *p, double centre, double origin, double length,
                             double c[INTERPOLATION_POINTS])
{
    long at = find_knot(p, centre);
    if (at < 0) {
        memset(c, 0, INTERPOLATION_POINTS * sizeof *c);
        c[0] = p->knots[0].value;
        return INTERPOLATION_POINTS;
    }
    interpolation_data d = gather_knots(p, at, centre, origin, length);
    expand_polynomial(&d, c);
    return d.count;
}

double slip_history_valid_until(const slip_history *p, double s)
{
    size_t at = (size_t)(find_knot(p, s) + 1), end = at;
    while (end < p->count && end < at + KNOTS_VALID_AHEAD) end++;
    return at == 0 ? p->knots[0].t : p->knots[end < p->count ? end : p->count - 1].t;
}

void slip_history_archive(slip_history *p, slip_archive *a)
{
    long count = (long)p->count;
    slip_archive_open(a, "past");
    slip_archive_long(a, "count", &count);
    if (a->status == SLIP_OK && (count < 0 || (size_t)count > p->room))
        slip_archive_fail(a, SLIP_BAD_FILE, "the past has %ld knots, and room for %zu", count, p->room);
    if (a->status != SLIP_OK) return;
    p->count = (size_t)count;
    slip_archive_double(a, "largest", &p->largest);
    for (size_t k = 0; k < p->count; k++) {
        slip_archive_double(a, "t", &p->knots[k].t);
        slip_archive_double(a, "value", &p->knots[k].value);
        slip_archive_double(a, "slope", &p->knots[k].slope);
        slip_archive_bool(a, "first", &p->knots[k].first);
    }
    slip_archive_close(a);
}
