/// formulation/event_driven/event_functions.c: event functions. They are positive between events.
#include <float.h>
#include <math.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"
#include "formulation/event_driven/event_driven_tolerances.h"

// what a contact has left before it changes, as an acceleration. Redundant contacts may have nothing left for
// long and still stay: they are no event, and must not hide one behind a flat function
static slip_event_function reserve_function(const slip_contact_problem *r, double left)
{
    return (slip_event_function){ left > slip_contact_problem_rounding(r) ? left : INFINITY, NAN };
}

// a gap or a slip. One that is below zero by rounding alone and rises has just begun, and does not end yet
static slip_event_function function_value(double size, double value, double slope)
{
    if (!(value <= 0.0 && slope > 0.0)) return (slip_event_function){ value, slope };
    return (slip_event_function){ value > -JUST_STARTED_RELATIVE * size ? DBL_MIN : value, slope };
}

static slip_event_function watch_normal(const slip_event_driven *m, int e)
{
    const slip_contact_problem *r = &m->rigid;
    const slip_element *element = &m->system->elements[e];
    if (!element->has_gap) return (slip_event_function){ INFINITY, NAN };
    if (!r->contact_state[e].closed)
        return function_value(slip_event_reach_of(m, e), r->terms.gap[e],
                              slip_system_row_rate(m->system, &r->terms, element->normal_row, m->u));
    // a contact that holds lets go when its gap accelerates open; its load, as an acceleration, before that
    for (int i = 0; i < r->normal_count; i++)
        if (r->owner[i] == e && r->rate[i] <= slip_contact_problem_rounding(r))
            return reserve_function(r, r->x[i] * fabs(r->D[i * r->count + i]));
    return (slip_event_function){ -r->normal_rate[e], NAN };
}

static slip_event_function watch_tangent(const slip_event_driven *m, int e, double stick_margin)
{
    const slip_contact_problem *r = &m->rigid;
    const slip_element *element = &m->system->elements[e];
    if (!element->slip_count || !r->contact_state[e].closed) return (slip_event_function){ INFINITY, NAN };
    int slide = r->contact_state[e].slide;
    if (slide && element->slip_count > 1) { // along the heading, which is the way at the start of the step
        const double *heading = r->heading + 2 * e, *v = r->slip + 2 * e;
        return function_value(slip_event_speed_scale(m, m->u), heading[0] * v[0] + heading[1] * v[1],
                              heading[0] * r->slip_rate[e] + heading[1] * r->slip_rate_y[e]);
    }
    if (slide)
        return function_value(slip_event_speed_scale(m, m->u),
                              slide * slip_system_row_rate(m->system, &r->terms, element->tangent_row, m->u),
                              slide * r->slip_rate[e]);
    if (!isnan(stick_margin)) return (slip_event_function){ stick_margin, NAN };
    // In space a start has a direction, and contacts that depend on each other have to agree on it: then it
    // is an event once it is faster than the rounding of that, 1e-7 of the accelerations at hand
    double starts = slip_contact_problem_slip_rate(r, e),
           late = r->open && element->slip_count > 1 ? 100.0 * slip_contact_problem_zero_tolerance(r) : 0.0;
    if (starts > slip_contact_problem_rounding(r)) return (slip_event_function){ late - starts, NAN };
    double limit = element->has_gap ? r->friction[e] * r->normal[e] : r->friction[e];
    int i = slip_contact_problem_tangent_of(r, e);
    return reserve_function(r, (limit - slip_contact_problem_friction(r, e)) * r->D[i * r->count + i]);
}

// margin: of everything that sticks, where one is asked for all; NaN where each tells its own
static void watch_elements(slip_event_driven *m, double margin, slip_event_function *watch)
{
    for (int e = 0; e < m->elements; e++) {
        watch[2 * e] = watch_normal(m, e);
        watch[2 * e + 1] = watch_tangent(m, e, margin);
    }
}

static void watch_switches(slip_event_driven *m, double t, slip_event_function *watch)
{
    if (m->switches == 0) return;
    slip_event_look_at_sides(m, t);
    for (int k = 0; k < m->switches; k++)
        watch[k] =
            (slip_event_function){ slip_event_is_watched(m, k) ? slip_event_side_margin(m, k) : INFINITY,
                                   NAN };
}

