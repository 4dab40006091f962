/// solver/problem/condense.c: assembles W and q from a global problem, or from an operator in factored form.
///
/// With G = H' and M split into the components that it couples (bodies, usually),
///     W_ab = sum over components c of  G_ac M_c^-1 G_bc',      q = G M^-1 f + w.
/// A contact touches one or two bodies, so W is block-sparse and costs its nonzeros.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/linalg/linalg.h"
#include "solver/problem/problem_storage.h"
#include "solver/problem/problem_tolerances.h"

enum { MAX_COMPONENT_DOFS = 6000 };

typedef struct condenser {
    slip_pool *pool; // all temporary memory
    int d, contacts, dofs, bodies;
    int *place;            // dofs grouped by component: new position of each dof
    int *body;             // component of each new position
    int *start;            // first new position of each component
    const double *inverse; // DELASSUS: blocks of M^-1; NULL: factor M
    double **factor;       // one per component
    int *pivot;
    int *row_start, *column; // G in new positions
    double *value;
    int *touch_start, *touch; // contacts of each component
    const slip_matrix *M;
} condenser;

static int find_root(int *parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// union-find over the pattern of M; components are numbered by their first dof
static bool find_components(condenser *c)
{
    int *parent = SLIP_POOL_NEW(c->pool, int, c->dofs), *number = SLIP_POOL_NEW(c->pool, int, c->dofs + 1);
    c->place = SLIP_POOL_NEW(c->pool, int, c->dofs);
    c->body = SLIP_POOL_NEW(c->pool, int, c->dofs);
    c->start = SLIP_POOL_NEW(c->pool, int, c->dofs + 2);
    if (!parent || !number || !c->place || !c->body || !c->start) return false;
    for (int i = 0; i < c->dofs; i++) parent[i] = i;
    for (int i = 0; i < c->dofs; i++)
        for (int k = c->M->row_start[i]; k < c->M->row_start[i + 1]; k++) {
            const int a = find_root(parent, i), b = find_root(parent, c->M->column[k]);
            if (a < b)
                parent[b] = a;
            else
                parent[a] = b;
        }
    for (int i = 0; i < c->dofs; i++) {
        const int root = find_root(parent, i);
        if (root == i) number[i] = c->bodies++;
        c->start[number[root] + 1]++;
    }
    for (int b = 0; b < c->bodies; b++) c->start[b + 1] += c->start[b];
    int *fill = SLIP_POOL_NEW(c->pool, int, c->bodies + 1);
    if (!fill) return false;
    for (int i = 0; i < c->dofs; i++) {
        const int b = number[find_root(parent, i)];
        c->place[i] = c->start[b] + fill[b]++;
        c->body[c->place[i]] = b;
    }
    return true;
}

static slip_status factor_components(condenser *c, slip_error *error, const char *name)
{
    c->factor = SLIP_POOL_NEW(c->pool, double *, c->bodies + 1);
    c->pivot = SLIP_POOL_NEW(c->pool, int, c->dofs + 1);
    if (!c->factor || !c->pivot) return slip_fail(error, SLIP_NO_MEMORY, name, "out of memory");
    for (int b = 0; b < c->bodies; b++) {
        const int s = c->start[b + 1] - c->start[b];
        if (s > MAX_COMPONENT_DOFS)
            return slip_fail(error, SLIP_UNSUPPORTED, name, "M couples %d unknowns; %d is the limit", s,
                             MAX_COMPONENT_DOFS);
        c->factor[b] = SLIP_POOL_NEW(c->pool, double, (size_t)s *(size_t)s);
        if (!c->factor[b]) return slip_fail(error, SLIP_NO_MEMORY, name, "out of memory");
    }
    for (int i = 0; i < c->dofs; i++) {
        const int at = c->place[i], b = c->body[at], first = c->start[b], s = c->start[b + 1] - first;
        for (int k = c->M->row_start[i]; k < c->M->row_start[i + 1]; k++)
            c->factor[b][(long)(at - first) * s + c->place[c->M->column[k]] - first] = c->M->values[k];
    }
    for (int b = 0; b < c->bodies; b++)
        if (!slip_lu(c->start[b + 1] - c->start[b], c->factor[b], c->pivot + c->start[b]))
            return slip_fail(error, SLIP_BAD_ARGUMENT, name, "M is singular");
    return SLIP_OK;
}

static void solve_component(const condenser *c, int b, double *x, double *copy)
{
    const int s = c->start[b + 1] - c->start[b];
    if (!c->inverse) {
        slip_lu_solve(s, c->factor[b], c->pivot + c->start[b], x);
        return;
    }
    memcpy(copy, x, sizeof(double) * (size_t)s);
    for (int i = 0; i < s; i++) {
        x[i] = 0.0;
        for (int j = 0; j < s; j++) x[i] += c->factor[b][(long)i * s + j] * copy[j];
    }
}

// G = H' in new positions; the entries of a row are in ascending order of the old dofs, which is sufficient.
static bool transpose_H(condenser *c, const slip_matrix *H)
{
    const int entries = H->row_start[H->rows], n = H->cols;
    int *fill = SLIP_POOL_NEW(c->pool, int, n + 1);
    c->row_start = SLIP_POOL_NEW(c->pool, int, n + 1);
    c->column = SLIP_POOL_NEW(c->pool, int, entries);
    c->value = SLIP_POOL_NEW(c->pool, double, entries);
    if (!fill || !c->row_start || !c->column || !c->value) return false;
    for (int k = 0; k < entries; k++) c->row_start[H->column[k] + 1]++;
    for (int i = 0; i < n; i++) {
        fill[i] = c->row_start[i];
        c->row_start[i + 1] += c->row_start[i];
    }
    for (int i = 0; i < H->rows; i++)
        for (int k = H->row_start[i]; k < H->row_start[i + 1]; k++) {
            const int at = fill[H->column[k]]++;
            c->column[at] = c->place[i];
            c->value[at] = H->values[k];
        }
    return true;
}

// the contacts of each component, ascending: counted, then listed
static bool list_component_contacts(condenser *c)
{
    c->touch_start = SLIP_POOL_NEW(c->pool, int, c->bodies + 2);
    int *last = SLIP_POOL_NEW(c->pool, int, c->bodies + 1),
        *fill = SLIP_POOL_NEW(c->pool, int, c->bodies + 1);
    if (!c->touch_start || !last || !fill) return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < c->bodies; b++) last[b] = -1;
        for (int k = 0, a = 0; a < c->contacts; a++)
            for (; k < c->row_start[(a + 1) * c->d]; k++) {
                const int b = c->body[c->column[k]];
                if (last[b] == a) continue;
                last[b] = a;
                if (pass == 0)
                    c->touch_start[b + 1]++;
                else
                    c->touch[fill[b]++] = a;
            }
        if (pass == 1) return true;
        for (int b = 0; b < c->bodies; b++) {
            fill[b] = c->touch_start[b];
            c->touch_start[b + 1] += c->touch_start[b];
        }
        c->touch = SLIP_POOL_NEW(c->pool, int, c->touch_start[c->bodies] + 1);
        if (!c->touch) return false;
    }
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Contacts that share a component share a block; counted first, then listed.
static bool make_pattern(condenser *c, problem_storage *o, int **start_out, int **column_out)
{
    int *start = SLIP_POOL_NEW(o->pool, int, c->contacts + 1),
        *mark = SLIP_POOL_NEW(c->pool, int, c->contacts + 1);
    int *column = NULL;
    if (!start || !mark) return false;
    for (int pass = 0; pass < 2; pass++) {
        memset(mark, 0, sizeof(int) * (size_t)c->contacts);
        int count = 0;
        for (int a = 0; a < c->contacts; a++) {
            if (pass == 1) column[count] = a;
            mark[a] = a + 1; // the diagonal is always there
            count++;
            for (int k = c->row_start[a * c->d]; k < c->row_start[(a + 1) * c->d]; k++) {
                const int b = c->body[c->column[k]];
                for (int t = c->touch_start[b]; t < c->touch_start[b + 1]; t++) {
                    if (mark[c->touch[t]] == a + 1) continue;
                    mark[c->touch[t]] = a + 1;
                    if (pass == 1) column[count] = c->touch[t];
                    count++;
                }
            }
            start[a + 1] = count;
            if (pass == 1) qsort(column + start[a], (size_t)(count - start[a]), sizeof(int), compare_ints);
        }
        if (pass == 0) column = SLIP_POOL_NEW(o->pool, int, count);
        if (!column) return false;
    }
    *start_out = start;
    *column_out = column;
    return true;
}

