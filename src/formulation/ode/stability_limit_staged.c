/// formulation/ode/stability_limit_staged.c: the largest stable step of an integrator that tells stage steps.
///
/// With A(tau) the derivative of f(x; tau), one step of rk4-generalised (Kikuuwe 2008, eq 21) multiplies by
///     R = I + h/6 (X1 + 2 X2 + 2 X3 + X4),
///     X1 = A(h/2),  X2 = A(h/2)(I + h/2 X1),  X3 = A(h)(I + h/2 X2),  X4 = A(h)(I + h X3).
/// Of many coupled states R is not formed: the growth of a vector under many steps is measured.
#include "formulation/ode/stability_limit_staged.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/linalg.h"
#include "formulation/ode/ode_jacobian.h"
#include "formulation/ode/ode_tolerances.h"

enum {
    MATRICES = 4,
    MAX_GROUP_IN_RUN = 64,
    MAX_GROUP_EIGENVALUES = 200, // eigenvalues cost 25 m^3 operations
    POWER_ITERATIONS = 90,
    POWER_ITERATIONS_AVERAGED = 60,
    VECTORS = 4,
    MAX_SEEN_MODES = 256
};

struct slip_staged_limit {
    slip_ode *ode;
    slip_ode_jacobian *jacobian;
    double t;
    const double *x;
    uint64_t seen[MAX_SEEN_MODES]; // hashes of combinations of modes
    int seen_count;
    double *full, *X, *next, *R; // m x m of the largest group that is looked at by eigenvalues
    double *halves;              // A(h/2) of every group, one after the other; of a larger one its entries
    double *entries;             // A(h) of a larger one
    double *vector[VECTORS];
    double *growth; // of every group by itself, 1/s
    double *re, *im, *work, *rate;
    double *memory;
};

typedef slip_staged_limit staged;

static bool evaluate_jacobian(staged *s, double tau)
{
    slip_ode_set_stage(s->ode, tau);
    slip_ode_jacobian_set_stage(s->jacobian, tau);
    return slip_ode_rate(s->ode, s->t, s->x, s->rate) &&
           slip_ode_jacobian_evaluate(s->jacobian, s->t, s->x, s->rate);
}

// out = A (I + h X); then R += weight out
static void stage_matrix(int m, const double *A, double h, const double *X, double *out, double weight,
                         double *R)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double sum = A[i * m + j];
            for (int k = 0; k < m; k++) sum += h * A[i * m + k] * X[k * m + j];
            out[i * m + j] = sum;
            R[i * m + j] += weight * sum;
        }
}

// spectral radius of one step of length h in one group; `half` is A(h/2), s->full A(h)
static double radius_of(staged *s, int m, double h, const double *half)
{
    size_t bytes = (size_t)m * (size_t)m * sizeof *s->R;
    memset(s->R, 0, bytes);
    memset(s->X, 0, bytes);
    for (int k = 0; k < m; k++) s->R[k * m + k] = 1.0;
    stage_matrix(m, half, 0.0, s->X, s->next, h / 6.0, s->R);
    stage_matrix(m, half, 0.5 * h, s->next, s->X, h / 3.0, s->R);
    stage_matrix(m, s->full, 0.5 * h, s->X, s->next, h / 3.0, s->R);
    stage_matrix(m, s->full, h, s->next, s->X, h / 6.0, s->R);
    double finite = 0.0, radius = 0.0;
    for (int k = 0; k < m * m; k++) finite += 0.0 * s->R[k];
    if (finite != 0.0) return INFINITY;
    if (!slip_eigenvalues(m, s->R, s->re, s->im, s->work)) return 0.0;
    for (int k = 0; k < m; k++) radius = fmax(radius, slip_hypot(s->re[k], s->im[k]));
    return radius;
}

