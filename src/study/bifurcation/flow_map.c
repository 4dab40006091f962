/// study/bifurcation/flow_map.c: the flow map over a given time from a given state.
#include "study/bifurcation/flow_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/cycle_options.h"
#include "study/bifurcation/flow_differences.h"
#include "simulation/sim/derivative_columns.h"
#include "sensitivity/sensitivity.h"

enum { ROWS_OF_FIXED_STEPS = 400 }; // stored rows per motion under formulations with fixed steps

// ------------------------------------------------------------------------------------------------- motion

static void store_row(slip_flow_map *s, double t, const double *state)
{
    size_t width = 1 + (size_t)s->states;
    if (!slip_array_grow((void **)&s->rows, &s->row_capacity, s->row_count, width * sizeof *s->rows)) {
        s->out_of_memory = true;
        return;
    }
    double *row = s->rows + width * s->row_count++;
    row[0] = t;
    memcpy(row + 1, state, (size_t)s->states * sizeof *row);
}

// rows where a state turns within the next step
static void store_turns(slip_flow_map *s, double t0)
{
    const double *now = s->rows + (s->row_count - 1) * (1 + (size_t)s->states);
    const int count = slip_turning_points_find(&s->turns, s->sim, now);
    for (int k = 0; k < count && !s->out_of_memory; k++)
        if (slip_sim_peek_row(s->sim, s->turns.t[k]) == SLIP_RUNNING)
            store_row(s, s->turns.t[k] - t0, s->sim->row + 1);
}

// ------------------------------------------------------------------------------------------------- events

static bool reserve_event(slip_flow_map *s, slip_flow_map_event *e)
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

static void drop_events(slip_flow_map *s)
{
    for (size_t k = 0; k < s->event_count; k++) free(s->events[k].before);
    s->event_count = 0;
}

static void on_event(void *context, const slip_event *event)
{
    slip_flow_map *s = context;
    const slip_sensitivity *t = s->tangent;
    if (event->kind == SLIP_EVENT_VERDICT || event->kind == SLIP_EVENT_WARN || (t && t->lost)) return;
    if (s->muted || (!t && event->kind != SLIP_EVENT_IMPACT))
        return; // without event location only impacts are reliable
    slip_flow_map_event e = {
        .t = event->t, .approach = event->approach, .kind = event->kind, .element = event->element
    };
    if (!slip_array_grow((void **)&s->events, &s->event_capacity, s->event_count, sizeof e) ||
        !reserve_event(s, &e)) {
        s->out_of_memory = true;
        return;
    }
    size_t states = (size_t)s->states, all = states * (size_t)s->columns;
    memcpy(e.before, t ? t->event.state_before : s->sim->method->state, states * sizeof *e.before);
    memcpy(e.after, s->sim->method->state, states * sizeof *e.after);
    for (size_t k = 0; k < (size_t)s->columns; k++) e.dt[k] = t ? t->event.dtau[k] : NAN;
    for (size_t k = 0; k < all; k++) {
        e.d_before[k] = t ? t->event.at[k] : NAN;
        e.d_after[k] = t ? t->event.behind[k] : NAN;
    }
    s->events[s->event_count++] = e;
    double at =
        event->t - s->begun; // rows at or after the event are replaced by the states on both sides of it
    while (s->row_count > 1 && s->rows[(s->row_count - 1) * (states + 1)] >= at) s->row_count--;
    store_row(s, at, e.before);
    store_row(s, at, s->sim->method->state);
    if (event->kind != SLIP_EVENT_IMPACT || !t) return;
    for (int k = 0; k < t->elements; k++)
        if (strcmp(t->m->system->elements[k].name, event->element) == 0) {
            double r = t->m->system->elements[k].contact->restitution;
            s->restitutions *= r * r;
        }
}

// ------------------------------------------------------------------------------------------------- making

