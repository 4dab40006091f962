/// study/bifurcation/arclength_corrector.c: one orbit of a branch, and Newton's method from nearby onto the
/// branch.
///
/// Pseudo-arclength (Keller 1977): the predictor moves along the tangent of the branch, and the corrector
/// returns to the branch orthogonally to it. A fold is therefore an ordinary point.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/lu_determinant.h"
#include "study/bifurcation/continuation.h"
#include "study/bifurcation/cycle_result.h"

enum { MAX_CORRECTIONS = 8, LEAST_STEPS_OF_PERIOD = 50 };

void slip_continuation_drop_orbit(slip_continuation *f)
{
    slip_shooting_destroy(f->shooting);
    slip_flow_map_destroy(f->shot);
    slip_model_destroy(f->varied);
    f->shooting = NULL;
    f->shot = NULL;
    f->varied = NULL;
}

void slip_continuation_set_periods(slip_continuation *f, int periods)
{
    f->periods = periods;
    if (!f->def->period) return;
    if (periods == 1)
        snprintf(f->period, sizeof f->period, "%.200s", f->def->period);
    else
        snprintf(f->period, sizeof f->period, "%d*(%.200s)", periods, f->def->period);
    f->own.period = f->period;
}

// Makes the model whose run ends after one period, a formula that has to be parsed. It is made once, so that
// all values of the parameter are variations of one model and share its compiled tapes.
static bool set_period(slip_continuation *f, slip_diagnostics *notes)
{
    slip_text set = { 0 };
    if (f->timed && strcmp(f->timed_period, f->period) == 0) return true;
    slip_model_destroy(f->timed);
    f->timed = NULL;
    slip_text_add(&set, "run.until=%s", f->period);
    const char *list[] = { set.data };
    const bool fine = !set.failed && slip_model_vary(f->model, list, 1, notes, &f->timed) == SLIP_OK;
    snprintf(f->timed_period, sizeof f->timed_period, "%s", f->period);
    slip_text_destroy(&set);
    return fine;
}

static bool vary_model(slip_continuation *f, double value)
{
    slip_text set = { 0 };
    slip_text_add(&set, "%s=%.17g", f->name, value);
    const char *list[] = { set.data };
    slip_diagnostics *notes = slip_diagnostics_create();
    bool fine = notes && !set.failed && (!f->forced || set_period(f, notes)) &&
                slip_model_vary(f->forced ? f->timed : f->model, list, 1, notes, &f->varied) == SLIP_OK;
    f->refusal[0] = '\0';
    if (!fine && notes && slip_diagnostics_count(notes))
        snprintf(f->refusal, sizeof f->refusal, "%s", slip_diagnostics_get(notes, 0).text);
    slip_diagnostics_destroy(notes);
    slip_text_destroy(&set);
    return fine;
}

bool slip_continuation_evaluate(slip_continuation *f, const double *z)
{
    slip_continuation_drop_orbit(f);
    if (!vary_model(f, z[f->size - 1])) return false;
    double period = f->forced ? f->varied->run.until : z[f->n];
    if (!(period > 0.0)) return false;
    if (slip_flow_map_create(f->varied, &f->own, f->forced ? 2.0 * period : 4.0 * period,
                             period / LEAST_STEPS_OF_PERIOD, f->own.sensitivity, &f->spare, NULL,
                             &f->shot) != SLIP_OK ||
        slip_shooting_create(f->shot, 1, f->forced, NULL, &f->shooting) != SLIP_OK)
        return false;
    slip_shooting *x = f->shooting;
    memcpy(x->shifts, f->shifts, (size_t)f->n * sizeof *x->shifts);
    memcpy(x->scale, f->scale, (size_t)f->n * sizeof *x->scale);
    memcpy(x->node, z, (size_t)f->n * sizeof *x->node);
    x->period = period;
    x->phase = f->phase;
    return slip_shooting_evaluate(x);
}

