/// solver/body/body_quadratic_form.c: pattern from the bodies, assembly, right-looking block Cholesky.
#include "solver/body/body_quadratic_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/linalg/fixed_size.h"
#include "solver/body/body_tolerances.h"

// Largest cost of a factorisation that is worth paying, per contact: neighbours, and products of blocks.
// Islands of up to ALWAYS_FACTORED_CONTACTS are factored in any case.
enum { MAX_NEIGHBOURS_PER_CONTACT = 40, MAX_PRODUCTS_PER_CONTACT = 60, ALWAYS_FACTORED_CONTACTS = 24 };

// ---------------------------------------------------------------------------------------------- memory

static bool grow_memory(void **memory, size_t *size, size_t bytes)
{
    if (bytes <= *size) return true;
    free(*memory);
    *size = 0;
    *memory = slip_arena_memory_uninitialised(bytes + bytes / 4);
    if (*memory) *size = bytes + bytes / 4;
    return *memory != NULL;
}

static void form_layout(slip_arena *a, slip_body_quadratic_form *f)
{
    const size_t rows = (size_t)f->contacts * (size_t)f->d;
    f->body = SLIP_TAKE(a, int, 2 * f->contacts);
    f->lean = SLIP_TAKE(a, double, 2 * rows * (size_t)f->side);
    f->back = SLIP_TAKE(a, double, 2 * rows * (size_t)f->side);
    f->idle = SLIP_TAKE(a, bool, rows);
    f->start = SLIP_TAKE(a, int, f->bodies + 2);
    f->list = SLIP_TAKE(a, int, 2 * f->contacts);
}

bool slip_body_quadratic_form_begin(slip_body_quadratic_form *f, int d, int side, int bodies, int contacts)
{
    slip_arena measure = { 0 };
    f->d = d, f->side = side, f->bodies = bodies, f->contacts = contacts;
    form_layout(&measure, f);
    if (!grow_memory(&f->lists, &f->lists_size, measure.used)) return false;
    slip_arena real = { .base = f->lists };
    form_layout(&real, f);
    return true;
}

void slip_body_quadratic_form_end(slip_body_quadratic_form *f)
{
    free(f->lists);
    free(f->factor);
}

// --------------------------------------------------------------------------------------------- pattern

static void list_contacts(slip_body_quadratic_form *f)
{
    memset(f->start, 0, sizeof(int) * (size_t)(f->bodies + 2));
    for (int k = 0; k < 2 * f->contacts; k++)
        if (f->body[k] >= 0) f->start[f->body[k] + 2]++;
    for (int i = 2; i < f->bodies + 2; i++) f->start[i] += f->start[i - 1];
    for (int k = 0; k < 2 * f->contacts; k++)
        if (f->body[k] >= 0) f->list[f->start[f->body[k] + 1]++] = k;
}

// The number of pairs of neighbouring contacts; contacts that share two bodies count twice.
static double neighbours_of(const slip_body_quadratic_form *f)
{
    double sum = 0.0;
    for (int i = 0; i < f->bodies; i++) {
        const double count = f->start[i + 1] - f->start[i];
        sum += count * (count - 1.0);
    }
    return sum;
}

static void find_neighbours(slip_body_quadratic_form *f)
{
    slip_adjacency *g = &f->graph;
    int at = 0;
    g->nodes = f->contacts;
    g->start[0] = 0;
    for (int c = 0; c < f->contacts; c++) {
        for (int s = 0; s < 2; s++) {
            const int body = f->body[2 * c + s];
            for (int k = body < 0 ? 0 : f->start[body]; body >= 0 && k < f->start[body + 1]; k++)
                if (f->list[k] / 2 != c) g->neighbour[at++] = f->list[k] / 2;
        }
        g->start[c + 1] = at;
    }
    slip_adjacency_merge(g, f->ordering.mark);
}

static void form_layout_graph(slip_arena *a, slip_body_quadratic_form *f, int neighbours)
{
    f->graph.start = SLIP_TAKE(a, int, f->contacts + 1);
    f->graph.neighbour = SLIP_TAKE(a, int, neighbours);
    slip_ordering_layout(a, &f->ordering, f->contacts, (neighbours + 1) / 2);
    f->first = SLIP_TAKE(a, int, f->contacts + 1);
    f->pivot = SLIP_TAKE(a, double, f->contacts * f->d * f->d);
}

static void form_layout_factor(slip_arena *a, slip_body_quadratic_form *f, long blocks)
{
    f->member = SLIP_TAKE(a, int, blocks);
    f->block = SLIP_TAKE(a, double, blocks * f->d * f->d);
}

// Bound on the blocks of a factor whose cost is acceptable: the sum of the counts is at most the root of
// their number times the sum of their squares (Cauchy and Schwarz).
static long max_factor_blocks(const slip_body_quadratic_form *f, double products)
{
    const double all = 0.5 * f->contacts * (f->contacts - 1.0);
    return (long)fmin(all, sqrt(products * f->contacts) + 1.0);
}

