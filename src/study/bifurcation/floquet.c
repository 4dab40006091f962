/// study/bifurcation/floquet.c: multipliers from the derivatives of segments.
///
/// The monodromy matrix is the product of the matrices of the segments. Multipliers that are small beside the
/// largest one are lost in this product, and cannot be distinguished from the exact zeros that sticking
/// causes; they are therefore computed from the factors (base/linalg/periodic_eigenvalues.h). Where the
/// matrix of one segment already loses them, the segment is subdivided.
#include "study/bifurcation/floquet.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/multipliers.h"

/// The states that are not fixed, and the factors restricted to them.
typedef struct floquet {
    int n, count, *list; // number of these states; number of factors; the states
    double *M;           // the product of the factors
    double *re, *im;     // multipliers from the factors
} floquet;

static bool floquet_allocate(floquet *f, slip_cycle *c, int states)
{
    size_t n = (size_t)states, square = n * n;
    f->list = calloc(n + 1, sizeof *f->list);
    f->M = calloc(square + 1, sizeof *f->M);
    f->re = calloc(2 * n + 1, sizeof *f->re);
    f->im = f->re ? f->re + n : NULL;
    c->multiplier_re = calloc(n + 1, sizeof *c->multiplier_re);
    c->multiplier_im = calloc(n + 1, sizeof *c->multiplier_im);
    c->monodromy = calloc(square + 1, sizeof *c->monodromy);
    return f->list && f->M && f->re && c->multiplier_re && c->multiplier_im && c->monodromy;
}

static void floquet_free(floquet *f)
{
    free(f->list), free(f->M), free(f->re);
}

// Restricts the factors in J (stored by columns) to the states that are not fixed, scaled by the size of the
// motion, so that ranks do not depend on units.
static void take_factors(const floquet *f, const slip_shooting *s, const double *J, double *A)
{
    size_t states = (size_t)s->states, to = 0;
    for (int k = 0; k < f->count; k++)
        for (int i = 0; i < f->n; i++)
            for (int j = 0; j < f->n; j++) {
                size_t row = (size_t)f->list[i], column = (size_t)f->list[j];
                A[to++] =
                    J[(size_t)k * states * states + column * states + row] * s->scale[column] / s->scale[row];
            }
}

// True if the smallest of n multipliers, sorted by falling modulus, has lost digits in `count` factors.
static bool has_lost_digits(int n, int count, const double *re, const double *im)
{
    if (n < 2) return false;
    return slip_hypot(re[n - 1], im[n - 1]) < slip_pow(LOST_DIGITS_RATIO, count) * slip_hypot(re[0], im[0]);
}

// Replaces multipliers and zeros by those computed from the factors.
static bool use_factors(floquet *f, const slip_shooting *s, const double *J, slip_cycle *c)
{
    int zeros = 0;
    double *A = calloc((size_t)f->count * (size_t)(f->n * f->n) + 1, sizeof *A);
    if (A) take_factors(f, s, J, A);
    bool fine = A && slip_product_multipliers(f->n, f->count, A, f->re, f->im, &zeros);
    bool known = s->segments == 1 && zeros == c->zeros && // the matrix was accurate enough
                 !has_lost_digits(f->n - zeros, 1, c->multiplier_re, c->multiplier_im);
    if (fine && !known) {
        c->determinant = slip_product_determinant(f->n, f->count, A);
        for (int k = 0; k < f->n; k++) c->multiplier_re[k] = f->re[k], c->multiplier_im[k] = f->im[k];
        c->zeros = zeros;
    }
    free(A);
    return fine;
}

// Multipliers of the monodromy matrix itself, for a single segment.
static bool use_matrix(floquet *f, slip_cycle *c)
{
    c->determinant = slip_product_determinant(f->n, 1, f->M);
    return slip_multipliers(f->n, f->M, c->multiplier_re, c->multiplier_im, &c->zeros);
}

// Subdivides the segments where their multipliers differ too much in size. Difference quotients have six
// digits in any case, so they are left alone; if a piece cannot be run by itself, the multipliers stay as
// they are.
static bool subdivide_segments(floquet *f, slip_cycle *c, slip_shooting *s, bool *elsewhere)
{
    int each = SLIP_CYCLE_MAX_SEGMENTS / s->segments;
    if (each < 2 || !s->shot->tangent || !has_lost_digits(f->n, f->count, c->multiplier_re, c->multiplier_im))
        return true;
    *elsewhere = true;
    f->count = s->segments * each;
    double *J = calloc((size_t)f->count * (size_t)(s->states * s->states) + 1, sizeof *J);
    bool fine = J && (!slip_shooting_subdivide(s, each, J) || use_factors(f, s, J, c));
    free(J);
    return fine;
}

bool slip_floquet_fill(slip_cycle *c, slip_shooting *s, bool *elsewhere)
{
    floquet f = { .count = s->segments };
    int n = s->states;
    bool fine = floquet_allocate(&f, c, n);
    for (int k = 0; k < n && fine; k++)
        if (!s->fixed[k]) f.list[f.n++] = k;
    for (int i = 0; i < n && fine; i++)
        for (int j = 0; j < n; j++) c->monodromy[i * n + j] = s->M[(size_t)j * (size_t)n + (size_t)i];
    for (int i = 0; i < f.n && fine; i++)
        for (int j = 0; j < f.n; j++) f.M[i * f.n + j] = c->monodromy[f.list[i] * n + f.list[j]];
    c->multiplier_count = f.n;
    bool whole = s->segments == 1 || !s->shot->tangent; // difference quotients hide the rank of each factor
    fine = fine && (whole ? use_matrix(&f, c) : use_factors(&f, s, s->J, c));
    fine = fine && subdivide_segments(&f, c, s, elsewhere);
    floquet_free(&f);
    return fine;
}
