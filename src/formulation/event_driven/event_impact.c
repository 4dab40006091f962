/// formulation/event_driven/event_impact.c: impacts.
///
/// All touching contacts take part in an impact, by their laws (physics/impact/impact_law.h). Newton's, which
/// is in force when none is asked for, is the LCP of Flores 2010 (eq 85), with circular cones where contacts
/// slip in two directions.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"
#include "formulation/event_driven/event_driven_tolerances.h"

double slip_event_gap_rate(const slip_event_driven *m, int e)
{
    return slip_system_row_rate(m->system, &m->rigid.terms, m->system->elements[e].normal_row, m->u);
}

// acceleration of a gap without the forces of contacts
static double free_rate(const slip_event_driven *m, int e)
{
    const slip_contact_problem *r = &m->rigid;
    int row = m->system->elements[e].normal_row;
    return slip_system_row_dot(m->system, &r->terms, row, r->free) + r->terms.z[row];
}

double slip_event_rest_speed(const slip_event_driven *m, int e)
{
    double pull = -free_rate(m, e), reach = slip_event_reach_of(m, e);
    if (!(pull > 0.0)) return 0.0;
    return 0.5 * pull * fmax(m->rest_flight, sqrt(REST_BOUNCE_HEIGHT_8 * reach / pull));
}

// ---- the problem

// the contacts that touch
static void list_impact_contacts(slip_event_driven *m, const bool *plastic)
{
    slip_rigid_impact *s = &m->impact_problem.rigid_impact;
    s->hit.contacts = 0;
    for (int e = 0; e < m->elements; e++) {
        if (!m->struck[e]) continue;
        double mu = m->system->elements[e].slip_count ? m->rigid.terms.friction[e] : 0.0;
        slip_rigid_impact_add_contact(s, m->system, e, mu, plastic[e],
                                      free_rate(m, e) <= slip_contact_problem_zero_tolerance(&m->rigid));
    }
}

// ---- what is said

// Newton's law with friction may create energy; a run says so once, and sums it up
static void count_gain(slip_event_driven *m, double gained)
{
    m->measures[SLIP_EVENT_ENERGY_GAINED].value += gained;
    m->measures[SLIP_EVENT_GAIN_COUNT].value += 1.0;
    slip_rigid_impact_warn_energy_gain(&m->impact_problem.rigid_impact, &m->base, gained, &m->gain);
}

// `u` are the rates before the impact, m->u those after it
static void log_impact(slip_event_driven *m, int k, bool plastic, const double *u)
{
    const slip_contact_problem *r = &m->rigid;
    const slip_system *s = m->system;
    const double *z = m->impact_problem.rigid_impact.hit.impulse + m->d * k;
    int e = m->impact_problem.rigid_impact.element[k];
    const slip_element *element = &s->elements[e];
    slip_event event = slip_event_at(m->base.t, element->name, SLIP_EVENT_IMPACT);
    double after[2], leaves = slip_event_gap_rate(m, e);
    event.approach = 0.0 - slip_system_row_rate(s, &r->terms, element->normal_row, u);
    event.impulse = z[0];
    event.energy = 0.5 * event.impulse * (leaves - event.approach);
    for (int c = 0; c < element->slip_count; c++) {
        event.impulse_t[c] = z[1 + c];
        event.slip[c] = slip_system_row_rate(s, &r->terms, element->tangent_row + c, u);
        after[c] = slip_system_row_rate(s, &r->terms, element->tangent_row + c, m->u);
        event.energy += 0.5 * event.impulse_t[c] * (event.slip[c] + after[c]);
    }
    slip_event_set_direction(&event, element->slip_count, after, slip_event_zero_speed(m));
    const char *path = slip_rigid_impact_describe(&m->impact_problem.rigid_impact, k, &event);
    slip_method_log_event(
        &m->base, event, "approach %.9g m/s, impulse %.9g N s%s%s", event.approach, event.impulse, path,
        plastic && element->contact->restitution > 0.0 ? "; impacts accumulate, at rest from now on" : "");
}

static void log_impacts(slip_event_driven *m, const bool *plastic, const double *u)
{
    const slip_rigid_impact *s = &m->impact_problem.rigid_impact;
    for (int k = 0; k < s->hit.contacts; k++)
        if (s->hit.impulse[m->d * k] > 0.0) log_impact(m, k, plastic[s->element[k]], u);
}

// ---- energy

// T2 - T0 and T1 + 2 T0 at the present velocities
static double kinetic_energy(slip_event_driven *m, double *driven)
{
    double kinetic, potential, power;
    slip_system_energy(m->system, m->base.t, m->q, m->u, &m->rigid.terms, &kinetic, &potential, &power);
    *driven = slip_system_rheonomic_energy(m->system, &m->rigid.terms);
    return kinetic;
}

// sum of impulse times rate over the contacts of the impact
static double impact_power(const slip_event_driven *m)
{
    double sum = 0.0;
    for (int j = 0; j < m->d * m->impact_problem.rigid_impact.hit.contacts; j++) {
        const int row = slip_impact_problem_row(&m->impact_problem, m->system, j);
        if (row >= 0)
            sum += m->impact_problem.rigid_impact.hit.impulse[j] *
                   slip_system_row_rate(m->system, &m->rigid.terms, row, m->u);
    }
    return sum;
}

