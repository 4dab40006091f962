/// formulation/moreau/moreau_fast_path.c: a step that goes on as the last one did, made in its place.
///
/// Most steps are one internal step in which no contact begins, ends, sticks or slips. They need no copy of
/// what the step goes on from: the attempt is looked at first, and taken when there is nothing else to it.
/// Where there is, the step is made by moreau_substepping.c or moreau_reference.c from the same beginning,
/// with the same bits.
#include <math.h>

#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

enum { STEPS_BEFORE_RETRY = 16 }; // steps without a try after one in vain

// nothing changes by the time alone until dt has passed, or just then
static bool no_time_event(const slip_time_schedule *table, double t, double dt, double soon)
{
    if (table->switch_count == 0 && table->cell_count == 0) return true;
    return slip_time_schedule_next(table, t - soon) > t + dt + soon &&
           slip_time_schedule_end(table, t + soon) >= t + dt;
}

static bool may_use_fast_path(const slip_moreau *m, double dt)
{
    const slip_moreau_history *c = &m->last.history;
    if (!m->plain || m->due || m->observer || c->known < 2 || c->substep_length != dt) return false;
    if (!no_time_event(&m->timetable, m->base.t, dt, SAME_TIME_OF_STEP * m->step)) return false;
    for (int e = 0; e < m->system->contact_count; e++)
        if (c->leaving[e] != 0.0) return false;
    return true;
}

// whether a contact is off the place where it is held, and has to be put back
static bool has_drifted(const slip_moreau *m)
{
    const slip_moreau_step *step = &m->last;
    for (int e = 0; e < m->system->contact_count; e++)
        if (m->closed[e] && (step->history.level[e] != 0.0 || fabs(m->trial.gap_end[e]) > 0.5 * m->slack[e]))
            return true;
    return false;
}

static bool continues_last_step(slip_moreau *m, double dt, slip_moreau_step *step)
{
    slip_moreau_find_closed(m, false, step);
    return slip_moreau_trial_substep(m, m->base.t, dt, step) == SLIP_RUNNING &&
           !slip_moreau_is_settling(m, step) && !slip_moreau_changes_states(m, step) &&
           !slip_moreau_has_corner_impact(m) && !slip_moreau_gap_may_close(m, step) && !has_drifted(m) &&
           slip_moreau_accept_error_surely(m, dt, step);
}

bool slip_moreau_fast_step(slip_moreau *m, double dt)
{
    slip_moreau_step *step = &m->last;
    if (m->restless > 0) {
        m->restless--;
        return false;
    }
    if (!may_use_fast_path(m, dt)) return false;
    const double before = step->residual;
    const int rescued = step->rescued;
    step->residual = 0.0, step->rescued = 0;
    if (!continues_last_step(m, dt, step)) {
        step->residual = before, step->rescued = rescued;
        m->restless = STEPS_BEFORE_RETRY;
        return false;
    }
    slip_moreau_check_verdict(m, step); // while modes and rates are those before the step
    const double residual = step->residual;
    const int answers = step->rescued;
    slip_moreau_clear_step(m, step);
    step->length = dt, step->residual = residual, step->rescued = answers;
    step->history.substeps = step->history.strikes = step->history.borders = 0;
    slip_moreau_accept_substep(m, m->base.t, dt, step);
    slip_moreau_add_to_ledger(m, step);
    return true;
}

static bool all_gaps_open(const slip_moreau *m)
{
    for (int e = 0; e < m->system->contact_count; e++)
        if (!(m->trial.gap_mid[e] > m->slack[e])) return false;
    return true;
}

bool slip_moreau_fast_flight(slip_moreau *m, double dt)
{
    slip_moreau_step *step = &m->last;
    const int n = m->n;
    const double t = m->base.t;
    const slip_midpoint_interval leg = { t, dt, step->x, NULL };
    double *end = m->trial.x;
    if (!m->plain || m->was_active || m->observer || m->projection == SLIP_PROJECT_ALL) return false;
    if (!slip_fused_midpoint_free_step(m->fused, &leg, &m->terms, m->middle, end, m->trial.gap_mid, NULL) ||
        !all_gaps_open(m))
        return false;
    m->problem.blocks = 0;
    slip_moreau_clear_step(m, step);
    step->length = dt;
    slip_moreau_account_flight(m, step);
    slip_moreau_account_power(m, t + 0.5 * dt, dt, step->x + n, end + n, step);
    for (int i = 0; i < 2 * n; i++) step->x[i] = end[i];
    slip_moreau_add_to_ledger(m, step);
    slip_moreau_check_verdict(m, step);
    return true;
}
