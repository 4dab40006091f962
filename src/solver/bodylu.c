/// solver/bodylu.c: pattern from the contacts, assembly, right-looking elimination of blocks. Those of free
/// bodies, of side 3 and 6, have loops of known length.
#include "solver/bodylu.h"

#include <math.h>
#include <string.h>

#include "solver/constant.h"

void slip_bodylu_layout(slip_arena *a, slip_bodylu *f, int side, int bodies, int contacts, long room)
{
    const size_t square = (size_t)(side * side);
    *f = (slip_bodylu){ .nodes = bodies, .side = side, .room = room };
    f->joined = SLIP_TAKE(a, bool, contacts);
    f->graph.start = SLIP_TAKE(a, int, bodies + 2);
    f->graph.neighbour = SLIP_TAKE(a, int, 2 * (size_t)contacts);
    slip_ordering_layout(a, &f->ordering, bodies, contacts);
    f->start = SLIP_TAKE(a, int, bodies + 1);
    f->member = SLIP_TAKE(a, int, room);
    f->lower = SLIP_TAKE(a, double, (size_t)room *square);
    f->upper = SLIP_TAKE(a, double, (size_t)room *square);
    f->pivot = SLIP_TAKE(a, double, (size_t)bodies *square);
    f->x = SLIP_TAKE(a, double, (size_t)bodies *(size_t)side);
}

void slip_bodylu_begin(slip_bodylu *f, int bodies)
{
    f->nodes = bodies;
    f->analysed = false;
}

// bodies of a contact within the island; the ground is none: -1
static inline int body_of(const slip_island *p, int contact, int which)
{
    const int body = p->all->body[2 * (p->first + contact) + which];
    return body == p->all->bodies ? -1 : body - p->first_body;
}

// Pairs of bodies that touch, each once in both rows. Rows are filled with all contacts first, then cleared
// of pairs that are there already.
static void find_pairs(slip_bodylu *f, const slip_island *p)
{
    slip_adjacency *g = &f->graph;
    g->nodes = f->nodes;
    memset(g->start, 0, sizeof(int) * (size_t)(f->nodes + 2));
    for (int pass = 0; pass < 2;
         pass++) { // the first counts into start[i + 2], the second places by start[i + 1]
        for (int c = 0; c < p->contacts; c++) {
            const int a = body_of(p, c, 0), b = body_of(p, c, 1);
            if (!f->joined[c] || a < 0 || b < 0) continue;
            if (pass == 0)
                g->start[a + 2]++, g->start[b + 2]++;
            else
                g->neighbour[g->start[a + 1]++] = b, g->neighbour[g->start[b + 1]++] = a;
        }
        for (int i = 2; pass == 0 && i < f->nodes + 2; i++) g->start[i] += g->start[i - 1];
    }
    slip_adjacency_merge(g, f->ordering.mark);
}

bool slip_bodylu_analyse(slip_bodylu *f, const slip_island *p, const bool *on)
{
    const size_t bytes = sizeof(bool) * (size_t)p->contacts;
    if (f->analysed && memcmp(f->joined, on, bytes) == 0) return f->fits;
    memcpy(f->joined, on, bytes);
    find_pairs(f, p);
    slip_ordering_find(&f->ordering, &f->graph);
    f->analysed = true;
    f->fits = f->ordering.blocks <= f->room;
    if (f->fits) slip_ordering_pattern(&f->ordering, &f->graph, f->start, f->member);
    return f->fits;
}

// to += back' K H
SLIP_FOR_CONSTANTS void add_product(int d, int s, const double *back, const double *K, const double *H,
                                    double *to)
{
    double KH[3 * SLIP_BODIES_SIDE];
    for (int i = 0; i < d; i++)
        for (int k = 0; k < s; k++) {
            double sum = 0.0;
            for (int j = 0; j < d; j++) sum += K[i * d + j] * H[j * s + k];
            KH[i * s + k] = sum;
        }
    for (int i = 0; i < s; i++)
        for (int j = 0; j < d; j++)
            for (int k = 0; k < s; k++) to[i * s + k] += back[j * s + i] * KH[j * s + k];
}

