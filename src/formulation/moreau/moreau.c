/// formulation/moreau/moreau.c: time stepping with impacts by Moreau's midpoint rule, Flores 2010.
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// the acceleration along a row that forces of this size can make, |w a| <= |w|_M^-1 |a|_M, over the masses it
// moves: a wall that nothing presses on yet will be
static double row_acceleration_scale(slip_moreau *m, int row)
{
    const slip_system *s = m->system;
    double *y = m->project.Y, push = 0.0;
    slip_system_solve_row(s, &m->terms, row, y);
    for (int i = 0; i < m->n; i++)
        if (y[i] != 0.0) push += fabs(m->terms.h[i] * m->mean[i]);
    return sqrt(push * slip_system_row_dot(s, &m->terms, row, y));
}

// accelerations of the free motion
static void free_acceleration(slip_moreau *m)
{
    for (int i = 0; i < m->n; i++) m->mean[i] = m->terms.h[i];
    slip_system_solve(m->system, &m->terms, m->mean);
}

// The gap up to which contact e counts as closed: rounding of the lengths in the gap, and a small part of the
// distance that the forces at the start make in a step.
static double gap_slack(slip_moreau *m, int e)
{
    const slip_system *s = m->system;
    const int row = s->elements[e].normal_row;
    double scale = fabs(m->terms.gap[e]);
    free_acceleration(m);
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
        scale += fabs(m->terms.value[k] * m->last.x[s->column[k]]);
    m->strength[e] = row_acceleration_scale(m, row);
    return GAP_SLACK_ROUNDING * scale + GAP_SLACK_OF_FALL * m->strength[e] * m->step * m->step;
}

// what presses on a body through one contact presses on the others that it touches
static void share_strength(slip_moreau *m)
{
    const slip_system *s = m->system;
    double *on = m->mean; // per coordinate
    memset(on, 0, sizeof(double) * (size_t)m->n);
    for (int give = 1; give >= 0; give--)
        for (int e = 0; e < s->contact_count; e++) {
            const int row = s->elements[e].normal_row;
            for (int k = s->start[row]; k < s->start[row + 1]; k++) {
                double *to = give ? &on[s->column[k]] : &m->strength[e];
                if (m->terms.value[k] != 0.0)
                    *to = slip_larger(*to, give ? m->strength[e] : on[s->column[k]]);
            }
        }
}

static bool is_anything_unpressed(const slip_moreau *m)
{
    for (int e = 0; e < m->system->contact_count; e++)
        if (m->strength[e] == 0.0) return true;
    return false;
}

// Contacts that nothing presses on at the start may be pressed on through others, in a row of bodies, or by a
// force that grows: what solvers leave of their rates is no strike then
static bool find_strength_of_run(slip_moreau *m, double t, const double *x)
{
    enum { LOOKS = 8, ROW = 16 };
    const slip_system *s = m->system;
    for (int k = 0; k < ROW && is_anything_unpressed(m); k++) share_strength(m);
    if (!is_anything_unpressed(m) || !(m->until < INFINITY)) return true;
    for (int k = 1; k <= LOOKS; k++) {
        if (!slip_system_evaluate(s, SLIP_LEVEL_MOTION, m->until * k / LOOKS, x, x + m->n, &m->terms)) break;
        free_acceleration(m);
        for (int e = 0; e < s->contact_count; e++)
            m->strength[e] =
                slip_larger(m->strength[e], row_acceleration_scale(m, s->elements[e].normal_row));
    }
    for (int k = 0; k < ROW && is_anything_unpressed(m); k++) share_strength(m);
    return slip_system_evaluate(s, SLIP_LEVEL_MOTION, t, x, x + m->n, &m->terms);
}

// Rates of the constraints at the state that the last step left, into project.g: rows turn during a step, and
// what it leaves of them is not the doing of whoever sets the state after that
static bool find_left_rates(slip_moreau *m, double t)
{
    const slip_system *s = m->system;
    const double *x = m->left;
    const bool any = s->constraint_count > 0 && !isnan(x[0]);
    if (any && !slip_system_evaluate(s, SLIP_LEVEL_MOTION, t, x, x + m->n, &m->terms)) return false;
    for (int a = 0; a < s->constraint_count; a++)
        m->project.g[a] = any ? slip_system_row_rate(s, &m->terms, a, x + m->n) : 0.0;
    return true;
}

