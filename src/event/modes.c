/// event/modes.c: what happens at an event.
///
/// A gap that closes strikes by Newton's law with Coulomb friction, all touching contacts at once, as the
/// LCP of Flores 2010 (eq 85), or with circular cones where contacts slip in two directions. A slip that is
/// zero sticks or starts again (event_driven_stick.c).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "event/event_driven.h"

// the names of what holds, for a sentence
static const char *held_names(const slip_event_driven *m, char *buffer, int size)
{
    int at = 0;
    buffer[0] = '\0';
    for (int e = 0; e < m->elements && at < size - 1; e++)
        if (m->rigid.stance[e].closed)
            at += snprintf(buffer + at, (size_t)(size - at), "%s'%s'", at ? ", " : "",
                           m->system->elements[e].name);
    return buffer;
}

// a friction that is not a number has no paradox
static bool has_friction(const slip_event_driven *m)
{
    bool known = true;
    for (int e = 0; e < m->elements; e++)
        known = known && (!m->rigid.stance[e].closed || isfinite(m->rigid.terms.friction[e]));
    return known;
}

slip_run_outcome slip_event_no_solution(slip_event_driven *m, slip_rigid_answer why, double t)
{
    char names[160];
    const char *what = m->principle == SLIP_BY_GAUSS ? "Gauss' quadratic program" : "the contact LCP";
    if (m->space) what = m->principle == SLIP_BY_GAUSS ? "Gauss' convex program" : "the cone problem";
    held_names(m, names, sizeof names);
    if (why == SLIP_RIGID_NONE && !has_friction(m)) why = SLIP_RIGID_NOT_FOUND;
    if (why == SLIP_RIGID_NONE)
        slip_method_trust(&m->base, SLIP_INCONSISTENT,
                          "the rigid contact problem has no solution (Painleve's paradox)");
    if (why == SLIP_RIGID_NO_MASS)
        return slip_method_fail(
            &m->base, "at t = %.12g s the mass matrix is not positive definite: there are no accelerations",
            t);
    if (why == SLIP_RIGID_NO_POSITION)
        return slip_method_fail(&m->base, "at t = %.12g s no positions nearby meet the constraints%s%s", t,
                                names[0] ? " and the contacts that hold: " : "", names);
    if (why == SLIP_RIGID_NONE)
        return slip_method_fail(
            &m->base,
            "at t = %.12g s %s of %s has no solution: no force keeps the bodies apart while they slide "
            "(Painleve's paradox); a rigid model cannot go on here. Try a compliant formulation",
            t, what, names);
    return slip_method_fail(&m->base, "at t = %.12g s %s of %s could not be solved to its tolerance", t, what,
                            names[0] ? names : "the whole system");
}

bool slip_event_by_gauss(const slip_event_driven *m)
{
    const slip_rigid *r = &m->rigid;
    int sticks = 0, slides = 0;
    for (int i = 0; i < r->normal_count; i++) slides += r->stance[r->owner[i]].slide != 0;
    for (int i = r->normal_count; i < r->count && r->spatial; i++)
        sticks += r->row[i] > m->system->elements[r->owner[i]].tangent_row;
    return m->principle == SLIP_BY_GAUSS && slides > 0 && sticks < 2;
}

slip_rigid_answer slip_event_solve(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    if (!slip_event_by_gauss(m)) return slip_rigid_solve_lcp(r);
    slip_rigid_answer answer = slip_rigid_solve_gauss(r);
    int element;
    if (answer != SLIP_RIGID_SOLVED || m->on_disagreement != SLIP_THEN_LCP) return answer;
    if (slip_rigid_disagreement(r, &element) <= 1e-6 * slip_rigid_size(r)) return answer;
    r->warm = false;
    answer = slip_rigid_solve_lcp(r);
    r->warm = false; // the active set of an LCP is none of the QP's
    return answer;
}

