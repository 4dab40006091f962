/// study/fit/correlated_residuals.c: intervals for correlated residuals.
///
/// An estimate is off by the sum over all rows of u_i = a_i e_i, where e_i is the error of row i and a_i the
/// row's influence, (J'J)^-1 J_i'. Its variance is 1'Cov(u)1, the long-run variance of the influence series
/// (Newey and West 1987), and what is left to say is how u is correlated. Three kinds of noise are tried,
/// each with a share of white noise:
///     white                 k(d) = 0 for d > 0
///     rough, of memory T    k(d) = exp(-d/T)                      noise that is filtered once, AR(1)
///     smooth, of memory T   k(d) = (1 + d/L) exp(-d/L), L = T/sqrt(3)   what a model leaves out
/// Every memory on a grid from one row to the whole record (a fifth of it for smooth noise, which a shorter
/// record cannot show) and every share of white noise counts with its restricted likelihood (the mean of u is
/// fitted away, so only what remains of it counts; Harville 1977), found by one pass of Kalman's filter.
/// White noise has half of the prior weight, each of the others a quarter. The interval is that of the
/// mixture: where a record is too short to tell how long its noise remembers, it is wide.
#include "study/fit/correlated_residuals.h"
#include "base/elementary.h"
#include "study/fit/fit_tolerances.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MEMORY_COUNT = 20, SHARE_COUNT = 6 };
static const double share[SHARE_COUNT] = { 0.1, 0.3, 0.55, 0.8, 0.95, 1.0 }; // of correlated noise, grid

/// Sums of one pass of the filter: squares of the innovations of u and of a constant, their product,
/// logarithms of the variances, and the variance of the sum of all rows.
typedef struct pass {
    double uu, u1, one, log_variance, sum;
    double *innovation; // pairs of innovations of u and of the constant, standardised; NULL: not wanted
} pass;

static void add_innovation(pass *p, double variance, double u, double one)
{
    if (p->innovation) {
        *p->innovation++ = u / sqrt(variance);
        *p->innovation++ = one / sqrt(variance);
    }
    p->uu += u * u / variance;
    p->u1 += u * one / variance;
    p->one += one * one / variance;
    p->log_variance += slip_ln(variance);
}

static void pass_white(const double *u, int rows, pass *p)
{
    for (int k = 0; k < rows; k++) add_innovation(p, 1.0, u[k], 1.0);
    p->sum = rows;
}

// Rough noise: the state of the filter is the noise; x filters u, z filters the constant.
static void pass_rough(const slip_noise *n, const double *t, const double *u, int rows, pass *p)
{
    double white = 1.0 - n->share + MIN_WHITE_SHARE, P = n->share, x = 0.0, z = 0.0, before = 0.0;
    for (int k = 0; k < rows; k++) {
        double e = k ? slip_exp(-(t[k] - t[k - 1]) / n->memory) : 0.0;
        before = e * (before + (k > 0));
        p->sum += 1.0 - n->share + n->share * (1.0 + 2.0 * before);
        x *= e, z *= e, P = n->share + e * e * (P - n->share);
        double F = P + white, gain = P / F, v = u[k] - x, w = 1.0 - z;
        add_innovation(p, F, v, w);
        x += gain * v, z += gain * w, P -= gain * P;
    }
}

// Smooth noise: the state of the filter is the noise and its rate; A is the transition, P the covariance.
typedef struct smooth_state {
    double x[2], z[2], P11, P12, P22;
} smooth_state;

static void move_smooth(smooth_state *s, double l, double d, double variance)
{
    double e = slip_exp(-l * d), a = e * (1.0 + l * d), b = e * d, c = -e * l * l * d, f = e * (1.0 - l * d);
    double D11 = s->P11 - variance, D12 = s->P12,
           D22 = s->P22 - variance * l * l; // deviation from the stationary covariance
    double x = a * s->x[0] + b * s->x[1], z = a * s->z[0] + b * s->z[1];
    s->x[1] = c * s->x[0] + f * s->x[1], s->z[1] = c * s->z[0] + f * s->z[1];
    s->x[0] = x, s->z[0] = z;
    s->P11 = variance + a * a * D11 + 2.0 * a * b * D12 + b * b * D22;
    s->P12 = a * c * D11 + (a * f + b * c) * D12 + b * f * D22;
    s->P22 = variance * l * l + c * c * D11 + 2.0 * c * f * D12 + f * f * D22;
}