double slip_event_evaluate_functions(slip_event_driven *m, double t, slip_event_function *watch)
{
    bool ask = slip_event_uses_gauss(m);
    double least = INFINITY;
    watch_switches(m, t, watch + 2 * m->elements);
    watch_elements(m, ask ? slip_event_stick_margin(m) : NAN, watch);
    for (int k = 0; k < m->watches; k++) {
        watch[k].value += m->offset[k];
        if (watch[k].value < least) least = watch[k].value;
    }
    return least;
}

bool slip_event_is_due(const slip_event_driven *m, slip_event_function gap)
{
    return !(gap.value > fmax(0.0, -gap.slope) * slip_event_width(m)); // the slope of one that holds is NaN
}

bool slip_event_strikes(const slip_event_driven *m)
{
    for (int e = 0; e < m->elements; e++)
        if (!m->rigid.contact_state[e].closed && slip_event_is_due(m, m->after[2 * e])) return true;
    return false;
}

void slip_event_sample_stage(slip_event_driven *m, double t)
{
    int slot = (int)(m->samples++ % SLIP_EVENT_STAGE_COUNT), closed = 0;
    double *value = m->sample + (size_t)slot * 2 * (size_t)m->elements;
    m->sample_t[slot] = t;
    for (int e = 0; e < m->elements; e++) closed += m->rigid.contact_state[e].closed;
    for (int e = 0; e < m->elements && closed; e++) {
        value[2 * e] =
            m->rigid.contact_state[e].closed ? watch_normal(m, e).value + m->offset[2 * e] : INFINITY;
        value[2 * e + 1] = watch_tangent(m, e, NAN).value + m->offset[2 * e + 1];
    }
}

// what slides in space heads where it goes as the step begins, unless that is as good as nowhere
static void take_headings(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    for (int e = 0; e < m->elements; e++) {
        const double *v = r->slip + 2 * e;
        if (m->system->elements[e].slip_count < 2 || !r->contact_state[e].slide) continue;
        double speed = slip_length(v[0], v[1]);
        for (int c = 0; c < 2 && speed > r->slow; c++) r->heading[2 * e + c] = v[c] / speed;
    }
}

// the longest step that no slip in space comes to rest in: near rest its direction turns ever faster, unless
// it goes along a straight line or is below the tolerance
double slip_event_step_before_stop(const slip_event_driven *m, double most)
{
    const slip_contact_problem *r = &m->rigid;
    for (int e = 0; e < m->elements && m->space; e++) {
        const double *d = r->heading + 2 * e, *v = r->slip + 2 * e;
        double speed = slip_length(v[0], v[1]);
        if (m->system->elements[e].slip_count < 2 || !r->contact_state[e].closed ||
            !r->contact_state[e].slide || speed <= r->slow)
            continue;
        double along = d[0] * r->slip_rate[e] + d[1] * r->slip_rate_y[e],
               across = d[0] * r->slip_rate_y[e] - d[1] * r->slip_rate[e];
        if (along < 0.0 && fabs(across) > STRAIGHT_SLIP_RELATIVE * fabs(along))
            most = fmin(most, STEP_OF_STOPPING_TIME * speed / -along);
    }
    return most;
}

void slip_event_functions_at_start(slip_event_driven *m)
{
    take_headings(m);
    memset(m->offset, 0, (size_t)m->watches * sizeof *m->offset);
    slip_event_evaluate_functions(m, m->base.t, m->before);
    const double q = slip_event_length_scale(m, m->q), u = slip_event_speed_scale(m, m->u);
    for (int k = 0; k < m->watches; k++) {
        double dust = FUNCTION_ROUNDING * (k % 2 ? u : q), slope = m->before[k].slope;
        if (k >= 2 * m->elements)
            dust = FUNCTION_ROUNDING * fmax(q, u);
        else if (k % 2 == 0 && m->system->elements[k / 2].has_gap)
            dust = FUNCTION_ROUNDING * slip_event_reach_of(m, k / 2);
        if (m->before[k].value > FUNCTION_NEAR_ZERO * dust) continue;
        if (slope > RISES_SURELY_RELATIVE * m->least.speed)
            dust = fmin(dust, slope * m->least.width); // or a slow bounce would end late
        m->offset[k] = fmax(0.0, -m->before[k].value) + dust;
        m->before[k].value += m->offset[k];
    }
}