// The rate above which a constraint counts as broken.
static double breaking_rate(slip_moreau *m, int a)
{
    const slip_system *s = m->system;
    const double *u = m->last.x + m->n;
    double scale = fabs(m->terms.drift[a]), fastest = 0.0;
    for (int k = s->start[a]; k < s->start[a + 1]; k++) {
        scale += fabs(m->terms.value[k] * u[s->column[k]]);
        fastest += fabs(m->terms.value[k] * m->step_control.fastest[s->column[k]]);
    }
    return BROKEN_RATE_RELATIVE * (scale + row_acceleration_scale(m, a) * m->step) +
           BROKEN_RATE_OF_FASTEST * fastest;
}

static void check_constraints(slip_moreau *m)
{
    const slip_system *s = m->system;
    const double *u = m->last.x + m->n;
    if (s->constraint_count) free_acceleration(m);
    for (int a = 0; a < s->constraint_count; a++) {
        const double rate = slip_system_row_rate(s, &m->terms, a, u);
        if (!(fabs(rate - m->project.g[a]) > breaking_rate(m, a))) continue;
        m->jumps = true;
        slip_method_warn(&m->base, SLIP_WARNING_BAD_START, "",
                         "the rates at t = %.6g s break constraint '%s' (its rate is %.3g): they jump in the "
                         "first step",
                         m->base.t, s->equations->model->constraints[a].name, rate);
    }
}

// modes of a state that no step led to: closed where the gap says so, no impulses yet
static slip_run_outcome moreau_observe(slip_method *method)
{
    slip_moreau *m = (slip_moreau *)method;
    const slip_system *s = m->system;
    slip_moreau_step *last = &m->last;
    if (m->fresh) return SLIP_RUNNING;
    m->was_active = true; // look at everything once
    if (!find_left_rates(m, method->t) ||
        !slip_system_evaluate(s, SLIP_LEVEL_MOTION, method->t, last->x, last->x + m->n, &m->terms))
        return SLIP_BLOWN_UP;
    memset(last->impulse, 0, sizeof(double) * 3 * (size_t)s->element_count);
    memset(last->state, SLIP_STATE_OPEN, (size_t)s->element_count);
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        bool still = element->slip_count > 0;
        for (int c = 0; c < element->slip_count; c++) {
            last->slip[2L * e + c] =
                slip_system_row_rate(s, &m->terms, element->tangent_row + c, last->x + m->n);
            still = still && fabs(last->slip[2L * e + c]) <= INITIAL_STICK_SPEED;
        }
        m->slack[e] = element->has_gap ? gap_slack(m, e) : 0.0;
        last->approach[e] = NAN;
        last->mode[e] = element->has_gap && m->terms.gap[e] <= m->slack[e] ? SLIP_MODE_CLOSED : 0;
        if (still && (!element->has_gap || last->mode[e])) last->mode[e] |= SLIP_MODE_STICK;
        const bool given = !element->has_gap && element->contact->load.kind == SLIP_LOAD_NONE;
        last->limit[e] = given ? m->terms.friction[e] * last->length : 0.0;
    }
    share_strength(m);
    if (!find_strength_of_run(m, method->t, last->x)) return SLIP_BLOWN_UP;
    check_constraints(m);
    memcpy(last->history.gap, m->terms.gap, sizeof(double) * (size_t)s->element_count);
    for (int e = 0; e < s->element_count; e++) last->history.level[e] = fmin(0.0, m->terms.gap[e]);
    memset(last->history.leaving, 0, sizeof(double) * (size_t)s->element_count);
    memset(last->history.warm, 0, sizeof(double) * 3 * (size_t)s->element_count);
    last->history.known = 0;
    last->history.substep_length = m->step;
    last->history.warm_length = 0.0;
    m->due = true;
    m->fresh = true;
    return SLIP_RUNNING;
}

// one step from the present state, which is not touched
static slip_run_outcome take_step(slip_moreau *m, double dt, slip_moreau_step *step)
{
    return m->max_substeps > 1 ? slip_moreau_substepping(m, m->base.t, dt, step)
                               : slip_moreau_reference_step(m, m->base.t, m->last.x, dt, step);
}

