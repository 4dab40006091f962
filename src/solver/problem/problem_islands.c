/// solver/problem/problem_islands.c: islands by union-find over the blocks of W, copied out and back.
#include "solver/problem/problem_islands.h"

#include <string.h>

#include "solver/linalg/union_find.h"

enum { MIN_BLOCKS = 50 }; // smaller problems are not worth the search

bool slip_problem_islands_worthwhile(const slip_problem *p)
{
    const int d = slip_problem_block(p);
    return p->W.form == SLIP_SPARSE && p->W.block == d && p->size / d >= MIN_BLOCKS &&
           p->kind != SLIP_KIND_QP;
}

void slip_problem_islands_find(slip_arena *a, slip_problem_islands *s, const slip_problem *p)
{
    const slip_matrix *W = &p->W;
    const int n = p->size / slip_problem_block(p);
    *s = (slip_problem_islands){ .p = p };
    s->start = SLIP_TAKE(a, int, n + 1);
    s->order = SLIP_TAKE(a, int, n);
    s->local = SLIP_TAKE(a, int, n);
    if (!a->base) return;
    slip_union_find_init(n, s->local);
    for (int i = 0; i < n; i++)
        for (int k = W->row_start[i]; k < W->row_start[i + 1]; k++)
            slip_union_find_join(s->local, i, W->column[k]);
    s->count = slip_union_find_number(n, s->local);
    slip_union_find_sort(n, s->count, s->local, s->start, s->order);
    for (int k = 0; k < s->count; k++) {
        int entries = 0;
        for (int m = s->start[k]; m < s->start[k + 1]; m++) {
            s->local[s->order[m]] = m - s->start[k];
            entries += W->row_start[s->order[m] + 1] - W->row_start[s->order[m]];
        }
        if (s->start[k + 1] - s->start[k] > s->blocks) s->blocks = s->start[k + 1] - s->start[k];
        if (entries > s->entries) s->entries = entries;
    }
}

void slip_problem_islands_layout(slip_arena *a, slip_problem_islands *s)
{
    const int d = slip_problem_block(s->p), size = s->blocks * d;
    double **vectors[] = { &s->q, &s->mu, &s->lower, &s->upper, &s->z, &s->w };
    s->row_start = SLIP_TAKE(a, int, s->blocks + 1);
    s->column = SLIP_TAKE(a, int, s->entries);
    s->values = SLIP_TAKE(a, double, (size_t)s->entries *(size_t)(d * d));
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = SLIP_TAKE(a, double, size);
}

static void copy_matrix(slip_problem_islands *s, int k, int d)
{
    const slip_matrix *W = &s->p->W;
    const size_t square = (size_t)(d * d);
    int at = 0;
    for (int m = s->start[k]; m < s->start[k + 1]; m++) {
        const int from = W->row_start[s->order[m]], count = W->row_start[s->order[m] + 1] - from;
        s->row_start[m - s->start[k]] = at;
        memcpy(s->values + (size_t)at * square, W->values + (size_t)from * square,
               sizeof(double) * square * (size_t)count);
        for (int e = 0; e < count; e++) s->column[at++] = s->local[W->column[from + e]];
    }
    s->row_start[s->start[k + 1] - s->start[k]] = at;
}

// Copies the data of the blocks of an island, `side` numbers each; nothing if the problem has none.
static void copy_vector(const slip_problem_islands *s, int k, int side, const double *from, double *to)
{
    const size_t bytes = sizeof(double) * (size_t)side;
    for (int m = s->start[k]; from && m < s->start[k + 1]; m++)
        memcpy(to + (long)(m - s->start[k]) * side, from + (long)s->order[m] * side, bytes);
}

void slip_problem_islands_copy_out(slip_problem_islands *s, int k, const double *z)
{
    const slip_problem *p = s->p;
    const int d = slip_problem_block(p), blocks = s->start[k + 1] - s->start[k];
    s->one = *p;
    s->one.size = blocks * d;
    s->one.contacts = p->contacts > 0 ? blocks : 0;
    s->one.equalities = 0;
    for (int m = s->start[k]; m < s->start[k + 1]; m++) s->one.equalities += s->order[m] < p->equalities;
    copy_matrix(s, k, d);
    s->one.W = slip_matrix_sparse(s->one.size, s->one.size, d, s->row_start, s->column, s->values);
    copy_vector(s, k, d, p->q, s->q);
    copy_vector(s, k, d, z, s->z);
    copy_vector(s, k, 1, p->mu, s->mu);
    copy_vector(s, k, 1, p->lower, s->lower);
    copy_vector(s, k, 1, p->upper, s->upper);
    s->one.q = s->q;
    s->one.mu = p->mu ? s->mu : NULL;
    s->one.lower = p->lower ? s->lower : NULL;
    s->one.upper = p->upper ? s->upper : NULL;
}

void slip_problem_islands_copy_back(const slip_problem_islands *s, int k, double *z)
{
    const int d = slip_problem_block(s->p);
    for (int m = s->start[k]; m < s->start[k + 1]; m++)
        memcpy(z + (long)s->order[m] * d, s->z + (long)(m - s->start[k]) * d, sizeof(double) * (size_t)d);
}