// out = A (x + c k), one stage of a step on a vector; then sum += weight out
static void stage_on_vector(staged *s, int group, int m, const double *A, double c, const double *k,
                            double *out, double weight)
{
    double *x = s->vector[0], *sum = s->vector[1], *point = s->vector[2];
    for (int i = 0; i < m; i++) point[i] = x[i] + c * k[i];
    slip_ode_jacobian_multiply(s->jacobian, group, A, point, out);
    for (int i = 0; i < m; i++) sum[i] += weight * out[i];
}

// The spectral radius of one step of length h, as the mean growth of a vector under many; half and s->entries
// are the entries of A(h/2) and A(h). What a free motion grows by in that time is within its error.
static double measured_radius(staged *s, int group, int m, double h, const double *half)
{
    double *x = s->vector[0], *sum = s->vector[1], *k = s->vector[3], logs = 0.0;
    for (int i = 0; i < m; i++) x[i] = 1.0 + (i * 7 % 5) / 8.0;
    for (int n = 0; n < POWER_ITERATIONS; n++) {
        double before = 0.0, after = 0.0;
        memcpy(sum, x, (size_t)m * sizeof *x);
        stage_on_vector(s, group, m, half, 0.0, x, k, h / 6.0);
        stage_on_vector(s, group, m, half, 0.5 * h, k, k, h / 3.0);
        stage_on_vector(s, group, m, s->entries, 0.5 * h, k, k, h / 3.0);
        stage_on_vector(s, group, m, s->entries, h, k, k, h / 6.0);
        for (int i = 0; i < m; i++) before += x[i] * x[i], after += sum[i] * sum[i];
        if (!isfinite(after)) return INFINITY;
        if (!(after > 0.0)) return 0.0;
        for (int i = 0; i < m; i++) x[i] = sum[i] / sqrt(after);
        if (n >= POWER_ITERATIONS - POWER_ITERATIONS_AVERAGED) logs += 0.5 * slip_ln(after / before);
    }
    return slip_exp(logs / POWER_ITERATIONS_AVERAGED) / POWER_ITERATION_TOLERANCE;
}

// the fastest growth of x' = A x in one group, 1/s; A is kept
static double growth_of(staged *s, int m, const double *A)
{
    double finite = 0.0, growth = 0.0;
    memcpy(s->R, A, (size_t)m * (size_t)m * sizeof *A);
    for (int k = 0; k < m * m; k++) finite += 0.0 * s->R[k];
    if (finite != 0.0 || !slip_eigenvalues(m, s->R, s->re, s->im, s->work)) return NAN;
    for (int k = 0; k < m; k++) growth = fmax(growth, s->re[k]);
    return growth;
}

// of each group by itself: a falling rod does not depend on the step
static bool own_growth_rates(staged *s)
{
    const int *states;
    if (!evaluate_jacobian(s, 0.0)) return false;
    for (int g = 0; g < slip_ode_jacobian_group_count(s->jacobian); g++) {
        int m = slip_ode_jacobian_group(s->jacobian, g, &states);
        s->growth[g] = 0.0;
        if (m > MAX_GROUP_EIGENVALUES) continue;
        slip_ode_jacobian_dense(s->jacobian, g, s->full);
        s->growth[g] = growth_of(s, m, s->full);
        if (isnan(s->growth[g])) return false;
    }
    return true;
}

// what a group leaves in `halves`
static size_t midpoint_jacobian_size(const staged *s, int group)
{
    const int *states;
    const size_t m = (size_t)slip_ode_jacobian_group(s->jacobian, group, &states);
    return m <= MAX_GROUP_EIGENVALUES ? m * m : (size_t)slip_ode_jacobian_entry_count(s->jacobian, group);
}

static void store_midpoint_jacobian(staged *s, int group, double *half)
{
    const int *states;
    if (slip_ode_jacobian_group(s->jacobian, group, &states) <= MAX_GROUP_EIGENVALUES)
        slip_ode_jacobian_dense(s->jacobian, group, half);
    else
        slip_ode_jacobian_values(s->jacobian, group, half);
}

