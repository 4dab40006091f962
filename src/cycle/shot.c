/// cycle/shot.c: the motion over a given time from a given state.
#include "cycle/shot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/status.h"
#include "cycle/ask.h"
#include "tangent/tangent.h"

// ------------------------------------------------------------------------------------------------- motion

static void keep_row(slip_shot *s, double t, const double *state)
{
    size_t width = 1 + (size_t)s->states;
    if (!slip_grow((void **)&s->rows, &s->row_capacity, s->row_count, width * sizeof *s->rows)) {
        s->out_of_memory = true;
        return;
    }
    double *row = s->rows + width * s->row_count++;
    row[0] = t;
    memcpy(row + 1, state, (size_t)s->states * sizeof *row);
}

// ------------------------------------------------------------------------------------------------- events

static bool make_room(slip_shot *s, slip_shot_event *e)
{
    size_t states = (size_t)s->states, columns = (size_t)s->columns,
           count = 2 * states + columns + 2 * states * columns;
    double *numbers = malloc(count * sizeof *numbers);
    if (!numbers) return false;
    e->before = numbers;
    e->after = numbers + states;
    e->dt = numbers + 2 * states;
    e->d_before = e->dt + columns;
    e->d_after = e->d_before + states * columns;
    return true;
}

static void drop_events(slip_shot *s)
{
    for (size_t k = 0; k < s->event_count; k++) free(s->events[k].before);
    s->event_count = 0;
}

static void take_event(void *context, const slip_event *event)
{
    slip_shot *s = context;
    const slip_tangent *t = s->tangent;
    if (event->kind == SLIP_EVENT_VERDICT || event->kind == SLIP_EVENT_WARN || t->lost) return;
    slip_shot_event e = {
        .t = event->t, .approach = event->approach, .kind = event->kind, .element = event->element
    };
    if (!slip_grow((void **)&s->events, &s->event_capacity, s->event_count, sizeof e) || !make_room(s, &e)) {
        s->out_of_memory = true;
        return;
    }
    size_t states = (size_t)s->states, all = states * (size_t)s->columns;
    memcpy(e.before, t->state_before, states * sizeof *e.before);
    memcpy(e.after, s->sim->method->state, states * sizeof *e.after);
    memcpy(e.dt, t->dtau, (size_t)s->columns * sizeof *e.dt);
    memcpy(e.d_before, t->at, all * sizeof *e.d_before);
    memcpy(e.d_after, t->behind, all * sizeof *e.d_after);
    s->events[s->event_count++] = e;
    double at = event->t - s->begun; // the end of a step is behind the event already
    while (s->row_count > 1 && s->rows[(s->row_count - 1) * (states + 1)] >= at) s->row_count--;
    keep_row(s, at, t->state_before);
    keep_row(s, at, s->sim->method->state);
    if (event->kind != SLIP_EVENT_IMPACT) return;
    for (int k = 0; k < t->elements; k++)
        if (strcmp(t->m->system->elements[k].name, event->element) == 0) {
            double r = t->m->system->elements[k].contact->restitution;
            s->restitutions *= r * r;
        }
}

// ------------------------------------------------------------------------------------------------- making

static slip_status make_sim(slip_shot *s, const slip_model *model, const slip_cycle_def *def, double until,
                            double max_step, const char *list, slip_error *error)
{
    slip_sim_def settings = slip_default_sim_def();
    settings.formulation = def->formulation ? def->formulation : "lcp";
    settings.until = until;
    settings.max_step = max_step;
    settings.step = 1e-2 * max_step;
    settings.relative = def->relative;
    settings.absolute = def->absolute;
    settings.sensitivity = list;
    slip_status status = slip_sim_create(model, &settings, error, &s->sim);
    if (status != SLIP_OK) return status;
    s->tangent = slip_derivatives_tangent(s->sim->derivatives);
    if (!s->tangent) return slip_fail(error, SLIP_UNSUPPORTED, "cycle", "needs formulation lcp or gauss");
    s->tangent->wants_divergence = true;
    s->states = s->sim->method->state_count;
    s->columns = s->tangent->column_count;
    s->parameters = s->columns - s->states;
    size_t n = (size_t)s->states;
    double *room = calloc(3 * n + n * (size_t)s->columns, sizeof *room);
    if (!room) return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    s->memory = room;
    s->end = room, s->rate_start = room + n, s->rate_end = room + 2 * n, s->J = room + 3 * n;
    slip_sim_on_event(s->sim, take_event, s);
    return SLIP_OK;
}

slip_status slip_shot_create(const slip_model *model, const slip_cycle_def *def, double until,
                             double max_step, const char *parameters, slip_error *error, slip_shot **out)
{
    *out = NULL;
    slip_shot *s = calloc(1, sizeof *s);
    slip_text list = { 0 };
    slip_status status = s && slip_ask_columns(model, parameters, &list)
                             ? make_sim(s, model, def, until, max_step, list.data, error)
                             : slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    slip_text_destroy(&list);
    if (status == SLIP_OK)
        *out = s;
    else
        slip_shot_destroy(s);
    return status;
}

void slip_shot_destroy(slip_shot *s)
{
    if (!s) return;
    drop_events(s);
    free(s->events);
    free(s->rows);
    slip_sim_destroy(s->sim);
    free(s->memory);
    free(s);
}

// ------------------------------------------------------------------------------------------------ running

static void take_rates(const slip_shot *s, double *to)
{
    const slip_tangent *t = s->tangent;
    const slip_coordinate *list = s->sim->model->coordinates;
    for (int k = 0; k < t->n; k++) {
        to[k] = list[k].is_held ? 0.0 : t->start_slot.u[k];
        to[t->n + k] = t->start_slot.a[k];
    }
}

static bool say(slip_shot *s, const char *what, double t)
{
    snprintf(s->reason, sizeof s->reason, "at t = %.9g s %s", t, what);
    return false;
}

bool slip_shot_run(slip_shot *s, double t0, double length, const double *state)
{
    slip_method *m = s->sim->method;
    drop_events(s);
    s->restitutions = 1.0;
    s->begun = t0;
    slip_sim_begin_at(s->sim, t0, t0 + length, state);
    double work = m->work, friction = m->friction, impact = m->impact;
    slip_run_outcome outcome = slip_sim_observe(s->sim);
    if (outcome == SLIP_RUNNING) take_rates(s, s->rate_start);
    s->row_count = 0;
    keep_row(s, 0.0, state);
    while (outcome == SLIP_RUNNING && !s->out_of_memory) {
        outcome = slip_sim_step(s->sim);
        keep_row(s, m->t - t0, m->state);
    }
    if (s->out_of_memory) return say(s, "there was no memory left", m->t);
    if (outcome != SLIP_DONE) return say(s, slip_run_outcome_text(outcome), m->t);
    if (m->t < t0 + length) return say(s, "the run was ended by a condition of the model", m->t);
    if (s->tangent->lost) return say(s, s->tangent->reason, s->tangent->lost_at);
    take_rates(s, s->rate_end);
    memcpy(s->end, m->state, (size_t)s->states * sizeof *s->end);
    memcpy(s->J, s->tangent->x, (size_t)s->states * (size_t)s->columns * sizeof *s->J);
    s->divergence = s->tangent->divergence;
    s->held = s->tangent->held_ever;
    s->least_gap = s->tangent->least_gap;
    s->work = m->work - work, s->friction = m->friction - friction, s->impact = m->impact - impact;
    return true;
}

double slip_shot_until_derivative(const slip_shot *s, int parameter)
{
    return s->tangent->until[parameter];
}
