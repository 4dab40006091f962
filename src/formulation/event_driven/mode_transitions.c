/// formulation/event_driven/mode_transitions.c: what happens at an event.
///
/// A gap that closes strikes (event_impact.c). A slip that is zero sticks or starts again (stick_slip.c).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"

// the names of what holds, for a sentence
static const char *held_names(const slip_event_driven *m, char *buffer, int size)
{
    int at = 0;
    buffer[0] = '\0';
    for (int e = 0; e < m->elements && at < size - 1; e++)
        if (m->rigid.contact_state[e].closed)
            at += snprintf(buffer + at, (size_t)(size - at), "%s'%s'", at ? ", " : "",
                           m->system->elements[e].name);
    return buffer;
}

// a friction that is not a number has no paradox
static bool has_friction(const slip_event_driven *m)
{
    bool known = true;
    for (int e = 0; e < m->elements; e++)
        known = known && (!m->rigid.contact_state[e].closed || isfinite(m->rigid.terms.friction[e]));
    return known;
}

slip_run_outcome slip_event_no_solution(slip_event_driven *m, slip_contact_outcome why, double t)
{
    char names[160], text[320];
    const char *what = m->principle == SLIP_PRINCIPLE_GAUSS ? "Gauss' quadratic program" : "the contact LCP";
    if (m->space) what = m->principle == SLIP_PRINCIPLE_GAUSS ? "Gauss' convex program" : "the cone problem";
    held_names(m, names, sizeof names);
    if (why == SLIP_CONTACT_INFEASIBLE && !has_friction(m)) why = SLIP_CONTACT_NOT_CONVERGED;
    if (why == SLIP_CONTACT_INFEASIBLE)
        slip_method_set_verdict(&m->base, SLIP_INCONSISTENT,
                                "the rigid contact problem has no solution (Painleve's paradox)");
    if (why == SLIP_CONTACT_SINGULAR_MASS)
        return slip_method_fail(
            &m->base, "at t = %.12g s the mass matrix is not positive definite: there are no accelerations",
            t);
    if (why == SLIP_CONTACT_PROJECTION_FAILED)
        return slip_method_fail(&m->base, "at t = %.12g s no positions nearby meet the constraints%s%s", t,
                                names[0] ? " and the contacts that hold: " : "", names);
    if (why == SLIP_CONTACT_INFEASIBLE)
        return slip_method_fail(
            &m->base,
            "at t = %.12g s %s of %s has no solution: no force keeps the bodies apart while they slide "
            "(Painleve's paradox); a rigid model cannot go on here. Try a compliant formulation%s",
            t, what, names,
            m->impact_problem.rigid_impact.asked
                ? ""
                : ", or impact: energetic, an impact law that strikes without approach");
    if (slip_friction_loads_explain(&m->rigid.loads, m->system, &m->rigid.terms, t, text, sizeof text))
        return slip_method_fail(&m->base, "%s", text);
    return slip_method_fail(&m->base, "at t = %.12g s %s of %s could not be solved to its tolerance", t, what,
                            names[0] ? names : "the whole system");
}

bool slip_event_uses_gauss(const slip_event_driven *m)
{
    const slip_contact_problem *r = &m->rigid;
    int sticks = 0, slides = 0;
    if (m->holds || m->principle != SLIP_PRINCIPLE_GAUSS) return false;
    for (int i = 0; i < r->normal_count; i++) slides += r->contact_state[r->owner[i]].slide != 0;
    for (int i = r->normal_count; i < r->count && r->spatial; i++)
        sticks += r->row[i] > m->system->elements[r->owner[i]].tangent_row;
    return slides > 0 && sticks < 2;
}

slip_contact_outcome slip_event_solve(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    if (!slip_event_uses_gauss(m)) return slip_contact_problem_solve_lcp(r);
    slip_contact_outcome answer = slip_contact_problem_solve_gauss(r);
    int element;
    if (answer != SLIP_CONTACT_SOLVED || m->on_disagreement != SLIP_ON_DISAGREEMENT_LCP) return answer;
    if (slip_contact_problem_disagreement(r, &element) <=
        SLIP_DISAGREEMENT_RELATIVE * slip_contact_problem_power_scale(r))
        return answer;
    r->warm = false;
    answer = slip_contact_problem_solve_lcp(r);
    r->warm = false; // the active set of an LCP is none of the QP's
    return answer;
}

