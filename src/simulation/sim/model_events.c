/// simulation/sim/model_events.c: events of the model: a condition becomes true, and values change.
#include "simulation/sim/model_events.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "simulation/sim/condition_locator.h"
#include "simulation/sim/derivative_columns.h"
#include "simulation/sim/reset_checks.h"
#include "simulation/sim/sim_tolerances.h"

enum { MAX_EVENTS_PER_INSTANT = 100, MAX_RAPID_REPEATS = 3 };

/// The state of one event during a run.
typedef struct event_state {
    bool was;      // the condition was true: no event until it has been false
    double last;   // s, time of its last occurrence
    int hurried;   // number of rapid repeats in succession
    double struck; // J, energy lost in impacts up to its last occurrence
} event_state;

struct slip_model_events {
    const slip_model *model;
    slip_condition_locator locate;
    slip_tape *values; // guards, then new values
    double *value_reg, *set;
    int *first; // per event: index of its first value in the tape
    slip_tape *gaps;
    int gap_count;
    double *gap_reg, *gap;
    slip_reset_checks resets;
    event_state *event_states;
    bool *was; // per event: it need not be located
    bool begun, touched, runs_on;
    int latest;               // the last event
    int at_once;              // number of updates at the same instant
    double counted, happened; // s, that instant; time of the last event
    double stopped, work;
    double *records; // recorded quantities of the method
    slip_derivative_columns *derivatives;
    // the next step
    bool looked; // it has been searched for events
    int due;     // event at which it ends, -1: none
    double from, reach, limit;
    void *memory;
};

// ------------------------------------------------------------------------------------------------ making

static size_t value_count(const slip_model *model)
{
    size_t count = 0;
    for (int k = 0; k < model->when_count; k++) count += (size_t)model->whens[k].assignment_count;
    return count;
}

// Compiles the gaps, which the assignments of an event may make negative.
static bool compile_gaps(slip_model_events *w)
{
    const slip_model *model = w->model;
    const int count = w->gap_count = value_count(model) > 0 ? model->contact_count : 0;
    slip_ref *roots = malloc(((size_t)count + 1) * sizeof *roots);
    for (int k = 0; roots && k < count; k++) roots[k] = model->contacts[k].gap.ref;
    w->gaps = roots ? slip_tape_create(model->graph, roots, count) : NULL;
    free(roots);
    return w->gaps != NULL;
}

static bool compile_events(slip_model_events *w, double until)
{
    const slip_model *model = w->model;
    size_t count = (size_t)model->when_count + value_count(model), at = (size_t)model->when_count;
    slip_ref *roots = model->when_count > 0 ? malloc(count * sizeof *roots) : NULL;
    for (int k = 0; roots && k < model->when_count; k++) {
        const slip_model_event *when = &model->whens[k];
        roots[k] = when->guard.ref >= 0 ? when->guard.ref : when->condition.ref;
        for (int i = 0; i < when->assignment_count; i++) roots[at++] = when->assignments[i].value.ref;
    }
    w->values = roots ? slip_tape_create(model->graph, roots, (int)count) : NULL;
    free(roots);
    return w->values && compile_gaps(w) && slip_condition_locator_create(&w->locate, model, until);
}

static void events_layout(slip_arena *a, slip_model_events *w, const slip_method *method)
{
    w->first = SLIP_TAKE(a, int, w->model->when_count);
    w->event_states = SLIP_TAKE_PLAIN(a, event_state, w->model->when_count);
    w->was = SLIP_TAKE(a, bool, w->model->when_count);
    w->value_reg = SLIP_TAKE(a, double, slip_tape_registers(w->values));
    w->set = SLIP_TAKE(a, double, value_count(w->model) + 1);
    w->gap_reg = SLIP_TAKE(a, double, slip_tape_registers(w->gaps) + 1);
    w->gap = SLIP_TAKE(a, double, w->gap_count + 1);
    w->records = SLIP_TAKE(a, double, method->record_count + 1);
    slip_condition_locator_layout(a, &w->locate, method);
}

