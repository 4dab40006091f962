/// ode/ode_method.c: any slip_ode under any integrator, as a method.
#include "ode/ode_method.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ode/bounce.h"
#include "ode/guard.h"
#include "ode/guard_staged.h"
#include "ode/implicit.h"
#include "ode/touch.h"
#include "integrator/integrator.h"
#include "system/force_border.h"
#include "system/narrow.h"
#include "system/scan.h"

typedef struct ode_method {
    slip_method base;
    slip_ode *ode;
    const slip_integrator *integrator;
    slip_ode_problem problem;
    slip_step_control control;
    slip_integrator_work work;
    double *x, *next, *aside;  // state with quadratures: present, after the step, for peeking
    bool fresh;                // work.k[0] and the modes belong to (t, x)
    slip_touch *touch;         // for integrators that take finer steps in contact
    slip_timetable timetable;  // for integrators that choose their steps
    slip_scan scan;            // gaps within a step, for those that can take one again
    double *sign;              // what the scan is to watch
    slip_force_border border;  // where forces and frictions jump along the motion, for the same
    slip_narrow narrow;        // smooth forces that act on a short way, for the same
    slip_newton *newton;       // for implicit integrators
    slip_guard *guard;         // for integrators with a limit of stability
    slip_staged_guard *staged; // the same for those that tell stage steps
    double step;               // the one asked for
    bool decay_warned;         // a law was too fast for the step
    double strained_since;     // s, when no contact was pressed in more than it may be
    bool strain_warned;        // one was for too long
    unsigned char *after;      // modes at the end of a step
    slip_bounce *bounce;       // for contacts made for a restitution
    double before;    // s, where the step that led here began, its state being in `next`; NaN when none did
    bool watched;     // the guard has seen the modes of the start
    bool step_warned; // the motion has entered a regime beyond the limit
    void *memory;
} ode_method;

static bool rate(void *context, double t, const double *x, double *xdot)
{
    return slip_ode_rate(((ode_method *)context)->ode, t, x, xdot);
}

static bool linearise(void *context, double t, const double *x, const double *xdot, double scale)
{
    return slip_newton_factor(((ode_method *)context)->newton, t, x, xdot, scale);
}

static void solve(void *context, double *b)
{
    slip_newton_solve(((ode_method *)context)->newton, b);
}

static bool derivative(void *context, double t, const double *x, const double *xdot, double *J, int stride)
{
    return slip_newton_derivative(((ode_method *)context)->newton, t, x, xdot, J, stride);
}

static void stage(void *context, double tau)
{
    slip_ode_set_stage(((ode_method *)context)->ode, tau);
}

static double end(void *context, double t)
{
    return slip_timetable_end(&((ode_method *)context)->timetable, t);
}

// k[0] for a step of this length
static bool rate_at(ode_method *m, double t, const double *x, double step)
{
    slip_ode_set_stage(m->ode, m->integrator->first_stage * step);
    return slip_ode_rate(m->ode, t, x, m->work.k[0]);
}

static void destroy(slip_method *method)
{
    ode_method *m = (ode_method *)method;
    if (m->integrator && m->integrator->stop) m->integrator->stop(&m->work);
    slip_touch_destroy(m->touch);
    slip_timetable_destroy(&m->timetable);
    slip_scan_destroy(&m->scan);
    slip_force_border_destroy(&m->border);
    slip_narrow_destroy(&m->narrow);
    slip_newton_destroy(m->newton);
    slip_guard_destroy(m->guard);
    slip_staged_destroy(m->staged);
    slip_bounce_destroy(m->bounce);
    slip_ode_destroy(m->ode);
    free(m->memory);
    free(m);
}

// ---------------------------------------------------------------------------------------- step guard

