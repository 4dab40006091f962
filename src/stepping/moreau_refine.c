/// stepping/moreau_refine.c: a step made of internal steps that end where gaps close, and of strikes.
#include <math.h>
#include <string.h>

#include "stepping/moreau.h"

enum {
    MAX_STRIKES = 32, // that are located in one step
    MAX_STRUCK = 64,  // contacts that take part in them
    MAX_AT_ONCE = 16, // strikes at one time; the last leaves nothing that approaches
    MAX_TRIES = 60,
    SHORTEST_BOUNCE = 64, // parts of a step: what is shorter stays closed
    MAX_HALVINGS = 8      // of a length that has no solution
};

// what a step goes on from; nothing of the last step changes, so that one may look ahead
static void begin(slip_moreau *m, double dt, slip_moreau_step *step)
{
    const slip_moreau_course *from = &m->last.course;
    slip_moreau_course *to = &step->course;
    slip_moreau_clear(m, step);
    step->length = dt;
    memcpy(step->x, m->last.x, step->handed_on);
    to->a = step->x + (from->a - m->last.x); // these two change places
    to->a_before = step->x + (from->a_before - m->last.x);
    to->warm_length = from->warm_length;
    to->span = from->span, to->span_before = from->span_before;
    to->known = from->known;
    to->pace = from->pace;
    to->calm = from->calm;
    to->rough = from->rough;
    to->substeps = to->strikes = to->borders = 0;
}

// A contact that pushed is closed, even if its gap drifted a little; one that a strike opened is not, but for
// another strike at the same time
void slip_moreau_find_closed(slip_moreau *m, bool at_once, const slip_moreau_step *step)
{
    for (int e = 0; e < m->system->element_count; e++) {
        const double slack = step->state[e] == SLIP_OPENED ? m->slack[e] : 1e4 * m->slack[e];
        m->closed[e] = m->system->elements[e].has_gap && step->course.gap[e] <= slack &&
                       (at_once || step->course.leaving[e] == 0.0);
    }
}

// A heap with an event not long ago: accuracy is not to be had, and contacts of the last problem are many
bool slip_moreau_settles(const slip_moreau *m, const slip_moreau_step *step)
{
    return step->course.rough > 0.0 && m->problem.blocks > SLIP_MOREAU_CROWD;
}

// Equal internal steps up to the end of the step, or up to where the time alone makes something jump or bend;
// half of the way of a bounce that ends before it
static double choose_length(const slip_moreau *m, double t, double left, const slip_moreau_step *step)
{
    const slip_moreau_course *c = &step->course;
    const double soon = 1e-12 * m->step; // rounding of the time
    const double until = fmin(left, slip_timetable_next(&m->timetable, t + soon) - t);
    const bool whole = until <= c->pace || slip_moreau_settles(m, step);
    double length = whole ? until : until / fmax(1.0, ceil(until / c->pace - 1e-9));
    length = fmin(length, fmax(soon, slip_timetable_end(&m->timetable, t + soon) - t));
    for (int e = 0; e < m->system->contact_count; e++)
        if (c->leaving[e] > 0.0 && c->back[e] < 1.25 * length) length = 0.5 * c->back[e];
    return length;
}

// A gap that a strike opened is closed again, although it should not be yet: others push it back. The attempt
// is made so short that it ends halfway; a bounce that takes next to no time is none
static bool turned_back(slip_moreau *m, double whole, double *dt, slip_moreau_step *step)
{
    slip_moreau_course *c = &step->course;
    double length = *dt;
    bool any = false;
    for (int e = 0; e < m->system->contact_count; e++) {
        if (c->leaving[e] == 0.0 || (m->trial.gap_mid[e] > 0.0 && m->trial.gap_end[e] > 0.0)) continue;
        const double way = c->leaving[e] * *dt, fall = way + fmax(0.0, c->gap[e]) - m->trial.gap_end[e];
        const double back = fmin(*dt, fall > 0.0 ? way / fall * *dt : *dt);
        any = true;
        if (back < whole / SHORTEST_BOUNCE) {
            c->leaving[e] = 0.0;
            m->closed[e] = true;
        } else
            length = fmin(length, 0.5 * back);
    }
    *dt = length;
    return any;
}

