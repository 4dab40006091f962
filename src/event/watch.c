/// event/watch.c: event functions. They are positive between events.
#include <float.h>
#include <math.h>
#include <string.h>

#include "event/event_driven.h"

// what a contact has left before it changes, as an acceleration. Redundant contacts may have nothing left for
// long and still stay: they are no event, and must not hide one behind a flat function
static slip_watch reserve(const slip_rigid *r, double left)
{
    return (slip_watch){ left > slip_rigid_tiny(r) ? left : INFINITY, NAN };
}

// a gap or a slip. One that is below zero by rounding alone and rises has just begun, and does not end yet
static slip_watch not_yet(double size, double value, double slope)
{
    if (!(value <= 0.0 && slope > 0.0)) return (slip_watch){ value, slope };
    return (slip_watch){ value > -1e-14 * size ? DBL_MIN : value, slope };
}

static slip_watch watch_normal(const slip_event_driven *m, int e)
{
    const slip_rigid *r = &m->rigid;
    const slip_element *element = &m->system->elements[e];
    if (!element->has_gap) return (slip_watch){ INFINITY, NAN };
    if (!r->stance[e].closed)
        return not_yet(slip_event_reach_of(m, e), r->terms.gap[e],
                       slip_system_row_rate(m->system, &r->terms, element->normal_row, m->u));
    // a contact that holds lets go when its gap accelerates open; its load, as an acceleration, before that
    for (int i = 0; i < r->normal_count; i++)
        if (r->owner[i] == e && r->rate[i] <= slip_rigid_tiny(r))
            return reserve(r, r->x[i] * fabs(r->D[i * r->count + i]));
    return (slip_watch){ -r->normal_rate[e], NAN };
}

static slip_watch watch_tangent(const slip_event_driven *m, int e, double stick_margin)
{
    const slip_rigid *r = &m->rigid;
    const slip_element *element = &m->system->elements[e];
    if (!element->slip_count || !r->stance[e].closed) return (slip_watch){ INFINITY, NAN };
    int slide = r->stance[e].slide;
    if (slide && element->slip_count > 1) { // along the heading, which is the way at the start of the step
        const double *heading = r->heading + 2 * e, *v = r->slip + 2 * e;
        return not_yet(slip_event_pace(m, m->u), heading[0] * v[0] + heading[1] * v[1],
                       heading[0] * r->slip_rate[e] + heading[1] * r->slip_rate_y[e]);
    }
    if (slide)
        return not_yet(slip_event_pace(m, m->u),
                       slide * slip_system_row_rate(m->system, &r->terms, element->tangent_row, m->u),
                       slide * r->slip_rate[e]);
    if (!isnan(stick_margin)) return (slip_watch){ stick_margin, NAN };
    // In space a start has a direction, and contacts that depend on each other have to agree on it: then it
    // is an event once it is faster than the rounding of that, 1e-7 of the accelerations at hand
    double starts = slip_rigid_slip_rate(r, e),
           late = r->open && element->slip_count > 1 ? 100.0 * slip_rigid_small(r) : 0.0;
    if (starts > slip_rigid_tiny(r)) return (slip_watch){ late - starts, NAN };
    double limit = element->has_gap ? r->friction[e] * r->normal[e] : r->friction[e];
    int i = slip_rigid_tangent_of(r, e);
    return reserve(r, (limit - slip_rigid_friction(r, e)) * r->D[i * r->count + i]);
}

// margin: of everything that sticks, where one is asked for all; NaN where each tells its own
static void watch_elements(slip_event_driven *m, double margin, slip_watch *watch)
{
    for (int e = 0; e < m->elements; e++) {
        watch[2 * e] = watch_normal(m, e);
        watch[2 * e + 1] = watch_tangent(m, e, margin);
    }
}

static void watch_switches(slip_event_driven *m, double t, slip_watch *watch)
{
    if (m->switches == 0) return;
    slip_event_look_at_sides(m, t);
    for (int k = 0; k < m->switches; k++)
        watch[k] = (slip_watch){ slip_event_is_watched(m, k) ? slip_event_side_margin(m, k) : INFINITY, NAN };
}

