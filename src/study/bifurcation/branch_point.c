/// study/bifurcation/branch_point.c: locates branch points, where another branch crosses.
///
/// The system of an orbit is singular at a branch point, so that orbits very close to it are ill-conditioned.
/// The point is therefore interpolated from orbits at some distance on both sides: the parameter is a
/// polynomial of the determinant, evaluated where the determinant is zero.
#include <math.h>
#include <string.h>

#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/continuation.h"

enum { SAMPLES = 4, MAX_BRACKET_STEPS = 14, SPACING_COUNT = 6 };

// SAMPLE_SPACING is multiplied by these factors, one after the other, until two successive estimates agree.
static const double SPACING_FACTOR[SPACING_COUNT] = { 1.0, 0.25, 4.0, 2.0, 1.0, 0.5 };

// The determinant and the parameter at a distance s from the last point.
static bool determinant_at(slip_continuation *f, double s, double *g, double *value)
{
    if (!slip_continuation_correct(f, s)) return false;
    slip_continuation_tangent(f, f->tangent, f->direction);
    *g = slip_continuation_branch_test(f, f->direction);
    *value = f->trial[f->size - 1];
    return true;
}

// An estimate of the zero of the determinant in (0, ds), by secant steps and bisection in turn.
static double bracket_zero(slip_continuation *f, double ds, double ga, double gb)
{
    double a = 0.0, b = ds;
    for (int look = 0; look < MAX_BRACKET_STEPS && b - a > SAMPLE_SPACING; look++) {
        double g, value;
        double s = look % 2 ? 0.5 * (a + b) : a - ga * (b - a) / (gb - ga);
        s = fmin(fmax(s, a + BRACKET_INSET * (b - a)), b - BRACKET_INSET * (b - a));
        if (!determinant_at(f, s, &g, &value)) return s; // the corrector fails close to the branch point
        if ((g > 0.0) == (ga > 0.0))
            a = s, ga = g;
        else
            b = s, gb = g;
    }
    return a - ga * (b - a) / (gb - ga);
}

// The polynomial through the points (x, y), evaluated at x = 0 by Neville's algorithm.
static double neville_at_zero(const double *x, const double *y, int count)
{
    double p[SAMPLES];
    for (int k = 0; k < count; k++) p[k] = y[k];
    for (int level = 1; level < count; level++)
        for (int k = 0; k + level < count; k++)
            p[k] = (x[k + level] * p[k] - x[k] * p[k + 1]) / (x[k + level] - x[k]);
    return p[0];
}

// Stores the secant from the first sample to the last. At the branch point itself any combination of both
// tangents solves the system of the tangent.
static void store_secant(slip_continuation *f)
{
    double length = 0.0;
    for (int k = 0; k < f->size; k++) {
        f->secant[k] = (f->trial[k] - f->secant[k]) / f->scale[k];
        length += f->secant[k] * f->secant[k];
    }
    for (int k = 0; k < f->size; k++) f->secant[k] /= sqrt(length);
}

// The orbit as close to the branch point as the corrector converges.
static slip_cycle *take_orbit(slip_continuation *f, double there)
{
    double g, value;
    for (size_t k = 0; k < sizeof BRANCH_POINT_TRIES / sizeof *BRANCH_POINT_TRIES; k++)
        if (determinant_at(f, there + BRANCH_POINT_TRIES[k] * SAMPLE_SPACING, &g, &value))
            return slip_continuation_describe(f);
    return NULL;
}

// Improves the position *there of the branch point, and the parameter, by samples around it, `apart` from
// each other.
static bool interpolate_zero(slip_continuation *f, double apart, double *there, double *value)
{
    static const double steps[SAMPLES] = { -2.0, -1.0, 1.0, 2.0 }; // in units of `apart`
    double g[SAMPLES], place[SAMPLES], at[SAMPLES];
    int count = 0;
    for (int k = 0; k < SAMPLES; k++) {
        at[count] = *there + steps[k] * apart;
        if (!determinant_at(f, at[count], &g[count], &place[count]) || (count && g[count] == g[count - 1]))
            continue;
        if (count == 0) memcpy(f->secant, f->trial, (size_t)f->size * sizeof *f->secant);
        count++;
    }
    int k = 0; // the determinant changes sign between samples k and k + 1
    while (k + 1 < count && !(g[k] * g[k + 1] < 0.0)) k++;
    if (k + 1 >= count) return false;
    store_secant(f);
    *value = neville_at_zero(g, place, count);
    *there = neville_at_zero(g, at, count);
    if (*there >= at[k] && *there <= at[k + 1]) return true;
    *there = neville_at_zero(g + k, at + k, 2); // another sample lies on another branch
    *value = neville_at_zero(g + k, place + k, 2);
    return true;
}

slip_cycle *slip_continuation_branch_point(slip_continuation *f, double ds, double before, double behind,
                                           double *value)
{
    double there = bracket_zero(f, ds, before, behind), last = NAN, best = INFINITY, place = there;
    for (int round = 0; round < SPACING_COUNT && best > ESTIMATE_CONVERGED * fabs(f->to - f->from); round++) {
        double at;
        if (!interpolate_zero(f, SPACING_FACTOR[round] * SAMPLE_SPACING, &there, &at)) continue;
        const double far = fabs(at - last);
        if (far < best) best = far, *value = at, place = there;
        last = at;
    }
    slip_cycle *c = best < INFINITY ? take_orbit(f, place) : NULL;
    memcpy(f->direction, f->secant, (size_t)f->size * sizeof *f->secant);
    return c;
}
