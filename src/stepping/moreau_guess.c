/// stepping/moreau_guess.c: impulses of contacts whose states are known: linear equations, checked against
/// the law.
///
/// A contact that sticks has rate 0 in all directions; one that slides has rate 0 along its normal and
/// friction -mu r_N s, where s is the direction of its slip. In space s is found by repetition. Where
/// contacts depend on each other the equations have many solutions: the one of least norm is what equal,
/// stiff contacts would carry.
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "core/elementary.h"
#include "stepping/moreau.h"

enum { MAX_TURNS = 20, PASSES = 4 };

static const double EXACT = 1e-13; // violation, relative to the largest |q|, that an answer may have
static const double DEPENDENT =
    1e-10; // pivot, relative to the largest, below which equations depend on others

double slip_moreau_largest_q(const slip_moreau *m)
{
    double most = 0.0;
    for (int i = 0; i < m->problem.blocks * m->d; i++) most = slip_larger(most, fabs(m->problem.q[i]));
    return most;
}

static bool slides(const slip_moreau *m, int b)
{
    return m->problem.state[b] >= SLIP_FORWARD;
}

// the block of an unknown, by divisors that the compiler knows
static int block_of(const slip_moreau *m, int unknown)
{
    return m->d == 3 ? unknown / 3 : unknown / 2;
}

// unknowns of the states: r_N of sliding blocks, all of sticking ones; their number
static int list_unknowns(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    int count = 0;
    for (int b = 0; b < p->blocks; b++) {
        if (p->state[b] == SLIP_OPENED) continue;
        p->unknown[count++] = b * m->d;
        for (int c = 1; c < m->d && p->state[b] == SLIP_STICKING; c++) p->unknown[count++] = b * m->d + c;
    }
    return count;
}

// their equations, into J and x: of a block that slides, its normal and what that brings along
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
        p->x[i] = -p->q[unknown[i]];
    }
    for (int j = 0; j < count; j++) {
        const int at = unknown[j], b = block_of(m, at);
        for (int c = 1; c < m->d && slides(m, b); c++) {
            const double *column = p->W + at + c, by = p->mu[b] * p->way[at + c];
            for (int i = 0; i < count; i++) p->J[(long)i * count + j] -= by * column[(long)unknown[i] * size];
        }
    }
}

static bool independent(const slip_moreau *m, int count)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < count; i++) {
        const double pivot = fabs(m->problem.J[(long)i * count + i]);
        least = fmin(least, pivot);
        most = fmax(most, pivot);
    }
    return least > DEPENDENT * most;
}

// b - J x into `rest`; four rows at a time, so that one sum need not wait for the other
static void find_rest(const slip_moreau_problem *p, int count, double *rest)
{
    for (int i = 0; i < count; i++) rest[i] = -p->q[p->unknown[i]];
    int i = 0;
    for (; i + 3 < count; i += 4) {
        const double *row = p->J + (long)i * count;
        double a = rest[i], b = rest[i + 1], c = rest[i + 2], d = rest[i + 3];
        for (int j = 0; j < count; j++) {
            const double x = p->x[j];
            a -= row[j] * x, b -= row[count + j] * x;
            c -= row[2 * count + j] * x, d -= row[3 * count + j] * x;
        }
        rest[i] = a, rest[i + 1] = b, rest[i + 2] = c, rest[i + 3] = d;
    }
    for (; i < count; i++)
        for (int j = 0; j < count; j++) rest[i] -= p->J[(long)i * count + j] * p->x[j];
}

// G = J J', lower triangle, column of J by column; the largest entry
static double fill_gram(const slip_moreau_problem *p, int count, double *G)
{
    double column[SLIP_MOREAU_DENSE], most = 0.0;
    for (int i = 0; i < count; i++) memset(G + (long)i * count, 0, sizeof(double) * (size_t)(i + 1));
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < count; i++) column[i] = p->J[(long)i * count + k];
        for (int i = 0; i < count; i++) {
            double *restrict row = G + (long)i * count;
            for (int j = 0; j <= i; j++) row[j] += column[i] * column[j];
        }
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++) most = fmax(most, G[(long)i * count + j]);
    return most;
}

