/// solver/lcp/lemke_pivoting.c: Lemke's complementary pivoting with a lexicographic rule.
///
/// The dictionary  basic = T nonbasic + rhs  starts as  y = A x + 1 x0 + b  and is pivoted in place;
/// column rows + 1 is the right-hand side. Variables are numbered y_i = i, x_i = rows + i, x0 = 2 rows.
#include "solver/lcp/lemke_pivoting.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "solver/linalg/equilibrate.h"
#include "solver/problem/solver_record.h"
#include "solver/lcp/lcp_tolerances.h"

void slip_lemke_pivoting_layout(slip_arena *a, slip_lemke_pivoting *k, int n, int most)
{
    const size_t square = (size_t)most * (size_t)most, N = (size_t)n;
    k->n = n;
    k->most = most;
    k->M = SLIP_TAKE(a, double, N *N);
    double **short_ones[] = { &k->q, &k->low, &k->high, &k->z, &k->g };
    for (int i = 0; i < 5; i++) *short_ones[i] = SLIP_TAKE(a, double, n);
    double **long_ones[] = { &k->b, &k->x, &k->y, &k->scale };
    for (int i = 0; i < 4; i++) *long_ones[i] = SLIP_TAKE(a, double, most);
    k->A = SLIP_TAKE(a, double, square);
    k->T = SLIP_TAKE(a, double, square + 2 * (size_t)most);
    k->F = SLIP_TAKE(a, double, N *N);
    k->basic = SLIP_TAKE(a, int, most);
    k->nonbasic = SLIP_TAKE(a, int, most + 1);
    k->first = SLIP_TAKE(a, int, n);
    k->second = SLIP_TAKE(a, int, n);
    k->free_list = SLIP_TAKE(a, int, n);
    k->index = SLIP_TAKE(a, int, most > n ? most : n);
    k->pivot = SLIP_TAKE(a, int, most > n ? most : n);
}

// ---- from box to LCP ---------------------------------------------------------------------------

// The free unknowns f solve M_ff z_f = -q_f - M_fc z_c. F holds the factors of M_ff; the rest of M and q is
// replaced by the Schur complement.
static bool eliminate_free(slip_lemke_pivoting *k)
{
    const int n = k->n, m = k->free_count;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) k->F[(long)i * m + j] = k->M[(long)k->free_list[i] * n + k->free_list[j]];
    if (!slip_lu(m, k->F, k->pivot)) return false;
    for (int c = 0; c <= n; c++) {
        const bool constant = c == n;
        if (!constant && isinf(k->low[c]) && isinf(k->high[c])) continue;
        bool any = false;
        for (int i = 0; i < m; i++) {
            k->g[i] = constant ? k->q[k->free_list[i]] : k->M[(long)k->free_list[i] * n + c];
            any = any || k->g[i] != 0.0;
        }
        if (!any) continue;
        slip_lu_solve(m, k->F, k->pivot, k->g);
        for (int r = 0; r < n; r++) {
            if (isinf(k->low[r]) && isinf(k->high[r])) continue;
            double s = 0.0;
            for (int i = 0; i < m; i++) s += k->M[(long)r * n + k->free_list[i]] * k->g[i];
            if (constant)
                k->q[r] -= s;
            else
                k->M[(long)r * n + c] -= s;
        }
    }
    return true;
}

// z_f from the known z_c; the elimination has not changed the rows f of M and q.
static void recover_free(slip_lemke_pivoting *k)
{
    const int n = k->n, m = k->free_count;
    for (int i = 0; i < m; i++) k->z[k->free_list[i]] = 0.0;
    for (int i = 0; i < m; i++) {
        const double *row = k->M + (long)k->free_list[i] * n;
        double s = -k->q[k->free_list[i]];
        for (int j = 0; j < n; j++) s -= row[j] * k->z[j];
        k->g[i] = s;
    }
    slip_lu_solve(m, k->F, k->pivot, k->g);
    for (int i = 0; i < m; i++) k->z[k->free_list[i]] = k->g[i];
}

