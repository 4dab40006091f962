/// solver/blocklu.c: ordering by least degree on bit sets, then right-looking elimination of blocks.
#include "solver/blocklu.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "solver/constant.h"
#include "solver/matrix.h"

enum { NO_PLACE = INT_MIN };

static int words(int nodes)
{
    return (nodes + 63) / 64;
}

size_t slip_blocklu_bits(int nodes)
{
    return ((size_t)words(nodes) * sizeof(uint64_t) + sizeof(int)) * (size_t)nodes + 64;
}

static int ones(uint64_t x)
{
    x = x - ((x >> 1) & 0x5555555555555555u);
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)((x * 0x0101010101010101u) >> 56);
}

static int lowest(uint64_t x)
{
    return ones((x & (~x + 1)) - 1);
}

// whether a block of a dense matrix has an entry: contacts of different bodies have none in common
static bool is_empty(const double *block, int side, int stride)
{
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            if (block[(long)i * stride + j] != 0.0) return false;
    return true;
}

static void connect(const slip_matrix *W, int side, int nodes, uint64_t *bits)
{
    const int n = words(nodes);
    memset(bits, 0, (size_t)n * (size_t)nodes * sizeof *bits);
    for (int a = 0; a < nodes; a++) {
        const int *column;
        const double *values;
        int stride, step, count = slip_matrix_block_row(W, a, side, &column, &values, &stride, &step);
        for (int k = 0; k < count; k++) {
            const int b = column ? column[k] : k;
            if (a == b || (!column && is_empty(values + (long)k * step, side, stride))) continue;
            bits[(long)a * n + b / 64] |= (uint64_t)1 << (b % 64);
            bits[(long)b * n + a / 64] |= (uint64_t)1 << (a % 64);
        }
    }
}

static int degree_of(const uint64_t *row, int n)
{
    int degree = 0;
    for (int i = 0; i < n; i++) degree += ones(row[i]);
    return degree;
}

// eliminating a node joins its neighbours: one OR of bit rows each. Rows keep what the node had when
// it went, so the pattern of the factor can be read off afterwards.
static int eliminate(uint64_t *bits, int *degree, int n, int node)
{
    const uint64_t *gone = bits + (long)node * n;
    int count = 0;
    for (int i = 0; i < n; i++)
        for (uint64_t left = gone[i]; left; left &= left - 1) {
            const int b = i * 64 + lowest(left);
            uint64_t *row = bits + (long)b * n;
            for (int j = 0; j < n; j++) row[j] |= gone[j];
            row[node / 64] &= ~((uint64_t)1 << (node % 64));
            row[b / 64] &= ~((uint64_t)1 << (b % 64));
            degree[b] = degree_of(row, n);
            count++;
        }
    return count;
}

// What is left is joined all to all: any order will do, and each node only forgets those before it.
static void order_clique(uint64_t *bits, const int *degree, int nodes, int n, int *order)
{
    int count = 0;
    for (int a = 0; a < nodes; a++)
        if (degree[a] >= 0) order[count++] = a;
    for (int k = 0; k < count; k++)
        for (int j = 0; j < k; j++)
            bits[(long)order[k] * n + order[j] / 64] &= ~((uint64_t)1 << (order[j] % 64));
}

long slip_blocklu_order(const slip_matrix *W, int side, int *order, void *memory, long most)
{
    const int nodes = W->rows / side, n = words(nodes);
    uint64_t *bits = memory;
    int *degree = (int *)(bits + (long)n * nodes);
    long blocks = 0;
    connect(W, side, nodes, bits);
    for (int a = 0; a < nodes; a++) degree[a] = degree_of(bits + (long)a * n, n);
    for (int k = 0; k < nodes; k++) {
        int best = -1;
        for (int a = 0; a < nodes; a++)
            if (degree[a] >= 0 && (best < 0 || degree[a] < degree[best])) best = a;
        const long least = (long)degree[best] * (degree[best] + 1) / 2; // its neighbours will be joined
        if (blocks + least > most) return -1;
        if (degree[best] == nodes - k - 1) {
            order_clique(bits, degree, nodes, n, order + k);
            return blocks + least;
        }
        blocks += eliminate(bits, degree, n, best);
        degree[best] = -1;
        order[k] = best;
    }
    return blocks;
}