static double *block_at(const int *start, const int *column, double *values, int d, int a, int b)
{
    int low = start[a], high = start[a + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (column[middle] < b)
            low = middle + 1;
        else
            high = middle;
    }
    return values + (long)low * d * d;
}

// row i of G restricted to component b, as a dense vector
static void spread_row(const condenser *c, int i, int b, double *x)
{
    memset(x, 0, sizeof(double) * (size_t)(c->start[b + 1] - c->start[b]));
    for (int k = c->row_start[i]; k < c->row_start[i + 1]; k++)
        if (c->body[c->column[k]] == b) x[c->column[k] - c->start[b]] = c->value[k];
}

static double row_times(const condenser *c, int i, int b, const double *x)
{
    double s = 0.0;
    for (int k = c->row_start[i]; k < c->row_start[i + 1]; k++)
        if (c->body[c->column[k]] == b) s += c->value[k] * x[c->column[k] - c->start[b]];
    return s;
}

static bool assemble_delassus(condenser *c, const int *start, const int *column, double *values)
{
    double *x = SLIP_POOL_NEW(c->pool, double, c->dofs + 1),
           *copy = SLIP_POOL_NEW(c->pool, double, c->dofs + 1);
    if (!x || !copy) return false;
    const int d = c->d;
    for (int b = 0; b < c->bodies; b++)
        for (int s = c->touch_start[b]; s < c->touch_start[b + 1]; s++)
            for (int j = 0; j < d; j++) {
                const int from = c->touch[s];
                spread_row(c, from * d + j, b, x);
                solve_component(c, b, x, copy);
                for (int t = c->touch_start[b]; t < c->touch_start[b + 1]; t++) {
                    double *block = block_at(start, column, values, d, c->touch[t], from);
                    for (int i = 0; i < d; i++) block[i * d + j] += row_times(c, c->touch[t] * d + i, b, x);
                }
            }
    return true;
}

