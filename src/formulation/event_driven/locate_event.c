/// formulation/event_driven/locate_event.c: the step ahead, and the event that ends it.
///
/// Event functions are looked at after each step and inside it (missed_events.c); where one is not positive the step
/// is taken again and again from its start until the event is known to 2e-13 s. So an event costs some steps,
/// two or three where a gap closes and ten elsewhere, and no interpolation error.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"

enum { MAX_LOCATION_STEPS = 120 };

// of the step ahead, from contact states that hold up to its end
static slip_ode_problem step_problem(slip_event_driven *m)
{
    return slip_event_in_free_flight(m) ? slip_event_flight_problem(m) : m->problem;
}

double slip_event_width(const slip_event_driven *m)
{
    return fmax(m->least.width, 4.0 * DBL_EPSILON * m->base.t);
}

// work.k[0] is of the start and must survive, so the end's rate goes aside
double slip_event_probe(slip_event_driven *m, double h)
{
    const slip_ode_problem problem = step_problem(m);
    if (!slip_cash_karp_attempt(&problem, m->base.t, m->x, h, &m->work, m->probe)) return NAN;
    if (!slip_event_step_end(m, m->base.t + h, m->probe, m->work.stage)) return NAN;
    return slip_event_evaluate_functions(m, m->base.t + h, m->after);
}

// a bracket of an event: event functions are positive at a, some are not at b
typedef struct bracket {
    double a, b, weight_a, weight_b; // the Illinois rule: an end that stays counts half
    int run;                         // how often the same end has moved, > 0 for a
} bracket;

// Where the cubic through values and slopes at both ends of a bracket h wide is zero, as a part of it: by
// Newton's rule, and by halving where that leaves the bracket
static double cubic_zero(slip_event_function a, slip_event_function b, double h)
{
    enum { MAX_ROUNDS = 60 };
    // f(s) = a + h a' s + c s^2 + d s^3, positive at 0, not positive at 1
    const double first = h * a.slope, c = 3.0 * (b.value - a.value) - 2.0 * first - h * b.slope,
                 d = 2.0 * (a.value - b.value) + first + h * b.slope;
    double low = 0.0, high = 1.0, s = 1.0;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const double f = a.value + s * (first + s * (c + s * d)), slope = first + s * (2.0 * c + s * 3.0 * d);
        if (f > 0.0)
            low = s;
        else
            high = s;
        double next = s - f / slope;
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        const double moved = fabs(next - s);
        s = next;
        if (moved <= 2.0 * DBL_EPSILON * s) break;
    }
    return s;
}

// Where the first of the functions that are not positive at b is zero: by its cubic where it is a gap, which
// is smooth, else by its secant: slips may have a kink at zero. Each function has its own: the least of all
// is bent wherever another one takes over. NaN when one is infinite
static double estimate_root(const slip_event_driven *m, const bracket *r)
{
    double first = r->b;
    for (int k = 0; k < m->watches; k++) {
        const slip_event_function left = m->left[k], right = m->right[k];
        if (right.value > 0.0) continue;
        if (!isfinite(left.value) || !isfinite(right.value)) return NAN;
        const double fa = r->weight_a * left.value, fb = r->weight_b * right.value, wide = r->b - r->a;
        const bool smooth =
            k < 2 * m->elements && k % 2 == 0 && isfinite(left.slope) && isfinite(right.slope);
        first = fmin(first, r->a + wide * (smooth ? cubic_zero(left, right, wide) : fa / (fa - fb)));
    }
    return first;
}

static void keep_values(const slip_event_driven *m, const slip_event_function *from, slip_event_function *to)
{
    memcpy(to, from, (size_t)m->watches * sizeof *to);
}

static void narrow_bracket(slip_event_driven *m, bracket *r, double s, double f)
{
    bool rises = f > 0.0;
    r->run = rises ? (r->run > 0 ? r->run + 1 : 1) : (r->run < 0 ? r->run - 1 : -1);
    keep_values(m, m->after, rises ? m->left : m->right);
    *(rises ? &r->a : &r->b) = s;
    *(rises ? &r->weight_a : &r->weight_b) = 1.0;
    if (abs(r->run) > 1) *(rises ? &r->weight_b : &r->weight_a) *= 0.5;
}

// the end of [0, h] at which the least event function is not positive any more, to m->least.width; m->probe
// and m->after are there, and its accelerations. NaN when a step on the way cannot be taken.
static double locate_root(slip_event_driven *m, double h)
{
    bracket r = { 0.0, h, 1.0, 1.0, 0 };
    const bool flies = slip_event_in_free_flight(m);
    double at = NAN, width = slip_event_width(m), wide = h;
    keep_values(m, m->before, m->left);
    keep_values(m, m->after, m->right);
    for (int round = 0; round < MAX_LOCATION_STEPS && r.b - r.a > width; round++) {
        bool slow = round % 4 == 3 && r.b - r.a > 0.25 * wide; // four rounds are worth two halvings
        double s = slow ? NAN : estimate_root(m, &r);
        if (round % 4 == 3) wide = r.b - r.a;
        if (isnan(s)) s = 0.5 * (r.a + r.b);
        s = fmin(fmax(s, r.a + 0.4 * width), r.b - 0.4 * width);
        double f = flies ? slip_event_flight_probe(m, s) : slip_event_probe(m, s);
        if (isnan(f)) return NAN;
        at = s;
        narrow_bracket(m, &r, s, f);
    }
    const bool there = !flies && at == r.b;
    return there || !isnan(slip_event_probe(m, r.b)) ? r.b : NAN;
}

