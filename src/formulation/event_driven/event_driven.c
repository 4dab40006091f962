/// formulation/event_driven/event_driven.c: from event to event.
///
/// Cash and Karp's pair with the control of Gomez 2008's listing; every stage is projected and then solved
/// for its accelerations (event_driven_stages.c). A step is found before it is taken (locate_event.c): rows
/// within it are states of the same step, so that a row cannot show what the run does not.
#include "formulation/event_driven/event_driven.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/event_driven/contact_forces.h"
#include "symbolic/graph/caches.h"
#include "integrator/cash_karp.h"
#include "formulation/event_driven/event_driven_tolerances.h"

// -------------------------------------------------------------------------------------------- stepping

static void set_modes(slip_event_driven *m)
{
    for (int e = 0; e < m->elements; e++) {
        const slip_element *element = &m->system->elements[e];
        const slip_contact_state *contact_state = &m->rigid.contact_state[e];
        bool stick = element->slip_count && contact_state->closed && contact_state->slide == 0;
        m->base.mode[e] = (unsigned char)((element->has_gap && contact_state->closed ? SLIP_MODE_CLOSED : 0) |
                                          (stick ? SLIP_MODE_STICK : 0));
    }
}

// rigid and work.k[0] are those of (t, x): makes everything else so
static slip_run_outcome make_current(slip_event_driven *m)
{
    slip_warm_start_save(m, &m->here);
    slip_run_outcome outcome = slip_event_check_agreement(m);
    if (outcome != SLIP_RUNNING) return outcome;
    slip_event_check_verdict(m);
    slip_event_functions_at_start(m);
    slip_event_keep_flights(m);
    set_modes(m);
    m->fresh = m->present = true;
    m->ahead.made = m->elsewhere = false;
    if (m->observer) m->observer->present(m->observer->context);
    return SLIP_RUNNING;
}

static slip_run_outcome event_driven_observe(slip_method *method)
{
    slip_event_driven *m = (slip_event_driven *)method;
    if (m->fresh) return SLIP_RUNNING;
    slip_run_outcome outcome = m->started ? SLIP_RUNNING : slip_event_initial_modes(m);
    if (outcome != SLIP_RUNNING) return outcome;
    m->started = true;
    if (!slip_event_step_end(m, method->t, m->x, m->work.k[0]))
        return slip_event_no_solution(m, m->trouble, method->t);
    slip_event_check_sides(m);
    return make_current(m);
}

// makes the step ahead known, and with it when it ends
static double event_driven_look_ahead(slip_method *method, double until)
{
    slip_event_driven *m = (slip_event_driven *)method;
    if (event_driven_observe(method) != SLIP_RUNNING) return INFINITY;
    if (!m->ahead.made) slip_event_find_next_step(m, until);
    return m->ahead.outcome == SLIP_RUNNING ? m->ahead.t : INFINITY;
}

// rigid back at (t, x), to the same bits
static bool restore_present(slip_event_driven *m)
{
    if (m->present) return true;
    slip_warm_start_restore(m, &m->here);
    memcpy(m->q, m->x, (size_t)m->n * sizeof *m->q);
    memcpy(m->u, m->x + m->n, (size_t)m->n * sizeof *m->u);
    m->present = slip_contact_problem_build(&m->rigid, m->base.t, m->q, m->u) &&
                 slip_event_solve(m) == SLIP_CONTACT_SOLVED;
    m->elsewhere = true;
    return m->present;
}

// the step ahead becomes the present state; m->ahead.end holds the one before
static void accept_next_step(slip_event_driven *m)
{
    double *old = m->x, *end = m->ahead.end;
    m->x = end;
    if (end == m->next)
        m->next = old;
    else
        m->probe = old;
    m->ahead.end = old;
    m->base.state = m->x;
    m->at_switch = m->ahead.t == slip_time_schedule_next(&m->timetable, m->base.t);
    m->base.t = m->ahead.t;
    m->base.work = m->x[2 * m->n];
    m->base.friction = m->x[2 * m->n + 1];
    m->fresh = m->present = m->ahead.made = false;
}

