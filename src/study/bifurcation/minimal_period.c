/// study/bifurcation/minimal_period.c: whether the period that was found is a multiple of the minimal period
/// of the orbit.
#include "study/bifurcation/minimal_period.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "study/bifurcation/bifurcation_tolerances.h"

enum { MAX_PERIOD_MULTIPLE = 64 };

// The largest difference between two states, relative to the extent of the motion in each; a state that
// hardly moves beside the others is measured by a fraction of the largest extent.
static double scaled_distance(const slip_cycle *c, const slip_shooting *s, const double *a, const double *b)
{
    double most = 0.0, far = 0.0;
    for (int k = 0; k < s->states; k++)
        if (!s->fixed[k] && !s->shifts[k]) most = fmax(most, c->high[k] - c->low[k]);
    if (!(most > 0.0)) return INFINITY;
    for (int k = 0; k < s->states; k++)
        if (!s->fixed[k] && !s->shifts[k])
            far = fmax(far, fabs(a[k] - b[k]) / fmax(c->high[k] - c->low[k], SMALLEST_STATE_SIZE * most));
    return far;
}

static bool flows_to(const slip_cycle *c, slip_shooting *s, double t, double length, const double *to)
{
    return slip_flow_map_run(s->shot, t, length, s->node) &&
           scaled_distance(c, s, s->shot->end, to) < STATES_EQUAL;
}

// Each part of the period has to lead from the point back to it, through the same intermediate state. It is
// not enough that a state is passed twice, because the forcing may have another phase there.
static bool repeats_in_parts(const slip_cycle *c, slip_shooting *s, int parts, double *middle)
{
    const double part = s->period / parts;
    for (int k = 0; k < parts; k++)
        if (!flows_to(c, s, c->start + k * part, part, s->node)) return false;
    if (!slip_flow_map_run(s->shot, c->start, MIDPOINT_FRACTION * part, s->node)) return false;
    memcpy(middle, s->shot->end, (size_t)s->states * sizeof *middle);
    for (int k = 1; k < parts; k++)
        if (!flows_to(c, s, c->start + k * part, MIDPOINT_FRACTION * part, middle)) return false;
    return true;
}

static void report_multiple(slip_cycle *c, const char *period)
{
    const size_t used = strlen(c->text);
    char own[120] = "";
    if (period && strlen(period) < 80) snprintf(own, sizeof own, "'(%s)/%d'", period, c->period_multiple);
    if (!own[0]) snprintf(own, sizeof own, "%.9g", c->period / c->period_multiple);
    snprintf(
        c->text + used, sizeof c->text - used,
        "%sthis orbit repeats after %.9g s already, %d times in the period: its multipliers are those of "
        "%d times its minimal period, powers of its own; --%s %s gives these",
        used ? "; " : "", c->period / c->period_multiple, c->period_multiple, c->period_multiple,
        c->forced ? "period" : "guess", own);
}

slip_status slip_cycle_find_minimal_period(slip_cycle *c, slip_shooting *s, const char *period,
                                           slip_error *error)
{
    static const int primes[] = { 2, 3, 5, 7, 11, 13 };
    double *middle = calloc((size_t)s->states + 1, sizeof *middle);
    if (!middle) return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    for (size_t k = 0; k < sizeof primes / sizeof *primes; k++)
        while (c->period_multiple * primes[k] <= MAX_PERIOD_MULTIPLE &&
               repeats_in_parts(c, s, c->period_multiple * primes[k], middle))
            c->period_multiple *= primes[k];
    free(middle);
    if (c->period_multiple > 1) report_multiple(c, period);
    return SLIP_OK;
}
