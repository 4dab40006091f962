/// sensitivity/sens_ode.c: derivatives of a motion that an ODE describes, from step to step. See sens_ode.h.
#include "sensitivity/sens_ode.h"
#include "sensitivity/sensitivity_tolerances.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/ode/ode_method.h"

enum { MAX_SHIFT_ITERATIONS = 6 };

static size_t all_of(const slip_sens_ode *f)
{
    return (size_t)f->column_count * (size_t)f->states;
}

void slip_sens_ode_end(slip_sens_ode *f, const char *format, ...)
{
    if (f->lost) return;
    va_list list;
    va_start(list, format);
    vsnprintf(f->reason, sizeof f->reason, format, list);
    va_end(list);
    f->lost = true;
    f->pending = false;
    f->lost_at = f->m->base.t;
    slip_method_warn(&f->m->base, SLIP_WARNING_NO_DERIVATIVES, "", "derivatives end at t = %.9g s: %s",
                     f->lost_at, f->reason);
}

// ------------------------------------------------------------------------------------------------ stages

static const slip_tableau *tableau_of(const slip_sens_ode *f, const slip_integrator *inner)
{
    if (inner == &slip_integrator_cash_karp) return &f->tableau[0];
    return inner == &slip_integrator_esdirk4 ? &f->tableau[1] : &f->tableau[2];
}

// rates of the columns dx at a stage whose state is y and whose own rate is k; dx NULL: by parameters alone
static bool column_rates(slip_sens_ode *f, double tau, double t, const double *y, const double *k,
                         const double *dx, double *to)
{
    const size_t all = all_of(f);
    slip_sens_ode_load(f, SLIP_SENS_ODE_MOTION, tau, t, y, dx);
    if (f->block_entries)
        memcpy(f->reg[SLIP_SENS_ODE_MOTION] + f->in.a, k + f->ode->n, (size_t)f->ode->n * sizeof *k);
    slip_sens_ode_run_tape(f, SLIP_SENS_ODE_MOTION);
    for (size_t i = 0; i < all; i++) to[i] = slip_sens_ode_result(f, SLIP_SENS_ODE_MOTION, (int)i);
    return slip_sens_ode_mass_solve(f, SLIP_SENS_ODE_MOTION, (int)all, f->column_count, to);
}

// state of a stage, from the rates of all stages up to it
static void find_stage(const slip_sens_ode *f, const slip_tableau *w, int s, const double *x, double h,
                       double *const *k, double *y)
{
    for (int i = 0; i < f->states; i++) {
        double sum = 0.0;
        for (int j = 0; j <= s; j++) sum += w->a[s][j] * k[j][i];
        y[i] = x[i] + h * sum;
    }
}

// the same of the columns, up to the stage before
static void find_base(const slip_sens_ode *f, const double *row, int count, double h, double *to)
{
    const size_t all = all_of(f);
    memcpy(to, f->line->x, all * sizeof *to);
    for (int j = 0; j < count; j++)
        for (size_t i = 0; i < all && row[j] != 0.0; i++) to[i] += h * row[j] * f->k[j][i];
}

// dY = base + h gamma (f_x dY + f_p), so (I - h gamma f_x) dY = base + h gamma f_p
static bool solve_stage(slip_sens_ode *f, double t, const double *y, const double *k, double scale,
                        double *dk)
{
    const size_t all = all_of(f);
    if (!slip_iteration_matrix_factor(f->newton, t, y, k, scale) || !column_rates(f, 0.0, t, y, k, NULL, dk))
        return false;
    for (size_t i = 0; i < all; i++) dk[i] = f->base[i] + scale * dk[i];
    for (int c = 0; c < f->column_count; c++)
        slip_iteration_matrix_solve(f->newton, dk + (size_t)c * (size_t)f->states);
    for (size_t i = 0; i < all; i++) dk[i] = (dk[i] - f->base[i]) / scale;
    return true;
}