static slip_status flow_map_allocate(slip_flow_map *s, slip_error *error)
{
    size_t n = (size_t)s->states;
    double *room = calloc(3 * n + n * (size_t)s->columns, sizeof *room);
    if (!room) return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    s->memory = room;
    s->end = room, s->rate_start = room + n, s->rate_end = room + 2 * n, s->J = room + 3 * n;
    slip_sim_on_event(s->sim, on_event, s);
    if (!slip_turning_points_create(&s->turns, s->sim, false))
        return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    return SLIP_OK;
}

static slip_status make_sim(slip_flow_map *s, const slip_model *model, const slip_cycle_def *def,
                            double until, double max_step, const char *parameters, slip_error *error)
{
    slip_sim_def settings = slip_default_sim_def();
    slip_text list = { 0 };
    settings.formulation = def->formulation ? def->formulation : "lcp";
    settings.until = until;
    settings.stop = def->stop;
    settings.max_step = max_step;
    settings.step = FIRST_STEP_OF_LONGEST * max_step;
    settings.relative = def->relative;
    settings.absolute = def->absolute;
    if (!slip_cycle_option_columns(model, parameters, &list))
        return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    settings.sensitivity = def->differences ? NULL : list.data;
    if (s->spare && *s->spare) s->sim = *s->spare, *s->spare = NULL;
    slip_status status = s->sim ? slip_sim_restart(s->sim, model, &settings, error)
                                : slip_sim_create(model, &settings, error, &s->sim);
    slip_text_destroy(&list);
    settings.sensitivity = NULL;
    if (status != SLIP_OK) return status;
    s->states = 2 * model->coordinate_count;
    s->tangent = slip_derivative_columns_tangent(s->sim->derivatives);
    if (s->tangent) {
        s->tangent->divergence.wanted = true;
        s->parameters = s->tangent->column_count - s->states;
    } else {
        status = slip_flow_differences_create(s, model, &settings, parameters, error, &s->differences);
        if (status != SLIP_OK) return status;
        s->parameters = s->differences->count;
    }
    s->columns = s->states + s->parameters;
    const int width = slip_derivative_columns_width(s->sim->derivatives);
    if (!s->tangent && width) {
        s->step_derivatives = calloc((size_t)width, sizeof *s->step_derivatives);
        if (!s->step_derivatives) return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    }
    return flow_map_allocate(s, error);
}

slip_status slip_flow_map_create(const slip_model *model, const slip_cycle_def *def, double until,
                                 double max_step, const char *parameters, slip_sim **spare, slip_error *error,
                                 slip_flow_map **out)
{
    *out = NULL;
    slip_flow_map *s = calloc(1, sizeof *s);
    if (s) s->spare = spare;
    slip_status status = s ? make_sim(s, model, def, until, max_step, parameters, error)
                           : slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    if (status == SLIP_OK)
        *out = s;
    else
        slip_flow_map_destroy(s);
    return status;
}

void slip_flow_map_destroy(slip_flow_map *s)
{
    if (!s) return;
    drop_events(s);
    free(s->events);
    free(s->rows);
    slip_turning_points_destroy(&s->turns);
    free(s->step_derivatives);
    slip_flow_differences_destroy(s->differences);
    if (s->spare && s->sim && !*s->spare) {
        slip_sim_release_but_caches(s->sim);
        *s->spare = s->sim;
    } else {
        slip_sim_destroy(s->sim);
    }
    free(s->memory);
    free(s);
}

// ------------------------------------------------------------------------------------------------ running

static void take_rates(const slip_flow_map *s, double *to)
{
    const slip_sensitivity *t = s->tangent;
    for (int k = 0; k < t->n; k++) {
        to[k] = t->start_slot.v[k];
        to[t->n + k] = t->start_slot.a[k];
    }
}

static bool set_reason(slip_flow_map *s, const char *what, double t)
{
    snprintf(s->reason, sizeof s->reason, "at t = %.9g s %s", t, what);
    return false;
}

// Takes the derivatives that an event-driven formulation has integrated.
static bool take_event_driven_derivatives(slip_flow_map *s)
{
    const slip_sensitivity *t = s->tangent;
    if (t->lost) return set_reason(s, t->reason, t->lost_at);
    take_rates(s, s->rate_end);
    memcpy(s->J, t->x, (size_t)s->states * (size_t)s->columns * sizeof *s->J);
    s->divergence = t->divergence.sum;
    s->held = t->divergence.held_ever;
    s->least_gap = t->least.gap;
    return true;
}

