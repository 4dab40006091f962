/// solver/friction/supernodes.c: groups by equal rows of the pattern, a pivoted Cholesky factor for each group, and the Newton step.
#include "solver/friction/supernodes.h"

#include <math.h>
#include <string.h>

#include "solver/linalg/union_find.h"
#include "solver/friction/friction_tolerances.h"

enum { D = 3, SIDE = SLIP_BLOCK_LU_MAX_SIDE, SQUARE = SIDE * SIDE };
enum {
    GROUP_MAX_CONTACTS = 8,
    PROBLEM_MIN_CONTACTS = 100
}; // contacts of a group; of a problem in which it is worth looking

void slip_supernodes_layout(slip_arena *a, slip_supernodes *g, int contacts)
{
    *g = (slip_supernodes){ .contacts = contacts };
    g->group = SLIP_TAKE(a, int, contacts);
    g->start = SLIP_TAKE(a, int, contacts + 1);
    g->order = SLIP_TAKE(a, int, contacts);
    g->at = SLIP_TAKE(a, int, contacts);
}

static int row_length(const slip_matrix *W, int a)
{
    return W->row_start[a + 1] - W->row_start[a];
}

static bool same_row(const slip_matrix *W, int a, int b)
{
    const int n = row_length(W, a);
    return n == row_length(W, b) &&
           memcmp(W->column + W->row_start[a], W->column + W->row_start[b], sizeof(int) * (size_t)n) == 0;
}

// Groups contacts with the same neighbours, themselves included.
static void gather_groups(slip_supernodes *g, const slip_matrix *W)
{
    g->count = 0;
    for (int a = 0; a < g->contacts; a++) g->group[a] = -1;
    for (int a = 0; a < g->contacts; a++) {
        if (g->group[a] >= 0) continue;
        int size = 1;
        g->group[a] = g->count;
        for (int k = W->row_start[a]; k < W->row_start[a + 1] && size < GROUP_MAX_CONTACTS; k++) {
            const int b = W->column[k];
            if (b <= a || g->group[b] >= 0 || !same_row(W, a, b)) continue;
            g->group[b] = g->count;
            size++;
        }
        g->count++;
    }
    slip_union_find_sort(g->contacts, g->count, g->group, g->start, g->order);
}

