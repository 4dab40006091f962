/// solver/lcp/direct_pivoting.c: direct principal pivoting for a handful of unknowns.
///
/// The tableau says basic = T nonbasic + constant, at first w = M z + q (planar contacts by Flores 2010, eq
/// 85). Equations are pivoted in first. Then the most negative basic value is exchanged with its partner,
/// which is fast but may cycle. After as many pivots as there are unknowns Murty's rule takes over (the last
/// negative one), which cannot cycle if the principal minors are positive. Where the diagonal is zero two
/// pairs are exchanged together.
#include "solver/lcp/direct_pivoting.h"

#include <math.h>
#include <string.h>

#include "solver/linalg/matrix.h"
#include "solver/lcp/lcp_tolerances.h"

enum { TABLEAU_WIDTH = SLIP_DIRECT_PIVOTING_MAX + 2, SWEEP_ABOVE_UNKNOWNS = 4 };

typedef struct tableau {
    int n;                                             // rows
    int equations;                                     // the first rows: w = 0 with z free
    int first;                                         // columns before this one are finished
    double T[SLIP_DIRECT_PIVOTING_MAX][TABLEAU_WIDTH]; // column n is the constant
    bool in[SLIP_DIRECT_PIVOTING_MAX];                 // row i stands for z_i
    int unknown[SLIP_DIRECT_PIVOTING_MAX];             // the z at the place of equation i
} tableau;

static void load_sparse(tableau *t, const slip_matrix *A)
{
    const int s = A->block;
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->n; j++) t->T[i][j] = 0.0;
    for (int at = 0; at < t->n / s; at++)
        for (int k = A->row_start[at]; k < A->row_start[at + 1]; k++)
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++)
                    t->T[at * s + i][A->column[k] * s + j] = A->values[((long)k * s + i) * s + j];
}

static void load_planar(tableau *t, const slip_problem *p)
{
    double W[4 * SLIP_DIRECT_PIVOTING_MAX_PLANAR * SLIP_DIRECT_PIVOTING_MAX_PLANAR],
        A[9 * SLIP_DIRECT_PIVOTING_MAX_PLANAR * SLIP_DIRECT_PIVOTING_MAX_PLANAR],
        b[3 * SLIP_DIRECT_PIVOTING_MAX_PLANAR];
    slip_matrix_fill(&p->W, W);
    slip_lcp_from_planar(p->contacts, W, p->q, p->mu, A, b);
    for (int i = 0; i < t->n; i++) {
        for (int j = 0; j < t->n; j++) t->T[i][j] = A[i * t->n + j];
        t->T[i][t->n] = b[i];
    }
}

static void load_tableau(tableau *t, const slip_problem *p)
{
    const bool planar = p->kind == SLIP_KIND_FC2D;
    t->n = planar ? 3 * p->contacts : p->size;
    t->first = 0;
    t->equations = p->kind == SLIP_KIND_MLCP ? p->equalities : 0;
    for (int i = 0; i < t->n; i++) t->in[i] = false, t->unknown[i] = i;
    if (planar) {
        load_planar(t, p);
        return;
    }
    if (p->W.form == SLIP_SPARSE)
        load_sparse(t, &p->W);
    else
        for (int i = 0; i < t->n; i++)
            for (int j = 0; j < t->n; j++) t->T[i][j] = p->W.values[i * p->W.cols + j];
    for (int i = 0; i < t->n; i++) t->T[i][t->n] = p->q[i];
}

// Exchanges row r with column c.
static void exchange_pair(tableau *t, int r, int c)
{
    const int n = t->n, first = t->first;
    double *restrict row = t->T[r];
    const double inverse = 1.0 / row[c];
    for (int j = first; j <= n; j++) row[j] *= -inverse;
    row[c] = inverse;
    for (int i = 0; i < n; i++) {
        double *restrict other = t->T[i];
        const double f = other[c];
        if (i == r || f == 0.0) continue;
        other[c] = 0.0;
        for (int j = first; j <= n; j++) other[j] += f * row[j];
    }
}

static void swap_rows(tableau *t, int a, int b)
{
    for (int j = t->first; a != b && j <= t->n; j++) {
        const double keep = t->T[a][j];
        t->T[a][j] = t->T[b][j];
        t->T[b][j] = keep;
    }
}

static void swap_columns(tableau *t, int a, int b)
{
    for (int i = 0; a != b && i < t->n; i++) {
        const double keep = t->T[i][a];
        t->T[i][a] = t->T[i][b];
        t->T[i][b] = keep;
    }
}

// Exchanges both pairs across the diagonal, then restores the numbering of rows and columns.
static void exchange_pairs(tableau *t, int r, int s)
{
    exchange_pair(t, r, s);
    exchange_pair(t, s, r);
    swap_rows(t, r, s);
    swap_columns(t, r, s);
    t->in[r] = !t->in[r];
    t->in[s] = !t->in[s];
}