// rows that jump on the way, as at an edge: where a closed contact is struck without a gap that closed
bool slip_moreau_meets_an_edge(const slip_moreau *m)
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
        pushing += p->state[b] != SLIP_OPENED;
        if (p->state[b] != step->state[p->element[b]]) return true;
    }
    for (int e = 0; e < m->system->element_count; e++) pushing -= step->state[e] != SLIP_OPENED;
    return pushing != 0;
}

static void keep_warm(const slip_moreau *m, slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    step->course.warm_length = p->length;
    for (int k = 0; k < 3 * m->system->element_count; k++) step->course.warm[k] = 0.0;
    for (int b = 0; b < p->blocks; b++)
        for (int c = 0; c < m->d; c++) step->course.warm[3L * p->element[b] + c] = p->r[b * m->d + c];
}

// where contacts are held from now on: on their surface, or where they were when it jumped
static void settle_levels(const slip_moreau *m, slip_moreau_step *step)
{
    slip_moreau_course *c = &step->course;
    for (int e = 0; e < m->system->contact_count; e++) {
        const bool jumps = step->jumped == e && c->gap[e] < c->level[e];
        if (jumps || step->state[e] == SLIP_OPENED || c->gap[e] > 0.0)
            c->level[e] = fmin(0.0, jumps ? c->gap[e] : fmax(c->level[e], c->gap[e]));
    }
}

void slip_moreau_take(slip_moreau *m, double t, double dt, slip_moreau_step *step)
{
    const int n = m->n;
    slip_moreau_course *c = &step->course;
    const bool flight = !m->always && m->problem.blocks == 0;
    const double *u = step->x + n, *u_end = m->trial.x + n;
    if (m->follower) m->follower->taken(m->follower->context, t, dt, step);
    for (int e = 0; e < m->system->element_count; e++) c->gap[e] = m->trial.gap_end[e];
    if (flight)
        slip_moreau_book_flight(m, step);
    else {
        slip_moreau_states(m, step, step);
        slip_moreau_book(m, t + dt, u, step);
        keep_warm(m, step);
    }
    slip_moreau_book_power(m, t + 0.5 * dt, dt, u, u_end, step);
    slip_moreau_remember(m, dt, flight || same_states(m, step), step);
    for (int i = 0; i < 2 * n; i++) step->x[i] = m->trial.x[i];
    settle_levels(m, step);
    if (slip_moreau_project(m, t + dt, step)) {
        slip_system_evaluate(m->system, SLIP_LEVEL_GAP, t + dt, step->x, step->x + n, &m->terms);
        memcpy(c->gap, m->terms.gap, sizeof(double) * (size_t)m->system->element_count);
    }
    for (int e = 0; e < m->system->element_count; e++) c->leaving[e] = 0.0;
    c->substeps++;
    m->base.finer_steps++;
}

// The attempt again, so that it ends where the gap closes; few corrections do. In a heap there is none
static slip_run_outcome end_at_touch(slip_moreau *m, double t, const slip_moreau_touch *touch, double *dt,
                                     slip_moreau_step *step)
{
    const int e = touch->element;
    const double longest = *dt;
    slip_run_outcome outcome = SLIP_RUNNING;
    *dt = touch->after;
    const int tries = m->problem.blocks > SLIP_MOREAU_CROWD ? 1 : 5;
    for (int try = 0; try < tries; try++) {
        outcome = slip_moreau_attempt(m, t, *dt, step);
        if (outcome != SLIP_RUNNING) break;
        const double off = m->trial.gap_end[e];
        const double near = m->slack[e] + 1e-12 * fabs(touch->slope) * longest;
        if (fabs(off) <= near || !(touch->slope < 0.0) || touch->jumps) break;
        const double next = *dt - off / touch->slope;
        if (!(next > 0.0 && next <= longest)) break;
        *dt = next;
    }
    return outcome;
}

