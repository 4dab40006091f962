/// study/fit/levenberg_marquardt.c: least squares over whole runs, by MINPACK's Levenberg and Marquardt
/// (cminpack), within bounds.
#include <cminpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/fit/fitting.h"
#include "study/fit/fit_tolerances.h"

static double lower_bound(const slip_fitting *f, int k)
{
    return f->def->lower ? f->def->lower[k] : -INFINITY;
}
static double upper_bound(const slip_fitting *f, int k)
{
    return f->def->upper ? f->def->upper[k] : INFINITY;
}

double slip_fitting_clamp(const slip_fitting *f, int k, double x)
{
    return fmin(fmax(x, lower_bound(f, k)), upper_bound(f, k));
}

bool slip_fitting_at_bound(const slip_fitting *f, int k, double x)
{
    return x <= lower_bound(f, k) || x >= upper_bound(f, k);
}

double slip_fitting_bounds_width(const slip_fitting *f, int k)
{
    return upper_bound(f, k) - lower_bound(f, k);
}

// ------------------------------------------------------------------------------------------- derivatives

static double difference_step(const slip_fitting *f, int k)
{
    return FIT_DIFFERENCE_STEP * f->scale[k];
}

// True for t0, the shift of the clock of the data, which is no parameter of the model.
static bool is_clock(const slip_fitting *f, int k)
{
    return strcmp(f->def->free[k], "t0") == 0;
}

// Both perturbations of the central difference for parameter k: the upper one into its column, the lower one
// into `aside`.
static void central_shifts(const slip_fitting *f, const double *x, int k, double *aside,
                           slip_fit_perturbation *shifts)
{
    const double step = difference_step(f, k);
    const size_t at = (size_t)k * (size_t)f->n;
    shifts[0] = (slip_fit_perturbation){ k, slip_fitting_clamp(f, k, x[k] + step), f->J + at };
    shifts[1] = (slip_fit_perturbation){ k, slip_fitting_clamp(f, k, x[k] - step), aside + at };
}

bool slip_fitting_jacobian(slip_fitting *f, const double *x)
{
    const size_t n = (size_t)f->n, all = (size_t)f->p * n;
    slip_fit_perturbation shifts[2 * SLIP_FIT_MAX_FREE];
    double *aside = malloc((all + 1) * sizeof *aside);
    int count = 0;
    if (!aside) return f->status = SLIP_NO_MEMORY, false;
    memset(f->J, 0, all * sizeof *f->J);
    const bool exact = slip_fitting_sensitivities(f, x, f->J, f->n);
    for (int k = 0; k < f->p; k++) {
        if (f->held[k] || (exact && !is_clock(f, k))) continue;
        central_shifts(f, x, k, aside, shifts + count);
        count += 2;
    }
    const bool good = slip_fitting_run_perturbed(f, x, shifts, count);
    for (int s = 0; s < count && good; s += 2)
        for (size_t i = 0; i < n; i++)
            shifts[s].r[i] = (shifts[s].r[i] - shifts[s + 1].r[i]) / (shifts[s].to - shifts[s + 1].to);
    free(aside);
    return good;
}

// A one-sided difference, one run per parameter, on the side that its bounds leave open. It is accurate
// enough during the search: half the runs of central differences, for the same number of iterations.
static slip_fit_perturbation forward_shift(const slip_fitting *f, const double *x, int k, double *column)
{
    const double step = difference_step(f, k), up = x[k] + step;
    return (slip_fit_perturbation){ k, up <= upper_bound(f, k) ? up : slip_fitting_clamp(f, k, x[k] - step),
                                    column };
}

static bool forward_columns(slip_fitting *f, const double *x, const slip_fit_perturbation *shifts, int count,
                            const double *r)
{
    if (!slip_fitting_run_perturbed(f, x, shifts, count)) return false;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < f->n; i++)
            shifts[k].r[i] = (shifts[k].r[i] - r[i]) / (shifts[k].to - x[shifts[k].parameter]);
    return true;
}

// ------------------------------------------------------------------------------------------ least squares

/// One call of lmder, with the parameters that it varies among all.
typedef struct lm_search {
    slip_fitting *f;
    double x[SLIP_FIT_MAX_FREE]; // all parameters, within their bounds
    int moved[SLIP_FIT_MAX_FREE], count;
    int iterations;
    bool stopped; // by the caller
    bool broken;  // a run failed that no parameter explains
} lm_search;

static void set_parameters(lm_search *s, const double *y)
{
    for (int k = 0; k < s->count; k++) s->x[s->moved[k]] = slip_fitting_clamp(s->f, s->moved[k], y[k]);
}

// A run that fails gets large residuals, so that the step is shortened.
static int evaluate_residuals(lm_search *s, double *r)
{
    slip_fitting *f = s->f;
    if (slip_fitting_residuals(f, s->x, r)) return 0;
    if (f->status != SLIP_OK && f->status != SLIP_BAD_MODEL) return s->broken = true, -1;
    f->status = SLIP_OK;
    for (int i = 0; i < f->n; i++) r[i] = FAILED_RESIDUAL;
    return 0;
}

