/// formulation/moreau/moreau_substep.c: one substep between events, and an impact.
///
/// An internal step is the midpoint rule again, with two differences that make it of second order. Forces,
/// and friction coefficients, see the velocity u_M of the midpoint: extrapolated from the accelerations of
/// the internal step before, or where there was an event by taking the step twice (not in a crowd of
/// contacts). And a gap has the rate w u
/// + drift +- dt/2 z at the ends, z being what its rows turn by along the motion: a contact that lasts has
/// rate 0 where the step ends, not where its midpoint was.
#include <math.h>
#include <string.h>

#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

static slip_run_outcome solve_once(slip_moreau *m, slip_moreau_problem_kind law, double dt, const double *u,
                                   slip_moreau_step *step)
{
    slip_moreau_assemble(m, law, dt, u);
    if (!slip_all_finite(m->problem.q, m->problem.blocks * m->d)) return SLIP_BLOWN_UP;
    const bool by_law = slip_moreau_by_impact_law(m);
    const bool solved = by_law ? slip_moreau_solve_impact(m) : slip_moreau_solve(m, step, step);
    if (solved && slip_moreau_is_impact(m) && !by_law) slip_moreau_compare_laws(m);
    return solved ? SLIP_RUNNING : SLIP_UNSOLVED;
}

static slip_run_outcome solve_with_laws(slip_moreau *m, slip_moreau_problem_kind law, double dt,
                                        const double *u, slip_moreau_step *step)
{
    slip_load_iteration loads = SLIP_LOADS_ITERATE;
    slip_run_outcome outcome = SLIP_RUNNING;
    slip_friction_loads_begin(&m->loads);
    while (outcome == SLIP_RUNNING && loads == SLIP_LOADS_ITERATE) {
        outcome = solve_once(m, law, dt, u, step);
        loads = outcome == SLIP_RUNNING && law == SLIP_MOREAU_SUBSTEP ? slip_moreau_iterate_loads(m, step)
                                                                      : SLIP_LOADS_CONVERGED;
    }
    return loads == SLIP_LOADS_DIVERGED ? SLIP_UNSOLVED : outcome;
}

static slip_run_outcome solve_velocities(slip_moreau *m, slip_moreau_problem_kind law, double dt,
                                         const double *u, double *u_end, slip_moreau_step *step)
{
    const bool time_passes = law == SLIP_MOREAU_SUBSTEP;
    if (time_passes) slip_moreau_restore_loads(m, step), slip_moreau_use_static_friction(m, step);
    slip_run_outcome outcome = solve_with_laws(m, law, dt, u, step);
    if (outcome == SLIP_RUNNING && time_passes && slip_moreau_hold_reversed(m))
        outcome = solve_with_laws(m, law, dt, u, step);
    if (time_passes) slip_moreau_use_kinetic_friction(m);
    if (outcome == SLIP_RUNNING) slip_moreau_end_velocity(m, u, u_end);
    return outcome;
}

static bool any_closed(const slip_moreau *m)
{
    for (int e = 0; e < m->system->contact_count; e++)
        if (m->closed[e]) return true;
    return false;
}

// u_E with forces at (t, m->middle, m->trial.mid), of which the terms are known
static slip_run_outcome end_velocity(slip_moreau *m, double dt, bool flight, slip_moreau_step *step)
{
    const double *u = step->x + m->n;
    double *u_end = m->trial.x + m->n;
    if (!flight) return solve_velocities(m, SLIP_MOREAU_SUBSTEP, dt, u, u_end, step);
    m->problem.law = SLIP_MOREAU_SUBSTEP;
    m->problem.blocks = 0;
    slip_moreau_free_velocity(m, dt, u);
    slip_moreau_end_velocity(m, u, u_end);
    return SLIP_RUNNING;
}

static slip_run_outcome substep_by_terms(slip_moreau *m, double t, double dt, bool flight,
                                         slip_moreau_step *step)
{
    const slip_level level = flight ? SLIP_LEVEL_FREE : SLIP_LEVEL_ACCELERATION;
    if (!slip_system_evaluate(m->system, level, t, m->middle, m->trial.mid, &m->terms)) return SLIP_BLOWN_UP;
    return end_velocity(m, dt, flight, step);
}

// ---- operation by operation

static slip_run_outcome midpoint_substep(slip_moreau *m, double t, double dt, bool flight,
                                         slip_moreau_step *step)
{
    const slip_system *s = m->system;
    const double *u = step->x + m->n, *u_end = m->trial.x + m->n;
    const bool known = step->history.known > 0;
    slip_system_move(s, t, step->x, 0.5 * dt, u, &m->terms, m->middle);
    slip_run_outcome outcome = substep_by_terms(m, t + 0.5 * dt, dt, flight, step);
    if (outcome == SLIP_RUNNING && !known && m->problem.blocks <= SLIP_MOREAU_MANY_CONTACTS) {
        for (int i = 0; i < m->n; i++) m->trial.mid[i] = 0.5 * (u[i] + u_end[i]);
        outcome = substep_by_terms(m, t + 0.5 * dt, dt, flight, step);
    }
    if (outcome != SLIP_RUNNING) return outcome;
    const size_t gaps = sizeof(double) * (size_t)s->element_count;
    if (gaps) memcpy(m->trial.gap_mid, m->terms.gap, gaps);
    slip_system_move(s, t + 0.5 * dt, m->middle, 0.5 * dt, u_end, &m->terms, m->trial.x);
    if (!slip_all_finite(m->trial.x, 2 * m->n)) return SLIP_BLOWN_UP;
    if (gaps == 0 && s->constraint_count == 0) return SLIP_RUNNING; // nothing has a place to look at
    slip_system_evaluate(s, SLIP_LEVEL_GAP, t + dt, m->trial.x, u_end, &m->terms);
    memcpy(m->trial.gap_end, m->terms.gap, gaps);
    return SLIP_RUNNING;
}