// Coefficients and factors at the rates after the impact; the terms stay those before it. `problem` is the
// slip_impact_problem of a slip_event_driven
static void friction_after(void *problem, double *friction)
{
    slip_impact_problem *p = problem;
    slip_event_driven *m =
        (slip_event_driven *)((char *)problem - offsetof(slip_event_driven, impact_problem));
    const slip_multi_impact *hit = &p->rigid_impact.hit;
    double *u = m->scratch_u;
    memcpy(u, m->u, (size_t)m->n * sizeof *u);
    for (int j = 0; j < m->d * hit->contacts; j++)
        for (int k = 0; k < m->n; k++)
            u[k] += hit->impulse[j] * p->response[(size_t)j * (size_t)m->n + (size_t)k];
    slip_system_evaluate(m->system, SLIP_LEVEL_MOTION, m->base.t, m->q, u, &m->rigid.terms);
    memcpy(friction, m->rigid.terms.friction, (size_t)m->elements * sizeof *friction);
    slip_system_evaluate(m->system, SLIP_LEVEL_ACCELERATION, m->base.t, m->q, m->u, &m->rigid.terms);
}

// Contacts take what their impulses do on the mean of the relative velocities before and after; the rest of
// the change is work of belts and guides that move
static slip_run_outcome solve_impact(slip_event_driven *m, const bool *plastic)
{
    slip_multi_impact *hit = &m->impact_problem.rigid_impact.hit;
    hit->small = slip_event_zero_speed(m);
    m->impact_problem.rigid_impact.friction_after = friction_after;
    if (!slip_rigid_impact_solve_and_report(&m->impact_problem.rigid_impact, &m->base, m->system))
        return slip_method_fail(&m->base, "the impact at t = %.12g s could not be solved (%s)", m->base.t,
                                slip_outcome_name(m->impact_problem.outcome));
    double driven[2], before = kinetic_energy(m, &driven[0]), lost = -0.5 * impact_power(m);
    memcpy(m->scratch_u, m->u, (size_t)m->n * sizeof *m->u);
    for (int j = 0; j < m->d * hit->contacts; j++)
        for (int k = 0; k < m->n; k++)
            m->u[k] += hit->impulse[j] * m->impact_problem.response[(size_t)j * (size_t)m->n + (size_t)k];
    if (m->observer) m->observer->struck(m->observer->context);
    log_impacts(m, plastic, m->scratch_u);
    double after = kinetic_energy(m, &driven[1]);
    lost -= 0.5 * impact_power(m);
    m->base.impact += lost;
    m->x[2 * m->n] += after - before + lost;
    if (!m->started) m->x[2 * m->n] += driven[1] - driven[0]; // else part of what is driven, see method.h
    m->base.work = m->x[2 * m->n];
    if (-lost > IMPACT_ENERGY_GAIN_RELATIVE * slip_multi_impact_energy_scale(hit)) count_gain(m, -lost);
    return SLIP_RUNNING;
}

slip_run_outcome slip_event_impact(slip_event_driven *m)
{
    double small = slip_event_zero_speed(m);
    bool strikes = false, slow = true, *plastic = m->candidate;
    for (int e = 0; e < m->elements; e++) {
        double approach = m->struck[e] ? -slip_event_gap_rate(m, e) : 0.0;
        plastic[e] = false;
        if (!(approach > small)) continue;
        const double rest = slip_event_rest_speed(m, e);
        strikes = true;
        plastic[e] = m->system->elements[e].contact->restitution * approach < rest;
        slow = slow && approach < rest;
    }
    if (strikes || m->impact_problem.rigid_impact.asked) {
        list_impact_contacts(m, plastic);
        slip_impact_problem_assemble(&m->impact_problem, &m->rigid, m->u);
        m->impact_problem.rigid_impact.hit.small = small;
        slow = slow && strikes;
        if (m->ahead.jam) slip_impact_problem_force_jam(&m->impact_problem, m->system);
        strikes = strikes || slip_rigid_impact_is_jam(&m->impact_problem.rigid_impact);
    }
    if (m->ahead.jam && !strikes) return slip_event_no_solution(m, SLIP_CONTACT_INFEASIBLE, m->base.t);
    m->ahead.jam = false;
    if (strikes) {
        memset(m->due, 0, (size_t)m->elements * sizeof *m->due);
        slip_run_outcome outcome = solve_impact(m, plastic);
        if (outcome != SLIP_RUNNING) return outcome;
    }
    small = slip_event_zero_speed(m);
    for (int e = 0; e < m->elements; e++) // after a slow impact what leaves slowly stays, and rocking ends
        if (m->struck[e])
            m->rigid.contact_state[e].closed =
                slip_event_gap_rate(m, e) <=
                (strikes && slow ? fmax(small, slip_event_rest_speed(m, e)) : small);
    return SLIP_RUNNING;
}
