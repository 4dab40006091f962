/// simulation/sim/condition_locator.c: locates the instant in the next step at which a condition becomes
/// true.
#include "simulation/sim/condition_locator.h"
#include "simulation/sim/sim_tolerances.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_PER_RUN = 2048, MIN_PLACES = 8, MAX_PLACES = 4096, MAX_LOCATE_STEPS = 100, MAX_CLIMBS = 40 };
static const double CUBIC_ERROR = 0.05; // of the range of a margin in a step, at the most

// ------------------------------------------------------------------------------------------------- making

bool slip_condition_locator_create(slip_condition_locator *l, const slip_model *model, double until)
{
    int count = model->when_count;
    bool mechanics = model->type == SLIP_MECHANICS;
    l->model = model;
    l->resolution = until / PLACES_PER_RUN;
    l->n = mechanics ? model->coordinate_count : 0;
    l->input_count = 1 + (mechanics ? 2 * model->coordinate_count : model->state_count);
    slip_ref *roots = malloc(2 * (size_t)count * sizeof *roots);
    for (int k = 0; roots && k < count; k++) {
        roots[k] = model->whens[k].condition.ref;
        roots[count + k] = model->whens[k].margin;
    }
    l->tape = roots ? slip_tape_create(model->graph, roots, 2 * count) : NULL;
    free(roots);
    return l->tape != NULL;
}

void slip_condition_locator_destroy(slip_condition_locator *l)
{
    slip_tape_destroy(l->tape);
}

void slip_condition_locator_layout(slip_arena *a, slip_condition_locator *l, const slip_method *method)
{
    l->reg = SLIP_TAKE(a, double, slip_tape_registers(l->tape));
    l->row = SLIP_TAKE(a, double, method->state_count + method->record_count + 1);
    l->from = SLIP_TAKE(a, double, l->input_count);
    l->end = SLIP_TAKE(a, double, l->input_count);
}

void slip_condition_locator_start(slip_condition_locator *l)
{
    slip_tape_start(l->tape, l->reg);
}

// ------------------------------------------------------------------------------------------------ looking

void slip_condition_locator_evaluate(slip_condition_locator *l, double t, const double *state)
{
    l->reg[0] = t;
    memcpy(l->reg + 1, state, (size_t)(l->input_count - 1) * sizeof *state);
    slip_tape_run(l->tape, l->reg);
}

bool slip_condition_locator_holds(const slip_condition_locator *l, int k)
{
    return l->reg[slip_tape_result(l->tape, k)] != 0.0;
}

static double margin_of(const slip_condition_locator *l, int k)
{
    return l->reg[slip_tape_result(l->tape, l->model->when_count + k)];
}

bool slip_condition_locator_peek(slip_condition_locator *l, slip_method *m, double t)
{
    m->glancing = true;
    slip_run_outcome outcome = m->ops->peek(m, t, l->row);
    m->glancing = false;
    if (outcome == SLIP_RUNNING) slip_condition_locator_evaluate(l, t, l->row);
    return outcome == SLIP_RUNNING;
}

// Evaluates the conditions at an interpolated state between both ends of the step: cubic where q' is u, else
// linear.
static void look_about(slip_condition_locator *l, double t, double h, double s)
{
    const double *a = l->from, *b = l->end;
    double *x = l->reg + 1;
    for (int k = 0; k < l->input_count - 1; k++) x[k] = a[k] + s * (b[k] - a[k]);
    for (int k = 0; k < l->n; k++) {
        if (l->model->coordinates[k].velocity >= 0) continue;
        double d = b[k] - a[k], u = h * a[l->n + k], v = h * b[l->n + k];
        x[k] = a[k] + s * (u + s * (3.0 * d - 2.0 * u - v + s * (u + v - 2.0 * d)));
        x[l->n + k] = (u + s * (2.0 * (3.0 * d - 2.0 * u - v) + 3.0 * s * (u + v - 2.0 * d))) / h;
    }
    l->reg[0] = t + s * h;
    slip_tape_run(l->tape, l->reg);
}

// ----------------------------------------------------------------------------------------------- locating

/// A condition does not hold at time a and holds at time b; at_a and at_b are its margins there.
typedef struct bracket {
    double a, b, at_a, at_b;
    int side; // the end that moved last: 1 is b, -1 is a
} bracket;

