/// stepping/moreau_printed.c: one step of Moreau's midpoint rule as Flores 2010 prints it.
#include <string.h>

#include "stepping/moreau.h"

typedef enum midpoint { FLIGHT, CONTACT, NO_MASS } midpoint;

// terms at the midpoint: rows only where they are needed, since most steps of most machines are free
static midpoint evaluate_midpoint(slip_moreau *m, double t, const double *u)
{
    const slip_system *s = m->system;
    if (!m->always && !m->was_active) {
        if (!slip_system_evaluate(s, SLIP_LEVEL_FREE, t, m->middle, u, &m->terms)) return NO_MASS;
        bool closed = false;
        for (int e = 0; e < s->contact_count; e++) closed = closed || m->terms.gap[e] <= m->slack[e];
        if (!closed) return FLIGHT;
    }
    return slip_system_evaluate(s, SLIP_LEVEL_MOTION, t, m->middle, u, &m->terms) ? CONTACT : NO_MASS;
}

static midpoint go_to_midpoint(slip_moreau *m, double t, const double *x, double dt)
{
    const slip_glide_leg leg = { t, dt, x, NULL };
    const double *u = x + m->n;
    if (m->was_active && m->glide && slip_moreau_glide(m, &leg)) return CONTACT;
    slip_system_move(m->system, t, x, 0.5 * dt, u, &m->terms, m->middle);
    return evaluate_midpoint(m, t + 0.5 * dt, u);
}

static slip_run_outcome push(slip_moreau *m, double dt, const double *u, slip_moreau_step *step)
{
    slip_loads_answer loads = SLIP_LOADS_AGAIN;
    bool finite = true, solved = true;
    slip_moreau_load(m, &m->last);
    slip_moreau_hold(m, &m->last);
    for (slip_loads_begin(&m->loads); solved && loads == SLIP_LOADS_AGAIN;) {
        slip_moreau_assemble(m, SLIP_MOREAU_PRINTED, dt, u);
        finite = slip_all_finite(m->problem.q, m->problem.blocks * m->d);
        solved = finite && slip_moreau_solve(m, &m->last, step);
        if (solved) loads = slip_moreau_settle_loads(m, step);
    }
    solved = solved && loads == SLIP_LOADS_SETTLED;
    slip_moreau_let_go(m);
    if (!solved) return finite ? SLIP_UNSOLVED : SLIP_BLOWN_UP;
    slip_moreau_end_velocity(m, u, step->x + m->n);
    return SLIP_RUNNING;
}

slip_run_outcome slip_moreau_printed(slip_moreau *m, double t, const double *x, double dt,
                                     slip_moreau_step *step)
{
    const int n = m->n;
    const double *u = x + n;
    double *q_end = step->x, *u_end = step->x + n;
    step->length = dt;
    const midpoint found = go_to_midpoint(m, t, x, dt);
    if (found == NO_MASS) return SLIP_BLOWN_UP;
    m->problem.blocks = 0;
    slip_moreau_clear(m, step);
    if (found == FLIGHT) {
        slip_moreau_free_velocity(m, dt, u);
        memcpy(u_end, m->problem.free, sizeof(double) * (size_t)n);
    } else {
        const slip_run_outcome outcome = push(m, dt, u, step);
        if (outcome != SLIP_RUNNING) return outcome;
    }
    slip_system_move(m->system, t + 0.5 * dt, m->middle, 0.5 * dt, u_end, &m->terms, q_end); // (44)
    if (!slip_all_finite(step->x, 2 * n)) return SLIP_BLOWN_UP;
    if (found == FLIGHT)
        slip_moreau_book_flight(m, step);
    else {
        slip_moreau_states(m, &m->last, step);
        slip_moreau_book(m, t + dt, u, step);
        memcpy(step->course.warm, step->impulse, sizeof(double) * 3 * (size_t)m->system->element_count);
    }
    slip_moreau_book_power(m, t + 0.5 * dt, dt, u, u_end, step);
    slip_moreau_project(m, t + dt, step);
    return SLIP_RUNNING;
}