// Of one group, over what it does by itself. What grows by itself, a falling rod, may do so at up to twice
// its rate: the scheme is of first order in stick. What grows faster by itself than a step resolves does not
// depend on the step either. Stages may slide where the present sticks, and what then falls by itself is a
// growth of theirs.
static double radius_of_group(staged *s, int group, int m, double h, const double *half)
{
    if (m > MAX_GROUP_EIGENVALUES) {
        slip_ode_jacobian_values(s->jacobian, group, s->entries);
        return measured_radius(s, group, m, h, half);
    }
    slip_ode_jacobian_dense(s->jacobian, group, s->full);
    double growth = fmax(s->growth[group], fmax(growth_of(s, m, half), growth_of(s, m, s->full)));
    double own = h * growth;
    return own > 1.0 ? 0.0 : radius_of(s, m, h, half) / slip_exp(2.0 * own);
}

// the Jacobians of a step of h: those of its middle in `halves`
static bool step_jacobians(staged *s, double h)
{
    if (!evaluate_jacobian(s, 0.5 * h)) return false;
    double *half = s->halves;
    for (int g = 0; g < slip_ode_jacobian_group_count(s->jacobian); half += midpoint_jacobian_size(s, g++))
        store_midpoint_jacobian(s, g, half);
    return evaluate_jacobian(s, h);
}

// No group grows at all, whatever it does by itself: so it is mostly, and for a third of the eigenvalues
static bool no_group_grows(staged *s, double h, double one)
{
    const int *states;
    if (!step_jacobians(s, h)) return true;
    const double *half = s->halves;
    for (int g = 0; g < slip_ode_jacobian_group_count(s->jacobian); half += midpoint_jacobian_size(s, g++)) {
        const int m = slip_ode_jacobian_group(s->jacobian, g, &states);
        if (m > MAX_GROUP_EIGENVALUES) return false;
        slip_ode_jacobian_dense(s->jacobian, g, s->full);
        if (!(radius_of(s, m, h, half) <= one)) return false;
    }
    return true;
}

// of all groups; *worst is a state of the one that grows most
static double spectral_radius(staged *s, double h, const char **worst)
{
    int groups = slip_ode_jacobian_group_count(s->jacobian);
    const int *states;
    if (!step_jacobians(s, h)) return 0.0;
    double *half = s->halves, most = 0.0;
    for (int g = 0; g < groups; half += midpoint_jacobian_size(s, g++)) {
        int m = slip_ode_jacobian_group(s->jacobian, g, &states);
        double here = radius_of_group(s, g, m, h, half);
        if (here > most) *worst = s->ode->state_name[states[0]];
        most = fmax(most, here);
    }
    return most;
}

typedef struct sizes {
    size_t exact, large; // states of the largest group up to MAX_GROUP_EIGENVALUES, and of the largest beyond
    size_t entries;      // of the fullest group beyond
    size_t halves;       // of all groups
} sizes;

static sizes measure_groups(const staged *s)
{
    sizes z = { 0 };
    for (int g = 0; g < slip_ode_jacobian_group_count(s->jacobian); g++) {
        const int *states;
        const size_t m = (size_t)slip_ode_jacobian_group(s->jacobian, g, &states),
                     half = midpoint_jacobian_size(s, g);
        if (m <= MAX_GROUP_EIGENVALUES && m > z.exact) z.exact = m;
        if (m > MAX_GROUP_EIGENVALUES && m > z.large) z.large = m;
        if (m > MAX_GROUP_EIGENVALUES && half > z.entries) z.entries = half;
        z.halves += half;
    }
    return z;
}

static double *take_doubles(double **at, size_t count)
{
    double *taken = *at;
    *at += count;
    return taken;
}

