/// formulation/event_driven/missed_events.c: what happens inside a step whose ends are quiet.
///
/// Four looks, the cheap ones first. A cubic through values and slopes at both ends; the event functions at
/// the stages, and a polynomial through them; gaps and conditions along the step, which is a matter of
/// positions (dynamics/step_scan.h); and, where tangents at both ends meet below zero, steps towards the
/// place. Whatever is found only makes the step shorter: the event itself is located by steps.
#include <math.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"
#include "formulation/event_driven/event_driven_tolerances.h"

enum { MAX_PASSAGE_PROBES = 40, POLYNOMIAL_SAMPLES = 32, POLYNOMIAL_NODES = 6, MAX_SUSPECTS = 4 };

// ----------------------------------------------------------------------------------------------- ends

// time of the lowest point of the cubic through both ends, when that is below zero; else `none`
static double cubic_minimum(slip_event_function a, slip_event_function b, double h, double none)
{
    if (!(a.slope < 0.0 && b.slope > 0.0)) return none;
    // f(s) = a + h a' s + c s^2 + d s^3, s in [0, 1]
    double c = 3.0 * (b.value - a.value) - h * (2.0 * a.slope + b.slope),
           d = 2.0 * (a.value - b.value) + h * (a.slope + b.slope);
    double root = sqrt(fmax(c * c - 3.0 * d * h * a.slope, 0.0)), s = -h * a.slope / (c + root);
    if (!(s > 0.0 && s < 1.0)) return none;
    return a.value + s * (h * a.slope + s * (c + s * d)) < 0.0 ? s * h : none;
}

static double first_cubic_minimum(const slip_event_driven *m, double h)
{
    double first = h;
    for (int k = 0; k < m->watches; k++)
        first =
            fmin(first, fmax(cubic_minimum(m->before[k], m->after[k], h, h), EARLIEST_MINIMUM_OF_STEP * h));
    return first;
}

// --------------------------------------------------------------------------------------------- stages

// Newton's divided differences of f over s
static void divided_differences(const double *s, const double *f, double *c)
{
    memcpy(c, f, POLYNOMIAL_NODES * sizeof *c);
    for (int k = 1; k < POLYNOMIAL_NODES; k++)
        for (int i = POLYNOMIAL_NODES - 1; i >= k; i--) c[i] = (c[i] - c[i - 1]) / (s[i] - s[i - k]);
}

static double newton_polynomial(const double *s, const double *c, double at)
{
    double sum = c[POLYNOMIAL_NODES - 1];
    for (int k = POLYNOMIAL_NODES - 2; k >= 0; k--) sum = sum * (at - s[k]) + c[k];
    return sum;
}

// start, stages and end of function k in the order of time, the last stage but one left out: it stands at the
// end and knows less of it. Reserves that are as good as nothing count as nothing
static void gather_stage_values(const slip_event_driven *m, int k, double h, double *s, double *f)
{
    static const int order[] = { 0, 1, 2, 4 };
    s[0] = 0.0, f[0] = m->before[k].value;
    for (int i = 0; i < 4; i++) {
        int slot = (int)((m->samples + order[i]) % SLIP_EVENT_STAGE_COUNT);
        s[1 + i] = (m->sample_t[slot] - m->base.t) / h;
        f[1 + i] = m->sample[(size_t)slot * 2 * (size_t)m->elements + (size_t)k];
        if (isinf(f[1 + i])) f[1 + i] = 0.0;
    }
    s[POLYNOMIAL_NODES - 1] = 1.0, f[POLYNOMIAL_NODES - 1] = m->after[k].value;
}

// the place of a function's least value by the polynomial through what the stages saw, where that is lower
// than both ends and near zero; else 1
static double polynomial_minimum(const double *s, const double *f)
{
    double c[POLYNOMIAL_NODES], low = INFINITY, high = -INFINITY, least = INFINITY, at = 1.0;
    for (int i = 0; i < POLYNOMIAL_NODES; i++) low = fmin(low, f[i]), high = fmax(high, f[i]);
    if (!isfinite(low) || !isfinite(high) || low > 2.0 * (high - low)) return 1.0;
    divided_differences(s, f, c);
    for (int i = 1; i < POLYNOMIAL_SAMPLES; i++) {
        double place = i / (double)POLYNOMIAL_SAMPLES, value = newton_polynomial(s, c, place);
        if (value < least) least = value, at = place;
    }
    double range = high - low;
    return least <= MINIMUM_NEAR_ZERO_OF_RANGE * range &&
                   least < fmin(f[0], f[POLYNOMIAL_NODES - 1]) - MINIMUM_BELOW_ENDS_OF_RANGE * range
               ? at
               : 1.0;
}

