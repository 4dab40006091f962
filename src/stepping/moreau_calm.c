/// stepping/moreau_calm.c: a step that goes on as the last one did, made in its place.
///
/// Most steps are one internal step in which no contact begins, ends, sticks or slips. They need no copy of
/// what the step goes on from: the attempt is looked at first, and taken when there is nothing else to it.
/// Where there is, the step is made by moreau_refine.c or moreau_printed.c from the same beginning, with the
/// same bits.
#include <math.h>

#include "stepping/moreau.h"

enum { PATIENCE = 16 }; // steps without a try after one in vain

// nothing changes by the time alone until dt has passed, or just then
static bool is_quiet(const slip_timetable *table, double t, double dt, double soon)
{
    if (table->switch_count == 0 && table->cell_count == 0) return true;
    return slip_timetable_next(table, t - soon) > t + dt + soon &&
           slip_timetable_end(table, t + soon) >= t + dt;
}

static bool may_be_calm(const slip_moreau *m, double dt)
{
    const slip_moreau_course *c = &m->last.course;
    if (!m->plain || m->due || m->follower || c->known < 2 || c->pace != dt) return false;
    if (!is_quiet(&m->timetable, m->base.t, dt, 1e-12 * m->step)) return false;
    for (int e = 0; e < m->system->contact_count; e++)
        if (c->leaving[e] != 0.0) return false;
    return true;
}

// whether a contact is off the place where it is held, and has to be put back
static bool drifts(const slip_moreau *m)
{
    const slip_moreau_step *step = &m->last;
    for (int e = 0; e < m->system->contact_count; e++)
        if (m->closed[e] && (step->course.level[e] != 0.0 || fabs(m->trial.gap_end[e]) > 0.5 * m->slack[e]))
            return true;
    return false;
}

static bool goes_on(slip_moreau *m, double dt, slip_moreau_step *step)
{
    slip_moreau_find_closed(m, false, step);
    return slip_moreau_attempt(m, m->base.t, dt, step) == SLIP_RUNNING && !slip_moreau_settles(m, step) &&
           !slip_moreau_changes_states(m, step) && !slip_moreau_meets_an_edge(m) &&
           !slip_moreau_may_touch(m, step) && !drifts(m) && slip_moreau_keeps_pace_surely(m, dt, step);
}

bool slip_moreau_calm(slip_moreau *m, double dt)
{
    slip_moreau_step *step = &m->last;
    if (m->restless > 0) {
        m->restless--;
        return false;
    }
    if (!may_be_calm(m, dt)) return false;
    const double before = step->residual;
    const int rescued = step->rescued;
    step->residual = 0.0, step->rescued = 0;
    if (!goes_on(m, dt, step)) {
        step->residual = before, step->rescued = rescued;
        m->restless = PATIENCE;
        return false;
    }
    slip_moreau_look_at_trust(m, step); // while modes and rates are those before the step
    const double residual = step->residual;
    const int answers = step->rescued;
    slip_moreau_clear(m, step);
    step->length = dt, step->residual = residual, step->rescued = answers;
    step->course.substeps = step->course.strikes = step->course.borders = 0;
    slip_moreau_take(m, m->base.t, dt, step);
    slip_moreau_count(m, step);
    return true;
}

static bool is_open(const slip_moreau *m)
{
    for (int e = 0; e < m->system->contact_count; e++)
        if (!(m->trial.gap_mid[e] > m->slack[e])) return false;
    return true;
}

bool slip_moreau_calm_flight(slip_moreau *m, double dt)
{
    slip_moreau_step *step = &m->last;
    const int n = m->n;
    const double t = m->base.t;
    const slip_glide_leg leg = { t, dt, step->x, NULL };
    double *end = m->trial.x;
    if (!m->plain || m->was_active || m->follower || m->projection == SLIP_PROJECT_ALL) return false;
    if (!slip_glide_fly(m->glide, &leg, &m->terms, m->middle, end, m->trial.gap_mid, NULL) || !is_open(m))
        return false;
    m->problem.blocks = 0;
    slip_moreau_clear(m, step);
    step->length = dt;
    slip_moreau_book_flight(m, step);
    slip_moreau_book_power(m, t + 0.5 * dt, dt, step->x + n, end + n, step);
    for (int i = 0; i < 2 * n; i++) step->x[i] = end[i];
    slip_moreau_count(m, step);
    slip_moreau_look_at_trust(m, step);
    return true;
}