// Regula falsi in the Illinois variant, which halves the value at an end that stays; every fourth step is a
// bisection.
static double next_look(const bracket *x, int looks)
{
    double width = x->b - x->a, middle = x->a + 0.5 * width;
    bool known = x->at_a <= 0.0 && x->at_b > 0.0 && x->at_a > -LARGEST_MARGIN && x->at_b < LARGEST_MARGIN;
    if (!known || looks % 4 == 3) return middle;
    double t = x->a - x->at_a * width / (x->at_b - x->at_a);
    return t > x->a && t < x->b ? t : middle;
}

static void narrow_bracket(bracket *x, double t, double margin, bool holds)
{
    if (holds) {
        x->b = t, x->at_b = margin;
        if (x->side > 0) x->at_a *= 0.5;
        x->side = 1;
    } else {
        x->a = t, x->at_a = margin;
        if (x->side < 0) x->at_b *= 0.5;
        x->side = -1;
    }
}

static double locate_crossing(slip_condition_locator *l, slip_method *m, int k, bracket x)
{
    double close = EVENT_TIME_OF_STEP * (x.b - x.a) + 2.0 * DBL_EPSILON * fabs(x.b);
    for (int looks = 0; looks < MAX_LOCATE_STEPS && x.b - x.a > close; looks++) {
        double t = next_look(&x, looks);
        // keep half the final width from both ends, so that both of them close in on the root
        t = fmin(fmax(t, x.a + 0.5 * close), x.b - 0.5 * close);
        if (!slip_condition_locator_peek(l, m, t)) break;
        narrow_bracket(&x, t, margin_of(l, k), slip_condition_locator_holds(l, k));
    }
    return x.b;
}

// ----------------------------------------------------------------------------------------------- scanning

/// A scan of a step for the first place at which condition k is as wanted, true or not.
typedef struct scan {
    slip_condition_locator *l;
    slip_method *m;
    int k;
    bool wanted;
    double t, h;      // the step
    double low, high; // of the margin in it, as far as it was looked at
} scan;

/// A place in the step, 0 to 1, and the margin of what is wanted there: positive where it is so.
typedef struct place {
    double s, margin;
    bool met;
} place;

static place place_seen(scan *x, double s)
{
    const double margin = margin_of(x->l, x->k);
    const place p = { s, x->wanted ? margin : -margin,
                      slip_condition_locator_holds(x->l, x->k) == x->wanted };
    x->low = fmin(x->low, p.margin), x->high = fmax(x->high, p.margin);
    return p;
}

// about, by the cubic; exact at the ends
static place place_about(scan *x, double s)
{
    if (s == 0.0)
        slip_condition_locator_evaluate(x->l, x->t, x->l->from);
    else if (s == 1.0)
        slip_condition_locator_evaluate(x->l, x->t + x->h, x->l->end);
    else
        look_about(x->l, x->t, x->h, s);
    return place_seen(x, s);
}

// The margin turns at b, between a and c, without being positive there, but by less than the cubic may be off.
static bool turns_near_border(const scan *x, place a, place b, place c)
{
    if (!(b.margin >= a.margin && b.margin >= c.margin && (b.margin > a.margin || b.margin > c.margin)))
        return false;
    return -b.margin <= CUBIC_ERROR * (x->high - x->low);
}

// by the motion itself; false when there is none to be had
static bool place_within(scan *x, double s, place *p)
{
    if (s == 0.0 || s == 1.0) return *p = place_about(x, s), true;
    if (!slip_condition_locator_peek(x->l, x->m, x->t + s * x->h)) return false;
    return *p = place_seen(x, s), true;
}

// Golden section towards the largest margin between a and c, not by the cubic: the place where it is as
// wanted; NaN when it cannot get there at twice the slopes seen
static double climb_to_turn(scan *x, place a, place b, place c)
{
    const double golden = 0.38196601125010515;
    if (!place_within(x, a.s, &a) || !place_within(x, b.s, &b) || !place_within(x, c.s, &c)) return NAN;
    if (b.met) return b.s;
    for (int round = 0; round < MAX_CLIMBS; round++) {
        const bool left = b.s - a.s > c.s - b.s;
        place p;
        if (!place_within(x, left ? b.s - golden * (b.s - a.s) : b.s + golden * (c.s - b.s), &p)) return NAN;
        if (p.met) return p.s;
        if (p.margin > b.margin) {
            *(left ? &c : &a) = b;
            b = p;
        } else {
            *(left ? &a : &c) = p;
        }
        if (!(b.margin + 2.0 * fmax(b.margin - a.margin, b.margin - c.margin) > 0.0)) return NAN;
    }
    return NAN;
}