static void fused_step(slip_sens_ode *f, double t, const double *x, double h)
{
    const int all = (int)all_of(f);
    slip_fused_sensitivity_load(&f->march, 0, f->states, x);
    slip_fused_sensitivity_load(&f->march, f->states, all, f->line->x);
    memcpy(f->march.reg + f->in.dt, f->line->shift, (size_t)f->column_count * sizeof *f->line->shift);
    slip_fused_sensitivity_step(&f->march, t, h);
    slip_fused_sensitivity_read(&f->march, f->states, all, f->line->x);
    f->line->chains = false;
}

static bool differentiate_step(slip_sens_ode *f, const slip_tableau *w, double t, const double *x, double h,
                               double *const *k, bool chained)
{
    if (f->marches && w == f->marched) {
        fused_step(f, t, x, h);
        return true;
    }
    const size_t bytes = all_of(f) * sizeof *f->base;
    for (int s = 0; s < w->stages; s++) {
        double at = t + w->node[s] * h;
        find_stage(f, w, s, x, h, k, f->stage);
        find_base(f, w->a[s], s, h, f->base);
        bool fine = true;
        if (s == 0 && chained && f->line->chains)
            memcpy(f->k[0], f->line->last, bytes);
        else if (s > 0 && w->gamma > 0.0)
            fine = solve_stage(f, at, f->stage, k[s], w->gamma * h, f->k[s]);
        else
            fine = column_rates(f, w->told[s] * h, at, f->stage, k[s], f->base, f->k[s]);
        if (!fine) return false;
    }
    memcpy(f->line->last, f->k[w->stages - 1], bytes);
    f->line->chains = true;
    find_base(f, w->weight, w->stages, h, f->base);
    memcpy(f->line->x, f->base, bytes);
    return true;
}

// --------------------------------------------------------------------------------------------- following

static void set_rate(slip_sens_ode *f, const double *rate)
{
    memcpy(f->line->rate, rate, (size_t)f->states * sizeof *rate);
}

static bool is_shifted(const slip_sens_ode *f)
{
    for (int c = 0; c < f->column_count; c++)
        if (f->line->shift[c] != 0.0) return true;
    return false;
}

// the rate where a step ends, which columns are shifted by; f itself would turn the rounding of positions
// into forces
static void end_rate(slip_sens_ode *f, const slip_tableau *w, double t, const double *end, double *const *k)
{
    if (!f->changes && !is_shifted(f)) return;
    if (w->gamma > 0.0)
        set_rate(f, k[w->stages - 1]);
    else
        slip_sens_ode_rate(f, t, end, f->line->rate);
}

static double column_scale(const slip_sens_ode *f, const double *x)
{
    double size = 0.0;
    for (int k = 0; k < f->states; k++) size = fmax(size, fabs(x[k]));
    return size;
}

// what is crossed so slowly that shifts for it would be larger than the columns is left alone
static bool shifts_are_moderate(const slip_sens_ode *f)
{
    double rate = column_scale(f, f->line->rate);
    for (int c = 0; c < f->column_count; c++)
        if (!(fabs(f->by[c]) * rate <=
              100.0 * (1.0 + column_scale(f, f->line->x + (size_t)c * (size_t)f->states))))
            return false;
    return true;
}

// A step in which f bends or jumps: the columns are shifted where it begins, so that at its end they do not
// change what the switch says
static bool shift_to_crossing(slip_sens_ode *f, const slip_tableau *w, int crossed, double t, const double *x,
                              double h, double *const *k, const double *end)
{
    const size_t bytes = all_of(f) * sizeof *f->out;
    double last = INFINITY;
    for (int round = 0; round < MAX_SHIFT_ITERATIONS; round++) {
        double most = 0.0;
        memcpy(f->out, f->line->x, bytes);
        if (!differentiate_step(f, w, t, x, h, k, false)) return false;
        end_rate(f, w, t + h, end, k);
        slip_sens_ode_crossing_times(f, crossed, t + h, end, f->by);
        for (int c = 0; c < f->column_count; c++) most = fmax(most, fabs(f->by[c]));
        memcpy(f->line->x, f->out, bytes);
        set_rate(f, k[0]);
        if (!(most < last) || !shifts_are_moderate(f)) break;
        last = most;
        slip_sens_ode_shift(f, f->by);
    }
    return true;
}

