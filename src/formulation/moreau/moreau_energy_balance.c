/// formulation/moreau/moreau_energy_balance.c: what a step of Moreau's rule did: impulses, modes, energy.
///
/// With M of the midpoint, T_E - T_A = mean(u) . (h dt + w P + J' L) exactly, mean(u) = (u_A + u_E)/2.
/// An impulse therefore takes -P mean(gamma) from the system, and moving guides and belts put in
/// -P drift, since w . mean(u) = mean(gamma) - drift. What else changes the energy is the scheme's.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

enum {
    WORST_RESIDUAL,
    FALLBACK_SOLVES,
    PENETRATION,
    ENERGY_GAINED,
    ENERGY_GAIN_COUNT,
    LARGEST_PROJECTION,
    PROJECTION_ENERGY,
    GAP_JUMPS,
    MEASURE_COUNT
};

void slip_moreau_name_measures(slip_moreau *m)
{
    static const char *const names[MEASURE_COUNT] = { "worst_residual",    "rescued_solves",  "penetration",
                                                      "energy_gained",     "steps_with_gain", "projected",
                                                      "projection_energy", "gap_jumps" };
    for (int k = 0; k < MEASURE_COUNT; k++) m->measures[k] = (slip_constant){ "", names[k], 0.0 };
    m->base.measures = m->measures;
    m->base.measure_count = MEASURE_COUNT;
}

// ---- modes -----------------------------------------------------------------------------------------

static bool is_impact_block(const slip_moreau *m, int b)
{
    return m->problem.hits[b] && m->problem.r[b * m->d] > 0.0;
}

// what a contact carried before, as an impulse over the time of the problem; a step for a strike
static double previous_impulse(const slip_moreau *m, int b, const slip_moreau_step *step)
{
    const slip_moreau_history *c = &step->history;
    const double time = slip_moreau_is_impact(m) ? m->step : m->problem.length;
    return c->warm_length > 0.0 ? c->warm[3L * m->problem.element[b]] * time / c->warm_length : 0.0;
}

// a contact that was hit through others: its impulse is beyond what smooth forces ask for
static bool is_struck_through_contacts(const slip_moreau *m, int b, const slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    const int i = b * m->d, size = p->blocks * m->d;
    if (p->row[i] < 0 || p->before[i] > 0.0) return false;
    const double jump = p->r[i] * p->W[(long)i * (size + 1)];
    if (p->law == SLIP_MOREAU_REFERENCE) return jump > 10.0 * fabs(p->smooth_change[i]);
    return jump > slip_moreau_smooth_rate_change(m, b) && p->r[i] > 2.0 * previous_impulse(m, b, step);
}

// A contact that is struck and flies off for more than a step is an impact, but no contact that begins and
// ends: the event-driven formulations tell it the same way
static unsigned char block_mode(const slip_moreau *m, int b, double least, const slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    const slip_element *e = &m->system->elements[p->element[b]];
    const double *r = p->r + (long)b * m->d, *end = step->slip + 2L * p->element[b];
    const int N = b * m->d;
    const double leaves = p->w[N] - p->eps[N] * p->before[N]; // gamma_E = xi - eps gamma_A
    const double forces = slip_moreau_is_impact(m) ? SOFT_LANDING_OF_STEP : 2.0;
    unsigned char mode = 0;
    const bool bounces = !isnan(step->approach[p->element[b]]) &&
                         leaves > forces * slip_moreau_smooth_rate_change(m, b) + least;
    if (e->has_gap && !bounces && (r[0] > 0.0 || leaves <= least)) mode |= SLIP_MODE_CLOSED;
    const bool held = p->mu[b] > 0.0 && (!e->has_gap || (mode & SLIP_MODE_CLOSED)) && e->slip_count > 0;
    if (held && fabs(end[0]) <= least && (e->slip_count < 2 || fabs(end[1]) <= least))
        mode |= SLIP_MODE_STICK;
    return mode;
}

// a strike says nothing about frictions without a gap that take no part in it
static void account_modes(slip_moreau *m, slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    const slip_system *s = m->system;
    const int cleared = slip_moreau_is_impact(m) ? s->contact_count : s->element_count;
    for (int e = 0; e < cleared; e++) step->mode[e] = 0;
    for (int b = 0; b < p->blocks; b++)
        step->mode[p->element[b]] = block_mode(m, b, MODE_SPEED_RELATIVE * p->largest, step);
}

// the speed at which a block was struck, or NaN
static void account_impacts(slip_moreau *m, slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    bool any = false;
    for (int b = 0; b < p->blocks; b++) {
        const bool hit = is_impact_block(m, b);
        step->approach[p->element[b]] = hit ? slip_larger(0.0, 0.0 - p->before[b * m->d]) : NAN;
        any = any || hit;
    }
    for (int b = 0; b < p->blocks && any; b++)
        if (isnan(step->approach[p->element[b]]) && is_struck_through_contacts(m, b, step))
            step->approach[p->element[b]] = slip_larger(0.0, -p->before[b * m->d]);
}