static bool allocate_staged_limit(staged *s)
{
    const sizes z = measure_groups(s);
    const size_t square = z.exact * z.exact, groups = (size_t)slip_ode_jacobian_group_count(s->jacobian);
    const size_t rates = (size_t)(s->ode->state_count + SLIP_LEDGER_COUNT);
    double *at = s->memory = calloc(MATRICES * square + (2 + SLIP_EIGENVALUES_WORK) * z.exact +
                                        VECTORS * z.large + z.entries + z.halves + groups + rates + 1,
                                    sizeof *at);
    if (!at) return false;
    double **const matrix[MATRICES] = { &s->full, &s->X, &s->next, &s->R };
    for (int k = 0; k < MATRICES; k++) *matrix[k] = take_doubles(&at, square);
    for (int k = 0; k < VECTORS; k++) s->vector[k] = take_doubles(&at, z.large);
    s->re = take_doubles(&at, z.exact);
    s->im = take_doubles(&at, z.exact);
    s->work = take_doubles(&at, SLIP_EIGENVALUES_WORK * z.exact);
    s->entries = take_doubles(&at, z.entries);
    s->rate = take_doubles(&at, rates);
    s->growth = take_doubles(&at, groups);
    s->halves = at;
    return true;
}

void slip_staged_limit_archive(slip_staged_limit *s, slip_archive *a)
{
    slip_archive_open(a, "staged_guard");
    slip_archive_int(a, "seen_count", &s->seen_count);
    if (s->seen_count < 0 || s->seen_count > MAX_SEEN_MODES)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "%d regimes", s->seen_count);
    else
        slip_archive_bytes(a, "seen", s->seen, (size_t)s->seen_count * sizeof *s->seen);
    slip_archive_close(a);
}

void slip_staged_limit_destroy(slip_staged_limit *s)
{
    if (!s) return;
    slip_ode_jacobian_destroy(s->jacobian);
    free(s->memory);
    free(s);
}

slip_status slip_staged_limit_create(slip_ode *ode, bool stuck, slip_error *error, slip_staged_limit **out)
{
    *out = NULL;
    slip_staged_limit *s = calloc(1, sizeof *s);
    if (!s) return slip_fail(error, SLIP_NO_MEMORY, "step guard", "out of memory");
    s->ode = ode;
    slip_status status = slip_ode_jacobian_create(ode, stuck, error, &s->jacobian);
    if (status == SLIP_OK && !allocate_staged_limit(s))
        status = slip_fail(error, SLIP_NO_MEMORY, "step guard", "out of memory");
    if (status != SLIP_OK) {
        slip_staged_limit_destroy(s);
        return status;
    }
    *out = s;
    return SLIP_OK;
}

slip_step_limit slip_staged_limit_at(slip_staged_limit *s, double step, double t, const double *x)
{
    const double one = 1.0 + GROWTH_OF_STEP; // |R| - 1 of a free motion is rounding
    slip_step_limit limit = { .step = INFINITY, .state = "" };
    s->t = t;
    s->x = x;
    if (no_group_grows(s, step, one)) return limit;
    if (!own_growth_rates(s) || !(spectral_radius(s, step, &limit.state) > one)) return limit;
    double low = 0.0, high = step;
    for (int k = 0; k < 30; k++) {
        double middle = 0.5 * (low + high);
        if (spectral_radius(s, middle, &limit.state) > one)
            high = middle;
        else
            low = middle;
    }
    limit.step = low;
    return limit;
}

// notes the modes; true when they are new
static bool is_new_mode(staged *s, const unsigned char *modes)
{
    uint64_t h = 0x243f6a8885a308d3u;
    for (int k = 0; k < s->ode->element_count; k++) h = (h ^ modes[k]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    for (int k = 0; k < s->seen_count; k++)
        if (s->seen[k] == h) return false;
    if (s->seen_count == MAX_SEEN_MODES) return false;
    s->seen[s->seen_count++] = h;
    return true;
}

slip_step_limit slip_staged_limit_new_modes(slip_staged_limit *s, double step, double t, const double *x,
                                            const unsigned char *modes)
{
    if (slip_ode_jacobian_largest_group(s->jacobian) > MAX_GROUP_IN_RUN || !is_new_mode(s, modes))
        return (slip_step_limit){ .step = INFINITY, .state = "" };
    return slip_staged_limit_at(s, step, t, x);
}