static bool are_finite(const slip_sens_ode *f)
{
    double sum = 0.0; // 0 * x is 0 for every finite number and NaN for the rest
    for (size_t i = 0; i < all_of(f); i++) sum += 0.0 * f->line->x[i];
    return sum == 0.0;
}

static bool are_bounded(const slip_sens_ode *f)
{
    double most = 0.0;
    for (size_t i = 0; i < all_of(f); i++) most = fmax(most, fabs(f->line->x[i]));
    return most <= LARGEST_DERIVATIVE;
}

static void on_step(void *context, const slip_integrator *inner, double t, const double *x, double h,
                    const slip_integrator_work *work, const double *end, bool chained)
{
    static const slip_tableau euler = { .stages = 1, .weight = { 1.0 } };
    slip_sens_ode *f = context;
    const slip_tableau *w = inner ? tableau_of(f, inner) : &euler;
    if (f->lost) return;
    if (f->shifts) set_rate(f, work->k[0]);
    const int crossed = slip_sens_ode_first_crossing(f, t, x, h, end);
    bool fine = crossed < 0 || shift_to_crossing(f, w, crossed, t, x, h, work->k, end);
    slip_sens_ode_check_step(f, t, x, h, end);
    fine = fine && (f->lost || differentiate_step(f, w, t, x, h, work ? work->k : NULL, inner && chained));
    if (f->shifts) end_rate(f, w, t + h, end, work->k);
    if (!fine || !are_finite(f))
        slip_sens_ode_end(f, "a stage of a step has no derivative");
    else if (!are_bounded(f))
        slip_sens_ode_end(f,
                          "they have grown beyond all bounds: the smallest change of a parameter changes the "
                          "motion wholly");
    if (f->lost) return;
    slip_sens_ode_jump_at_end(f, t + h, end);
    if (crossed >= 0 && slip_sens_ode_is_contact_free(f, t + h, end)) slip_sens_ode_unshift(f);
    slip_sens_ode_impact_speeds(f, t + h, end);
    memcpy(f->line->at, end, (size_t)f->states * sizeof *end);
}

// what is put to rest has no past
static void on_state_changed(void *context, double t, const double *x, bool is_free)
{
    slip_sens_ode *f = context;
    if (f->lost) return;
    slip_sens_ode_impact_speeds(f, t, x);
    for (int i = 2 * f->ode->n; i < f->states; i++)
        for (int c = 0; c < f->column_count && is_free; c++) f->line->x[c * f->states + i] = 0.0;
    memcpy(f->line->at, x, (size_t)f->states * sizeof *x);
}

static void copy_line(const slip_sens_ode *f, const slip_sens_ode_columns *from, slip_sens_ode_columns *to)
{
    const size_t bytes = all_of(f) * sizeof(double);
    memcpy(to->x, from->x, bytes);
    if (from->chains) memcpy(to->last, from->last, bytes);
    memcpy(to->shift, from->shift, (size_t)f->column_count * sizeof(double));
    memcpy(to->rate, from->rate, (size_t)f->states * sizeof(double));
    to->chains = from->chains;
    memcpy(to->at, from->at, (size_t)f->states * sizeof(double));
    memcpy(to->side, from->side, (size_t)f->switches.count * sizeof(double));
}