static void number_rows(slip_lemke_pivoting *k, bool eliminated)
{
    k->rows = 0;
    for (int i = 0; i < k->n; i++) {
        const bool free = isinf(k->low[i]) && isinf(k->high[i]);
        k->first[i] = free && eliminated ? -1 : k->rows++;
        k->second[i] = -1;
    }
    for (int i = 0; i < k->n; i++) {
        const bool free = isinf(k->low[i]) && isinf(k->high[i]);
        if (free ? !eliminated : isfinite(k->low[i]) && isfinite(k->high[i])) k->second[i] = k->rows++;
    }
}

// sign of x in z, and the bound it starts from
static double variable_sign(const slip_lemke_pivoting *k, int i)
{
    return isinf(k->low[i]) && isfinite(k->high[i]) ? -1.0 : 1.0;
}
static double variable_origin(const slip_lemke_pivoting *k, int i)
{
    return isfinite(k->low[i]) ? k->low[i] : isfinite(k->high[i]) ? k->high[i] : 0.0;
}

static void fill_lcp(slip_lemke_pivoting *k)
{
    const int n = k->n, rows = k->rows;
    memset(k->A, 0, sizeof(double) * (size_t)rows * (size_t)rows);
    for (int i = 0; i < n; i++) {
        if (k->first[i] < 0) continue;
        double *row = k->A + (long)k->first[i] * rows, s = k->q[i];
        const double di = variable_sign(k, i);
        for (int j = 0; j < n; j++) {
            const double m = k->M[(long)i * n + j];
            if (k->first[j] < 0 || m == 0.0) continue;
            s += m * variable_origin(k, j);
            row[k->first[j]] = di * m * variable_sign(k, j);
            if (k->second[j] >= 0 && isinf(k->low[j])) row[k->second[j]] = -di * m;
        }
        k->b[k->first[i]] = di * s;
    }
    for (int i = 0; i < n; i++) {
        const int f = k->first[i], s = k->second[i];
        if (f < 0 || s < 0) continue;
        if (isinf(k->low[i])) { // the negative half of a free unknown: minus its row
            for (int j = 0; j < rows; j++) k->A[(long)s * rows + j] = -k->A[(long)f * rows + j];
            k->b[s] = -k->b[f];
        } else {
            k->A[(long)f * rows + s] = 1.0;
            k->A[(long)s * rows + f] = -1.0;
            k->b[s] = k->high[i] - k->low[i];
        }
    }
}

// The basis says which unknowns are on their upper bounds. Where a box is small against the other unknowns,
// its width is lost in the rounding of the right-hand side, and the computed value need not be on the bound,
// or even in the box.
static void put_on_bounds(slip_lemke_pivoting *k)
{
    int *column = k->index; // of every variable y that is not basic
    for (int i = 0; i < k->rows; i++) column[i] = -1;
    for (int j = 0; j <= k->rows; j++)
        if (k->nonbasic[j] < k->rows) column[k->nonbasic[j]] = j;
    for (int i = 0; i < k->n; i++) {
        if (k->second[i] < 0 || isinf(k->low[i]) || column[k->second[i]] < 0) continue;
        if (fabs(k->z[i] - k->high[i]) > OFF_BOUND_RELATIVE * (k->high[i] - k->low[i])) k->z[i] = k->high[i];
    }
}

static void recover_solution(slip_lemke_pivoting *k, bool eliminated)
{
    for (int i = 0; i < k->n; i++) {
        if (k->first[i] < 0) continue;
        k->z[i] = variable_origin(k, i) + variable_sign(k, i) * k->x[k->first[i]];
        if (k->second[i] >= 0 && isinf(k->low[i])) k->z[i] -= k->x[k->second[i]];
    }
    put_on_bounds(k);
    if (eliminated && k->free_count) recover_free(k);
}

// ---- the pivoting itself -----------------------------------------------------------------------

// fmax is a function call because of NaN, which cannot occur here.
static double max_of(double a, double b)
{
    return a > b ? a : b;
}

static void start_dictionary(slip_lemke_pivoting *k)
{
    const int rows = k->rows, width = rows + 2;
    for (int i = 0; i < rows; i++) {
        double *row = k->T + (long)i * width;
        for (int j = 0; j < rows; j++) row[j] = k->scale[i] * k->A[(long)i * rows + j] * k->scale[j];
        row[rows] = 1.0;
        row[rows + 1] = k->scale[i] * k->b[i];
        k->basic[i] = i;
        k->nonbasic[i] = rows + i;
    }
    k->nonbasic[rows] = 2 * rows;
    k->dust = 0.0;
    for (int i = 0; i < rows; i++)
        k->dust = max_of(k->dust, RHS_ROUNDING_RELATIVE * fabs(k->scale[i] * k->b[i]));
}

