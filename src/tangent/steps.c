/// tangent/steps.c: derivatives along a run by time stepping, from step to step.
#include "tangent/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"

static double *column_of(const slip_tangent *t, double *x, int c)
{
    return x + (size_t)c * 2 * (size_t)t->n;
}

static void copy_line(const slip_tangent *t, slip_steps_line *to, const slip_steps_line *from)
{
    memcpy(to->x, from->x, (size_t)t->problem.count * sizeof *to->x);
    memcpy(to->stance, from->stance, (size_t)t->elements * sizeof *to->stance);
    memcpy(to->dtau, from->dtau, (size_t)t->column_count * sizeof *to->dtau);
    memcpy(to->side, from->side, (size_t)t->switches * sizeof *to->side);
    to->seen = from->seen;
    to->begun = from->begun;
    to->pending = from->pending;
}

// columns of the present state in hand
static void load(slip_tangent *t)
{
    slip_steps *s = t->steps;
    s->walk.x = t->x;
    copy_line(t, &s->walk, &s->run);
    s->time = t->base->t;
    t->lost = s->lost;
}

bool slip_steps_end(slip_tangent *t)
{
    slip_steps *s = t->steps;
    t->lost_at = s->walking ? s->time : t->base->t;
    if (!s->walking) s->lost = true;
    return !s->walking;
}

// ------------------------------------------------------------------------------------------------ a step

static void on_begin(void *context)
{
    slip_tangent *t = context;
    load(t);
    t->steps->met.count = 0;
    t->reset = t->steps->happened = false;
    t->steps->walking = true;
    if (t->steps->m->jumps) slip_tangent_lose(t, "the rates break a constraint, and jump");
}

static void on_end(void *context)
{
    ((slip_tangent *)context)->steps->walking = false;
}

static void on_arrived(void *context)
{
    slip_tangent *t = context;
    slip_steps *s = t->steps;
    if (s->lost) return;
    s->walk.x = t->x; // columns change places on the way
    copy_line(t, &s->run, &s->walk);
    const slip_steps_strikes met = s->met;
    s->met = s->struck;
    s->struck = met;
    s->lost = t->lost;
    if (t->lost) slip_tangent_tell(t);
}

// rates of all gaps
static void find_gap_rates(slip_tangent *t, double time, const double *x, double *rate)
{
    double *reg = t->reg[SLIP_TANGENT_GAP];
    memcpy(reg, t->input, (size_t)t->in.count * sizeof *reg);
    reg[0] = time;
    memcpy(reg + 1, x, 2 * (size_t)t->n * sizeof *reg);
    slip_tape_run(t->tape[SLIP_TANGENT_GAP], reg);
    for (int e = 0; e < t->elements; e++) rate[e] = slip_tangent_result(t, SLIP_TANGENT_GAP, t->elements + e);
}

// a gap that turns where the step ends; the gaps there are in the registers
static void look_at_end(slip_tangent *t)
{
    slip_steps *s = t->steps;
    const double small = slip_steps_still(t, s->at + t->n);
    memcpy(t->start_slot.q, s->at, (size_t)t->n * sizeof *s->at);
    for (int e = 0; e < t->elements && !t->lost; e++) {
        const double gap = slip_tangent_result(t, SLIP_TANGENT_GAP, e);
        if (!t->system->elements[e].has_gap || s->walk.stance[e].closed || !(s->rate[e] < -small) ||
            fabs(s->after[e]) > small || gap > slip_tangent_small_gap(t))
            continue;
        slip_tangent_lose(t,
                          "'%s' comes within %.3g m without touching: a little more is an impact, and there "
                          "the derivatives grow without bound",
                          t->system->elements[e].name, fmax(gap, 0.0));
    }
}

