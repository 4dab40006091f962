/// formulation/moreau/moreau_substepping.c: a step made of substeps, which end where gaps close, and of
/// impacts.
#include <math.h>
#include <string.h>

#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

enum {
    MAX_LOCATED_IMPACTS = 32,     // that are located in one step
    MAX_LOCATED_CONTACTS = 64,    // contacts that take part in them
    MAX_IMPACTS_AT_ONE_TIME = 16, // strikes at one time; the last leaves nothing that approaches
    MAX_TRIAL_SUBSTEPS = 60,
    MAX_BOUNCES_PER_STEP = 64, // parts of a step: what is shorter stays closed
    MAX_SUBSTEP_HALVINGS = 8   // of a length that has no solution
};

// what a step goes on from; nothing of the last step changes, so that one may look ahead
static void begin_step(slip_moreau *m, double dt, slip_moreau_step *step)
{
    const slip_moreau_history *from = &m->last.history;
    slip_moreau_history *to = &step->history;
    slip_moreau_clear_step(m, step);
    step->length = dt;
    memcpy(step->x, m->last.x, step->handed_on);
    to->a = step->x + (from->a - m->last.x); // these two change places
    to->a_before = step->x + (from->a_before - m->last.x);
    to->warm_length = from->warm_length;
    to->span = from->span, to->span_before = from->span_before;
    to->known = from->known;
    to->substep_length = from->substep_length;
    to->calm = from->calm;
    to->rough = from->rough;
    to->substeps = to->strikes = to->borders = 0;
}

// A contact that pushed is closed, even if its gap drifted a little; one that a strike opened is not, but for
// another strike at the same time
void slip_moreau_find_closed(slip_moreau *m, bool at_once, const slip_moreau_step *step)
{
    for (int e = 0; e < m->system->element_count; e++) {
        const double slack = step->state[e] == SLIP_STATE_OPEN ? m->slack[e] : 1e4 * m->slack[e];
        m->closed[e] = m->system->elements[e].has_gap && step->history.gap[e] <= slack &&
                       (at_once || step->history.leaving[e] == 0.0);
    }
}

// A heap with an event not long ago: accuracy is not to be had, and contacts of the last problem are many
bool slip_moreau_is_settling(const slip_moreau *m, const slip_moreau_step *step)
{
    return step->history.rough > 0.0 && m->problem.blocks > SLIP_MOREAU_MANY_CONTACTS;
}

// Equal internal steps up to the end of the step, or up to where the time alone makes something jump or bend;
// half of the way of a bounce that ends before it
static double choose_length(const slip_moreau *m, double t, double left, const slip_moreau_step *step)
{
    const slip_moreau_history *c = &step->history;
    const double soon = SAME_TIME_OF_STEP * m->step;
    const double until = fmin(left, slip_time_schedule_next(&m->timetable, t + soon) - t);
    const bool whole = until <= c->substep_length || slip_moreau_is_settling(m, step);
    double length = whole ? until : until / fmax(1.0, ceil(until / c->substep_length - WHOLE_NUMBER_SLACK));
    length = fmin(length, fmax(soon, slip_time_schedule_end(&m->timetable, t + soon) - t));
    for (int e = 0; e < m->system->contact_count; e++)
        if (c->leaving[e] > 0.0 && c->back[e] < 1.25 * length) length = 0.5 * c->back[e];
    return length;
}

// A gap that a strike opened is closed again, although it should not be yet: others push it back. The attempt
// is made so short that it ends halfway; a bounce that takes next to no time is none
static bool rebound_is_closed(slip_moreau *m, double whole, double *dt, slip_moreau_step *step)
{
    slip_moreau_history *c = &step->history;
    double length = *dt;
    bool any = false;
    for (int e = 0; e < m->system->contact_count; e++) {
        if (c->leaving[e] == 0.0 || (m->trial.gap_mid[e] > 0.0 && m->trial.gap_end[e] > 0.0)) continue;
        const double way = c->leaving[e] * *dt, fall = way + fmax(0.0, c->gap[e]) - m->trial.gap_end[e];
        const double back = fmin(*dt, fall > 0.0 ? way / fall * *dt : *dt);
        any = true;
        if (back < whole / MAX_BOUNCES_PER_STEP) {
            c->leaving[e] = 0.0;
            m->closed[e] = true;
        } else
            length = fmin(length, 0.5 * back);
    }
    *dt = length;
    return any;
}