SLIP_FOR_CONSTANTS void load(slip_bodylu *f, const slip_island *p, int d, int s, const bool *on,
                             const double *K)
{
    const size_t square = (size_t)(s * s), size = (size_t)(d * s);
    memset(f->lower, 0, sizeof(double) * (size_t)f->start[f->nodes] * square);
    memset(f->upper, 0, sizeof(double) * (size_t)f->start[f->nodes] * square);
    memset(f->pivot, 0, sizeof(double) * (size_t)f->nodes * square);
    for (int i = 0; i < f->nodes; i++)
        for (int k = 0; k < s; k++) f->pivot[(size_t)i * square + (size_t)(k * (s + 1))] = 1.0;
    for (int c = 0; c < p->contacts; c++) {
        if (!on[c]) continue;
        const double *H = slip_body_rows(p->all, p->first + c),
                     *back = p->all->back + 2 * (size_t)(p->first + c) * size, *Kc = K + (long)c * d * d;
        int at[2];
        for (int k = 0; k < 2; k++) {
            const int body = body_of(p, c, k);
            at[k] = body < 0 ? -1 : f->ordering.place[body];
            if (at[k] >= 0)
                add_product(d, s, back + (size_t)k * size, Kc, H + (size_t)k * size,
                            f->pivot + (size_t)at[k] * square);
        }
        if (at[0] < 0 || at[1] < 0) continue;
        const int low = at[0] < at[1] ? 0 : 1, high = 1 - low;
        const size_t block = (size_t)slip_pattern_find(f->start, f->member, at[low], at[high]) * square;
        add_product(d, s, back + (size_t)low * size, Kc, H + (size_t)high * size, f->upper + block);
        add_product(d, s, back + (size_t)high * size, Kc, H + (size_t)low * size, f->lower + block);
    }
}

// Gauss and Jordan, with row exchanges
SLIP_FOR_CONSTANTS bool invert(int s, double *P)
{
    double D[SLIP_BODIES_SIDE * SLIP_BODIES_SIDE];
    memcpy(D, P, sizeof(double) * (size_t)(s * s));
    for (int i = 0; i < s * s; i++) P[i] = i % (s + 1) == 0 ? 1.0 : 0.0;
    for (int k = 0; k < s; k++) {
        int row = k;
        for (int i = k + 1; i < s; i++)
            if (fabs(D[i * s + k]) > fabs(D[row * s + k])) row = i;
        const double pivot = D[row * s + k];
        if (!(fabs(pivot) > 0.0) || !isfinite(pivot)) return false;
        for (int j = 0; j < s; j++) {
            const double x = D[row * s + j], y = P[row * s + j];
            D[row * s + j] = D[k * s + j], P[row * s + j] = P[k * s + j];
            D[k * s + j] = x / pivot, P[k * s + j] = y / pivot;
        }
        for (int i = 0; i < s; i++) {
            const double by = D[i * s + k];
            if (i == k || by == 0.0) continue;
            for (int j = 0; j < s; j++) D[i * s + j] -= by * D[k * s + j], P[i * s + j] -= by * P[k * s + j];
        }
    }
    return true;
}

// C -= A B; the rows of B stay in registers along the inner loop
SLIP_FOR_CONSTANTS void subtract_product(int s, const double *restrict A, const double *restrict B,
                                         double *restrict C)
{
    for (int i = 0; i < s; i++)
        for (int k = 0; k < s; k++) {
            const double a = A[i * s + k];
            for (int j = 0; j < s; j++) C[i * s + j] -= a * B[k * s + j];
        }
}