// J J' + small, factored, into gram. What rests, or slides on a plane, has one J in all steps, bit for bit
static bool factor_gram(slip_moreau_problem *p, int count)
{
    const size_t bytes = sizeof(double) * (size_t)count * (size_t)count;
    double *G = p->gram;
    if (count == p->made_count && memcmp(p->made_J, p->J, bytes) == 0) return true;
    const double most = fill_gram(p, count, G);
    for (int i = 0; i < count; i++) G[(long)i * count + i] += 1e-13 * most;
    p->made_count = slip_cholesky(count, G) ? count : 0;
    if (p->made_count) memcpy(p->made_J, p->J, bytes);
    return p->made_count > 0;
}

// x += J' rest; four rows at a time, each number in the order of the rows
static void add_rows(const slip_moreau_problem *p, int count, const double *rest)
{
    double *restrict x = p->x;
    int i = 0;
    for (; i + 3 < count; i += 4) {
        const double *row = p->J + (long)i * count;
        const double a = rest[i], b = rest[i + 1], c = rest[i + 2], d = rest[i + 3];
        for (int j = 0; j < count; j++)
            x[j] = x[j] + row[j] * a + row[count + j] * b + row[2 * count + j] * c + row[3 * count + j] * d;
    }
    for (; i < count; i++)
        for (int j = 0; j < count; j++) x[j] += p->J[(long)i * count + j] * rest[i];
}

// The x with J x = b that is nearest to 0, or to the last impulses: x := x + J' (J J' + small)^-1 (b - J x)
// from there, in few passes
static bool solve_least_norm(slip_moreau *m, int count)
{
    slip_moreau_problem *p = &m->problem;
    const double *G = p->gram;
    double *rest = p->rest;
    fill_equations(m, count);
    if (!factor_gram(p, count)) return false;
    p->open = true;
    for (int i = 0; i < count; i++) p->x[i] = p->near ? p->near[p->unknown[i]] : 0.0;
    for (int pass = 0; pass < PASSES; pass++) {
        find_rest(p, count, rest);
        slip_cholesky_solve(count, G, rest);
        add_rows(p, count, rest);
    }
    return true;
}

// more than there are coordinates cannot be independent; those that were filled in are
static bool too_many(const slip_moreau *m, int count)
{
    int rows = 0;
    for (int i = 0; i < count; i++) rows += m->problem.row[m->problem.unknown[i]] >= 0;
    return rows > m->n;
}

static bool solve_equations(slip_moreau *m, int count)
{
    slip_moreau_problem *p = &m->problem;
    if (count == 0) return true;
    if (m->max_substeps > 1 && too_many(m, count)) return solve_least_norm(m, count);
    fill_equations(m, count);
    if (!slip_lu(count, p->J, p->pivot) || (m->max_substeps > 1 && !independent(m, count)))
        return m->max_substeps > 1 && solve_least_norm(m, count); // as printed: whatever the solver gives
    slip_lu_solve(count, p->J, p->pivot, p->x);
    return true;
}

// r of the unknowns, and w = W r + q
static void spread(slip_moreau *m, int count)
{
    slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d;
    memset(p->r, 0, sizeof(double) * (size_t)size);
    for (int i = 0; i < count; i++) {
        const int at = p->unknown[i], b = block_of(m, at);
        p->r[at] = p->x[i];
        for (int c = 1; c < m->d && slides(m, b); c++) p->r[at + c] = -p->mu[b] * p->way[at + c] * p->x[i];
    }
    memcpy(p->w, p->q, sizeof(double) * (size_t)size);
    double *restrict w = p->w;
    int j = 0;
    for (; j + 2 < size; j += 3) { // W is symmetric
        const double *row = p->W + (long)j * size, a = p->r[j], b = p->r[j + 1], c = p->r[j + 2];
        for (int i = 0; i < size; i++) w[i] = w[i] + row[i] * a + row[size + i] * b + row[2 * size + i] * c;
    }
    for (; j < size; j++)
        for (int i = 0; i < size; i++) w[i] += p->W[(long)j * size + i] * p->r[j];
}

// directions of slip as w has them; how far the old ones were off, as a rate
static double turn(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    double worst = 0.0;
    for (int b = 0; b < p->blocks && m->d == 3; b++) {
        const double *w = p->w + 3L * b;
        double *way = p->way + 3L * b;
        if (!slides(m, b) || p->mu[b] == 0.0) continue;
        const double speed = slip_hypot(w[1], w[2]);
        if (speed == 0.0) continue;
        worst = slip_larger(worst, fabs(w[1] - speed * way[1]) + fabs(w[2] - speed * way[2]));
        way[1] = w[1] / speed;
        way[2] = w[2] / speed;
    }
    return worst;
}

