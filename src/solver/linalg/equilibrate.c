/// solver/linalg/equilibrate.c: scaling by powers of two.
#include "solver/linalg/equilibrate.h"

#include <math.h>
#include <stdbool.h>

#include "solver/linalg/elimination_tolerances.h"

// fmax is a function call because of NaN, which cannot occur here.
static double max_of(double a, double b)
{
    return a > b ? a : b;
}

// largest entry of row and column i of s A s
static double weight_of(int n, const double *A, const double *scale, int i)
{
    double most = 0.0;
    for (int j = 0; j < n; j++) {
        const double both = max_of(fabs(A[(long)i * n + j]), fabs(A[(long)j * n + i]));
        most = max_of(most, both * scale[j]);
    }
    return most * scale[i];
}

static double half_power(double weight)
{
    int exponent;
    frexp(weight, &exponent);
    return ldexp(1.0, -exponent / 2);
}

// Whether diagonal entries are far below the rest, as those of masses of a million tonnes are beside the ones
// in the rows that bound friction. Rows and columns are equilibrated then, but the entries that matter in
// them are close to rounding.
static bool is_hidden(int n, const double *A, double most)
{
    for (int i = 0; i < n; i++)
        if (A[(long)i * (n + 1)] > 0.0 && A[(long)i * (n + 1)] < DIAGONAL_HIDDEN_RELATIVE * most) return true;
    return false;
}

// Scales diagonal entries to one, and rows without one accordingly. False if other entries become large.
static bool by_diagonal(int n, const double *A, double *scale)
{
    for (int i = 0; i < n; i++) {
        const double own = A[(long)i * (n + 1)];
        scale[i] = own > 0.0 ? half_power(own) : 0.0;
    }
    for (int i = 0; i < n; i++) {
        if (scale[i] > 0.0) continue;
        scale[i] = 1.0;
        double weight = 0.0;
        for (int j = 0; j < n; j++)
            if (A[(long)j * (n + 1)] > 0.0)
                weight =
                    max_of(weight, scale[j] * max_of(fabs(A[(long)i * n + j]), fabs(A[(long)j * n + i])));
        if (weight > 0.0 && isfinite(weight)) scale[i] = half_power(weight) * half_power(weight);
    }
    double most = 0.0;
    for (int i = 0; i < n; i++) most = max_of(most, weight_of(n, A, scale, i));
    return most < 900.0;
}

void slip_equilibrate(int n, const double *A, double *scale)
{
    double most = 0.0, least = INFINITY;
    for (int i = 0; i < n; i++) scale[i] = 1.0;
    for (int i = 0; i < n; i++) {
        const double weight = weight_of(n, A, scale, i);
        most = max_of(most, weight);
        if (weight > 0.0 && weight < least) least = weight;
    }
    if (is_hidden(n, A, most)) {
        if (by_diagonal(n, A, scale)) return;
        for (int i = 0; i < n; i++) scale[i] = 1.0;
    }
    if (most <= 30.0 * least) {
        const double all = most > 900.0 || (most > 0.0 && most < 1.0 / 900.0) ? half_power(most) : 1.0;
        for (int i = 0; i < n; i++) scale[i] = all;
        return;
    }
    for (int pass = 0; pass < 4; pass++)
        for (int i = 0; i < n; i++) {
            const double weight = weight_of(n, A, scale, i);
            if (weight > 0.0 && isfinite(weight)) scale[i] *= half_power(weight);
        }
}