static void judge(ode_method *m, slip_step_limit limit, const char *regime)
{
    if (limit.step < m->base.largest_stable_step) m->base.largest_stable_step = limit.step;
    if (!(m->step > limit.step * (1.0 + 1e-6))) return;
    char mode[64];
    if (limit.im > 1e-9 * fabs(limit.re))
        snprintf(mode, sizeof mode, "%.4g +- %.4gi", limit.re, limit.im);
    else
        snprintf(mode, sizeof mode, "%.4g", limit.re);
    slip_warning *w = slip_method_warn(
        &m->base, SLIP_WARNING_STEP_TOO_LONG, "",
        "the step of %g s is too long for %s %s: its largest stable step there is %.3g s (eigenvalue %s "
        "1/s, around %s), beyond it expect creep and chatter; integrator sdirk4 has no such limit",
        m->step, m->integrator->info.name, regime, limit.step, mode, limit.state);
    slip_warning_value(w, "largest stable step", limit.step, "s");
    slip_warning_value(w, "eigenvalue, real part", limit.re, "1/s");
    slip_warning_value(w, "eigenvalue, imaginary part", limit.im, "1/s");
    slip_warning_advise(w, "run.step", slip_two_digits_below(0.98 * limit.step));
    slip_warning_advise_word(w, "run.integrator", "sdirk4");
}

// an integrator that tells stage steps has no eigenvalue to name
static void judge_staged(ode_method *m, slip_step_limit limit, const char *regime)
{
    if (!(limit.step < m->step)) return;
    if (limit.step < m->base.largest_stable_step) m->base.largest_stable_step = limit.step;
    slip_warning *w = slip_method_warn(
        &m->base, SLIP_WARNING_STEP_TOO_LONG, "",
        "the step of %g s is too long for %s %s: its largest stable step there is %.3g s (around %s), beyond "
        "it expect creep and chatter; give softer constants, or those of this run with a step of %.2g s or "
        "less (left out, they stiffen as the step shortens); integrator sdirk4 has no such limit",
        m->step, m->integrator->info.name, regime, limit.step, limit.state,
        slip_two_digits_below(0.98 * limit.step));
    slip_warning_value(w, "largest stable step", limit.step, "s");
    slip_warning_advise_word(w, "run.integrator", "sdirk4");
}

static slip_status set_staged_guard(ode_method *m, slip_error *error)
{
    slip_staged_guard *stuck = NULL;
    slip_status status = slip_staged_create(m->ode, true, error, &stuck);
    if (status != SLIP_OK) return status;
    judge_staged(m, slip_staged_limit(stuck, m->step, 0.0, m->x), "with every contact closed and sticking");
    slip_staged_destroy(stuck);
    return slip_staged_create(m->ode, false, error, &m->staged);
}

static slip_status set_guard(ode_method *m, slip_error *error)
{
    m->base.largest_stable_step = INFINITY;
    if (m->integrator->first_stage > 0.0) return set_staged_guard(m, error);
    slip_status status = slip_guard_create(m->ode, m->integrator, error, &m->guard);
    if (status != SLIP_OK || !m->guard) return status;
    // a start at which f cannot be evaluated is the first step's to report
    if (rate_at(m, 0.0, m->x, m->step))
        judge(m, slip_guard_stuck(m->guard, 0.0, m->x, m->work.k[0]),
              "with every contact closed and sticking");
    return SLIP_OK;
}

// Bristles that sliding wears off at |v| K/F per second: beyond 2.785 per step rk4 multiplies what it should
// damp (Kikuuwe 2008, errata K14). The motion decides when, so this is asked at every step.
static void judge_decay(ode_method *m)
{
    const char *element = "";
    double decay = slip_ode_fastest_decay(m->ode, &element);
    if (m->integrator->adaptive || !(decay * m->step > 2.785) || m->decay_warned) return;
    m->decay_warned = true;
    slip_warning *w = slip_method_warn(
        &m->base, SLIP_WARNING_STEP_TOO_LONG, element,
        "friction %s slides too fast for a step of %g s: its law needs |v| K/F below 2.785/step, and "
        "%.3g 1/s is reached; a softer law would do, or integrator sdirk4",
        element, m->step, decay);
    slip_warning_value(w, "|v| K/F", decay, "1/s");
    slip_warning_advise(w, "run.step", slip_two_digits_below(2.785 / decay));
    slip_warning_advise_word(w, "run.integrator", "sdirk4");
}

// of what a contact may be pressed in at rest: too deep for an impact
static const double DEEP = 20.0;