// Assembles and factors the system at the orbit evaluated last, with `last` as its last row.
static void assemble_system(slip_continuation *f, const double *last)
{
    const slip_shooting *x = f->shooting;
    int n = f->n, size = f->size;
    double *A = f->system.A, *P = f->dz;
    slip_shooting_parameter(x, f->shot->parameters - 1, P);
    memset(A, 0, (size_t)(size * size) * sizeof *A);
    for (int i = 0; i < n; i++) {
        if (f->fixed[i] || f->shifts[i]) {
            A[i * size + i] = 1.0;
            continue;
        }
        for (int j = 0; j < n; j++)
            A[i * size + j] =
                (x->M[(size_t)j * (size_t)n + (size_t)i] - (i == j)) * f->scale[j] / f->scale[i];
        if (!f->forced) A[i * size + n] = x->F[i] * f->scale[n] / f->scale[i];
        A[i * size + size - 1] = P[i] * f->scale[size - 1] / f->scale[i];
    }
    double across = 0.0;
    for (int j = 0; j < n; j++) across = fmax(across, fabs(x->rate_start[j] * f->scale[j]));
    for (int j = 0; j < n && !f->forced; j++)
        A[n * size + j] = f->fixed[j] ? 0.0 : x->rate_start[j] * f->scale[j] / across;
    for (int j = 0; j < size; j++) A[(size - 1) * size + j] = last[j];
    slip_lu_complete_factor(&f->system, size);
}

void slip_continuation_tangent(slip_continuation *f, const double *like, double *tangent)
{
    double length = 0.0;
    assemble_system(f, like);
    memset(f->b, 0, (size_t)f->size * sizeof *f->b);
    f->b[f->size - 1] = 1.0;
    slip_lu_complete_solve(&f->system, f->b, tangent);
    for (int j = 0; j < f->size; j++) length += tangent[j] * tangent[j];
    for (int j = 0; j < f->size; j++) tangent[j] /= sqrt(length);
}

double slip_continuation_branch_test(slip_continuation *f, const double *tangent)
{
    assemble_system(f, tangent);
    return slip_factored_determinant(&f->system);
}

bool slip_continuation_newton(slip_continuation *f, const double *row)
{
    double worst = INFINITY;
    for (int round = 0; round < MAX_CORRECTIONS; round++) {
        if (!slip_continuation_evaluate(f, f->trial)) return false;
        double residual = f->shooting->residual, before = worst;
        if (residual <= CORRECTOR_CONVERGED) return true;
        if (round > 2 && residual > CORRECTOR_LEAST_DECREASE * before)
            return residual <= (f->shot->tangent ? CORRECTOR_STALLED_FACTOR : CORRECTOR_FIXED_STEP_FACTOR) *
                                   CORRECTOR_CONVERGED;
        worst = residual;
        assemble_system(f, row);
        for (int i = 0; i < f->n; i++)
            f->b[i] = f->fixed[i] || f->shifts[i] ? 0.0 : -f->shooting->R[i] / f->scale[i];
        if (!f->forced) f->b[f->n] = 0.0;
        f->b[f->size - 1] = 0.0;
        slip_lu_complete_solve(&f->system, f->b, f->dz);
        for (int j = 0; j < f->size; j++) f->trial[j] += f->dz[j] * f->scale[j];
    }
    return false;
}

bool slip_continuation_correct(slip_continuation *f, double ds)
{
    const double most = fmax(fabs(ds), CORRECTOR_LEAST_REACH);
    double far = 0.0;
    for (int j = 0; j < f->size; j++) f->trial[j] = f->z[j] + ds * f->tangent[j] * f->scale[j];
    if (!slip_continuation_newton(f, f->tangent)) return false;
    for (int j = 0; j < f->size; j++)
        far = fmax(far, fabs((f->trial[j] - f->z[j]) / f->scale[j] - ds * f->tangent[j]));
    return far <= most;
}

slip_cycle *slip_continuation_describe(slip_continuation *f)
{
    slip_cycle *c = calloc(1, sizeof *c);
    if (c && slip_cycle_fill_result(c, f->shooting, NULL) == SLIP_OK && c->found &&
        (f->forced || !c->text[0]))
        return c;
    if (c && c->text[0]) snprintf(f->shot->reason, sizeof f->shot->reason, "%.299s", c->text);
    f->failed = f->failed || !c;
    slip_cycle_destroy(c);
    return NULL;
}
