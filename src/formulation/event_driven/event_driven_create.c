/// formulation/event_driven/event_driven_create.c: an event-driven method of a model.
#include "formulation/event_driven/event_driven.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/event_driven/contact_forces.h"
#include "formulation/event_driven/event_driven_tolerances.h"
#include "symbolic/graph/caches.h"

void slip_event_driven_destroy(slip_method *method)
{
    slip_event_driven *m = (slip_event_driven *)method;
    slip_log_destroy(method->log);
    slip_event_snapshot_destroy(m->image);
    slip_time_schedule_destroy(&m->timetable);
    slip_step_scan_destroy(&m->scan);
    slip_narrow_features_destroy(&m->narrow);
    slip_system_destroy(m->system);
    if (m->monitor) slip_uniqueness_cache_destroy(&m->monitor->proof);
    free(m->monitor);
    free(m->memory);
    free(m);
}

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
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &m->memory)) event_driven_layout(&arena, m);
    if (!m->memory) return SLIP_NO_MEMORY;
    m->memory_bytes = arena.used;
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
    return slip_equations_timetable(e, m->until, &m->timetable) &&
           slip_step_scan_create(&m->scan, e, w ? &w->switches : NULL, m->until) &&
           slip_narrow_features_create(&m->narrow, e);
}

static void fill_method(slip_event_driven *m, const slip_model *model)
{
    slip_method *base = &m->base;
    base->ops = &slip_event_driven_ops;
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
            m->holds = m->holds || c->static_friction.ref >= 0 || c->load.kind != SLIP_LOAD_NONE;
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
        slip_event_driven_destroy(&m->base);
        return status;
    }
    *out = &m->base;
    return SLIP_OK;
}
