/// formulation/ode/ode_method.c: any slip_ode under any integrator, as a method: made, written down,
/// destroyed.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/ode/ode_method.h"
#include "formulation/ode/ode_run.h"
#include "formulation/ode/fused_rk4_work.h"
#include "formulation/ode/ode_tolerances.h"

static bool evaluate_rate(void *context, double t, const double *x, double *xdot)
{
    return slip_ode_rate(((slip_ode_run *)context)->ode, t, x, xdot);
}

static bool factor_iteration_matrix(void *context, double t, const double *x, const double *xdot,
                                    double scale)
{
    return slip_iteration_matrix_factor(((slip_ode_run *)context)->newton, t, x, xdot, scale);
}

static void solve_iteration_matrix(void *context, double *b)
{
    slip_iteration_matrix_solve(((slip_ode_run *)context)->newton, b);
}

static void set_stage_step(void *context, double tau)
{
    slip_ode_set_stage(((slip_ode_run *)context)->ode, tau);
}

static double step_end_limit(void *context, double t)
{
    return slip_time_schedule_end(&((slip_ode_run *)context)->timetable, t);
}

static void ode_run_destroy(slip_method *method)
{
    slip_ode_run *m = (slip_ode_run *)method;
    slip_fused_rk4_destroy(m->program);
    slip_contact_detector_destroy(m->touch);
    slip_time_schedule_destroy(&m->timetable);
    slip_step_scan_destroy(&m->scan);
    slip_force_discontinuity_destroy(&m->border);
    slip_narrow_features_destroy(&m->narrow);
    slip_iteration_matrix_destroy(m->newton);
    slip_stability_limit_destroy(m->guard);
    slip_staged_limit_destroy(m->staged);
    slip_force_check_destroy(m->bounce);
    slip_ode_destroy(m->ode);
    free(m->memory);
    free(m);
}

static void ode_run_layout(slip_arena *a, slip_ode_run *m)
{
    int count = m->problem.count;
    m->x = SLIP_TAKE(a, double, count);
    m->next = SLIP_TAKE(a, double, count);
    m->aside = SLIP_TAKE(a, double, count);
    m->base.mode = SLIP_TAKE(a, unsigned char, m->ode->element_count);
    m->after = SLIP_TAKE(a, unsigned char, m->ode->element_count);
    m->passing = SLIP_TAKE_SCRATCH(a, unsigned char, m->ode->element_count);
    const char **names = SLIP_TAKE(a, const char *, m->ode->element_count);
    for (int k = 0; k < m->ode->element_count && a->base; k++) names[k] = m->ode->elements[k].name;
    m->base.element_name = names;
    const char **records = SLIP_TAKE(a, const char *, m->ode->record_count);
    for (int k = 0; k < m->ode->record_count && a->base; k++)
        records[k] = slip_model_record_name(m->ode->model, k);
    m->base.record_name = records;
    m->integrator->layout(a, count, &m->work);
    if (m->integrator->adaptive && m->ode->equations) m->sign = SLIP_TAKE(a, double, m->ode->element_count);
    if (m->integrator->finer) m->control.ended = SLIP_TAKE(a, double, 2 * count);
}

static slip_status allocate_ode_run(slip_ode_run *m)
{
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &m->memory)) ode_run_layout(&arena, m);
    if (!m->memory) return SLIP_NO_MEMORY;
    return SLIP_OK;
}

// x and next change places as steps are taken
static void archive_state_order(slip_ode_run *m, const slip_ode_run *laid, slip_archive *a)
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

static void ode_run_archive(slip_method *method, slip_archive *a)
{
    slip_ode_run *m = (slip_ode_run *)method, laid = *m;
    if (m->fresh) slip_ode_run_refresh_rate(m); // else no one asks for it
    slip_archive_open(a, "ode");
    slip_method_archive(method, NULL, a);
    slip_arena arena = { .base = m->memory, .archive = a };
    ode_run_layout(&arena, &laid);
    archive_state_order(m, &laid, a);
    slip_archive_double(a, "next_step", &m->control.next);
    slip_archive_double(a, "ended_at", &m->control.ended_at);
    slip_archive_bool(a, "fresh", &m->fresh);
    slip_archive_bool(a, "decay_warned", &m->decay_warned);
    slip_archive_double(a, "strained_since", &m->strained_since);
    slip_archive_bool(a, "strain_warned", &m->strain_warned);
    slip_archive_double(a, "before", &m->before);
    slip_archive_bool(a, "watched", &m->watched);
    slip_archive_bool(a, "step_warned", &m->step_warned);
    if (m->sign) slip_step_scan_archive(&m->scan, a);
    if (m->border.count) slip_step_scan_archive(&m->border.scan, a);
    if (m->guard) slip_stability_limit_archive(m->guard, a);
    if (m->staged) slip_staged_limit_archive(m->staged, a);
    if (m->bounce) slip_force_check_archive(m->bounce, a);
    if (m->touch) slip_simultaneous_check_archive(slip_contact_detector_impacts(m->touch), a);
    slip_archive_close(a);
    if (!slip_archive_reads(a)) return;
    // the present step of a stage is an input of the tapes
    slip_ode_set_stage(m->ode, m->integrator->first_stage * m->step);
    m->behind = false;
    if (m->program) slip_fused_rk4_invalidate(m->program);
}