static int report_iteration(lm_search *s, const double *r)
{
    const slip_fit_def *def = s->f->def;
    double rms = sqrt(slip_fitting_squares(s->f, r) / s->f->n);
    s->iterations++;
    s->stopped = def->progress && !def->progress(def->context, s->iterations, rms);
    return s->stopped || s->iterations > def->max_iterations ? -1 : 0;
}

// The Jacobian: exact where sensitivities are integrated along with a run, which costs less than a run per
// parameter.
static bool fill_jacobian(lm_search *s, const double *r, double *J, int stride)
{
    slip_fitting *f = s->f;
    double *whole = f->slopes;
    const bool exact = slip_fitting_sensitivities(f, s->x, whole, f->n);
    slip_fit_perturbation shifts[SLIP_FIT_MAX_FREE];
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        double *column = J + (size_t)k * (size_t)stride;
        if (exact && !is_clock(f, s->moved[k]))
            memcpy(column, whole + (size_t)s->moved[k] * (size_t)f->n, (size_t)f->n * sizeof *column);
        else
            shifts[count++] = forward_shift(f, s->x, s->moved[k], column);
    }
    return forward_columns(f, s->x, shifts, count, r);
}

enum { ASK_PRINT = 0, ASK_RESIDUALS = 1, ASK_JACOBIAN = 2 };

static int lmder_callback(void *context, int n, int count, const double *y, double *r, double *J, int stride,
                          int ask)
{
    (void)n, (void)count;
    lm_search *s = context;
    if (ask == ASK_PRINT) return report_iteration(s, r);
    set_parameters(s, y);
    if (ask == ASK_RESIDUALS) return evaluate_residuals(s, r);
    return fill_jacobian(s, r, J, stride) ? 0 : (s->broken = true, -1);
}

// True if lmder has converged: small change of the sum, of x, of both, or orthogonal residuals (1 to 4), or
// the same at the level of rounding (6 to 8).
static bool is_end(int info)
{
    return (info >= 1 && info <= 4) || (info >= 6 && info <= 8);
}

// Varies the chosen parameters; f->r holds the residuals at s->x before and afterwards.
static bool search_chosen(lm_search *s)
{
    double y[SLIP_FIT_MAX_FREE], weight[SLIP_FIT_MAX_FREE], qtf[SLIP_FIT_MAX_FREE], a[SLIP_FIT_MAX_FREE],
        b[SLIP_FIT_MAX_FREE], c[SLIP_FIT_MAX_FREE];
    int pivot[SLIP_FIT_MAX_FREE], evaluations, jacobians, n = s->f->n;
    for (int k = 0; k < s->count; k++) y[k] = s->x[s->moved[k]], weight[k] = 1.0 / s->f->scale[s->moved[k]];
    int info = lmder(lmder_callback, s, n, s->count, y, s->f->r, s->f->J, n, SUM_CONVERGED,
                     PARAMETERS_CONVERGED, 0.0, MAX_EVALUATIONS, weight, 2, FIRST_TRUST_REGION, 1,
                     &evaluations, &jacobians, pivot, qtf, a, b, c, s->f->trial);
    set_parameters(s, y);
    return is_end(info);
}

// ---------------------------------------------------------------------------------------------- bounds

// Chooses the parameters that are neither held nor at a bound, and those at a bound along which the sum of
// squares decreases into the interior, according to its derivative.
static bool choose_free(lm_search *s)
{
    slip_fitting *f = s->f;
    s->count = 0;
    for (int k = 0; k < f->p; k++) {
        bool moves = !f->held[k];
        if (moves && slip_fitting_at_bound(f, k, s->x[k])) {
            double slope = 0.0;
            const slip_fit_perturbation shift = forward_shift(f, s->x, k, f->J);
            if (!forward_columns(f, s->x, &shift, 1, f->r)) return false;
            for (int i = 0; i < f->n; i++) slope += f->J[i] * f->r[i];
            moves = s->x[k] <= lower_bound(f, k) ? slope < 0.0 : slope > 0.0;
        }
        if (moves) s->moved[s->count++] = k;
    }
    return true;
}

static bool met_bound(const lm_search *s)
{
    for (int k = 0; k < s->count; k++)
        if (slip_fitting_at_bound(s->f, s->moved[k], s->x[s->moved[k]])) return true;
    return false;
}

bool slip_fitting_minimise(slip_fitting *f, double *x, double *best, int *iterations, bool *converged)
{
    lm_search s = { .f = f };
    memcpy(s.x, x, (size_t)f->p * sizeof *x);
    *converged = false;
    if (!slip_fitting_residuals(f, s.x, f->r)) return false;
    // a parameter that reaches its bound stays there while the others are varied; it may leave it again
    for (int round = 0; round < 2 * f->p + 2 && !*converged; round++) {
        if (!choose_free(&s)) break;
        bool ended = s.count == 0 || search_chosen(&s);
        if (s.stopped || s.broken || !ended) break;
        *converged = !met_bound(&s);
    }
    f->stopped = f->stopped || s.stopped;
    f->finishing = f->interrupted; // where it was stopped is an answer too
    if (s.broken && f->status != SLIP_OK && !f->interrupted) return false;
    f->status = SLIP_OK;
    if (!slip_fitting_residuals(f, s.x, f->r)) return false;
    memcpy(x, s.x, (size_t)f->p * sizeof *x);
    *best = slip_fitting_squares(f, f->r);
    *iterations = s.iterations;
    return true;
}
