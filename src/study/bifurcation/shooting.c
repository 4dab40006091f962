/// study/bifurcation/shooting.c: multiple shooting.
///
/// Segments are condensed: dx_(k+1) = J_k dx_k + r_k + f_k dT/N is eliminated from the first node to the
/// last, which has to meet the first again (Deuflhard 1980). If the period is unknown, a phase condition is
/// added: the first node moves orthogonally to the motion, not along it.
#include "study/bifurcation/shooting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/cycle_options.h"

enum { MAX_ITERATIONS = 40, MAX_HALVINGS = 8 };

static double *segment_block(double *of, int states, int k)
{
    return of + (size_t)states * (size_t)k;
}

static void shooting_layout(slip_arena *a, slip_shooting *s)
{
    size_t n = (size_t)s->states, N = (size_t)s->segments;
    s->fixed = SLIP_TAKE(a, bool, n);
    s->shifts = SLIP_TAKE(a, bool, n);
    s->scale = SLIP_TAKE(a, double, n);
    s->node = SLIP_TAKE(a, double, n *N);
    s->J = SLIP_TAKE(a, double, n *n *N);
    s->end = SLIP_TAKE(a, double, n *N);
    s->rate_end = SLIP_TAKE(a, double, n *N);
    s->rate_start = SLIP_TAKE(a, double, n);
    s->M = SLIP_TAKE(a, double, n *n);
    s->R = SLIP_TAKE(a, double, n);
    s->F = SLIP_TAKE(a, double, n);
    s->step = SLIP_TAKE(a, double, n *N);
    s->trial = SLIP_TAKE(a, double, n *N);
    s->column = SLIP_TAKE(a, double, 2 * (n + 1));
    slip_lu_complete_layout(a, s->states + 1, &s->system);
}

slip_status slip_shooting_create(slip_flow_map *shot, int segments, bool forced, slip_error *error,
                                 slip_shooting **out)
{
    *out = NULL;
    slip_shooting *s = calloc(1, sizeof *s);
    slip_arena arena = { 0 };
    if (s) {
        s->shot = shot;
        s->states = shot->states;
        s->segments = segments;
        s->forced = forced;
        while (slip_arena_next_pass(&arena, &s->memory)) shooting_layout(&arena, s);
    }
    if (!s || !s->memory) {
        slip_shooting_destroy(s);
        return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    }
    const slip_model *model = shot->sim->model;
    int n = model->coordinate_count;
    slip_cycle_option_fixed(model, s->fixed);
    for (int k = 0; k < 2 * n; k++) s->scale[k] = 1.0;
    *out = s;
    return SLIP_OK;
}

void slip_shooting_destroy(slip_shooting *s)
{
    if (!s) return;
    free(s->memory);
    free(s);
}

// --------------------------------------------------------------------------------------------- evaluation

double slip_shooting_time(const slip_shooting *s, int k)
{
    return s->forced ? (s->phase + (double)k / s->segments) * s->period : 0.0;
}

void slip_shooting_parameter(const slip_shooting *s, int p, double *to)
{
    const slip_flow_map *shot = s->shot;
    size_t n = (size_t)s->states;
    double until = s->forced ? slip_flow_map_end_derivative(shot, p) : 0.0;
    for (size_t i = 0; i < n; i++) {
        to[i] = shot->J[(n + (size_t)p) * n + i] + shot->rate_end[i] * (1.0 + s->phase) * until;
        for (size_t j = 0; j < n && s->phase != 0.0; j++) // x(t1; t0): dx/dt0 = -J x'(t0)
            to[i] -= shot->J[j * n + i] * shot->rate_start[j] * s->phase * until;
    }
}

bool slip_shooting_fill_nodes(slip_shooting *s)
{
    double length = s->period / s->segments;
    for (int k = 0; k + 1 < s->segments; k++) {
        if (!slip_flow_map_run(s->shot, slip_shooting_time(s, k), length,
                               segment_block(s->node, s->states, k)))
            return false;
        memcpy(segment_block(s->node, s->states, k + 1), s->shot->end, (size_t)s->states * sizeof(double));
    }
    return true;
}