slip_run_outcome slip_event_check_agreement(slip_event_driven *m)
{
    int element;
    double worst = slip_contact_problem_disagreement(&m->rigid, &element);
    if (m->principle != SLIP_PRINCIPLE_GAUSS || element < 0) return SLIP_RUNNING;
    bool serious = worst > SLIP_DISAGREEMENT_RELATIVE * slip_contact_problem_power_scale(&m->rigid);
    if (serious) m->reported[0].value = fmax(m->reported[0].value, worst);
    if (!serious || m->on_disagreement == SLIP_ON_DISAGREEMENT_LCP) return SLIP_RUNNING;
    const char *name = m->system->elements[element].name;
    if (m->on_disagreement == SLIP_ON_DISAGREEMENT_STOP)
        return slip_method_fail(
            &m->base,
            "at t = %.12g s contact '%s' has N g'' = %g: the answer of Gauss' principle does not solve the "
            "contact LCP, and the run stops there as asked",
            m->base.t, name, worst);
    slip_warning *w = slip_method_warn(&m->base, SLIP_WARNING_DISAGREEMENT, name,
                                       "contact '%s' pushes while it opens: the answer of Gauss' principle "
                                       "does not solve the contact LCP here; compare with formulation lcp",
                                       name);
    slip_warning_value(w, "N g''", worst, "N m/s^2");
    slip_warning_advise_word(w, "run.formulation", "lcp");
    slip_warning_advise_word(w, "run.on_disagreement", "lcp");
    return SLIP_RUNNING;
}

void slip_event_check_verdict(slip_event_driven *m)
{
    if (!slip_verdict_monitor_check(m->monitor, &m->base, &m->rigid)) m->doubted = true;
}

// -------------------------------------------------------------------------------------------- events

static bool evaluate_problem(slip_event_driven *m)
{
    return slip_contact_problem_build(&m->rigid, m->base.t, m->q, m->u);
}

// q and u on what holds. What starts in space starts from rest: a rounding of its slip would have a direction
static bool project_on_contacts(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    for (int e = 0; e < m->elements; e++) {
        bool starts = m->candidate[e] && m->system->elements[e].slip_count > 1 && r->contact_state[e].slide;
        m->candidate[e] = starts;
        if (starts) r->contact_state[e].slide = 0;
    }
    bool landed = slip_project_state(m, m->base.t, m->q, m->u);
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->contact_state[e].slide = 1;
    return landed;
}

// Nothing touches any more: nobody sticks, nobody is released, there is nothing to land on. Accelerations are
// found when the state is looked at
static bool is_released(const slip_event_driven *m)
{
    return slip_event_in_free_flight(m) && m->rigid.loads.count == 0;
}

// directions of what slips, who sticks, who lets go
static slip_run_outcome stand(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    if (!slip_system_evaluate(m->system, SLIP_LEVEL_ACCELERATION, m->base.t, m->q, m->u, &r->terms))
        return SLIP_BLOWN_UP;
    slip_contact_problem_find_slips(r, m->u);
    for (int e = 0; e < m->elements; e++) {
        double v[2], speed = slip_event_slip_speed(m, e, v);
        if (!m->system->elements[e].slip_count || m->due[e] || !slip_event_is_slipping(m, e, v)) continue;
        r->contact_state[e].slide = v[0] > 0.0 || m->system->elements[e].slip_count > 1 ? 1 : -1;
        r->heading[2 * e] = v[0] / speed, r->heading[2 * e + 1] = v[1] / speed;
    }
    if (is_released(m)) {
        slip_contact_problem_clear(r);
        slip_event_check_verdict(m);
        return SLIP_RUNNING;
    }
    slip_contact_problem_rebuild(r, false);
    slip_run_outcome outcome = slip_event_decide_modes(m);
    if (outcome != SLIP_RUNNING) return outcome;
    return project_on_contacts(m) ? SLIP_RUNNING : SLIP_BLOWN_UP;
}

// What holds, on the other side of a kink: a floor that bends or falls away lets go, one that jumps up moves
// what is on it
static void cross_switch(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    slip_system_evaluate(m->system, SLIP_LEVEL_ACCELERATION, m->base.t, m->q, m->u, &r->terms);
    double small = slip_event_zero_speed(m);
    for (int e = 0; e < m->elements; e++) {
        if (!m->system->elements[e].has_gap) continue;
        const double near = slip_event_closed_gap(m, e);
        if (r->terms.gap[e] < -1e3 * near) {
            slip_event_warn_gap_jump(m, e, m->base.t, r->terms.gap[e]);
            r->contact_state[e].closed = m->struck[e] = true;
        }
        if (!r->contact_state[e].closed) continue;
        if (slip_event_gap_rate(m, e) > small)
            r->contact_state[e].closed = false, m->struck[e] = r->terms.gap[e] <= near;
        if (r->terms.gap[e] > 1e3 * near) r->contact_state[e].closed = m->struck[e] = false;
    }
}

