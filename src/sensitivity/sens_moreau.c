/// sensitivity/sens_moreau.c: derivatives along a run by time stepping, from step to step.
#include "sensitivity/sens_moreau.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static double *column_at(const slip_sensitivity *t, double *x, int c)
{
    return x + (size_t)c * 2 * (size_t)t->n;
}

static void copy_line(const slip_sensitivity *t, slip_sens_moreau_columns *to,
                      const slip_sens_moreau_columns *from)
{
    memcpy(to->x, from->x, (size_t)t->problem.count * sizeof *to->x);
    memcpy(to->contact_state, from->contact_state, (size_t)t->elements * sizeof *to->contact_state);
    memcpy(to->dtau, from->dtau, (size_t)t->column_count * sizeof *to->dtau);
    memcpy(to->side, from->side, (size_t)t->switches * sizeof *to->side);
    to->seen = from->seen;
    to->begun = from->begun;
    to->pending = from->pending;
}

// columns of the present state in hand
static void load_present_columns(slip_sensitivity *t)
{
    slip_sens_moreau *s = t->steps;
    s->walk.x = t->x;
    copy_line(t, &s->walk, &s->run);
    s->time = t->base->t;
    t->lost = s->lost;
}

bool slip_sens_moreau_ends_run(slip_sensitivity *t)
{
    slip_sens_moreau *s = t->steps;
    t->lost_at = s->walking ? s->time : t->base->t;
    if (!s->walking) s->lost = true;
    return !s->walking;
}

// ------------------------------------------------------------------------------------------------ a step

static void on_begin(void *context)
{
    slip_sensitivity *t = context;
    load_present_columns(t);
    t->steps->met.count = 0;
    t->event.reset = t->steps->happened = false;
    t->steps->walking = true;
    if (t->steps->m->jumps) slip_sensitivity_end(t, "the rates break a constraint, and jump");
}

static void on_end(void *context)
{
    ((slip_sensitivity *)context)->steps->walking = false;
}

static void on_arrived(void *context)
{
    slip_sensitivity *t = context;
    slip_sens_moreau *s = t->steps;
    if (s->lost) return;
    s->walk.x = t->x; // columns change places on the way
    copy_line(t, &s->run, &s->walk);
    const slip_sens_moreau_impacts met = s->met;
    s->met = s->struck;
    s->struck = met;
    s->lost = t->lost;
    if (t->lost) slip_sensitivity_report_end(t);
}

// rates of all gaps
static void find_gap_rates(slip_sensitivity *t, double time, const double *x, double *rate)
{
    double *reg = t->reg[SLIP_SENS_GAP];
    memcpy(reg, t->input, (size_t)t->in.count * sizeof *reg);
    reg[0] = time;
    memcpy(reg + 1, x, 2 * (size_t)t->n * sizeof *reg);
    slip_tape_run(t->tape[SLIP_SENS_GAP], reg);
    for (int e = 0; e < t->elements; e++)
        rate[e] = slip_sensitivity_result(t, SLIP_SENS_GAP, t->elements + e);
}

// a gap that turns where the step ends; the gaps there are in the registers
static void check_end_gaps(slip_sensitivity *t)
{
    slip_sens_moreau *s = t->steps;
    const double small = slip_sens_moreau_zero_speed(t, s->at + t->n);
    memcpy(t->start_slot.q, s->at, (size_t)t->n * sizeof *s->at);
    for (int e = 0; e < t->elements && !t->lost; e++) {
        const double gap = slip_sensitivity_result(t, SLIP_SENS_GAP, e);
        if (!t->system->elements[e].has_gap || s->walk.contact_state[e].closed || !(s->rate[e] < -small) ||
            fabs(s->after[e]) > small || gap > slip_sensitivity_grazing_gap(t))
            continue;
        slip_sensitivity_end(
            t,
            "'%s' comes within %.3g m without touching: a little more is an impact, and there "
            "the derivatives grow without bound",
            t->system->elements[e].name, fmax(gap, 0.0));
    }
}

