/// study/equilibrium/equilibrium_residual.c: the equilibrium equations of a model and their Jacobian.
///
/// Derivatives with respect to all states start as unit vectors, so that their rates are the Jacobian of the
/// motion, restricted to the directions that are not held.
#include "study/equilibrium/equilibrium_residual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "study/bifurcation/cycle_options.h"
#include "study/bifurcation/multipliers.h"
#include "study/equilibrium/equilibrium_tolerances.h"
#include "dynamics/contact/static_equilibrium.h"
#include "base/linalg/lu_complete.h"
#include "sensitivity/sensitivity.h"

enum { MAX_STEPS = 60, MAX_HALVINGS = 20, MAX_BISECTIONS = 100 };

static double small_acceleration(const slip_equilibrium_residual *s)
{
    double size = 1.0;
    for (int k = 0; k < s->n; k++) size = fmax(size, fabs(s->state[k]));
    return ACCELERATION_AT_REST * size;
}

// ------------------------------------------------------------------------------------------------- making

static slip_status vary_model(slip_equilibrium_residual *s, const char *name, double value, slip_error *error)
{
    char set[120] = "run.until=1";
    const char *change = set;
    if (name) snprintf(set, sizeof set, "%s=%.17g", name, value);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_status status = notes ? slip_model_vary(s->model, &change, 1, notes, &s->varied) : SLIP_NO_MEMORY;
    slip_diagnostics_destroy(notes);
    return status == SLIP_OK
               ? status
               : slip_fail(error, SLIP_UNKNOWN_NAME, name ? name : "run", "is not a parameter of this model");
}

slip_status slip_equilibrium_residual_create(const slip_model *model, const slip_equilibrium_def *def,
                                             const char *name, double value, slip_error *error,
                                             slip_equilibrium_residual **out)
{
    *out = NULL;
    slip_equilibrium_residual *s = calloc(1, sizeof *s);
    if (!s) return slip_fail(error, SLIP_NO_MEMORY, "equilibrium", "out of memory");
    s->model = model;
    slip_cycle_def settings = slip_default_cycle_def();
    settings.formulation = def->formulation;
    slip_status status = vary_model(s, name, value, error);
    if (status == SLIP_OK)
        status = slip_flow_map_create(s->varied, &settings, RESIDUAL_RUN_LENGTH, RESIDUAL_RUN_STEP, name,
                                      NULL, error, &s->shot);
    if (status == SLIP_OK && !s->shot->tangent)
        status = slip_fail(error, SLIP_UNSUPPORTED, def->formulation,
                           "has no derivatives at an instant: choose lcp or gauss");
    if (status == SLIP_OK) {
        s->n = model->coordinate_count;
        s->states = s->shot->states;
        size_t n = (size_t)s->n, m = (size_t)s->states;
        double *room = calloc(m + 2 * n + m * m, sizeof *room);
        s->memory = room;
        s->fixed = calloc(m + n + 1, sizeof *s->fixed);
        if (!room || !s->fixed) {
            status = slip_fail(error, SLIP_NO_MEMORY, "equilibrium", "out of memory");
        } else {
            s->state = room, s->a = room + m, s->P = room + m + n, s->A = room + m + 2 * n;
            s->barred = s->fixed + m;
            slip_cycle_option_fixed(model, s->fixed);
        }
    }
    if (status == SLIP_OK)
        *out = s;
    else
        slip_equilibrium_residual_destroy(s);
    return status;
}

void slip_equilibrium_residual_destroy(slip_equilibrium_residual *s)
{
    if (!s) return;
    slip_flow_map_destroy(s->shot);
    slip_model_destroy(s->varied);
    free(s->fixed);
    free(s->memory);
    free(s);
}

// ------------------------------------------------------------------------------------------------- looking

static bool begin_at_time(slip_equilibrium_residual *s, double time, const double *place)
{
    slip_sim *sim = s->shot->sim;
    memset(s->state, 0, (size_t)s->states * sizeof *s->state);
    memcpy(s->state, place, (size_t)s->n * sizeof *place);
    slip_sim_restart_at(sim, time, time + RESIDUAL_RUN_LENGTH, s->state);
    slip_run_outcome outcome = slip_sim_observe(sim);
    if (outcome != SLIP_RUNNING) {
        snprintf(s->reason, sizeof s->reason, "%s", slip_run_outcome_text(outcome));
        return false;
    }
    // on its constraints, and out of what it touches
    memcpy(s->state, sim->method->state, (size_t)s->n * sizeof *s->state);
    const slip_sensitivity *t = s->shot->tangent;
    s->residual = 0.0;
    for (int k = 0; k < s->n; k++) {
        s->a[k] = s->fixed[s->n + k] ? 0.0 : t->start_slot.a[k];
        s->residual = fmax(s->residual, fabs(s->a[k]));
    }
    return isfinite(s->residual);
}