slip_run_outcome slip_event_check_agreement(slip_event_driven *m)
{
    int element;
    double worst = slip_rigid_disagreement(&m->rigid, &element);
    if (m->principle != SLIP_BY_GAUSS || element < 0) return SLIP_RUNNING;
    bool serious = worst > 1e-6 * slip_rigid_size(&m->rigid);
    if (serious) m->reported[0].value = fmax(m->reported[0].value, worst);
    if (!serious || m->on_disagreement == SLIP_THEN_LCP) return SLIP_RUNNING;
    const char *name = m->system->elements[element].name;
    if (m->on_disagreement == SLIP_THEN_STOP)
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

void slip_event_check_trust(slip_event_driven *m)
{
    if (!slip_sentry_look(m->sentry, &m->base, &m->rigid)) m->doubted = true;
}

// ------------------------------------------------------------------------------------------- impacts

static double gap_rate(const slip_event_driven *m, int e)
{
    return slip_system_row_rate(m->system, &m->rigid.terms, m->system->elements[e].normal_row, m->u);
}

// row of unknown i of the impact problem; -1 where its contact has none
static int impact_row(const slip_event_driven *m, int i)
{
    const slip_element *element = &m->system->elements[m->rigid.owner[i / m->d]];
    int c = i % m->d;
    return c == 0 ? element->normal_row : c <= element->slip_count ? element->tangent_row + c - 1 : -1;
}

// W, q and mu of eq 85 over the contacts that touch, rates weighted with restitution
static int impact_problem(slip_event_driven *m, const bool *plastic)
{
    slip_rigid *r = &m->rigid;
    int p = 0, n = m->n, d = m->d;
    for (int e = 0; e < m->elements; e++) {
        if (!m->struck[e]) continue;
        m->mu[p] = m->system->elements[e].slip_count ? r->terms.friction[e] : 0.0;
        r->owner[p++] = e;
    }
    for (int j = 0; j < d * p; j++) {
        const slip_element *element = &m->system->elements[r->owner[j / d]];
        double *y = m->impulse + (size_t)j * (size_t)n,
               back = j % d ? element->contact->restitution_t : element->contact->restitution;
        int row = impact_row(m, j);
        memset(y, 0, (size_t)n * sizeof *y);
        m->wq[j] = 0.0;
        if (row < 0) continue;
        m->wq[j] = slip_system_row_rate(m->system, &r->terms, row, m->u) *
                   (plastic[r->owner[j / d]] ? 1.0 : 1.0 + back);
        slip_system_row_add(m->system, &r->terms, row, 1.0, y);
        slip_system_solve(m->system, &r->terms, y);
        slip_rigid_constrain(r, y);
    }
    for (int i = 0; i < d * p; i++) {
        int row = impact_row(m, i);
        for (int j = 0; j < d * p; j++)
            m->W[i * d * p + j] =
                row < 0 ? 0.0
                        : slip_system_row_dot(m->system, &r->terms, row, m->impulse + (size_t)j * (size_t)n);
        // in space a direction that a contact does not have is filled with one that nothing drives
        if (row < 0 && d == 3) m->W[i * (d * p + 1)] = m->W[(i / d * d) * (d * p + 1)];
    }
    return p;
}

static bool solve_impact(slip_event_driven *m, int p, slip_outcome *outcome)
{
    slip_rigid *r = &m->rigid;
    *outcome = SLIP_STALLED;
    if (m->d == 3) return slip_rigid_cone(r, p, m->W, m->wq, m->mu, false, r->z, r->zw);
    slip_problem problem = slip_problem_contacts(2, p, m->W, m->wq, m->mu);
    *outcome = slip_solve(slip_solver_find("lemke"), &problem, &r->options, r->z, r->zw, r->work, NULL);
    return *outcome == SLIP_CONVERGED;
}

// Newton's law with friction may create energy; a run says so once, and sums it up
static void count_gain(slip_event_driven *m, double gained)
{
    m->measures[SLIP_EVENT_GAINED].value += gained;
    m->measures[SLIP_EVENT_GAINS].value += 1.0;
    if (m->gain) {
        slip_log_repeat(m->base.log, m->gain, m->base.t);
        return;
    }
    m->gain = slip_method_warn(
        &m->base, SLIP_WARNING_ENERGY_CREATED, "",
        "the impact law created energy: %.3g J at t = %.9g s. Newton's law with friction allows it; "
        "measures.energy_gained has the sum",
        gained, m->base.t);
    slip_warning_value(m->gain, "energy", gained, "J");
}

// approach below which a bounce, or the rocking it is part of, cannot be distinguished from rest: its flight
// would be shorter than rest_flight, or not higher than a few digits of the positions
static double rest_speed(const slip_event_driven *m, int e)
{
    const slip_rigid *r = &m->rigid;
    int row = m->system->elements[e].normal_row;
    double pull = -(slip_system_row_dot(m->system, &r->terms, row, r->free) + r->terms.z[row]), reach = 1.0;
    if (!(pull > 0.0)) return 0.0;
    for (int k = 0; k < m->n; k++) reach = fmax(reach, fabs(m->q[k]));
    return 0.5 * pull * fmax(m->rest_flight, sqrt(8e-14 * reach / pull));
}

// `u` are the rates before the impact, m->u those after it
static void tell_impact(slip_event_driven *m, int k, bool plastic, const double *u)
{
    const slip_rigid *r = &m->rigid;
    const slip_system *s = m->system;
    int e = r->owner[k];
    const slip_element *element = &s->elements[e];
    slip_event event = slip_event_at(m->base.t, element->name, SLIP_EVENT_IMPACT);
    double after[2], leaves = gap_rate(m, e);
    event.approach = -slip_system_row_rate(s, &r->terms, element->normal_row, u);
    event.impulse = r->z[m->d * k];
    event.energy = 0.5 * event.impulse * (leaves - event.approach);
    for (int c = 0; c < element->slip_count; c++) {
        event.impulse_t[c] = r->z[m->d * k + 1 + c];
        event.slip[c] = slip_system_row_rate(s, &r->terms, element->tangent_row + c, u);
        after[c] = slip_system_row_rate(s, &r->terms, element->tangent_row + c, m->u);
        event.energy += 0.5 * event.impulse_t[c] * (event.slip[c] + after[c]);
    }
    slip_event_set_direction(&event, element->slip_count, after, slip_event_small_speed(m));
    slip_method_note(
        &m->base, event, "approach %.9g m/s, impulse %.9g N s%s", event.approach, event.impulse,
        plastic && element->contact->restitution > 0.0 ? "; impacts accumulate, at rest from now on" : "");
}

static void tell_impacts(slip_event_driven *m, int p, const bool *plastic, const double *u)
{
    for (int k = 0; k < p; k++)
        if (m->rigid.z[m->d * k] > 0.0) tell_impact(m, k, plastic[m->rigid.owner[k]], u);
}

// T2 - T0 and T1 + 2 T0 at the present velocities
static double kinetic_energy(slip_event_driven *m, double *driven)
{
    double kinetic, potential, power;
    slip_system_energy(m->system, m->base.t, m->q, m->u, &m->rigid.terms, &kinetic, &potential, &power);
    *driven = slip_system_driven(m->system, &m->rigid.terms);
    return kinetic;
}

// sum of impulse times rate over the contacts of the impact
static double impact_power(const slip_event_driven *m, int p)
{
    double sum = 0.0;
    for (int j = 0; j < m->d * p; j++)
        if (impact_row(m, j) >= 0)
            sum += m->rigid.z[j] * slip_system_row_rate(m->system, &m->rigid.terms, impact_row(m, j), m->u);
    return sum;
}

// Contacts take what their impulses do on the mean of the relative velocities before and after; the rest of
// the change is work of belts and guides that move
static slip_run_outcome strike(slip_event_driven *m, const bool *plastic)
{
    slip_rigid *r = &m->rigid;
    int p = impact_problem(m, plastic), d = m->d;
    slip_outcome outcome;
    if (!solve_impact(m, p, &outcome))
        return slip_method_fail(&m->base, "the impact at t = %.12g s could not be solved (%s)", m->base.t,
                                slip_outcome_name(outcome));
    double driven[2], turnover = 0.0, before = kinetic_energy(m, &driven[0]),
                      lost = -0.5 * impact_power(m, p);
    memcpy(m->scratch_u, m->u, (size_t)m->n * sizeof *m->u);
    for (int j = 0; j < d * p; j++) {
        turnover += fabs(r->z[j] * m->wq[j]);
        for (int k = 0; k < m->n; k++) m->u[k] += r->z[j] * m->impulse[(size_t)j * (size_t)m->n + (size_t)k];
    }
    tell_impacts(m, p, plastic, m->scratch_u);
    double after = kinetic_energy(m, &driven[1]);
    lost -= 0.5 * impact_power(m, p);
    m->base.impact += lost;
    m->x[2 * m->n] += after - before + lost;
    if (!m->started) m->x[2 * m->n] += driven[1] - driven[0]; // else part of what is driven, see method.h
    m->base.work = m->x[2 * m->n];
    if (-lost > 1e-9 * turnover) count_gain(m, -lost);
    return SLIP_RUNNING;
}

// contacts in m->struck touch; those that approach strike
static slip_run_outcome impact(slip_event_driven *m)
{
    double small = slip_event_small_speed(m);
    bool strikes = false, slow = true, *plastic = m->candidate;
    for (int e = 0; e < m->elements; e++) {
        double approach = m->struck[e] ? -gap_rate(m, e) : 0.0;
        plastic[e] = false;
        if (!(approach > small)) continue;
        strikes = true;
        plastic[e] = m->system->elements[e].contact->restitution * approach < rest_speed(m, e);
        slow = slow && approach < rest_speed(m, e);
    }
    if (strikes) {
        memset(m->due, 0, (size_t)m->elements * sizeof *m->due);
        slip_run_outcome outcome = strike(m, plastic);
        if (outcome != SLIP_RUNNING) return outcome;
    }
    small = slip_event_small_speed(m);
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

// q and u on what holds. What starts in space starts from rest: a rounding of its slip would have a direction
static bool land(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    for (int e = 0; e < m->elements; e++) {
        bool starts = m->candidate[e] && m->system->elements[e].slip_count > 1 && r->stance[e].slide;
        m->candidate[e] = starts;
        if (starts) r->stance[e].slide = 0;
    }
    bool landed = slip_project(m, m->base.t, m->q, m->u);
    for (int e = 0; e < m->elements; e++)
        if (m->candidate[e]) r->stance[e].slide = 1;
    return landed;
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
    slip_rigid_find_slips(r, m->u);
    for (int e = 0; e < m->elements; e++) {
        double v[2], speed = slip_event_speed(m, e, v);
        if (!m->system->elements[e].slip_count || m->due[e] || !slip_event_slips(m, e, v)) continue;
        r->stance[e].slide = v[0] > 0.0 || m->system->elements[e].slip_count > 1 ? 1 : -1;
        r->heading[2 * e] = v[0] / speed, r->heading[2 * e + 1] = v[1] / speed;
    }
    slip_rigid_rebuild(r, false);
    outcome = slip_event_decide(m);
    if (outcome != SLIP_RUNNING) return outcome;
    if (!land(m)) return SLIP_BLOWN_UP;
    slip_event_set_sides(m);
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
    slip_event_free_sides(m);
    slip_event_set_timed(m);
    if (!slip_system_evaluate(s, SLIP_LEVEL_ACCELERATION, m->base.t, m->q, m->u, &r->terms))
        return SLIP_BLOWN_UP;
    // Formulas of a start are rarely exact to the last digit. What is a little inside has to be moved out; a
    // gap that is open by more than rounding is open, and closes when its time comes
    double inside = 1e5 * touching(m), near = 1e2 * touching(m);
    for (int e = 0; e < m->elements; e++) {
        r->stance[e].closed = !s->elements[e].has_gap;
        if (!s->elements[e].has_gap) continue;
        if (r->terms.gap[e] < -inside)
            return slip_method_fail(
                &m->base, "at t = %.9g s contact '%s' is %g m inside: a rigid contact cannot start there",
                m->base.t, s->elements[e].name, -r->terms.gap[e]);
        r->stance[e].closed = m->struck[e] = r->terms.gap[e] <= near;
        if (m->struck[e] && gap_rate(m, e) > slip_event_small_speed(m))
            r->stance[e].closed = m->struck[e] = false;
    }
    slip_event_set_sides(m);
    // positions first; velocities of contacts that strike are left to the impact
    for (int e = 0; e < m->elements; e++) r->stance[e].slide = 1; // nothing sticks yet
    memcpy(m->scratch_u, m->u, (size_t)m->n * sizeof *m->u);
    if (!slip_project(m, m->base.t, m->q, m->scratch_u))
        return slip_method_fail(
            &m->base, "at t = %.9g s the constraints cannot be met near the given positions", m->base.t);
    bool strikes = false;
    for (int e = 0; e < m->elements; e++)
        strikes = strikes || (m->struck[e] && gap_rate(m, e) < -slip_event_small_speed(m));
    if (!strikes) memcpy(m->u, m->scratch_u, (size_t)m->n * sizeof *m->u);
    return settle(m);
}

// it slid and slides back: in space, by more than a right angle from a slip of zero
static bool turned(const slip_event_driven *m, int e)
{
    const double *now = m->rigid.heading + 2 * e, *before = m->before_heading + 2 * e;
    int slide = m->rigid.stance[e].slide, slid = m->before_slide[e];
    if (m->system->elements[e].slip_count < 2) return slide * slid < 0;
    return slide && slid && m->due[e] && now[0] * before[0] + now[1] * before[1] < 0.0;
}

// What holds, on the other side of a kink: a floor that bends or falls away lets go, one that jumps up moves
// what is on it
static void go_across(slip_event_driven *m, double near)
{
    slip_rigid *r = &m->rigid;
    slip_system_evaluate(m->system, SLIP_LEVEL_ACCELERATION, m->base.t, m->q, m->u, &r->terms);
    double small = slip_event_small_speed(m);
    for (int e = 0; e < m->elements; e++) {
        if (!m->system->elements[e].has_gap || !r->stance[e].closed) continue;
        if (gap_rate(m, e) > small) r->stance[e].closed = false, m->struck[e] = r->terms.gap[e] <= near;
        if (r->terms.gap[e] > 1e3 * near) r->stance[e].closed = m->struck[e] = false;
        if (r->terms.gap[e] < -1e3 * near) slip_event_tell_jump(m, e, m->base.t, r->terms.gap[e]);
    }
}

slip_run_outcome slip_event_pass(slip_event_driven *m)
{
    const slip_system *s = m->system;
    slip_rigid *r = &m->rigid;
    double near = touching(m);
    for (int e = 0; e < m->elements; e++) {
        m->struck[e] = false;
        m->due[e] = !(m->after[2 * e + 1].value > 0.0); // its slip is zero, whatever rounding says
        double v[2];                                    // in space it may have turned by a right angle only
        if (s->elements[e].slip_count > 1 && r->stance[e].slide && slip_event_slips(m, e, v))
            m->due[e] = false;
        if (!s->elements[e].has_gap) continue;
        bool due = !(m->after[2 * e].value > 0.0);
        if (r->stance[e].closed) {
            if (due) r->stance[e].closed = false;
            m->struck[e] = r->stance[e].closed; // what holds takes part in an impact elsewhere
        } else {
            m->struck[e] = due || (r->terms.gap[e] <= near && gap_rate(m, e) < rest_speed(m, e));
            if (due && r->terms.gap[e] < -1e3 * near) slip_event_tell_jump(m, e, m->base.t, r->terms.gap[e]);
            r->stance[e].closed = m->struck[e];
        }
    }
    bool bent;
    slip_run_outcome outcome = slip_event_flip(m, &bent);
    if (outcome != SLIP_RUNNING) return outcome;
    if (bent) go_across(m, near);
    slip_event_set_sides(m);
    for (int e = 0; e < m->elements; e++) m->before_slide[e] = r->stance[e].slide;
    memcpy(m->before_heading, r->heading, 2 * (size_t)m->elements * sizeof *r->heading);
    // contacts touch exactly before they strike; their velocities are left to the impact
    memcpy(m->scratch_u, m->u, (size_t)m->n * sizeof *m->u);
    if (!slip_project(m, m->base.t, m->q, m->scratch_u)) return SLIP_BLOWN_UP;
    outcome = settle(m);
    for (int e = 0; e < m->elements && outcome == SLIP_RUNNING; e++) // no change of mode, but an event
        if (r->stance[e].closed && turned(m, e)) {
            slip_event event = slip_event_at(m->base.t, s->elements[e].name, SLIP_EVENT_SLIDE);
            m->base.ops->heading(&m->base, e, event.direction);
            slip_method_note(&m->base, event, "the other way");
        }
    return outcome;
}