double slip_event_look(slip_event_driven *m, double t, slip_watch *watch)
{
    bool ask = slip_event_by_gauss(m);
    double least = INFINITY;
    watch_switches(m, t, watch + 2 * m->elements);
    watch_elements(m, ask ? slip_event_stick_margin(m) : NAN, watch);
    for (int k = 0; k < m->watches; k++) {
        watch[k].value += m->offset[k];
        if (watch[k].value < least) least = watch[k].value;
    }
    return least;
}

bool slip_event_is_due(const slip_event_driven *m, slip_watch gap)
{
    return !(gap.value > fmax(0.0, -gap.slope) * slip_event_width(m)); // the slope of one that holds is NaN
}

bool slip_event_strikes(const slip_event_driven *m)
{
    for (int e = 0; e < m->elements; e++)
        if (!m->rigid.stance[e].closed && slip_event_is_due(m, m->after[2 * e])) return true;
    return false;
}

void slip_event_sample(slip_event_driven *m, double t)
{
    int slot = (int)(m->samples++ % SLIP_EVENT_STAGES), closed = 0;
    double *value = m->sample + (size_t)slot * 2 * (size_t)m->elements;
    m->sample_t[slot] = t;
    for (int e = 0; e < m->elements; e++) closed += m->rigid.stance[e].closed;
    for (int e = 0; e < m->elements && closed; e++) {
        value[2 * e] = m->rigid.stance[e].closed ? watch_normal(m, e).value + m->offset[2 * e] : INFINITY;
        value[2 * e + 1] = watch_tangent(m, e, NAN).value + m->offset[2 * e + 1];
    }
}

// what slides in space heads where it goes as the step begins, unless that is as good as nowhere
static void take_headings(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    for (int e = 0; e < m->elements; e++) {
        const double *v = r->slip + 2 * e;
        if (m->system->elements[e].slip_count < 2 || !r->stance[e].slide) continue;
        double speed = slip_length(v[0], v[1]);
        for (int c = 0; c < 2 && speed > r->slow; c++) r->heading[2 * e + c] = v[c] / speed;
    }
}

// the longest step that no slip in space comes to rest in: near rest its direction turns ever faster, unless
// it goes along a straight line or is below the tolerance
double slip_event_before_rest(const slip_event_driven *m, double most)
{
    const slip_rigid *r = &m->rigid;
    for (int e = 0; e < m->elements && m->space; e++) {
        const double *d = r->heading + 2 * e, *v = r->slip + 2 * e;
        double speed = slip_length(v[0], v[1]);
        if (m->system->elements[e].slip_count < 2 || !r->stance[e].closed || !r->stance[e].slide ||
            speed <= r->slow)
            continue;
        double along = d[0] * r->slip_rate[e] + d[1] * r->slip_rate_y[e],
               across = d[0] * r->slip_rate_y[e] - d[1] * r->slip_rate[e];
        if (along < 0.0 && fabs(across) > 1e-10 * fabs(along)) most = fmin(most, 0.9 * speed / -along);
    }
    return most;
}

void slip_event_look_before(slip_event_driven *m)
{
    take_headings(m);
    memset(m->offset, 0, (size_t)m->watches * sizeof *m->offset);
    slip_event_look(m, m->base.t, m->before);
    const double q = slip_event_reach(m, m->q), u = slip_event_pace(m, m->u);
    for (int k = 0; k < m->watches; k++) {
        double dust = 4e-16 * (k % 2 ? u : q), slope = m->before[k].slope;
        if (k >= 2 * m->elements)
            dust = 4e-16 * fmax(q, u);
        else if (k % 2 == 0 && m->system->elements[k / 2].has_gap)
            dust = 4e-16 * slip_event_reach_of(m, k / 2);
        if (m->before[k].value > 1e3 * dust) continue;
        if (slope > 1e-8 * m->least.speed)
            dust = fmin(dust, slope * m->least.width); // or a slow bounce would end late
        m->offset[k] = fmax(0.0, -m->before[k].value) + dust;
        m->before[k].value += m->offset[k];
    }
}