// rows that jump on the way, as at an edge: where a closed contact is struck without a gap that closed
bool slip_moreau_has_corner_impact(const slip_moreau *m)
{
    for (int b = 0; b < m->problem.blocks; b++)
        if (m->problem.hits[b]) return true;
    return false;
}

static bool same_states(const slip_moreau *m, const slip_moreau_step *step)
{
    return memcmp(m->was, step->state, (size_t)m->system->element_count) == 0;
}

// a contact or friction begins, ends, sticks or slips in the attempt: its accelerations are new
bool slip_moreau_changes_states(const slip_moreau *m, const slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    int pushing = 0;
    for (int b = 0; b < p->blocks; b++) {
        pushing += p->state[b] != SLIP_STATE_OPEN;
        if (p->state[b] != step->state[p->element[b]]) return true;
    }
    for (int e = 0; e < m->system->element_count; e++) pushing -= step->state[e] != SLIP_STATE_OPEN;
    return pushing != 0;
}

static void store_warm_start(const slip_moreau *m, slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    step->history.warm_length = p->length;
    for (int k = 0; k < 3 * m->system->element_count; k++) step->history.warm[k] = 0.0;
    for (int b = 0; b < p->blocks; b++)
        for (int c = 0; c < m->d; c++) step->history.warm[3L * p->element[b] + c] = p->r[b * m->d + c];
}

// where contacts are held from now on: on their surface, or where they were when it jumped
static void update_contact_levels(const slip_moreau *m, slip_moreau_step *step)
{
    slip_moreau_history *c = &step->history;
    for (int e = 0; e < m->system->contact_count; e++) {
        const bool jumps = step->jumped == e && c->gap[e] < c->level[e];
        if (jumps || step->state[e] == SLIP_STATE_OPEN || c->gap[e] > 0.0)
            c->level[e] = fmin(0.0, jumps ? c->gap[e] : fmax(c->level[e], c->gap[e]));
    }
}

void slip_moreau_accept_substep(slip_moreau *m, double t, double dt, slip_moreau_step *step)
{
    const int n = m->n;
    slip_moreau_history *c = &step->history;
    const bool flight = !m->always && m->problem.blocks == 0;
    const double *u = step->x + n, *u_end = m->trial.x + n;
    if (m->observer) m->observer->taken(m->observer->context, t, dt, step);
    for (int e = 0; e < m->system->element_count; e++) c->gap[e] = m->trial.gap_end[e];
    if (flight)
        slip_moreau_account_flight(m, step);
    else {
        slip_moreau_states(m, step, step);
        slip_moreau_account(m, t + dt, u, step);
        store_warm_start(m, step);
    }
    slip_moreau_account_power(m, t + 0.5 * dt, dt, u, u_end, step);
    slip_moreau_save_accelerations(m, dt, flight || same_states(m, step), step);
    for (int i = 0; i < 2 * n; i++) step->x[i] = m->trial.x[i];
    update_contact_levels(m, step);
    if (slip_moreau_project(m, t + dt, step)) {
        slip_system_evaluate(m->system, SLIP_LEVEL_GAP, t + dt, step->x, step->x + n, &m->terms);
        memcpy(c->gap, m->terms.gap, sizeof(double) * (size_t)m->system->element_count);
    }
    for (int e = 0; e < m->system->element_count; e++) c->leaving[e] = 0.0;
    c->substeps++;
    m->base.finer_steps++;
}

// The attempt again, so that it ends where the gap closes; few corrections do. In a heap there is none
static slip_run_outcome end_at_gap_closing(slip_moreau *m, double t, const slip_moreau_gap_closing *touch,
                                           double *dt, slip_moreau_step *step)
{
    const int e = touch->element;
    const double longest = *dt;
    slip_run_outcome outcome = SLIP_RUNNING;
    *dt = touch->after;
    const int tries = m->problem.blocks > SLIP_MOREAU_MANY_CONTACTS ? 1 : 5;
    for (int try = 0; try < tries; try++) {
        outcome = slip_moreau_trial_substep(m, t, *dt, step);
        if (outcome != SLIP_RUNNING) break;
        const double off = m->trial.gap_end[e];
        const double near = m->slack[e] + MET_GAP_OF_TRAVEL * fabs(touch->slope) * longest;
        if (fabs(off) <= near || !(touch->slope < 0.0) || touch->jumps) break;
        const double next = *dt - off / touch->slope;
        if (!(next > 0.0 && next <= longest)) break;
        *dt = next;
    }
    return outcome;
}

