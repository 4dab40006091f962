/// formulation/ode/ode_step.c: any slip_ode under any integrator, step by step.
#include <math.h>
#include <string.h>

#include "formulation/ode/ode_run.h"
#include "formulation/ode/fused_rk4_work.h"

bool slip_ode_run_rate(slip_ode_run *m, double t, const double *x, double step)
{
    slip_ode_set_stage(m->ode, m->integrator->first_stage * step);
    m->behind = false;
    return slip_ode_rate(m->ode, t, x, m->work.k[0]);
}

bool slip_ode_run_refresh_rate(slip_ode_run *m)
{
    if (!m->behind) return true;
    if (!slip_fused_rk4_is_current(m->program)) return slip_ode_run_rate(m, m->base.t, m->x, m->step);
    slip_fused_rk4_rate(m->program, m->work.k[0]);
    m->behind = false;
    return true;
}

slip_run_outcome slip_ode_run_observe(slip_method *method)
{
    slip_ode_run *m = (slip_ode_run *)method;
    if (m->fresh) return SLIP_RUNNING;
    const bool ahead = m->behind && slip_fused_rk4_is_current(m->program);
    if (!ahead && !slip_ode_run_rate(m, method->t, m->x, m->step)) return SLIP_BLOWN_UP;
    if (m->touch) memcpy(m->after, method->mode, (size_t)method->element_count);
    bool changed = slip_ode_modes(m->ode, method->mode);
    if (m->touch && changed)
        changed = slip_contact_detector_update_modes(m->touch, method->t, m->x, m->after, method->mode);
    slip_ode_run_check_step(m, changed);
    if (m->touch) slip_simultaneous_check_report(slip_contact_detector_impacts(m->touch), method);
    if (m->bounce && changed) slip_force_check_update(m->bounce, method, m->step, m->before, m->next);
    m->before = NAN;
    m->fresh = true;
    return SLIP_RUNNING;
}

// 0 * x is 0 for every finite number and NaN for the rest
static bool all_finite(const double *x, int count)
{
    double even = 0.0, odd = 0.0; // two sums, so that one need not wait for the other
    int k = 0;
    for (; k + 1 < count; k += 2) even += 0.0 * x[k], odd += 0.0 * x[k + 1];
    if (k < count) even += 0.0 * x[k];
    return even + odd == 0.0;
}

// A step that ends in a contact that was open when it began, and is longer than the contact takes to answer:
// stages thrown in and out of it can agree on an error of zero without having felt it
static bool skips_contact(slip_ode_run *m, double t, const double *end, double taken)
{
    if (!m->integrator->adaptive || !(taken > m->ode->answer)) return false;
    if (!slip_ode_rate(m->ode, t, end, m->work.stage)) return true;
    slip_ode_modes(m->ode, m->after);
    bool leaped = false;
    for (int k = 0; k < m->base.element_count; k++)
        leaped = leaped || (m->after[k] & ~m->now[k] & SLIP_MODE_CLOSED);
    return leaped;
}

// The share of a step after which a gap closes that is open at both ends; 1 when none does. What is shorter
// than a contact takes to answer has felt it.
static double fraction_before_contact(slip_ode_run *m, double t, const double *x, const double *end,
                                      double taken)
{
    if (!m->sign || !(taken > m->ode->answer)) return 1.0;
    if (!slip_ode_rate(m->ode, t + taken, end, m->work.stage)) return 0.5;
    slip_step_interval leg = { t, taken, x, m->work.k[0], end, m->work.stage };
    for (int k = 0; k < m->base.element_count; k++)
        m->sign[k] = m->now[k] & SLIP_MODE_CLOSED || m->ode->elements[k].gap < 0 ? 0.0 : 1.0;
    return slip_step_scan_crossing(&m->scan, &leg, m->sign);
}

double slip_ode_run_force_discontinuity(void *context, double t, const double *x, const double *xdot,
                                        double step, const double *end)
{
    slip_ode_run *m = context;
    double *begin = m->border.count ? m->border.rate : m->narrow.rate;
    if (!begin) return 1.0;
    memcpy(begin, xdot, 2 * (size_t)m->ode->n * sizeof *xdot);
    if (!slip_ode_rate(m->ode, t + step, end, m->work.stage)) return 1.0;
    slip_step_interval leg = { t, step, x, begin, end, m->work.stage };
    return fmin(slip_force_discontinuity_first(&m->border, &leg),
                slip_narrow_features_stages(&m->narrow, &leg));
}

// a step that stands; an integrator that makes it of finer ones has told of each
static void notify_observer(const slip_ode_run *m, double t, const double *x, double taken, const double *end)
{
    const slip_ode_observer *f = m->observer;
    if (f && !m->integrator->finer)
        f->steps.stepped(f->steps.context, m->integrator, t, x, taken, &m->work, end, false);
}