// Fixed steps do not move with a touch-down. What they make of it changes with where in a step it is, and so
// much with it where contacts are short against the step that derivatives of that say little
static void check_fixed_step_touchdown(slip_sens_ode *f)
{
    const slip_method *base = &f->m->base;
    for (int e = 0; e < base->element_count && !f->told; e++) {
        bool closed = base->mode[e] & SLIP_MODE_CLOSED;
        f->told = closed && !f->closed[e] && f->ode->elements[e].gap >= 0;
        f->closed[e] = closed;
        if (f->told)
            slip_method_warn(
                &f->m->base, SLIP_WARNING_STEP_DERIVATIVES, base->element_name[e],
                "from t = %.9g s derivatives are those of the fixed steps of %s, which do not move "
                "with a touchdown; integrator substeps has those of the motion",
                base->t, f->m->integrator->info.name);
    }
}

// steps go along a copy: one that fails has changed nothing
static void on_begin(void *context, bool peek)
{
    slip_sens_ode *f = context;
    slip_sens_ode_finish_event(f);
    if (!f->shifts && !peek && !f->lost) check_fixed_step_touchdown(f);
    copy_line(f, &f->run, &f->look);
    f->line = &f->look;
}

static void on_arrived(void *context)
{
    slip_sens_ode *f = context;
    slip_sens_ode_columns kept = f->run;
    f->run = f->look;
    f->look = kept;
    if (f->column_count && isnan(f->dtau[0])) return; // nothing happened at the last one
    for (int c = 0; c < f->column_count; c++) f->dtau[c] = NAN;
    for (size_t i = 0; i < all_of(f); i++) f->before[i] = f->behind[i] = NAN;
}

// ----------------------------------------------------------------------------------------------- looking

void slip_sens_ode_row(slip_sens_ode *f, double t, int records, double *row)
{
    const int width = f->states + records, all = f->ode->record_count + 2;
    slip_sens_ode_finish_event(f);
    const bool now = t == f->m->base.t;
    const slip_sens_ode_columns *line = now ? &f->run : &f->look;
    for (int c = 0; c < f->column_count; c++)
        for (int k = 0; k < f->states; k++)
            f->out[c * f->states + k] = line->x[c * f->states + k] - line->rate[k] * line->shift[c];
    if (records && !f->lost) {
        slip_sens_ode_load(f, SLIP_SENS_ODE_RECORD, f->tau, t, now ? f->m->x : line->at, f->out);
        slip_sens_ode_run_tape(f, SLIP_SENS_ODE_RECORD);
    }
    for (int c = 0; c < f->column_count; c++)
        for (int k = 0; k < width; k++)
            row[c * width + k] = f->lost ? NAN
                                 : k < f->states
                                     ? f->out[c * f->states + k]
                                     : slip_sens_ode_result(f, SLIP_SENS_ODE_RECORD, c * all + k - f->states);
}

void slip_sens_ode_energies(slip_sens_ode *f, int c, double *kinetic, double *potential)
{
    const int records = f->ode->record_count, first = c * (records + 2) + records;
    *kinetic = *potential = NAN;
    slip_sens_ode_finish_event(f);
    if (f->lost || !f->ode->equations) return;
    for (int i = 0; i < f->column_count; i++)
        for (int k = 0; k < f->states; k++)
            f->out[i * f->states + k] = f->run.x[i * f->states + k] - f->run.rate[k] * f->run.shift[i];
    slip_sens_ode_load(f, SLIP_SENS_ODE_RECORD, f->tau, f->m->base.t, f->m->x, f->out);
    slip_sens_ode_run_tape(f, SLIP_SENS_ODE_RECORD);
    *kinetic = slip_sens_ode_result(f, SLIP_SENS_ODE_RECORD, first);
    *potential = slip_sens_ode_result(f, SLIP_SENS_ODE_RECORD, first + 1);
}

// ---------------------------------------------------------------------------------------------- creating

