/// formulation/event_driven/event_driven.c: from event to event.
///
/// Cash and Karp's pair with the control of Gomez 2008's listing; every stage is projected and then solved
/// for its accelerations (event_driven_stages.c). A step is found before it is taken (locate_event.c): rows
/// within it are states of the same step, so that a row cannot show what the run does not.
#include "formulation/event_driven/event_driven.h"

#include <math.h>
#include <string.h>

#include "formulation/event_driven/contact_forces.h"
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
        m->pile_from = m->base.t, m->piled = m->piled_flips = 0;
    if (++m->piled < MAX_ACCUMULATED_EVENTS) return false;
    // a condition that changes as often as what slides pushes towards its border, under compliant contacts too
    m->hopeless = m->hopeless || m->piled_flips >= MAX_ACCUMULATED_EVENTS / 4;
    if (m->hopeless)
        slip_method_fail(
            &m->base,
            "%d events from t = %.9g s to %.9g s: a condition changes back and forth without end, because "
            "both of its sides push towards it. Where it is to hold something, write a friction or a "
            "contact in its place",
            m->piled, m->pile_from, m->base.t);
    else
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

// what begins to slide has a direction before it has a speed
static void event_driven_slip_heading(const slip_method *method, int e, double direction[2])
{
    const slip_contact_problem *r = &((const slip_event_driven *)method)->rigid;
    bool space = ((const slip_event_driven *)method)->system->elements[e].slip_count > 1;
    for (int c = 0; c < 2; c++)
        direction[c] = r->contact_state[e].slide * (space ? r->heading[2 * e + c] : 1.0);
}

const slip_method_ops slip_event_driven_ops = {
    .destroy = slip_event_driven_destroy,
    .observe = event_driven_observe,
    .advance = event_driven_advance,
    .peek = event_driven_peek,
    .record = event_driven_record,
    .touched = event_driven_state_changed,
    .look_ahead = event_driven_look_ahead,
    .heading = event_driven_slip_heading,
    .archive = slip_event_archive,
    .rewind = slip_event_rewind,
    .interpolate = event_driven_interpolate,
};

slip_event_driven *slip_event_driven_of(slip_method *method)
{
    return method->ops == &slip_event_driven_ops ? (slip_event_driven *)method : NULL;
}