int slip_body_quadratic_form_analyse(slip_body_quadratic_form *f)
{
    const bool small = f->contacts <= ALWAYS_FACTORED_CONTACTS;
    const double m = f->contacts,
                 products = small ? m * m * (m + 1.0) : (double)MAX_PRODUCTS_PER_CONTACT * f->contacts;
    list_contacts(f);
    const double neighbours = neighbours_of(f);
    if (!small && neighbours > MAX_NEIGHBOURS_PER_CONTACT * m) return SLIP_QUADRATIC_FORM_COSTLY;
    const long blocks = max_factor_blocks(f, products);
    slip_arena measure = { 0 };
    form_layout_graph(&measure, f, (int)neighbours);
    form_layout_factor(&measure, f, blocks);
    if (!grow_memory(&f->factor, &f->factor_size, measure.used)) return SLIP_QUADRATIC_FORM_NO_MEMORY;
    slip_arena real = { .base = f->factor };
    form_layout_graph(&real, f, (int)neighbours);
    form_layout_factor(&real, f, blocks);
    find_neighbours(f);
    slip_ordering_find(&f->ordering, &f->graph);
    if (f->ordering.work > products || f->ordering.blocks > blocks) return SLIP_QUADRATIC_FORM_COSTLY;
    slip_ordering_pattern(&f->ordering, &f->graph, f->first, f->member);
    return SLIP_QUADRATIC_FORM_POSITIVE;
}

// -------------------------------------------------------------------------------------------- assembly

// to += (L_c back_d' + back_c L_d') / 2, the contribution of one body.
SLIP_FIXED_SIZE void add_pair(const slip_body_quadratic_form *f, int d, int side, int c, int e, double *to)
{
    const double *Lc = f->lean + (long)c * d * side, *Bc = f->back + (long)c * d * side,
                 *Le = f->lean + (long)e * d * side, *Be = f->back + (long)e * d * side;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double sum = 0.0;
            for (int k = 0; k < side; k++)
                sum += Lc[i * side + k] * Be[j * side + k] + Bc[i * side + k] * Le[j * side + k];
            to[i * d + j] += 0.5 * sum;
        }
}

SLIP_FIXED_SIZE void assemble_blocks(slip_body_quadratic_form *f, int d, int side)
{
    const int *place = f->ordering.place, square = d * d;
    memset(f->pivot, 0, sizeof(double) * (size_t)(f->contacts * square));
    memset(f->block, 0, sizeof(double) * (size_t)(f->first[f->contacts] * square));
    for (int c = 0; c < f->contacts; c++)
        for (int i = 0; i < d; i++)
            f->pivot[place[c] * square + i * (d + 1)] = f->idle[c * d + i] ? 1.0 : DIAGONAL_SHIFT;
    for (int i = 0; i < f->bodies; i++)
        for (int a = f->start[i]; a < f->start[i + 1]; a++)
            for (int b = f->start[i]; b < f->start[i + 1]; b++) {
                const int p = place[f->list[a] / 2], q = place[f->list[b] / 2];
                if (p == q) add_pair(f, d, side, f->list[a], f->list[b], f->pivot + (long)p * square);
                if (p <= q) continue;
                const long at =
                    slip_pattern_find(f->first, f->member, q, p); // rows of the later position, columns of q
                add_pair(f, d, side, f->list[a], f->list[b], f->block + at * square);
            }
}

// ----------------------------------------------------------------------------------------- elimination

// Cholesky factor P = C C', with C in the lower triangle.
SLIP_FIXED_SIZE bool block_cholesky(int d, double *P)
{
    for (int j = 0; j < d; j++) {
        double own = P[j * d + j];
        for (int k = 0; k < j; k++) own -= P[j * d + k] * P[j * d + k];
        if (!(own > 0.0) || !isfinite(own)) return false;
        P[j * d + j] = sqrt(own);
        for (int i = j + 1; i < d; i++) {
            double sum = P[i * d + j];
            for (int k = 0; k < j; k++) sum -= P[i * d + k] * P[j * d + k];
            P[i * d + j] = sum / P[j * d + j];
        }
    }
    return true;
}

// B C'^-1
SLIP_FIXED_SIZE void solve_against_transpose(int d, const double *C, double *B)
{
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double sum = B[i * d + j];
            for (int k = 0; k < j; k++) sum -= B[i * d + k] * C[j * d + k];
            B[i * d + j] = sum / C[j * d + j];
        }
}

// to -= A B'
SLIP_FIXED_SIZE void subtract_product(int d, const double *restrict A, const double *restrict B,
                                      double *restrict to)
{
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double sum = 0.0;
            for (int k = 0; k < d; k++) sum += A[i * d + k] * B[j * d + k];
            to[i * d + j] -= sum;
        }
}

SLIP_FIXED_SIZE int factor_blocks(slip_body_quadratic_form *f, int d, int side)
{
    const int square = d * d;
    assemble_blocks(f, d, side);
    for (int k = 0; k < f->contacts; k++) {
        if (!block_cholesky(d, f->pivot + (long)k * square)) return f->ordering.order[k];
        for (int m = f->first[k]; m < f->first[k + 1]; m++)
            solve_against_transpose(d, f->pivot + (long)k * square, f->block + (long)m * square);
        for (int a = f->first[k]; a < f->first[k + 1]; a++) {
            const int i = f->member[a];
            const double *B = f->block + (long)a * square;
            subtract_product(d, B, B, f->pivot + (long)i * square);
            int at = f->first[i];
            for (int b = a + 1; b < f->first[k + 1]; b++) { // both lists are in ascending order and are
                                                            // walked together
                while (f->member[at] < f->member[b]) at++;
                subtract_product(d, f->block + (long)b * square, B, f->block + (long)at * square);
            }
        }
    }
    return SLIP_QUADRATIC_FORM_POSITIVE;
}

int slip_body_quadratic_form_factor(slip_body_quadratic_form *f)
{
    if (f->d == 3 && f->side == 6) return factor_blocks(f, 3, 6);
    if (f->d == 2 && f->side == 3) return factor_blocks(f, 2, 3);
    return factor_blocks(f, f->d, f->side);
}
