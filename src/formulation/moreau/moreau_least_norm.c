/// formulation/moreau/moreau_least_norm.c: impulses of contacts that depend on each other: of all that solve
/// their equations, the smallest, which is what equal, stiff contacts would carry.
///
/// Sums are taken row by row of a matrix, so that none waits for another; each number adds up in the order of
/// the rows.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

enum { REFINEMENT_PASSES = 4 };

// G = J J', lower triangle, column of J by column; the largest entry
static double fill_gram(const double *J, int count, double *G)
{
    double column[SLIP_MOREAU_MAX_DENSE_UNKNOWNS], most = 0.0;
    for (int i = 0; i < count; i++) memset(G + (long)i * count, 0, sizeof(double) * (size_t)(i + 1));
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < count; i++) column[i] = J[(long)i * count + k];
        for (int i = 0; i < count; i++) {
            double *restrict row = G + (long)i * count;
            for (int j = 0; j <= i; j++) row[j] += column[i] * column[j];
        }
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++) most = fmax(most, G[(long)i * count + j]);
    return most;
}

// to += by from, of rows
static void add_scaled_row(int count, double by, const double *from, double *restrict to)
{
    for (int j = 0; j < count; j++) to[j] += by * from[j];
}

static void divide_row(int count, double by, double *row)
{
    for (int j = 0; j < count; j++) row[j] /= by;
}

// X := (L L')^-1 X, all columns of X at once
static void solve_columns(int count, const double *L, double *X)
{
    for (int k = 0; k < count; k++) {
        const double *from = X + (long)k * count;
        divide_row(count, L[(long)k * count + k], X + (long)k * count);
        for (int i = k + 1; i < count; i++)
            add_scaled_row(count, -L[(long)i * count + k], from, X + (long)i * count);
    }
    for (int k = count - 1; k >= 0; k--) {
        const double *from = X + (long)k * count, *row = L + (long)k * count;
        divide_row(count, row[k], X + (long)k * count);
        for (int i = 0; i < k; i++) add_scaled_row(count, -row[i], from, X + (long)i * count);
    }
}

// What takes rates to impulses of least norm, -J' (J J' + small)^-1, by its columns, and J by its columns
bool slip_moreau_factor_least_norm(slip_moreau_factor *f, int count, double *G)
{
    const double most = fill_gram(f->J, count, G);
    for (int i = 0; i < count; i++) G[(long)i * count + i] += LEAST_NORM_SHIFT * most;
    if (!slip_cholesky(count, G)) return false;
    for (int i = 0; i < count * count; i++) f->inverse[i] = -f->J[i];
    solve_columns(count, G, f->inverse);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) f->columns[(long)j * count + i] = f->J[(long)i * count + j];
    f->kind = SLIP_MOREAU_LEAST_NORM;
    return true;
}

// to += A' by: four rows of A at a time, each number in the order of the rows
static void add_rows(int count, const double *A, const double *by, double *restrict to)
{
    int i = 0;
    for (; i + 3 < count; i += 4) {
        const double *row = A + (long)i * count;
        const double a = by[i], b = by[i + 1], c = by[i + 2], d = by[i + 3];
        for (int j = 0; j < count; j++)
            to[j] = to[j] + row[j] * a + row[count + j] * b + row[2 * count + j] * c + row[3 * count + j] * d;
    }
    for (; i < count; i++) add_scaled_row(count, by[i], A + (long)i * count, to);
}

// q + J x, the rates of the unknowns, into `rest`; the largest
static double find_rest(slip_moreau_problem *p, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) p->rest[i] = p->q[p->unknown[i]];
    add_rows(count, p->factored.columns, p->x, p->rest);
    for (int i = 0; i < count; i++) most = slip_larger(most, fabs(p->rest[i]));
    return most;
}

// The x with J x = -q that is nearest to 0, or to the last impulses, from there in few passes: each leaves a
// part of what it found, down to rounding
void slip_moreau_least_norm(slip_moreau *m, int count, double scale)
{
    slip_moreau_problem *p = &m->problem;
    for (int i = 0; i < count; i++) {
        p->x[i] = p->near ? p->near[p->unknown[i]] : 0.0;
        p->rest[i] = p->q[p->unknown[i]];
    }
    double left = p->near ? find_rest(p, count) : INFINITY;
    for (int pass = 0; pass < REFINEMENT_PASSES; pass++) {
        const double before = left;
        add_rows(count, p->factored.inverse, p->rest, p->x);
        left = find_rest(p, count);
        if (left <= 4.0 * DBL_EPSILON * scale || !(left < 0.1 * before)) break;
    }
    p->open = true;
}
