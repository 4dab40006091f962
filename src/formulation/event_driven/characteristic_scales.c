/// formulation/event_driven/characteristic_scales.c: characteristic length, speed and acceleration, from
/// which the tolerances for zero follow.
///
/// Gaps, speeds and accelerations that are rounding alone are judged against 1 m, 1 m/s and 1 m/s^2, or what
/// is larger at the time. Where all that starts, rates, gaps, belts and free accelerations promise for the
/// run stays far below that, a thousand times the promise is taken instead: a tip that moves by picometres,
/// or a fault that creeps by millimetres in a year, is at rest otherwise.
#include <math.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"
#include "formulation/event_driven/event_driven_tolerances.h"

enum { SAMPLES_OVER_RUN = 8 }; // at forces and belts, over the run

typedef struct promise {
    double length, speed, acceleration;
} promise;

static double largest_abs(int n, const double *x, double most)
{
    for (int k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
    return most;
}

// of the coordinates that move. Modes, outputs of controllers and first-order states are none: a counter
// would make small bounces rest, and so would the time since when a mode holds, which stands among the rates
static double largest_moved(const slip_event_driven *m, const double *x, double most)
{
    const slip_coordinate *coordinates = m->system->equations->model->coordinates;
    for (int k = 0; k < m->n; k++)
        if (!coordinates[k].is_state) most = fmax(most, fabs(x[k]));
    return most;
}

double slip_event_length_scale(const slip_event_driven *m, const double *q)
{
    return largest_moved(m, q, m->least.length);
}

double slip_event_speed_scale(const slip_event_driven *m, const double *u)
{
    return largest_moved(m, u, m->least.speed);
}

double slip_event_reach_of(const slip_event_driven *m, int e)
{
    const slip_system *s = m->system;
    const int row = s->elements[e].normal_row;
    double reach = m->least.length;
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
        reach = fmax(reach, fabs(m->rigid.terms.value[k] * m->q[s->column[k]]));
    return reach;
}

double slip_event_closed_gap(const slip_event_driven *m, int e)
{
    return GAP_CLOSED_RELATIVE * slip_event_reach_of(m, e);
}

// what the start and the forces at time t promise; false when they cannot be had
static bool sample_scales(slip_event_driven *m, double t, promise *p)
{
    slip_terms *terms = &m->rigid.terms;
    const slip_system *s = m->system;
    if (!slip_system_evaluate(s, SLIP_LEVEL_MOTION, t, m->x, m->x + m->n, terms)) return false;
    memcpy(m->scratch_u, terms->h, (size_t)m->n * sizeof *terms->h);
    slip_system_solve(s, terms, m->scratch_u);
    p->acceleration = largest_moved(m, m->scratch_u, p->acceleration);
    p->speed = largest_abs(s->row_count, terms->drift, p->speed);
    p->length = largest_abs(m->elements, terms->gap, p->length);
    return true;
}

// a number that is not one, or nothing at all, promises nothing
static double least_of(double promised)
{
    return promised > 0.0 && SCALE_MARGIN * promised < 1.0 ? SCALE_MARGIN * promised : 1.0;
}

static bool is_usual(const slip_event_driven *m)
{
    return m->least.length == 1.0 && m->least.speed == 1.0 && m->rigid.unit == 1.0;
}

void slip_event_choose_scales(slip_event_driven *m)
{
    const double T = m->until;
    promise p = { 0 };
    m->least.length = m->least.speed = m->rigid.unit = 1.0;
    m->least.width = EVENT_TIME_TOLERANCE;
    if (!(T > 0.0 && T < INFINITY)) return;
    m->least.width = fmin(EVENT_TIME_TOLERANCE, EVENT_TIME_OF_RUN * T);
    p.length = largest_moved(m, m->x, 0.0), p.speed = largest_moved(m, m->x + m->n, 0.0);
    for (int k = 0; k < SAMPLES_OVER_RUN; k++) {
        if (!sample_scales(m, T * k / SAMPLES_OVER_RUN, &p)) break;
        p.speed = fmax(p.speed, p.acceleration * T);
        p.length = fmax(p.length, p.speed * T);
        m->least.length = least_of(p.length), m->least.speed = least_of(p.speed);
        m->rigid.unit = least_of(fmax(p.acceleration, fmax(p.speed, p.length / T) / T));
        if (is_usual(m)) break;
    }
}
