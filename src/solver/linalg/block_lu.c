/// solver/linalg/block_lu.c: pattern from the matrix, then right-looking elimination of blocks.
#include "solver/linalg/block_lu.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "solver/linalg/small_inverse.h"
#include "solver/linalg/matrix.h"
#include "solver/linalg/elimination_tolerances.h"

enum { NO_BLOCK = INT_MIN, MAX_SIDE = SLIP_BLOCK_LU_MAX_SIDE };

void slip_block_lu_layout_order(slip_arena *a, slip_block_lu *f, int nodes, int side, long entries)
{
    *f = (slip_block_lu){ .nodes = nodes, .side = side, .entries = entries };
    f->graph.nodes = nodes;
    f->graph.start = SLIP_TAKE(a, int, nodes + 2);
    f->graph.neighbour = SLIP_TAKE(a, int, 2 * entries);
    slip_ordering_layout(a, &f->ordering, nodes, (int)entries);
}

// Whether a block of a dense matrix is zero, as it is for contacts that share no body.
static bool is_empty(const double *block, int side, int stride)
{
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            if (block[(long)i * stride + j] != 0.0) return false;
    return true;
}

// Adds an edge for every off-diagonal block, in both rows: counted into start[i + 2], or placed by start[i +
// 1].
static void add_edges(slip_adjacency *g, const slip_matrix *W, int side, bool count_only)
{
    for (int a = 0; a < g->nodes; a++) {
        const int *column;
        const double *values;
        int stride, step, count = slip_matrix_block_row(W, a, side, &column, &values, &stride, &step);
        for (int k = 0; k < count; k++) {
            const int b = column ? column[k] : k;
            if (a == b || (!column && is_empty(values + (long)k * step, side, stride))) continue;
            if (count_only)
                g->start[a + 2]++, g->start[b + 2]++;
            else
                g->neighbour[g->start[a + 1]++] = b, g->neighbour[g->start[b + 1]++] = a;
        }
    }
}

// the graph of W, each neighbour once; `seen` has an int per node
static void build_graph(slip_adjacency *g, const slip_matrix *W, int side, int *seen)
{
    memset(g->start, 0, sizeof(int) * (size_t)(g->nodes + 2));
    add_edges(g, W, side, true);
    for (int i = 2; i < g->nodes + 2; i++) g->start[i] += g->start[i - 1];
    add_edges(g, W, side, false);
    slip_adjacency_merge(g, seen);
}

long slip_block_lu_order(slip_block_lu *f, const slip_matrix *W)
{
    build_graph(&f->graph, W, f->side, f->ordering.mark);
    slip_ordering_find(&f->ordering, &f->graph);
    return f->ordering.blocks;
}

void slip_block_lu_layout(slip_arena *a, slip_block_lu *f, long blocks)
{
    const size_t square = (size_t)(f->side * f->side), nodes = (size_t)f->nodes;
    f->start = SLIP_TAKE(a, int, nodes + 1);
    f->member = SLIP_TAKE(a, int, blocks);
    f->lower = SLIP_TAKE(a, double, (size_t)blocks *square);
    f->upper = SLIP_TAKE(a, double, (size_t)blocks *square);
    f->pivot = SLIP_TAKE(a, double, nodes *square);
    f->entry = SLIP_TAKE(a, int, f->entries);
    f->active = SLIP_TAKE(a, int, nodes);
    f->x = SLIP_TAKE(a, double, nodes *(size_t)f->side);
}

void slip_block_lu_analyse(slip_block_lu *f, const slip_matrix *W)
{
    const int *place = f->ordering.place;
    slip_ordering_pattern(&f->ordering, &f->graph, f->start, f->member);
    // The destination of an entry: an upper block b as b + 1, a lower block as -(b + 1), the diagonal as 0. A
    // zero block may have none.
    long at = 0;
    for (int a = 0; a < f->nodes; a++) {
        const int *column;
        const double *values;
        int stride, step, entries = slip_matrix_block_row(W, a, f->side, &column, &values, &stride, &step);
        for (int k = 0; k < entries; k++, at++) {
            const int from = place[a], to = place[column ? column[k] : k];
            const int member =
                slip_pattern_find(f->start, f->member, from < to ? from : to, from < to ? to : from);
            f->entry[at] = from == to ? 0 : member < 0 ? NO_BLOCK : from < to ? member + 1 : -(member + 1);
        }
    }
}