void slip_blocklu_layout(slip_arena *a, slip_blocklu *f, int nodes, int side, long blocks, long entries)
{
    const size_t square = (size_t)(side * side);
    f->nodes = nodes;
    f->side = side;
    f->place = SLIP_TAKE(a, int, nodes);
    f->start = SLIP_TAKE(a, int, nodes + 1);
    f->member = SLIP_TAKE(a, int, blocks);
    f->lower = SLIP_TAKE(a, double, (size_t)blocks *square);
    f->upper = SLIP_TAKE(a, double, (size_t)blocks *square);
    f->pivot = SLIP_TAKE(a, double, (size_t)nodes *square);
    f->entry = SLIP_TAKE(a, int, entries);
    f->active = SLIP_TAKE(a, int, nodes);
    f->x = SLIP_TAKE(a, double, (size_t)nodes *(size_t)side);
}

// place of a member in the list of a position; -1 when it is not one
static int find_member(const slip_blocklu *f, int position, int member)
{
    if (f->start[position] == f->start[position + 1]) return -1;
    int low = f->start[position], high = f->start[position + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (f->member[middle] < member)
            low = middle + 1;
        else
            high = middle;
    }
    return f->member[low] == member ? low : -1;
}

static void sort_ints(int *x, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++) {
            const int value = x[i];
            int j = i;
            for (; j >= gap && x[j - gap] > value; j -= gap) x[j] = x[j - gap];
            x[j] = value;
        }
}

void slip_blocklu_analyse(slip_blocklu *f, const slip_matrix *W, void *memory)
{
    const int n = words(f->nodes);
    const uint64_t *bits = memory;
    for (int k = 0; k < f->nodes; k++) f->place[f->order[k]] = k;
    int count = 0;
    for (int k = 0; k < f->nodes; k++) {
        const uint64_t *row = bits + (long)f->order[k] * n;
        f->start[k] = count;
        for (int i = 0; i < n; i++)
            for (uint64_t left = row[i]; left; left &= left - 1)
                f->member[count++] = f->place[i * 64 + lowest(left)];
        sort_ints(f->member + f->start[k], count - f->start[k]);
    }
    f->start[f->nodes] = count;
    // an entry lands in an upper block b as b + 1, in a lower block as -(b + 1), on the diagonal as 0; one
    // that is 0 may have no place
    long at = 0;
    for (int a = 0; a < f->nodes; a++) {
        const int *column;
        const double *values;
        int stride, step, entries = slip_matrix_block_row(W, a, f->side, &column, &values, &stride, &step);
        for (int k = 0; k < entries; k++, at++) {
            const int from = f->place[a], to = f->place[column ? column[k] : k];
            const int member = from < to ? find_member(f, from, to) : find_member(f, to, from);
            f->entry[at] = from == to ? 0 : member < 0 ? NO_PLACE : from < to ? member + 1 : -(member + 1);
        }
    }
}

// C -= A B and C = A B for blocks; side is a constant where these are called
SLIP_FOR_CONSTANTS void multiply_subtract(int s, const double *restrict A, const double *restrict B,
                                          double *restrict C)
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            double sum = A[i * s] * B[j];
            for (int k = 1; k < s; k++) sum += A[i * s + k] * B[k * s + j];
            C[i * s + j] -= sum;
        }
}

SLIP_FOR_CONSTANTS void multiply(int s, const double *restrict A, const double *restrict B,
                                 double *restrict C)
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            double sum = A[i * s] * B[j];
            for (int k = 1; k < s; k++) sum += A[i * s + k] * B[k * s + j];
            C[i * s + j] = sum;
        }
}

SLIP_FOR_CONSTANTS bool invert(int s, double *P)
{
    double most = 0.0, D[9];
    for (int i = 0; i < s * s; i++) most = fmax(most, fabs(P[i])), D[i] = P[i];
    double det;
    if (s == 1) {
        det = D[0];
        P[0] = 1.0;
    } else if (s == 2) {
        det = D[0] * D[3] - D[1] * D[2];
        P[0] = D[3], P[1] = -D[1], P[2] = -D[2], P[3] = D[0];
    } else {
        P[0] = D[4] * D[8] - D[5] * D[7], P[1] = D[2] * D[7] - D[1] * D[8], P[2] = D[1] * D[5] - D[2] * D[4];
        P[3] = D[5] * D[6] - D[3] * D[8], P[4] = D[0] * D[8] - D[2] * D[6], P[5] = D[2] * D[3] - D[0] * D[5];
        P[6] = D[3] * D[7] - D[4] * D[6], P[7] = D[1] * D[6] - D[0] * D[7], P[8] = D[0] * D[4] - D[1] * D[3];
        det = D[0] * P[0] + D[1] * P[3] + D[2] * P[6];
    }
    const double least = 1e-30 * (s == 1 ? most : s == 2 ? most * most : most * most * most);
    if (!(fabs(det) > least) || !isfinite(det)) return false;
    for (int i = 0; i < s * s; i++) P[i] /= det;
    return true;
}