// a contact that was opening may be closed by the others, at a rate that restitution makes an approach
static bool has_new_approach(const slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    for (int b = 0; b < p->blocks; b++) {
        const int i = b * m->d;
        const double rate = p->w[i] - p->eps[i] * p->before[i];
        if (p->row[i] >= 0 && rate < -slip_moreau_rate_tolerance(m, b)) return true;
    }
    return false;
}

// strikes at time t until nothing approaches any more; `touched` was found closed, or -1
static slip_run_outcome solve_impacts(slip_moreau *m, double t, int touched, slip_moreau_step *step)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    for (int k = 0; k < MAX_IMPACTS_AT_ONE_TIME && outcome == SLIP_RUNNING; k++) {
        slip_moreau_find_closed(m, true, step);
        if (touched >= 0) m->closed[touched] = true;
        outcome = slip_moreau_impact_step(m, t, k == MAX_IMPACTS_AT_ONE_TIME - 1, step);
        if (outcome == SLIP_RUNNING && !has_new_approach(m)) break;
    }
    if (touched >= 0) step->history.gap[touched] = fmin(step->history.gap[touched], m->slack[touched]);
    return outcome;
}

// In a heap a strike is one of many, and each is a problem of many contacts: fewer are located there
static bool may_locate_impacts(const slip_moreau *m, const slip_moreau_step *step)
{
    int closed = 0;
    for (int e = 0; e < m->system->contact_count; e++) closed += m->closed[e];
    const int strikes = step->history.strikes;
    return strikes < MAX_LOCATED_IMPACTS && closed < MAX_LOCATED_CONTACTS &&
           strikes * closed < MAX_LOCATED_CONTACTS;
}

// The attempt, with a length for which it holds: it is solved, accurate, meets no edge and takes no bounce
// for a contact. False outcome when there is none
static slip_run_outcome find_valid_substep(slip_moreau *m, double t, double whole, double *dt,
                                           slip_moreau_step *step)
{
    const double edge = whole / 64.0;
    const bool locates = may_locate_impacts(m, step);
    for (int try = 0; try < MAX_TRIAL_SUBSTEPS; try++) {
        const slip_run_outcome outcome = slip_moreau_trial_substep(m, t, *dt, step);
        if (outcome != SLIP_RUNNING) {
            if (try >= MAX_SUBSTEP_HALVINGS) return outcome;
            *dt *= 0.25;
        } else if (!slip_moreau_is_settling(m, step) && !slip_moreau_changes_states(m, step) &&
                   !slip_moreau_accept_error(m, whole, dt, step)) {
            continue;
        } else if (locates && slip_moreau_has_corner_impact(m) && *dt > edge) {
            *dt *= 0.25;
        } else if (!rebound_is_closed(m, whole, dt, step))
            break;
    }
    return SLIP_RUNNING;
}

// forces may jump at t: accelerations from before say nothing about those after
static bool switches_at(const slip_moreau *m, double t)
{
    const double soon = SAME_TIME_OF_STEP * m->step;
    return slip_time_schedule_next(&m->timetable, t - soon) <= t + soon;
}

// the attempt again, as short as it takes to see what smooth forces do on a short way
static slip_run_outcome end_at_narrow_feature(slip_moreau *m, double t, double *dt, slip_moreau_step *step)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    for (int try = 0; try < MAX_TRIAL_SUBSTEPS && outcome == SLIP_RUNNING; try++) {
        const double after = slip_moreau_time_to_narrow_feature(m, t, *dt, step);
        if (after >= *dt) break;
        *dt = after;
        outcome = slip_moreau_trial_substep(m, t, *dt, step);
    }
    return outcome;
}