// ---- impulses and energy -----------------------------------------------------------------------------

// gamma_E = xi - eps gamma_A
static double rate_after(const slip_moreau *m, int i)
{
    const slip_moreau_problem *p = &m->problem;
    return p->w[i] - p->eps[i] * p->before[i];
}

// Friction is booked while it slides, the normal part where something struck: in lasting stick and contact
// both are rounding and the scheme's own O(dt^2), which is neither friction nor impact. Returns what friction
// took within impacts.
static double account_block(slip_moreau *m, int b, slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    const int e = p->element[b], first = b * m->d;
    const bool struck = !isnan(step->approach[e]);
    const bool stuck = step->state[e] == SLIP_STATE_STICKING && m->was[e] == SLIP_STATE_STICKING && !struck;
    double rubbed = 0.0, *impulse = step->impulse + 3L * e;
    for (int c = 0; c < m->d; c++) {
        const int i = first + c, row = p->row[i];
        const double r = p->r[i];
        impulse[c] += r;
        if (row < 0) continue;
        const double after = rate_after(m, i);
        if (c) step->slip[2L * e + c - 1] = after;
        step->work -= r * m->terms.drift[row];
        if (stuck) continue;
        const double taken = r * (0.5 * (p->before[i] + after));
        if (c) step->friction -= taken;
        if (struck) *(c ? &rubbed : &step->impact) -= taken;
    }
    step->limit[e] += p->mu[b] * p->r[first];
    return rubbed;
}

static void account_constraints(slip_moreau *m, const double *u, slip_moreau_step *step)
{
    for (int a = 0; a < m->system->constraint_count; a++) {
        const double impulse = slip_moreau_constraint_impulse(m, a);
        if (m->jumps) step->impact -= impulse * 0.5 * slip_system_row_rate(m->system, &m->terms, a, u);
        step->work -= impulse * m->terms.drift[a];
    }
}

void slip_moreau_clear_step(const slip_moreau *m, slip_moreau_step *step)
{
    const int elements = m->system->element_count;
    step->work = step->friction = step->impact = step->gained = step->deepest = step->residual = 0.0;
    step->projected = step->projection = 0.0;
    step->rescued = 0;
    step->jumped = -1;
    if (step->idle) return;
    for (int k = 0; k < 3 * elements; k++) step->impulse[k] = 0.0;
    for (int e = 0; e < elements; e++) step->limit[e] = step->depth[e] = 0.0;
    step->idle = true;
}

void slip_moreau_account_flight(slip_moreau *m, slip_moreau_step *step)
{
    const size_t elements = (size_t)m->system->element_count;
    if (elements == 0) return;
    memset(step->mode, 0, elements);
    memset(step->state, SLIP_STATE_OPEN, elements);
}

void slip_moreau_account_power(slip_moreau *m, double t, double dt, const double *u, const double *u_end,
                               slip_moreau_step *step)
{
    double kinetic, potential, power;
    if (!m->driven) return;
    for (int i = 0; i < m->n; i++) m->mean[i] = 0.5 * (u[i] + u_end[i]);
    slip_system_energy(m->system, t, m->middle, m->mean, &m->terms, &kinetic, &potential, &power);
    step->work += dt * power;
}

// A contact goes deeper by the way that its points make in a step at the most, and by what forces add to
// that; slack is a millionth of the latter. Anything more is a gap that jumped
static double explained_depth(const slip_moreau *m, int b, double before, const double *u)
{
    const slip_system *s = m->system;
    const int e = m->problem.element[b], row = m->problem.row[b * m->d];
    double speed = fabs(m->terms.drift[row]), reach = 1.0;
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
        speed += fabs(m->terms.value[k] * u[s->column[k]]);
    for (int k = 0; k < m->n; k++) reach = slip_larger(reach, fabs(m->middle[k]));
    return before + EXPLAINED_TRAVEL_FACTOR * m->problem.length * speed +
           EXPLAINED_DEPTH_SLACKS * m->slack[e] + EXPLAINED_DEPTH_RELATIVE * reach;
}

// as printed: at the midpoint; else at the end
static void account_depths(slip_moreau *m, const double *u, slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    const bool printed = p->law == SLIP_MOREAU_REFERENCE;
    if (slip_moreau_is_impact(m)) return;
    for (int b = 0; b < p->blocks; b++) {
        const int e = p->element[b];
        if (p->row[b * m->d] < 0) continue;
        const double gap = printed ? m->terms.gap[e] : m->trial.gap_end[e];
        const double before = printed ? m->last.depth[e] : step->depth[e];
        step->depth[e] = slip_larger(0.0, -gap);
        step->deepest = slip_larger(step->deepest, step->depth[e]);
        const bool deep = step->depth[e] > 1e8 * m->slack[e]; // which is explained in any case
        if (deep && step->depth[e] > explained_depth(m, b, before, u) && m->base.t > 0.0) step->jumped = e;
    }
}