static bool make_events(slip_model_events *w, const slip_method *method, double until)
{
    slip_arena arena = { 0 };
    if (!compile_events(w, until)) return false;
    while (slip_arena_next_pass(&arena, &w->memory)) events_layout(&arena, w, method);
    if (!w->memory) return false;
    slip_tape_start(w->values, w->value_reg);
    slip_tape_start(w->gaps, w->gap_reg);
    slip_condition_locator_start(&w->locate);
    int at = w->model->when_count;
    for (int k = 0; k < w->model->when_count; k++) {
        w->first[k] = at;
        at += w->model->whens[k].assignment_count;
        w->event_states[k] = (event_state){ .last = -INFINITY };
    }
    w->happened = w->counted = -INFINITY;
    w->stopped = NAN;
    w->due = -1;
    return true;
}

bool slip_model_events_create(const slip_model *model, const slip_method *method, double until,
                              slip_model_events **out)
{
    *out = NULL;
    if (model->when_count == 0) return true;
    slip_model_events *w = calloc(1, sizeof *w);
    if (!w) return false;
    w->model = model;
    if (slip_reset_checks_create(&w->resets, model, method) && make_events(w, method, until))
        return *out = w, true;
    slip_model_events_destroy(w);
    return false;
}

void slip_model_events_destroy(slip_model_events *w)
{
    if (!w) return;
    slip_tape_destroy(w->values);
    slip_tape_destroy(w->gaps);
    slip_condition_locator_destroy(&w->locate);
    slip_reset_checks_destroy(&w->resets);
    free(w->memory);
    free(w);
}

void slip_model_events_set_sensitivities(slip_model_events *w, slip_derivative_columns *derivatives)
{
    if (w) w->derivatives = derivatives;
}

void slip_model_events_archive(slip_model_events *w, slip_archive *a)
{
    if (!w) return;
    slip_archive_open(a, "whens");
    for (int k = 0; k < w->model->when_count; k++) {
        slip_archive_bool(a, "was", &w->event_states[k].was);
        slip_archive_double(a, "last", &w->event_states[k].last);
        slip_archive_int(a, "hurried", &w->event_states[k].hurried);
        slip_archive_double(a, "struck", &w->event_states[k].struck);
    }
    slip_archive_bool(a, "begun", &w->begun);
    slip_archive_bool(a, "touched", &w->touched);
    slip_archive_int(a, "latest", &w->latest);
    slip_archive_int(a, "at_once", &w->at_once);
    slip_archive_double(a, "counted", &w->counted);
    slip_archive_double(a, "happened", &w->happened);
    slip_archive_double(a, "work", &w->work);
    slip_archive_close(a);
}

// ----------------------------------------------------------------------------------------------- looking

// A condition that is true at the start is no event.
static void begin_events(slip_model_events *w, const slip_method *m)
{
    if (w->begun) return;
    slip_condition_locator_evaluate(&w->locate, m->t, m->state);
    for (int k = 0; k < w->model->when_count; k++)
        w->event_states[k].was = slip_condition_locator_holds(&w->locate, k);
    w->begun = true;
}

// An event that recurs immediately after it has happened, with no other event in between, was put on the
// border by its own assignments: it is the same event.
static bool is_the_same(const slip_model_events *w, const slip_method *m, int k, double min_step)
{
    return w->latest == k && w->happened == m->t && w->limit - m->t <= min_step;
}

// A condition that an event has put on its border, and that is false after the shortest step, counts as false
// from there. Returns the time from which events are located.
static double release_borderline(slip_model_events *w, slip_method *m, double min_step)
{
    double begin = m->t;
    if (w->happened != m->t || !slip_condition_locator_peek(&w->locate, m, m->t + min_step)) return begin;
    for (int k = 0; k < w->model->when_count; k++) {
        if (!w->event_states[k].was || slip_condition_locator_holds(&w->locate, k)) continue;
        w->event_states[k].was = false;
        begin = m->t + min_step;
    }
    return begin;
}

// Locates the first event of the next step. No step is shorter than min_step: an event that is due sooner
// happens at the end of the shortest step.
static void find_ahead(slip_model_events *w, slip_method *m, double reach, double step)
{
    double min_step = SAME_TIME * (isnan(step) ? reach - m->t : step) + 16.0 * DBL_EPSILON * fabs(reach);
    double begin = fmin(release_borderline(w, m, min_step), reach);
    for (int tries = 0; tries < 2; tries++) {
        for (int k = 0; k < w->model->when_count; k++)
            w->was[k] = w->event_states[k].was || (w->runs_on && w->model->whens[k].stops);
        w->due = slip_condition_locator_first(&w->locate, m, begin, reach, w->was, &w->limit);
        if (w->due < 0 || !is_the_same(w, m, w->due, min_step)) break;
        w->event_states[w->due].was = true;
    }
    w->limit = fmin(fmax(w->limit, m->t + min_step), reach);
    if (!isnan(step) && reach - w->limit <= min_step) w->limit = reach;
}