static bool begin_at_start(slip_equilibrium_residual *s, const double *place)
{
    return begin_at_time(s, 0.0, place);
}

bool slip_equilibrium_residual_evaluate(slip_equilibrium_residual *s, const double *place)
{
    s->reason[0] = '\0';
    s->known = false;
    if (!begin_at_start(s, place)) return false;
    const slip_sensitivity *t = s->shot->tangent;
    if (t->lost || !t->settled) {
        snprintf(s->reason, sizeof s->reason, "%s", t->lost ? t->reason : "an event is due there");
        return false;
    }
    size_t m = (size_t)s->states;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            double slope = t->work.k[0][j * m + i];
            s->A[i * m + j] = fabs(slope) < SLOPE_ZERO ? 0.0 : slope;
        }
    for (int k = 0; k < s->n; k++)
        s->P[k] = t->column_count > s->states ? t->work.k[0][m * m + (size_t)(s->n + k)] : 0.0;
    s->held = t->held.count;
    for (int k = 0; k < s->n; k++) {
        s->barred[k] = false;
        for (int row = 0; row < t->held.position_count; row++)
            s->barred[k] = s->barred[k] || fabs(t->held.G[row * s->n + k]) > HELD_COEFFICIENT;
    }
    s->known = true;
    return true;
}

// True if coordinate k could not be where it was put, because something is in its way. Constraints move it as well; then
// that does not tell.
static bool is_pushed_back(const slip_equilibrium_residual *s, const double *place, int k)
{
    return s->model->constraint_count == 0 &&
           fabs(s->state[k] - place[k]) > PUSHED_BACK_RELATIVE * fmax(1.0, fabs(place[k]));
}

// True if the model stays at rest at `place`.
static bool is_at_rest(slip_equilibrium_residual *s, const double *place)
{
    return begin_at_start(s, place) && s->residual <= small_acceleration(s);
}

// -------------------------------------------------------------------------------------------------- finding

// A damped Newton step.
static bool newton_step(slip_equilibrium_residual *s, slip_lu_complete *p, double *place, double *b,
                        double *trial)
{
    int n = s->n;
    double before = s->residual, share = 1.0;
    for (int i = 0; i < n; i++) {
        b[i] = -s->a[i];
        for (int j = 0; j < n; j++) {
            bool out = s->fixed[i] || s->fixed[j] || s->fixed[n + i];
            p->A[i * n + j] = out ? i == j : s->A[(n + i) * s->states + j];
        }
        if (s->fixed[i] || s->fixed[n + i]) b[i] = 0.0;
    }
    slip_lu_complete_factor(p, n);
    double *step = trial + n;
    slip_lu_complete_solve(p, b, step);
    for (int halving = 0; halving < MAX_HALVINGS; halving++, share *= 0.5) {
        for (int i = 0; i < n; i++) trial[i] = place[i] + share * step[i];
        if (!slip_equilibrium_residual_evaluate(s, trial) || !(s->residual < before)) continue;
        memcpy(place, trial, (size_t)n * sizeof *place);
        return true;
    }
    return false;
}

static bool newton_iterate(slip_equilibrium_residual *s, double *place, char *text, size_t size)
{
    slip_arena a = { 0 };
    void *memory;
    slip_lu_complete p;
    double *b = NULL, *trial = NULL;
    while (slip_arena_next_pass(&a, &memory)) {
        slip_lu_complete_layout(&a, s->n, &p);
        b = SLIP_TAKE(&a, double, s->n);
        trial = SLIP_TAKE(&a, double, 2 * s->n);
    }
    if (!memory) return false;
    bool found = slip_equilibrium_residual_evaluate(s, place);
    double first = s->residual;
    const double enough = fmin(NEWTON_CONVERGED, NEWTON_CONVERGED_OF_FIRST * first);
    int steps = 0;
    for (; found && s->residual > enough && steps < MAX_STEPS; steps++)
        if (!newton_step(s, &p, place, b, trial)) break;
    found = found && slip_equilibrium_residual_evaluate(s, place);
    if (!found || s->residual > small_acceleration(s)) {
        snprintf(text, size,
                 "after %d steps of Newton's method it still accelerates by %.3g, %.3g at first%s%s", steps,
                 s->residual, first, s->reason[0] ? ": " : "", s->reason);
        found = false;
    }
    free(memory);
    return found;
}

