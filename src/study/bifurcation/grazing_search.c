/// study/bifurcation/grazing_search.c: the orbit beyond a discontinuity-induced bifurcation, with another
/// event sequence.
///
/// Newton's method from the last point finds this orbit where the motion changes little. At a grazing
/// bifurcation it does not, because of the square-root singularity: the impact speed v of the new orbit is
/// linear in the parameter, and its states differ by the order of v from those of the old one, but the
/// penetration without impact is only of the order of v^2 (Nordmark 1991). The search therefore starts from
/// states whose motion just touches: there the Newton steps are too short rather than too long, and do not
/// lead back to the orbit without impact.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/continuation.h"

// True if the orbit lies on a known branch: close to the line between two of its points, with the same
// events.
static bool is_known_orbit(const slip_continuation *f, const slip_cycle_branch *all, const slip_cycle *c,
                           double value)
{
    for (const slip_cycle_branch *b = all; b; b = b->next)
        for (int k = 0; k + 1 < b->point_count; k++) {
            const slip_cycle_branch_point *p = &b->points[k], *q = p + 1;
            if (!p->cycle || !q->cycle || (p->value - value) * (q->value - value) > 0.0) continue;
            if (!slip_same_event_sequence(p->cycle->signature, c->signature) ||
                p->cycle->start != q->cycle->start)
                continue;
            double share = q->value != p->value ? (value - p->value) / (q->value - p->value) : 0.0, far = 0.0;
            if (fabs(p->cycle->start - c->start) > KNOWN_ORBIT_START * c->period && f->forced) continue;
            for (int i = 0; i < f->n; i++) {
                double x = p->cycle->state[i] + share * (q->cycle->state[i] - p->cycle->state[i]);
                far = fmax(far, fabs(x - c->state[i]) / f->scale[i]);
            }
            if (far < KNOWN_ORBIT_DISTANCE) return true;
        }
    return false;
}

// The orbit beyond a border has about the same states as the one before it.
static bool is_near_last_orbit(const slip_continuation *f, const slip_cycle *c)
{
    for (int k = 0; k < f->n; k++)
        if (!f->fixed[k] && fabs(c->state[k] - f->z[k]) > BEYOND_BORDER_DISTANCE * f->scale[k]) return false;
    return true;
}

// True if Newton's method from f->trial, at constant parameter, converges to a new orbit with another event
// sequence.
static bool converges_to_new_orbit(slip_continuation *f, const char *signature, const slip_cycle_branch *all)
{
    double *row = f->direction;
    memset(row, 0, (size_t)f->size * sizeof *row);
    row[f->size - 1] = 1.0;
    if (!slip_continuation_newton(f, row)) return false;
    slip_cycle *c = slip_continuation_describe(f);
    bool fresh = c && !slip_same_event_sequence(c->signature, signature) && is_near_last_orbit(f, c) &&
                 !is_known_orbit(f, all, c, f->trial[f->size - 1]);
    slip_cycle_destroy(c);
    return fresh;
}

static void start_from_last(slip_continuation *f, double value)
{
    memcpy(f->trial, f->z, (size_t)f->size * sizeof *f->z);
    f->trial[f->size - 1] = value;
}

// -------------------------------------------------------------------------------------------- three attempts

/// An attempt at one value of the parameter.
typedef struct grazing_attempt {
    double value, border;
    const char *signature; // event sequence before the border
    const slip_cycle_branch *all;
    const double *slope; // derivative of the smallest gap of the last orbit, per state; NULL: nothing grazes
    double gap;          // its derivative with respect to the parameter, along the branch
} grazing_attempt;

static bool try_plain(slip_continuation *f, const grazing_attempt *l)
{
    start_from_last(f, l->value);
    return converges_to_new_orbit(f, l->signature, l->all);
}