// Event functions of contacts that hold. A stage that has one below zero says where it is; else the
// polynomial does, and a step to that place decides. *probed is set when one was taken
static double check_stages(slip_event_driven *m, double h, bool *probed)
{
    double first = h, s[POLYNOMIAL_NODES], f[POLYNOMIAL_NODES];
    int suspects = 0;
    if (m->samples < SLIP_EVENT_STAGE_COUNT) return h;
    for (int k = 0; k < 2 * m->elements; k++) {
        if (!m->rigid.contact_state[k / 2].closed || isinf(m->before[k].value) || isinf(m->after[k].value))
            continue;
        gather_stage_values(m, k, h, s, f);
        for (int i = 1; i < POLYNOMIAL_NODES - 1; i++)
            if (f[i] < 0.0) first = fmin(first, s[i] * h);
        double at = polynomial_minimum(s, f);
        bool known = at == 1.0 || suspects == MAX_SUSPECTS;
        for (int i = 0; i < suspects; i++)
            known = known || fabs(m->suspect[i] - at) < 1.5 / POLYNOMIAL_SAMPLES;
        if (!known) m->suspect[suspects++] = at;
    }
    for (int i = 0; i < suspects && first == h; i++) {
        *probed = true;
        if (slip_event_probe(m, m->suspect[i] * h) <= 0.0) first = m->suspect[i] * h;
    }
    return first;
}

// ------------------------------------------------------------------------------------------- passages

// where the tangents at both ends meet, when that is below zero: a gap that nears and recedes may have been
// closed in between however smooth the cubic looks
static double tangent_intersection(slip_event_function a, slip_event_function b, double h, double none)
{
    if (!(a.slope < 0.0 && b.slope > 0.0)) return none;
    double s = (b.value - a.value - h * b.slope) / (a.slope - b.slope);
    return s > 0.0 && s < h && a.value + s * a.slope < 0.0 ? s : none;
}

// looks for such a closing of event function k between the ends of [0, h] by halving towards its lowest
// point; the time when it is found, else h. What is before stays, m->after is of the last look
static double find_missed_closing(slip_event_driven *m, int k, slip_event_function b, double h)
{
    slip_event_function a = m->before[k];
    double low = 0.0, high = h;
    for (int round = 0; round < MAX_PASSAGE_PROBES; round++) {
        double s = tangent_intersection(a, b, high - low, NAN);
        if (isnan(s)) return h;
        s = low + fmin(fmax(s, 0.1 * (high - low)), 0.9 * (high - low));
        if (isnan(slip_event_probe(m, s))) return h;
        slip_event_function at = m->after[k];
        if (at.value <= 0.0) return s;
        if (at.slope < 0.0)
            a = at, low = s;
        else
            b = at, high = s;
    }
    return h;
}

static double first_missed_closing(slip_event_driven *m, double h, const slip_event_function *end,
                                   bool *probed)
{
    for (int e = 0; e < m->elements; e++) {
        int k = 2 * e;
        if (isnan(tangent_intersection(m->before[k], end[k], h, NAN))) continue;
        *probed = true;
        double found = find_missed_closing(m, k, end[k], h);
        if (found < h) return found;
    }
    return h;
}

// ------------------------------------------------------------------------------------------- positions

// what the scan watches: gaps that are open, conditions that matter
static void set_signs(slip_event_driven *m)
{
    for (int e = 0; e < m->elements; e++)
        m->sign[e] = m->system->elements[e].has_gap && !m->rigid.contact_state[e].closed;
    for (int k = 0; k < m->switches; k++) {
        const slip_switch *s = &m->system->switching->switches.list[k];
        bool watched = slip_event_is_watched(m, k) && !s->timed;
        m->sign[m->elements + k] = !watched ? 0.0 : s->level >= 0 ? 1.0 : m->side[k];
        slip_scan_set_side(&m->scan, s, m->side[k]);
    }
}

static double scan_step(slip_event_driven *m, double h)
{
    slip_step_interval leg = { m->base.t, h, m->x, m->work.k[0], m->next, m->work.stage };
    set_signs(m);
    double found = slip_step_scan_crossing(&m->scan, &leg, m->sign);
    if (found < 1.0) return found * h;
    if (m->base.t + h > m->narrow_free) {
        found = slip_narrow_features_stages(&m->narrow, &leg);
        m->narrow_free = m->base.t + found * h;
        if (found < 1.0) return found * h;
    }
    bool strange = h > 8.0 * m->scan.resolution && slip_step_scan_signal_missed(&m->scan, &leg);
    return strange ? 0.5 * h : h;
}

double slip_event_find_missed(slip_event_driven *m, double h)
{
    double found = first_cubic_minimum(m, h);
    if (found == h) found = scan_step(m, h);
    if (found < h) return found;
    bool probed = false;
    memcpy(m->end_watch, m->after, (size_t)m->watches * sizeof *m->after);
    found = check_stages(m, h, &probed);
    if (found == h) found = first_missed_closing(m, h, m->end_watch, &probed);
    if (found < h || !probed) return found;
    // back to the end of the step
    bool back = slip_event_probe(m, h) > 0.0;
    memcpy(m->next, m->probe, (size_t)m->problem.count * sizeof *m->next);
    return back ? h : 0.5 * h;
}