bool slip_shooting_subdivide(slip_shooting *s, int each, double *J)
{
    size_t n = (size_t)s->states;
    double *state = s->column, length = s->period / s->segments / each;
    for (int k = 0; k < s->segments * each; k++) {
        const double *from = k % each ? s->shot->end : segment_block(s->node, s->states, k / each);
        double begin = slip_shooting_time(s, k / each) + (s->forced ? k % each * length : 0.0);
        memcpy(state, from, n * sizeof *state);
        if (!slip_flow_map_run(s->shot, begin, length, state)) return false;
        memcpy(J + (size_t)k * n * n, s->shot->J, n * n * sizeof *J);
    }
    return true;
}

// to := J from
static void apply_jacobian(int n, const double *J, const double *from, double *to)
{
    memset(to, 0, (size_t)n * sizeof *to);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) to[i] += J[(size_t)j * (size_t)n + (size_t)i] * from[j];
}

// The difference between the end of segment k and the next node, in state i.
static double segment_defect(const slip_shooting *s, int k, int i)
{
    bool last = k + 1 == s->segments;
    if (s->fixed[i] || (last && s->shifts[i])) return 0.0;
    return segment_block(s->end, s->states, k)[i] - segment_block(s->node, s->states, last ? 0 : k + 1)[i];
}

static void condense_segments(slip_shooting *s)
{
    int n = s->states;
    size_t bytes = (size_t)n * sizeof(double);
    memset(s->R, 0, bytes);
    memset(s->F, 0, bytes);
    memset(s->M, 0, (size_t)n * bytes);
    for (int i = 0; i < n; i++) segment_block(s->M, n, i)[i] = 1.0;
    for (int k = 0; k < s->segments; k++) {
        const double *J = s->J + (size_t)k * (size_t)n * (size_t)n;
        for (int j = 0; j < n; j++) {
            apply_jacobian(n, J, segment_block(s->M, n, j), s->column);
            memcpy(segment_block(s->M, n, j), s->column, bytes);
        }
        apply_jacobian(n, J, s->R, s->column);
        for (int i = 0; i < n; i++) s->R[i] = s->column[i] + segment_defect(s, k, i);
        apply_jacobian(n, J, s->F, s->column);
        for (int i = 0; i < n; i++)
            s->F[i] = s->column[i] + segment_block(s->rate_end, n, k)[i] / s->segments;
    }
}

bool slip_shooting_evaluate(slip_shooting *s)
{
    int n = s->states;
    double length = s->period / s->segments;
    s->residual = 0.0;
    for (int k = 0; k < s->segments; k++) {
        slip_flow_map *shot = s->shot;
        if (!slip_flow_map_run(shot, slip_shooting_time(s, k), length, segment_block(s->node, n, k)))
            return false;
        memcpy(s->J + (size_t)k * (size_t)n * (size_t)n, shot->J, (size_t)n * (size_t)n * sizeof *shot->J);
        memcpy(segment_block(s->end, n, k), shot->end, (size_t)n * sizeof *shot->end);
        memcpy(segment_block(s->rate_end, n, k), shot->rate_end, (size_t)n * sizeof *shot->end);
        if (k == 0) memcpy(s->rate_start, shot->rate_start, (size_t)n * sizeof *shot->end);
    }
    for (int k = 0; k < s->segments; k++)
        for (int i = 0; i < n; i++)
            s->residual = fmax(s->residual, fabs(segment_defect(s, k, i)) / s->scale[i]);
    condense_segments(s);
    return isfinite(s->residual);
}

// ------------------------------------------------------------------------------------------------ solving

// Rows and columns are scaled by the size of the motion, so that the pivots do not depend on units.
void slip_shooting_factor(slip_shooting *s)
{
    int n = s->states, size = n + !s->forced;
    double *A = s->system.A, across = 0.0;
    for (int i = 0; i < n; i++) {
        bool pinned = s->fixed[i] || s->shifts[i];
        for (int j = 0; j < n; j++)
            A[i * size + j] =
                pinned ? (i == j) : (segment_block(s->M, n, j)[i] - (i == j)) * s->scale[j] / s->scale[i];
        if (!s->forced) A[i * size + n] = pinned ? 0.0 : s->F[i] * s->period / s->scale[i];
    }
    for (int i = 0; i < n; i++) across = fmax(across, fabs(s->rate_start[i]) / s->scale[i]);
    for (int j = 0; j < size && !s->forced; j++)
        A[n * size + j] = j < n && !s->fixed[j] ? s->rate_start[j] / s->scale[j] / across : 0.0;
    slip_lu_complete_factor(&s->system, size);
}