static const slip_method_ops ops = {
    .destroy = ode_run_destroy,
    .observe = slip_ode_run_observe,
    .advance = slip_ode_run_advance,
    .peek = slip_ode_run_peek,
    .record = slip_ode_run_record,
    .touched = slip_ode_run_state_changed,
    .archive = ode_run_archive,
    .coast = slip_ode_run_coast,
};

bool slip_ode_method_is(const slip_method *method)
{
    return method->ops == &ops;
}

// The tolerance is meant for motions of a metre: smaller ones need more digits, and no contact gives more
// than rounding leaves of a velocity, the rounding of positions over the time in which contacts answer.
static double absolute_tolerance(const slip_ode *ode, const slip_sim_def *settings)
{
    if (!(ode->tau > 0.0 && ode->size > 0.0)) return settings->absolute;
    return fmax(settings->absolute * fmin(1.0, ode->size), 10.0 * DBL_EPSILON * ode->size / ode->tau);
}

static slip_status out_of_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
}

static void set_problem(slip_ode_run *m, const slip_sim_def *settings)
{
    const slip_ode *ode = m->ode;
    m->problem = (slip_ode_problem){ .count = ode->state_count + ode->ledger_count,
                                     .quadratures = ode->ledger_count,
                                     .context = m,
                                     .rate = evaluate_rate,
                                     .stage = set_stage_step };
    m->control = (slip_step_control){ .relative = (m->integrator->finer ? FINER_STEP_TOLERANCE_FACTOR : 1.0) *
                                                  settings->relative,
                                      .absolute = absolute_tolerance(ode, settings),
                                      .next = fmin(settings->step, settings->max_step),
                                      .max = settings->max_step,
                                      .ended_at = NAN };
    m->step = settings->step;
}

// for implicit integrators
static slip_status create_iteration_matrix(slip_ode_run *m, slip_error *error)
{
    m->problem.linearise = factor_iteration_matrix;
    m->problem.solve = solve_iteration_matrix;
    return slip_iteration_matrix_create(m->ode, error, &m->newton);
}

// for integrators that choose their steps: where these end
static slip_status create_step_limits(slip_ode_run *m, double until, slip_error *error)
{
    slip_equations *equations = m->ode->equations;
    if (!slip_equations_timetable(equations, until, &m->timetable) ||
        !slip_force_discontinuity_create(&m->border, equations, until) ||
        !slip_narrow_features_create(&m->narrow, equations) ||
        (m->sign && !slip_step_scan_create(&m->scan, equations, NULL, until)))
        return out_of_memory(error);
    m->problem.end = step_end_limit;
    if (m->border.count || m->narrow.count) m->problem.border = slip_ode_run_force_discontinuity;
    return SLIP_OK;
}

static slip_status create_contact_detector(slip_ode_run *m, slip_error *error)
{
    slip_status status = slip_contact_detector_create(m->ode, error, &m->touch);
    if (m->touch) m->problem.stiff = slip_contact_detector_phases(m->touch);
    return status;
}

static slip_status start_ode_run(slip_ode_run *m, slip_error *error)
{
    memcpy(m->x, m->ode->start, (size_t)m->ode->state_count * sizeof *m->x);
    if (m->touch) slip_contact_detector_init(m->touch, m->x);
    m->before = NAN;
    slip_status status = slip_ode_run_set_step_limits(m, error);
    if (status == SLIP_OK) status = slip_force_check_create(m->ode, error, &m->bounce);
    return status;
}

static slip_status set_up_ode_run(slip_ode_run *m, const slip_sim_def *settings, slip_error *error)
{
    const slip_integrator *integrator = m->integrator;
    if (allocate_ode_run(m) != SLIP_OK) return out_of_memory(error);
    slip_status status = integrator->implicit ? create_iteration_matrix(m, error) : SLIP_OK;
    if (status == SLIP_OK && (integrator->adaptive || integrator->finer) && m->ode->equations)
        status = create_step_limits(m, settings->until, error);
    if (status == SLIP_OK && integrator->finer && m->ode->tau > 0.0)
        status = create_contact_detector(m, error);
    if (status == SLIP_OK && slip_fused_rk4_create(m->ode, integrator, m->step, &m->program) != SLIP_OK)
        status = out_of_memory(error);
    return status == SLIP_OK ? start_ode_run(m, error) : status;
}

static void fill_method(slip_ode_run *m)
{
    slip_method *base = &m->base;
    const slip_ode *ode = m->ode;
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
}

slip_status slip_ode_method_create(slip_ode *ode, const slip_sim_def *settings, slip_error *error,
                                   slip_method **out)
{
    *out = NULL;
    slip_ode_run *m = calloc(1, sizeof *m);
    if (!m) {
        slip_ode_destroy(ode);
        return out_of_memory(error);
    }
    m->ode = ode;
    m->base.log = ode->log;
    m->integrator = slip_integrator_named(settings->integrator);
    set_problem(m, settings);
    slip_status status = set_up_ode_run(m, settings, error);
    if (status != SLIP_OK) {
        ode_run_destroy(&m->base);
        return status;
    }
    fill_method(m);
    *out = &m->base;
    return SLIP_OK;
}