static void pass_smooth(const slip_noise *n, const double *t, const double *u, int rows, pass *p)
{
    double l = sqrt(3.0) / n->memory, white = 1.0 - n->share + MIN_WHITE_SHARE, near = 0.0, far = 0.0;
    smooth_state s = { .P11 = n->share, .P22 = n->share * l * l };
    for (int k = 0; k < rows; k++) {
        double d = k ? t[k] - t[k - 1] : 0.0, e = slip_exp(-l * d);
        far = e * (far + l * d * (near + (k > 0)));
        near = e * (near + (k > 0));
        p->sum += 1.0 - n->share + n->share * (1.0 + 2.0 * (near + far));
        if (k) move_smooth(&s, l, d, n->share);
        double F = s.P11 + white, g = s.P11 / F, h = s.P12 / F, v = u[k] - s.x[0], w = 1.0 - s.z[0];
        add_innovation(p, F, v, w);
        s.x[0] += g * v, s.x[1] += h * v, s.z[0] += g * w, s.z[1] += h * w;
        s.P22 -= h * s.P12, s.P12 -= g * s.P12, s.P11 -= g * s.P11;
    }
}

// ------------------------------------------------------------------------------------------ the mixture

typedef struct series {
    const double *t, *u;
    int rows;
    double scale;    // root mean square of u
    double together; // sum of |u|, which no sum of u exceeds
    double factor;   // correction of the variance for the fitted parameters
} series;

static void pass_noise(const series *s, const slip_noise *n, pass *p)
{
    if (n->kind == SLIP_NOISE_WHITE) pass_white(s->u, s->rows, p);
    if (n->kind == SLIP_NOISE_ROUGH) pass_rough(n, s->t, s->u, s->rows, p);
    if (n->kind == SLIP_NOISE_SMOOTH) pass_smooth(n, s->t, s->u, s->rows, p);
}

// The sum of squares about the mean, relative to the scale.
static double squares_left(const series *s, const pass *p)
{
    return (p->uu - p->u1 * p->u1 / p->one) / (s->scale * s->scale);
}

// The logarithm of the weight of one kind of noise: of its prior and its restricted likelihood.
static double log_weight(const series *s, const slip_noise *n, const pass *p)
{
    const double prior =
        n->kind == SLIP_NOISE_WHITE ? PRIOR_WHITE : PRIOR_CORRELATED / (MEMORY_COUNT * SHARE_COUNT);
    return slip_ln(prior) -
           0.5 * ((s->rows - 1) * slip_ln(squares_left(s, p)) + p->log_variance + slip_ln(p->one));
}

// The noise with a number, from 0 on; false where the record is too short for its memories.
static bool noise_at(const series *s, int number, slip_noise *n)
{
    const double record = s->t[s->rows - 1] - s->t[0], spacing = record / (s->rows - 1);
    *n = (slip_noise){ .kind = SLIP_NOISE_WHITE };
    if (number == 0) return true;
    const int each = MEMORY_COUNT * SHARE_COUNT, at = (number - 1) % each, level = at / SHARE_COUNT;
    n->kind = number > each ? SLIP_NOISE_SMOOTH : SLIP_NOISE_ROUGH;
    const double from = n->kind == SLIP_NOISE_ROUGH ? MIN_ROUGH_MEMORY * spacing : spacing;
    const double to = n->kind == SLIP_NOISE_ROUGH ? record : MAX_SMOOTH_MEMORY * record;
    n->share = share[at % SHARE_COUNT];
    n->memory = from * slip_pow(to / from, (double)level / (MEMORY_COUNT - 1));
    return to > from;
}

static series measure_series(const double *t, const double *u, int rows)
{
    series s = { .t = t, .u = u, .rows = rows, .factor = 1.0 };
    for (int k = 0; k < rows; k++) s.scale += u[k] * u[k] / rows, s.together += fabs(u[k]);
    s.scale = sqrt(s.scale);
    return s;
}