double slip_model_events_limit(slip_model_events *w, slip_method *m, double reach, double step)
{
    if (w->looked && w->from == m->t && w->reach == reach) return w->limit;
    begin_events(w, m);
    w->due = -1;
    w->limit = w->touched ? m->t : reach;
    if (!w->touched && reach > m->t) find_ahead(w, m, reach, step);
    w->looked = true;
    w->from = m->t;
    w->reach = reach;
    return w->limit;
}

void slip_model_events_state_changed(slip_model_events *w)
{
    if (!w) return;
    w->looked = false;
    w->touched = w->begun;
}

// ----------------------------------------------------------------------------------------------- happening

// Energy of the system, less the entries of the ledger of the method.
static double unbooked_energy(slip_model_events *w, slip_method *m)
{
    double kinetic, potential;
    if (!m->has_energy) return 0.0;
    m->ops->record(m, w->records, &kinetic, &potential);
    return kinetic + potential + m->driven - (m->work - m->friction - m->contact - m->impact);
}

static void find_gaps(slip_model_events *w)
{
    memcpy(w->gap_reg, w->locate.reg, (size_t)w->locate.input_count * sizeof *w->gap_reg);
    slip_tape_run(w->gaps, w->gap_reg);
}

static void keep_gaps(slip_model_events *w)
{
    find_gaps(w);
    for (int k = 0; k < w->gap_count; k++) w->gap[k] = w->gap_reg[slip_tape_result(w->gaps, k)];
}

static void judge_gaps(slip_model_events *w, slip_method *m)
{
    find_gaps(w);
    for (int k = 0; k < w->gap_count; k++) {
        const double gap = w->gap_reg[slip_tape_result(w->gaps, k)];
        const char *name = w->model->contacts[k].name;
        if (!(gap < -REPORTED_PENETRATION && gap < w->gap[k] - REPORTED_PENETRATION)) continue;
        slip_warning *warning =
            slip_method_warn(m, SLIP_WARNING_BAD_START, name,
                             "event '%s' at t = %.9g s puts contact '%s' %.6g m inside: formulations differ "
                             "in what they make of that; set values for which its gap is not negative",
                             w->model->whens[w->latest].name, m->t, name, -gap);
        slip_warning_value(warning, "depth", -gap, "m");
    }
}

static slip_run_outcome never_ends(slip_method *m, const slip_model_event *when)
{
    return slip_method_fail(
        m,
        "event '%s' comes again and again at t = %.12g s, without end: conditions that bring each other "
        "about "
        "need a distance between them, as between 'x > 0.1' and 'x < 0'; what bounces is a contact",
        when->name, m->t);
}

// Counts an occurrence of event k; false when it recurs too rapidly.
static bool count_in(slip_model_events *w, const slip_method *m, int k, double until)
{
    event_state *c = &w->event_states[k];
    // an event that counts the bounces of a contact also recurs ever faster, but the contact itself comes to
    // rest
    const bool soon =
        m->t > c->last && m->t - c->last < RAPID_REPEAT_OF_RUN * until && m->impact == c->struck;
    c->hurried = soon ? c->hurried + 1 : 0;
    c->last = w->happened = m->t;
    c->struck = m->impact;
    w->latest = k;
    return c->hurried <= MAX_RAPID_REPEATS;
}