// Position k leaves: U_ij -= L_ik U_kj and L_ji -= L_jk U_ki for the pairs i < j of its members, both at the
// same place of i's list; the lists are walked in step.
SLIP_FOR_CONSTANTS bool eliminate(slip_bodylu *f, int k, int s)
{
    const size_t square = (size_t)(s * s);
    double *pivot = f->pivot + (size_t)k * square;
    if (!invert(s, pivot)) return false;
    for (int m = f->start[k]; m < f->start[k + 1]; m++) {
        double L[SLIP_BODIES_SIDE * SLIP_BODIES_SIDE], *lower = f->lower + (size_t)m * square;
        memset(L, 0, sizeof(double) * square);
        for (int i = 0; i < s * s; i++) lower[i] = -lower[i];
        subtract_product(s, lower, pivot, L);
        memcpy(lower, L, sizeof(double) * square);
    }
    for (int a = f->start[k]; a < f->start[k + 1]; a++) {
        const int i = f->member[a];
        const double *L_ik = f->lower + (size_t)a * square, *U_ki = f->upper + (size_t)a * square;
        subtract_product(s, L_ik, U_ki, f->pivot + (size_t)i * square);
        int at = f->start[i];
        for (int b = a + 1; b < f->start[k + 1]; b++) {
            while (f->member[at] < f->member[b]) at++;
            subtract_product(s, L_ik, f->upper + (size_t)b * square, f->upper + (size_t)at * square);
            subtract_product(s, f->lower + (size_t)b * square, U_ki, f->lower + (size_t)at * square);
        }
    }
    return true;
}

SLIP_FOR_CONSTANTS bool factor(slip_bodylu *f, const slip_island *p, int d, int s, const bool *on,
                               const double *K)
{
    load(f, p, d, s, on, K);
    for (int k = 0; k < f->nodes; k++)
        if (!eliminate(f, k, s)) return false;
    return true;
}

bool slip_bodylu_factor(slip_bodylu *f, const slip_island *p, const bool *on, const double *K)
{
    if (p->all->d == 3 && f->side == 6) return factor(f, p, 3, 6, on, K);
    if (p->all->d == 2 && f->side == 3) return factor(f, p, 2, 3, on, K);
    return factor(f, p, p->all->d, f->side, on, K);
}

// y -= B x
SLIP_FOR_CONSTANTS void subtract_vector(int s, const double *B, const double *x, double *y)
{
    for (int i = 0; i < s; i++) {
        double sum = 0.0;
        for (int j = 0; j < s; j++) sum += B[i * s + j] * x[j];
        y[i] -= sum;
    }
}

SLIP_FOR_CONSTANTS void solve(slip_bodylu *f, int s, double *x)
{
    const size_t square = (size_t)(s * s), bytes = sizeof(double) * (size_t)s;
    for (int k = 0; k < f->nodes; k++) memcpy(f->x + (long)k * s, x + (long)f->ordering.order[k] * s, bytes);
    for (int k = 0; k < f->nodes; k++)
        for (int m = f->start[k]; m < f->start[k + 1]; m++)
            subtract_vector(s, f->lower + (size_t)m * square, f->x + (long)k * s,
                            f->x + (long)f->member[m] * s);
    for (int k = f->nodes; k-- > 0;) {
        double y[SLIP_BODIES_SIDE], z[SLIP_BODIES_SIDE];
        memset(z, 0, bytes);
        memcpy(y, f->x + (long)k * s, bytes);
        for (int m = f->start[k]; m < f->start[k + 1]; m++)
            subtract_vector(s, f->upper + (size_t)m * square, f->x + (long)f->member[m] * s, y);
        subtract_vector(s, f->pivot + (size_t)k * square, y, z);
        for (int i = 0; i < s; i++) f->x[(long)k * s + i] = -z[i];
    }
    for (int k = 0; k < f->nodes; k++) memcpy(x + (long)f->ordering.order[k] * s, f->x + (long)k * s, bytes);
}

void slip_bodylu_solve(slip_bodylu *f, double *x)
{
    if (f->side == 6)
        solve(f, 6, x);
    else if (f->side == 3)
        solve(f, 3, x);
    else
        solve(f, f->side, x);
}