// what holds moved by more than the tolerance, so its gap may have jumped
static void look_for_jumps(slip_event_driven *m, double t, const double *x)
{
    double reach = 0.0;
    for (int k = 0; k < m->n; k++) reach = fmax(reach, fabs(m->x[k]));
    if (m->shift > m->control.absolute + m->control.relative * reach)
        slip_event_check_gap_jumps(m, t, x, m->base.t, m->x);
}

// events that come and come without getting anywhere, as where two descriptions of a contact contradict each
// other
static bool events_accumulate(slip_event_driven *m)
{
    if (m->base.t - m->pile_from > ACCUMULATION_WINDOW_OF_RUN * m->until)
        m->pile_from = m->base.t, m->piled = 0;
    if (++m->piled < MAX_ACCUMULATED_EVENTS) return false;
    slip_method_fail(
        &m->base,
        "%d events from t = %.9g s to %.9g s: contacts open and close, or stick and slide, without end",
        m->piled, m->pile_from, m->base.t);
    return true;
}

static slip_run_outcome pass_event(slip_event_driven *m)
{
    if (events_accumulate(m)) return SLIP_UNSOLVED;
    if (m->base.t - m->last_change > SAME_INSTANT_RELATIVE * fmax(1.0, m->base.t)) m->changes = 0;
    m->last_change = m->base.t;
    if (++m->changes > MAX_CHANGES_WITHOUT_PROGRESS)
        return slip_method_fail(
            &m->base, "at t = %.12g s contacts change between sticking, sliding and opening without end",
            m->base.t);
    slip_run_outcome outcome = slip_event_apply_transitions(m);
    slip_event_keep_flights(m);
    return outcome;
}

static slip_run_outcome fail_without_step(slip_event_driven *m)
{
    slip_run_outcome outcome = m->ahead.outcome;
    if (outcome == SLIP_UNSOLVED ||
        (outcome == SLIP_STEP_TOO_SMALL && m->ahead.trouble != SLIP_CONTACT_SOLVED))
        return slip_event_no_solution(m, m->ahead.trouble, m->base.t);
    return outcome;
}

static slip_run_outcome event_driven_advance(slip_method *method, double step, double t_after)
{
    (void)step;
    slip_event_driven *m = (slip_event_driven *)method;
    slip_run_outcome outcome = event_driven_observe(method);
    if (outcome != SLIP_RUNNING) return outcome;
    // by the time alone: a length is rounded once more, and the event would be cut off by the last digit
    if (!m->ahead.made || m->ahead.t > t_after) {
        if (!restore_present(m)) return slip_event_no_solution(m, m->trouble, method->t);
        slip_event_find_next_step(m, t_after);
    }
    if (m->ahead.outcome != SLIP_RUNNING) return fail_without_step(m);
    if (m->elsewhere) {
        slip_event_step_end_again(m, m->ahead.t, m->ahead.end, m->work.stage);
        slip_event_evaluate_functions(m, m->ahead.t, m->after);
    }
    double t = method->t;
    bool event = m->ahead.event;
    accept_next_step(m);
    if (!event) event = !slip_event_check_sides(m); // then it is settled as at an event
    look_for_jumps(m, t, m->ahead.end);
    if (m->observer) m->observer->arrived(m->observer->context, event);
    if (event) return pass_event(m);
    memcpy(m->work.k[0], m->work.stage, (size_t)m->problem.count * sizeof *m->work.stage);
    return make_current(m);
}

// --------------------------------------------------------------------------------------------- looking

static void fill_records(slip_event_driven *m, double t, const double *x, bool known, double *records)
{
    if (known && m->system->readings.count) slip_contact_forces_least_norm(m);
    slip_system_record(m->system, t, x, x + m->n, known ? slip_contact_forces_quantities : NULL, m,
                       &m->rigid.terms, records);
}

