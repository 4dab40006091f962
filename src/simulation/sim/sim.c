/// simulation/sim/sim.c: a model under one formulation, advanced in time.
#include "simulation/sim/sim.h"

#include <math.h>
#include <string.h>

#include "simulation/sim/sim_tolerances.h"

const char *slip_run_outcome_name(slip_run_outcome outcome)
{
#define AS_WORD(name, word, text) word,
    static const char *const words[] = { SLIP_RUN_OUTCOMES(AS_WORD) };
    return outcome >= 0 && outcome < SLIP_RUN_OUTCOME_COUNT ? words[outcome] : "unknown";
}

const char *slip_run_outcome_text(slip_run_outcome outcome)
{
#define AS_SENTENCE(name, word, text) text,
    static const char *const texts[] = { SLIP_RUN_OUTCOMES(AS_SENTENCE) };
    return outcome >= 0 && outcome < SLIP_RUN_OUTCOME_COUNT ? texts[outcome] : "unknown outcome";
}

static void send_event(slip_sim *sim, const slip_event *event)
{
    slip_derivative_columns_announce(sim->derivatives, event->t);
    sim->events++;
    if (sim->sink) sim->sink(sim->sink_context, event);
}

static void send_mode_change(slip_sim *sim, int element, slip_event_kind kind)
{
    const slip_method *m = sim->method;
    slip_event event = slip_event_at(m->t, m->element_name[element], kind);
    if (sim->sink && m->equations) {
        if (!sim->motion) sim->motion = slip_event_kinematics_create(m->equations);
        if (sim->motion) slip_event_kinematics_fill(sim->motion, m, element, &event);
        if (!sim->motion) sim->event_failed = true;
    }
    send_event(sim, &event);
}

static void send_located_events(slip_sim *sim)
{
    slip_log *log = sim->method->log;
    for (int k = 0; k < slip_log_event_count(log); k++) {
        slip_event event = slip_log_event(log, k);
        slip_contact_loads_event(sim->loads, &event);
        send_event(sim, &event);
    }
    slip_log_clear_events(log);
}

static void send_warnings(slip_sim *sim)
{
    const slip_warning *w;
    for (; (w = slip_log_warning(sim->method->log, sim->warnings_sent)); sim->warnings_sent++) {
        slip_event event = slip_event_at(w->t, w->element, SLIP_EVENT_WARN);
        event.text = w->text;
        send_event(sim, &event);
    }
}

static void send_mode_changes(slip_sim *sim)
{
    const slip_method *m = sim->method;
    for (int k = 0; k < m->element_count; k++) {
        unsigned char now = m->mode[k], before = sim->mode[k], changed = now ^ before;
        if (!changed) continue;
        if (changed & SLIP_MODE_CLOSED)
            send_mode_change(sim, k, now & SLIP_MODE_CLOSED ? SLIP_EVENT_CONTACT : SLIP_EVENT_RELEASE);
        if ((changed & SLIP_MODE_STICK) && (now & SLIP_MODE_STICK || !(changed & SLIP_MODE_CLOSED)))
            send_mode_change(sim, k, now & SLIP_MODE_STICK ? SLIP_EVENT_STICK : SLIP_EVENT_SLIDE);
        sim->mode[k] = now;
    }
}

// True if a strict run has to end: a warning puts the answer in doubt, or no theorem guarantees it. A verdict
// that lasts for a single instant, as where a mode changes, does not count.
static bool is_in_doubt(slip_method *m)
{
    const slip_verdict_record *trust = &m->trust;
    double unknown = trust->seconds[SLIP_UNKNOWN_VERDICT];
    if (trust->judged && trust->now == SLIP_UNKNOWN_VERDICT) unknown += m->t - trust->since;
    if (unknown > 0.0 && slip_log_warning_count(m->log) == 0)
        slip_method_warn(m, SLIP_WARNING_UNKNOWN, "", "unknown %s", trust->text);
    return slip_log_warning_count(m->log) > 0;
}

slip_run_outcome slip_sim_observe(slip_sim *sim)
{
    slip_method *m = sim->method;
    slip_run_outcome outcome = m->ops->observe(m);
    if (outcome == SLIP_RUNNING) outcome = slip_value_checks_run(sim->values, m);
    if (outcome != SLIP_RUNNING) return outcome;
    if (!sim->started) { // the initial modes are no events
        double kinetic, potential;
        m->ops->record(m, sim->row, &kinetic, &potential);
        // entries of the ledger up to now belong to the initial energy; an impact at t = 0 comes later
        sim->driven_start = m->driven;
        sim->energy_start =
            kinetic + potential + m->driven - (m->work - m->friction - m->contact - m->impact);
        memcpy(sim->mode, m->mode, (size_t)m->element_count);
        sim->started = true;
    }
    if (m->log->news) send_located_events(sim);
    send_mode_changes(sim);
    slip_contact_loads_observe(sim->loads, m);
    bool doubted = sim->def.strict && is_in_doubt(m);
    if (m->log->news) {
        send_warnings(sim);
        m->log->news = slip_log_out_of_memory(m->log);
        if (m->log->news) return SLIP_OUT_OF_MEMORY;
    }
    if (sim->event_failed) return SLIP_OUT_OF_MEMORY;
    return doubted ? SLIP_UNTRUSTED : SLIP_RUNNING;
}