// a contact that was opening may be closed by the others, at a rate that restitution makes an approach
static bool strikes_again(const slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    for (int b = 0; b < p->blocks; b++) {
        const int i = b * m->d;
        const double rate = p->w[i] - p->eps[i] * p->before[i];
        if (p->row[i] >= 0 && rate < -slip_moreau_noise(m, b)) return true;
    }
    return false;
}

// strikes at time t until nothing approaches any more; `touched` was found closed, or -1
static slip_run_outcome strike(slip_moreau *m, double t, int touched, slip_moreau_step *step)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    for (int k = 0; k < MAX_AT_ONCE && outcome == SLIP_RUNNING; k++) {
        slip_moreau_find_closed(m, true, step);
        if (touched >= 0) m->closed[touched] = true;
        outcome = slip_moreau_strike(m, t, k == MAX_AT_ONCE - 1, step);
        if (outcome == SLIP_RUNNING && !strikes_again(m)) break;
    }
    if (touched >= 0) step->course.gap[touched] = fmin(step->course.gap[touched], m->slack[touched]);
    return outcome;
}

// In a heap a strike is one of many, and each is a problem of many contacts: fewer are located there
static bool locates_strikes(const slip_moreau *m, const slip_moreau_step *step)
{
    int closed = 0;
    for (int e = 0; e < m->system->contact_count; e++) closed += m->closed[e];
    const int strikes = step->course.strikes;
    return strikes < MAX_STRIKES && closed < MAX_STRUCK && strikes * closed < MAX_STRUCK;
}

// The attempt, with a length for which it holds: it is solved, accurate, meets no edge and takes no bounce
// for a contact. False outcome when there is none
static slip_run_outcome attempt(slip_moreau *m, double t, double whole, double *dt, slip_moreau_step *step)
{
    const double edge = whole / 64.0;
    const bool locates = locates_strikes(m, step);
    for (int try = 0; try < MAX_TRIES; try++) {
        const slip_run_outcome outcome = slip_moreau_attempt(m, t, *dt, step);
        if (outcome != SLIP_RUNNING) {
            if (try >= MAX_HALVINGS) return outcome;
            *dt *= 0.25;
        } else if (!slip_moreau_settles(m, step) && !slip_moreau_changes_states(m, step) &&
                   !slip_moreau_keeps_pace(m, whole, dt, step)) {
            continue;
        } else if (locates && slip_moreau_meets_an_edge(m) && *dt > edge) {
            *dt *= 0.25;
        } else if (!turned_back(m, whole, dt, step))
            break;
    }
    return SLIP_RUNNING;
}

// forces may jump at t: accelerations from before say nothing about those after
static bool switches_at(const slip_moreau *m, double t)
{
    const double soon = 1e-12 * m->step;
    return slip_timetable_next(&m->timetable, t - soon) <= t + soon;
}

// the attempt again, as short as it takes to see what smooth forces do on a short way
static slip_run_outcome end_before_narrow(slip_moreau *m, double t, double *dt, slip_moreau_step *step)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    for (int try = 0; try < MAX_TRIES && outcome == SLIP_RUNNING; try++) {
        const double after = slip_moreau_to_narrow(m, t, *dt, step);
        if (after >= *dt) break;
        *dt = after;
        outcome = slip_moreau_attempt(m, t, *dt, step);
    }
    return outcome;
}