static void event_driven_record(slip_method *method, double *records, double *kinetic, double *potential)
{
    slip_event_driven *m = (slip_event_driven *)method;
    double power;
    bool known =
        event_driven_observe(method) == SLIP_RUNNING && restore_present(m); // else: what it was before
    fill_records(m, method->t, m->x, known, records);
    m->elsewhere = true; // forces of least norm are another solution
    slip_system_energy(m->system, method->t, m->x, m->x + m->n, &m->rigid.terms, kinetic, potential, &power);
    method->driven = slip_system_rheonomic_energy(m->system, &m->rigid.terms);
}

// a state of the step ahead: a step of its own where bodies turn in space, whose coordinates are known with
// their first rates only
static bool state_within(slip_event_driven *m, double h)
{
    const slip_equations *e = m->system->equations;
    slip_step_interval leg = { m->base.t, m->ahead.h, m->x, m->work.k[0], m->ahead.end, m->end_rate };
    if (e->turns) return slip_cash_karp_attempt(&m->problem, m->base.t, m->x, h, &m->work, m->within);
    slip_step_interval_state(e, &leg, h / m->ahead.h, m->within);
    return true;
}

static bool event_driven_interpolate(slip_method *method, double t, double *state)
{
    slip_event_driven *m = (slip_event_driven *)method;
    if (!m->ahead.made || m->ahead.outcome != SLIP_RUNNING || m->system->equations->turns) return false;
    if (m->ahead.bare) slip_event_flight_complete(m);
    state_within(m, fmin(t - method->t, m->ahead.h));
    memcpy(state, m->within, (size_t)method->state_count * sizeof *state);
    return true;
}

static slip_run_outcome event_driven_peek(slip_method *method, double t, double *row)
{
    slip_event_driven *m = (slip_event_driven *)method;
    event_driven_look_ahead(method, m->until);
    if (!m->fresh) return event_driven_observe(method);
    if (m->ahead.outcome != SLIP_RUNNING) return fail_without_step(m);
    if (m->ahead.bare) slip_event_flight_complete(m);
    double h = fmin(t - method->t, m->ahead.h);
    slip_warm_start_restore(m, &m->here);
    m->elsewhere = true, m->present = false;
    slip_log_mute(method->log); // the run itself will say it when it gets there
    bool solved = state_within(m, h) && slip_event_rate(m, method->t + h, m->within, m->work.low);
    slip_log_unmute(method->log);
    if (!solved) return slip_event_no_solution(m, m->trouble, method->t + h);
    memcpy(m->within, m->q, (size_t)m->n * sizeof *m->within);
    memcpy(m->within + m->n, m->u, (size_t)m->n * sizeof *m->within);
    memcpy(row, m->within, (size_t)method->state_count * sizeof *row);
    fill_records(m, method->t + h, m->within, true, row + method->state_count);
    return SLIP_RUNNING;
}

static void event_driven_state_changed(slip_method *method)
{
    slip_event_driven *m = (slip_event_driven *)method;
    m->started = m->fresh = m->present = m->ahead.made = false;
}

static void event_driven_destroy(slip_method *method)
{
    slip_event_driven *m = (slip_event_driven *)method;
    slip_log_destroy(method->log);
    slip_event_snapshot_destroy(m->image);
    slip_fused_cash_karp_destroy(m->fused_step);
    slip_time_schedule_destroy(&m->timetable);
    slip_step_scan_destroy(&m->scan);
    slip_narrow_features_destroy(&m->narrow);
    slip_system_destroy(m->system);
    if (m->monitor) slip_uniqueness_cache_destroy(&m->monitor->proof);
    free(m->monitor);
    free(m->memory);
    free(m);
}

// what begins to slide has a direction before it has a speed
static void event_driven_slip_heading(const slip_method *method, int e, double direction[2])
{
    const slip_contact_problem *r = &((const slip_event_driven *)method)->rigid;
    bool space = ((const slip_event_driven *)method)->system->elements[e].slip_count > 1;
    for (int c = 0; c < 2; c++)
        direction[c] = r->contact_state[e].slide * (space ? r->heading[2 * e + c] : 1.0);
}

