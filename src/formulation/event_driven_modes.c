/// formulation/event_driven_modes.c: what happens at an event.
///
/// A gap that closes strikes by Newton's law with Coulomb friction, all touching contacts at once, as the
/// LCP of Flores 2010 (eq 85). A slip that is zero sticks or starts again; who does is decided on the level of
/// accelerations: by the LCP with the friction cone in it, or for Gauss' principle, whose text knows
/// sliding only, by asking whether friction against the impending slip still leaves a slip (the test of the
/// errata: stop when th''(+0) <= 0 <= th''(-0)).
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formulation/event_driven.h"

void slip_event_note(slip_event_driven *m, int element, slip_event_kind kind, const char *format, ...)
{
    slip_located *found = &m->base.located;
    if (found->count >= SLIP_MOST_LOCATED) return;
    va_list list;
    va_start(list, format);
    vsnprintf(found->event[found->count].text, SLIP_LOCATED_LENGTH, format, list);
    va_end(list);
    found->event[found->count].t = m->base.t;
    found->event[found->count].element = element >= 0 ? m->system->elements[element].name : "";
    found->event[found->count++].kind = kind;
}

// the names of the contacts that hold, for a sentence
static const char *held_names(const slip_event_driven *m, char *buffer, int size)
{
    int at = 0;
    buffer[0] = '\0';
    for (int e = 0; e < m->elements && at < size - 1; e++)
        if (m->system->elements[e].has_gap && m->rigid.stance[e].closed)
            at += snprintf(buffer + at, (size_t)(size - at), "%s%s", at ? ", " : "",
                           m->system->elements[e].name);
    return buffer;
}

slip_run_outcome slip_event_no_solution(slip_event_driven *m, slip_rigid_answer why, double t)
{
    char names[160];
    held_names(m, names, sizeof names);
    const char *what = m->principle == SLIP_BY_GAUSS ? "Gauss' quadratic program" : "the contact LCP";
    if (why == SLIP_RIGID_NONE && !m->peeking)
        slip_method_trust(&m->base, SLIP_INCONSISTENT,
                          "the rigid contact problem has no solution (Painleve's paradox)");
    if (why == SLIP_RIGID_NONE)
        snprintf(m->base.failure, sizeof m->base.failure,
                 "at t = %.12g s %s of contact %s has no solution: no force keeps the bodies apart while "
                 "they slide "
                 "(Painleve's paradox); a rigid model cannot go on here. Try a compliant formulation",
                 t, what, names);
    else
        snprintf(m->base.failure, sizeof m->base.failure,
                 "at t = %.12g s %s of contact %s could not be solved to its tolerance", t, what, names);
    return SLIP_UNSOLVED;
}

slip_rigid_answer slip_event_solve(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    // without normal forces least constraint says nothing that the LCP does not, which is unique then
    if (m->principle == SLIP_BY_LCP || r->normal_count == 0) return slip_rigid_solve_lcp(r);
    slip_rigid_answer answer = slip_rigid_solve_gauss(r);
    int element;
    if (answer != SLIP_RIGID_SOLVED || m->on_disagreement != SLIP_THEN_LCP) return answer;
    if (slip_rigid_disagreement(r, &element) <= 1e-6 * slip_rigid_size(r)) return answer;
    r->warm = false;
    answer = slip_rigid_solve_lcp(r);
    r->warm = false; // the active set of an LCP is none of the QP's
    return answer;
}

// ---------------------------------------------------------------------------------------- who sticks

static double small_speed(const slip_event_driven *m)
{
    double most = 1.0;
    for (int k = 0; k < m->n; k++) most = fmax(most, fabs(m->u[k]));
    return 1e-10 * most;
}

static bool find_candidates(slip_event_driven *m)
{
    bool any = false;
    double small = small_speed(m);
    for (int e = 0; e < m->elements; e++) {
        const slip_system_element *element = &m->system->elements[e];
        m->candidate[e] = element->slip_count && m->rigid.stance[e].closed &&
                          (m->due[e] || fabs(slip_system_row_rate(m->system, &m->rigid.terms,
                                                                  element->tangent_row, m->u)) <= small);
        any = any || m->candidate[e];
    }
    return any;
}

static void open_released(slip_event_driven *m)
{
    for (int i = 0; i < m->rigid.normal_count; i++)
        if (m->rigid.rate[i] > slip_rigid_small(&m->rigid)) m->rigid.stance[m->rigid.owner[i]].closed = false;
}

