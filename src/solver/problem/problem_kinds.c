/// solver/problem/problem_kinds.c: stating and checking problems.
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "solver/problem/contact_law.h"
#include "solver/linalg/matrix.h"

const char *slip_kind_name(slip_kind kind)
{
#define AS_WORD(name, word, text) word,
    static const char *const words[] = { SLIP_KINDS(AS_WORD) };
    return kind >= 0 && kind < SLIP_KIND_COUNT ? words[kind] : "unknown";
}

const char *slip_kind_text(slip_kind kind)
{
#define AS_TEXT(name, word, text) text,
    static const char *const texts[] = { SLIP_KINDS(AS_TEXT) };
    return kind >= 0 && kind < SLIP_KIND_COUNT ? texts[kind] : "unknown kind";
}

slip_problem slip_problem_lcp(int size, const double *W, const double *q)
{
    return (
        slip_problem){ .kind = SLIP_KIND_LCP, .size = size, .W = slip_matrix_dense(size, size, W), .q = q };
}

slip_problem slip_problem_contacts(int dimension, int contacts, const double *W, const double *q,
                                   const double *mu)
{
    const int n = dimension * contacts;
    return (slip_problem){ .kind = dimension == 2 ? SLIP_KIND_FC2D : SLIP_KIND_FC3D,
                           .size = n,
                           .contacts = contacts,
                           .W = slip_matrix_dense(n, n, W),
                           .q = q,
                           .mu = mu };
}

slip_problem slip_problem_qp(int variables, const double *Q, const double *c, int constraints,
                             const double *A, const double *b, const double *lower)
{
    return (slip_problem){ .kind = SLIP_KIND_QP,
                           .size = variables + constraints,
                           .W = slip_matrix_dense(variables, variables, Q),
                           .q = c,
                           .A = slip_matrix_dense(constraints, variables, A),
                           .b = b,
                           .lower = lower };
}

int slip_problem_block(const slip_problem *p)
{
    switch (p->kind) {
    case SLIP_KIND_FC2D:
    case SLIP_KIND_GFC2D:
        return 2;
    case SLIP_KIND_FC3D:
    case SLIP_KIND_GFC3D:
        return 3;
    case SLIP_KIND_LCP:
    case SLIP_KIND_MLCP:
    case SLIP_KIND_RELAY:
    case SLIP_KIND_QP:
    case SLIP_KIND_COUNT:
        break;
    }
    return 1;
}

static slip_status bad_problem(slip_error *error, const slip_problem *p, const char *text)
{
    return slip_fail(error, SLIP_BAD_ARGUMENT, p->name ? p->name : "problem", "%s", text);
}

