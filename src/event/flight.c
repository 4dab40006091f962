/// event/flight.c: stages while nothing touches.
///
/// Without contacts that are closed, frictions and constraints there is no contact problem to solve and
/// nothing to project on: accelerations are M^-1 h, by the same operations on the same numbers as in
/// stages.c. Events are located by some ten steps each, so most stages of a motion that bounces are of this
/// kind.
#include <math.h>
#include <string.h>

#include "event/event_driven.h"
#include "integrator/cash_karp.h"

bool slip_event_flies(const slip_event_driven *m)
{
    if (m->system->constraint_count > 0) return false;
    for (int e = 0; e < m->elements; e++)
        if (m->rigid.stance[e].closed) return false;
    return true;
}

// q', u' into xdot
static bool fly(slip_event_driven *m, double t, const double *x, double *xdot)
{
    slip_terms *terms = &m->rigid.terms;
    const double *q = x, *u = x + m->n;
    m->trouble = SLIP_RIGID_NO_POSITION;
    if (!slip_system_evaluate(m->system, SLIP_LEVEL_FREE, t, q, u, terms)) return false;
    m->trouble = SLIP_RIGID_SOLVED;
    double *a = xdot + m->n;
    for (int k = 0; k < m->n; k++) a[k] = terms->h[k];
    slip_system_solve(m->system, terms, a);
    slip_system_velocity(m->system, t, q, u, terms, xdot);
    return true;
}

static bool rate_without_ledger(void *context, double t, const double *x, double *xdot)
{
    return fly(context, t, x, xdot);
}

// a stage of a step, as those of stages.c are shown
static void show(slip_event_driven *m, double t, const double *x, const double *xdot)
{
    const size_t bytes = (size_t)m->n * sizeof *x;
    memcpy(m->q, x, bytes);
    memcpy(m->u, x + m->n, bytes);
    memcpy(m->rigid.a, xdot + m->n, bytes);
    m->follower->stage(m->follower->context, t);
}

static bool rate(void *context, double t, const double *x, double *xdot)
{
    slip_event_driven *m = context;
    double kinetic, potential, *ledger = xdot + 2 * m->n;
    if (!fly(m, t, x, xdot)) return false;
    ledger[0] = ledger[1] = 0.0;
    if (m->works)
        slip_system_energy(m->system, t, x, x + m->n, &m->rigid.terms, &kinetic, &potential, &ledger[0]);
    if (m->follower) show(m, t, x, xdot);
    return true;
}

static void leap(void *context, double h, double *high, double *low)
{
    slip_event_driven *m = context;
    slip_leap_pair(m->leap, h, high, low);
}

slip_ode_problem slip_event_flight(slip_event_driven *m)
{
    slip_ode_problem flight = m->problem;
    flight.rate = rate;
    if (m->leap && (!m->follower || m->follower->leaps(m->follower->context))) {
        slip_leap_begin(m->leap, m->base.t, m->x, m->work.k[0], &m->rigid.terms);
        flight.pair = leap;
    }
    return flight;
}

void slip_event_begin_flight(slip_event_driven *m)
{
    if (m->leap) slip_leap_begin(m->leap, m->base.t, m->x, m->work.k[0], &m->rigid.terms);
}

bool slip_event_flight_ends(slip_event_driven *m, double t)
{
    if (m->follower || !slip_leap_touches(m->leap)) return false;
    slip_leap_show(m->leap, m->q, m->u, &m->rigid.terms);
    return slip_event_look(m, t, m->after) <= 0.0;
}

// stage by stage
static bool go(slip_event_driven *m, double h)
{
    slip_ode_problem flight = { .count = 2 * m->n, .context = m, .rate = rate_without_ledger };
    if (!slip_cash_karp_attempt(&flight, m->base.t, m->x, h, &m->work, m->probe)) return false;
    memcpy(m->q, m->probe, (size_t)m->n * sizeof *m->q);
    memcpy(m->u, m->probe + m->n, (size_t)m->n * sizeof *m->u);
    return slip_system_evaluate(m->system, SLIP_LEVEL_MOTION, m->base.t + h, m->q, m->u, &m->rigid.terms);
}

double slip_event_probe_flight(slip_event_driven *m, double h)
{
    if (m->leap)
        slip_leap_to(m->leap, h, m->q, m->u, &m->rigid.terms);
    else if (!go(m, h))
        return NAN;
    return slip_event_look(m, m->base.t + h, m->after);
}

// a contact that touches without an event is asked for its acceleration
static bool is_asked(const slip_event_driven *m)
{
    for (int e = 0; e < m->elements; e++)
        if (m->after[2 * e].value > 0.0 && !(m->rigid.terms.gap[e] > slip_event_touching(m, e))) return true;
    return false;
}

bool slip_event_end_flight(slip_event_driven *m, double h, double last)
{
    if (!m->leap || m->follower || m->rigid.loads.count) return false;
    if (h != last) slip_event_probe_flight(m, h);
    if (is_asked(m)) return false;
    slip_leap_states(m->leap, m->probe);
    memcpy(m->raw, m->probe, (size_t)m->problem.count * sizeof *m->raw);
    slip_warm_keep(m, &m->arrived);
    m->shift = 0.0;
    return true;
}

void slip_event_complete(slip_event_driven *m)
{
    slip_event_arrive_again(m, m->base.t + m->ahead.h, m->ahead.end, m->work.stage);
    memcpy(m->end_rate, m->work.stage, (size_t)m->problem.count * sizeof *m->end_rate);
    m->ahead.bare = false, m->elsewhere = true, m->present = false;
}