// slip that begins slower than this does not begin; where an event says that sticking ends, any will do
static double least_slip(const slip_event_driven *m, int e)
{
    return m->due[e] && m->before_slide[e] == 0 ? 0.0 : slip_rigid_small(&m->rigid);
}

static int direction(const slip_event_driven *m, int e)
{
    double rate = m->rigid.slip_rate[e];
    return fabs(rate) <= least_slip(m, e) ? 0 : rate > 0.0 ? 1 : -1;
}

static slip_rigid_answer again(slip_event_driven *m, bool keep_friction)
{
    slip_rigid_rebuild(&m->rigid, keep_friction);
    return slip_event_solve(m);
}

static slip_rigid_answer decide_lcp(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->stance[e].slide = 0;
    slip_rigid_rebuild(r, false);
    r->warm = false;
    slip_rigid_answer answer = slip_rigid_solve_lcp(r);
    if (answer != SLIP_RIGID_SOLVED) return answer;
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->stance[e].slide = (signed char)direction(m, e);
    return SLIP_RIGID_SOLVED;
}

// where the candidates would go without their friction: the slip that friction has to stop
static slip_rigid_answer impending(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    slip_rigid_rebuild(r, false);
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->stance[e].slide = 1, r->friction[e] = 0.0;
    slip_rigid_answer answer = again(m, true);
    for (int e = 0; e < m->elements && answer == SLIP_RIGID_SOLVED; e++)
        if (m->candidate[e]) r->stance[e].slide = (signed char)direction(m, e);
    return answer;
}

static slip_rigid_answer decide_gauss(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    slip_rigid_answer answer = impending(m);
    if (answer != SLIP_RIGID_SOLVED) return answer;
    for (int round = 0; round < 2 * m->elements + 2; round++) {
        answer = again(m, false);
        bool changed = false;
        for (int e = 0; e < m->elements; e++) {
            if (!m->candidate[e] || r->stance[e].slide == 0) continue;
            if (answer == SLIP_RIGID_SOLVED && r->stance[e].slide * r->slip_rate[e] > least_slip(m, e))
                continue;
            r->stance[e].slide = 0;
            changed = true;
        }
        if (!changed) return answer;
    }
    return SLIP_RIGID_NOT_FOUND;
}

double slip_event_stick_margin(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    double margin = INFINITY;
    bool any = false;
    for (int e = 0; e < m->elements; e++) {
        m->candidate[e] = m->system->elements[e].slip_count && r->stance[e].closed && r->stance[e].slide == 0;
        any = any || m->candidate[e];
    }
    if (!any) return INFINITY;
    memcpy(m->saved_stance, r->stance, (size_t)m->elements * sizeof *r->stance);
    if (impending(m) == SLIP_RIGID_SOLVED && again(m, false) == SLIP_RIGID_SOLVED)
        for (int e = 0; e < m->elements; e++)
            if (m->candidate[e] && r->stance[e].slide)
                margin = fmin(margin, -r->stance[e].slide * r->slip_rate[e]);
    memcpy(r->stance, m->saved_stance, (size_t)m->elements * sizeof *r->stance);
    again(m, false);
    return margin;
}

slip_run_outcome slip_event_check_agreement(slip_event_driven *m)
{
    int element;
    double worst = slip_rigid_disagreement(&m->rigid, &element);
    if (m->principle != SLIP_BY_GAUSS || m->peeking || element < 0) return SLIP_RUNNING;
    bool serious = worst > 1e-6 * slip_rigid_size(&m->rigid);
    if (serious) m->reported[0].value = fmax(m->reported[0].value, worst);
    if (!serious || m->on_disagreement == SLIP_THEN_LCP) return SLIP_RUNNING;
    const char *name = m->system->elements[element].name;
    if (m->on_disagreement == SLIP_THEN_STOP) {
        snprintf(m->base.failure, sizeof m->base.failure,
                 "at t = %.12g s contact '%s' has N g'' = %g: the answer of Gauss' principle is no solution "
                 "of the "
                 "contact LCP, and the run stops there as asked",
                 m->base.t, name, worst);
        return SLIP_UNSOLVED;
    }
    slip_method_warn(
        &m->base, name,
        "contact '%s' pushes while it opens: the answer of Gauss' principle is no solution of the contact "
        "LCP here; compare with formulation lcp, or ask for --on-disagreement lcp",
        name);
    return SLIP_RUNNING;
}

