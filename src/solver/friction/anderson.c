/// solver/friction/anderson.c: the least-squares problem of Anderson's acceleration, by its normal equations.
#include "solver/friction/anderson.h"

#include <math.h>
#include <string.h>

#include "solver/friction/friction_tolerances.h"

enum { HISTORY_DEPTH = SLIP_ANDERSON_DEPTH };

void slip_anderson_layout(slip_arena *a, slip_anderson *k, int size)
{
    *k = (slip_anderson){ .size = size };
    k->dF = SLIP_TAKE(a, double, HISTORY_DEPTH *(size_t)size);
    k->dG = SLIP_TAKE(a, double, HISTORY_DEPTH *(size_t)size);
    k->f = SLIP_TAKE(a, double, size);
    k->g = SLIP_TAKE(a, double, size);
}

void slip_anderson_begin(slip_anderson *k, int size)
{
    k->size = size;
    k->columns = 0;
    k->newest = -1;
    k->begun = false;
}

static double weighted_dot(int n, int group, const double *weight, const double *a, const double *b)
{
    double sum = 0.0;
    for (int c = 0; c < n / group; c++) {
        double part = 0.0;
        for (int i = c * group; i < (c + 1) * group; i++) part += a[i] * b[i];
        sum += weight[c] * part;
    }
    return sum;
}

static double column_dot(const slip_anderson *k, int group, const double *weight, const double *a,
                         const double *b)
{
    return group == 3   ? weighted_dot(k->size, 3, weight, a, b)
           : group == 2 ? weighted_dot(k->size, 2, weight, a, b)
                        : weighted_dot(k->size, 1, weight, a, b);
}

// Stores the difference to the last step as a new column in place of the oldest one; f and g become those of
// the last step.
static void add_column(slip_anderson *k, int group, const double *weight, const double *x, const double *g)
{
    const long n = k->size;
    const int to = (k->newest + 1) % HISTORY_DEPTH;
    double *dF = k->dF + to * n, *dG = k->dG + to * n;
    for (long i = 0; i < n; i++) {
        const double f = g[i] - x[i];
        dF[i] = f - k->f[i];
        dG[i] = g[i] - k->g[i];
        k->f[i] = f;
        k->g[i] = g[i];
    }
    k->newest = to;
    if (k->columns < HISTORY_DEPTH) k->columns++;
    for (int j = 0; j < k->columns; j++)
        k->gram[to][j] = k->gram[j][to] = column_dot(k, group, weight, dF, k->dF + j * n);
}

// Solves gram y = b by Cholesky's method with a ridge; false if even that fails.
static bool solve_gram(const slip_anderson *k, double *y)
{
    const int m = k->columns;
    double L[HISTORY_DEPTH][HISTORY_DEPTH], trace = 0.0;
    for (int i = 0; i < m; i++) trace += k->gram[i][i];
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            double sum = k->gram[i][j] + (i == j ? GRAM_RIDGE * trace : 0.0);
            for (int l = 0; l < j; l++) sum -= L[i][l] * L[j][l];
            if (i == j && !(sum > 0.0)) return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    for (int i = 0; i < m; i++) {
        for (int l = 0; l < i; l++) y[i] -= L[i][l] * y[l];
        y[i] /= L[i][i];
    }
    for (int i = m; i-- > 0;) {
        for (int l = i + 1; l < m; l++) y[i] -= L[l][i] * y[l];
        y[i] /= L[i][i];
    }
    return true;
}

double slip_anderson_next(slip_anderson *k, int group, const double *weight, double *x, const double *g)
{
    const long n = k->size;
    double y[HISTORY_DEPTH];
    if (k->begun) {
        add_column(k, group, weight, x, g);
    } else {
        for (long i = 0; i < n; i++) k->f[i] = g[i] - x[i], k->g[i] = g[i];
        k->begun = true;
    }
    for (int j = 0; j < k->columns; j++) y[j] = column_dot(k, group, weight, k->dF + j * n, k->f);
    const double size = sqrt(column_dot(k, group, weight, k->f, k->f));
    memcpy(x, g, sizeof(double) * (size_t)n);
    if (k->columns == 0 || !solve_gram(k, y)) return size;
    for (int j = 0; j < k->columns; j++)
        for (long i = 0; i < n; i++) x[i] -= y[j] * k->dG[j * n + i];
    return size;
}