static void layout_line(slip_arena *a, const slip_sens_ode *f, slip_sens_ode_columns *line)
{
    line->x = SLIP_TAKE(a, double, all_of(f));
    line->last = SLIP_TAKE(a, double, all_of(f));
    line->shift = SLIP_TAKE(a, double, f->column_count);
    line->rate = SLIP_TAKE(a, double, f->states);
    line->at = SLIP_TAKE(a, double, f->states);
    line->side = SLIP_TAKE(a, double, f->switches.count);
}

static void sens_ode_layout(slip_arena *a, slip_sens_ode *f)
{
    const slip_equations *e = f->ode->equations;
    int largest = 1;
    for (int b = 0; e && b < e->block_count; b++)
        if (e->blocks[b].count > largest) largest = e->blocks[b].count;
    layout_line(a, f, &f->run);
    layout_line(a, f, &f->look);
    for (int s = 0; s < SLIP_TABLEAU_STAGES; s++) f->k[s] = SLIP_TAKE(a, double, all_of(f));
    f->base = SLIP_TAKE(a, double, all_of(f));
    f->out = SLIP_TAKE(a, double, all_of(f));
    f->by = SLIP_TAKE(a, double, f->column_count);
    f->closed = SLIP_TAKE(a, bool, f->ode->element_count);
    f->stage = SLIP_TAKE(a, double, f->states + f->ode->ledger_count);
    for (int k = 0; k < 2; k++) f->rate[k] = SLIP_TAKE(a, double, f->states + f->ode->ledger_count);
    f->block = SLIP_TAKE(a, double, largest *(largest + 1));
    f->dtau = SLIP_TAKE(a, double, f->column_count);
    f->moved = SLIP_TAKE(a, double, f->column_count);
    f->moves = SLIP_TAKE(a, double, f->column_count);
    f->state_before = SLIP_TAKE(a, double, f->states);
    f->rate_before = SLIP_TAKE(a, double, f->states);
    f->value_count = slip_controller_value_count(f->ode->model);
    f->sampled = SLIP_TAKE(a, double, f->value_count * f->column_count);
    f->before = SLIP_TAKE(a, double, all_of(f));
    f->behind = SLIP_TAKE(a, double, all_of(f));
    for (int k = 0; k < SLIP_SENS_ODE_TAPE_COUNT; k++)
        f->reg[k] = SLIP_TAKE_SCRATCH(a, double, slip_tape_registers(f->tape[k]));
    for (int k = 0; k < SLIP_SENS_ODE_TAPE_COUNT; k++)
        f->result[k] = SLIP_TAKE_SCRATCH(a, int, f->result_count[k]);
}

static slip_status allocate_sens_ode(slip_sens_ode *f)
{
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &f->memory)) sens_ode_layout(&arena, f);
    if (!f->memory) return SLIP_NO_MEMORY;
    for (int k = 0; k < SLIP_SENS_ODE_TAPE_COUNT; k++) {
        slip_tape_start(f->tape[k], f->reg[k]);
        for (int i = 0; i < f->result_count[k]; i++) f->result[k][i] = slip_tape_result(f->tape[k], i);
    }
    return SLIP_OK;
}

static void set_initial_columns(slip_sens_ode *f)
{
    f->lost = f->pending = false;
    memset(f->run.shift, 0, (size_t)f->column_count * sizeof *f->run.shift);
    f->run.chains = false;
    for (int e = 0; e < f->ode->element_count; e++) f->closed[e] = true; // no touch-down that was seen
    slip_sens_ode_read_state(f);
}

void slip_sens_ode_restart(slip_sens_ode *f)
{
    for (int c = 0; c < f->column_count; c++)
        for (int k = 0; k < f->states; k++) f->run.x[c * f->states + k] = f->columns[c].state == k;
    set_initial_columns(f);
}