static bool all_finite(long n, const double *x)
{
    for (long i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool sparse_is_sound(const slip_matrix *A)
{
    if (A->block < 1 || A->rows % A->block || A->cols % A->block) return false;
    if (!A->row_start || A->row_start[0] != 0) return false;
    const int rows = A->rows / A->block, cols = A->cols / A->block;
    for (int i = 0; i < rows; i++) {
        if (A->row_start[i + 1] < A->row_start[i]) return false;
        for (int k = A->row_start[i]; k < A->row_start[i + 1]; k++) {
            if (A->column[k] < 0 || A->column[k] >= cols) return false;
            if (k > A->row_start[i] && A->column[k] <= A->column[k - 1]) return false;
        }
    }
    return all_finite((long)A->row_start[rows] * A->block * A->block, A->values);
}

static bool bodies_ascend(const slip_matrix *W)
{
    if (W->body_count < 1 || W->body_start[0] != 0) return false;
    for (int b = 0; b < W->body_count; b++)
        if (W->body_start[b + 1] <= W->body_start[b]) return false;
    return W->body_start[W->body_count] == W->G->cols;
}

static bool matrix_is_sound(const slip_matrix *A, int rows, int cols)
{
    if (A->rows != rows || A->cols != cols || rows < 0 || cols < 0) return false;
    switch (A->form) {
    case SLIP_DENSE:
        return all_finite((long)rows * cols, A->values);
    case SLIP_SPARSE:
        return sparse_is_sound(A);
    case SLIP_DELASSUS:
        return A->G && A->G->form == SLIP_SPARSE && A->G->block == 1 && A->G->rows == rows && A->scratch &&
               bodies_ascend(A) && sparse_is_sound(A->G);
    case SLIP_CALLBACK:
        return A->apply && A->diagonal;
    }
    return false;
}

static slip_status check_box(const slip_problem *p, int n, slip_error *error)
{
    for (int i = 0; i < n; i++) {
        const double low = p->lower ? p->lower[i] : -INFINITY, high = p->upper ? p->upper[i] : INFINITY;
        if (!(low <= high) || low == INFINITY || high == -INFINITY)
            return slip_fail(error, SLIP_BAD_ARGUMENT, p->name ? p->name : "problem",
                             "bounds of unknown %d must be ordered, got [%g, %g]", i, low, high);
    }
    return SLIP_OK;
}

static slip_status check_contacts(const slip_problem *p, slip_error *error)
{
    if (p->contacts < 0 || p->size != slip_problem_block(p) * p->contacts)
        return bad_problem(error, p, "size must be the contact dimension times the number of contacts");
    for (int i = 0; i < p->contacts; i++)
        if (!(p->mu[i] >= 0.0) || isinf(p->mu[i]))
            return slip_fail(error, SLIP_BAD_ARGUMENT, p->name ? p->name : "problem",
                             "mu of contact %d must be >= 0, got %g", i, p->mu[i]);
    return SLIP_OK;
}

static slip_status check_global(const slip_problem *p, slip_error *error)
{
    if (!matrix_is_sound(&p->M, p->dofs, p->dofs) || !matrix_is_sound(&p->H, p->dofs, p->size))
        return bad_problem(error, p, "M and H do not fit or hold a number that is not finite");
    if (!all_finite(p->dofs, p->f) || !all_finite(p->size, p->w))
        return bad_problem(error, p, "f and w must be finite");
    return check_contacts(p, error);
}

static slip_status check_qp(const slip_problem *p, slip_error *error)
{
    const int n = p->W.rows, m = p->A.rows;
    if (n < 0 || m < 0 || p->size != n + m || p->equalities < 0 || p->equalities > m)
        return bad_problem(error, p, "sizes of the quadratic program do not agree");
    if (p->W.form != SLIP_DENSE || p->A.form != SLIP_DENSE || !matrix_is_sound(&p->W, n, n) ||
        (m > 0 && !matrix_is_sound(&p->A, m, n)) || !all_finite(n, p->q) || !all_finite(m, p->b))
        return bad_problem(error, p, "Q and A must be dense and finite, and so must c and b");
    return check_box(p, n, error);
}

slip_status slip_problem_check(const slip_problem *p, slip_error *error)
{
    if (p->size < 0) return bad_problem(error, p, "size must be >= 0");
    if (p->kind == SLIP_KIND_QP) return check_qp(p, error);
    if (p->kind == SLIP_KIND_GFC2D || p->kind == SLIP_KIND_GFC3D) return check_global(p, error);
    if (!matrix_is_sound(&p->W, p->size, p->size))
        return bad_problem(error, p, "the matrix does not fit or holds a number that is not finite");
    if (!all_finite(p->size, p->q)) return bad_problem(error, p, "q must be finite");
    if (p->kind == SLIP_KIND_RELAY) return check_box(p, p->size, error);
    if (p->kind == SLIP_KIND_MLCP && (p->equalities < 0 || p->equalities > p->size))
        return bad_problem(error, p, "equalities must lie between 0 and size");
    return slip_problem_is_contact(p) ? check_contacts(p, error) : SLIP_OK;
}