static void log_impact(slip_moreau *m, double t, const slip_moreau_step *step, int block)
{
    const slip_moreau_problem *p = &m->problem;
    const int e = p->element[block];
    const slip_element *element = &m->system->elements[e];
    slip_event event = slip_event_at(t, element->name, SLIP_EVENT_IMPACT);
    event.approach = step->approach[e];
    event.impulse = p->r[block * m->d];
    event.energy = 0.0;
    for (int c = 0; c < element->slip_count; c++) {
        event.impulse_t[c] = p->r[block * m->d + 1 + c];
        event.slip[c] = p->before[block * m->d + 1 + c];
    }
    for (int c = 0; c <= element->slip_count; c++) {
        const int i = block * m->d + c;
        event.energy += 0.5 * p->r[i] * (p->before[i] + rate_after(m, i));
    }
    slip_event_set_direction(&event, element->slip_count, step->slip + 2L * e,
                             MODE_SPEED_RELATIVE * p->largest);
    event.normal_work = 0.5 * p->r[block * m->d] * (p->before[block * m->d] + rate_after(m, block * m->d));
    const char *path =
        slip_moreau_by_impact_law(m) ? slip_rigid_impact_describe(&m->rigid_impact, block, &event) : "";
    slip_method_log_event(&m->base, event, "approach %.6g m/s, impulse %.6g N s%s", event.approach,
                          event.impulse, path);
}

// impacts apart from contacts, with what the mode of an element cannot say
static void log_impacts(slip_moreau *m, double t, const slip_moreau_step *step)
{
    for (int b = 0; b < m->problem.blocks; b++)
        if (!isnan(step->approach[m->problem.element[b]])) log_impact(m, t, step, b);
}

static double impulse_turnover(const slip_moreau_problem *p, int size)
{
    double turnover = 0.0;
    for (int i = 0; i < size; i++)
        if (p->row[i] >= 0) turnover += fabs(p->r[i]) * (fabs(p->before[i]) + fabs(p->q[i]));
    return turnover;
}

void slip_moreau_account(slip_moreau *m, double t, const double *u, slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    const double impact = step->impact;
    step->idle = false;
    account_impacts(m, step);
    double taken = 0.0;
    for (int b = 0; b < p->blocks; b++) taken += account_block(m, b, step);
    account_depths(m, u, step);
    taken += step->impact -
             impact; // normal and tangential parts may trade with each other; only their sum is a gain
    if (taken < 0.0 && taken < -ENERGY_GAIN_RELATIVE * impulse_turnover(p, p->blocks * m->d))
        step->gained -= taken;
    account_constraints(m, u, step);
    account_modes(m, step);
    log_impacts(m, t, step);
}

static void warn_gap_jump(slip_moreau *m, const slip_moreau_step *step)
{
    const char *name = m->system->elements[step->jumped].name;
    m->measures[GAP_JUMPS].value += 1.0;
    slip_warning *w = slip_method_warn(
        &m->base, SLIP_WARNING_GAP_JUMPS, name,
        "the gap of contact '%s' jumps in the step from t = %.9g s: it is %.3g m inside, which no speed "
        "explains. A gap must be a continuous function. Write the jump as a steep ramp, or each face as a "
        "contact of its own",
        name, m->base.t, step->depth[step->jumped]);
    slip_warning_value(w, "depth", step->depth[step->jumped], "m");
}

void slip_moreau_add_to_ledger(slip_moreau *m, const slip_moreau_step *step)
{
    slip_method *base = &m->base;
    base->work += step->work;
    base->friction += step->friction;
    base->impact += step->impact;
    if (step->idle && step->projected == 0.0) return;
    slip_constant *of = m->measures;
    of[WORST_RESIDUAL].value = slip_larger(of[WORST_RESIDUAL].value, step->residual);
    of[FALLBACK_SOLVES].value += step->rescued;
    of[PENETRATION].value = slip_larger(of[PENETRATION].value, step->deepest);
    of[LARGEST_PROJECTION].value = slip_larger(of[LARGEST_PROJECTION].value, step->projected);
    of[PROJECTION_ENERGY].value += step->projection;
    if (step->jumped >= 0) warn_gap_jump(m, step);
    if (step->gained == 0.0) return;
    of[ENERGY_GAINED].value += step->gained;
    of[ENERGY_GAIN_COUNT].value += 1.0;
    if (m->gain) {
        slip_log_repeat(base->log, m->gain, base->t);
        return;
    }
    m->gain =
        slip_method_warn(base, SLIP_WARNING_ENERGY_CREATED, "",
                         "the impact law created energy: %.3g J in the step from t = %.9g s. %s allows it; "
                         "measures.energy_gained has the sum",
                         step->gained, base->t, slip_rigid_impact_gaining_law(&m->rigid_impact));
    slip_warning_value(m->gain, "energy", step->gained, "J");
}