static const double *find_block(const slip_matrix *W, int a, int b)
{
    int low = W->row_start[a], high = W->row_start[a + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (W->column[middle] < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low <= high && W->column[low] == b ? W->values + (long)low * D * D : NULL;
}

static bool is_symmetric(const slip_matrix *W, int contacts)
{
    double most = 0.0;
    for (int a = 0; a < contacts; a++) {
        const double *block = find_block(W, a, a);
        for (int i = 0; block && i < D; i++) most = fmax(most, fabs(block[i * (D + 1)]));
    }
    for (int a = 0; a < contacts; a++)
        for (int k = W->row_start[a]; k < W->row_start[a + 1]; k++) {
            const double *there = W->values + (long)k * D * D, *back = find_block(W, W->column[k], a);
            for (int i = 0; back && i < D * D; i++)
                if (!(fabs(there[i] - back[i % D * D + i / D]) <= SYMMETRY_TOLERANCE * most)) return false;
            if (!back) return false;
        }
    return true;
}

// The neighbouring groups of a group: each once, in the order of their first contacts; `seen` has an int per
// contact.
static int row_groups(const slip_supernodes *g, const slip_matrix *W, int of, int *seen, int *out)
{
    const int a = g->order[g->start[of]];
    int count = 0;
    for (int k = W->row_start[a]; k < W->row_start[a + 1]; k++) {
        const int h = g->group[W->column[k]];
        if (seen[h] == of) continue;
        seen[h] = of;
        if (out) out[count] = h;
        count++;
    }
    return count;
}

bool slip_supernodes_find(slip_supernodes *g, const slip_problem *p)
{
    if (p->kind != SLIP_KIND_FC3D || p->W.form != SLIP_SPARSE || p->W.block != D ||
        p->contacts < PROBLEM_MIN_CONTACTS)
        return false;
    gather_groups(g, &p->W);
    if (g->count * SIDE > MAX_UNKNOWNS_RATIO * p->size || !is_symmetric(&p->W, p->contacts)) return false;
    g->entries = 0;
    for (int a = 0; a < g->contacts; a++) g->at[a] = -1;
    for (int k = 0; k < g->count; k++) g->entries += row_groups(g, &p->W, k, g->at, NULL);
    return true;
}

void slip_supernodes_layout_matrix(slip_arena *a, slip_supernodes *g)
{
    const size_t n = (size_t)g->count, contacts = (size_t)g->contacts;
    g->row_start = SLIP_TAKE(a, int, n + 1);
    g->column = SLIP_TAKE(a, int, g->entries);
    g->values = SLIP_TAKE(a, double, (size_t)g->entries *SQUARE);
    g->pivot = SLIP_TAKE(a, int, n *SIDE);
    double **squares[] = { &g->root, &g->one, &g->S };
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        *squares[i] = SLIP_TAKE(a, double, n *SQUARE);
    g->L = SLIP_TAKE(a, double, contacts *D *SIDE);
    g->y = SLIP_TAKE(a, double, n *SIDE);
    g->v = SLIP_TAKE(a, double, n *SIDE);
    g->on = SLIP_TAKE(a, bool, n);
    slip_block_lu_layout_order(a, &g->lu, g->count, SIDE, g->entries);
}

// W_gg = L L' by Cholesky's method with complete pivoting; false if its rank exceeds six.
static bool factor_group(slip_supernodes *g, const slip_matrix *W, int of)
{
    const int first = g->start[of], n = (g->start[of + 1] - first) * D;
    double left[GROUP_MAX_CONTACTS * D], most = 0.0;
    int *pivot = g->pivot + (long)of * SIDE;
    for (int i = 0; i < n; i++) {
        const double *block = find_block(W, g->order[first + i / D], g->order[first + i / D]);
        left[i] = block[i % D * (D + 1)];
        most = fmax(most, left[i]);
        memset(g->L + ((long)g->order[first + i / D] * D + i % D) * SIDE, 0, sizeof(double) * SIDE);
    }
    for (int rank = 0; rank <= SIDE; rank++) {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (left[i] > left[best]) best = i;
        if (!(left[best] > GROUP_RANK_TOLERANCE * most)) {
            for (int k = rank; k < SIDE; k++) pivot[k] = -1;
            return most > 0.0;
        }
        if (rank == SIDE) return false;
        const int from = g->order[first + best / D];
        const double root = sqrt(left[best]), *row = g->L + ((long)from * D + best % D) * SIDE;
        for (int i = 0; i < n; i++) {
            const int contact = g->order[first + i / D];
            double *to = g->L + ((long)contact * D + i % D) * SIDE;
            double x = find_block(W, contact, from)[i % D * D + best % D];
            for (int k = 0; k < rank; k++) x -= to[k] * row[k];
            to[rank] = i == best ? root : x / root;
        }
        for (int i = 0; i < n; i++) {
            const double x = g->L[((long)g->order[first + i / D] * D + i % D) * SIDE + rank];
            left[i] -= x * x;
        }
        left[best] = 0.0;
        pivot[rank] = from * D + best % D;
    }
    return true;
}

// The pivot rows of L; rows of the identity where the rank is lower.
static void take_root(slip_supernodes *g, int of)
{
    const int *pivot = g->pivot + (long)of * SIDE;
    double *root = g->root + (long)of * SQUARE;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            root[i * SIDE + j] = pivot[i] >= 0 ? g->L[(long)pivot[i] * SIDE + j] : i == j ? 1.0 : 0.0;
}

// X = root_g^-1 W root_h^-T in the pivot rows and columns; g->at holds the places in the rows of g.
static void fill_block(const slip_supernodes *g, const slip_matrix *W, int of, int to, double *X)
{
    const int *rows = g->pivot + (long)of * SIDE, *columns = g->pivot + (long)to * SIDE;
    const double *G = g->root + (long)of * SQUARE, *H = g->root + (long)to * SQUARE;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            double x = 0.0;
            if (rows[i] >= 0 && columns[j] >= 0)
                x = W->values[(W->row_start[rows[i] / D] + (long)g->at[columns[j] / D]) * D * D +
                              rows[i] % D * D + columns[j] % D];
            for (int k = 0; k < j; k++) x -= X[i * SIDE + k] * H[j * SIDE + k];
            X[i * SIDE + j] = x / H[j * (SIDE + 1)];
        }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            for (int k = 0; k < i; k++) X[i * SIDE + j] -= G[i * SIDE + k] * X[k * SIDE + j];
            X[i * SIDE + j] /= G[i * (SIDE + 1)];
        }
}

