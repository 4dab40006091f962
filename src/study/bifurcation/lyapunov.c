/// study/bifurcation/lyapunov.c: Lyapunov exponents along a run.
///
/// A frame of tangent vectors is propagated by the variational equations and their jumps, and orthonormalised
/// at the end of each block (Benettin, Galgani, Giorgilli, Strelcyn 1980; through impacts: Mueller 1995). The
/// exponents are means of the logarithms of its growth. Their errors follow from the scatter of batches of
/// blocks, which are long enough to be nearly independent.
#include "slipstick/lyapunov.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/cycle_options.h"
#include "study/bifurcation/lyapunov_exponents.h"
#include "study/bifurcation/initial_guess.h"
#include "simulation/sim/sim.h"
#include "sensitivity/sensitivity.h"

enum {
    DEFAULT_BLOCKS = 2000,
    MAX_BLOCKS = 10000000,
    SETTLING_BLOCKS = 200, // by default, where no period defines the length of a block
    LEAST_STEPS_OF_BLOCK = 20,
    MAX_STEPS_PAST_EVENT = 100
};

slip_lyapunov_def slip_default_lyapunov_def(void)
{
    return (slip_lyapunov_def){ .settle = NAN,
                                .length = NAN,
                                .block = NAN,
                                .relative = LYAPUNOV_RUN_RELATIVE,
                                .absolute = LYAPUNOV_RUN_ABSOLUTE };
}

/// One measurement.
typedef struct lyapunov_run {
    const slip_model *model;
    const slip_lyapunov_def *def;
    slip_lyapunov *answer;
    slip_sim *sim;
    slip_sensitivity *tangent;
    int states;
    bool *counts; // per state: it moves freely
    bool forgets; // an event in this block reduces the rank of the frame: sticking, or an impact with e = 0
    bool others;  // there were events other than impacts
    long impacts;
    double restitutions; // sum of ln e^2 over all impacts
    double *length;      // growth of each vector of the frame in a block
    slip_lyapunov_series series;
} lyapunov_run;

// ---------------------------------------------------------------------------------------------- settings

static slip_status check_lyapunov_def(const slip_lyapunov_def *def, slip_error *error)
{
    const struct {
        const char *name;
        double value;
    } list[] = { { "settle", def->settle }, { "length", def->length }, { "block", def->block } };
    for (int k = 0; k < 3; k++)
        if (!isnan(list[k].value) && !(list[k].value > 0.0 && isfinite(list[k].value)))
            return slip_fail(error, SLIP_BAD_ARGUMENT, list[k].name, "must be > 0, got %g", list[k].value);
    if (def->formulation && strcmp(def->formulation, "lcp") != 0 && strcmp(def->formulation, "gauss") != 0)
        return slip_fail(error, SLIP_UNSUPPORTED, "formulation", "needs lcp or gauss, not %s",
                         def->formulation);
    if (!(def->relative > 0.0) || !(def->absolute > 0.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "tolerances", "must be > 0");
    return SLIP_OK;
}

// Divides the run into whole blocks.
static slip_status plan_blocks(lyapunov_run *m, double period, double *block, double *settle, int *blocks,
                               slip_error *error)
{
    const slip_lyapunov_def *def = m->def;
    double until = isnan(m->model->run.until) ? 1.0 : m->model->run.until;
    *settle = isnan(def->settle) ? until : def->settle;
    *block = isnan(period) ? isnan(def->block) ? *settle / SETTLING_BLOCKS : def->block : period;
    *settle = *block * fmax(1.0, ceil(*settle / *block - WHOLE_NUMBER_SLACK));
    double count = isnan(def->length) ? DEFAULT_BLOCKS : ceil(def->length / *block - WHOLE_NUMBER_SLACK);
    if (!(count >= SLIP_LYAPUNOV_BATCHES && count <= MAX_BLOCKS))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "length",
                         "%g blocks of %g s: between %d and %d are needed", count, *block,
                         SLIP_LYAPUNOV_BATCHES, MAX_BLOCKS);
    *blocks = (int)count;
    return SLIP_OK;
}

// ------------------------------------------------------------------------------------------------ events

static void on_event(void *context, const slip_event *event)
{
    lyapunov_run *m = context;
    if (event->kind == SLIP_EVENT_VERDICT || event->kind == SLIP_EVENT_WARN) return;
    m->others = m->others || event->kind != SLIP_EVENT_IMPACT;
    if (event->kind != SLIP_EVENT_IMPACT) return;
    m->impacts++;
    const slip_system *system = m->tangent->system;
    for (int k = 0; k < m->tangent->elements; k++)
        if (strcmp(system->elements[k].name, event->element) == 0) {
            double e = system->elements[k].contact->restitution;
            m->restitutions += 2.0 * slip_ln(e);
            m->forgets = m->forgets || e == 0.0;
        }
}