// The partner that r can be exchanged with when it cannot be alone; -1 if there is none.
static int find_partner(const tableau *t, int r)
{
    int best = -1;
    double most = 0.0;
    for (int s = t->equations; s < t->n; s++) {
        const double size = fabs(t->T[r][s] * t->T[s][r]);
        if (s != r && size > most) most = size, best = s;
    }
    return best;
}

// Gives equation k the unknown with the largest coefficient among those not used yet.
static void choose_unknown(tableau *t, int k)
{
    int column = k;
    for (int j = k + 1; j < t->equations; j++)
        if (fabs(t->T[k][j]) > fabs(t->T[k][column])) column = j;
    swap_columns(t, k, column);
    const int keep = t->unknown[k];
    t->unknown[k] = t->unknown[column];
    t->unknown[column] = keep;
}

// Equations that cannot be solved for an unknown of their own come last, together with a pair.
static bool pivot_equations(tableau *t, int *pivots)
{
    int last = t->equations;
    for (int k = 0; k < t->equations; ++*pivots) {
        choose_unknown(t, k);
        if (fabs(t->T[k][k]) > PIVOT_MIN_RELATIVE) {
            exchange_pair(t, k, k);
            t->first = ++k; // its partner is w = 0
        } else if (k < last - 1) {
            swap_rows(t, k, --last);
        } else {
            const int helper = find_partner(t, k);
            if (helper < 0) return false;
            exchange_pairs(t, k, helper);
            last = t->equations;
            t->first = ++k;
        }
    }
    return true;
}

static double max_magnitude(double most, double x)
{
    return fabs(x) > most ? fabs(x) : most;
}

static int negative_row(const tableau *t, double dust, bool by_index)
{
    int row = -1;
    double least = -dust;
    for (int i = t->equations; i < t->n; i++)
        if (t->T[i][t->n] < least) {
            row = i;
            if (!by_index) least = t->T[i][t->n];
        }
    return row;
}

static bool pivot_pairs(tableau *t, double dust, int *pivots)
{
    const int limit = 3 * t->n + 8;
    for (int count = 0; count < limit; count++, ++*pivots) {
        const int r = negative_row(t, dust, count > t->n);
        if (r < 0) return true;
        double most = 0.0;
        for (int j = t->equations; j < t->n; j++) most = max_magnitude(most, t->T[r][j]);
        if (fabs(t->T[r][r]) > PIVOT_MIN_RELATIVE * most) {
            exchange_pair(t, r, r);
            t->in[r] = !t->in[r];
            continue;
        }
        const int s = find_partner(t, r);
        if (s < 0) return false;
        exchange_pairs(t, r, s);
    }
    return false;
}

// One Gauss-Seidel sweep from zero, which solves every uncoupled or triangular LCP; returns whether it did.
static bool one_sweep(const tableau *t, double dust, double *x)
{
    for (int i = 0; i < t->n; i++) {
        double w = t->T[i][t->n];
        for (int j = 0; j < i; j++) w += t->T[i][j] * x[j];
        if (w < 0.0 && !(t->T[i][i] > 0.0)) return false;
        x[i] = w < 0.0 ? -w / t->T[i][i] : 0.0;
    }
    for (int i = 0; i < t->n; i++) {
        double w = t->T[i][t->n];
        for (int j = 0; j < t->n; j++) w += t->T[i][j] * x[j];
        if (x[i] > 0.0 ? fabs(w) > dust : w < -dust) return false;
    }
    return true;
}

int slip_direct_pivoting_solve(const slip_problem *p, double *z)
{
    tableau t;
    int pivots = 0;
    double dust = 0.0, x[SLIP_DIRECT_PIVOTING_MAX];
    load_tableau(&t, p);
    for (int i = 0; i < t.n; i++) dust = max_magnitude(dust, t.T[i][t.n]);
    if (p->kind == SLIP_KIND_LCP && t.n > SWEEP_ABOVE_UNKNOWNS &&
        one_sweep(&t, RHS_ROUNDING_RELATIVE * dust, x)) {
        memcpy(z, x, sizeof(double) * (size_t)t.n);
        return 0;
    }
    if (!pivot_equations(&t, &pivots) || !pivot_pairs(&t, RHS_ROUNDING_RELATIVE * dust, &pivots)) return -1;
    for (int i = 0; i < t.n; i++) {
        const double value = t.T[i][t.n];
        if (!isfinite(value)) return -1;
        x[t.unknown[i]] = i < t.equations ? value : t.in[i] && value > 0.0 ? value : 0.0;
    }
    if (p->kind == SLIP_KIND_FC2D)
        slip_planar_from_lcp(p->contacts, p->mu, x, z);
    else
        memcpy(z, x, sizeof(double) * (size_t)t.n);
    return pivots;
}