static const slip_method_ops ops = { event_driven_destroy,
                                     event_driven_observe,
                                     event_driven_advance,
                                     event_driven_peek,
                                     event_driven_record,
                                     event_driven_state_changed,
                                     event_driven_look_ahead,
                                     event_driven_slip_heading,
                                     slip_event_archive,
                                     NULL,
                                     NULL,
                                     slip_event_rewind,
                                     event_driven_interpolate };

slip_event_driven *slip_event_driven_of(slip_method *method)
{
    return method->ops == &ops ? (slip_event_driven *)method : NULL;
}

// ------------------------------------------------------------------------------------------- creating

static void layout_names(slip_arena *a, slip_event_driven *m)
{
    const slip_model *model = m->system->equations->model;
    const char **elements = SLIP_TAKE(a, const char *, m->elements),
               **states = SLIP_TAKE(a, const char *, 2 * m->n),
               **records = SLIP_TAKE(a, const char *, model->record_count);
    for (int e = 0; e < m->elements && a->base; e++) elements[e] = m->system->elements[e].name;
    for (int k = 0; k < model->record_count && a->base; k++) records[k] = slip_model_record_name(model, k);
    for (int k = 0; k < m->n && a->base; k++) {
        states[k] = model->coordinates[k].name;
        states[m->n + k] = model->coordinates[k].rate_name;
    }
    m->base.element_name = elements;
    m->base.state_name = states;
    m->base.record_name = records;
}

static void event_driven_layout(slip_arena *a, slip_event_driven *m)
{
    int count = m->problem.count, e = m->elements;
    layout_names(a, m);
    m->base.mode = SLIP_TAKE(a, unsigned char, e);
    slip_contact_problem_layout(a, m->system, &m->rigid);
    slip_project_layout(a, m);
    slip_integrator_cash_karp.layout(a, count, &m->work);
    m->x = SLIP_TAKE(a, double, count);
    m->next = SLIP_TAKE(a, double, count);
    m->probe = SLIP_TAKE(a, double, count);
    m->q = SLIP_TAKE(a, double, m->n);
    m->u = SLIP_TAKE(a, double, m->n);
    m->scratch_u = SLIP_TAKE(a, double, m->n);
    m->raw = SLIP_TAKE(a, double, count);
    m->end_rate = SLIP_TAKE(a, double, count);
    m->within = SLIP_TAKE(a, double, count);
    m->before = SLIP_TAKE_PLAIN(a, slip_event_function, m->watches);
    m->after = SLIP_TAKE_PLAIN(a, slip_event_function, m->watches);
    m->end_watch = SLIP_TAKE_PLAIN(a, slip_event_function, m->watches);
    m->left = SLIP_TAKE_PLAIN(a, slip_event_function, m->watches);
    m->right = SLIP_TAKE_PLAIN(a, slip_event_function, m->watches);
    m->offset = SLIP_TAKE(a, double, m->watches);
    m->sample = SLIP_TAKE(a, double, 2 * e * SLIP_EVENT_STAGE_COUNT);
    slip_warm_start *const warm[] = { &m->arrived, &m->here };
    for (int k = 0; k < 2; k++) {
        warm[k]->loaded = SLIP_TAKE(a, bool, e);
        warm[k]->tight = SLIP_TAKE(a, bool, e);
        warm[k]->load = SLIP_TAKE(a, double, m->rigid.loads.count);
    }
    slip_event_switches_layout(a, m);
    m->saved_contact_state = SLIP_TAKE_PLAIN(a, slip_contact_state, e);
    m->saved_heading = SLIP_TAKE(a, double, 2 * e);
    m->before_heading = SLIP_TAKE(a, double, 2 * e);
    slip_impact_problem_layout(a, m->system, m->d, &m->impact_problem);
    m->struck = SLIP_TAKE(a, bool, e);
    m->flight_gap = SLIP_TAKE(a, double, e);
    m->candidate = SLIP_TAKE(a, bool, e);
    m->due = SLIP_TAKE(a, bool, e);
    m->before_slide = SLIP_TAKE(a, signed char, e);
    m->reported = SLIP_TAKE(a, slip_constant, 1);
    m->compliance = SLIP_TAKE(a, slip_compliant_constants, e);
    slip_contact_forces_layout(a, m);
}