// two columns at once; loads and stores need no alignment
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

// A row of A B; the side is a constant at the call.
SLIP_FIXED_SIZE void row_product(int s, const double *restrict A, const double *restrict B,
                                 double *restrict sum)
{
    if (s == 6) {
        pair x = A[0] * *(const pair *)B, y = A[0] * *(const pair *)(B + 2),
             z = A[0] * *(const pair *)(B + 4);
        for (int k = 1; k < 6; k++) {
            const double *row = B + k * 6;
            x += A[k] * *(const pair *)row;
            y += A[k] * *(const pair *)(row + 2);
            z += A[k] * *(const pair *)(row + 4);
        }
        *(pair *)sum = x, *(pair *)(sum + 2) = y, *(pair *)(sum + 4) = z;
        return;
    }
    for (int j = 0; j < s; j++) sum[j] = A[0] * B[j];
    for (int k = 1; k < s; k++)
        for (int j = 0; j < s; j++) sum[j] += A[k] * B[k * s + j];
}

// C -= A B and C = A B
SLIP_FIXED_SIZE void multiply_subtract(int s, const double *restrict A, const double *restrict B,
                                       double *restrict C)
{
    for (int i = 0; i < s; i++) {
        double sum[MAX_SIDE];
        row_product(s, A + i * s, B, sum);
        for (int j = 0; j < s; j++) C[i * s + j] -= sum[j];
    }
}

SLIP_FIXED_SIZE void block_product(int s, const double *restrict A, const double *restrict B,
                                   double *restrict C)
{
    for (int i = 0; i < s; i++) row_product(s, A + i * s, B, C + i * s);
}

SLIP_FIXED_SIZE bool invert_small(int s, double *P)
{
    double most = 0.0, D[9];
    for (int i = 0; i < s * s; i++) most = fmax(most, fabs(P[i])), D[i] = P[i];
    const double least = BLOCK_SINGULAR_RELATIVE * (s == 1   ? most
                                                    : s == 2 ? most * most
                                                             : most * most * most);
    const double det = slip_invert_by_cofactors(s, D, P);
    return fabs(det) > least && isfinite(det);
}

SLIP_FIXED_SIZE void load_matrix(slip_block_lu *f, int s, const slip_matrix *W, const double *A,
                                 const double *B, const bool *on)
{
    const size_t square = (size_t)(s * s);
    for (int k = 0; k < f->nodes; k++) {
        if (!on[f->ordering.order[k]]) continue;
        const size_t bytes = sizeof(double) * square * (size_t)(f->start[k + 1] - f->start[k]);
        memset(f->upper + (size_t)f->start[k] * square, 0, bytes);
        memset(f->lower + (size_t)f->start[k] * square, 0, bytes);
    }
    long at = 0;
    for (int a = 0; a < f->nodes; a++) {
        const int *column;
        const double *values;
        int stride, step, count = slip_matrix_block_row(W, a, s, &column, &values, &stride, &step);
        if (!on[a]) {
            at += count;
            continue;
        }
        const double *Ba = B + (size_t)a * square, *Aa = A + (size_t)a * square;
        double *diagonal = f->pivot + (size_t)f->ordering.place[a] * square;
        memcpy(diagonal, Aa, sizeof(double) * square);
        for (int k = 0; k < count; k++, at++) {
            if (!on[column ? column[k] : k] || f->entry[at] == NO_BLOCK) continue;
            double V[MAX_SIDE * MAX_SIDE], *to = diagonal;
            const double *from = values + (long)k * step;
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++) V[i * s + j] = from[(long)i * stride + j];
            const int e = f->entry[at];
            if (e > 0) to = f->upper + (size_t)(e - 1) * square;
            if (e < 0) to = f->lower + (size_t)(-e - 1) * square;
            for (int i = 0; i < s; i++)
                for (int m = 0; m < s; m++)
                    for (int j = 0; j < s; j++) to[i * s + j] += Ba[i * s + m] * V[m * s + j];
        }
    }
}