static void set_no_step(slip_event_driven *m, slip_run_outcome outcome)
{
    m->ahead.outcome = outcome;
    m->ahead.trouble =
        outcome == SLIP_UNSOLVED || outcome == SLIP_STEP_TOO_SMALL ? m->trouble : SLIP_CONTACT_SOLVED;
    m->ahead.h = 0.0;
    m->ahead.t = m->base.t;
}

static void set_next_step(slip_event_driven *m, double *end, double h, bool event, double whole,
                          double t_whole)
{
    m->ahead.outcome = SLIP_RUNNING;
    m->ahead.end = end;
    memcpy(m->end_rate, m->work.stage, (size_t)m->problem.count * sizeof *m->end_rate);
    m->ahead.h = h;
    m->ahead.t = h == whole ? t_whole : m->base.t + h;
    m->ahead.event = event || (h == whole && t_whole == slip_time_schedule_next(&m->timetable, m->base.t));
    if (m->observer) m->observer->ahead(m->observer->context);
}

static double shortest_step(const slip_event_driven *m)
{
    return fmax(m->least.width, 16.0 * DBL_EPSILON * m->base.t);
}

// there are no accelerations at the end of a step. True when there is no step at all
static bool shorten_step(slip_event_driven *m, double *most, double taken)
{
    *most = 0.5 * taken;
    if (*most >= shortest_step(m)) return false;
    set_no_step(m, SLIP_UNSOLVED);
    return true;
}

// the same for a step at whose end an event is behind; m->after is there
static bool end_step_at_event(slip_event_driven *m, double *most, double taken, double whole, double t_whole)
{
    const double at = locate_root(m, taken);
    if (isnan(at)) return shorten_step(m, most, taken);
    set_next_step(m, m->probe, at, true, whole, t_whole);
    return true;
}

// tries one step of `most` at the longest. True when the step ahead is found, or that there is none
static bool try_step(slip_event_driven *m, double *most, double whole, double t_whole)
{
    double t = m->base.t, taken = *most;
    m->trouble = SLIP_CONTACT_SOLVED;
    const slip_ode_problem problem = step_problem(m);
    slip_run_outcome outcome =
        slip_integrator_cash_karp.step(&problem, &m->control, t, m->x, *most, &m->work, m->next, &taken);
    if (outcome != SLIP_RUNNING) return set_no_step(m, outcome), true;
    if (!slip_event_step_end(m, t + taken, m->next, m->work.stage)) return shorten_step(m, most, taken);
    double least = slip_event_evaluate_functions(m, t + taken, m->after);
    double inside = least > 0.0 ? slip_event_find_missed(m, taken) : taken;
    if (inside < taken && inside > shortest_step(m)) return *most = inside, false;
    // one that was cut short just before a gap closes ends in that: to go on would be to strike from below
    if (least > 0.0) return set_next_step(m, m->next, taken, slip_event_strikes(m), whole, t_whole), true;
    return end_step_at_event(m, most, taken, whole, t_whole);
}

// Dynamic jam (Genot, Brogliato 1999): the forces of a contact that slides grow beyond all bounds, and no
// step leads on. The laws of impact that the model names know what follows, at once
static void end_step_at_jam(slip_event_driven *m)
{
    const slip_next_step failed = m->ahead;
    const double t = m->base.t, h = fmax(m->least.width, 16.0 * DBL_EPSILON * t);
    slip_warm_start_restore(m, &m->here);
    memcpy(m->next, m->x, (size_t)m->problem.count * sizeof *m->next);
    if (!slip_event_step_end(m, t + h, m->next, m->work.stage)) {
        m->ahead = failed;
        return;
    }
    slip_event_evaluate_functions(m, t + h, m->after);
    set_next_step(m, m->next, h, true, INFINITY, INFINITY);
    m->ahead.jam = true;
    m->control.next = fmin(m->control.max, 1e6 * h); // it had shrunk towards the jam
}

void slip_event_find_next_step(slip_event_driven *m, double t_limit)
{
    double t = m->base.t,
           end = fmin(t_limit, fmin(t + m->control.max, slip_time_schedule_end(&m->timetable, t)));
    double whole = end - t, most = slip_event_step_before_stop(m, whole);
    m->present = m->elsewhere = m->ahead.jam = false;
    m->narrow_free = t;
    m->problem.stop = m->base.stop;
    while (!try_step(m, &most, whole, end))
        if (slip_stop_is_due(m->base.stop)) {
            set_no_step(m, SLIP_STOPPED);
            break;
        }
    if (m->ahead.outcome != SLIP_RUNNING && m->ahead.trouble == SLIP_CONTACT_INFEASIBLE &&
        m->impact_problem.rigid_impact.asked)
        end_step_at_jam(m);
    m->ahead.made = true;
}