void slip_event_archive_memory(slip_event_driven *copy, slip_archive *a)
{
    slip_arena arena = { .base = copy->memory, .archive = a };
    event_driven_layout(&arena, copy);
}

static slip_status allocate_event_driven(slip_event_driven *m)
{
    slip_arena count = { 0 };
    event_driven_layout(&count, m);
    slip_arena real = { .base = slip_arena_memory(count.used) };
    if (!real.base) return SLIP_NO_MEMORY;
    m->memory = real.base;
    m->memory_bytes = count.used;
    event_driven_layout(&real, m);
    slip_terms_init(m->system, &m->rigid.terms);
    return SLIP_OK;
}

slip_status slip_event_read_settings(slip_event_driven *m, const slip_model *model,
                                     const slip_sim_def *settings, slip_error *error)
{
    static const char *const words[] = { "warn", "lcp", "stop" };
    int word = 0;
    while (word < 3 && strcmp(words[word], settings->on_disagreement) != 0) word++;
    char place[160];
    bool of_model =
        model->run.on_disagreement && strcmp(settings->on_disagreement, model->run.on_disagreement) == 0;
    if (word == 3)
        return slip_fail(error, SLIP_UNKNOWN_NAME,
                         of_model ? slip_span_place(model->run.on_disagreement_at, place, sizeof place)
                                  : "on-disagreement",
                         "'%s' is none of warn, lcp, stop", settings->on_disagreement);
    m->on_disagreement = (slip_on_disagreement)word;
    m->rigid.hold = strcmp(settings->branch, "contact") == 0;
    const slip_solver *own = slip_solver_find("lemke"), *asked = slip_solver_find(settings->solver),
                      *suited = m->rigid.solver; // of the start before
    m->rigid.solver = m->principle == SLIP_PRINCIPLE_LCP && !(asked && asked->chooses) ? asked : own;
    m->rigid.given = settings->solver_options;
    if (!m->rigid.solver ||
        (m->rigid.solver != suited && !slip_contact_problem_solver_fits(&m->rigid, m->system)))
        return slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                         "solver %s does not take the contact LCP of this model; lemke does",
                         settings->solver);
    return SLIP_OK;
}

static bool does_work(const slip_system *s)
{
    const slip_equations *e = s->equations;
    slip_node power = slip_graph_node(e->graph, e->power);
    bool still = power.op == SLIP_OP_CONSTANT && power.value == 0.0;
    for (int k = 0; k < e->constraint_count; k++) still = still && e->constraints[k].drift == SLIP_NONE;
    return !still;
}

// what can be known before the run: what the time does, and how to look inside a step
static bool look_at_model(slip_event_driven *m)
{
    slip_equations *e = m->system->equations;
    const slip_switching *w = m->system->switching;
    m->fused_step = slip_fused_cash_karp_create(m->system, m->works);
    return slip_equations_timetable(e, m->until, &m->timetable) &&
           slip_step_scan_create(&m->scan, e, w ? &w->switches : NULL, m->until) &&
           slip_narrow_features_create(&m->narrow, e);
}