// An open gap that turns within the last part of the step, of length h: columns are t->x where that began and
// t->next where it ends
static void look_at_gaps(slip_tangent *t, double time, double h, const double *x_end)
{
    slip_steps *s = t->steps;
    bool any = false;
    s->time = time + h;
    find_gap_rates(t, time + h, x_end, s->after);
    look_at_end(t);
    for (int e = 0; e < t->elements; e++)
        any = any || (t->system->elements[e].has_gap && !s->walk.stance[e].closed && s->rate[e] < 0.0 &&
                      s->after[e] > 0.0);
    if (!any || t->lost) return;
    memcpy(t->stance, s->walk.stance, (size_t)t->elements * sizeof *t->stance);
    if (!slip_steps_look(t, time, s->at, &t->start_slot)) return;
    slip_tangent_rates(t, t->x, t->work.k[0]);
    if (!slip_steps_look(t, time + h, x_end, t->step[SLIP_TANGENT_SLOTS - 1])) return;
    slip_tangent_rates(t, t->next, t->next_rate);
    slip_tangent_look_at_gaps(t);
}

// columns at the end of an internal step, on what holds
static void settle(slip_tangent *t, double time, const double *x)
{
    double *kept = t->x;
    t->x = t->next;
    t->next = kept;
    bool holds = t->system->constraint_count > 0;
    for (int e = 0; e < t->elements; e++) holds = holds || t->steps->walk.stance[e].closed;
    if (!holds || !slip_steps_look(t, time, x, t->step[SLIP_TANGENT_SLOTS - 1])) return;
    for (int c = 0; c < t->column_count; c++) slip_tangent_project(t, c, column_of(t, t->x, c));
}

static const char *struck_on_way(const slip_moreau *m)
{
    for (int b = 0; b < m->problem.blocks; b++)
        if (m->problem.hits[b]) return m->system->elements[m->problem.element[b]].name;
    return NULL;
}

static void on_taken(void *context, double time, double dt, const slip_moreau_step *step)
{
    slip_tangent *t = context;
    slip_steps *s = t->steps;
    double took, done = 0.0;
    if (t->lost) return;
    s->time = time;
    const char *struck = struck_on_way(s->m);
    if (struck) {
        slip_tangent_lose(t, "'%s' is struck within a step, at a time that is not located", struck);
        return;
    }
    slip_steps_read(t);
    memcpy(s->at, step->x, 2 * (size_t)t->n * sizeof *s->at);
    slip_steps_start(t, time, s->at, step->course.level);
    while (!t->lost && slip_steps_cross(t, time + done, dt - done, &took)) done += took;
    if (!t->lost) find_gap_rates(t, time + done, s->at, s->rate);
    if (!t->lost) slip_steps_march(t, time + done, dt - done, s->m->trial.x + t->n);
    if (!t->lost) look_at_gaps(t, time + done, dt - done, s->m->trial.x);
    if (!t->lost) settle(t, time + dt, s->m->trial.x);
    if (!t->lost) slip_steps_look_at_conditions(t, time + 0.5 * dt, s->m->middle);
    // what turned on the way ends the step at rest, and was looked at where it turned
    if (!t->lost && done == 0.0) slip_steps_look_for_border(t, time + dt, dt, step->x, s->m->trial.x);
    s->time = time + dt;
}

static void on_touched(void *context, double time, const slip_moreau_touch *touch,
                       const slip_moreau_step *step)
{
    slip_tangent *t = context;
    if (t->lost) return;
    t->steps->time = time;
    if (touch->jumps)
        slip_tangent_lose(t, "the gap of '%s' jumps", t->system->elements[touch->element].name);
    else
        slip_steps_touch(t, time, step->x, touch->element);
}

static void on_struck(void *context, double time, const slip_moreau_step *step, const double *u_end)
{
    slip_tangent *t = context;
    if (t->lost) return;
    t->steps->time = time;
    slip_steps_strike(t, time, step->x, step->x + t->n, u_end);
}

static void on_border(void *context, double time, const slip_moreau_step *step)
{
    slip_tangent *t = context;
    if (t->lost) return;
    t->steps->time = time;
    slip_steps_pass_border(t, time, step->x);
}