void slip_sim_set_stop_flag(slip_sim *sim, const volatile sig_atomic_t *stop)
{
    sim->stop = (slip_stop){ .asked = stop };
    sim->method->stop = &sim->stop;
}

// The end of the next step if no event ends it earlier.
static double plain_reach(slip_sim *sim)
{
    slip_method *m = sim->method;
    const double ahead = m->ops->look_ahead ? m->ops->look_ahead(m, sim->def.until) : NAN;
    if (!isnan(ahead)) return fmin(sim->def.until, ahead);
    if (m->adaptive) return fmin(sim->def.until, m->t + m->planned);
    double t = (double)(sim->steps + 1) * sim->def.step;
    return sim->steps + 1 >= sim->last && fabs(t - sim->def.until) > SAME_TIME * sim->def.step
               ? sim->def.until
               : t;
}

// Stores the present state in the histories of delayed values.
static slip_run_outcome record_history(slip_sim *sim)
{
    bool changed = false;
    slip_run_outcome outcome =
        sim->delays ? slip_delayed_values_update(sim->delays, sim->method, &changed) : SLIP_RUNNING;
    if (changed) slip_model_events_state_changed(sim->whens);
    return outcome;
}

// Lets the controllers act that are due at the present time.
static slip_run_outcome update_controllers(slip_sim *sim)
{
    bool changed = false;
    slip_run_outcome outcome = record_history(sim);
    if (outcome == SLIP_RUNNING && sim->samples)
        outcome = slip_sampled_controllers_update(sim->samples, sim->method, &changed);
    if (!changed) return outcome;
    slip_model_events_state_changed(sim->whens);
    return outcome == SLIP_RUNNING ? record_history(sim) : outcome;
}

static inline bool has_events(const slip_sim *sim)
{
    return sim->whens || sim->samples || sim->delays || sim->halt > 0.0;
}

bool slip_sim_has_events(const slip_sim *sim)
{
    return has_events(sim);
}

double slip_sim_next_step_end(slip_sim *sim)
{
    if (!slip_sim_has_events(sim)) return plain_reach(sim);
    update_controllers(sim);
    double reach = plain_reach(sim), step = sim->method->adaptive ? NAN : sim->def.step;
    if (sim->samples) reach = slip_sampled_controllers_limit(sim->samples, reach, step);
    if (sim->delays) reach = slip_delayed_values_limit(sim->delays, reach, step);
    if (sim->halt > 0.0 && !(reach - sim->halt <= SAME_TIME * step)) reach = fmin(reach, sim->halt);
    return sim->whens ? slip_model_events_limit(sim->whens, sim->method, reach, step) : reach;
}

// True if an adaptive method no longer makes progress, as where a force jumps back and forth; it would go on
// for ever.
static bool is_stuck(slip_sim *sim)
{
    slip_method *m = sim->method;
    if (!m->adaptive) return false;
    if (m->t - sim->moved > PROGRESS_OF_RUN * sim->def.until) sim->moved = m->t, sim->idle = 0;
    if (++sim->idle < MAX_IDLE_STEPS) return false;
    slip_method_fail(
        m,
        "the run makes no progress at t = %.9g s: %d steps for the last %.3g s. Something jumps back "
        "and forth "
        "there; dry friction belongs under frictions or contacts, not in a formula",
        m->t, MAX_IDLE_STEPS, m->t - sim->moved);
    return true;
}

// A step may have failed because a formula has no value; then the failure is explained by that.
static slip_run_outcome explain_failure(slip_sim *sim, slip_run_outcome outcome)
{
    bool open = outcome == SLIP_BLOWN_UP || outcome == SLIP_UNSOLVED || outcome == SLIP_STEP_TOO_SMALL;
    return open && slip_value_checks_explain(sim->values, sim->method, sim->def.step) ? SLIP_UNSOLVED
                                                                                      : outcome;
}

static slip_run_outcome advance_step(slip_sim *sim)
{
    slip_method *m = sim->method;
    double reach = m->adaptive ? sim->def.until : plain_reach(sim);
    // a whole step has exactly the length `step`, independent of the rounding of t
    bool whole = !m->adaptive && reach == (double)(sim->steps + 1) * sim->def.step &&
                 m->t == (double)sim->steps * sim->def.step;
    slip_run_outcome outcome =
        explain_failure(sim, m->ops->advance(m, whole ? sim->def.step : reach - m->t, reach));
    if (outcome == SLIP_RUNNING) sim->steps++;
    return outcome;
}