void slip_event_check_trust(slip_event_driven *m)
{
    if (!m->peeking && !slip_sentry_look(&m->sentry, &m->base, &m->rigid)) m->doubted = true;
}

// stances of everything whose slip is zero, then which contacts let go
static slip_run_outcome decide(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    for (int round = 0; round < m->elements + 2; round++) {
        slip_rigid_answer answer = SLIP_RIGID_SOLVED;
        bool rests = find_candidates(m);
        bool gauss = m->principle == SLIP_BY_GAUSS && r->normal_count > 0;
        if (rests && gauss) answer = decide_gauss(m);
        if (rests && (!gauss || answer != SLIP_RIGID_SOLVED)) answer = decide_lcp(m);
        if (answer == SLIP_RIGID_SOLVED) answer = again(m, false);
        if (answer != SLIP_RIGID_SOLVED) return slip_event_no_solution(m, answer, m->base.t);
        if (!rests || m->principle == SLIP_BY_GAUSS) slip_event_check_trust(m);
        slip_run_outcome outcome =
            slip_event_check_agreement(m); // a contact that pushes and opens is seen now or never
        if (outcome != SLIP_RUNNING) return outcome;
        int held = r->normal_count;
        open_released(m);
        slip_rigid_rebuild(r, false);
        if (r->normal_count == held) return SLIP_RUNNING;
    }
    return slip_event_no_solution(m, SLIP_RIGID_NOT_FOUND, m->base.t);
}

// ------------------------------------------------------------------------------------------- impacts

static double gap_rate(const slip_event_driven *m, int e)
{
    return slip_system_row_rate(m->system, &m->rigid.terms, m->system->elements[e].normal_row, m->u);
}

// W, q and mu of eq 85 over the contacts that touch, rates weighted with restitution
static int impact_problem(slip_event_driven *m, const bool *plastic)
{
    slip_rigid *r = &m->rigid;
    int p = 0, n = m->n;
    for (int e = 0; e < m->elements; e++) {
        if (!m->struck[e]) continue;
        const slip_system_element *element = &m->system->elements[e];
        double e_n = plastic[e] ? 0.0 : element->restitution, e_t = plastic[e] ? 0.0 : element->restitution_t;
        m->wq[2 * p] = gap_rate(m, e) * (1.0 + e_n);
        m->wq[2 * p + 1] =
            element->slip_count
                ? slip_system_row_rate(m->system, &r->terms, element->tangent_row, m->u) * (1.0 + e_t)
                : 0.0;
        m->mu[p] = element->slip_count ? r->terms.friction[e] : 0.0;
        r->owner[p++] = e;
    }
    for (int j = 0; j < 2 * p; j++) {
        const slip_system_element *element = &m->system->elements[r->owner[j / 2]];
        double *y = m->impulse + (size_t)j * (size_t)n;
        int row = j % 2 == 0 ? element->normal_row : element->tangent_row;
        memset(y, 0, (size_t)n * sizeof *y);
        if (row < 0) continue;
        slip_system_row_add(m->system, &r->terms, row, 1.0, y);
        slip_system_solve(m->system, &r->terms, y);
        slip_rigid_constrain(r, y);
    }
    for (int i = 0; i < 2 * p; i++) {
        const slip_system_element *element = &m->system->elements[r->owner[i / 2]];
        int row = i % 2 == 0 ? element->normal_row : element->tangent_row;
        for (int j = 0; j < 2 * p; j++)
            m->W[i * 2 * p + j] =
                row < 0 ? 0.0
                        : slip_system_row_dot(m->system, &r->terms, row, m->impulse + (size_t)j * (size_t)n);
    }
    return p;
}

// approach below which a bounce, or the rocking it is part of, cannot be told from rest: its flight would be
// shorter than rest_flight, or not higher than a few digits of the positions
static double rest_speed(const slip_event_driven *m, int e)
{
    const slip_rigid *r = &m->rigid;
    int row = m->system->elements[e].normal_row;
    double pull = -(slip_system_row_dot(m->system, &r->terms, row, r->free) + r->terms.z[row]), reach = 1.0;
    if (!(pull > 0.0)) return 0.0;
    for (int k = 0; k < m->n; k++) reach = fmax(reach, fabs(m->q[k]));
    return 0.5 * pull * fmax(m->rest_flight, sqrt(8e-14 * reach / pull));
}