static void pivot_on(slip_lemke_pivoting *k, int r, int s)
{
    const int width = k->rows + 2;
    double *row = k->T + (long)r * width;
    const double inverse = 1.0 / row[s];
    for (int j = 0; j < width; j++) row[j] *= -inverse;
    row[s] = inverse;
    for (int i = 0; i < k->rows; i++) {
        double *other = k->T + (long)i * width;
        const double f = other[s];
        if (i == r || f == 0.0) continue;
        other[s] = 0.0;
        for (int j = 0; j < width; j++) other[j] += f * row[j];
    }
    const int keep = k->basic[r];
    k->basic[r] = k->nonbasic[s];
    k->nonbasic[s] = keep;
}

// perturbing b_j by eps^j adds -T(i, column of y_j) eps^j to a basic row, or eps^j where y_j is basic
static double lexical_perturbation(const slip_lemke_pivoting *k, int i, int j, const int *column_of)
{
    if (column_of[j] >= 0) return -k->T[(long)i * (k->rows + 2) + column_of[j]];
    return k->basic[i] == j ? 1.0 : 0.0;
}

// Whether the perturbed ratio of row a is below that of row b, given that the plain ratios tie.
static bool lexically_less(const slip_lemke_pivoting *k, int a, int b, int s, const int *column_of)
{
    const int width = k->rows + 2;
    const double da = -k->T[(long)a * width + s], db = -k->T[(long)b * width + s];
    for (int j = 0; j < k->rows; j++) {
        const double pa = lexical_perturbation(k, a, j, column_of) / da,
                     pb = lexical_perturbation(k, b, j, column_of) / db;
        if (fabs(pa - pb) > RATIO_TIE_RELATIVE * (fabs(pa) + fabs(pb) + 1.0 / da + 1.0 / db)) return pa < pb;
    }
    return false;
}

// The right-hand side of row i; values within rounding of zero are zero, so that ties are recognised.
static double rhs_level(const slip_lemke_pivoting *k, int i)
{
    const double b = k->T[(long)i * (k->rows + 2) + k->rows + 1];
    return b > k->dust ? b : 0.0;
}

// The leaving row when column s enters; -1 for a ray. Among ties x0 leaves first.
static int leaving_row(slip_lemke_pivoting *k, int s, double zero)
{
    const int rows = k->rows, width = rows + 2;
    double most = 0.0, least = INFINITY;
    for (int i = 0; i < rows; i++) most = max_of(most, fabs(k->T[(long)i * width + s]));
    for (int i = 0; i < rows; i++) {
        const double a = -k->T[(long)i * width + s];
        if (a > zero * most) {
            const double ratio = rhs_level(k, i) / a;
            if (ratio < least) least = ratio;
        }
    }
    if (isinf(least)) return -1;
    int best = -1, *column_of = NULL;
    for (int i = 0; i < rows; i++) {
        const double a = -k->T[(long)i * width + s];
        if (!(a > zero * most) || rhs_level(k, i) / a > least * (1.0 + RATIO_TIE_RELATIVE)) continue;
        if (k->basic[i] == 2 * rows) return i;
        if (best >= 0 && !column_of) {
            column_of = k->index;
            for (int j = 0; j < rows; j++) column_of[j] = -1;
            for (int j = 0; j <= rows; j++)
                if (k->nonbasic[j] < rows) column_of[k->nonbasic[j]] = j;
        }
        if (best < 0 || lexically_less(k, i, best, s, column_of)) best = i;
    }
    return best;
}

static slip_outcome run_pivots(slip_lemke_pivoting *k, const slip_solve_options *o, const double *own,
                               slip_solve_info *info)
{
    const int rows = k->rows, width = rows + 2, limit = slip_solver_iteration_limit(o, 100 + 20 * rows);
    int r = -1, s = rows;
    for (int i = 0; i < rows; i++) // the most negative right-hand side; the last of equals is lexically least
        if (k->T[(long)i * width + rows + 1] < 0.0 &&
            (r < 0 || k->T[(long)i * width + rows + 1] <= k->T[(long)r * width + rows + 1]))
            r = i;
    if (r < 0) return SLIP_CONVERGED;
    for (int count = 0; count < limit; count++) {
        const int leaving = k->basic[r];
        pivot_on(k, r, s);
        info->iterations++;
        if (leaving == 2 * rows) return SLIP_CONVERGED;
        const int entering = leaving < rows ? leaving + rows : leaving - rows;
        for (s = 0; k->nonbasic[s] != entering;) s++;
        r = leaving_row(k, s, own[SLIP_LEMKE_PIVOT]);
        if (r < 0) return SLIP_RAY;
    }
    return SLIP_OUT_OF_ITERATIONS;
}

