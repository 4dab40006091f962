/// simulation/sim/condition_locator.c: locates the instant in the next step at which a condition becomes
/// true.
#include "simulation/sim/condition_locator.h"
#include "simulation/sim/sim_tolerances.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCAN_PIECES = 8, MAX_LOCATE_STEPS = 100 };

// ------------------------------------------------------------------------------------------------- making

bool slip_condition_locator_create(slip_condition_locator *l, const slip_model *model)
{
    int count = model->when_count;
    bool mechanics = model->type == SLIP_MECHANICS;
    l->model = model;
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

// The first of a few interpolated states at which the condition holds, as a fraction of the step; 1: only at
// the end, 0: nowhere.
static double seems_to_hold(slip_condition_locator *l, double t, double h, int k, double after)
{
    for (int i = 1; i < SCAN_PIECES; i++) {
        double s = (double)i / SCAN_PIECES;
        if (s <= after) continue;
        look_about(l, t, h, s);
        if (slip_condition_locator_holds(l, k)) return s;
    }
    slip_condition_locator_evaluate(l, t + h, l->end);
    return slip_condition_locator_holds(l, k) ? 1.0 : 0.0;
}

// The first instant at which condition k holds, within the resolution of the samples; infinite when there is
// none.
static double first_of(slip_condition_locator *l, slip_method *m, int k, double t, double h)
{
    double s = 0.0;
    slip_condition_locator_evaluate(l, t, l->from);
    if (slip_condition_locator_holds(l, k)) return t;
    double margin = margin_of(l, k);
    while ((s = seems_to_hold(l, t, h, k, s)) > 0.0) {
        bracket x = { .a = t, .b = t + s * h, .at_a = margin };
        if (s < 1.0 && !(slip_condition_locator_peek(l, m, x.b) && slip_condition_locator_holds(l, k)))
            continue;
        if (s == 1.0) slip_condition_locator_evaluate(l, x.b, l->end);
        x.at_b = margin_of(l, k);
        return locate_crossing(l, m, k, x);
    }
    return INFINITY;
}

// An instant at which condition k, which holds at both ends, does not hold; infinite when there seems to be
// none.
static double lapse_of(slip_condition_locator *l, int k, double t, double h)
{
    slip_condition_locator_evaluate(l, t + h, l->end);
    if (!slip_condition_locator_holds(l, k)) return INFINITY;
    for (int i = 1; i < SCAN_PIECES; i++) {
        look_about(l, t, h, (double)i / SCAN_PIECES);
        if (!slip_condition_locator_holds(l, k)) return t + h * i / SCAN_PIECES;
    }
    return INFINITY;
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
        double t = was[k] ? lapse_of(l, k, begin, reach - begin) : first_of(l, m, k, begin, reach - begin);
        if (t < *at) *at = t, first = was[k] ? -1 : k;
    }
    return first;
}