// as many places in a step as look at a run some thousand times, whatever its steps are
static int place_count(const scan *x)
{
    const double wanted = x->h / x->l->resolution;
    return wanted > MIN_PLACES ? (int)fmin(wanted, MAX_PLACES) : MIN_PLACES;
}

// the ends, a place right beside each, so that a turn beside an end is seen, and those in between
static double place_number(int i, int count)
{
    const double beside = PLACE_BESIDE_END / count;
    return i == 0 ? beside : i < count ? (double)i / count : i == count ? 1.0 - beside : 1.0;
}

// the first place behind `after` at which it seems to be as wanted; 1: at the end, 0: nowhere
static double scan_behind(scan *x, double after)
{
    const int count = place_count(x);
    place a = { .margin = NAN }, b = place_about(x, after);
    for (int i = (int)(after * count); i <= count + 1; i++) {
        const double at = place_number(i, count);
        if (!(at > after)) continue;
        const place c = place_about(x, at);
        if (c.met) return c.s;
        if (turns_near_border(x, a, b, c)) {
            const double s = climb_to_turn(x, a, b, c);
            if (s > after) return s;
        }
        a = b, b = c;
    }
    return 0.0;
}

static scan scan_of(slip_condition_locator *l, slip_method *m, int k, bool wanted, double t, double h)
{
    scan x = { l, m, k, wanted, t, h, INFINITY, -INFINITY };
    place_about(&x, 0.0), place_about(&x, 1.0);
    return x;
}

// The first instant at which condition k holds, within the resolution of the samples; infinite when there is
// none.
static double first_of(slip_condition_locator *l, slip_method *m, int k, double t, double h)
{
    scan x = scan_of(l, m, k, true, t, h);
    const place start = place_about(&x, 0.0);
    if (start.met) return t;
    double s = 0.0;
    while ((s = scan_behind(&x, s)) > 0.0) {
        bracket r = { .a = t, .b = t + s * h, .at_a = start.margin };
        if (s < 1.0 && !(slip_condition_locator_peek(l, m, r.b) && slip_condition_locator_holds(l, k)))
            continue;
        if (s == 1.0) slip_condition_locator_evaluate(l, r.b, l->end);
        r.at_b = margin_of(l, k);
        return locate_crossing(l, m, k, r);
    }
    return INFINITY;
}

// Where condition k, which held before, seems not to, and to hold again later in the step; infinite when
// nowhere
static double lapse_of(slip_condition_locator *l, slip_method *m, int k, double t, double h)
{
    scan lapse = scan_of(l, m, k, false, t, h), again = scan_of(l, m, k, true, t, h);
    const double s = scan_behind(&lapse, 0.0);
    return s > 0.0 && s < 1.0 && scan_behind(&again, s) > 0.0 ? t + s * h : INFINITY;
}

// Takes the states at both ends of the interval; false when the method cannot look ahead.
static bool take_ends(slip_condition_locator *l, slip_method *m, double begin, double reach)
{
    size_t bytes = (size_t)(l->input_count - 1) * sizeof *l->from;
    memcpy(l->from, m->state, bytes);
    if (begin > m->t && !slip_condition_locator_peek(l, m, begin)) return false;
    if (begin > m->t) memcpy(l->from, l->row, bytes);
    if (!slip_condition_locator_peek(l, m, reach)) return false;
    memcpy(l->end, l->row, bytes);
    return true;
}

int slip_condition_locator_first(slip_condition_locator *l, slip_method *m, double begin, double reach,
                                 const bool *was, double *at)
{
    int first = -1;
    *at = INFINITY;
    if (!take_ends(l, m, begin, reach)) return -1;
    for (int k = 0; k < l->model->when_count; k++) {
        double t = was[k] ? lapse_of(l, m, k, begin, reach - begin) : first_of(l, m, k, begin, reach - begin);
        if (t < *at) *at = t, first = was[k] ? -1 : k;
    }
    return first;
}