// ------------------------------------------------------------------------------------------------ asking

// How elements stand behind a step, as far as that tells; velocities tell the rest
static void guess(slip_tangent *t, const slip_moreau_step *step)
{
    slip_steps *s = t->steps;
    for (int e = 0; e < t->elements; e++) {
        const bool gap = t->system->elements[e].has_gap;
        slip_tangent_stance *to = &s->other[e];
        *to = s->walk.stance[e];
        if (s->walk.begun && !gap) continue;
        to->closed = !gap || ((step->mode[e] & SLIP_MODE_CLOSED) && step->course.leaving[e] == 0.0);
        to->slide = step->state[e] == SLIP_FORWARD ? 1.0 : step->state[e] == SLIP_BACKWARD ? -1.0 : 0.0;
    }
}

// the columns in hand, at a time at which nothing is pending
static void stand_behind(slip_tangent *t, double time, const slip_moreau_step *step)
{
    slip_steps *s = t->steps;
    if (s->walk.begun && !s->walk.pending) return;
    guess(t, step);
    slip_steps_start(t, time, step->x, step->course.level);
}

void slip_steps_stand(slip_tangent *t)
{
    slip_steps *s = t->steps;
    load(t);
    if (t->lost) return;
    stand_behind(t, t->base->t, &s->m->last);
    memcpy(t->stance, s->walk.stance, (size_t)t->elements * sizeof *t->stance);
    if (!t->lost) slip_steps_look(t, t->base->t, s->m->last.x, &t->start_slot);
}

void slip_steps_changed(slip_tangent *t)
{
    slip_steps *s = t->steps;
    s->walk.x = t->x;
    memcpy(s->walk.dtau, t->dtau, (size_t)t->column_count * sizeof *t->dtau);
    s->walk.pending = true;
    copy_line(t, &s->run, &s->walk);
}

void slip_steps_happened(slip_tangent *t)
{
    slip_steps_changed(t);
    t->steps->happened = true;
}

int slip_steps_strike_at(const slip_tangent *t, double time)
{
    const slip_steps_strikes *list = &t->steps->struck;
    for (int k = 0; k < list->count && k < SLIP_STEPS_STRIKES; k++)
        if (list->time[k] == time) return k;
    return -1;
}

void slip_steps_row(slip_tangent *t, double time, int records, double *row)
{
    slip_steps *s = t->steps;
    const int width = 2 * t->n + records;
    const bool now = time == t->base->t;
    const slip_moreau_step *step = now ? &s->m->last : &s->m->aside;
    if (now) load(t);
    if (!t->lost) stand_behind(t, time, step);
    if (!t->lost && records) {
        memcpy(t->stance, s->walk.stance, (size_t)t->elements * sizeof *t->stance);
        slip_steps_look(t, time, step->x, &t->seen);
    }
    for (int k = 0; k < width * t->column_count && t->lost; k++) row[k] = NAN;
    for (int c = 0; c < t->column_count && !t->lost; c++) {
        double *to = row + (size_t)c * (size_t)width;
        memcpy(to, column_of(t, t->x, c), 2 * (size_t)t->n * sizeof *to);
        if (records) slip_tangent_derive_records(t, c, to, records, to + 2 * t->n);
    }
}

// ---------------------------------------------------------------------------------------------- creating

static slip_status no(slip_error *error, const char *place, const char *why)
{
    return slip_fail(error, SLIP_UNSUPPORTED, place, "%s", why);
}