// A model that depends on time has no equilibrium, unless its forces vanish at the position by chance. The
// residual is checked at other times.
static bool is_at_rest_later(slip_equilibrium_residual *s, double *place, char *text, size_t size)
{
    static const double times[] = { 0.37, 1.9, 11.3 }; // s, incommensurable
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        if (begin_at_time(s, times[k], place) &&
            s->residual <= ACCELERATION_LATER_FACTOR * small_acceleration(s))
            continue;
        snprintf(
            text, size,
            "it stays at t = 0 but not at t = %g s: a model that depends on time has no equilibrium; see "
            "slipstick cycle",
            times[k]);
        return false;
    }
    if (slip_equilibrium_residual_evaluate(s, place)) memcpy(place, s->state, (size_t)s->n * sizeof *place);
    return true;
}

bool slip_equilibrium_residual_solve(slip_equilibrium_residual *s, double *place, char *text, size_t size)
{
    if (is_at_rest(s, place)) {
        double kept = s->residual;
        if (kept > 0.0 && slip_equilibrium_residual_evaluate(s, place)) newton_iterate(s, place, text, size);
        text[0] = '\0';
        return is_at_rest_later(s, place, text, size);
    }
    // the forces may balance only behind a contact; then the equilibrium is found by an overdamped motion
    double *from = malloc((size_t)s->n * sizeof *from + 1);
    if (from) memcpy(from, place, (size_t)s->n * sizeof *from);
    bool found = from && newton_iterate(s, place, text, size);
    if (from && !found) {
        slip_error error = { 0 };
        slip_static_equilibrium rest;
        memcpy(place, from, (size_t)s->n * sizeof *from);
        if (slip_static_equilibrium_find(s->varied, place, &rest, &error) == SLIP_OK)
            found = is_at_rest(s, place);
        size_t length = strlen(text);
        if (!found)
            snprintf(text + length, size - length, "; letting go of it: %.200s",
                     error.text[0] ? error.text : "it does not stay");
    }
    free(from);
    if (found) text[0] = '\0';
    return found && is_at_rest_later(s, place, text, size);
}

// ----------------------------------------------------------------------------------------------- describing

static void sort_eigenvalues(int n, double *re, double *im)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && (re[k] > re[k - 1] || (re[k] == re[k - 1] && im[k] > im[k - 1])); k--) {
            double r = re[k], m = im[k];
            re[k] = re[k - 1], im[k] = im[k - 1];
            re[k - 1] = r, im[k - 1] = m;
        }
}

static bool fill_eigenvalues(slip_equilibrium_residual *s, slip_equilibrium *r)
{
    int m = s->states, count = 0;
    double *A = calloc((size_t)(m * m) + 1, sizeof *A);
    int *list = calloc((size_t)m + 1, sizeof *list);
    r->re = calloc((size_t)m + 1, sizeof *r->re);
    r->im = calloc((size_t)m + 1, sizeof *r->im);
    bool fine = A && list && r->re && r->im;
    for (int k = 0; k < m && fine; k++)
        if (!s->fixed[k]) list[count++] = k;
    for (int i = 0; i < count && fine; i++)
        for (int j = 0; j < count; j++) A[i * count + j] = s->A[list[i] * m + list[j]];
    fine = fine && slip_multipliers(count, A, r->re, r->im, &r->zeros);
    r->count = count;
    r->stable = true;
    for (int k = 0; k < count - r->zeros && fine; k++) r->stable = r->stable && r->re[k] < 0.0;
    if (fine) sort_eigenvalues(count, r->re, r->im);
    if (!s->held && r->zeros) r->stable = false; // neutral, because nothing holds it
    free(A);
    free(list);
    return fine;
}

// True if the model stays where coordinate k is displaced to, once the coordinates that nothing holds have found
// their balance again; `place` is that balance then.
static bool holds_displaced(slip_equilibrium_residual *s, double *place, int k)
{
    char text[400] = "";
    if (is_at_rest(s, place)) return !is_pushed_back(s, place, k);
    if (s->n == 1) return false;
    double *trial = malloc((size_t)s->n * sizeof *trial);
    if (!trial) return false;
    memcpy(trial, place, (size_t)s->n * sizeof *trial);
    s->fixed[k] = true;
    const bool found = newton_iterate(s, trial, text, sizeof text);
    s->fixed[k] = false;
    if (found) memcpy(place, trial, (size_t)s->n * sizeof *trial);
    free(trial);
    return found;
}