// Starts from a motion that just touches: the branch before the border is extrapolated to this value of the
// parameter, and the state on which the gap depends most is moved until the gap is slightly negative.
static bool try_touching(slip_continuation *f, const grazing_attempt *l)
{
    const double far = l->value - f->z[f->size - 1], gap = l->gap * (l->value - l->border);
    int best = -1;
    for (int k = 0; k < f->n && l->slope; k++)
        if (!f->fixed[k] &&
            (best < 0 || fabs(l->slope[k]) * f->scale[k] > fabs(l->slope[best]) * f->scale[best]))
            best = k;
    if (best < 0 || !(fabs(l->slope[best]) > 0.0)) return false;
    for (size_t d = 0; d < sizeof TOUCHING_DEPTHS / sizeof *TOUCHING_DEPTHS; d++) {
        start_from_last(f, l->value);
        const double along = f->tangent[f->size - 1] * f->scale[f->size - 1];
        for (int k = 0; k < f->n; k++) f->trial[k] += far * f->tangent[k] * f->scale[k] / along;
        f->trial[best] -= (gap + TOUCHING_DEPTHS[d] * fabs(gap)) / l->slope[best];
        if (converges_to_new_orbit(f, l->signature, l->all)) return true;
    }
    return false;
}

// Starts at some distance from the last point, one rate at a time: Newton's method does not leave a sticking
// motion.
static bool try_displaced(slip_continuation *f, const grazing_attempt *l)
{
    for (int k = f->n / 2; k < f->n; k++)
        for (size_t m = 0; m < sizeof RATE_DISPLACEMENTS / sizeof *RATE_DISPLACEMENTS && !f->fixed[k]; m++) {
            start_from_last(f, l->value);
            f->trial[k] += RATE_DISPLACEMENTS[m] * f->scale[k];
            if (converges_to_new_orbit(f, l->signature, l->all)) return true;
        }
    return false;
}

// One-sided derivatives of the smallest gap with respect to each state, on the side on which it grows. False:
// nothing grazes.
static bool find_gap_slopes(slip_continuation *f, double border, double *slope, double *gap)
{
    const double here = f->z[f->size - 1];
    if (!slip_continuation_evaluate(f, f->z)) return false;
    const double least = f->shot->least_gap;
    if (!(least < GRAZING_GAP) || here == border) return false;
    *gap = least / (here - border);
    for (int k = 0; k < f->n; k++) {
        slope[k] = 0.0;
        for (int side = 0; side < 2 && !f->fixed[k]; side++) {
            const double step = (side ? -GRAZING_GAP_STEP : GRAZING_GAP_STEP) * f->scale[k];
            start_from_last(f, here);
            f->trial[k] += step;
            if (!slip_continuation_evaluate(f, f->trial)) continue;
            const double open = f->shot->least_gap; // infinite where the contact closes instead
            if (open > least && isfinite(open)) slope[k] = (open - least) / step;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------ all

static void plant_after_border(slip_continuation *f, double border, double sense)
{
    f->direction[f->size - 1] = sense;
    slip_continuation_tangent(f, f->direction, f->dz);
    slip_branch_seed *s = slip_continuation_add_seed(f, f->dz, f->periods);
    if (s) snprintf(s->origin, sizeof s->origin, "other events behind %s = %.12g", f->name, border);
}

void slip_continuation_search_grazing(slip_continuation *f, double border, const char *signature,
                                      const slip_cycle_branch *all)
{
    static bool (*const attempts[])(slip_continuation *, const grazing_attempt *) = { try_plain, try_touching,
                                                                                      try_displaced };
    const double ahead = f->tangent[f->size - 1] < 0.0 ? -1.0 : 1.0, range = fabs(f->to - f->from);
    grazing_attempt l = { .border = border, .signature = signature, .all = all };
    for (size_t a = 0; a < sizeof attempts / sizeof *attempts; a++) {
        if (attempts[a] == try_touching && find_gap_slopes(f, border, f->secant, &l.gap)) l.slope = f->secant;
        for (int side = 0; side < 2 && !f->failed; side++)
            for (size_t k = a ? 2 : 0; k < sizeof BORDER_DISTANCES / sizeof *BORDER_DISTANCES;
                 k++) { // displaced starts need some room
                const double sense = side ? -ahead : ahead;
                l.value = border + sense * BORDER_DISTANCES[k] * range;
                if (!attempts[a](f, &l)) continue;
                plant_after_border(f, border, sense);
                return;
            }
    }
    size_t used = strlen(f->branch->text);
    snprintf(f->branch->text + used, sizeof f->branch->text - used,
             "; no other orbit was found within 1 %% of the range behind it");
}