// The attempt again, so that it ends where a force or friction jumps or bends. The force of the first attempt
// is that of its middle, which may be beyond the border: then the way to a border of a rate is another one
static slip_run_outcome end_at_border(slip_moreau *m, double t, double *dt, slip_moreau_step *step,
                                      bool *at_border)
{
    enum { ROUNDS = 6 };
    const double there = 1.0 - 1e-9; // of the way to a border is at the border
    slip_run_outcome outcome = SLIP_RUNNING;
    for (int round = 0; round < ROUNDS && outcome == SLIP_RUNNING; round++) {
        const double after = slip_moreau_to_border(m, t, *dt, step);
        if (after >= (*at_border ? there * *dt : *dt)) break;
        *dt = after;
        *at_border = true;
        outcome = slip_moreau_attempt(m, t, *dt, step);
    }
    return outcome;
}

static void close_crossed(slip_moreau *m, int touched)
{
    m->closed[touched] = true;
    for (int e = 0; e < m->system->contact_count; e++)
        if (m->trial.gap_end[e] <= 0.0 || m->trial.gap_mid[e] <= 0.0) m->closed[e] = true;
}

// one internal step, and a strike where a gap closes on the way
static slip_run_outcome advance(slip_moreau *m, double t, double whole, double left, double *taken,
                                slip_moreau_step *step)
{
    double dt = choose_length(m, t, left, step);
    slip_moreau_touch touch = { .element = -1 };
    bool at_border = false;
    slip_moreau_find_closed(m, false, step);
    for (;;) {
        slip_run_outcome outcome = attempt(m, t, whole, &dt, step);
        if (outcome == SLIP_RUNNING) outcome = end_before_narrow(m, t, &dt, step);
        if (outcome == SLIP_RUNNING) outcome = end_at_border(m, t, &dt, step, &at_border);
        if (outcome != SLIP_RUNNING) return outcome;
        touch = slip_moreau_first_touch(m, t, dt, step);
        if (touch.element < 0 || locates_strikes(m, step)) break;
        close_crossed(m, touch.element); // too many in one step: those left are closed from here on
    }
    slip_run_outcome outcome = SLIP_RUNNING;
    *taken = 0.0;
    if (touch.element >= 0) outcome = end_at_touch(m, t, &touch, &dt, step);
    if (outcome != SLIP_RUNNING) return outcome;
    if (touch.element < 0 || touch.after > 1e-12 * whole) {
        slip_moreau_take(m, t, dt, step);
        *taken = dt;
        if (at_border) step->course.borders++;
        if (at_border || switches_at(m, t + dt)) {
            step->course.known = 0;
            if (m->follower) m->follower->border(m->follower->context, t + dt, step);
        }
    }
    if (touch.element < 0) return SLIP_RUNNING;
    if (m->follower) m->follower->touched(m->follower->context, t + *taken, &touch, step);
    if (touch.jumps) step->jumped = touch.element, step->depth[touch.element] = touch.depth;
    return strike(m, t + *taken, touch.element, step);
}

static slip_run_outcome refine(slip_moreau *m, double t, double dt, slip_moreau_step *step)
{
    double done = 0.0;
    begin(m, dt, step);
    if (m->due) {
        slip_moreau_first_pace(m, t, step);
        const slip_run_outcome outcome = strike(m, t, -1, step);
        if (outcome != SLIP_RUNNING) return outcome;
    }
    while (done < dt) {
        double taken;
        if (done > 0.0 && slip_stop_is_due(m->base.stop)) return SLIP_STOPPED;
        const double left = dt - done;
        const slip_run_outcome outcome = advance(m, t + done, dt, left, &taken, step);
        if (outcome != SLIP_RUNNING) return outcome;
        done = left - taken < 1e-12 * dt ? dt : done + taken;
    }
    return SLIP_RUNNING;
}

slip_run_outcome slip_moreau_refine(slip_moreau *m, double t, double dt, slip_moreau_step *step)
{
    if (m->follower) m->follower->begin(m->follower->context);
    const slip_run_outcome outcome = refine(m, t, dt, step);
    if (m->follower) m->follower->end(m->follower->context);
    return outcome;
}