// Turns logarithms of weights into weights with the sum 1.
static void normalise_weights(slip_error_distribution *out)
{
    double most = -INFINITY, sum = 0.0;
    for (int k = 0; k < out->count; k++) most = fmax(most, out->weight[k]);
    for (int k = 0; k < out->count; k++) sum += out->weight[k] = slip_exp(out->weight[k] - most);
    for (int k = 0; k < out->count; k++) out->weight[k] /= sum;
}

void slip_error_distribution_fit(const double *t, const double *u, int rows, int residuals, int freedom,
                                 slip_error_distribution *out)
{
    series s = measure_series(t, u, rows);
    s.factor = (double)residuals / freedom;
    if (!(s.scale > 0.0) || rows < 3) {
        slip_error_distribution_white(sqrt(s.factor * rows) * s.scale, freedom, out);
        return;
    }
    *out = (slip_error_distribution){ .freedom = freedom < rows - 1 ? freedom : rows - 1 };
    for (int k = 0; k < SLIP_ERROR_DISTRIBUTION_MAX_TERMS; k++) {
        slip_noise n;
        pass p = { 0 };
        if (!noise_at(&s, k, &n)) continue;
        pass_noise(&s, &n, &p);
        double variance = squares_left(&s, &p) / (rows - 1) * s.scale * s.scale * p.sum;
        out->error[out->count] = sqrt(s.factor * fmin(variance, s.together * s.together));
        out->weight[out->count++] = log_weight(&s, &n, &p);
    }
    normalise_weights(out);
}

bool slip_noise_most_likely(const double *t, const double *e, int rows, slip_noise *best, double *innovations)
{
    const series s = measure_series(t, e, rows);
    double most = -INFINITY;
    if (!(s.scale > 0.0) || rows < 3) return false;
    for (int k = 0; k < SLIP_ERROR_DISTRIBUTION_MAX_TERMS; k++) {
        slip_noise n;
        pass p = { 0 };
        if (!noise_at(&s, k, &n)) continue;
        pass_noise(&s, &n, &p);
        const double weight = log_weight(&s, &n, &p);
        if (weight > most) most = weight, *best = n;
    }
    if (isinf(most)) return false;
    pass p = { .innovation = innovations };
    pass_noise(&s, best, &p);
    for (int k = 0; k < rows; k++)
        innovations[k] = innovations[2 * k] - p.u1 / p.one * innovations[2 * k + 1];
    return true;
}

void slip_error_distribution_white(double error, int freedom, slip_error_distribution *out)
{
    *out = (slip_error_distribution){ .count = 1, .freedom = freedom, .weight = { 1.0 }, .error = { error } };
}

// ------------------------------------------------------------------------------------------- quantiles

// Probability of |T| < x for Student's T (Abramowitz and Stegun 26.7.3, 26.7.4; 26.7.8 beyond 200 degrees of
// freedom).
static double student_probability(double x, int freedom)
{
    double n = freedom, angle = slip_atan(x / sqrt(n)), c = slip_cos(angle), s = slip_sin(angle), sum = 0.0,
           term;
    if (freedom > 200) return erf(x * (1.0 - 0.25 / n) / sqrt(1.0 + 0.5 * x * x / n) / sqrt(2.0));
    bool odd = freedom % 2;
    term = odd ? c : 1.0;
    for (int k = odd ? 3 : 2; k <= freedom; k += 2) {
        sum += term;
        term *= c * c * (k - 1) / k;
    }
    return odd ? 2.0 / 3.14159265358979323846 * (angle + s * sum) : s * sum;
}

static double probability_within(const slip_error_distribution *s, double width)
{
    double sum = 0.0;
    for (int k = 0; k < s->count; k++)
        if (s->weight[k] > NEGLIGIBLE_WEIGHT)
            sum += s->weight[k] *
                   (s->error[k] > 0.0 ? student_probability(width / s->error[k], s->freedom) : 1.0);
    return sum;
}

double slip_error_distribution_half_width(const slip_error_distribution *s, double probability)
{
    double low = 0.0, high = 0.0;
    for (int k = 0; k < s->count; k++) high = fmax(high, s->error[k]);
    if (!(high > 0.0) || isinf(high)) return high;
    while (probability_within(s, high) < probability) high *= 2.0;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        *(probability_within(s, middle) < probability ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}
