/// study/bifurcation/branch_point.c: where another branch crosses, and both ways along that.
///
/// The system of a point is singular there, so that orbits very near to it are known less and less well. The
/// place comes from orbits a little way off on both sides: the parameter as a polynomial of the determinant,
/// at zero.
#include <math.h>
#include <string.h>

#include "study/bifurcation/continuation.h"

enum { SAMPLES = 4, MAX_BRACKET_STEPS = 14, SPACING_COUNT = 6 };
static const double SAMPLE_SPACING =
    1e-3; // of the unit sizes: from one sample to the next, times these until two
static const double SPACING_FACTOR[SPACING_COUNT] = {
    1.0, 0.25, 4.0, 2.0, 1.0, 0.5
};                                             // estimates in a row agree
static const double ESTIMATE_TOLERANCE = 1e-9; // of the range of the parameter

// the determinant and the parameter at a distance s from the last point
static bool determinant_at(slip_continuation *f, double s, double *g, double *value)
{
    if (!slip_continuation_correct(f, s)) return false;
    slip_continuation_tangent(f, f->tangent, f->direction);
    *g = slip_continuation_branch_test(f, f->direction);
    *value = f->trial[f->size - 1];
    return true;
}

// roughly where the determinant is zero in (0, ds): secants and halves by turns
static double bracket_zero(slip_continuation *f, double ds, double ga, double gb)
{
    double a = 0.0, b = ds;
    for (int look = 0; look < MAX_BRACKET_STEPS && b - a > SAMPLE_SPACING; look++) {
        double g, value;
        double s = look % 2 ? 0.5 * (a + b) : a - ga * (b - a) / (gb - ga);
        s = fmin(fmax(s, a + 0.02 * (b - a)), b - 0.02 * (b - a));
        if (!determinant_at(f, s, &g, &value)) return s; // nothing is found at the point itself
        if ((g > 0.0) == (ga > 0.0))
            a = s, ga = g;
        else
            b = s, gb = g;
    }
    return a - ga * (b - a) / (gb - ga);
}

// the polynomial through (x, y) at x = 0 (Neville)
static double neville_at_zero(const double *x, const double *y, int count)
{
    double p[SAMPLES];
    for (int k = 0; k < count; k++) p[k] = y[k];
    for (int level = 1; level < count; level++)
        for (int k = 0; k + level < count; k++)
            p[k] = (x[k + level] * p[k] - x[k] * p[k + 1]) / (x[k + level] - x[k]);
    return p[0];
}

// the secant from the first sample to the last: at the point itself the tangent is lost among all vectors of
// both branches
static void store_secant(slip_continuation *f)
{
    double length = 0.0;
    for (int k = 0; k < f->size; k++) {
        f->secant[k] = (f->trial[k] - f->secant[k]) / f->scale[k];
        length += f->secant[k] * f->secant[k];
    }
    for (int k = 0; k < f->size; k++) f->secant[k] /= sqrt(length);
}

// the orbit as near to the place as one can be found
static slip_cycle *take_orbit(slip_continuation *f, double there)
{
    static const double steps[] = { 0.0, 0.05, -0.05, 1.0 };
    double g, value;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        if (determinant_at(f, there + steps[k] * SAMPLE_SPACING, &g, &value))
            return slip_continuation_describe(f);
    return NULL;
}

// from samples around *there, `apart` from each other: the place and the parameter at zero
static bool interpolate_zero(slip_continuation *f, double apart, double *there, double *value)
{
    static const double steps[SAMPLES] = { -2.0, -1.0, 1.0, 2.0 };
    double g[SAMPLES], place[SAMPLES], at[SAMPLES];
    int count = 0;
    for (int k = 0; k < SAMPLES; k++) {
        at[count] = *there + steps[k] * apart;
        if (!determinant_at(f, at[count], &g[count], &place[count]) || (count && g[count] == g[count - 1]))
            continue;
        if (count == 0) memcpy(f->secant, f->trial, (size_t)f->size * sizeof *f->secant);
        count++;
    }
    int k = 0; // the pair that it passes zero between
    while (k + 1 < count && !(g[k] * g[k + 1] < 0.0)) k++;
    if (k + 1 >= count) return false;
    store_secant(f);
    *value = neville_at_zero(g, place, count);
    *there = neville_at_zero(g, at, count);
    if (*there >= at[k] && *there <= at[k + 1]) return true;
    *there = neville_at_zero(g + k, at + k, 2); // a sample is of another orbit
    *value = neville_at_zero(g + k, place + k, 2);
    return true;
}

slip_cycle *slip_continuation_branch_point(slip_continuation *f, double ds, double before, double behind,
                                           double *value)
{
    double there = bracket_zero(f, ds, before, behind), last = NAN, best = INFINITY, place = there;
    for (int round = 0; round < SPACING_COUNT && best > ESTIMATE_TOLERANCE * fabs(f->to - f->from); round++) {
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