// A contact whose stiffness the program chose, and which gives way to what rests on it
static void judge_strain(ode_method *m)
{
    const char *element = "";
    double strain = slip_ode_largest_strain(m->ode, &element);
    if (!(strain > 1.0)) m->strained_since = m->base.t;
    bool lasts = m->base.t - m->strained_since >= m->ode->patience;
    if (m->strain_warned || !(lasts || strain > DEEP)) return;
    m->strain_warned = true;
    slip_warning *w = slip_method_warn(
        &m->base, SLIP_WARNING_TOO_SOFT, element,
        "contact %s is too soft for what rests on it: it is pressed in by %.3g %% of the length of its gap, "
        "and the stiffness that this step allows carries no more; take integrator substeps, a smaller step, "
        "or "
        "give it a stiffness of its own (compliance.stiffness)",
        element, strain);
    slip_warning_value(w, "depth", strain, "%");
    // the stiffness goes as 1/step^2
    slip_warning_advise(w, "run.step", slip_two_digits_below(0.9 * m->step / sqrt(strain)));
    if (!m->integrator->finer) slip_warning_advise_word(w, "run.integrator", "substeps");
}

// ------------------------------------------------------------------------------------------ one method

static slip_run_outcome observe(slip_method *method)
{
    ode_method *m = (ode_method *)method;
    if (m->fresh) return SLIP_RUNNING;
    if (!rate_at(m, method->t, m->x, m->step)) return SLIP_BLOWN_UP;
    if (m->touch) memcpy(m->after, method->mode, (size_t)method->element_count);
    bool changed = slip_ode_modes(m->ode, method->mode);
    if (m->touch && changed) changed = slip_touch_hold(m->touch, method->t, m->x, m->after, method->mode);
    if (m->ode->has_decay) judge_decay(m);
    if (m->ode->patience > 0.0) judge_strain(m);
    if (m->guard && (changed || !m->watched) && !m->step_warned) {
        m->watched = true;
        slip_step_limit limit = slip_guard_look(m->guard, method->t, m->x, m->work.k[0], method->mode,
                                                method->largest_stable_step);
        judge(m, limit, "in the regime that the motion has entered");
        m->step_warned = m->step > limit.step; // an answer in doubt is in doubt: no need to look on
    }
    if (m->staged && (changed || !m->watched) && !m->step_warned) {
        m->watched = true;
        slip_step_limit limit = slip_staged_look(m->staged, m->step, method->t, m->x, method->mode);
        judge_staged(m, limit, "in the regime that the motion has entered");
        m->step_warned = m->step > limit.step;
        slip_ode_set_stage(m->ode, m->integrator->first_stage * m->step);
    }
    if (m->bounce && changed) slip_bounce_look(m->bounce, method, m->step, m->before, m->next);
    m->before = NAN;
    if (m->integrator->prepare) {
        m->integrator->prepare(&m->control, method->t, m->x, &m->work);
        method->planned = m->control.next;
    }
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
static bool leaps(ode_method *m, double t, const double *end, double taken)
{
    if (!m->integrator->adaptive || m->integrator->between || !(taken > m->ode->answer)) return false;
    if (!slip_ode_rate(m->ode, t, end, m->work.stage)) return true;
    slip_ode_modes(m->ode, m->after);
    bool leaped = false;
    for (int k = 0; k < m->base.element_count; k++)
        leaped = leaped || (m->after[k] & ~m->base.mode[k] & SLIP_MODE_CLOSED);
    return leaped;
}

// The share of a step after which a gap closes that is open at both ends; 1 when none does. What is shorter
// than a contact takes to answer has felt it.
static double free_share(ode_method *m, double t, const double *x, const double *end, double taken)
{
    if (!m->sign || !(taken > m->ode->answer)) return 1.0;
    if (!slip_ode_rate(m->ode, t + taken, end, m->work.stage)) return 0.5;
    slip_leg leg = { t, taken, x, m->work.k[0], end, m->work.stage };
    for (int k = 0; k < m->base.element_count; k++)
        m->sign[k] = m->base.mode[k] & SLIP_MODE_CLOSED || m->ode->elements[k].gap < 0 ? 0.0 : 1.0;
    return slip_scan_functions(&m->scan, &leg, m->sign);
}

static double border(void *context, double t, const double *x, const double *xdot, double step,
                     const double *end)
{
    ode_method *m = context;
    double *begin = m->border.count ? m->border.rate : m->narrow.rate;
    if (!begin) return 1.0;
    memcpy(begin, xdot, 2 * (size_t)m->ode->n * sizeof *xdot);
    if (!slip_ode_rate(m->ode, t + step, end, m->work.stage)) return 1.0;
    slip_leg leg = { t, step, x, begin, end, m->work.stage };
    return fmin(slip_force_border_first(&m->border, &leg), slip_narrow_of_stages(&m->narrow, &leg));
}

// one step from (t, x), of `step` at the most, that does not leap
static slip_run_outcome take_step(ode_method *m, slip_step_control *control, double t, const double *x,
                                  double step, double *out, double *taken)
{
    bool bent = !m->integrator->adaptive || m->integrator->between || !m->problem.border;
    m->problem.stop = m->base.stop;
    for (;;) {
        *taken = step;
        slip_run_outcome outcome =
            m->integrator->step(&m->problem, control, t, x, step, &m->work, out, taken);
        if (outcome != SLIP_RUNNING) return outcome;
        double share = free_share(m, t, x, out, *taken);
        if (share >= 1.0 && !(m->ode->answer > 0.0 && leaps(m, t + *taken, out, *taken))) {
            double part = bent ? 1.0 : border(m, t, x, m->work.k[0], *taken, out);
            if (part >= 1.0) return outcome;
            step = part * *taken; // and the next one begins on the other side
            bent = true;
        } else
            step = (share < 1.0 ? fmax(share, 0.1) : 0.5) * *taken;
        if (slip_stop_is_due(m->base.stop)) return SLIP_STOPPED;
        if (!(step > 0.0)) return SLIP_STEP_TOO_SMALL;
    }
}

// what an adaptive integrator may take of a step
static double longest(const ode_method *m, double t, double step, double max)
{
    if (!m->integrator->adaptive) return step;
    return m->problem.end ? fmin(fmin(step, max), slip_timetable_end(&m->timetable, t) - t) : fmin(step, max);
}

static slip_run_outcome advance(slip_method *method, double step, double t_after)
{
    ode_method *m = (ode_method *)method;
    slip_run_outcome outcome = observe(method);
    if (outcome != SLIP_RUNNING) return outcome;
    // the last step may be shorter than the others, and its first stage with it
    if (m->integrator->first_stage > 0.0 && step != m->step && !rate_at(m, method->t, m->x, step))
        return SLIP_BLOWN_UP;
    double taken = step, most = longest(m, method->t, step, m->control.max);
    outcome = take_step(m, &m->control, method->t, m->x, most, m->next, &taken);
    if (outcome == SLIP_RUNNING && !all_finite(m->next, m->problem.count)) outcome = SLIP_BLOWN_UP;
    if (outcome != SLIP_RUNNING) return outcome;
    double *old = m->x;
    m->x = m->next;
    m->next = old;
    method->state = m->x;
    m->before = method->t;
    method->t = taken == step ? t_after : method->t + taken;
    m->fresh = false;
    method->planned = fmin(m->control.next, m->control.max);
    const double *ledger = m->x + m->ode->state_count;
    if (m->ode->ledger_count == 0) return SLIP_RUNNING;
    method->work = ledger[SLIP_LEDGER_WORK];
    method->friction = ledger[SLIP_LEDGER_FRICTION];
    method->contact = ledger[SLIP_LEDGER_CONTACT];
    return SLIP_RUNNING;
}

// the state at t by steps that leave no trace, or within the step that was taken in advance
static slip_run_outcome look_ahead(ode_method *m, double t, const double **state)
{
    slip_step_control control = m->control;
    control.ended = NULL; // what the next step goes on from is not to be touched
    const unsigned looks = m->scan.step, border_looks = m->border.scan.step;
    double at = m->base.t;
    const double *from = m->x;
    slip_run_outcome outcome = observe(&m->base);
    if (outcome == SLIP_RUNNING && m->integrator->between) {
        *state = m->aside;
        return m->integrator->between(&m->work, t, m->aside);
    }
    while (outcome == SLIP_RUNNING && at < t) { // an adaptive integrator may take several
        double left = t - at, taken = left, most = longest(m, at, left, control.max);
        bool again = from != m->x || m->integrator->first_stage > 0.0;
        if (again && !rate_at(m, at, from, left)) return SLIP_BLOWN_UP;
        if (again) m->fresh = false;
        outcome = take_step(m, &control, at, from, most, m->aside, &taken);
        at = taken == left ? t : at + taken;
        if (at < t) memcpy(m->next, m->aside, (size_t)m->problem.count * sizeof *m->next);
        from = at < t ? m->next : m->aside;
    }
    m->scan.step = looks,
    m->border.scan.step = border_looks; // where the run looks next does not depend on it
    *state = from;
    return outcome;
}

static slip_run_outcome peek(slip_method *method, double t, double *row)
{
    ode_method *m = (ode_method *)method;
    const double *from = NULL;
    slip_run_outcome outcome = look_ahead(m, t, &from);
    if (outcome != SLIP_RUNNING) return outcome;
    double kinetic, potential;
    memcpy(row, from, (size_t)m->ode->state_count * sizeof *row);
    slip_ode_record(m->ode, t, from, row + m->ode->state_count, &kinetic, &potential);
    return SLIP_RUNNING;
}

static void record(slip_method *method, double *records, double *kinetic, double *potential)
{
    ode_method *m = (ode_method *)method;
    method->driven = slip_ode_record(m->ode, method->t, m->x, records, kinetic, potential);
}

static void touched(slip_method *method)
{
    ode_method *m = (ode_method *)method;
    m->fresh = false;
    m->before = NAN;
}

static void layout(slip_arena *a, ode_method *m)
{
    int count = m->problem.count;
    m->x = SLIP_TAKE(a, double, count);
    m->next = SLIP_TAKE(a, double, count);
    m->aside = SLIP_TAKE(a, double, count);
    m->base.mode = SLIP_TAKE(a, unsigned char, m->ode->element_count);
    m->after = SLIP_TAKE(a, unsigned char, m->ode->element_count);
    const char **names = SLIP_TAKE(a, const char *, m->ode->element_count);
    for (int k = 0; k < m->ode->element_count && a->base; k++) names[k] = m->ode->elements[k].name;
    m->base.element_name = names;
    const char **records = SLIP_TAKE(a, const char *, m->ode->record_count);
    for (int k = 0; k < m->ode->record_count && a->base; k++) records[k] = m->ode->model->records[k].name;
    m->base.record_name = records;
    m->integrator->layout(a, count, &m->work);
    if (m->integrator->adaptive && !m->integrator->between && m->ode->equations)
        m->sign = SLIP_TAKE(a, double, m->ode->element_count);
    if (m->integrator->finer) m->control.ended = SLIP_TAKE(a, double, 2 * count);
}

static slip_status take_memory(ode_method *m)
{
    slip_arena count = { 0 };
    layout(&count, m);
    slip_arena real = { .base = slip_arena_memory(count.used) };
    if (!real.base) return SLIP_NO_MEMORY;
    m->memory = real.base;
    layout(&real, m);
    return SLIP_OK;
}

// x and next change places as steps are taken
static void archive_places(ode_method *m, const ode_method *laid, slip_archive *a)
{
    bool now = m->x != laid->x, then = now;
    slip_archive_bool(a, "swapped", &then);
    if (then != now) {
        double *x = m->x;
        m->x = m->next;
        m->next = x;
    }
    m->base.state = m->x;
}

static void archive(slip_method *method, slip_archive *a)
{
    ode_method *m = (ode_method *)method, laid = *m;
    if (m->integrator->start) {
        slip_archive_fail(
            a, SLIP_UNSUPPORTED,
            "integrator %s keeps a history that cannot be written down; sdirk4 is for stiff models too",
            m->integrator->info.name);
        return;
    }
    slip_archive_open(a, "ode");
    slip_method_archive(method, NULL, a);
    slip_arena arena = { .base = m->memory, .archive = a };
    layout(&arena, &laid);
    archive_places(m, &laid, a);
    slip_archive_double(a, "next_step", &m->control.next);
    slip_archive_double(a, "ended_at", &m->control.ended_at);
    slip_archive_bool(a, "fresh", &m->fresh);
    slip_archive_bool(a, "decay_warned", &m->decay_warned);
    slip_archive_double(a, "strained_since", &m->strained_since);
    slip_archive_bool(a, "strain_warned", &m->strain_warned);
    slip_archive_double(a, "before", &m->before);
    slip_archive_bool(a, "watched", &m->watched);
    slip_archive_bool(a, "step_warned", &m->step_warned);
    if (m->sign) slip_scan_archive(&m->scan, a);
    if (m->border.count) slip_scan_archive(&m->border.scan, a);
    if (m->guard) slip_guard_archive(m->guard, a);
    if (m->staged) slip_staged_archive(m->staged, a);
    if (m->bounce) slip_bounce_archive(m->bounce, a);
    slip_archive_close(a);
    // the present step of a stage is an input of the tapes
    if (slip_archive_reads(a)) slip_ode_set_stage(m->ode, m->integrator->first_stage * m->step);
}

static const slip_method_ops ops = { destroy, observe, advance, peek, record, touched, NULL, NULL, archive };

// Finer steps are short in contact anyway: what they leave of errors are forces there
static const double FINER = 0.01;

// The tolerance is meant for motions of a metre: smaller ones need more digits, and no contact gives more
// than rounding leaves of a velocity, the rounding of positions over the time in which contacts answer.
static double absolute_tolerance(const slip_ode *ode, const slip_sim_def *settings)
{
    if (!(ode->tau > 0.0 && ode->size > 0.0)) return settings->absolute;
    return fmax(settings->absolute * fmin(1.0, ode->size), 10.0 * DBL_EPSILON * ode->size / ode->tau);
}

slip_status slip_ode_method_create(slip_ode *ode, const slip_sim_def *settings, slip_error *error,
                                   slip_method **out)
{
    *out = NULL;
    ode_method *m = calloc(1, sizeof *m);
    if (!m) {
        slip_ode_destroy(ode);
        return slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    }
    m->ode = ode;
    m->base.log = ode->log;
    m->integrator = slip_integrator_named(settings->integrator);
    m->problem = (slip_ode_problem){ .count = ode->state_count + ode->ledger_count,
                                     .quadratures = ode->ledger_count,
                                     .context = m,
                                     .rate = rate,
                                     .stage = stage };
    m->control = (slip_step_control){ .relative = (m->integrator->finer ? FINER : 1.0) * settings->relative,
                                      .absolute = absolute_tolerance(ode, settings),
                                      .next = fmin(settings->step, settings->max_step),
                                      .max = settings->max_step,
                                      .ended_at = NAN };
    m->step = settings->step;
    slip_status status = SLIP_OK;
    if (m->integrator->missing)
        status = slip_fail(
            error, SLIP_UNSUPPORTED, "integrator",
            "%s needs %s, which this build of slipstick was made without; sdirk4 is for stiff models too",
            m->integrator->info.name, m->integrator->missing);
    else if (take_memory(m) != SLIP_OK)
        status = slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    if (status == SLIP_OK && m->integrator->implicit) {
        m->problem.linearise = linearise;
        m->problem.solve = solve;
        m->problem.derivative = derivative;
        status = slip_newton_create(ode, error, &m->newton);
    }
    if (status == SLIP_OK && (m->integrator->adaptive || m->integrator->finer) && ode->equations) {
        if (!slip_equations_timetable(ode->equations, settings->until, &m->timetable) ||
            !slip_force_border_create(&m->border, ode->equations, settings->until) ||
            !slip_narrow_create(&m->narrow, ode->equations) ||
            (m->sign && !slip_scan_create(&m->scan, ode->equations, NULL, settings->until)))
            status = slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
        m->problem.end = end;
        if (m->border.count || m->narrow.count) m->problem.border = border;
    }
    if (status == SLIP_OK && m->integrator->finer && ode->tau > 0.0) {
        status = slip_touch_create(ode, error, &m->touch);
        if (m->touch) m->problem.watch = slip_touch_watch(m->touch);
    }
    if (status == SLIP_OK) {
        memcpy(m->x, ode->start, (size_t)ode->state_count * sizeof *m->x);
        if (m->touch) slip_touch_start(m->touch, m->x);
        m->before = NAN;
        status = set_guard(m, error);
    }
    if (status == SLIP_OK) status = slip_bounce_create(ode, error, &m->bounce);
    if (status == SLIP_OK && m->integrator->start &&
        !m->integrator->start(&m->problem, &m->control, m->x, &m->work))
        status = slip_fail(error, SLIP_NO_MEMORY, "integrator", "out of memory");
    if (status != SLIP_OK) {
        destroy(&m->base);
        return status;
    }
    slip_method *base = &m->base;
    base->ops = &ops;
    base->equations = ode->equations;
    base->state_count = ode->state_count;
    base->state_name = ode->state_name;
    base->state = m->x;
    base->record_count = ode->record_count;
    base->element_count = ode->element_count;
    base->has_energy = ode->equations != NULL;
    base->adaptive = m->integrator->adaptive;
    base->planned = m->control.next;
    base->constant_count = ode->constant_count;
    base->constants = ode->constants;
    *out = base;
    return SLIP_OK;
}