// The attempt again, so that it ends where a force or friction jumps or bends. The force of the first attempt
// is that of its middle, which may be beyond the border: then the way to a border of a rate is another one
static slip_run_outcome end_at_discontinuity(slip_moreau *m, double t, double *dt, slip_moreau_step *step,
                                             bool *at_border)
{
    enum { ROUNDS = 6 };
    const double there = 1.0 - AT_DISCONTINUITY_OF_STEP;
    slip_run_outcome outcome = SLIP_RUNNING;
    for (int round = 0; round < ROUNDS && outcome == SLIP_RUNNING; round++) {
        const double after = slip_moreau_time_to_discontinuity(m, t, *dt, step);
        if (after >= (*at_border ? there * *dt : *dt)) break;
        *dt = after;
        *at_border = true;
        outcome = slip_moreau_trial_substep(m, t, *dt, step);
    }
    return outcome;
}

static void close_crossed_gaps(slip_moreau *m, int touched)
{
    m->closed[touched] = true;
    for (int e = 0; e < m->system->contact_count; e++)
        if (m->trial.gap_end[e] <= 0.0 || m->trial.gap_mid[e] <= 0.0) m->closed[e] = true;
}

// one internal step, and a strike where a gap closes on the way
static slip_run_outcome take_substep(slip_moreau *m, double t, double whole, double left, double *taken,
                                     slip_moreau_step *step)
{
    double dt = choose_length(m, t, left, step);
    slip_moreau_gap_closing touch = { .element = -1 };
    bool at_border = false;
    slip_moreau_find_closed(m, false, step);
    for (;;) {
        slip_run_outcome outcome = find_valid_substep(m, t, whole, &dt, step);
        if (outcome == SLIP_RUNNING) outcome = end_at_narrow_feature(m, t, &dt, step);
        if (outcome == SLIP_RUNNING) outcome = end_at_discontinuity(m, t, &dt, step, &at_border);
        if (outcome != SLIP_RUNNING) return outcome;
        touch = slip_moreau_first_closing(m, t, dt, step);
        if (touch.element < 0 || may_locate_impacts(m, step)) break;
        close_crossed_gaps(m, touch.element); // too many in one step: those left are closed from here on
    }
    slip_run_outcome outcome = SLIP_RUNNING;
    *taken = 0.0;
    if (touch.element >= 0) outcome = end_at_gap_closing(m, t, &touch, &dt, step);
    if (outcome != SLIP_RUNNING) return outcome;
    if (touch.element < 0 || touch.after > SAME_TIME_OF_STEP * whole) {
        slip_moreau_accept_substep(m, t, dt, step);
        *taken = dt;
        if (at_border) step->history.borders++;
        if (at_border || switches_at(m, t + dt)) {
            step->history.known = 0;
            if (m->observer) m->observer->border(m->observer->context, t + dt, step);
        }
    }
    if (touch.element < 0) return SLIP_RUNNING;
    if (m->observer) m->observer->touched(m->observer->context, t + *taken, &touch, step);
    if (touch.jumps) step->jumped = touch.element, step->depth[touch.element] = touch.depth;
    return solve_impacts(m, t + *taken, touch.element, step);
}

static slip_run_outcome take_substeps(slip_moreau *m, double t, double dt, slip_moreau_step *step)
{
    double done = 0.0;
    begin_step(m, dt, step);
    if (m->due) {
        slip_moreau_first_substep(m, t, step);
        const slip_run_outcome outcome = solve_impacts(m, t, -1, step);
        if (outcome != SLIP_RUNNING) return outcome;
    }
    while (done < dt) {
        double taken;
        if (done > 0.0 && slip_stop_is_due(m->base.stop)) return SLIP_STOPPED;
        const double left = dt - done;
        const slip_run_outcome outcome = take_substep(m, t + done, dt, left, &taken, step);
        if (outcome != SLIP_RUNNING) return outcome;
        done = left - taken < SAME_TIME_OF_STEP * dt ? dt : done + taken;
    }
    return SLIP_RUNNING;
}

slip_run_outcome slip_moreau_substepping(slip_moreau *m, double t, double dt, slip_moreau_step *step)
{
    if (m->observer) m->observer->begin(m->observer->context);
    const slip_run_outcome outcome = take_substeps(m, t, dt, step);
    if (m->observer) m->observer->end(m->observer->context);
    return outcome;
}