static slip_run_outcome strike(slip_event_driven *m, const bool *plastic)
{
    slip_rigid *r = &m->rigid;
    int p = impact_problem(m, plastic);
    slip_problem problem = slip_problem_contacts(2, p, m->W, m->wq, m->mu);
    slip_outcome outcome =
        slip_solve(slip_solver_find("lemke"), &problem, &r->options, r->z, r->zw, r->work, NULL);
    if (outcome != SLIP_CONVERGED) {
        snprintf(m->base.failure, sizeof m->base.failure,
                 "the impact at t = %.12g s could not be solved (%s)", m->base.t, slip_outcome_name(outcome));
        return SLIP_UNSOLVED;
    }
    double before, after, potential, power;
    slip_system_energy(m->system, m->base.t, m->q, m->u, &r->terms, &before, &potential, &power);
    for (int k = 0; k < p; k++)
        if (r->z[2 * k] > 0.0)
            slip_event_note(m, r->owner[k], SLIP_EVENT_IMPACT, "approach %.9g m/s, impulse %.9g N s%s",
                            -gap_rate(m, r->owner[k]), r->z[2 * k],
                            plastic[r->owner[k]] && m->system->elements[r->owner[k]].restitution > 0.0
                                ? "; impacts accumulate, at rest from now on"
                                : "");
    for (int j = 0; j < 2 * p; j++)
        for (int k = 0; k < m->n; k++) m->u[k] += r->z[j] * m->impulse[(size_t)j * (size_t)m->n + (size_t)k];
    slip_system_energy(m->system, m->base.t, m->q, m->u, &r->terms, &after, &potential, &power);
    m->base.impact += before - after;
    return SLIP_RUNNING;
}

// contacts in m->struck touch; those that approach strike
static slip_run_outcome impact(slip_event_driven *m)
{
    double small = small_speed(m);
    bool strikes = false, slow = true, *plastic = m->candidate;
    for (int e = 0; e < m->elements; e++) {
        double approach = m->struck[e] ? -gap_rate(m, e) : 0.0;
        plastic[e] = false;
        if (!(approach > small)) continue;
        strikes = true;
        plastic[e] = m->system->elements[e].restitution * approach < rest_speed(m, e);
        slow = slow && approach < rest_speed(m, e);
    }
    if (strikes) {
        memset(m->due, 0, (size_t)m->elements * sizeof *m->due);
        slip_run_outcome outcome = strike(m, plastic);
        if (outcome != SLIP_RUNNING) return outcome;
    }
    small = small_speed(m);
    for (int e = 0; e < m->elements; e++) // after a slow impact what leaves slowly stays, and rocking ends
        if (m->struck[e])
            m->rigid.stance[e].closed =
                gap_rate(m, e) <= (strikes && slow ? fmax(small, rest_speed(m, e)) : small);
    return SLIP_RUNNING;
}

// -------------------------------------------------------------------------------------------- events

static bool evaluate(slip_event_driven *m)
{
    return slip_rigid_build(&m->rigid, m->base.t, m->q, m->u);
}

// after u or a stance changed: directions of what slips, impacts, who sticks, who lets go
static slip_run_outcome settle(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    if (!evaluate(m)) return SLIP_BLOWN_UP;
    slip_run_outcome outcome = impact(m);
    if (outcome != SLIP_RUNNING) return outcome;
    if (!slip_system_evaluate(m->system, SLIP_LEVEL_ACCELERATION, m->base.t, m->q, m->u, &r->terms))
        return SLIP_BLOWN_UP;
    double small = small_speed(m);
    for (int e = 0; e < m->elements; e++) {
        const slip_system_element *element = &m->system->elements[e];
        if (!element->slip_count) continue;
        double v = slip_system_row_rate(m->system, &r->terms, element->tangent_row, m->u);
        if (fabs(v) > small && !m->due[e]) r->stance[e].slide = v > 0.0 ? 1 : -1;
    }
    slip_rigid_rebuild(r, false);
    outcome = decide(m);
    if (outcome != SLIP_RUNNING) return outcome;
    if (!slip_project(m, m->base.t, m->q, m->u)) return SLIP_BLOWN_UP;
    memcpy(m->x, m->q, (size_t)m->n * sizeof *m->x);
    memcpy(m->x + m->n, m->u, (size_t)m->n * sizeof *m->x);
    return SLIP_RUNNING;
}