// Eliminates node k: U_ij -= L_ik U_kj and L_ji -= L_jk U_ki for the pairs i < j of its active members, both
// at the same place of the list of i; the lists are walked together.
SLIP_FIXED_SIZE bool eliminate_node(slip_block_lu *f, int k, int s, const bool *on)
{
    const size_t square = (size_t)(s * s);
    double *pivot = f->pivot + (size_t)k * square;
    double room[MAX_SIDE * MAX_SIDE];
    if (!(s > 3 ? slip_invert(s, pivot, room) : invert_small(s, pivot))) return false;
    int count = 0;
    for (int m = f->start[k]; m < f->start[k + 1]; m++) {
        if (!on[f->ordering.order[f->member[m]]]) continue;
        double L[MAX_SIDE * MAX_SIDE], *lower = f->lower + (size_t)m * square;
        block_product(s, lower, pivot, L);
        memcpy(lower, L, sizeof(double) * square);
        f->active[count++] = m;
    }
    for (int a = 0; a < count; a++) {
        const int i = f->member[f->active[a]];
        const double *L_ik = f->lower + (size_t)f->active[a] * square,
                     *U_ki = f->upper + (size_t)f->active[a] * square;
        multiply_subtract(s, L_ik, U_ki, f->pivot + (size_t)i * square);
        int at = f->start[i];
        for (int b = a + 1; b < count; b++) {
            const int j = f->member[f->active[b]];
            while (f->member[at] < j) at++;
            multiply_subtract(s, L_ik, f->upper + (size_t)f->active[b] * square,
                              f->upper + (size_t)at * square);
            multiply_subtract(s, f->lower + (size_t)f->active[b] * square, U_ki,
                              f->lower + (size_t)at * square);
        }
    }
    return true;
}

SLIP_FIXED_SIZE bool factor_blocks(slip_block_lu *f, int s, const slip_matrix *W, const double *A,
                                   const double *B, const bool *on)
{
    load_matrix(f, s, W, A, B, on);
    for (int k = 0; k < f->nodes; k++)
        if (on[f->ordering.order[k]] && !eliminate_node(f, k, s, on)) return false;
    return true;
}

bool slip_block_lu_factor(slip_block_lu *f, const slip_matrix *W, const double *A, const double *B,
                          const bool *on)
{
    return f->side == 6   ? factor_blocks(f, 6, W, A, B, on)
           : f->side == 3 ? factor_blocks(f, 3, W, A, B, on)
           : f->side == 2 ? factor_blocks(f, 2, W, A, B, on)
                          : factor_blocks(f, 1, W, A, B, on);
}

SLIP_FIXED_SIZE void solve_blocks(slip_block_lu *f, int s, const bool *on, double *x)
{
    const size_t square = (size_t)(s * s);
    for (int k = 0; k < f->nodes; k++)
        if (on[f->ordering.order[k]])
            memcpy(f->x + (long)k * s, x + (long)f->ordering.order[k] * s, sizeof(double) * (size_t)s);
    for (int k = 0; k < f->nodes; k++) { // L y = x
        if (!on[f->ordering.order[k]]) continue;
        for (int m = f->start[k]; m < f->start[k + 1]; m++) {
            if (!on[f->ordering.order[f->member[m]]]) continue;
            const double *L = f->lower + (size_t)m * square;
            double *y = f->x + (long)f->member[m] * s;
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++) y[i] -= L[i * s + j] * f->x[(long)k * s + j];
        }
    }
    for (int k = f->nodes - 1; k >= 0; k--) { // U x = y
        if (!on[f->ordering.order[k]]) continue;
        double y[MAX_SIDE] = { 0.0 };
        for (int i = 0; i < s; i++) y[i] = f->x[(long)k * s + i];
        for (int m = f->start[k]; m < f->start[k + 1]; m++) {
            if (!on[f->ordering.order[f->member[m]]]) continue;
            const double *U = f->upper + (size_t)m * square, *z = f->x + (long)f->member[m] * s;
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++) y[i] -= U[i * s + j] * z[j];
        }
        const double *P = f->pivot + (size_t)k * square;
        for (int i = 0; i < s; i++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) sum += P[i * s + j] * y[j];
            f->x[(long)k * s + i] = sum;
        }
    }
    for (int k = 0; k < f->nodes; k++)
        if (on[f->ordering.order[k]])
            memcpy(x + (long)f->ordering.order[k] * s, f->x + (long)k * s, sizeof(double) * (size_t)s);
}

void slip_block_lu_solve(slip_block_lu *f, const bool *on, double *x)
{
    if (f->side == 6)
        solve_blocks(f, 6, on, x);
    else if (f->side == 3)
        solve_blocks(f, 3, on, x);
    else if (f->side == 2)
        solve_blocks(f, 2, on, x);
    else
        solve_blocks(f, 1, on, x);
}