static void load(slip_blocklu *f, const slip_matrix *W, const double *A, const double *B, const bool *on)
{
    const int s = f->side;
    const size_t square = (size_t)(s * s);
    for (int k = 0; k < f->nodes; k++) {
        if (!on[f->order[k]]) continue;
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
        double *diagonal = f->pivot + (size_t)f->place[a] * square;
        memcpy(diagonal, Aa, sizeof(double) * square);
        for (int k = 0; k < count; k++, at++) {
            if (!on[column ? column[k] : k] || f->entry[at] == NO_PLACE) continue;
            double V[9], *to = diagonal;
            const double *from = values + (long)k * step;
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++) V[i * s + j] = from[(long)i * stride + j];
            const int e = f->entry[at];
            if (e > 0) to = f->upper + (size_t)(e - 1) * square;
            if (e < 0) to = f->lower + (size_t)(-e - 1) * square;
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++)
                    for (int m = 0; m < s; m++) to[i * s + j] += Ba[i * s + m] * V[m * s + j];
        }
    }
}

// node k leaves: U_ij -= L_ik U_kj and L_ji -= L_jk U_ki for the pairs i < j of its active members,
// both at the same place of i's list; the lists are walked in step
SLIP_FOR_CONSTANTS bool eliminate_node(slip_blocklu *f, int k, int s, const bool *on)
{
    const size_t square = (size_t)(s * s);
    double *pivot = f->pivot + (size_t)k * square;
    if (!invert(s, pivot)) return false;
    int count = 0;
    for (int m = f->start[k]; m < f->start[k + 1]; m++) {
        if (!on[f->order[f->member[m]]]) continue;
        double L[9], *lower = f->lower + (size_t)m * square;
        multiply(s, lower, pivot, L);
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

bool slip_blocklu_factor(slip_blocklu *f, const slip_matrix *W, const double *A, const double *B,
                         const bool *on)
{
    load(f, W, A, B, on);
    for (int k = 0; k < f->nodes; k++) {
        if (!on[f->order[k]]) continue;
        const bool fine = f->side == 3   ? eliminate_node(f, k, 3, on)
                          : f->side == 2 ? eliminate_node(f, k, 2, on)
                                         : eliminate_node(f, k, 1, on);
        if (!fine) return false;
    }
    return true;
}

void slip_blocklu_solve(slip_blocklu *f, const bool *on, double *x)
{
    const int s = f->side;
    const size_t square = (size_t)(s * s);
    for (int k = 0; k < f->nodes; k++)
        if (on[f->order[k]])
            memcpy(f->x + (long)k * s, x + (long)f->order[k] * s, sizeof(double) * (size_t)s);
    for (int k = 0; k < f->nodes; k++) { // L y = x
        if (!on[f->order[k]]) continue;
        for (int m = f->start[k]; m < f->start[k + 1]; m++) {
            if (!on[f->order[f->member[m]]]) continue;
            const double *L = f->lower + (size_t)m * square;
            double *y = f->x + (long)f->member[m] * s;
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++) y[i] -= L[i * s + j] * f->x[(long)k * s + j];
        }
    }
    for (int k = f->nodes - 1; k >= 0; k--) { // U x = y
        if (!on[f->order[k]]) continue;
        double y[3] = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < s; i++) y[i] = f->x[(long)k * s + i];
        for (int m = f->start[k]; m < f->start[k + 1]; m++) {
            if (!on[f->order[f->member[m]]]) continue;
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
        if (on[f->order[k]])
            memcpy(x + (long)f->order[k] * s, f->x + (long)k * s, sizeof(double) * (size_t)s);
}
