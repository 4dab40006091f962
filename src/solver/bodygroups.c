/// solver/bodygroups.c: groups of contacts, eliminated one by one.
#include "solver/bodygroups.h"

#include <math.h>

#include "solver/constant.h"

enum { MOST = 3 * SLIP_GROUP_MOST };

void slip_body_groups_layout(slip_arena *a, slip_body_groups *g, int d, int contacts)
{
    const size_t numbers = (size_t)contacts * SLIP_GROUP_MOST * (size_t)(d * d);
    g->C = SLIP_TAKE(a, double, numbers);
    g->K = SLIP_TAKE(a, double, numbers);
}

// the matrix of a group, of n rows, with 1 behind it
typedef double matrix[MOST][2 * MOST];

// by B, where a column of a contact meets itself
SLIP_FOR_CONSTANTS void add_column(matrix m, int d, int c, int column, const double *B, double by)
{
    for (int i = 0; i < d; i++) m[c * d + i][c * d + column] += by * B[(c * d + i) * d + column];
}

// A + B (eps + L), L being the sum of w z z' with z = 1 at the normal of a follower, -share at that of the
// first. Rows of contacts that are off are those of 1
SLIP_FOR_CONSTANTS void assemble(const slip_body_system *s, int at, int d, int count, const bool *on,
                                 const double *A, const double *B, const double *eps, matrix m)
{
    const int n = count * d;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++) m[i][j] = j == n + i;
    for (int c = 0; c < count; c++)
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++) {
                const int k = (c * d + i) * d + j;
                m[c * d + i][c * d + j] = on[c] ? (A ? A[k] : i == j) + eps[c] * B[k] : i == j;
            }
    for (int c = 1; c < count; c++) {
        const double w = s->weight[at + c], share = s->share[at + c];
        if (on[c]) add_column(m, d, c, 0, B, w);
        if (on[c] && d == 3) add_column(m, d, c, d - 1, B, s->idle[at + c]);
        if (on[0]) add_column(m, d, 0, 0, B, w * share * share);
        if (!on[0] || !on[c]) continue;
        for (int i = 0; i < d; i++) {
            m[c * d + i][0] -= w * share * B[(c * d + i) * d];
            m[i][c * d] -= w * share * B[i * d];
        }
    }
}

// Gauss and Jordan, with row exchanges
SLIP_FOR_CONSTANTS bool invert(int n, matrix m)
{
    for (int k = 0; k < n; k++) {
        int row = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i][k]) > fabs(m[row][k])) row = i;
        const double pivot = m[row][k];
        if (!(fabs(pivot) > 0.0) || !isfinite(pivot)) return false;
        for (int j = 0; j < 2 * n; j++) {
            const double x = m[row][j];
            m[row][j] = m[k][j];
            m[k][j] = x / pivot;
        }
        for (int i = 0; i < n; i++) {
            const double by = m[i][k];
            if (i == k || by == 0.0) continue;
            for (int j = 0; j < 2 * n; j++) m[i][j] -= by * m[k][j];
        }
    }
    return true;
}

// of the group at a place, whose first contact all pointers are at
SLIP_FOR_CONSTANTS bool solve_group(const slip_body_system *s, int at, int d, int count, const bool *on,
                                    const double *A, const double *B, const double *eps, double *C, double *K)
{
    const int n = count * d;
    matrix m;
    assemble(s, at, d, count, on, A, B, eps, m);
    if (!invert(n, m)) return false;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            for (int i = 0; i < d; i++)
                for (int j = 0; j < d; j++) {
                    const int to = ((a * SLIP_GROUP_MOST + b) * d + i) * d + j;
                    double sum = 0.0;
                    for (int l = 0; l < d; l++) sum += m[a * d + i][n + b * d + l] * B[(b * d + l) * d + j];
                    C[to] = m[a * d + i][n + b * d + j];
                    K[to] = sum;
                }
    return true;
}

static bool solve_any(const slip_body_system *s, int at, int count, const bool *on, const double *A,
                      const double *B, const double *eps, double *C, double *K)
{
    const int d = s->d;
    if (d == 2)
        return count == 1 ? solve_group(s, at, 2, 1, on, A, B, eps, C, K)
                          : solve_group(s, at, 2, count, on, A, B, eps, C, K);
    if (count == 1) return solve_group(s, at, 3, 1, on, A, B, eps, C, K);
    if (count == 2) return solve_group(s, at, 3, 2, on, A, B, eps, C, K);
    return solve_group(s, at, 3, 3, on, A, B, eps, C, K);
}

bool slip_body_groups_solve(slip_body_groups *g, const slip_island *p, const bool *on, const double *A,
                            const double *B, const double *eps)
{
    for (int c = 0, count; c < p->contacts; c += count) {
        count = slip_group_count(p->all, p->first + c);
        const long block = (long)c * p->all->d * p->all->d;
        if (!solve_any(p->all, p->first + c, count, on + c, A ? A + block : NULL, B + block, eps + c,
                       g->C + SLIP_GROUP_MOST * block, g->K + SLIP_GROUP_MOST * block))
            return false;
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