// ---- the same as programs

static bool fused_flight(slip_moreau *m, const slip_midpoint_interval *leg)
{
    const double *u = leg->x + m->n, *u_end = m->trial.x + m->n;
    double *turnover = m->turnover;
    if (!slip_fused_midpoint_free_step(m->fused, leg, &m->terms, m->driven ? m->middle : NULL, m->trial.x,
                                       m->trial.gap_mid, m->trial.gap_end))
        return false;
    m->problem.law = SLIP_MOREAU_SUBSTEP;
    m->problem.blocks = 0;
    for (int k = 0; k < m->n; k++) turnover[k] = fabs(u_end[k] - u[k]);
    return true;
}

bool slip_moreau_fused_to_midpoint(slip_moreau *m, const slip_midpoint_interval *leg)
{
    if (!slip_fused_midpoint_to_middle(m->fused, leg, &m->terms, m->middle, m->problem.free)) return false;
    m->problem.flown = true;
    m->problem.made = slip_fused_midpoint_row_results(m->fused);
    return true;
}

// *outcome is set when the answer is final
static bool fused_substep(slip_moreau *m, const slip_midpoint_interval *leg, slip_moreau_step *step,
                          slip_run_outcome *outcome)
{
    if (!slip_moreau_fused_to_midpoint(m, leg)) return false;
    *outcome = end_velocity(m, leg->dt, false, step);
    if (*outcome != SLIP_RUNNING) return true;
    memcpy(m->trial.gap_mid, m->terms.gap, sizeof(double) * (size_t)m->system->element_count);
    return slip_fused_midpoint_to_end(m->fused, leg, m->middle, m->trial.x, m->trial.gap_end);
}

slip_run_outcome slip_moreau_trial_substep(slip_moreau *m, double t, double dt, slip_moreau_step *step)
{
    const double *u = step->x + m->n, *a = step->history.a;
    const bool flight = !m->always && !any_closed(m), known = step->history.known > 0;
    slip_run_outcome outcome = SLIP_RUNNING;
    if (known && m->fused && !m->observer) {
        const slip_midpoint_interval leg = { t, dt, step->x, a };
        if (flight ? fused_flight(m, &leg) : fused_substep(m, &leg, step, &outcome)) return outcome;
    }
    for (int i = 0; i < m->n; i++) m->trial.mid[i] = known ? u[i] + 0.5 * dt * a[i] : u[i];
    return midpoint_substep(m, t, dt, flight, step);
}

// gaps that a strike opens, and after which time they close again under the forces of the moment
static void predict_rebound(slip_moreau *m, slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    for (int b = 0; b < p->blocks; b++) {
        const int i = b * m->d, e = p->element[b];
        const double rate = p->w[i] - p->eps[i] * p->before[i], pull = p->smooth_change[i] / m->step;
        const bool leaves = rate > SOFT_LANDING_OF_STEP * slip_moreau_smooth_rate_change(m, b) +
                                       REBOUND_RELATIVE * fabs(p->before[i]);
        step->history.leaving[e] = leaves ? rate : 0.0;
        step->history.back[e] = pull < 0.0 ? -2.0 * rate / pull : INFINITY;
    }
}

slip_run_outcome slip_moreau_impact_step(slip_moreau *m, double t, bool dull, slip_moreau_step *step)
{
    const slip_moreau_problem_kind law = dull ? SLIP_MOREAU_PLASTIC_IMPACT : SLIP_MOREAU_IMPACT;
    double *u_end = m->trial.x + m->n, *u = step->x + m->n;
    const slip_level level = m->rigid_impact.asked || m->loads.count ? SLIP_LEVEL_ACCELERATION
                                                                     : SLIP_LEVEL_MOTION; // who is pressed on
    if (!slip_system_evaluate(m->system, level, t, step->x, u, &m->terms)) return SLIP_BLOWN_UP;
    const slip_run_outcome outcome = solve_velocities(m, law, 0.0, u, u_end, step);
    if (outcome != SLIP_RUNNING) return outcome;
    slip_moreau_states(m, step, step);
    slip_moreau_account(m, t, u, step);
    predict_rebound(m, step);
    if (m->observer) m->observer->struck(m->observer->context, t, step, u_end);
    memcpy(u, u_end, sizeof(double) * (size_t)m->n);
    step->history.known = 0;
    step->history.strikes++;
    return SLIP_RUNNING;
}