// An open gap that turns within the last part of the step, of length h: columns are t->x where that began and
// t->next where it ends
static void check_turning_gaps(slip_sensitivity *t, double time, double h, const double *x_end)
{
    slip_sens_moreau *s = t->steps;
    bool any = false;
    s->time = time + h;
    find_gap_rates(t, time + h, x_end, s->after);
    check_end_gaps(t);
    for (int e = 0; e < t->elements; e++)
        any = any || (t->system->elements[e].has_gap && !s->walk.contact_state[e].closed &&
                      s->rate[e] < 0.0 && s->after[e] > 0.0);
    if (!any || t->lost) return;
    memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
    if (!slip_sens_moreau_evaluate(t, time, s->at, &t->start_slot)) return;
    slip_sensitivity_rates(t, t->x, t->work.k[0]);
    if (!slip_sens_moreau_evaluate(t, time + h, x_end, t->step[SLIP_SENS_SLOT_COUNT - 1])) return;
    slip_sensitivity_rates(t, t->next, t->next_rate);
    slip_sensitivity_check_grazing(t);
}

// columns at the end of an internal step, on what holds
static void finish_substep(slip_sensitivity *t, double time, const double *x)
{
    double *kept = t->x;
    t->x = t->next;
    t->next = kept;
    bool holds = t->system->constraint_count > 0;
    for (int e = 0; e < t->elements; e++) holds = holds || t->steps->walk.contact_state[e].closed;
    if (!holds || !slip_sens_moreau_evaluate(t, time, x, t->step[SLIP_SENS_SLOT_COUNT - 1])) return;
    for (int c = 0; c < t->column_count; c++) slip_sensitivity_project(t, c, column_at(t, t->x, c));
}

static const char *struck_on_way(const slip_moreau *m)
{
    for (int b = 0; b < m->problem.blocks; b++)
        if (m->problem.hits[b]) return m->system->elements[m->problem.element[b]].name;
    return NULL;
}

static void on_taken(void *context, double time, double dt, const slip_moreau_step *step)
{
    slip_sensitivity *t = context;
    slip_sens_moreau *s = t->steps;
    double took, done = 0.0;
    if (t->lost) return;
    s->time = time;
    const char *struck = struck_on_way(s->m);
    if (struck) {
        slip_sensitivity_end(t, "'%s' is struck within a step, at a time that is not located", struck);
        return;
    }
    slip_sens_moreau_read_contacts(t);
    memcpy(s->at, step->x, 2 * (size_t)t->n * sizeof *s->at);
    slip_sens_moreau_substep_start(t, time, s->at, step->history.level);
    while (!t->lost && slip_sens_moreau_next_change(t, time + done, dt - done, &took)) done += took;
    if (!t->lost) find_gap_rates(t, time + done, s->at, s->rate);
    if (!t->lost) slip_sens_moreau_advance(t, time + done, dt - done, s->m->trial.x + t->n);
    if (!t->lost) check_turning_gaps(t, time + done, dt - done, s->m->trial.x);
    if (!t->lost) finish_substep(t, time + dt, s->m->trial.x);
    if (!t->lost) slip_sens_moreau_check_conditions(t, time + 0.5 * dt, s->m->middle);
    // what turned on the way ends the step at rest, and was looked at where it turned
    if (!t->lost && done == 0.0) slip_sens_moreau_check_end(t, time + dt, dt, step->x, s->m->trial.x);
    s->time = time + dt;
}

static void on_touched(void *context, double time, const slip_moreau_gap_closing *touch,
                       const slip_moreau_step *step)
{
    slip_sensitivity *t = context;
    if (t->lost) return;
    t->steps->time = time;
    if (touch->jumps)
        slip_sensitivity_end(t, "the gap of '%s' jumps", t->system->elements[touch->element].name);
    else
        slip_sens_moreau_gap_closes(t, time, step->x, touch->element);
}