// Recorded quantities of a state that a step begins at, whichever stage was evaluated last
static double record(slip_ode_run *m, double t, const double *x, double *records, double *kinetic,
                     double *potential)
{
    slip_ode_set_stage(m->ode, m->integrator->first_stage * m->step);
    return slip_ode_record(m->ode, t, x, records, kinetic, potential);
}

static void sample_loads(slip_ode_run *m, double t, const double *x)
{
    const slip_load_observer *loads = m->base.loads;
    double kinetic, potential;
    record(m, t, x, loads->records, &kinetic, &potential);
    loads->sample(loads->context, t, loads->records);
}

static void relay_step(void *context, const slip_integrator *inner, double t, const double *x, double h,
                       const slip_integrator_work *work, const double *end, bool chained)
{
    slip_ode_run *m = context;
    const slip_ode_observer *f = m->observer;
    if (f) f->steps.stepped(f->steps.context, inner, t, x, h, work, end, chained);
    sample_loads(m, t + h, end);
}

static void relay_change(void *context, double t, const double *x, bool flies)
{
    const slip_ode_observer *f = ((slip_ode_run *)context)->observer;
    if (f) f->steps.changed(f->steps.context, t, x, flies);
}

// who is told of the finer steps of a step: nobody, an observer, or a tally of loads besides
static const slip_step_observer *finer_step_observer(slip_ode_run *m)
{
    if (!m->base.loads || m->peeks) return m->observer ? &m->observer->steps : NULL;
    m->relay = (slip_step_observer){ m, relay_step, relay_change };
    return &m->relay;
}

// one step from (t, x), of `step` at the most, that does not leap
static slip_run_outcome take_step(slip_ode_run *m, slip_step_control *control, double t, const double *x,
                                  double step, double *out, double *taken)
{
    bool bent = !m->integrator->adaptive || !m->problem.border;
    m->problem.stop = m->base.stop;
    m->problem.observer = finer_step_observer(m);
    for (;;) {
        *taken = step;
        slip_run_outcome outcome =
            m->integrator->step(&m->problem, control, t, x, step, &m->work, out, taken);
        if (outcome != SLIP_RUNNING) return outcome;
        double share = fraction_before_contact(m, t, x, out, *taken);
        if (share >= 1.0 && !(m->ode->answer > 0.0 && skips_contact(m, t + *taken, out, *taken))) {
            double part = bent ? 1.0 : slip_ode_run_force_discontinuity(m, t, x, m->work.k[0], *taken, out);
            if (part >= 1.0) {
                notify_observer(m, t, x, *taken, out);
                return outcome;
            }
            step = part * *taken; // and the next one begins on the other side
            bent = true;
        } else
            step = (share < 1.0 ? fmax(share, 0.1) : 0.5) * *taken;
        if (slip_stop_is_due(m->base.stop)) return SLIP_STOPPED;
        if (!(step > 0.0)) return SLIP_STEP_TOO_SMALL;
    }
}

// what an adaptive integrator may take of a step
static double longest_step(const slip_ode_run *m, double t, double step, double max)
{
    if (!m->integrator->adaptive) return step;
    return m->problem.end ? fmin(fmin(step, max), slip_time_schedule_end(&m->timetable, t) - t)
                          : fmin(step, max);
}

void slip_ode_run_accept(slip_ode_run *m, double t)
{
    double *old = m->x;
    m->x = m->next;
    m->next = old;
    m->base.state = m->x;
    m->before = m->base.t;
    m->base.t = t;
    m->fresh = false;
    if (m->integrator->adaptive) m->base.planned = fmin(m->control.next, m->control.max);
    const double *ledger = m->x + m->ode->state_count;
    if (m->ode->ledger_count == 0) return;
    m->base.work = ledger[SLIP_LEDGER_WORK];
    m->base.friction = ledger[SLIP_LEDGER_FRICTION];
    m->base.contact = ledger[SLIP_LEDGER_CONTACT];
}

bool slip_ode_run_load(slip_ode_run *m)
{
    if (slip_fused_rk4_is_current(m->program)) return true;
    if (!slip_ode_run_refresh_rate(m)) return false;
    slip_ode_set_stage(m->ode, m->integrator->first_stage * m->step);
    slip_fused_rk4_load(m->program, m->x, m->work.k[0]);
    return true;
}

// Whether whole steps of this length are a program
static bool has_program(const slip_ode_run *m, double step)
{
    return m->program && step == m->step && (!m->observer || m->observer->whole);
}

// A whole step by the program, whose registers hold the present state; false when it meets what is not
// finite: the integrator says what that is
static bool run_program(slip_ode_run *m, double t_after)
{
    const slip_ode_observer *f = m->observer;
    m->behind = true;
    if (!slip_fused_rk4_step(m->program, m->base.t, t_after)) return false;
    slip_fused_rk4_state(m->program, m->next);
    if (f) f->begin(f->steps.context, false);
    if (f) f->steps.stepped(f->steps.context, m->integrator, m->base.t, m->x, m->step, NULL, m->next, false);
    slip_ode_run_accept(m, t_after);
    if (f) f->arrived(f->steps.context);
    // an observer would find nothing new
    m->fresh = m->watched && slip_ode_modes_equal(m->ode, m->base.mode) && !slip_ode_run_needs_check(m);
    if (m->fresh) m->before = NAN;
    return true;
}