// Conditions have changed sides; contacts touch exactly before they strike, their velocities are left to the
// impact
static bool cross(slip_event_driven *m)
{
    cross_switch(m);
    slip_event_lock_switches(m);
    return slip_project_positions(m, m->base.t, m->q, m->u);
}

static slip_run_outcome never_settles(slip_event_driven *m)
{
    m->hopeless = true;
    return slip_method_fail(
        &m->base,
        "at t = %.9g s conditions of the formulas and contacts change one another without "
        "end: none of their states is one that the motion goes on with",
        m->base.t);
}

// After u, a contact_state or a side changed: impacts, sides, who slips where, who sticks and who lets go,
// until nothing changes any more
static slip_run_outcome update_modes(slip_event_driven *m)
{
    const int rounds = 16 + 2 * m->switches; // each switch may change with others, and once more by itself
    slip_event_begin_borders(m);
    for (int round = 0; round < rounds; round++) {
        if (!evaluate_problem(m)) return SLIP_BLOWN_UP;
        slip_run_outcome outcome = slip_event_impact(m);
        if (outcome != SLIP_RUNNING) return outcome;
        bool changed = slip_event_turn_sides(m);
        if (!changed) {
            outcome = stand(m);
            if (outcome != SLIP_RUNNING) return outcome;
            slip_event_lock_switches(m);
            changed = slip_event_turn_sides(m) || slip_event_weigh_borders(m);
        }
        if (!changed) {
            memcpy(m->x, m->q, (size_t)m->n * sizeof *m->x);
            memcpy(m->x + m->n, m->u, (size_t)m->n * sizeof *m->x);
            return SLIP_RUNNING;
        }
        if (!cross(m)) return SLIP_BLOWN_UP;
    }
    return never_settles(m);
}

void slip_event_keep_flights(slip_event_driven *m)
{
    for (int e = 0; e < m->elements; e++)
        m->flight_gap[e] = m->rigid.contact_state[e].closed ? NAN : m->rigid.terms.gap[e];
    m->flight_t = m->base.t;
}

// It was in flight when something else was changed, as by an event or a controller that knows nothing of it:
// its flight goes on, however low it is. One that is about to strike does so now
static bool flies_on(const slip_event_driven *m, int e)
{
    const double gap = m->rigid.terms.gap[e];
    return m->base.t == m->flight_t && fabs(gap - m->flight_gap[e]) <= slip_event_closed_gap(m, e) &&
           !slip_event_is_due(m, (slip_event_function){ gap, slip_event_gap_rate(m, e) });
}

// Formulas of a start are rarely exact to the last digit. What is a little inside has to be moved out; a gap
// that is open by more than rounding is open, and closes when its time comes
static bool touches(const slip_event_driven *m, int e)
{
    return m->rigid.terms.gap[e] <= 1e2 * slip_event_closed_gap(m, e) && !flies_on(m, e) &&
           !(slip_event_gap_rate(m, e) > slip_event_zero_speed(m));
}