static slip_run_outcome assign_values(slip_model_events *w, slip_method *m, const slip_model_event *when,
                                      int first)
{
    const slip_model *model = w->model;
    char text[400] = "";
    int used = 0, n = model->coordinate_count;
    for (int i = 0; i < when->assignment_count; i++) {
        const slip_assignment *a = &when->assignments[i];
        w->set[i] = w->value_reg[slip_tape_result(w->values, first + i)];
        if (!isfinite(w->set[i]))
            return slip_method_fail(m, "at t = %.9g s event '%s' sets '%s' to %s", m->t, when->name, a->name,
                                    isnan(w->set[i]) ? "what is not a number" : "an infinite value");
        if (used < (int)sizeof text - 1)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%s = %.6g", i ? ", " : "", a->name,
                             w->set[i]);
    }
    slip_method_log_event(m, slip_event_at(m->t, when->name, SLIP_EVENT_WHEN), "%s", text);
    for (int i = 0; i < when->assignment_count; i++) {
        const slip_assignment *a = &when->assignments[i];
        m->state[a->coordinate + (a->rate ? n : 0)] = w->set[i];
        if (model->coordinates[a->coordinate].is_held) m->state[a->coordinate + n] = m->t;
    }
    if (when->assignment_count) m->ops->touched(m);
    return SLIP_RUNNING;
}

static slip_run_outcome perform_event(slip_model_events *w, slip_method *m, int k, double until,
                                      bool *changed)
{
    const slip_model_event *when = &w->model->whens[k];
    memcpy(w->value_reg, w->locate.reg, (size_t)w->locate.input_count * sizeof *w->value_reg);
    slip_tape_run(w->values, w->value_reg);
    w->at_once = w->counted == m->t ? w->at_once + 1 : 1;
    w->counted = m->t;
    if (w->at_once > MAX_EVENTS_PER_INSTANT) return never_ends(m, when);
    if (when->guard.ref >= 0 && w->value_reg[slip_tape_result(w->values, k)] == 0.0) return SLIP_RUNNING;
    if (when->stops && w->runs_on) return SLIP_RUNNING;
    if (!count_in(w, m, k, until)) return never_ends(m, when);
    slip_derivative_columns_event(w->derivatives, k);
    if (when->stops) {
        slip_method_log_event(m, slip_event_at(m->t, when->name, SLIP_EVENT_WHEN), "%s", when->text);
        w->stopped = m->t;
        return SLIP_DONE;
    }
    if (!*changed && when->assignment_count) {
        w->work -= unbooked_energy(w, m);
        keep_gaps(w);
        slip_reset_checks_keep(&w->resets, m);
        *changed = true;
    }
    return assign_values(w, m, when, w->first[k]);
}

// The first event whose condition has become true.
static int next_due(slip_model_events *w)
{
    int due = -1;
    for (int k = w->model->when_count - 1; k >= 0; k--) {
        event_state *c = &w->event_states[k];
        bool holds = slip_condition_locator_holds(&w->locate, k);
        c->was = c->was && holds;
        if (holds && !c->was) due = k;
    }
    return due;
}

slip_run_outcome slip_model_events_update(slip_model_events *w, slip_method *m, double until)
{
    bool changed = false;
    slip_run_outcome outcome = SLIP_RUNNING;
    begin_events(w, m);
    w->looked = w->touched = false;
    while (outcome == SLIP_RUNNING) {
        slip_condition_locator_evaluate(&w->locate, m->t, m->state);
        int k = next_due(w);
        if (k < 0) break;
        w->event_states[k].was = true;
        outcome = perform_event(w, m, k, until, &changed);
    }
    if (changed && outcome == SLIP_RUNNING) {
        judge_gaps(w, m);
        slip_reset_checks_judge(&w->resets, m, w->model->whens[w->latest].name);
    }
    if (changed && outcome != SLIP_UNSOLVED) w->work += unbooked_energy(w, m);
    return outcome;
}

void slip_model_events_restart(slip_model_events *w)
{
    if (!w) return;
    for (int k = 0; k < w->model->when_count; k++) w->event_states[k] = (event_state){ .last = -INFINITY };
    w->happened = w->counted = -INFINITY;
    w->begun = w->touched = w->looked = false;
    w->stopped = NAN;
    w->due = -1;
}

// ------------------------------------------------------------------------------------------------- asking

bool slip_model_events_jumped(const slip_model_events *w, const slip_method *m)
{
    return w && w->happened == m->t && isnan(w->stopped);
}

const char *slip_model_events_stop(const slip_model_events *w, double *t)
{
    if (!w || isnan(w->stopped)) return NULL;
    if (t) *t = w->stopped;
    return w->model->whens[w->model->when_count - 1].text;
}

void slip_model_events_ignore_stop(slip_model_events *w)
{
    if (w) w->runs_on = true;
}

double slip_model_events_work(const slip_model_events *w)
{
    return w ? w->work : 0.0;
}