bool slip_supernodes_fill(slip_supernodes *g, const slip_problem *p)
{
    const slip_matrix *W = &p->W;
    for (int k = 0; k < g->count; k++) {
        if (!factor_group(g, W, k)) return false;
        take_root(g, k);
        for (int i = 0; i < SQUARE; i++) g->one[(long)k * SQUARE + i] = i % (SIDE + 1) == 0 ? 1.0 : 0.0;
    }
    for (int a = 0; a < g->contacts; a++) g->at[a] = -1;
    g->row_start[0] = 0;
    for (int k = 0; k < g->count; k++)
        g->row_start[k + 1] = g->row_start[k] + row_groups(g, W, k, g->at, g->column + g->row_start[k]);
    for (int k = 0; k < g->count; k++) {
        const int a = g->order[g->start[k]];
        for (int m = 0; m < row_length(W, a); m++) g->at[W->column[W->row_start[a] + m]] = m;
        for (int e = g->row_start[k]; e < g->row_start[k + 1]; e++)
            fill_block(g, W, k, g->column[e], g->values + (long)e * SQUARE);
    }
    g->X = slip_matrix_sparse(g->count * SIDE, g->count * SIDE, SIDE, g->row_start, g->column, g->values);
    return true;
}

// S_g += L' K L and y_g += L' b of one contact
static void add_contact(const double *L, const double *K, const double *b, double *S, double *y)
{
    for (int i = 0; i < D; i++) {
        double KL[SIDE] = { 0.0 };
        for (int j = 0; j < D; j++)
            for (int m = 0; m < SIDE; m++) KL[m] += K[i * D + j] * L[j * SIDE + m];
        for (int l = 0; l < SIDE; l++) {
            y[l] += L[i * SIDE + l] * b[i];
            for (int m = 0; m < SIDE; m++) S[l * SIDE + m] += L[i * SIDE + l] * KL[m];
        }
    }
}

bool slip_supernodes_step(slip_supernodes *g, slip_newton *k)
{
    const size_t n = (size_t)g->count;
    if (!slip_newton_eliminate_blocks(k)) return false;
    memset(g->S, 0, sizeof(double) * n * SQUARE);
    memset(g->y, 0, sizeof(double) * n * SIDE);
    memset(g->on, 0, sizeof(bool) * n);
    for (int a = 0; a < g->contacts; a++) {
        if (!k->on[a]) continue;
        const int of = g->group[a];
        g->on[of] = true;
        add_contact(g->L + (long)a * D * SIDE, k->A + (long)a * D * D, k->step + (long)a * D,
                    g->S + (long)of * SQUARE, g->y + (long)of * SIDE);
    }
    if (!slip_block_lu_factor(&g->lu, &g->X, g->one, g->S, g->on)) return false;
    slip_block_lu_solve(&g->lu, g->on, g->y);
    slip_matrix_apply(&g->X, g->y, g->v);
    for (int a = 0; a < g->contacts; a++) {
        if (!k->on[a]) continue;
        const double *L = g->L + (long)a * D * SIDE, *v = g->v + (long)g->group[a] * SIDE;
        double u[D] = { 0.0 };
        for (int i = 0; i < D; i++)
            for (int m = 0; m < SIDE; m++) u[i] += L[i * SIDE + m] * v[m];
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++) k->step[a * D + i] -= k->A[((long)a * D + i) * D + j] * u[j];
    }
    return true;
}