static double touching(const slip_event_driven *m)
{
    double reach = 1.0;
    for (int k = 0; k < m->n; k++) reach = fmax(reach, fabs(m->q[k]));
    return 1e-11 * reach;
}

slip_run_outcome slip_event_begin(slip_event_driven *m)
{
    const slip_system *s = m->system;
    slip_rigid *r = &m->rigid;
    memcpy(m->q, m->x, (size_t)m->n * sizeof *m->q);
    memcpy(m->u, m->x + m->n, (size_t)m->n * sizeof *m->u);
    memset(r->stance, 0, (size_t)m->elements * sizeof *r->stance);
    memset(m->struck, 0, (size_t)m->elements * sizeof *m->struck);
    memset(m->due, 0, (size_t)m->elements * sizeof *m->due);
    if (!slip_system_evaluate(s, SLIP_LEVEL_ACCELERATION, m->base.t, m->q, m->u, &r->terms))
        return SLIP_BLOWN_UP;
    double near = 1e5 * touching(m); // formulas of a start are rarely exact to the last digit
    for (int e = 0; e < m->elements; e++) {
        r->stance[e].closed = !s->elements[e].has_gap;
        if (!s->elements[e].has_gap) continue;
        if (r->terms.gap[e] < -near) {
            snprintf(m->base.failure, sizeof m->base.failure,
                     "at t = %.9g s contact '%s' is %g m inside: a rigid contact cannot start there",
                     m->base.t, s->elements[e].name, -r->terms.gap[e]);
            return SLIP_UNSOLVED;
        }
        r->stance[e].closed = m->struck[e] = r->terms.gap[e] <= near;
        if (m->struck[e] && gap_rate(m, e) > small_speed(m)) r->stance[e].closed = m->struck[e] = false;
    }
    // positions first; velocities of contacts that strike are left to the impact
    for (int e = 0; e < m->elements; e++) r->stance[e].slide = 1; // nothing sticks yet
    memcpy(m->scratch_u, m->u, (size_t)m->n * sizeof *m->u);
    if (!slip_project(m, m->base.t, m->q, m->scratch_u)) {
        snprintf(m->base.failure, sizeof m->base.failure,
                 "at t = %.9g s the constraints cannot be met near the given positions", m->base.t);
        return SLIP_UNSOLVED;
    }
    bool strikes = false;
    for (int e = 0; e < m->elements; e++)
        strikes = strikes || (m->struck[e] && gap_rate(m, e) < -small_speed(m));
    if (!strikes) memcpy(m->u, m->scratch_u, (size_t)m->n * sizeof *m->u);
    return settle(m);
}

slip_run_outcome slip_event_pass(slip_event_driven *m)
{
    const slip_system *s = m->system;
    slip_rigid *r = &m->rigid;
    double near = touching(m);
    for (int e = 0; e < m->elements; e++) {
        m->struck[e] = false;
        m->due[e] = !(m->after[2 * e + 1].value > 0.0); // its slip is zero, whatever rounding says
        if (!s->elements[e].has_gap) continue;
        bool due = !(m->after[2 * e].value > 0.0);
        if (r->stance[e].closed) {
            if (due) r->stance[e].closed = false;
            m->struck[e] = r->stance[e].closed; // what holds takes part in an impact elsewhere
        } else {
            m->struck[e] = due || (r->terms.gap[e] <= near && gap_rate(m, e) < rest_speed(m, e));
            r->stance[e].closed = m->struck[e];
        }
    }
    for (int e = 0; e < m->elements; e++) m->before_slide[e] = r->stance[e].slide;
    // contacts touch exactly before they strike; their velocities are left to the impact
    memcpy(m->scratch_u, m->u, (size_t)m->n * sizeof *m->u);
    if (!slip_project(m, m->base.t, m->q, m->scratch_u)) return SLIP_BLOWN_UP;
    slip_run_outcome outcome = settle(m);
    for (int e = 0; e < m->elements && outcome == SLIP_RUNNING; e++) // no change of mode, but an event
        if (r->stance[e].closed && r->stance[e].slide * m->before_slide[e] < 0)
            slip_event_note(m, e, SLIP_EVENT_SLIDE, "the other way");
    return outcome;
}