// What errors of later steps are measured against. A quotient that is below the largest one beyond all
// rounding is not computed
static void update_scales(slip_moreau *m)
{
    const double span = m->last.history.span, surely = span * (1.0 - QUOTIENT_ROUNDING);
    double *fastest = m->step_control.fastest, *hardest = m->step_control.hardest;
    for (int i = 0; i < m->n; i++) {
        fastest[i] = slip_larger(fastest[i], fabs(m->last.x[m->n + i]));
        if (!(m->turnover[i] <= hardest[i] * surely))
            hardest[i] = slip_larger(hardest[i], m->turnover[i] / span);
    }
}

static void warn_unsolved(slip_moreau *m, double step)
{
    char text[320];
    if (slip_friction_loads_explain(&m->loads, m->system, &m->terms, m->base.t, text, sizeof text)) {
        slip_method_fail(&m->base, "%s", text);
        return;
    }
    slip_method_fail(
        &m->base,
        "no solver found the impulses of %d contacts and frictions in the step from t = %.9g s (last tried: "
        "residual %.2g, "
        "wanted %g); the last good state is kept. Try a smaller step (now %g s) or another solver (now %s)",
        m->problem.blocks, m->base.t, m->unsolved, m->options.tolerance, step, m->solver[0]->name);
}

// Word by word: whole structs are copied by an instruction that takes its time to begin
static void swap_steps(slip_moreau_step *a, slip_moreau_step *b)
{
    enum { WORD = sizeof(uint64_t), WORDS = sizeof *a / WORD };
    _Static_assert(sizeof *a % WORD == 0, "pointers and doubles are aligned");
    for (size_t k = 0; k < WORDS; k++) {
        unsigned char *x = (unsigned char *)a + k * WORD, *y = (unsigned char *)b + k * WORD;
        uint64_t one, other;
        memcpy(&one, x, WORD);
        memcpy(&other, y, WORD);
        memcpy(x, &other, WORD);
        memcpy(y, &one, WORD);
    }
}

// the step in m->next becomes the one behind the present state
static void accept_step(slip_moreau *m)
{
    slip_moreau_add_to_ledger(m, &m->next);
    if (m->problem.blocks) slip_moreau_check_force_uniqueness(m, &m->last, &m->next);
    slip_moreau_check_verdict(m, &m->next);
    swap_steps(&m->last, &m->next);
    m->base.state = m->last.x;
    m->base.mode = m->last.mode;
}

static slip_run_outcome moreau_advance(slip_method *method, double step, double t_after)
{
    slip_moreau *m = (slip_moreau *)method;
    slip_run_outcome outcome = moreau_observe(method);
    if (outcome != SLIP_RUNNING) return outcome;
    if (!(m->max_substeps > 1 ? slip_moreau_fast_step(m, step) : slip_moreau_fast_flight(m, step))) {
        outcome = take_step(m, step, &m->next);
        if (outcome == SLIP_UNSOLVED) warn_unsolved(m, step);
        if (outcome != SLIP_RUNNING) return outcome;
        accept_step(m);
    }
    m->was_active = m->problem.blocks > 0;
    m->jumps = m->due = false;
    if (m->max_substeps > 1) update_scales(m);
    if (m->system->constraint_count) memcpy(m->left, m->last.x, sizeof(double) * (size_t)(2 * m->n));
    method->t = t_after;
    if (m->observer) m->observer->arrived(m->observer->context);
    return SLIP_RUNNING;
}

/// A step to read from, with the terms of its end.
typedef struct step_end {
    slip_moreau *m;
    const slip_moreau_step *step;
} step_end;

// of what touched: as solved for, so that what sticks shows 0; of the rest: at the present state
static double slip_at_end(const step_end *at, int e, int component)
{
    const slip_moreau *m = at->m;
    const slip_element *element = &m->system->elements[e];
    if (at->step->state[e] != SLIP_STATE_OPEN) return at->step->slip[2L * e + component];
    return slip_system_row_rate(m->system, &m->terms, element->tangent_row + component, at->step->x + m->n);
}

