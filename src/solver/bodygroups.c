/// solver/bodygroups.c: groups of contacts, eliminated one by one.
#include "solver/bodygroups.h"

#include <math.h>
#include <string.h>

enum { MOST = 3 * SLIP_GROUP_MOST };

void slip_body_groups_layout(slip_arena *a, slip_body_groups *g, int d, int contacts)
{
    const size_t numbers = (size_t)contacts * SLIP_GROUP_MOST * (size_t)(d * d);
    g->C = SLIP_TAKE(a, double, numbers);
    g->K = SLIP_TAKE(a, double, numbers);
}

// the matrix of a group with 1 behind it; rows of contacts that are off are those of 1
static void assemble(const slip_island *p, int first, int count, const bool *on, const double *A,
                     const double *B, const double *eps, double m[MOST][2 * MOST])
{
    const int d = p->all->d, n = count * d;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++) m[i][j] = j == n + i;
    for (int j = 0; j < n; j++) { // column by column of L, by what it does to a unit
        double unit[MOST] = { 0.0 }, u[MOST] = { 0.0 };
        const int at = first + j / d;
        unit[j] = 1.0;
        if (!on[at]) {
            m[j][j] = 1.0;
            continue;
        }
        u[j] = eps[at];
        for (int c = 0; c < count; c++)
            slip_body_follow(p->all, p->first + first + c, unit + c * d, u + c * d);
        for (int i = 0; i < n; i++) {
            const long block = (long)(first + i / d) * d * d;
            if (!on[first + i / d]) continue;
            for (int l = 0; l < d; l++) m[i][j] += B[block + (i % d) * d + l] * u[i - i % d + l];
            if (i / d == j / d) m[i][j] += A ? A[block + (i % d) * d + j % d] : (i == j);
        }
    }
}

// Gauss and Jordan, with row exchanges
static bool invert(int n, double m[MOST][2 * MOST])
{
    for (int k = 0; k < n; k++) {
        int row = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i][k]) > fabs(m[row][k])) row = i;
        const double pivot = m[row][k];
        if (!(fabs(pivot) > 0.0) || !isfinite(pivot)) return false;
        for (int j = k; j < 2 * n; j++) {
            const double x = m[row][j];
            m[row][j] = m[k][j];
            m[k][j] = x / pivot;
        }
        for (int i = 0; i < n; i++) {
            const double by = m[i][k];
            if (i == k || by == 0.0) continue;
            for (int j = k; j < 2 * n; j++) m[i][j] -= by * m[k][j];
        }
    }
    return true;
}

static bool solve_group(slip_body_groups *g, const slip_island *p, int first, int count, const bool *on,
                        const double *A, const double *B, const double *eps)
{
    const int d = p->all->d, n = count * d;
    double m[MOST][2 * MOST];
    assemble(p, first, count, on, A, B, eps, m);
    if (!invert(n, m)) return false;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            const long block = ((long)(first + a) * SLIP_GROUP_MOST + b) * d * d,
                       own = (long)(first + b) * d * d;
            for (int i = 0; i < d; i++)
                for (int j = 0; j < d; j++) {
                    double sum = 0.0;
                    for (int l = 0; l < d; l++) sum += m[a * d + i][n + b * d + l] * B[own + l * d + j];
                    g->C[block + i * d + j] = m[a * d + i][n + b * d + j];
                    g->K[block + i * d + j] = sum;
                }
        }
    return true;
}

bool slip_body_groups_solve(slip_body_groups *g, const slip_island *p, const bool *on, const double *A,
                            const double *B, const double *eps)
{
    for (int c = 0, count; c < p->contacts; c += count) {
        count = slip_group_count(p->all, p->first + c);
        if (!solve_group(g, p, c, count, on, A, B, eps)) return false;
    }
    return true;
}

void slip_body_groups_add(const slip_island *p, const bool *on, const double *M, double by, const double *x,
                          double *y)
{
    const int d = p->all->d;
    for (int c = 0; c < p->contacts; c++) {
        const int first = c - p->all->behind[p->first + c],
                  count = slip_group_count(p->all, p->first + first);
        for (int b = 0; b < count && on[c]; b++) {
            const double *block = M + ((long)c * SLIP_GROUP_MOST + b) * d * d,
                         *from = x + (long)(first + b) * d;
            for (int i = 0; i < d && on[first + b]; i++)
                for (int j = 0; j < d; j++) y[c * d + i] += by * block[i * d + j] * from[j];
        }
    }
}
