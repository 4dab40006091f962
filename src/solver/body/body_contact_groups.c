/// solver/body/body_contact_groups.c: elimination of dependent contacts, group by group.
#include "solver/body/body_contact_groups.h"

#include "solver/linalg/fixed_size.h"
#include "solver/linalg/small_inverse.h"

enum { GROUP_MAX_UNKNOWNS = 3 * SLIP_CONTACT_GROUP_MAX };

void slip_contact_groups_layout(slip_arena *a, slip_contact_groups *g, int d, int contacts)
{
    const size_t numbers = (size_t)contacts * SLIP_CONTACT_GROUP_MAX * (size_t)(d * d);
    g->C = SLIP_TAKE(a, double, numbers);
    g->K = SLIP_TAKE(a, double, numbers);
}

// Assembles A + B (eps + L), n x n, where L is the sum of w z z' with z = 1 at the normal of a dependent
// contact and -share at that of the first. Rows of inactive contacts are rows of the identity.
SLIP_FIXED_SIZE void assemble_group(const slip_delassus_operator *s, int at, int d, int count, const bool *on,
                                    const double *A, const double *B, const double *eps, double *m)
{
    const int n = count * d;
    for (int i = 0; i < n * n; i++) m[i] = 0.0;
    for (int c = 0; c < count; c++)
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++) {
                const int k = (c * d + i) * d + j;
                m[(c * d + i) * n + c * d + j] = on[c] ? (A ? A[k] : i == j) + eps[c] * B[k] : i == j;
            }
    for (int c = 1; c < count; c++) {
        const double w = s->weight[at + c], share = s->share[at + c];
        for (int i = 0; i < d; i++) {
            double *mine = m + (c * d + i) * n, *its = m + i * n;
            const double *b = B + (c * d + i) * d, by = w * share;
            if (on[c]) mine[c * d] += w * b[0];
            if (on[c] && d == 3) mine[c * d + d - 1] += s->idle[at + c] * b[d - 1];
            if (on[0]) its[0] += by * share * B[i * d];
            if (on[0] && on[c]) mine[0] -= by * b[0], its[c * d] -= by * B[i * d];
        }
    }
}

// All pointers point at the first contact of the group that begins at `at`.
SLIP_FIXED_SIZE bool solve_group(const slip_delassus_operator *s, int at, int d, int count, const bool *on,
                                 const double *A, const double *B, const double *eps, double *C, double *K)
{
    const int n = count * d;
    double m[GROUP_MAX_UNKNOWNS * GROUP_MAX_UNKNOWNS], room[GROUP_MAX_UNKNOWNS * GROUP_MAX_UNKNOWNS];
    assemble_group(s, at, d, count, on, A, B, eps, m);
    if (!slip_invert(n, m, room)) return false;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            for (int i = 0; i < d; i++)
                for (int j = 0; j < d; j++) {
                    const int to = ((a * SLIP_CONTACT_GROUP_MAX + b) * d + i) * d + j;
                    const double *row = m + (a * d + i) * n + b * d;
                    double sum = 0.0;
                    for (int l = 0; l < d; l++) sum += row[l] * B[(b * d + l) * d + j];
                    C[to] = row[j];
                    K[to] = sum;
                }
    return true;
}

static bool solve_group_of_size(const slip_delassus_operator *s, int at, int count, const bool *on,
                                const double *A, const double *B, const double *eps, double *C, double *K)
{
    const int d = s->d;
    if (d == 2)
        return count == 1 ? solve_group(s, at, 2, 1, on, A, B, eps, C, K)
                          : solve_group(s, at, 2, count, on, A, B, eps, C, K);
    if (count == 1) return solve_group(s, at, 3, 1, on, A, B, eps, C, K);
    if (count == 2) return solve_group(s, at, 3, 2, on, A, B, eps, C, K);
    return solve_group(s, at, 3, 3, on, A, B, eps, C, K);
}

bool slip_contact_groups_solve(slip_contact_groups *g, const slip_island *p, const bool *on, const double *A,
                               const double *B, const double *eps)
{
    for (int c = 0, count; c < p->contacts; c += count) {
        count = slip_contact_group_size(p->all, p->first + c);
        const long block = (long)c * p->all->d * p->all->d;
        if (!solve_group_of_size(p->all, p->first + c, count, on + c, A ? A + block : NULL, B + block,
                                 eps + c, g->C + SLIP_CONTACT_GROUP_MAX * block,
                                 g->K + SLIP_CONTACT_GROUP_MAX * block))
            return false;
    }
    return true;
}

void slip_contact_groups_add(const slip_island *p, const bool *on, const double *M, double by,
                             const double *x, double *y)
{
    const int d = p->all->d;
    for (int c = 0; c < p->contacts; c++) {
        const int first = c - p->all->behind[p->first + c],
                  count = slip_contact_group_size(p->all, p->first + first);
        for (int b = 0; b < count && on[c]; b++) {
            const double *block = M + ((long)c * SLIP_CONTACT_GROUP_MAX + b) * d * d,
                         *from = x + (long)(first + b) * d;
            for (int i = 0; i < d && on[first + b]; i++)
                for (int j = 0; j < d; j++) y[c * d + i] += by * block[i * d + j] * from[j];
        }
    }
}