// a slip_quantity_reader; forces are impulses over the step
static void read_element(void *context, int e, unsigned wanted, double *value)
{
    const step_end *at = context;
    const slip_moreau_step *step = at->step;
    const double rate = step->length > 0.0 ? 1.0 / step->length : 0.0, *impulse = step->impulse + 3L * e;
    value[SLIP_QUANTITY_GAP] = at->m->terms.gap[e];
    value[SLIP_QUANTITY_NORMAL] = rate * impulse[0];
    value[SLIP_QUANTITY_FRICTION] = rate * impulse[1];
    value[SLIP_QUANTITY_FRICTION_Y] = rate * impulse[2];
    value[SLIP_QUANTITY_STICK] = (step->mode[e] & SLIP_MODE_STICK) != 0;
    value[SLIP_QUANTITY_CLOSED] = (step->mode[e] & SLIP_MODE_CLOSED) != 0;
    value[SLIP_QUANTITY_LIMIT] = rate * step->limit[e];
    for (int k = 0; k < at->m->loads.count; k++)
        if (at->m->loads.element[k] == e) value[SLIP_QUANTITY_FORCE] = step->history.load[k];
    if (wanted & 1u << SLIP_QUANTITY_SLIP) value[SLIP_QUANTITY_SLIP] = slip_at_end(at, e, 0);
    if (wanted & 1u << SLIP_QUANTITY_SLIP_Y) value[SLIP_QUANTITY_SLIP_Y] = slip_at_end(at, e, 1);
    const slip_element *element = &at->m->system->elements[e];
    for (int k = 0; k < element->slip_count && element->viscous > 0.0; k++)
        value[k ? SLIP_QUANTITY_FRICTION_Y : SLIP_QUANTITY_FRICTION] -=
            element->viscous * slip_at_end(at, e, k);
}

// recorded quantities behind a step that ended at t
static void record_step(slip_moreau *m, double t, const slip_moreau_step *step, double *records)
{
    if (m->system->readings.count)
        slip_system_evaluate(m->system, SLIP_LEVEL_MOTION, t, step->x, step->x + m->n, &m->terms);
    slip_system_record(m->system, t, step->x, step->x + m->n, read_element, &(step_end){ m, step }, &m->terms,
                       records);
}

static slip_run_outcome moreau_peek(slip_method *method, double t, double *row)
{
    slip_moreau *m = (slip_moreau *)method;
    slip_run_outcome outcome = moreau_observe(method);
    const slip_moreau_step *step = &m->last;
    const unsigned looks = m->border.scan.step;
    if (outcome == SLIP_RUNNING && t > method->t) {
        slip_log_mute(method->log);
        outcome = take_step(m, t - method->t, &m->aside);
        slip_log_unmute(method->log);
        m->border.scan.step = looks; // where the run looks next does not depend on it
        step = &m->aside;
        if (outcome == SLIP_UNSOLVED) warn_unsolved(m, t - method->t);
    }
    if (outcome != SLIP_RUNNING) return outcome;
    memcpy(row, step->x, sizeof(double) * (size_t)(2 * m->n));
    record_step(m, t, step, row + 2 * m->n);
    return SLIP_RUNNING;
}

static void moreau_record(slip_method *method, double *records, double *kinetic, double *potential)
{
    slip_moreau *m = (slip_moreau *)method;
    double power;
    moreau_observe(method);
    record_step(m, method->t, &m->last, records);
    slip_system_energy(m->system, method->t, m->last.x, m->last.x + m->n, &m->terms, kinetic, potential,
                       &power);
    method->driven = slip_system_rheonomic_energy(m->system, &m->terms);
}

static void moreau_state_changed(slip_method *method)
{
    ((slip_moreau *)method)->fresh = false;
}

const slip_method_ops slip_moreau_ops = {
    .destroy = slip_moreau_destroy,
    .observe = moreau_observe,
    .advance = moreau_advance,
    .peek = moreau_peek,
    .record = moreau_record,
    .touched = moreau_state_changed,
    .archive = slip_moreau_archive,
};

slip_moreau *slip_moreau_of(slip_method *method)
{
    return method->ops == &slip_moreau_ops ? (slip_moreau *)method : NULL;
}