bool slip_ode_run_coast(slip_method *method, double step, double t_after)
{
    slip_ode_run *m = (slip_ode_run *)method;
    return m->fresh && has_program(m, step) && slip_fused_rk4_is_current(m->program) &&
           run_program(m, t_after);
}

slip_run_outcome slip_ode_run_advance(slip_method *method, double step, double t_after)
{
    slip_ode_run *m = (slip_ode_run *)method;
    slip_run_outcome outcome = slip_ode_run_observe(method);
    if (outcome != SLIP_RUNNING) return outcome;
    if (has_program(m, step) && slip_ode_run_load(m) && run_program(m, t_after)) return SLIP_RUNNING;
    if (!slip_ode_run_refresh_rate(m)) return SLIP_BLOWN_UP;
    // the last step may be shorter than the others, and its first stage with it
    if (m->integrator->first_stage > 0.0 && step != m->step && !slip_ode_run_rate(m, method->t, m->x, step))
        return SLIP_BLOWN_UP;
    m->now = method->mode;
    if (m->observer) m->observer->begin(m->observer->steps.context, false);
    double taken = step, most = longest_step(m, method->t, step, m->control.max);
    outcome = take_step(m, &m->control, method->t, m->x, most, m->next, &taken);
    if (outcome == SLIP_RUNNING && !all_finite(m->next, m->problem.count)) outcome = SLIP_BLOWN_UP;
    if (outcome != SLIP_RUNNING) return outcome;
    slip_ode_run_accept(m, taken == step ? t_after : method->t + taken);
    if (m->observer) m->observer->arrived(m->observer->steps.context);
    return SLIP_RUNNING;
}

// the state at t by steps that leave no trace
static slip_run_outcome peek_state(slip_ode_run *m, double t, const double **state)
{
    slip_step_control control = m->control;
    control.ended = NULL; // what the next step goes on from is not to be touched
    const unsigned looks = m->scan.step, border_looks = m->border.scan.step;
    double at = m->base.t;
    const double *from = m->x;
    slip_run_outcome outcome = slip_ode_run_observe(&m->base);
    if (outcome == SLIP_RUNNING && !slip_ode_run_refresh_rate(m)) outcome = SLIP_BLOWN_UP;
    m->now = m->base.mode;
    m->peeks = true;
    if (m->observer) m->observer->begin(m->observer->steps.context, true);
    if (m->touch) slip_simultaneous_check_pause(slip_contact_detector_impacts(m->touch), true);
    while (outcome == SLIP_RUNNING && at < t) { // an adaptive integrator may take several
        double left = t - at, taken = left, most = longest_step(m, at, left, control.max);
        bool again = from != m->x || m->integrator->first_stage > 0.0;
        if (again && !slip_ode_run_rate(m, at, from, left)) outcome = SLIP_BLOWN_UP;
        if (outcome != SLIP_RUNNING) break;
        if (again) m->fresh = false;
        if (from != m->x) {
            slip_ode_modes(m->ode, m->passing);
            m->now = m->passing;
        }
        outcome = take_step(m, &control, at, from, most, m->aside, &taken);
        at = taken == left ? t : at + taken;
        if (at < t) memcpy(m->next, m->aside, (size_t)m->problem.count * sizeof *m->next);
        from = at < t ? m->next : m->aside;
    }
    if (m->touch) slip_simultaneous_check_pause(slip_contact_detector_impacts(m->touch), false);
    m->peeks = false;
    m->scan.step = looks,
    m->border.scan.step = border_looks; // where the run looks next does not depend on it
    *state = from;
    return outcome;
}

slip_run_outcome slip_ode_run_peek(slip_method *method, double t, double *row)
{
    slip_ode_run *m = (slip_ode_run *)method;
    const double *from = NULL;
    slip_run_outcome outcome = peek_state(m, t, &from);
    if (outcome != SLIP_RUNNING) return outcome;
    double kinetic, potential;
    memcpy(row, from, (size_t)m->ode->state_count * sizeof *row);
    record(m, t, from, row + m->ode->state_count, &kinetic, &potential);
    return SLIP_RUNNING;
}

void slip_ode_run_record(slip_method *method, double *records, double *kinetic, double *potential)
{
    slip_ode_run *m = (slip_ode_run *)method;
    method->driven = record(m, method->t, m->x, records, kinetic, potential);
}

void slip_ode_run_state_changed(slip_method *method)
{
    slip_ode_run *m = (slip_ode_run *)method;
    m->fresh = m->behind = false;
    m->before = NAN;
    if (m->program) slip_fused_rk4_invalidate(m->program);
}
