/// formulation/ode_method.c: any slip_ode under any integrator, as a method.
#include "formulation/ode_method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrator/integrator.h"

typedef struct ode_method {
    slip_method base;
    slip_ode *ode;
    const slip_integrator *integrator;
    slip_ode_problem problem;
    slip_step_control control;
    slip_integrator_work work;
    double *x, *next, *aside; // state with quadratures: present, after the step, for peeking
    bool fresh;               // work.k[0] and the modes belong to (t, x)
    void *memory;
} ode_method;

static bool rate(void *context, double t, const double *x, double *xdot) { return slip_ode_rate(context, t, x, xdot); }

static void destroy(slip_method *method)
{
    ode_method *m = (ode_method *)method;
    slip_ode_destroy(m->ode);
    free(m->memory);
    free(m);
}

static slip_run_outcome observe(slip_method *method)
{
    ode_method *m = (ode_method *)method;
    if (m->fresh) return SLIP_RUNNING;
    if (!slip_ode_rate(m->ode, method->t, m->x, m->work.k[0])) return SLIP_BLOWN_UP;
    slip_ode_modes(m->ode, method->mode);
    m->fresh = true;
    return SLIP_RUNNING;
}

// 0 * x is 0 for every finite number and NaN for the rest
static bool all_finite(const double *x, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) sum += 0.0 * x[k];
    return sum == 0.0;
}

static slip_run_outcome advance(slip_method *method, double step, double t_after)
{
    ode_method *m = (ode_method *)method;
    slip_run_outcome outcome = observe(method);
    if (outcome != SLIP_RUNNING) return outcome;
    double taken = step;
    outcome = m->integrator->step(&m->problem, &m->control, method->t, m->x, step, &m->work, m->next, &taken);
    if (outcome == SLIP_RUNNING && !all_finite(m->next, m->problem.count)) outcome = SLIP_BLOWN_UP;
    if (outcome != SLIP_RUNNING) return outcome;
    double *old = m->x;
    m->x = m->next;
    m->next = old;
    method->state = m->x;
    method->t = taken == step ? t_after : method->t + taken;
    m->fresh = false;
    method->planned = m->control.next;
    const double *ledger = m->x + m->ode->state_count;
    method->work = ledger[SLIP_LEDGER_WORK];
    method->friction = ledger[SLIP_LEDGER_FRICTION];
    method->contact = ledger[SLIP_LEDGER_CONTACT];
    return SLIP_RUNNING;
}

static slip_run_outcome peek(slip_method *method, double t, double *row)
{
    ode_method *m = (ode_method *)method;
    slip_step_control control = m->control;
    double at = method->t;
    const double *from = m->x;
    slip_run_outcome outcome = observe(method);
    while (outcome == SLIP_RUNNING && at < t) { // an adaptive integrator may take several
        double left = t - at, taken = left;
        if (from != m->x && !slip_ode_rate(m->ode, at, from, m->work.k[0])) return SLIP_BLOWN_UP;
        if (from != m->x) m->fresh = false;
        outcome = m->integrator->step(&m->problem, &control, at, from, left, &m->work, m->aside, &taken);
        at = taken == left ? t : at + taken;
        if (at < t) memcpy(m->next, m->aside, (size_t)m->problem.count * sizeof *m->next);
        from = at < t ? m->next : m->aside;
    }
    if (outcome != SLIP_RUNNING) return outcome;
    double kinetic, potential;
    memcpy(row, from, (size_t)m->ode->state_count * sizeof *row);
    slip_ode_record(m->ode, t, from, row + m->ode->state_count, &kinetic, &potential);
    return SLIP_RUNNING;
}

static void record(slip_method *method, double *records, double *kinetic, double *potential)
{
    ode_method *m = (ode_method *)method;
    slip_ode_record(m->ode, method->t, m->x, records, kinetic, potential);
}

static void touched(slip_method *method) { ((ode_method *)method)->fresh = false; }

static const slip_method_ops ops = { destroy, observe, advance, peek, record, touched };

static const slip_integrator *integrator_by_name(const char *name)
{
    for (int k = 0; slip_integrator_at(k); k++)
        if (strcmp(slip_integrator_at(k)->info.name, name) == 0) return slip_integrator_at(k);
    return NULL;
}

static void layout(slip_arena *a, ode_method *m)
{
    int count = m->problem.count;
    m->x = SLIP_TAKE(a, double, count);
    m->next = SLIP_TAKE(a, double, count);
    m->aside = SLIP_TAKE(a, double, count);
    m->base.mode = SLIP_TAKE(a, unsigned char, m->ode->element_count);
    const char **names = SLIP_TAKE(a, const char *, m->ode->element_count);
    for (int k = 0; k < m->ode->element_count && a->base; k++) names[k] = m->ode->elements[k].name;
    m->base.element_name = names;
    const char **records = SLIP_TAKE(a, const char *, m->ode->record_count);
    for (int k = 0; k < m->ode->record_count && a->base; k++) records[k] = m->ode->model->records[k].name;
    m->base.record_name = records;
    m->integrator->layout(a, count, &m->work);
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

slip_status slip_ode_method_create(slip_ode *ode, const slip_sim_def *settings, slip_error *error, slip_method **out)
{
    *out = NULL;
    ode_method *m = calloc(1, sizeof *m);
    if (!m) {
        slip_ode_destroy(ode);
        return slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    }
    m->ode = ode;
    m->integrator = integrator_by_name(settings->integrator);
    m->problem = (slip_ode_problem){ ode->state_count + SLIP_LEDGER_COUNT, SLIP_LEDGER_COUNT, ode, rate };
    m->control = (slip_step_control){ settings->relative, settings->absolute, settings->step };
    if (take_memory(m) != SLIP_OK) {
        destroy(&m->base);
        return slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    }
    slip_method *base = &m->base;
    base->ops = &ops;
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
    memcpy(m->x, ode->start, (size_t)ode->state_count * sizeof *m->x);
    *out = base;
    return SLIP_OK;
}