slip_run_outcome slip_event_initial_modes(slip_event_driven *m)
{
    const slip_system *s = m->system;
    slip_contact_problem *r = &m->rigid;
    memcpy(m->q, m->x, (size_t)m->n * sizeof *m->q);
    memcpy(m->u, m->x + m->n, (size_t)m->n * sizeof *m->u);
    memset(r->contact_state, 0, (size_t)m->elements * sizeof *r->contact_state);
    memset(m->struck, 0, (size_t)m->elements * sizeof *m->struck);
    memset(m->due, 0, (size_t)m->elements * sizeof *m->due);
    slip_event_unlock_switches(m);
    slip_event_lock_time_switches(m);
    if (!slip_system_evaluate(s, SLIP_LEVEL_ACCELERATION, m->base.t, m->q, m->u, &r->terms))
        return SLIP_BLOWN_UP;
    for (int e = 0; e < m->elements; e++) {
        r->contact_state[e].closed = !s->elements[e].has_gap;
        if (!s->elements[e].has_gap) continue;
        if (r->terms.gap[e] < -1e5 * slip_event_closed_gap(m, e))
            return slip_method_fail(
                &m->base, "at t = %.9g s contact '%s' is %g m inside: a rigid contact cannot start there",
                m->base.t, s->elements[e].name, -r->terms.gap[e]);
        r->contact_state[e].closed = m->struck[e] = touches(m, e);
    }
    slip_event_lock_switches(m);
    // positions first; velocities of contacts that strike are left to the impact
    for (int e = 0; e < m->elements; e++) r->contact_state[e].slide = 1; // nothing sticks yet
    memcpy(m->scratch_u, m->u, (size_t)m->n * sizeof *m->u);
    if (!slip_project_state(m, m->base.t, m->q, m->scratch_u))
        return slip_method_fail(
            &m->base, "at t = %.9g s the constraints cannot be met near the given positions", m->base.t);
    bool strikes = false;
    for (int e = 0; e < m->elements; e++)
        strikes = strikes || (m->struck[e] && slip_event_gap_rate(m, e) < -slip_event_zero_speed(m));
    if (!strikes) memcpy(m->u, m->scratch_u, (size_t)m->n * sizeof *m->u);
    return update_modes(m);
}

// it slid and slides back: in space, by more than a right angle from a slip of zero
static bool slip_reversed(const slip_event_driven *m, int e)
{
    const double *now = m->rigid.heading + 2 * e, *before = m->before_heading + 2 * e;
    int slide = m->rigid.contact_state[e].slide, slid = m->before_slide[e];
    if (m->system->elements[e].slip_count < 2) return slide * slid < 0;
    return slide && slid && m->due[e] && now[0] * before[0] + now[1] * before[1] < 0.0;
}

slip_run_outcome slip_event_apply_transitions(slip_event_driven *m)
{
    const slip_system *s = m->system;
    slip_contact_problem *r = &m->rigid;
    // Beside an impact, what all but touches and is slower than any bounce takes part, so that rocking ends;
    // beside other events it is left to its flight
    const bool strikes = slip_event_strikes(m);
    for (int e = 0; e < m->elements; e++) {
        m->struck[e] = false;
        m->due[e] = !(m->after[2 * e + 1].value > 0.0); // its slip is zero, whatever rounding says
        double v[2];                                    // in space it may have turned by a right angle only
        if (s->elements[e].slip_count > 1 && r->contact_state[e].slide && slip_event_is_slipping(m, e, v))
            m->due[e] = false;
        if (!s->elements[e].has_gap) continue;
        const bool due = slip_event_is_due(m, m->after[2 * e]);
        if (r->contact_state[e].closed) {
            if (due) r->contact_state[e].closed = false;
            m->struck[e] = r->contact_state[e].closed; // what holds takes part in an impact elsewhere
        } else {
            const double near = slip_event_closed_gap(m, e);
            m->struck[e] = due || (strikes && r->terms.gap[e] <= near &&
                                   slip_event_gap_rate(m, e) < slip_event_rest_speed(m, e));
            if (due && r->terms.gap[e] < -1e3 * near)
                slip_event_warn_gap_jump(m, e, m->base.t, r->terms.gap[e]);
            r->contact_state[e].closed = m->struck[e];
        }
    }
    bool bent;
    slip_run_outcome outcome = slip_event_flip_switches(m, &bent);
    if (outcome != SLIP_RUNNING) return outcome;
    if (bent) cross_switch(m);
    slip_event_lock_switches(m);
    for (int e = 0; e < m->elements; e++) m->before_slide[e] = r->contact_state[e].slide;
    memcpy(m->before_heading, r->heading, 2 * (size_t)m->elements * sizeof *r->heading);
    // contacts touch exactly before they strike; their velocities are left to the impact
    if (!slip_project_positions(m, m->base.t, m->q, m->u)) return SLIP_BLOWN_UP;
    outcome = update_modes(m);
    for (int e = 0; e < m->elements && outcome == SLIP_RUNNING; e++) // no change of mode, but an event
        if (r->contact_state[e].closed && slip_reversed(m, e)) {
            slip_event event = slip_event_at(m->base.t, s->elements[e].name, SLIP_EVENT_SLIDE);
            m->base.ops->heading(&m->base, e, event.direction);
            slip_method_log_event(&m->base, event, "the other way");
        }
    return outcome;
}
