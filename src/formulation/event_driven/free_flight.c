/// formulation/event_driven/free_flight.c: stages while nothing touches.
///
/// Without contacts that are closed, frictions and constraints there is no contact problem to solve and
/// nothing to project on: accelerations are M^-1 h, by the same operations on the same numbers as in
/// event_driven_stages.c. Events are located by some ten steps each, so most stages of a motion that bounces are of this
/// kind.
#include <math.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"

bool slip_event_in_free_flight(const slip_event_driven *m)
{
    if (m->system->constraint_count > 0) return false;
    for (int e = 0; e < m->elements; e++)
        if (m->rigid.contact_state[e].closed) return false;
    return true;
}

// q', u' into xdot
static bool flight_rate(slip_event_driven *m, double t, const double *x, double *xdot)
{
    slip_terms *terms = &m->rigid.terms;
    const double *q = x, *u = x + m->n;
    m->trouble = SLIP_CONTACT_PROJECTION_FAILED;
    if (!slip_system_evaluate(m->system, SLIP_LEVEL_FREE, t, q, u, terms)) return false;
    m->trouble = SLIP_CONTACT_SOLVED;
    double *a = xdot + m->n;
    for (int k = 0; k < m->n; k++) a[k] = terms->h[k];
    slip_system_solve(m->system, terms, a);
    slip_system_velocity(m->system, t, q, u, terms, xdot);
    return true;
}

static bool rate_without_ledger(void *context, double t, const double *x, double *xdot)
{
    return flight_rate(context, t, x, xdot);
}

// a stage of a step, as those of event_driven_stages.c are shown
static void publish_stage(slip_event_driven *m, double t, const double *x, const double *xdot)
{
    const size_t bytes = (size_t)m->n * sizeof *x;
    memcpy(m->q, x, bytes);
    memcpy(m->u, x + m->n, bytes);
    memcpy(m->rigid.a, xdot + m->n, bytes);
    m->observer->stage(m->observer->context, t);
}

static bool flight_rate_with_ledger(void *context, double t, const double *x, double *xdot)
{
    slip_event_driven *m = context;
    double kinetic, potential, *ledger = xdot + 2 * m->n;
    if (!flight_rate(m, t, x, xdot)) return false;
    ledger[0] = ledger[1] = 0.0;
    if (m->works)
        slip_system_energy(m->system, t, x, x + m->n, &m->rigid.terms, &kinetic, &potential, &ledger[0]);
    if (m->observer && !m->observer->leaps(m->observer->context)) publish_stage(m, t, x, xdot);
    return true;
}

slip_ode_problem slip_event_flight_problem(slip_event_driven *m)
{
    slip_ode_problem flight = m->problem;
    flight.rate = flight_rate_with_ledger;
    return flight;
}

double slip_event_flight_probe(slip_event_driven *m, double h)
{
    slip_ode_problem flight = { .count = 2 * m->n, .context = m, .rate = rate_without_ledger };
    if (!slip_cash_karp_attempt(&flight, m->base.t, m->x, h, &m->work, m->probe)) return NAN;
    memcpy(m->q, m->probe, (size_t)m->n * sizeof *m->q);
    memcpy(m->u, m->probe + m->n, (size_t)m->n * sizeof *m->u);
    if (!slip_system_evaluate(m->system, SLIP_LEVEL_MOTION, m->base.t + h, m->q, m->u, &m->rigid.terms))
        return NAN;
    return slip_event_evaluate_functions(m, m->base.t + h, m->after);
}
