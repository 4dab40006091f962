/// stepping/moreau_attempt.c: one internal step between events, and a strike.
///
/// An internal step is the midpoint rule again, with two differences that make it of second order. Forces,
/// and friction coefficients, see the velocity u_M of the midpoint: extrapolated from the accelerations of
/// the internal step before, or where there was an event by taking the step twice (not in a crowd of
/// contacts). And a gap has the rate w u
/// + drift +- dt/2 z at the ends, z being what its rows turn by along the motion: a contact that lasts has
/// rate 0 where the step ends, not where its midpoint was.
#include <math.h>
#include <string.h>

#include "stepping/moreau.h"

static slip_run_outcome solve_once(slip_moreau *m, slip_moreau_law law, double dt, const double *u,
                                   slip_moreau_step *step)
{
    slip_moreau_assemble(m, law, dt, u);
    if (!slip_all_finite(m->problem.q, m->problem.blocks * m->d)) return SLIP_BLOWN_UP;
    const bool by_law = slip_moreau_is_strike(m) && m->striker.asked;
    const bool solved = by_law ? slip_moreau_collide(m) : slip_moreau_solve(m, step, step);
    if (solved && slip_moreau_is_strike(m) && !by_law) slip_moreau_compare_laws(m);
    return solved ? SLIP_RUNNING : SLIP_UNSOLVED;
}

static slip_run_outcome solve(slip_moreau *m, slip_moreau_law law, double dt, const double *u,
                              slip_moreau_step *step)
{
    slip_loads_answer loads = SLIP_LOADS_AGAIN;
    slip_run_outcome outcome = SLIP_RUNNING;
    slip_loads_begin(&m->loads);
    while (outcome == SLIP_RUNNING && loads == SLIP_LOADS_AGAIN) {
        outcome = solve_once(m, law, dt, u, step);
        loads = outcome == SLIP_RUNNING && law == SLIP_MOREAU_SMOOTH ? slip_moreau_settle_loads(m, step)
                                                                     : SLIP_LOADS_SETTLED;
    }
    return loads == SLIP_LOADS_LOST ? SLIP_UNSOLVED : outcome;
}

static slip_run_outcome push(slip_moreau *m, slip_moreau_law law, double dt, const double *u, double *u_end,
                             slip_moreau_step *step)
{
    const bool time_passes = law == SLIP_MOREAU_SMOOTH;
    if (time_passes) slip_moreau_load(m, step), slip_moreau_hold(m, step);
    slip_run_outcome outcome = solve(m, law, dt, u, step);
    if (outcome == SLIP_RUNNING && time_passes && slip_moreau_hold_turned(m))
        outcome = solve(m, law, dt, u, step);
    if (time_passes) slip_moreau_let_go(m);
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
    if (!flight) return push(m, SLIP_MOREAU_SMOOTH, dt, u, u_end, step);
    m->problem.law = SLIP_MOREAU_SMOOTH;
    m->problem.blocks = 0;
    slip_moreau_free_velocity(m, dt, u);
    slip_moreau_end_velocity(m, u, u_end);
    return SLIP_RUNNING;
}

static slip_run_outcome by_terms(slip_moreau *m, double t, double dt, bool flight, slip_moreau_step *step)
{
    const slip_level level = flight ? SLIP_LEVEL_FREE : SLIP_LEVEL_ACCELERATION;
    if (!slip_system_evaluate(m->system, level, t, m->middle, m->trial.mid, &m->terms)) return SLIP_BLOWN_UP;
    return end_velocity(m, dt, flight, step);
}

// ---- operation by operation

