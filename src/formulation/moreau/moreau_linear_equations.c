/// formulation/moreau/moreau_linear_equations.c: impulses of contacts whose states are known: linear
/// equations J x = -q.
///
/// A contact that sticks has rate 0 in all directions; one that slides has rate 0 along its normal and
/// friction -mu r_N s, where s is the direction of its slip. Where contacts depend on each other the
/// equations have many solutions, and the one of least norm is taken (moreau_least_norm.c).
///
/// What rests, or slides straight on, has one J in all steps, bit for bit. So J is factored where it changes,
/// and kept.
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

// the block of an unknown, by divisors that the compiler knows
static int block_of(const slip_moreau *m, int unknown)
{
    return m->d == 3 ? unknown / 3 : unknown / 2;
}

// r_N of sliding blocks, all of sticking ones
int slip_moreau_list_unknowns(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    int count = 0;
    for (int b = 0; b < p->blocks; b++) {
        if (p->state[b] == SLIP_STATE_OPEN) continue;
        p->unknown[count++] = b * m->d;
        for (int c = 1; c < m->d && p->state[b] == SLIP_STATE_STICKING; c++)
            p->unknown[count++] = b * m->d + c;
    }
    return count;
}

// ---- the equations ---------------------------------------------------------------------------------------

// their matrix, into J: of a block that slides, its normal and what that brings along
static void fill_equations(slip_moreau *m, int count)
{
    slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d, *unknown = p->unknown;
    for (int i = 0; i < count; i++) {
        const double *row = p->W + (long)unknown[i] * size;
        double *to = p->J + (long)i * count;
        if (count == size) // all stick
            memcpy(to, row, sizeof(double) * (size_t)size);
        for (int j = 0; j < count && count < size; j++) to[j] = row[unknown[j]];
    }
    for (int j = 0; j < count; j++) {
        const int at = unknown[j], b = block_of(m, at);
        for (int c = 1; c < m->d && slip_moreau_is_sliding(m, b); c++) {
            const double *column = p->W + at + c, by = p->mu[b] * p->slip_direction[at + c];
            for (int i = 0; i < count; i++) p->J[(long)i * count + j] -= by * column[(long)unknown[i] * size];
        }
    }
}

// Whether the factored equations are the present ones by what they are made of: one W, and the same blocks
// stick
static bool factor_is_current(const slip_moreau *m, int count)
{
    const slip_moreau_problem *p = &m->problem;
    const slip_moreau_factor *f = &p->factored;
    if (f->count != count || f->matrix != p->matrix) return false;
    for (int b = 0; b < p->blocks; b++)
        if (p->state[b] != f->state[b] || slip_moreau_is_sliding(m, b)) return false;
    return true;
}

// ---- factors -------------------------------------------------------------------------------------------

static bool is_regular(const double *LU, int count)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < count; i++) {
        const double pivot = fabs(LU[(long)i * count + i]);
        least = fmin(least, pivot);
        most = fmax(most, pivot);
    }
    return least > DEPENDENT_EQUATION_PIVOT * most;
}

static bool factor_lu(slip_moreau_factor *f, int count)
{
    memcpy(f->inverse, f->J, sizeof(double) * (size_t)count * (size_t)count);
    f->kind = SLIP_MOREAU_LU;
    return slip_lu(count, f->inverse, f->pivot);
}

// more than there are coordinates cannot be independent; those that were filled in are
static bool is_overdetermined(const slip_moreau *m, int count)
{
    int rows = 0;
    for (int i = 0; i < count; i++) rows += m->problem.row[m->problem.unknown[i]] >= 0;
    return rows > m->n;
}

// as printed: what is singular is left to the solver
static bool factor_equations(slip_moreau *m, int count)
{
    slip_moreau_factor *f = &m->problem.factored;
    const bool refined = m->max_substeps > 1;
    if (refined && is_overdetermined(m, count))
        return slip_moreau_factor_least_norm(f, count, m->problem.gram);
    if (factor_lu(f, count) && (!refined || is_regular(f->inverse, count))) return true;
    return refined && slip_moreau_factor_least_norm(f, count, m->problem.gram);
}

// the factor of the present equations
static bool update_factor(slip_moreau *m, int count)
{
    slip_moreau_problem *p = &m->problem;
    slip_moreau_factor *f = &p->factored;
    const size_t bytes = sizeof(double) * (size_t)count * (size_t)count;
    if (factor_is_current(m, count)) return true;
    fill_equations(m, count);
    if (f->count != count || memcmp(f->J, p->J, bytes) != 0) {
        f->count = 0;
        memcpy(f->J, p->J, bytes);
        if (!factor_equations(m, count)) return false;
        f->count = count;
    }
    f->matrix = p->matrix;
    memcpy(f->state, p->state, (size_t)p->blocks);
    return true;
}

// ---- solutions -----------------------------------------------------------------------------------------

// w = W r + q; W is symmetric
static void block_rates(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d;
    double *restrict w = p->w;
    int j = 0;
    for (int i = 0; i < size; i++) w[i] = p->q[i];
    for (; j + 2 < size; j += 3) {
        const double *row = p->W + (long)j * size, a = p->r[j], b = p->r[j + 1], c = p->r[j + 2];
        for (int i = 0; i < size; i++) w[i] = w[i] + row[i] * a + row[size + i] * b + row[2 * size + i] * c;
    }
    for (; j < size; j++)
        for (int i = 0; i < size; i++) w[i] += p->W[(long)j * size + i] * p->r[j];
}

// r of the unknowns, and w
static void scatter_unknowns(slip_moreau *m, int count)
{
    slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d;
    if (count == size) { // all stick
        for (int i = 0; i < size; i++) p->r[i] = p->x[i];
    } else {
        for (int i = 0; i < size; i++) p->r[i] = 0.0;
        for (int i = 0; i < count; i++) {
            const int at = p->unknown[i], b = block_of(m, at);
            p->r[at] = p->x[i];
            for (int c = 1; c < m->d && slip_moreau_is_sliding(m, b); c++)
                p->r[at + c] = -p->mu[b] * p->slip_direction[at + c] * p->x[i];
        }
    }
    if (count == size && count && p->factored.kind == SLIP_MOREAU_LEAST_NORM)
        memcpy(p->w, p->rest, sizeof(double) * (size_t)size);
    else
        block_rates(m);
}

bool slip_moreau_solve_equations(slip_moreau *m, int count, double scale)
{
    slip_moreau_problem *p = &m->problem;
    if (count && !update_factor(m, count)) return false;
    if (count && p->factored.kind == SLIP_MOREAU_LEAST_NORM) {
        slip_moreau_least_norm(m, count, scale);
    } else if (count) {
        for (int i = 0; i < count; i++) p->x[i] = -p->q[p->unknown[i]];
        slip_lu_solve(count, p->factored.inverse, p->factored.pivot, p->x);
    }
    scatter_unknowns(m, count);
    return true;
}