static void fill_method(slip_event_driven *m, const slip_model *model)
{
    slip_method *base = &m->base;
    base->ops = &ops;
    base->equations = m->system->equations;
    base->state_count = 2 * m->n;
    base->state = m->x;
    base->record_count = model->record_count;
    base->element_count = m->elements;
    base->has_energy = true;
    base->adaptive = true;
    base->largest_stable_step = INFINITY;
    m->reported[0] = (slip_constant){ "gauss", "largest |N g''|", 0.0 };
    base->constants = m->reported;
    base->constant_count = m->principle == SLIP_PRINCIPLE_GAUSS;
    static const char *const measures[] = { "energy_gained", "impacts_with_gain", "gap_jumps",
                                            "lcp_fallbacks" };
    for (int k = 0; k < SLIP_EVENT_MEASURE_COUNT; k++)
        m->measures[k] = (slip_constant){ "", measures[k], 0.0 };
    base->measures = m->measures;
    base->measure_count =
        m->principle == SLIP_PRINCIPLE_GAUSS ? SLIP_EVENT_MEASURE_COUNT : SLIP_EVENT_FALLBACKS;
}

slip_status slip_event_set_start(slip_event_driven *m, const slip_model *model, const slip_sim_def *settings,
                                 slip_error *error)
{
    m->control = (slip_step_control){ .relative = settings->relative,
                                      .absolute = settings->absolute,
                                      .next = fmin(settings->step, settings->max_step),
                                      .max = settings->max_step };
    m->rigid.slow = 1e3 * settings->absolute;
    m->flight_t = NAN;
    for (int k = 0; k < m->n; k++) {
        m->x[k] = model->coordinates[k].start;
        m->x[m->n + k] = model->coordinates[k].rate;
    }
    slip_event_choose_scales(m);
    // masses are those of the start
    return slip_compliant_choose_for_step(m->system->equations, SLIP_NORMAL_LAW_AS_GIVEN,
                                          0.1 * settings->step, NULL, m->compliance, error);
}

slip_status slip_event_driven_create(const slip_model *model, const slip_sim_def *settings,
                                     slip_principle principle, slip_error *error, slip_method **out)
{
    *out = NULL;
    slip_event_driven *m = calloc(1, sizeof *m);
    if (!m) return slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    m->principle = principle;
    m->base.log = slip_log_create();
    m->monitor = calloc(1, sizeof *m->monitor);
    slip_status status = m->base.log && m->monitor
                             ? slip_system_create_locked(model, error, &m->system)
                             : slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    if (status == SLIP_OK) {
        m->n = m->system->n;
        m->elements = m->system->element_count;
        for (int e = 0; e < m->elements; e++) m->space = m->space || m->system->elements[e].slip_count > 1;
        m->d = m->space ? 3 : 2;
        m->problem = (slip_ode_problem){ .count = 2 * m->n + SLIP_EVENT_LEDGER_COUNT,
                                         .quadratures = SLIP_EVENT_LEDGER_COUNT,
                                         .context = m,
                                         .rate = slip_event_rate };
        m->step = settings->step;
        m->rest_flight = REST_FLIGHT_OF_STEP * settings->step;
        m->last_change = -1.0;
        m->works = does_work(m->system);
        for (int e = 0; e < m->elements; e++) {
            const slip_contact *c = m->system->elements[e].contact;
            m->holds = m->holds || !isnan(c->at_rest) || c->load.kind != SLIP_LOAD_NONE;
        }
        m->until = settings->until;
        m->switches = m->system->switching ? m->system->switching->switches.count : 0;
        m->watches = 2 * m->elements + m->switches;
    }
    if (status == SLIP_OK) status = slip_event_read_settings(m, model, settings, error);
    if (status == SLIP_OK && (allocate_event_driven(m) != SLIP_OK || !look_at_model(m)))
        status = slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    if (status == SLIP_OK &&
        !slip_uniqueness_cache_create(&m->monitor->proof, m->rigid.most, m->elements, m->n))
        status = slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    if (status == SLIP_OK) {
        m->monitor->constants = m->compliance;
        m->monitor->level = model->run.verdict;
        m->monitor->proof.forgets = !slip_graph_keeps(m->system->equations->graph, SLIP_CACHE_VERDICTS);
        fill_method(m, model);
        slip_event_snapshot_save(m);
        status = slip_event_set_start(m, model, settings, error);
    }
    if (status != SLIP_OK) {
        event_driven_destroy(&m->base);
        return status;
    }
    *out = &m->base;
    return SLIP_OK;
}