static slip_status check_run(const slip_sens_ode *f, slip_error *error)
{
    const slip_model *model = f->ode->model;
    if (!f->m->integrator->tableau && !f->m->integrator->finer)
        return slip_fail(error, SLIP_UNSUPPORTED, "sensitivity",
                         "integrator %s has no derivatives, since it has no tableau; sdirk4 has them",
                         f->m->integrator->info.name);
    for (int k = 0; k < model->when_count; k++)
        for (int i = 0; i < model->quantity_count; i++)
            if (slip_graph_depends(f->ode->graph, model->whens[k].margin,
                                   slip_graph_input_ref(f->ode->graph, model->quantities[i].input)))
                return slip_fail(error, SLIP_UNSUPPORTED, model->whens[k].name,
                                 "there are no derivatives through events of contact quantities under this "
                                 "formulation; lcp has them");
    return slip_sensitivity_check_model(model, error);
}

static slip_status set_up_sens_ode(slip_sens_ode *f, const slip_sensitivity_origin *origin,
                                   const char *const *names, int count, slip_error *error)
{
    slip_status status = check_run(f, error);
    if (status == SLIP_OK)
        status = slip_sensitivity_columns(f->ode->model, &f->m->base, names, count, error, &f->columns,
                                          &f->parameter_count);
    f->column_count = count;
    if (status == SLIP_OK) status = slip_sens_ode_constants(f, origin, error);
    slip_graph_differentiate_narrow(f->form->graph, true);
    if (status == SLIP_OK && f->m->integrator->implicit)
        status = slip_iteration_matrix_create(f->ode, error, &f->newton);
    const bool compiled = status == SLIP_OK && slip_sens_ode_compile(f);
    slip_graph_differentiate_narrow(f->form->graph, false);
    if (status == SLIP_OK && (!compiled || allocate_sens_ode(f) != SLIP_OK))
        status = slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    return status;
}

slip_status slip_sens_ode_create(slip_method *method, const slip_sensitivity_origin *origin,
                                 const char *const *names, int count, slip_error *error, slip_sens_ode **out)
{
    *out = NULL;
    slip_sens_ode *f = calloc(1, sizeof *f);
    if (!f) return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    f->m = (slip_ode_run *)method;
    f->ode = f->form = f->m->ode;
    f->states = f->ode->state_count;
    slip_integrator_cash_karp.tableau(&f->tableau[0]);
    slip_integrator_esdirk4.tableau(&f->tableau[1]);
    if (f->m->integrator->tableau) f->m->integrator->tableau(&f->tableau[2]);
    f->shifts = f->m->integrator->adaptive || f->m->integrator->finer;
    f->marched = tableau_of(f, f->m->integrator->finer ? &slip_integrator_cash_karp : f->m->integrator);
    if (f->marched->gamma > 0.0) f->marched = NULL;
    slip_status status = set_up_sens_ode(f, origin, names, count, error);
    if (status != SLIP_OK) {
        slip_sens_ode_destroy(f);
        return status;
    }
    f->tau = f->m->integrator->first_stage * f->m->step;
    f->line = &f->run;
    memcpy(f->run.x, f->constants.extra, all_of(f) * sizeof *f->run.x);
    set_initial_columns(f);
    f->observer = (slip_ode_observer){
        { f, on_step, on_state_changed }, on_begin, on_arrived, f->marches && !f->shifts
    };
    f->m->observer = &f->observer;
    *out = f;
    return SLIP_OK;
}

void slip_sens_ode_destroy(slip_sens_ode *f)
{
    if (!f) return;
    if (f->m->observer == &f->observer) f->m->observer = NULL;
    for (int k = 0; k < SLIP_SENS_ODE_TAPE_COUNT; k++) slip_tape_destroy(f->tape[k]);
    slip_switches_destroy(&f->switches);
    slip_iteration_matrix_destroy(f->newton);
    free(f->columns);
    slip_constant_derivatives_destroy(&f->constants);
    slip_fused_sensitivity_destroy(&f->march);
    free(f->memory);
    free(f);
}