// How far coordinate k can be displaced in one direction without the model beginning to move; `place` is where the
// others have gone to afterwards.
static double find_stick_extent(slip_equilibrium_residual *s, double *place, int k, double sense)
{
    double at = place[k], near = 0.0, step = EXTENT_FIRST_STEP * fmax(1.0, fabs(at));
    while (step < EXTENT_UNBOUNDED) {
        place[k] = at + sense * step;
        if (!holds_displaced(s, place, k)) break;
        near = step;
        step *= EXTENT_STEP_FACTOR; // small, so that a place that does not hold is not jumped over
    }
    double far = step;
    for (int look = 0; look < MAX_BISECTIONS && step < EXTENT_UNBOUNDED &&
                       far - near > EXTENT_CONVERGED * fmax(fabs(at), far);
         look++) {
        double middle = 0.5 * (near + far);
        place[k] = at + sense * middle;
        *(holds_displaced(s, place, k) ? &near : &far) = middle;
    }
    if (!(step < EXTENT_UNBOUNDED)) return sense * INFINITY;
    place[k] = at + sense * near;
    return near > 0.0 && is_at_rest(s, place) && s->model->constraint_count == 0 ? s->state[k] : place[k];
}

// False when there is no memory.
static bool fill_extent(slip_equilibrium_residual *s, const double *place, slip_equilibrium *r)
{
    const size_t n = (size_t)s->n;
    double *moved = malloc(n * sizeof *moved + 1);
    bool *barred = malloc(n + 1); // at the place itself; evaluations elsewhere set it anew
    if (moved && barred) memcpy(barred, s->barred, n);
    for (int k = 0; k < s->n && moved && barred; k++) {
        r->low[k] = r->high[k] = place[k];
        if (!r->held || barred[k] || s->fixed[k] || s->fixed[s->n + k]) continue;
        memcpy(moved, place, n * sizeof *moved);
        r->low[k] = find_stick_extent(s, moved, k, -1.0);
        memcpy(moved, place, n * sizeof *moved);
        r->high[k] = find_stick_extent(s, moved, k, 1.0);
        if (place[k] - r->low[k] > EXTENT_OF_POINT * fmax(1.0, fabs(place[k])) ||
            r->high[k] - place[k] > EXTENT_OF_POINT * fmax(1.0, fabs(place[k])))
            continue;
        r->low[k] = r->high[k] = place[k];
    }
    const bool fine = moved && barred;
    free(moved);
    free(barred);
    return fine;
}

// Derivative of the equilibrium with respect to the parameter: Kq dq + P = 0.
static bool fill_derivative(slip_equilibrium_residual *s, slip_equilibrium *r)
{
    int n = s->n;
    slip_arena a = { 0 };
    void *memory;
    slip_lu_complete p;
    double *b = NULL;
    while (slip_arena_next_pass(&a, &memory)) {
        slip_lu_complete_layout(&a, n, &p);
        b = SLIP_TAKE(&a, double, n);
    }
    if (!memory) return false;
    for (int i = 0; i < n; i++) {
        bool out = s->fixed[i] || s->fixed[n + i];
        b[i] = out ? 0.0 : -s->P[i];
        for (int j = 0; j < n; j++)
            p.A[i * n + j] = out || s->fixed[j] ? i == j : s->A[(n + i) * s->states + j];
    }
    slip_lu_complete_factor(&p, n);
    slip_lu_complete_solve(&p, b, r->derivative);
    free(memory);
    return true;
}

slip_status slip_equilibrium_residual_describe(slip_equilibrium_residual *s, bool derivative,
                                               slip_equilibrium *r)
{
    size_t n = (size_t)s->n;
    r->coordinate_count = s->n;
    r->name = calloc(n + 1, sizeof *r->name);
    r->place = calloc(n + 1, sizeof *r->place);
    r->low = calloc(n + 1, sizeof *r->low);
    r->high = calloc(n + 1, sizeof *r->high);
    r->derivative = derivative ? calloc(n + 1, sizeof *r->derivative) : NULL;
    bool fine = r->name && r->place && r->low && r->high && (r->derivative || !derivative);
    for (int k = 0; k < s->n && fine; k++) {
        const char *name = s->model->coordinates[k].name;
        const size_t size = strlen(name) + 1;
        r->name[k] = malloc(size);
        if (r->name[k]) memcpy(r->name[k], name, size);
        fine = r->name[k] != NULL;
        r->place[k] = s->state[k];
    }
    if (fine && s->known) fine = fill_eigenvalues(s, r) && (!derivative || fill_derivative(s, r));
    if (!fine) return SLIP_NO_MEMORY;
    if (!s->known) snprintf(r->text, sizeof r->text, "no eigenvalues: %.300s", s->reason);
    r->residual = s->residual;
    r->held = s->known && s->held > 0 && r->zeros > 0;
    if (!fill_extent(s, r->place, r)) return SLIP_NO_MEMORY;
    bool room = false; // it can be displaced: else a contact holds it, and not friction
    for (int k = 0; k < s->n; k++) room = room || r->high[k] > r->low[k];
    r->held = r->held && room;
    r->found = true;
    return SLIP_OK;
}
