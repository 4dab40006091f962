/// study/bifurcation/bifurcations.c: detection and location of special points by test functions.
///
/// Folds, period doublings and tori are zeros of a test function between two orbits. Where the event sequence
/// of the orbit changes, the branch ends: its border is approached by halving steps, and located by
/// extrapolating the quantity that vanishes there.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/continuation.h"
#include "sensitivity/sensitivity.h"

enum { MAX_LOCATE_STEPS = 40 };

const char *slip_branch_kind_name(slip_branch_kind kind)
{
#define AS_WORD(name, word, text) word,
    static const char *const words[] = { SLIP_BRANCH_KINDS(AS_WORD) };
    return kind >= 0 && kind < SLIP_BRANCH_COUNT ? words[kind] : "";
}

// The square of the shortest phase of sticking. Where the phase vanishes, its square is linear in the
// parameter, as the square of a chord is in the height of the arc above it.
static double shortest_hold(const slip_cycle *c)
{
    double least = INFINITY;
    for (int k = 0; k < c->event_count; k++) {
        if (c->events[k].kind != SLIP_EVENT_STICK) continue;
        for (int i = 1; i <= c->event_count; i++) {
            const slip_cycle_event *e = &c->events[(k + i) % c->event_count];
            if (strcmp(e->element, c->events[k].element) != 0) continue;
            double time = e->t - c->events[k].t;
            if (time <= 0.0) time += c->period;
            if (e->kind == SLIP_EVENT_SLIDE) least = fmin(least, time);
            break;
        }
    }
    return least * least;
}

double slip_period_doubling_test(const slip_cycle *c)
{
    double product = 1.0;
    for (int k = 0; k < c->multiplier_count; k++)
        if (c->multiplier_im[k] == 0.0) product *= 1.0 + c->multiplier_re[k];
    return product;
}

// The number of multipliers outside the unit circle; -1 where one other than the trivial ones is too close to
// decide.
static int count_unstable_multipliers(const slip_cycle *c)
{
    const double margin = UNIT_CIRCLE_MARGIN;
    int outside = 0, near = 0;
    for (int k = 0; k < c->multiplier_count; k++) {
        const double modulus = slip_hypot(c->multiplier_re[k], c->multiplier_im[k]);
        outside += modulus > 1.0 + margin;
        near += fabs(modulus - 1.0) <= margin;
    }
    return near == c->trivial ? outside : -1;
}

slip_branch_tests slip_continuation_test_functions(slip_continuation *f, const slip_cycle *c,
                                                   const double *tangent)
{
    const slip_sensitivity *t = f->shot->tangent;
    slip_branch_tests v = { .fold = tangent[f->size - 1],
                            .doubling = slip_period_doubling_test(c),
                            .outside = count_unstable_multipliers(c),
                            .crossing = slip_continuation_branch_test(f, tangent),
                            .gap = t ? t->least.gap : INFINITY,
                            .strike = t ? t->least.strike : INFINITY,
                            .turn = t ? t->least.turn : INFINITY,
                            .rest = t ? t->least.rest : INFINITY,
                            .slide = t ? t->least.slide : INFINITY,
                            .hold = shortest_hold(c) };
    double modulus = 0.0;
    for (int k = 0; k < c->multiplier_count; k++) {
        double re = c->multiplier_re[k], im = c->multiplier_im[k];
        if (im != 0.0) modulus = fmax(modulus, slip_hypot(re, im)), v.complex = true;
    }
    v.torus = modulus - 1.0;
    return v;
}

bool slip_continuation_add_point(slip_continuation *f, double value, slip_branch_kind kind, slip_cycle *cycle)
{
    slip_cycle_branch *b = f->branch;
    if (!slip_array_grow((void **)&b->points, &f->capacity, (size_t)b->point_count, sizeof *b->points)) {
        slip_cycle_destroy(cycle);
        f->failed = true;
        return false;
    }
    b->points[b->point_count++] = (slip_cycle_branch_point){ value, kind, cycle };
    return true;
}

static double test_of(const slip_branch_tests *v, slip_branch_kind kind)
{
    switch (kind) {
    case SLIP_BRANCH_FOLD:
        return v->fold;
    case SLIP_BRANCH_DOUBLING:
        return v->doubling;
    case SLIP_BRANCH_BRANCHING:
        return v->crossing;
    default:
        return v->torus;
    }
}