// The same for a model with events: a step ends at the first of them, which may be due now, and the next step
// completes the rest of a fixed step.
static slip_run_outcome advance_to_event(slip_sim *sim)
{
    slip_method *m = sim->method;
    slip_run_outcome outcome = update_controllers(sim);
    if (outcome != SLIP_RUNNING) return outcome;
    double end = slip_sim_next_step_end(sim), grid = m->adaptive ? end : plain_reach(sim);
    bool whole =
        end == (double)(sim->steps + 1) * sim->def.step && m->t == (double)sim->steps * sim->def.step;
    if (end > m->t)
        outcome =
            explain_failure(sim, m->ops->advance(m, whole && !m->adaptive ? sim->def.step : end - m->t, end));
    if (outcome != SLIP_RUNNING) return outcome;
    if (m->adaptive || m->t >= grid) sim->steps++;
    outcome = update_controllers(sim);
    if (outcome == SLIP_RUNNING && sim->whens)
        outcome = slip_model_events_update(sim->whens, m, sim->def.until);
    if (outcome == SLIP_RUNNING) outcome = record_history(sim);
    if (outcome == SLIP_DONE) sim->def.until = m->t;
    return outcome;
}

// Takes a whole step without an observation. This is possible where the modes have not changed, the log is
// empty and no check is due, so that an observation would find nothing.
static bool advance_quietly(slip_sim *sim)
{
    slip_method *m = sim->method;
    const double step = sim->def.step, t = (double)sim->steps * step;
    if (!m->ops->coast || sim->loads || sim->steps + 1 >= sim->last || has_events(sim)) return false;
    if (!sim->started || sim->def.strict || m->log->news || sim->event_failed || m->t != t) return false;
    if (memcmp(sim->mode, m->mode, (size_t)m->element_count) != 0) return false;
    if (sim->values && !slip_value_checks_pass(sim->values, m)) return false;
    if (!m->ops->coast(m, step, (double)(sim->steps + 1) * step)) return false;
    sim->steps++;
    return true;
}

slip_run_outcome slip_sim_step(slip_sim *sim)
{
    if (sim->outcome != SLIP_RUNNING) return sim->outcome;
    if (sim->def.stop && *sim->def.stop) return sim->outcome = SLIP_STOPPED;
    if (advance_quietly(sim)) return SLIP_RUNNING;
    slip_method *m = sim->method;
    slip_run_outcome outcome = slip_sim_observe(sim);
    if (outcome == SLIP_RUNNING)
        outcome = slip_sim_has_events(sim) ? advance_to_event(sim) : advance_step(sim);
    if (outcome == SLIP_RUNNING && is_stuck(sim)) return sim->outcome = SLIP_UNSOLVED;
    bool over = m->adaptive ? m->t >= sim->def.until : sim->steps >= sim->last;
    if (outcome == SLIP_DONE || (outcome == SLIP_RUNNING && over)) {
        outcome = slip_sim_observe(sim);
        if (outcome == SLIP_RUNNING) outcome = SLIP_DONE;
    }
    return sim->outcome = outcome;
}

slip_run_outcome slip_sim_step_to(slip_sim *sim, double t)
{
    double close = sim->method->adaptive ? 0.0 : SAME_TIME * sim->def.step;
    slip_run_outcome outcome = sim->outcome;
    sim->halt = t;
    while (outcome == SLIP_RUNNING && sim->method->t < t - close) outcome = slip_sim_step(sim);
    sim->halt = 0.0;
    return outcome;
}

void slip_sim_restart_at(slip_sim *sim, double t, double until, const double *state)
{
    slip_method *m = sim->method;
    m->t = t;
    memcpy(m->state, state, (size_t)m->state_count * sizeof *state);
    m->ops->touched(m);
    slip_log_clear_events(m->log);
    slip_derivative_columns_restart(sim->derivatives);
    slip_model_events_restart(sim->whens);
    sim->def.until = until;
    sim->steps = sim->idle = 0;
    sim->moved = t;
    sim->started = false;
    sim->outcome = SLIP_RUNNING;
}

void slip_sim_ignore_stop(slip_sim *sim)
{
    slip_model_events_ignore_stop(sim->whens);
}

bool slip_sim_jumped(const slip_sim *sim)
{
    return slip_model_events_jumped(sim->whens, sim->method);
}

const char *slip_sim_stopped_by(const slip_sim *sim, double *t)
{
    return slip_model_events_stop(sim->whens, t);
}