// ----------------------------------------------------------------------------------------------- running

static void add_reason(slip_lyapunov *a, const char *what, double t)
{
    snprintf(a->text, sizeof a->text, "the run ended at t = %.9g s: %s", t, what);
}

// Advances to t, and a little further if the derivatives of an event are not complete there.
static slip_run_outcome advance_to(lyapunov_run *m, double t)
{
    slip_run_outcome outcome = slip_sim_step_to(m->sim, t);
    for (int more = 0;
         more < MAX_STEPS_PAST_EVENT && outcome == SLIP_RUNNING && !m->tangent->settled && !m->tangent->lost;
         more++)
        outcome = slip_sim_step(m->sim);
    return outcome;
}

static void count_lost(lyapunov_run *m)
{
    slip_lyapunov *a = m->answer;
    if (!a->lost++)
        snprintf(a->reason, sizeof a->reason, "at t = %.6g s %.150s", m->tangent->lost_at,
                 m->tangent->reason);
}

// Restarts the frame from unit vectors at the present state.
static void restart_frame(lyapunov_run *m, double until)
{
    memcpy(m->length, m->sim->method->state, (size_t)m->states * sizeof *m->length);
    slip_sim_restart_at(m->sim, m->sim->method->t, until, m->length);
    slip_sim_observe(m->sim);
}

static bool measure_block(lyapunov_run *m)
{
    bool known = slip_sensitivity_orthonormalize(m->tangent, m->counts,
                                                 m->forgets || m->tangent->divergence.held_ever, m->length);
    m->others = m->others || m->tangent->divergence.held_ever;
    m->forgets = m->tangent->divergence.held_ever = false;
    return known;
}

static bool measured_all_blocks(const lyapunov_run *m)
{
    for (int k = 0; k < m->states; k++)
        if (m->counts[k] && m->length[k] == 0.0) return false;
    return true;
}

static bool run_blocks(lyapunov_run *m, double block, double settle, int blocks)
{
    slip_sim *sim = m->sim;
    slip_lyapunov *a = m->answer;
    double until = settle + blocks * block;
    slip_run_outcome outcome = slip_sim_observe(sim);
    long first = (long)floor(settle / block + 0.5);
    double begun = 0.0, divergence = 0.0, restitutions = 0.0, last = 0.0;
    for (long k = 1; k <= first + blocks && (outcome == SLIP_RUNNING); k++) {
        outcome = advance_to(m, k == first + blocks ? until : (double)k * block);
        double t = sim->method->t;
        if (outcome != SLIP_RUNNING && outcome != SLIP_DONE) break;
        slip_log_clear_events(sim->method->log);
        bool known = measure_block(m), counts = k > first, whole = known && measured_all_blocks(m);
        if (counts && known) slip_lyapunov_series_add(&m->series, t - last, m->length);
        if (counts && !known) count_lost(m);
        if (counts) slip_lyapunov_series_add_point(&m->series, sim->method->state);
        // a frame that has lost a direction while the motion settles is replaced: the loss does not count
        if ((counts ? !known : !whole) && outcome == SLIP_RUNNING) restart_frame(m, until);
        if (k == first)
            begun = t, divergence = m->tangent->divergence.sum, restitutions = m->restitutions,
            m->impacts = 0, m->others = false;
        last = t;
    }
    a->from = begun, a->to = last;
    if (outcome != SLIP_DONE || last < until) {
        add_reason(a,
                   outcome == SLIP_DONE ? "a condition of the model was met" : slip_run_outcome_text(outcome),
                   sim->method->t);
        return false;
    }
    a->blocks = blocks;
    a->impacts = (double)m->impacts / blocks;
    bool whole = !m->others && !a->lost && m->series.count == m->states;
    a->expected =
        whole ? (m->tangent->divergence.sum - divergence + m->restitutions - restitutions) / (last - begun)
              : NAN;
    return true;
}

// ------------------------------------------------------------------------------------------------- making

static slip_status make_sim(lyapunov_run *m, double until, double block, slip_error *error)
{
    slip_sim_def settings = slip_default_sim_def();
    slip_text list = { 0 };
    settings.formulation = m->def->formulation ? m->def->formulation : "lcp";
    settings.until = until;
    settings.stop = m->def->stop;
    settings.max_step = block / LEAST_STEPS_OF_BLOCK;
    settings.step = FIRST_STEP_OF_LONGEST * settings.max_step;
    settings.relative = m->def->relative;
    settings.absolute = m->def->absolute;
    slip_status status = SLIP_NO_MEMORY;
    if (slip_cycle_option_columns(m->model, NULL, &list)) {
        settings.sensitivity = list.data;
        status = slip_sim_create(m->model, &settings, error, &m->sim);
    }
    slip_text_destroy(&list);
    if (status != SLIP_OK) return status;
    m->tangent = slip_derivative_columns_tangent(m->sim->derivatives);
    if (!m->tangent) return slip_fail(error, SLIP_UNSUPPORTED, "lyapunov", "needs formulation lcp or gauss");
    m->tangent->divergence.wanted = true;
    m->states = m->sim->method->state_count;
    slip_sim_on_event(m->sim, on_event, m);
    return SLIP_OK;
}