// A test function also changes sign between orbits of two branches, or through infinity. A special point is
// genuine only if the multipliers confirm it.
static bool is_confirmed(const slip_cycle *c, slip_branch_kind kind)
{
    const double near =
        kind == SLIP_BRANCH_BRANCHING ? BRANCH_POINT_MULTIPLIER_DISTANCE : SPECIAL_MULTIPLIER_DISTANCE;
    int count = 0;
    for (int k = 0; k < c->multiplier_count; k++) {
        const double re = c->multiplier_re[k], im = c->multiplier_im[k];
        if (kind == SLIP_BRANCH_TORUS)
            count += im != 0.0 && fabs(slip_hypot(re, im) - 1.0) < near;
        else
            count += slip_hypot(re - (kind == SLIP_BRANCH_DOUBLING ? -1.0 : 1.0), im) < near;
    }
    return count > (kind == SLIP_BRANCH_FOLD || kind == SLIP_BRANCH_BRANCHING ? c->trivial : 0);
}

// True if the branch already has a branch point, or a Hopf point, at the same place.
static bool has_branch_point(const slip_cycle_branch *b, const slip_cycle *c, double value, double range,
                             const double *scale)
{
    for (int k = 0; b && k < b->point_count; k++) {
        const slip_cycle_branch_point *p = &b->points[k];
        if (p->kind != SLIP_BRANCH_BRANCHING && p->kind != SLIP_BRANCH_HOPF) continue;
        if (fabs(p->value - value) > SAME_POINT_VALUE * range) continue;
        double far = 0.0;
        for (int i = 0; i < c->state_count && p->cycle->start == c->start; i++)
            far = fmax(far, fabs(p->cycle->state[i] - c->state[i]) / scale[i]);
        if (far < SAME_POINT_STATES) return true;
    }
    return false;
}

// True if the orbit shrinks to an equilibrium. Beyond such a point the branch repeats the same orbits, half a
// period later.
static bool has_shrunk_to_point(const slip_continuation *f, const slip_cycle *c)
{
    double most = 0.0;
    for (int k = 0; k < f->n; k++) most = fmax(most, (c->high[k] - c->low[k]) / f->scale[k]);
    return !f->forced && most < SHRUNK_ORBIT_EXTENT;
}

// Adds the orbit evaluated last as a special point. A branch point that is already known ends the branch that
// arrives at it. A fold at a branch point is not added: it only appears because the other branch turns back
// there.
static void add_special_point(slip_continuation *f, double value, slip_branch_kind kind, slip_cycle *c)
{
    const double range = fabs(f->to - f->from);
    bool known = false;
    if (kind == SLIP_BRANCH_BRANCHING && has_shrunk_to_point(f, c)) kind = SLIP_BRANCH_HOPF;
    for (const slip_cycle_branch *b = f->all; b && kind == SLIP_BRANCH_BRANCHING; b = b->next)
        known = known || has_branch_point(b, c, value, range, f->scale);
    if ((kind != SLIP_BRANCH_HOPF && !is_confirmed(c, kind)) ||
        (kind == SLIP_BRANCH_FOLD && has_branch_point(f->branch, c, value, range, f->scale))) {
        slip_cycle_destroy(c);
        return;
    }
    if (!slip_continuation_add_point(f, value, kind, c)) return;
    if (kind == SLIP_BRANCH_DOUBLING) slip_continuation_switch_doubled(f, value);
    if (kind == SLIP_BRANCH_BRANCHING && !known) slip_continuation_switch_branch(f, value);
    f->joins = f->joins || (known && f->branch != f->all);
    f->vanishes = f->vanishes || kind == SLIP_BRANCH_HOPF;
}

// Locates the zero of a test function in (0, ds) by the Illinois variant of regula falsi. The last point is
// not changed.
static void locate_zero(slip_continuation *f, double ds, slip_branch_kind kind,
                        const slip_branch_tests *first, const slip_branch_tests *last)
{
    double a = 0.0, b = ds, fa = test_of(first, kind), fb = test_of(last, kind);
    slip_cycle *found = NULL;
    double value = NAN;
    for (int look = 0; look < MAX_LOCATE_STEPS && b - a > LOCATE_CONVERGED; look++) {
        double s = look % 4 == 3 ? 0.5 * (a + b) : a - fa * (b - a) / (fb - fa);
        s = fmin(fmax(s, a + LOCATE_INSET * (b - a)), b - LOCATE_INSET * (b - a));
        if (!slip_continuation_correct(f, s)) break;
        slip_continuation_tangent(f, f->tangent, f->direction);
        slip_cycle *c = slip_continuation_describe(f);
        if (!c) break;
        slip_branch_tests v = slip_continuation_test_functions(f, c, f->direction);
        slip_cycle_destroy(found);
        found = c;
        double g = test_of(&v, kind), before = value;
        value = f->trial[f->size - 1];
        if (fabs(value - before) < LOCATE_CONVERGED * (fabs(f->to - f->from) + fabs(value)) || g == 0.0)
            break;
        if ((g > 0.0) == (fa > 0.0))
            a = s, fa = g, fb *= 0.5;
        else
            b = s, fb = g, fa *= 0.5;
    }
    if (found) add_special_point(f, value, kind, found);
}