slip_status slip_steps_take(slip_tangent *t, slip_method *method, slip_error *error)
{
    slip_moreau *m = slip_moreau_of(method);
    if (!m)
        return no(error, "sensitivity",
                  "there are no derivatives under this formulation yet: lcp, gauss, moreau and the compliant "
                  "ones have them");
    if (m->max_substeps == 1)
        return no(error, "sensitivity",
                  "run.substeps: 1 is the scheme as printed, which locates no strikes and has no "
                  "derivatives; leave substeps out");
    t->steps = calloc(1, sizeof *t->steps);
    if (!t->steps) return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    t->steps->m = m;
    t->base = method;
    t->system = m->system;
    t->n = m->n;
    t->elements = m->system->element_count;
    t->like = &m->terms;
    slip_status status = slip_steps_find_conditions(t, error);
    if (status != SLIP_OK) return status;
    t->relative = 10.0 * m->tolerance;
    t->absolute = 0.0;
    for (int e = 0; e < t->elements; e++)
        if (m->system->elements[e].slip_count > 1)
            return no(error, m->system->elements[e].name,
                      "there are no derivatives of friction with two directions yet under moreau; lcp has "
                      "them");
    return SLIP_OK;
}

static void layout_strikes(slip_arena *a, const slip_tangent *t, slip_steps_strikes *strikes)
{
    const size_t all = (size_t)t->problem.count;
    strikes->dtau = SLIP_TAKE(a, double, SLIP_STEPS_STRIKES * t->column_count);
    strikes->before = SLIP_TAKE(a, double, SLIP_STEPS_STRIKES *all);
    strikes->behind = SLIP_TAKE(a, double, SLIP_STEPS_STRIKES *all);
}

static void layout(slip_arena *a, const slip_tangent *t, slip_steps *s)
{
    slip_terms_layout(a, t->system, &s->terms);
    s->run.x = SLIP_TAKE(a, double, t->problem.count);
    s->run.stance = SLIP_TAKE_PLAIN(a, slip_tangent_stance, t->elements);
    s->walk.stance = SLIP_TAKE_PLAIN(a, slip_tangent_stance, t->elements);
    s->other = SLIP_TAKE_PLAIN(a, slip_tangent_stance, t->elements);
    s->run.dtau = SLIP_TAKE(a, double, t->column_count);
    s->walk.dtau = SLIP_TAKE(a, double, t->column_count);
    s->at = SLIP_TAKE(a, double, 2 * t->n);
    s->middle = SLIP_TAKE(a, double, 2 * t->n);
    s->rate = SLIP_TAKE(a, double, t->elements);
    s->after = SLIP_TAKE(a, double, t->elements);
    s->value = SLIP_TAKE(a, double, t->switches);
    s->behind = SLIP_TAKE(a, double, t->switches);
    layout_strikes(a, t, &s->met);
    layout_strikes(a, t, &s->struck);
    s->run.side = SLIP_TAKE(a, double, t->switches);
    s->walk.side = SLIP_TAKE(a, double, t->switches);
}

bool slip_steps_follow(slip_tangent *t)
{
    slip_steps *s = t->steps;
    slip_arena count = { 0 };
    layout(&count, t, s);
    slip_arena real = { .base = slip_arena_memory(count.used) };
    if (!real.base) return false;
    s->memory = real.base;
    layout(&real, t, s);
    slip_terms_start(t->system, &s->terms);
    s->follower =
        (slip_moreau_follower){ t, on_begin, on_taken, on_touched, on_struck, on_border, on_end, on_arrived };
    s->m->follower = &s->follower;
    return true;
}

void slip_steps_restart(slip_tangent *t)
{
    slip_steps *s = t->steps;
    memcpy(s->run.x, t->x, (size_t)t->problem.count * sizeof *t->x);
    memset(s->run.dtau, 0, (size_t)t->column_count * sizeof *s->run.dtau);
    s->run.begun = s->run.pending = s->lost = s->walking = s->happened = false;
    memset(s->run.side, 0, (size_t)t->switches * sizeof *s->run.side);
    s->run.seen = -INFINITY;
    s->time = t->base->t;
}

void slip_steps_destroy(slip_tangent *t)
{
    slip_steps *s = t->steps;
    if (!s) return;
    if (s->m->follower == &s->follower) s->m->follower = NULL;
    slip_switches_destroy(&s->conditions);
    slip_switches_destroy(&s->form_conditions);
    free(s->located);
    free(s->rows);
    free(s->memory);
    free(s);
}