static void on_struck(void *context, double time, const slip_moreau_step *step, const double *u_end)
{
    slip_sensitivity *t = context;
    if (t->lost) return;
    t->steps->time = time;
    slip_sens_moreau_impact(t, time, step->x, step->x + t->n, u_end);
}

static void on_border(void *context, double time, const slip_moreau_step *step)
{
    slip_sensitivity *t = context;
    if (t->lost) return;
    t->steps->time = time;
    slip_sens_moreau_discontinuity(t, time, step->x);
}

// ------------------------------------------------------------------------------------------------ asking

// How elements stand behind a step, as far as that tells; velocities tell the rest
static void guess_contact_states(slip_sensitivity *t, const slip_moreau_step *step)
{
    slip_sens_moreau *s = t->steps;
    for (int e = 0; e < t->elements; e++) {
        const bool gap = t->system->elements[e].has_gap;
        slip_sens_contact_state *to = &s->other[e];
        *to = s->walk.contact_state[e];
        if (s->walk.begun && !gap) continue;
        to->closed = !gap || ((step->mode[e] & SLIP_MODE_CLOSED) && step->history.leaving[e] == 0.0);
        to->slide = step->state[e] == SLIP_STATE_FORWARD    ? 1.0
                    : step->state[e] == SLIP_STATE_BACKWARD ? -1.0
                                                            : 0.0;
    }
}

// the columns in hand, at a time at which nothing is pending
static void finish_at_step_end(slip_sensitivity *t, double time, const slip_moreau_step *step)
{
    slip_sens_moreau *s = t->steps;
    if (s->walk.begun && !s->walk.pending) return;
    guess_contact_states(t, step);
    slip_sens_moreau_substep_start(t, time, step->x, step->history.level);
}

void slip_sens_moreau_load_present(slip_sensitivity *t)
{
    slip_sens_moreau *s = t->steps;
    load_present_columns(t);
    if (t->lost) return;
    finish_at_step_end(t, t->base->t, &s->m->last);
    memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
    if (!t->lost) slip_sens_moreau_evaluate(t, t->base->t, s->m->last.x, &t->start_slot);
}

void slip_sens_moreau_columns_changed(slip_sensitivity *t)
{
    slip_sens_moreau *s = t->steps;
    s->walk.x = t->x;
    memcpy(s->walk.dtau, t->event.dtau, (size_t)t->column_count * sizeof *t->event.dtau);
    s->walk.pending = true;
    copy_line(t, &s->run, &s->walk);
}

void slip_sens_moreau_model_event(slip_sensitivity *t)
{
    slip_sens_moreau_columns_changed(t);
    t->steps->happened = true;
}

int slip_sens_moreau_impact_at(const slip_sensitivity *t, double time)
{
    const slip_sens_moreau_impacts *list = &t->steps->struck;
    for (int k = 0; k < list->count && k < SLIP_SENS_MOREAU_MAX_IMPACTS; k++)
        if (list->time[k] == time) return k;
    return -1;
}

void slip_sens_moreau_row(slip_sensitivity *t, double time, int records, double *row)
{
    slip_sens_moreau *s = t->steps;
    const int width = 2 * t->n + records;
    const bool now = time == t->base->t;
    const slip_moreau_step *step = now ? &s->m->last : &s->m->aside;
    if (now) load_present_columns(t);
    if (!t->lost) finish_at_step_end(t, time, step);
    if (!t->lost && records) {
        memcpy(t->contact_state, s->walk.contact_state, (size_t)t->elements * sizeof *t->contact_state);
        slip_sens_moreau_evaluate(t, time, step->x, &t->seen);
    }
    for (int k = 0; k < width * t->column_count && t->lost; k++) row[k] = NAN;
    for (int c = 0; c < t->column_count && !t->lost; c++) {
        double *to = row + (size_t)c * (size_t)width;
        memcpy(to, column_at(t, t->x, c), 2 * (size_t)t->n * sizeof *to);
        if (records) slip_sensitivity_records(t, c, to, records, to + 2 * t->n);
    }
}

