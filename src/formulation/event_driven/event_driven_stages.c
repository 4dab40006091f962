/// formulation/event_driven/event_driven_stages.c: accelerations and the ledger of one stage.
#include <math.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"

// power of forces and guides, and what friction takes
static void ledger_rates(slip_event_driven *m, double t, double *rate)
{
    const slip_system *s = m->system;
    const slip_contact_problem *r = &m->rigid;
    double friction = 0.0, work = 0.0;
    for (int e = 0; e < m->elements; e++) {
        const slip_element *element = &s->elements[e];
        for (int c = 0; c < element->slip_count; c++) {
            double force = c ? r->tangent_y[e] : r->tangent[e];
            friction -= force * slip_system_row_rate(s, &r->terms, element->tangent_row + c, m->u);
            work -= force * r->terms.drift[element->tangent_row + c];
        }
        if (element->has_gap) work -= r->normal[e] * r->terms.drift[element->normal_row];
    }
    if (m->works) {
        double kinetic, potential, power;
        slip_system_energy(s, t, m->q, m->u, &m->rigid.terms, &kinetic, &potential, &power);
        work += power + slip_contact_problem_drive_power(&m->rigid, m->u);
    }
    rate[0] = work;
    rate[1] = friction;
}

// projects m->q, m->u, where something holds them, and solves for their accelerations
static bool solve_at(slip_event_driven *m, double t)
{
    m->trouble = SLIP_CONTACT_PROJECTION_FAILED;
    if (!slip_event_in_free_flight(m)) {
        if (!slip_project_state(m, t, m->q, m->u)) return false;
        m->trouble = SLIP_CONTACT_SINGULAR_MASS;
    }
    if (!slip_contact_problem_build(&m->rigid, t, m->q, m->u)) return false;
    m->trouble = slip_event_solve(m);
    return m->trouble == SLIP_CONTACT_SOLVED;
}

bool slip_event_rate(void *context, double t, const double *x, double *xdot)
{
    slip_event_driven *m = context;
    for (int k = 0; k < m->n; k++) m->q[k] = x[k], m->u[k] = x[m->n + k];
    if (!solve_at(m, t)) return false;
    slip_system_velocity(m->system, t, m->q, m->u, &m->rigid.terms, xdot);
    for (int k = 0; k < m->n; k++) xdot[m->n + k] = m->rigid.a[k];
    ledger_rates(m, t, xdot + 2 * m->n);
    slip_event_sample_stage(m, t);
    if (m->observer) m->observer->stage(m->observer->context, t);
    return true;
}

void slip_warm_start_save(const slip_event_driven *m, slip_warm_start *to)
{
    const slip_contact_problem *r = &m->rigid;
    to->warm = r->warm;
    for (int e = 0; e < m->elements; e++) to->loaded[e] = r->loaded[e], to->tight[e] = r->tight[e];
    for (int k = 0; k < r->loads.count; k++) to->load[k] = r->loads.load[k];
}

void slip_warm_start_restore(slip_event_driven *m, const slip_warm_start *from)
{
    slip_contact_problem *r = &m->rigid;
    r->warm = from->warm;
    for (int e = 0; e < m->elements; e++) r->loaded[e] = from->loaded[e], r->tight[e] = from->tight[e];
    for (int k = 0; k < r->loads.count; k++) r->loads.load[k] = from->load[k];
}

bool slip_event_step_end(slip_event_driven *m, double t, double *x, double *xdot)
{
    memcpy(m->raw, x, (size_t)m->problem.count * sizeof *x);
    slip_warm_start_save(m, &m->arrived);
    if (!slip_event_rate(m, t, x, xdot)) return false;
    m->shift = 0.0;
    for (int k = 0; k < m->n; k++) {
        m->shift = fmax(m->shift, fabs(x[k] - m->q[k]));
        x[k] = m->q[k], x[m->n + k] = m->u[k];
    }
    return true;
}

bool slip_event_step_end_again(slip_event_driven *m, double t, double *x, double *xdot)
{
    slip_warm_start_restore(m, &m->arrived);
    memcpy(x, m->raw, (size_t)m->problem.count * sizeof *x);
    return slip_event_step_end(m, t, x, xdot);
}
