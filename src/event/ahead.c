/// event/ahead.c: the step ahead, and the event that ends it.
///
/// Event functions are looked at after each step and inside it (inside.c); where one is not positive the step
/// is taken again and again from its start until the event is known to 2e-13 s. So an event costs some ten
/// steps, and no interpolation error.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "event/event_driven.h"
#include "integrator/cash_karp.h"

enum { MOST_PROBES = 120 };

// work.k[0] is of the start and must survive, so the end's rate goes aside
double slip_event_probe(slip_event_driven *m, double h)
{
    if (!slip_cash_karp_attempt(&m->problem, m->base.t, m->x, h, &m->work, m->probe)) return NAN;
    if (!slip_event_arrive(m, m->base.t + h, m->probe, m->work.stage)) return NAN;
    return slip_event_look(m, m->base.t + h, m->after);
}

// the end of [0, h] at which the least event function is not positive any more, to SLIP_EVENT_WIDTH; m->probe
// and m->after are there. NaN when a step on the way cannot be taken.
static double locate(slip_event_driven *m, double h, double at_end)
{
    double a = 0.0, b = h, fa = INFINITY, fb = at_end,
           width = fmax(SLIP_EVENT_WIDTH, 4.0 * DBL_EPSILON * m->base.t);
    for (int k = 0; k < m->watches; k++)
        if (m->after[k].value <= 0.0) fa = fmin(fa, m->before[k].value);
    double at = NAN; // where m->probe is
    int run = 0;     // how often the same end has moved, > 0 for a
    for (int round = 0; round < MOST_PROBES && b - a > width; round++) {
        bool halve = !isfinite(fa) || !isfinite(fb) || run >= 3 || run <= -3;
        double s = halve ? 0.5 * (a + b) : a + (b - a) * fa / (fa - fb);
        s = fmin(fmax(s, a + 0.4 * width), b - 0.4 * width);
        double f = slip_event_probe(m, s);
        if (isnan(f)) return NAN;
        at = s;
        if (f > 0.0) {
            a = s, fa = f, run = halve || run < 0 ? 1 : run + 1;
            if (run > 1) fb *= 0.5; // Illinois: the end that stays counts half
        } else {
            b = s, fb = f, run = halve || run > 0 ? -1 : run - 1;
            if (run < -1) fa *= 0.5;
        }
    }
    if (at != b && isnan(slip_event_probe(m, b))) return NAN;
    return b;
}

static void fail(slip_event_driven *m, slip_run_outcome outcome)
{
    m->ahead.outcome = outcome;
    m->ahead.trouble =
        outcome == SLIP_UNSOLVED || outcome == SLIP_STEP_TOO_SMALL ? m->trouble : SLIP_RIGID_SOLVED;
    m->ahead.h = 0.0;
    m->ahead.t = m->base.t;
}

static void found(slip_event_driven *m, double *end, double h, bool event, double whole, double t_whole)
{
    m->ahead.outcome = SLIP_RUNNING;
    m->ahead.end = end;
    memcpy(m->end_rate, m->work.stage, (size_t)m->problem.count * sizeof *m->end_rate);
    m->ahead.h = h;
    m->ahead.t = h == whole ? t_whole : m->base.t + h;
    m->ahead.event = event || (h == whole && t_whole == slip_timetable_next(&m->timetable, m->base.t));
}

// tries one step of `most` at the longest. True when the step ahead is found, or that there is none
static bool try_step(slip_event_driven *m, double *most, double whole, double t_whole)
{
    double t = m->base.t, taken = *most, shortest = fmax(SLIP_EVENT_WIDTH, 16.0 * DBL_EPSILON * t);
    m->trouble = SLIP_RIGID_SOLVED;
    slip_run_outcome outcome =
        slip_integrator_cash_karp.step(&m->problem, &m->control, t, m->x, *most, &m->work, m->next, &taken);
    if (outcome != SLIP_RUNNING) return fail(m, outcome), true;
    if (!slip_event_arrive(m, t + taken, m->next, m->work.stage)) { // no accelerations there: come nearer
        *most = 0.5 * taken;
        if (*most >= shortest) return false;
        return fail(m, SLIP_UNSOLVED), true;
    }
    double least = slip_event_look(m, t + taken, m->after);
    double inside = least > 0.0 ? slip_event_look_inside(m, taken) : taken;
    if (inside < taken && inside > shortest) return *most = inside, false;
    if (least > 0.0) return found(m, m->next, taken, false, whole, t_whole), true;
    double at = locate(m, taken, least);
    if (isnan(at)) {
        *most = 0.5 * taken;
        if (*most >= shortest) return false;
        return fail(m, SLIP_UNSOLVED), true;
    }
    found(m, m->probe, at, true, whole, t_whole);
    return true;
}

void slip_event_find_ahead(slip_event_driven *m, double t_limit)
{
    double t = m->base.t, end = fmin(t_limit, fmin(t + m->control.max, slip_timetable_end(&m->timetable, t)));
    double whole = end - t, most = slip_event_before_rest(m, whole);
    m->present = m->elsewhere = false;
    while (!try_step(m, &most, whole, end)) {}
    m->ahead.made = true;
    m->base.planned = m->ahead.h;
}