// ---------------------------------------------------------------------------------------------- creating

static slip_status unsupported(slip_error *error, const char *place, const char *why)
{
    return slip_fail(error, SLIP_UNSUPPORTED, place, "%s", why);
}

slip_status slip_sens_moreau_set_method(slip_sensitivity *t, slip_method *method, slip_error *error)
{
    slip_moreau *m = slip_moreau_of(method);
    if (!m)
        return unsupported(
            error, "sensitivity",
            "there are no derivatives under this formulation yet: lcp, gauss, moreau and the compliant "
            "ones have them");
    if (m->max_substeps == 1)
        return unsupported(error, "sensitivity",
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
    slip_status status = slip_sens_moreau_find_conditions(t, error);
    if (status != SLIP_OK) return status;
    t->relative = 10.0 * m->tolerance;
    t->absolute = 0.0;
    for (int e = 0; e < t->elements; e++)
        if (m->system->elements[e].slip_count > 1)
            return unsupported(
                error, m->system->elements[e].name,
                "there are no derivatives of friction with two directions yet under moreau; lcp has "
                "them");
    return SLIP_OK;
}

static void layout_strikes(slip_arena *a, const slip_sensitivity *t, slip_sens_moreau_impacts *strikes)
{
    const size_t all = (size_t)t->problem.count;
    strikes->dtau = SLIP_TAKE(a, double, SLIP_SENS_MOREAU_MAX_IMPACTS * t->column_count);
    strikes->before = SLIP_TAKE(a, double, SLIP_SENS_MOREAU_MAX_IMPACTS *all);
    strikes->behind = SLIP_TAKE(a, double, SLIP_SENS_MOREAU_MAX_IMPACTS *all);
}

static void sens_moreau_layout(slip_arena *a, const slip_sensitivity *t, slip_sens_moreau *s)
{
    slip_terms_layout(a, t->system, &s->terms);
    s->run.x = SLIP_TAKE(a, double, t->problem.count);
    s->run.contact_state = SLIP_TAKE_PLAIN(a, slip_sens_contact_state, t->elements);
    s->walk.contact_state = SLIP_TAKE_PLAIN(a, slip_sens_contact_state, t->elements);
    s->other = SLIP_TAKE_PLAIN(a, slip_sens_contact_state, t->elements);
    s->beyond = SLIP_TAKE_PLAIN(a, slip_sens_contact_state, t->elements);
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

bool slip_sens_moreau_attach(slip_sensitivity *t)
{
    slip_sens_moreau *s = t->steps;
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &s->memory)) sens_moreau_layout(&arena, t, s);
    if (!s->memory) return false;
    slip_terms_init(t->system, &s->terms);
    s->observer =
        (slip_moreau_observer){ t, on_begin, on_taken, on_touched, on_struck, on_border, on_end, on_arrived };
    s->m->observer = &s->observer;
    return true;
}

void slip_sens_moreau_restart(slip_sensitivity *t)
{
    slip_sens_moreau *s = t->steps;
    memcpy(s->run.x, t->x, (size_t)t->problem.count * sizeof *t->x);
    memset(s->run.dtau, 0, (size_t)t->column_count * sizeof *s->run.dtau);
    s->run.begun = s->run.pending = s->lost = s->walking = s->happened = false;
    memset(s->run.side, 0, (size_t)t->switches * sizeof *s->run.side);
    s->run.seen = -INFINITY;
    s->time = t->base->t;
}

void slip_sens_moreau_destroy(slip_sensitivity *t)
{
    slip_sens_moreau *s = t->steps;
    if (!s) return;
    if (s->m->observer == &s->observer) s->m->observer = NULL;
    slip_switches_destroy(&s->conditions);
    slip_switches_destroy(&s->form_conditions);
    free(s->located);
    free(s->rows);
    free(s->memory);
    free(s);
}