// Takes the derivatives that a formulation without event location has integrated.
static bool take_step_derivatives(slip_flow_map *s)
{
    double t = NAN;
    const char *why = slip_derivative_columns_end(s->sim->derivatives, &t);
    if (why) return set_reason(s, why, t);
    const size_t n = (size_t)s->states,
                 each = (size_t)slip_derivative_columns_width(s->sim->derivatives) / (size_t)s->columns;
    slip_derivative_columns_fill(s->sim->derivatives, s->sim->method->t, s->step_derivatives);
    for (size_t k = 0; k < (size_t)s->columns; k++)
        memcpy(s->J + k * n, s->step_derivatives + k * each, n * sizeof *s->J);
    return true;
}

// Takes difference quotients of perturbed runs.
static bool take_differences(slip_flow_map *s, double t0, double length, const double *state)
{
    const slip_flow_differences *d = s->differences;
    const slip_method *m = s->sim->method;
    for (int k = s->states; k < d->all; k++)
        if (fabs(m->state[k] - d->start[k]) > DEFORMATION_AT_REST)
            return set_reason(
                s, "a contact is deformed at the point of the orbit: choose one where nothing touches", m->t);
    s->divergence = NAN;
    s->held = true;
    s->least_gap = INFINITY;
    if (s->step_derivatives && !take_step_derivatives(s)) return false;
    s->muted = true; // events of perturbed runs are not those of the orbit
    bool fine = slip_flow_differences_fill(s, t0, length, state);
    s->muted = false;
    return fine;
}

bool slip_flow_map_run(slip_flow_map *s, double t0, double length, const double *state)
{
    slip_method *m = s->sim->method;
    drop_events(s);
    s->restitutions = 1.0;
    s->begun = t0;
    const double *whole =
        s->differences ? slip_flow_differences_state(s->differences, s->states, state) : state;
    slip_sim_restart_at(s->sim, t0, t0 + (m->adaptive ? 1.0 : 2.0) * length, whole);
    double work = m->work, friction = m->friction, impact = m->impact;
    slip_run_outcome outcome = slip_sim_observe(s->sim);
    if (outcome == SLIP_RUNNING && s->tangent) take_rates(s, s->rate_start);
    s->row_count = 0;
    store_row(s, 0.0, state);
    const double part = length / ROWS_OF_FIXED_STEPS;
    while (outcome == SLIP_RUNNING && !s->out_of_memory) {
        store_turns(s, t0);
        outcome =
            m->adaptive ? slip_sim_step(s->sim) : slip_sim_step_to(s->sim, fmin(m->t + part, t0 + length));
        store_row(s, m->t - t0, m->state);
        if (!m->adaptive && m->t >= t0 + (1.0 - RUN_END_RELATIVE) * length) outcome = SLIP_DONE;
    }
    if (s->out_of_memory) return set_reason(s, "there was no memory left", m->t);
    if (outcome != SLIP_DONE) return set_reason(s, slip_run_outcome_text(outcome), m->t);
    if (m->t < t0 + (1.0 - RUN_END_RELATIVE) * length)
        return set_reason(s, "the run was ended by a condition of the model", m->t);
    memcpy(s->end, m->state, (size_t)s->states * sizeof *s->end);
    s->work = m->work - work, s->friction = m->friction - friction, s->impact = m->impact - impact;
    return s->tangent ? take_event_driven_derivatives(s) : take_differences(s, t0, length, state);
}

const char *slip_flow_map_parameter_name(const slip_flow_map *s, int parameter)
{
    return s->tangent ? slip_sim_sensitivity_name(s->sim, s->states + parameter)
                      : s->differences->name[parameter];
}

double slip_flow_map_end_derivative(const slip_flow_map *s, int parameter)
{
    return s->tangent ? s->tangent->until[parameter] : s->differences->until[parameter];
}