static bool name_states(lyapunov_run *m)
{
    slip_lyapunov *a = m->answer;
    a->state_count = m->states;
    a->state_name = calloc((size_t)m->states + 1, sizeof *a->state_name);
    for (int k = 0; k < m->states && a->state_name; k++) {
        const char *name = slip_sim_column_name(m->sim, 1 + k);
        const size_t size = strlen(name) + 1;
        a->state_name[k] = malloc(size);
        if (!a->state_name[k]) return false;
        memcpy(a->state_name[k], name, size);
    }
    return a->state_name != NULL;
}

// Starts from the state that the user gave.
static slip_status set_start(lyapunov_run *m, double until, slip_error *error)
{
    if (!m->def->start) return SLIP_OK;
    memcpy(m->length, m->sim->method->state, (size_t)m->states * sizeof *m->length);
    slip_status status = slip_cycle_read_start(m->model, m->def->start, m->length, error);
    if (status == SLIP_OK) slip_sim_restart_at(m->sim, 0.0, until, m->length);
    return status;
}

static slip_status measure_exponents(lyapunov_run *m, bool forced, double period, slip_error *error)
{
    double block = 0.0, settle = 0.0;
    int blocks = 0;
    slip_lyapunov *a = m->answer;
    slip_status status = plan_blocks(m, period, &block, &settle, &blocks, error);
    if (status == SLIP_OK) status = make_sim(m, settle + blocks * block, block, error);
    if (status != SLIP_OK) return status;
    size_t n = (size_t)m->states;
    m->counts = calloc(2 * n + 1, sizeof *m->counts);
    m->length = calloc(n + 1, sizeof *m->length);
    if (!m->counts || !m->length || !name_states(m))
        return slip_fail(error, SLIP_NO_MEMORY, "lyapunov", "out of memory");
    slip_cycle_option_fixed(m->model, m->counts);
    for (size_t k = 0; k < n; k++) m->counts[k] = !m->counts[k];
    bool *shifts = m->counts + n;
    status = slip_cycle_option_shifts(m->model, m->def->drift, shifts, error);
    if (status == SLIP_OK) status = set_start(m, settle + blocks * block, error);
    if (status != SLIP_OK) return status;
    a->trivial = !forced;
    for (size_t k = 0; k < n; k++) a->trivial += shifts[k] && m->counts[k];
    if (!slip_lyapunov_series_create(&m->series, m->states, m->counts, blocks))
        return slip_fail(error, SLIP_NO_MEMORY, "lyapunov", "out of memory");
    if (run_blocks(m, block, settle, blocks) && !slip_lyapunov_series_classify(&m->series, forced, shifts, a))
        return slip_fail(error, SLIP_NO_MEMORY, "lyapunov", "out of memory");
    return SLIP_OK;
}

slip_status slip_lyapunov_find(const slip_model *model, const slip_lyapunov_def *def, slip_error *error,
                               slip_lyapunov **out)
{
    *out = NULL;
    slip_lyapunov_def fallback = slip_default_lyapunov_def();
    lyapunov_run m = { .model = model, .def = def ? def : &fallback };
    slip_model *timed = NULL;
    slip_status status = check_lyapunov_def(m.def, error);
    if (status == SLIP_OK && model->type != SLIP_MECHANICS)
        status = slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                           "exponents are those of mechanical models");
    if (status == SLIP_OK && m.def->period)
        status = slip_cycle_option_period(model, m.def->period, error, &timed);
    if (status != SLIP_OK) return status;
    double period = timed ? timed->run.until : NAN;
    slip_lyapunov *a = m.answer = calloc(1, sizeof *a);
    if (a) a->forgotten_at = a->expected = a->sum = NAN;
    status = a ? measure_exponents(&m, timed != NULL, period, error)
               : slip_fail(error, SLIP_NO_MEMORY, "lyapunov", "out of memory");
    slip_lyapunov_series_destroy(&m.series);
    slip_sim_destroy(m.sim);
    slip_model_destroy(timed);
    free(m.counts);
    free(m.length);
    if (status == SLIP_OK)
        *out = a;
    else
        slip_lyapunov_destroy(a);
    return status;
}

void slip_lyapunov_destroy(slip_lyapunov *a)
{
    if (!a) return;
    for (int k = 0; k < a->state_count && a->state_name; k++) free(a->state_name[k]);
    free(a->state_name);
    free(a->exponent);
    free(a->error);
    free(a->points);
    free(a);
}