bool slip_continuation_locate_special(slip_continuation *f, double ds, const slip_branch_tests *a,
                                      const slip_branch_tests *b)
{
    int count = f->branch->point_count;
    bool looked = a->fold * b->fold < 0.0 || a->doubling * b->doubling < 0.0;
    if (a->crossing * b->crossing < 0.0) {
        double value;
        slip_cycle *c = slip_continuation_branch_point(f, ds, a->crossing, b->crossing, &value);
        if (c) add_special_point(f, value, SLIP_BRANCH_BRANCHING, c);
        looked = true;
    }
    if (a->fold * b->fold < 0.0) locate_zero(f, ds, SLIP_BRANCH_FOLD, a, b);
    if (a->doubling * b->doubling < 0.0) locate_zero(f, ds, SLIP_BRANCH_DOUBLING, a, b);
    if (a->complex && b->complex && a->torus * b->torus < 0.0) locate_zero(f, ds, SLIP_BRANCH_TORUS, a, b);
    return looked || f->branch->point_count > count;
}

int slip_unit_circle_crossings(const slip_branch_tests *a, const slip_branch_tests *b)
{
    return (a->fold * b->fold < 0.0) + (a->doubling * b->doubling < 0.0) + (a->crossing * b->crossing < 0.0) +
           2 * (a->complex && b->complex && a->torus * b->torus < 0.0);
}

// The first point at k or earlier on the branch whose test is at least `least`; SLIP_BRANCH_HISTORY: there is
// none.
static int earlier_point_above(const double *test, int k, double least)
{
    while (k < SLIP_BRANCH_HISTORY && !(isfinite(test[k]) && test[k] >= least)) k++;
    return k;
}

// Extrapolates the parameter to zero impact speed v. An error d in the position of an impact is an error d/v
// in its speed, so that the slowest impacts are the least reliable: a parabola is taken through three that
// are faster and well apart.
static double impact_speed_zero(const double *v, const double *value, double line)
{
    const double slow = GRAZING_SPEED_LEAST;
    const int a = earlier_point_above(v, 0, slow),
              b = earlier_point_above(v, a, a < SLIP_BRANCH_HISTORY ? GRAZING_SPEED_RATIO * v[a] : slow),
              c = earlier_point_above(v, b, b < SLIP_BRANCH_HISTORY ? GRAZING_SPEED_RATIO * v[b] : slow);
    if (c >= SLIP_BRANCH_HISTORY || v[c] > GRAZING_SPEED_RANGE * slow) return line;
    const double first = (value[a] - value[b]) / (v[a] - v[b]),
                 second = (value[b] - value[c]) / (v[b] - v[c]);
    return value[a] - first * v[a] + (first - second) / (v[a] - v[c]) * v[a] * v[b];
}

double slip_continuation_end_value(slip_continuation *f, const slip_branch_history *past)
{
    static const struct {
        slip_branch_kind kind;
        size_t offset;
    } list[] = { { SLIP_BRANCH_GRAZING, offsetof(slip_branch_tests, gap) },
                 { SLIP_BRANCH_GRAZING, offsetof(slip_branch_tests, strike) },
                 { SLIP_BRANCH_STOP, offsetof(slip_branch_tests, turn) },
                 { SLIP_BRANCH_STOP, offsetof(slip_branch_tests, rest) },
                 { SLIP_BRANCH_STICK, offsetof(slip_branch_tests, slide) },
                 { SLIP_BRANCH_STICK, offsetof(slip_branch_tests, hold) } };
    double best = f->z[f->size - 1], size = INFINITY;
    slip_branch_kind kind = SLIP_BRANCH_END;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        double test[SLIP_BRANCH_HISTORY];
        for (int i = 0; i < SLIP_BRANCH_HISTORY; i++)
            memcpy(&test[i], (const char *)&past->tests[i] + list[k].offset, sizeof *test);
        if (!isfinite(test[1]) || !(fabs(test[0]) < BORDER_TEST_SMALL) || test[0] >= test[1]) continue;
        if (fabs(test[0]) >= size) continue;
        size = fabs(test[0]);
        kind = list[k].kind;
        best = past->value[0] + (past->value[0] - past->value[1]) * test[0] / (test[1] - test[0]);
        if (list[k].offset == offsetof(slip_branch_tests, strike))
            best = impact_speed_zero(test, past->value, best);
    }
    const char *reason = f->refusal[0] ? f->refusal : f->shot ? f->shot->reason : "";
    slip_continuation_add_point(f, best, kind, NULL);
    snprintf(f->branch->text, sizeof f->branch->text, "%s at %s = %.12g%s%.200s",
             kind == SLIP_BRANCH_END ? "the branch could not be followed further"
                                     : "the events of the orbit change",
             f->name, best, reason[0] ? ": " : "", reason);
    return kind == SLIP_BRANCH_END ? NAN : best;
}