// Rounding leaves W symmetric to a few units in the last place; solvers that use symmetry get it exactly.
static void symmetrize(const condenser *c, const int *start, const int *column, double *values)
{
    const int d = c->d;
    for (int a = 0; a < c->contacts; a++)
        for (int k = start[a]; k < start[a + 1]; k++) {
            if (column[k] > a) break;
            double *here = values + (long)k * d * d,
                   *there = block_at(start, column, values, d, column[k], a);
            for (int i = 0; i < d; i++)
                for (int j = 0; j < d; j++) {
                    const double mean = 0.5 * (here[i * d + j] + there[j * d + i]);
                    here[i * d + j] = there[j * d + i] = mean;
                }
        }
}

static bool is_symmetric(const slip_matrix *M)
{
    for (int i = 0; i < M->rows; i++)
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            const int j = M->column[k];
            bool found = false;
            for (int l = M->row_start[j]; l < M->row_start[j + 1] && !found; l++)
                found = M->column[l] == i &&
                        fabs(M->values[l] - M->values[k]) <= SYMMETRIC_RELATIVE * fabs(M->values[k]);
            if (!found) return false;
        }
    return true;
}

static bool condensed_q(condenser *c, const slip_problem *p, double *q)
{
    double *x = SLIP_POOL_NEW(c->pool, double, c->dofs + 1),
           *copy = SLIP_POOL_NEW(c->pool, double, c->dofs + 1);
    if (!x || !copy) return false;
    for (int i = 0; i < c->dofs; i++) x[c->place[i]] = p->f[i];
    for (int b = 0; b < c->bodies; b++) solve_component(c, b, x + c->start[b], copy);
    for (int i = 0; i < p->size; i++) {
        q[i] = p->w[i];
        for (int k = c->row_start[i]; k < c->row_start[i + 1]; k++) q[i] += c->value[k] * x[c->column[k]];
    }
    return true;
}