static void read_dictionary(slip_lemke_pivoting *k)
{
    memset(k->x, 0, sizeof(double) * (size_t)k->rows);
    for (int i = 0; i < k->rows; i++) {
        const int v = k->basic[i] - k->rows;
        if (v >= 0 && v < k->rows)
            k->x[v] = max_of(0.0, k->T[(long)i * (k->rows + 2) + k->rows + 1]) * k->scale[v];
    }
}

static double lcp_error(slip_lemke_pivoting *k, const double *x)
{
    double square = 0.0;
    for (int i = 0; i < k->rows; i++) {
        double y = k->b[i];
        for (int j = 0; j < k->rows; j++) y += k->A[(long)i * k->rows + j] * x[j];
        const double e = fmin(x[i] / k->scale[i], y * k->scale[i]);
        k->y[i] = y;
        square += e * e;
    }
    return isnan(square) ? INFINITY : square;
}

// Solves A_BB x_B = -b_B for the final basis from the original data, equilibrated: pivoting through face
// contacts loses up to ten digits, and this restores them. The better of the two solutions is kept.
static void refine_basis(slip_lemke_pivoting *k)
{
    const int rows = k->rows;
    int m = 0;
    for (int i = 0; i < rows; i++)
        if (k->x[i] > 0.0) k->index[m++] = i;
    if (m == 0) return;
    const double before = lcp_error(k, k->x);
    double *J = k->T, *t = k->y; // the dictionary is no longer needed; y is recomputed later
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            J[(long)i * m + j] =
                k->scale[k->index[i]] * k->A[(long)k->index[i] * rows + k->index[j]] * k->scale[k->index[j]];
    if (!slip_lu(m, J, k->pivot)) return;
    double *x = J + (long)m * m; // the space after the m x m factors
    memcpy(x, k->x, sizeof(double) * (size_t)rows);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m; i++) {
            double s = -k->b[k->index[i]];
            for (int j = 0; j < m; j++) s -= k->A[(long)k->index[i] * rows + k->index[j]] * x[k->index[j]];
            t[i] = s * k->scale[k->index[i]];
        }
        slip_lu_solve(m, J, k->pivot, t);
        for (int i = 0; i < m; i++) x[k->index[i]] += t[i] * k->scale[k->index[i]];
    }
    if (lcp_error(k, x) <= before) memcpy(k->x, x, sizeof(double) * (size_t)rows);
}

slip_outcome slip_lemke_pivoting_solve(slip_lemke_pivoting *k, const slip_solve_options *o,
                                       slip_solve_info *info)
{
    const double *own = slip_solver_own_options(&slip_solver_lemke, o);
    k->free_count = 0;
    for (int i = 0; i < k->n; i++)
        if (isinf(k->low[i]) && isinf(k->high[i])) k->free_list[k->free_count++] = i;
    const bool eliminated = k->free_count == 0 || eliminate_free(k);
    number_rows(k, eliminated);
    fill_lcp(k);
    slip_equilibrate(k->rows, k->A, k->scale);
    start_dictionary(k);
    const slip_outcome outcome = run_pivots(k, o, own, info);
    read_dictionary(k);
    if (outcome == SLIP_CONVERGED && own[SLIP_LEMKE_REFINE] > 0.0) refine_basis(k);
    // The refinement has overwritten the pivots of the elimination: factor once more before the free part.
    if (eliminated && k->free_count) {
        for (int i = 0; i < k->free_count; i++)
            for (int j = 0; j < k->free_count; j++)
                k->F[(long)i * k->free_count + j] = k->M[(long)k->free_list[i] * k->n + k->free_list[j]];
        slip_lu(k->free_count, k->F, k->pivot);
    }
    recover_solution(k, eliminated);
    return outcome;
}