static slip_run_outcome attempt(slip_moreau *m, double t, double dt, bool flight, slip_moreau_step *step)
{
    const slip_system *s = m->system;
    const double *u = step->x + m->n, *u_end = m->trial.x + m->n;
    const bool known = step->course.known > 0;
    slip_system_move(s, t, step->x, 0.5 * dt, u, &m->terms, m->middle);
    slip_run_outcome outcome = by_terms(m, t + 0.5 * dt, dt, flight, step);
    if (outcome == SLIP_RUNNING && !known && m->problem.blocks <= SLIP_MOREAU_CROWD) {
        for (int i = 0; i < m->n; i++) m->trial.mid[i] = 0.5 * (u[i] + u_end[i]);
        outcome = by_terms(m, t + 0.5 * dt, dt, flight, step);
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

static bool fly(slip_moreau *m, const slip_glide_leg *leg)
{
    const double *u = leg->x + m->n, *u_end = m->trial.x + m->n;
    double *turnover = m->turnover;
    if (!slip_glide_fly(m->glide, leg, &m->terms, m->driven ? m->middle : NULL, m->trial.x, m->trial.gap_mid,
                        m->trial.gap_end))
        return false;
    m->problem.law = SLIP_MOREAU_SMOOTH;
    m->problem.blocks = 0;
    for (int k = 0; k < m->n; k++) turnover[k] = fabs(u_end[k] - u[k]);
    return true;
}

bool slip_moreau_glide(slip_moreau *m, const slip_glide_leg *leg)
{
    if (!slip_glide_to_middle(m->glide, leg, &m->terms, m->middle, m->problem.free)) return false;
    m->problem.flown = true;
    m->problem.made = slip_glide_made_rows(m->glide);
    return true;
}

// *outcome is set when the answer is final
static bool glide(slip_moreau *m, const slip_glide_leg *leg, slip_moreau_step *step,
                  slip_run_outcome *outcome)
{
    if (!slip_moreau_glide(m, leg)) return false;
    *outcome = end_velocity(m, leg->dt, false, step);
    if (*outcome != SLIP_RUNNING) return true;
    memcpy(m->trial.gap_mid, m->terms.gap, sizeof(double) * (size_t)m->system->element_count);
    return slip_glide_to_end(m->glide, leg, m->middle, m->trial.x, m->trial.gap_end);
}

slip_run_outcome slip_moreau_attempt(slip_moreau *m, double t, double dt, slip_moreau_step *step)
{
    const double *u = step->x + m->n, *a = step->course.a;
    const bool flight = !m->always && !any_closed(m), known = step->course.known > 0;
    slip_run_outcome outcome = SLIP_RUNNING;
    if (known && m->glide && !m->follower) {
        const slip_glide_leg leg = { t, dt, step->x, a };
        if (flight ? fly(m, &leg) : glide(m, &leg, step, &outcome)) return outcome;
    }
    for (int i = 0; i < m->n; i++) m->trial.mid[i] = known ? u[i] + 0.5 * dt * a[i] : u[i];
    return attempt(m, t, dt, flight, step);
}

// gaps that a strike opens, and after which time they close again under the forces of the moment
static void note_leaving(slip_moreau *m, slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    for (int b = 0; b < p->blocks; b++) {
        const int i = b * m->d, e = p->element[b];
        const double rate = p->w[i] - p->eps[i] * p->before[i], pull = p->smooth_change[i] / m->step;
        const bool leaves =
            rate > SLIP_MOREAU_SOFT * slip_moreau_explained(m, b) + 1e-12 * fabs(p->before[i]);
        step->course.leaving[e] = leaves ? rate : 0.0;
        step->course.back[e] = pull < 0.0 ? -2.0 * rate / pull : INFINITY;
    }
}

slip_run_outcome slip_moreau_strike(slip_moreau *m, double t, bool dull, slip_moreau_step *step)
{
    const slip_moreau_law law = dull ? SLIP_MOREAU_DULL : SLIP_MOREAU_INSTANT;
    double *u_end = m->trial.x + m->n, *u = step->x + m->n;
    const slip_level level =
        m->striker.asked ? SLIP_LEVEL_ACCELERATION : SLIP_LEVEL_MOTION; // who is pressed on
    if (!slip_system_evaluate(m->system, level, t, step->x, u, &m->terms)) return SLIP_BLOWN_UP;
    const slip_run_outcome outcome = push(m, law, 0.0, u, u_end, step);
    if (outcome != SLIP_RUNNING) return outcome;
    slip_moreau_states(m, step, step);
    slip_moreau_book(m, t, u, step);
    note_leaving(m, step);
    if (m->follower) m->follower->struck(m->follower->context, t, step, u_end);
    memcpy(u, u_end, sizeof(double) * (size_t)m->n);
    step->course.known = 0;
    step->course.strikes++;
    return SLIP_RUNNING;
}