void slip_shooting_solve(slip_shooting *s, const double *b, double *dx, double *dT)
{
    int n = s->states;
    double *x = s->column, *right = s->column + n + 1;
    for (int i = 0; i < n; i++) right[i] = s->fixed[i] || s->shifts[i] ? 0.0 : b[i] / s->scale[i];
    right[n] = 0.0;
    slip_lu_complete_solve(&s->system, right, x);
    for (int i = 0; i < n; i++) dx[i] = x[i] * s->scale[i];
    *dT = s->forced ? 0.0 : x[n] * s->period;
}

static double find_step(slip_shooting *s)
{
    int n = s->states;
    double dT;
    for (int i = 0; i < n; i++) s->R[i] = -s->R[i];
    slip_shooting_factor(s);
    slip_shooting_solve(s, s->R, s->step, &dT);
    for (int k = 0; k + 1 < s->segments; k++) {
        double *next = segment_block(s->step, n, k + 1);
        apply_jacobian(n, s->J + (size_t)k * (size_t)n * (size_t)n, segment_block(s->step, n, k), next);
        for (int i = 0; i < n; i++)
            next[i] += segment_defect(s, k, i) + segment_block(s->rate_end, n, k)[i] * dT / s->segments;
    }
    return dT;
}

// Moves `count` states of the nodes, and the period, by a share of the Newton step.
static void move_nodes(slip_shooting *s, size_t count, double period, double dT, double share)
{
    for (size_t i = 0; i < count; i++)
        s->node[i] = s->trial[i] + (s->fixed[i % (size_t)s->states] ? 0.0 : share * s->step[i]);
    s->period = period + share * dT;
}

// A damped Newton step. A node at which a contact is closed may have been moved into the obstacle, where no
// motion can start; then only the first node is moved, and the others are placed on the motion from there.
static bool newton_step(slip_shooting *s)
{
    size_t all = (size_t)s->states * (size_t)s->segments;
    double before = s->residual, period = s->period, dT = find_step(s), share = 1.0;
    memcpy(s->trial, s->node, all * sizeof *s->trial);
    for (int halving = 0; halving < MAX_HALVINGS; halving++, share *= 0.5) {
        move_nodes(s, all, period, dT, share);
        if (!(s->period > SHORTEST_PERIOD_SHARE * period)) continue;
        if (slip_shooting_evaluate(s) && s->residual < RESIDUAL_GROWTH_ALLOWED * before) return true;
    }
    move_nodes(s, (size_t)s->states, period, dT, 1.0);
    if (s->segments > 1 && s->period > SHORTEST_PERIOD_SHARE * period && slip_shooting_fill_nodes(s) &&
        slip_shooting_evaluate(s) && s->residual < RESIDUAL_GROWTH_ALLOWED * before)
        return true;
    memcpy(s->node, s->trial, all * sizeof *s->trial);
    s->period = period;
    s->residual = before;
    return false;
}

static bool evaluate_or_explain(slip_shooting *s, const char *which, char *reason, size_t size)
{
    if (slip_shooting_evaluate(s)) return true;
    snprintf(reason, size, "the motion from the %s has no derivatives: %s", which, s->shot->reason);
    return false;
}

bool slip_shooting_run(slip_shooting *s, char *reason, size_t size)
{
    s->iterations = 0;
    if (!evaluate_or_explain(s, "first guess", reason, size)) return false;
    double first = s->residual;
    for (; s->iterations < MAX_ITERATIONS && s->residual > SHOOTING_CONVERGED; s->iterations++) {
        if (newton_step(s)) continue;
        if (s->residual <= SHOOTING_STALLED) return evaluate_or_explain(s, "last point", reason, size);
        snprintf(reason, size,
                 "after %d iterations no shorter step leads on: both ends differ by %.3g of the size of the "
                 "motion, "
                 "%.3g at first%s%s",
                 s->iterations, s->residual, first, s->shot->reason[0] ? "; " : "", s->shot->reason);
        return false;
    }
    if (s->residual <= SHOOTING_CONVERGED) {
        if (s->residual <= SHOOTING_EXACT) return true;
        if (!newton_step(s)) // the failed step has overwritten the derivatives
            return evaluate_or_explain(s, "last point", reason, size);
        s->iterations++; // one more step costs little, because the derivatives are there
        return true;
    }
    snprintf(
        reason, size,
        "%d iterations were not enough: both ends differ by %.3g of the size of the motion, %.3g at first",
        s->iterations, s->residual, first);
    return false;
}