// Uses the operator's own bodies and G, without copies.
static bool adopt_operator(condenser *c, const slip_matrix *W)
{
    c->bodies = W->body_count;
    c->start = (int *)W->body_start;
    c->row_start = (int *)W->G->row_start;
    c->column = (int *)W->G->column;
    c->value = (double *)W->G->values;
    c->inverse = W->body_inverse;
    c->body = SLIP_POOL_NEW(c->pool, int, c->dofs + 1);
    c->factor = SLIP_POOL_NEW(c->pool, double *, c->bodies + 1);
    if (!c->body || !c->factor) return false;
    double *block = (double *)W->body_inverse;
    for (int b = 0; b < c->bodies; b++) {
        const int s = c->start[b + 1] - c->start[b];
        for (int i = c->start[b]; i < c->start[b + 1]; i++) c->body[i] = b;
        c->factor[b] = block;
        block += (long)s * s;
    }
    return true;
}

static slip_status condense_problem(condenser *c, const slip_problem *p, problem_storage *o,
                                    slip_error *error)
{
    const char *name = p->name ? p->name : "problem";
    const bool stored = p->W.form != SLIP_DELASSUS; // else bodies, G and M^-1 are given
    slip_status status = SLIP_OK;
    bool fine = stored ? find_components(c) : adopt_operator(c, &p->W);
    if (fine && stored) {
        status = factor_components(c, error, name);
        if (status != SLIP_OK) return status;
        fine = transpose_H(c, &p->H);
    }
    int *start, *column;
    fine = fine && list_component_contacts(c) && make_pattern(c, o, &start, &column);
    double *values =
        fine ? SLIP_POOL_NEW(o->pool, double, (size_t)start[c->contacts] * (size_t)(c->d * c->d)) : NULL;
    double *q = SLIP_POOL_NEW(o->pool, double, p->size), *mu = SLIP_POOL_NEW(o->pool, double, p->contacts);
    if (!values || !q || !mu || !assemble_delassus(c, start, column, values) ||
        (stored && !condensed_q(c, p, q)))
        return slip_fail(error, SLIP_NO_MEMORY, name, "out of memory");
    if (!stored || is_symmetric(c->M)) symmetrize(c, start, column, values);
    if (!stored) memcpy(q, p->q, sizeof(double) * (size_t)p->size);
    memcpy(mu, p->mu, sizeof(double) * (size_t)p->contacts);
    o->problem = (slip_problem){ .kind = c->d == 2 ? SLIP_KIND_FC2D : SLIP_KIND_FC3D,
                                 .size = p->size,
                                 .contacts = p->contacts,
                                 .W = slip_matrix_sparse(p->size, p->size, c->d, start, column, values),
                                 .q = q,
                                 .mu = mu,
                                 .name = p->name ? slip_pool_text(o->pool, p->name, strlen(p->name)) : NULL };
    return slip_problem_check(&o->problem, error);
}

slip_status slip_problem_condense(const slip_problem *p, slip_error *error, slip_problem **out)
{
    const bool global = p->kind == SLIP_KIND_GFC2D || p->kind == SLIP_KIND_GFC3D;
    const bool contacts = p->kind == SLIP_KIND_FC2D || p->kind == SLIP_KIND_FC3D;
    *out = NULL;
    if (global &&
        (p->M.form != SLIP_SPARSE || p->M.block != 1 || p->H.form != SLIP_SPARSE || p->H.block != 1))
        return slip_fail(error, SLIP_UNSUPPORTED, "condense",
                         "M and H must be stored as plain compressed rows");
    if (!global && !(contacts && p->W.form == SLIP_DELASSUS))
        return slip_fail(error, SLIP_UNSUPPORTED, "condense", "%s has nothing to condense",
                         slip_kind_name(p->kind));
    problem_storage *o = slip_problem_storage_create();
    condenser c = { .pool = slip_pool_create(),
                    .d = slip_problem_block(p),
                    .contacts = p->contacts,
                    .dofs = global ? p->dofs : p->W.G->cols,
                    .M = &p->M };
    slip_status status = o && c.pool ? condense_problem(&c, p, o, error)
                                     : slip_fail(error, SLIP_NO_MEMORY, "condense", "out of memory");
    slip_pool_destroy(c.pool);
    if (status == SLIP_OK)
        *out = &o->problem;
    else if (o)
        slip_problem_destroy(&o->problem);
    return status;
}