// a speed that is none: what rests is to stick, so that its friction is the least there can be, not the most
static double standstill(const slip_moreau *m, double scale)
{
    return m->max_substeps > 1 ? EXACT * scale : -1.0; // as printed: whatever was guessed
}

// how far a block is from the law in its state, as a rate; infinite when that state is not its own
static double breach(const slip_moreau *m, int b, double scale)
{
    const slip_moreau_problem *p = &m->problem;
    const double *r = p->r + (long)b * m->d, *w = p->w + (long)b * m->d, *way = p->way + (long)b * m->d;
    double along = 0.0, across = 0.0, tangent = 0.0;
    if (p->state[b] == SLIP_OPENED) return slip_larger(0.0, -w[0]);
    for (int c = 1; c < m->d; c++) {
        along += way[c] * w[c];
        across = slip_larger(across, fabs(w[c]));
        tangent += r[c] * r[c];
    }
    if (!(r[0] >= 0.0)) return INFINITY;
    const bool slips = along >= 0.0 && along > standstill(m, scale);
    if (p->state[b] >= SLIP_FORWARD) return slips || p->mu[b] == 0.0 ? fabs(w[0]) : INFINITY;
    return sqrt(tangent) <= p->mu[b] * r[0] ? slip_larger(fabs(w[0]), across) : INFINITY;
}

bool slip_moreau_solve_states(slip_moreau *m, double *residual)
{
    const double scale = slip_moreau_largest_q(m);
    const int count = list_unknowns(m);
    double worst = INFINITY;
    for (int k = 0; k < MAX_TURNS; k++) {
        const double before = worst;
        if (!solve_equations(m, count)) return false;
        spread(m, count);
        worst = turn(m);
        if (worst <= EXACT * scale) break;
        if (!(worst < 0.3 * before)) return false; // a solver is faster
    }
    for (int b = 0; b < m->problem.blocks; b++) worst = slip_larger(worst, breach(m, b, scale));
    if (!(worst <= EXACT * scale)) return false;
    *residual = scale > 0.0 ? worst / scale : worst;
    return true;
}

// A block that slides does so along the rates v. Where these are 0: in the plane as its state says, in space
// it sticks
static void face(slip_moreau *m, int b, const double *v)
{
    unsigned char *state = &m->problem.state[b];
    double *way = m->problem.way + (long)b * m->d;
    if (m->d == 2) {
        way[1] = *state == SLIP_BACKWARD ? -1.0 : 1.0;
        return;
    }
    if (*state < SLIP_FORWARD) return; // goes no way
    const double speed = slip_hypot(v[1], v[2]);
    for (int c = 1; c < 3; c++) way[c] = speed > 0.0 ? v[c] / speed : 0.0;
    if (*state >= SLIP_FORWARD && speed == 0.0 && m->problem.mu[b] > 0.0) *state = SLIP_STICKING;
}

// contacts as in the last step, newcomers closed and sliding where they slide now
bool slip_moreau_guess(slip_moreau *m, const slip_moreau_step *from, double *residual)
{
    slip_moreau_problem *p = &m->problem;
    for (int b = 0; b < p->blocks; b++) {
        const double *q = p->q + (long)b * m->d;
        p->state[b] = from->state[p->element[b]];
        if (p->state[b] == SLIP_OPENED && !(q[0] >= 0.0))
            p->state[b] = q[1] >= 0.0 ? SLIP_FORWARD : SLIP_BACKWARD;
        face(m, b, q);
    }
    p->open = false;
    if (slip_moreau_solve_states(m, residual)) return true;
    if (!p->open) return false;
    slip_moreau_start_warm(m, from, p->best); // least norm leaves a cone: stay near what was
    p->near = p->best;
    const bool solved = slip_moreau_solve_states(m, residual);
    p->near = NULL;
    return solved;
}

// the states that the impulses r have, solved for again
bool slip_moreau_polish(slip_moreau *m, double *residual)
{
    slip_moreau_problem *p = &m->problem;
    const double scale = slip_moreau_largest_q(m);
    for (int b = 0; b < p->blocks; b++) {
        const double *w = p->w + (long)b * m->d;
        const double speed = m->d == 2 ? fabs(w[1]) : slip_hypot(w[1], w[2]);
        p->state[b] = (unsigned char)slip_moreau_state_of(m, b);
        if (p->state[b] >= SLIP_FORWARD && p->mu[b] > 0.0 && speed <= 1e3 * standstill(m, scale))
            p->state[b] = SLIP_STICKING;
        face(m, b, w);
    }
    return slip_moreau_solve_states(m, residual);
}
