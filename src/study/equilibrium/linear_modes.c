/// study/equilibrium/linear_modes.c: modes and frequency response of x' = A x + B u.
///
/// Complex systems (A - l) z = b are solved as real ones of twice the size, with z = x + i y and l = r + i s:
///
///     [ A - r    s   ] [x]   [re b]
///     [  -s    A - r ] [y] = [im b]
#include "study/equilibrium/linear_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/linalg.h"
#include "study/bifurcation/multipliers.h"
#include "study/equilibrium/equilibrium_tolerances.h"

enum { INVERSE_ITERATIONS = 3 };
static const double TWO_PI = 6.283185307179586;

/// Room for one complex system of size n.
typedef struct complex_system {
    int n;
    double *M; // 2n x 2n
    double *z; // x, then y
    int *pivot;
} complex_system;

static bool take_system(complex_system *s, int n)
{
    size_t m = 2 * (size_t)n;
    *s = (complex_system){ n, malloc((m * m + 1) * sizeof *s->M), malloc((m + 1) * sizeof *s->z),
                           malloc((m + 1) * sizeof *s->pivot) };
    return s->M && s->z && s->pivot;
}

static void free_system(complex_system *s)
{
    free(s->M);
    free(s->z);
    free(s->pivot);
}

// A - l; false when it is singular
static bool factor_shifted(complex_system *s, const double *A, double re, double im)
{
    const int n = s->n, m = 2 * n;
    memset(s->M, 0, (size_t)(m * m) * sizeof *s->M);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            s->M[i * m + j] = s->M[(n + i) * m + n + j] = A[i * n + j] - (i == j ? re : 0.0);
        s->M[i * m + n + i] = im;
        s->M[(n + i) * m + i] = -im;
    }
    return slip_lu(m, s->M, s->pivot);
}

// ------------------------------------------------------------------------------------------------ shapes

// z /= its entry of largest modulus among the first `among`, or among all where these are 0
static void normalize(complex_system *s, int among)
{
    const int n = s->n;
    double largest = 0.0, whole = 0.0;
    int at = 0;
    for (int k = 0; k < n; k++) whole = fmax(whole, slip_hypot(s->z[k], s->z[n + k]));
    for (int pass = 0; pass < 2 && !(largest > SHAPE_ZERO * whole); pass++)
        for (int k = 0; k < (pass ? n : among); k++) {
            const double size = slip_hypot(s->z[k], s->z[n + k]);
            if (size > largest * (1.0 + SHAPE_TIE)) largest = size, at = k;
        }
    const double a = s->z[at], b = s->z[n + at], square = a * a + b * b;
    for (int k = 0; k < n && square > 0.0; k++) {
        const double x = s->z[k], y = s->z[n + k];
        s->z[k] = (x * a + y * b) / square;
        s->z[n + k] = (y * a - x * b) / square;
    }
}

// Inverse iteration beside the eigenvalue: what is left after three steps is its shape.
static void find_shape(complex_system *s, const double *A, double size, int coordinates,
                       slip_linear_mode *mode)
{
    const int n = s->n;
    const double beside = SHAPE_SHIFT * fmax(size, slip_hypot(mode->re, mode->im));
    for (int k = 0; k < 2 * n; k++) s->z[k] = k < n ? 1.0 + 0.1 * k : 0.0;
    if (!factor_shifted(s, A, mode->re + beside, mode->im)) return;
    for (int round = 0; round < INVERSE_ITERATIONS; round++) {
        slip_lu_solve(2 * n, s->M, s->pivot, s->z);
        normalize(s, n);
    }
    normalize(s, coordinates);
    memcpy(mode->shape_re, s->z, (size_t)n * sizeof *s->z);
    memcpy(mode->shape_im, s->z + n, (size_t)n * sizeof *s->z);
}

static int by_frequency(const void *a, const void *b)
{
    const slip_linear_mode *p = a, *q = b;
    if (p->frequency != q->frequency) return p->frequency < q->frequency ? -1 : 1;
    return (p->re > q->re) - (p->re < q->re);
}

static bool add_mode(slip_linear_model *l, double re, double im)
{
    const double size = slip_hypot(re, im);
    slip_linear_mode *mode = &l->modes[l->mode_count++];
    *mode = (slip_linear_mode){
        .re = re, .im = im, .frequency = size / TWO_PI, .damping = size > 0.0 ? -re / size : NAN
    };
    mode->shape_re = calloc(2 * (size_t)l->state_count + 1, sizeof *mode->shape_re);
    mode->shape_im = mode->shape_re ? mode->shape_re + l->state_count : NULL;
    return mode->shape_re != NULL;
}

static double largest_entry(const double *A, int count)
{
    double most = 0.0;
    for (int k = 0; k < count; k++) most = fmax(most, fabs(A[k]));
    return most;
}

bool slip_linear_modes(slip_linear_model *l, int coordinates)
{
    const int n = l->state_count;
    double *value = malloc((2 * (size_t)n + 1) * sizeof *value);
    complex_system s = { 0 };
    l->modes = calloc((size_t)n + 1, sizeof *l->modes);
    bool fine =
        value && l->modes && take_system(&s, n) && slip_multipliers(n, l->A, value, value + n, &l->zeros);
    l->stable = true;
    for (int k = 0; k < n - l->zeros && fine; k++) { // zeros are the last ones
        l->stable = l->stable && value[k] < 0.0;
        if (value[n + k] >= 0.0) fine = add_mode(l, value[k], value[n + k]);
    }
    const double size = fine ? largest_entry(l->A, n * n) : 0.0;
    for (int k = 0; k < l->mode_count && fine; k++) find_shape(&s, l->A, size, coordinates, &l->modes[k]);
    if (fine) qsort(l->modes, (size_t)l->mode_count, sizeof *l->modes, by_frequency);
    free(value);
    free_system(&s);
    return fine;
}

// ---------------------------------------------------------------------------------------------- response

// column j of C z + D at one frequency, where z is in s
static void read_outputs(const slip_linear_model *l, const complex_system *s, int at, int j)
{
    const int n = l->state_count, inputs = l->input_count;
    for (int i = 0; i < l->output_count; i++) {
        double re = l->D[i * inputs + j], im = 0.0;
        for (int k = 0; k < n; k++) {
            re += l->C[i * n + k] * s->z[k];
            im += l->C[i * n + k] * s->z[n + k];
        }
        const int place = (at * l->output_count + i) * inputs + j;
        l->gain_re[place] = re;
        l->gain_im[place] = im;
    }
}

bool slip_linear_response(slip_linear_model *l)
{
    const int n = l->state_count;
    const size_t count = (size_t)l->frequency_count * (size_t)l->output_count * (size_t)l->input_count;
    complex_system s = { 0 };
    l->gain_re = malloc((count + 1) * sizeof *l->gain_re);
    l->gain_im = malloc((count + 1) * sizeof *l->gain_im);
    bool fine = l->gain_re && l->gain_im && take_system(&s, n);
    for (int f = 0; f < l->frequency_count && fine; f++) {
        const bool regular = factor_shifted(&s, l->A, 0.0, TWO_PI * l->frequency[f]);
        for (int j = 0; j < l->input_count; j++) {
            for (int k = 0; k < n; k++) { // (A - i w) z = -B
                s.z[k] = regular ? -l->B[k * l->input_count + j] : NAN;
                s.z[n + k] = regular ? 0.0 : NAN;
            }
            if (regular) slip_lu_solve(2 * n, s.M, s.pivot, s.z);
            read_outputs(l, &s, f, j);
        }
    }
    free_system(&s);
    return fine;
}
