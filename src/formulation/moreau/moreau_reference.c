/// formulation/moreau/moreau_reference.c: one step of Moreau's midpoint rule as Flores 2010 prints it.
#include <string.h>

#include "formulation/moreau/moreau.h"

typedef enum midpoint { FLIGHT, CONTACT, MASS_NOT_POSITIVE } midpoint;

// terms at the midpoint: rows only where they are needed, since most steps of most machines are free
static midpoint evaluate_midpoint(slip_moreau *m, double t, const double *u)
{
    const slip_system *s = m->system;
    if (!m->always && !m->was_active) {
        if (!slip_system_evaluate(s, SLIP_LEVEL_FREE, t, m->middle, u, &m->terms)) return MASS_NOT_POSITIVE;
        bool closed = false;
        for (int e = 0; e < s->contact_count; e++) closed = closed || m->terms.gap[e] <= m->slack[e];
        if (!closed) return FLIGHT;
    }
    return slip_system_evaluate(s, SLIP_LEVEL_MOTION, t, m->middle, u, &m->terms) ? CONTACT
                                                                                  : MASS_NOT_POSITIVE;
}

static midpoint move_to_midpoint(slip_moreau *m, double t, const double *x, double dt)
{
    const slip_midpoint_interval leg = { t, dt, x, NULL };
    const double *u = x + m->n;
    if (m->was_active && m->fused && slip_moreau_fused_to_midpoint(m, &leg)) return CONTACT;
    slip_system_move(m->system, t, x, 0.5 * dt, u, &m->terms, m->middle);
    return evaluate_midpoint(m, t + 0.5 * dt, u);
}

static slip_run_outcome solve_step(slip_moreau *m, double dt, const double *u, slip_moreau_step *step)
{
    slip_load_iteration loads = SLIP_LOADS_ITERATE;
    bool finite = true, solved = true;
    slip_moreau_restore_loads(m, &m->last);
    slip_moreau_use_static_friction(m, &m->last);
    for (slip_friction_loads_begin(&m->loads); solved && loads == SLIP_LOADS_ITERATE;) {
        slip_moreau_assemble(m, SLIP_MOREAU_REFERENCE, dt, u);
        finite = slip_all_finite(m->problem.q, m->problem.blocks * m->d);
        solved = finite && slip_moreau_solve(m, &m->last, step);
        if (solved) loads = slip_moreau_iterate_loads(m, step);
    }
    solved = solved && loads == SLIP_LOADS_CONVERGED;
    slip_moreau_use_kinetic_friction(m);
    if (!solved) return finite ? SLIP_UNSOLVED : SLIP_BLOWN_UP;
    slip_moreau_end_velocity(m, u, step->x + m->n);
    return SLIP_RUNNING;
}

slip_run_outcome slip_moreau_reference_step(slip_moreau *m, double t, const double *x, double dt,
                                            slip_moreau_step *step)
{
    const int n = m->n;
    const double *u = x + n;
    double *q_end = step->x, *u_end = step->x + n;
    step->length = dt;
    const midpoint found = move_to_midpoint(m, t, x, dt);
    if (found == MASS_NOT_POSITIVE) return SLIP_BLOWN_UP;
    m->problem.blocks = 0;
    slip_moreau_clear_step(m, step);
    if (found == FLIGHT) {
        slip_moreau_free_velocity(m, dt, u);
        memcpy(u_end, m->problem.free, sizeof(double) * (size_t)n);
    } else {
        const slip_run_outcome outcome = solve_step(m, dt, u, step);
        if (outcome != SLIP_RUNNING) return outcome;
    }
    slip_system_move(m->system, t + 0.5 * dt, m->middle, 0.5 * dt, u_end, &m->terms, q_end); // (44)
    if (!slip_all_finite(step->x, 2 * n)) return SLIP_BLOWN_UP;
    if (found == FLIGHT)
        slip_moreau_account_flight(m, step);
    else {
        slip_moreau_states(m, &m->last, step);
        slip_moreau_account(m, t + dt, u, step);
        memcpy(step->history.warm, step->impulse, sizeof(double) * 3 * (size_t)m->system->element_count);
    }
    slip_moreau_account_power(m, t + 0.5 * dt, dt, u, u_end, step);
    slip_moreau_project(m, t + dt, step);
    return SLIP_RUNNING;
}
