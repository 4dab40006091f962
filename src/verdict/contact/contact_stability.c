/// verdict/contact/contact_stability.c: all solutions by trying every mode, boundary layers by their
/// eigenvalues.
#include "verdict/contact/contact_stability.h"

#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "verdict/contact/redundant_modes.h"
#include "verdict/contact/verdict_tolerances.h"

// ------------------------------------------------------------------------------------ every combination

// the modes that contact i may have, in a fixed order; returns their number
static int modes_of(const slip_contact_set *set, int i, unsigned char *mode)
{
    int count = 0;
    if (set->contact[i]) mode[count++] = SLIP_IS_OPEN;
    if (!set->slips[i] || set->mu[i] == 0.0) { // no friction: closed is sliding either way
        mode[count++] = SLIP_IS_FORWARD;
    } else if (set->slide[i]) {
        mode[count++] = set->slide[i] > 0 ? SLIP_IS_FORWARD : SLIP_IS_BACKWARD;
    } else {
        mode[count++] = SLIP_IS_STICKING;
        mode[count++] = SLIP_IS_FORWARD;
        mode[count++] = SLIP_IS_BACKWARD;
    }
    return count;
}

int slip_mode_direction(unsigned char mode)
{
    return mode == SLIP_IS_FORWARD ? 1 : mode == SLIP_IS_BACKWARD ? -1 : 0;
}

// unknown forces of a combination: 2 i for N, 2 i + 1 for T of a sticking element
int slip_mode_unknowns(const slip_contact_set *set, const unsigned char *mode, int *at)
{
    int m = 0;
    for (int i = 0; i < set->count; i++) {
        if (set->contact[i] && mode[i] != SLIP_IS_OPEN) at[m++] = 2 * i;
        if (mode[i] == SLIP_IS_STICKING) at[m++] = 2 * i + 1;
    }
    return m;
}

// what one unit of the unknown does to row r: a sliding normal drags its friction along
double slip_mode_response(const slip_contact_set *set, const unsigned char *mode, int r, int unknown)
{
    int i = unknown / 2, rows = 2 * set->count;
    double w = set->W[r * rows + unknown];
    if (unknown % 2 == 0 && set->slips[i] && mode[i] != SLIP_IS_STICKING)
        w -= slip_mode_direction(mode[i]) * set->mu[i] * set->W[r * rows + unknown + 1];
    return w;
}

// acceleration of a row when the unknown forces vanish: frictions that slide have theirs
double slip_mode_offset(const slip_contact_set *set, const unsigned char *mode, int r)
{
    double sum = set->b[r];
    for (int i = 0; i < set->count; i++)
        if (!set->contact[i] && mode[i] != SLIP_IS_STICKING)
            sum -= slip_mode_direction(mode[i]) * set->mu[i] * set->W[r * 2 * set->count + 2 * i + 1];
    return sum;
}

static double small_rate(const slip_contact_set *set)
{
    return ZERO_ACCELERATION_RELATIVE * set->scale + ZERO_ACCELERATION;
}

static double force_size(const slip_contact_set *set, const slip_contact_branch *s)
{
    double most = 0.0;
    for (int i = 0; i < set->count; i++) most = fmax(most, fmax(fabs(s->N[i]), fabs(s->T[i])));
    return most;
}

// forces and accelerations of a combination from its unknowns
void slip_mode_distribute(const slip_contact_set *set, int m, const int *at, const double *x,
                          slip_contact_branch *s)
{
    for (int i = 0; i < set->count; i++) {
        s->N[i] = 0.0;
        s->T[i] = set->contact[i] ? 0.0 : -slip_mode_direction(s->mode[i]) * set->mu[i];
    }
    for (int k = 0; k < m; k++) {
        int i = at[k] / 2;
        if (at[k] % 2)
            s->T[i] = x[k];
        else
            s->N[i] = x[k],
            s->T[i] = set->slips[i] ? -slip_mode_direction(s->mode[i]) * set->mu[i] * x[k] : 0.0;
    }
    for (int r = 0; r < 2 * set->count; r++) {
        double rate = slip_mode_offset(set, s->mode, r);
        for (int k = 0; k < m; k++) rate += slip_mode_response(set, s->mode, r, at[k]) * x[k];
        *(r % 2 ? &s->slip_rate[r / 2] : &s->gap_rate[r / 2]) = rate;
    }
}

// signs, with what is zero to rounding on the edge
static bool is_admissible(const slip_contact_set *set, slip_contact_branch *s)
{
    double small = small_rate(set), dust = ZERO_FORCE_RELATIVE * force_size(set, s) + NONZERO_FORCE;
    s->on_the_edge = false;
    for (int i = 0; i < set->count; i++) {
        double hold = set->contact[i] ? set->mu[i] * s->N[i] : set->mu[i];
        bool good = true, edge = false;
        switch ((slip_contact_mode)s->mode[i]) {
        case SLIP_IS_OPEN:
            good = s->gap_rate[i] >= -small, edge = s->gap_rate[i] <= small;
            break;
        case SLIP_IS_STICKING:
            good = s->N[i] >= -dust && fabs(s->T[i]) <= hold + dust;
            edge = (set->contact[i] && s->N[i] <= dust) || fabs(s->T[i]) >= hold - dust;
            break;
        case SLIP_IS_FORWARD:
        case SLIP_IS_BACKWARD:
            good = s->N[i] >= -dust, edge = set->contact[i] && s->N[i] <= dust;
            if (set->slips[i] && set->mu[i] > 0.0 && !set->slide[i]) { // it starts, or it does not move
                double away = slip_mode_direction(s->mode[i]) * s->slip_rate[i];
                good = good && away >= -small, edge = edge || away <= small;
            }
        }
        if (!good) return false;
        s->on_the_edge = s->on_the_edge || edge;
    }
    return true;
}

bool slip_same_motion(const slip_contact_set *set, const slip_contact_branch *a, const slip_contact_branch *b)
{
    double small = SAME_MOTION_FACTOR * small_rate(set);
    for (int i = 0; i < set->count; i++)
        if (fabs(a->gap_rate[i] - b->gap_rate[i]) > small ||
            (set->slips[i] && fabs(a->slip_rate[i] - b->slip_rate[i]) > small))
            return false;
    return true;
}

static bool same_forces(const slip_contact_set *set, const slip_contact_branch *a,
                        const slip_contact_branch *b)
{
    double small = SAME_FORCE_RELATIVE * fmax(force_size(set, a), force_size(set, b));
    for (int i = 0; i < set->count; i++)
        if (fabs(a->N[i] - b->N[i]) > small || fabs(a->T[i] - b->T[i]) > small) return false;
    return true;
}

typedef struct combination {
    int m, at[SLIP_SET_MAX_ROWS], pivot[SLIP_SET_MAX_ROWS];
    double K[SLIP_SET_MAX_ROWS * SLIP_SET_MAX_ROWS], x[SLIP_SET_MAX_ROWS];
} combination;

// K x = -offset over the rows of the unknowns; false when the rows are dependent
static bool solve_combination(const slip_contact_set *set, const unsigned char *mode, combination *c)
{
    c->m = slip_mode_unknowns(set, mode, c->at);
    for (int i = 0; i < c->m; i++) {
        double size = 0.0;
        for (int j = 0; j < c->m; j++) {
            c->K[i * c->m + j] = slip_mode_response(set, mode, c->at[i], c->at[j]);
            size = fmax(size, fabs(set->W[c->at[i] * 2 * set->count + c->at[j]]));
        }
        c->x[i] = -slip_mode_offset(set, mode, c->at[i]);
        if (c->m == 1 && fabs(c->K[0]) <= ZERO_RESPONSE_RELATIVE * (size + set->mu[c->at[0] / 2] * size))
            return false;
    }
    if (c->m && !slip_lu(c->m, c->K, c->pivot)) return false;
    if (c->m) slip_lu_solve(c->m, c->K, c->pivot, c->x);
    return true;
}

// whether a dependent combination has solutions at all, signs aside: elimination with complete pivoting
static bool is_consistent(const slip_contact_set *set, const unsigned char *mode, combination *c)
{
    int m = c->m;
    double most = 0.0;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            c->K[i * m + j] = slip_mode_response(set, mode, c->at[i], c->at[j]);
            most = fmax(most, fabs(set->W[c->at[i] * 2 * set->count + c->at[j]]));
        }
        c->x[i] = -slip_mode_offset(set, mode, c->at[i]);
    }
    for (int p = 0; p < m; p++) {
        int row = p, column = p;
        for (int i = p; i < m; i++)
            for (int j = p; j < m; j++)
                if (fabs(c->K[i * m + j]) > fabs(c->K[row * m + column])) row = i, column = j;
        if (fabs(c->K[row * m + column]) <=
            ZERO_PIVOT_RELATIVE * most) { // what is left must vanish by itself
            for (int i = p; i < m; i++)
                if (fabs(c->x[i]) > DEPENDENT_OFFSET_FACTOR * small_rate(set)) return false;
            return true;
        }
        for (int j = 0; j < m; j++) {
            double swap = c->K[p * m + j];
            c->K[p * m + j] = c->K[row * m + j], c->K[row * m + j] = swap;
        }
        double swap = c->x[p];
        c->x[p] = c->x[row], c->x[row] = swap;
        for (int i = 0; i < m; i++) {
            swap = c->K[i * m + p];
            c->K[i * m + p] = c->K[i * m + column], c->K[i * m + column] = swap;
        }
        for (int i = p + 1; i < m; i++) {
            double f = c->K[i * m + p] / c->K[p * m + p];
            for (int j = p; j < m; j++) c->K[i * m + j] -= f * c->K[p * m + j];
            c->x[i] -= f * c->x[p];
        }
    }
    return true;
}

typedef struct finding {
    slip_contact_branch *out;
    int most, found;
    bool dependent, continuum, unsure;
} finding;

static void keep_solution(const slip_contact_set *set, const slip_contact_branch *s, finding *f)
{
    for (int j = 0; j < f->found && j < f->most; j++)
        if (same_forces(set, &f->out[j], s) && slip_same_motion(set, &f->out[j], s)) return;
    if (f->found++ < f->most) f->out[f->found - 1] = *s;
}

// A combination whose rows depend on one another: a point of it is kept unless its motion is known already
static void try_redundant(const slip_contact_set *set, slip_contact_branch *s, finding *f)
{
    slip_redundancy d = slip_mode_solve_redundant(set, s);
    if (d == SLIP_REDUNDANT_INFEASIBLE) return;
    f->dependent = true;
    f->unsure = f->unsure || d == SLIP_REDUNDANT_UNDECIDED;
    if (d == SLIP_REDUNDANT_UNDECIDED) return;
    for (int j = 0; j < f->found && j < f->most; j++)
        if (slip_same_motion(set, &f->out[j], s)) {
            if (f->out[j].on_the_edge && !s->on_the_edge) f->out[j] = *s; // the one inside says more
            return;
        }
    keep_solution(set, s, f);
}

int slip_set_solutions(const slip_contact_set *set, long effort, slip_contact_branch *out, int most,
                       slip_solution_openings *open)
{
    unsigned char choice[SLIP_SET_MAX_CONTACTS][4] = { 0 };
    int choices[SLIP_SET_MAX_CONTACTS], digit[SLIP_SET_MAX_CONTACTS] = { 0 };
    finding f = { .out = out, .most = most };
    long combinations = 1;
    *open = (slip_solution_openings){ 0 };
    for (int i = 0; i < set->count; i++) {
        choices[i] = modes_of(set, i, choice[i]);
        if ((combinations *= choices[i]) > effort) return -1;
    }
    for (long k = 0; k < combinations; k++) {
        combination c;
        slip_contact_branch s = { 0 };
        for (int i = 0; i < set->count; i++) s.mode[i] = choice[i][digit[i]];
        if (solve_combination(set, s.mode, &c)) {
            slip_mode_distribute(set, c.m, c.at, c.x, &s);
            if (is_admissible(set, &s)) keep_solution(set, &s, &f);
        } else if (is_consistent(set, s.mode, &c)) {
            try_redundant(set, &s, &f);
            f.continuum = f.continuum || c.m == 1; // A = 0 = B: any N >= 0
        }
        for (int i = 0; i < set->count && ++digit[i] == choices[i]; i++) digit[i] = 0;
    }
    *open = (slip_solution_openings){ f.dependent, f.unsure, f.continuum };
    return f.found;
}

// -------------------------------------------------------------------------------------- boundary layers

// eigenvalues of [0 I; -Q -P] with k rows in P and Q, into re and im
static bool layer_eigenvalues(int k, const double *P, const double *Q, double *re, double *im)
{
    int n = 2 * k;
    double J[4 * SLIP_SET_MAX_ROWS * SLIP_SET_MAX_ROWS] = { 0 },
                                     work[2 * SLIP_EIGENVALUES_WORK * SLIP_SET_MAX_ROWS];
    for (int i = 0; i < k; i++) {
        J[(k + i) * n + i] = 1.0; // column-major
        for (int j = 0; j < k; j++) {
            J[j * n + k + i] = -Q[i * k + j];
            J[(k + j) * n + k + i] = -P[i * k + j];
        }
    }
    return slip_eigenvalues(n, J, re, im, work);
}

bool slip_boundary_layer_eigenvalues(slip_boundary_layer *l)
{
    return layer_eigenvalues(l->count, l->P, l->Q, l->re, l->im);
}

// Within the range of A, since rows that depend on one another cannot part: P and Q as U' P U, U' Q U with an
// orthonormal basis U. The other eigenvalues are zero. Returns the rank, -1 when it was not found
static int eigenvalues_in_range(slip_boundary_layer *l)
{
    enum { ROWS = SLIP_SET_MAX_ROWS };
    int k = l->count, rank = 0;
    double A[ROWS * ROWS], U[ROWS * ROWS], value[ROWS], work[SLIP_SVD_WORK * ROWS], P[ROWS * ROWS],
        Q[ROWS * ROWS];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) A[j * k + i] = l->A[i * k + j];
    if (!slip_svd(k, A, value, U, work)) return -1; // of A', so that the rows of U span what A reaches
    while (rank < k && value[rank] > SINGULAR_VALUE_ZERO * value[0]) rank++;
    for (int a = 0; a < rank; a++)
        for (int b = 0; b < rank; b++) {
            P[a * rank + b] = Q[a * rank + b] = 0.0;
            for (int i = 0; i < k; i++)
                for (int j = 0; j < k; j++) {
                    P[a * rank + b] += U[a * k + i] * l->P[i * k + j] * U[b * k + j];
                    Q[a * rank + b] += U[a * k + i] * l->Q[i * k + j] * U[b * k + j];
                }
        }
    memset(l->re, 0, sizeof l->re);
    memset(l->im, 0, sizeof l->im);
    return layer_eigenvalues(rank, P, Q, l->re, l->im) ? rank : -1;
}

void slip_contact_branch_layer(const slip_contact_set *set, const slip_contact_branch *s,
                               const slip_compliant_constants *constants, slip_boundary_layer *l)
{
    int at[SLIP_SET_MAX_ROWS], k = l->count = slip_mode_unknowns(set, s->mode, at);
    l->stability = SLIP_IS_FREE;
    l->growth = -INFINITY;
    for (int i = 0; i < set->count; i++) // an open contact that does not move off is closed for the layer
        if (s->mode[i] == SLIP_IS_OPEN && s->gap_rate[i] <= small_rate(set)) l->stability = SLIP_IS_UNDECIDED;
    if (k == 0) return;
    for (int j = 0; j < k; j++) {
        slip_compliant_constants c =
            slip_compliant_with_mass(&constants[set->element[at[j] / 2]], set->mass[at[j] / 2]);
        double K = c.K_t, C = c.C_t;
        if (at[j] % 2 == 0) {
            slip_normal_force f = slip_compliant_normal(
                &c, slip_compliant_static_depth(&c, fmax(s->N[at[j] / 2], NONZERO_FORCE)), 0.0);
            K = f.stiffness, C = f.damping;
        }
        for (int i = 0; i < k; i++) {
            l->A[i * k + j] = slip_mode_response(set, s->mode, at[i], at[j]);
            l->Q[i * k + j] = l->A[i * k + j] * K;
            l->P[i * k + j] = l->A[i * k + j] * C;
        }
    }
    bool edge = l->stability == SLIP_IS_UNDECIDED || s->on_the_edge;
    l->stability = SLIP_IS_UNDECIDED;
    int rank = s->dependent ? eigenvalues_in_range(l) : slip_boundary_layer_eigenvalues(l) ? k : -1;
    if (rank < 0) return;
    double size = 0.0;
    for (int i = 0; i < 2 * rank; i++) {
        l->growth = fmax(l->growth, l->re[i]);
        size = fmax(size, fmax(fabs(l->re[i]), fabs(l->im[i])));
    }
    if (l->growth > GROWTH_DECIDED * size)
        l->stability = SLIP_IS_UNSTABLE;
    else if (l->growth < -GROWTH_DECIDED * size && !edge)
        l->stability = SLIP_IS_STABLE;
}

// -------------------------------------------------------------------------------------- the LCP matrix

bool slip_set_lcp(const slip_contact_set *set, double *A, double *B)
{
    unsigned char mode[SLIP_SET_MAX_CONTACTS];
    for (int i = 0; i < set->count; i++) {
        if (!set->contact[i] || (set->slips[i] && set->mu[i] > 0.0 && !set->slide[i])) return false;
        mode[i] = set->slide[i] < 0 ? SLIP_IS_BACKWARD : SLIP_IS_FORWARD;
    }
    for (int i = 0; i < set->count; i++) {
        for (int j = 0; j < set->count; j++)
            A[i * set->count + j] = slip_mode_response(set, mode, 2 * i, 2 * j);
        B[i] = set->b[2 * i];
    }
    return true;
}

// Pivots of elimination are ratios of leading minors; every subset once. A pivot that is rounding of its
// diagonal is that of a singular matrix, which is not a P-matrix
bool slip_is_p_matrix(int n, const double *A)
{
    for (unsigned subset = 1; subset < 1u << n; subset++) {
        double K[SLIP_SET_MAX_CONTACTS * SLIP_SET_MAX_CONTACTS];
        int at[SLIP_SET_MAX_CONTACTS], m = 0;
        for (int i = 0; i < n; i++)
            if (subset >> i & 1u) at[m++] = i;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) K[i * m + j] = A[at[i] * n + at[j]];
        for (int p = 0; p < m; p++) {
            double own = A[at[p] * n + at[p]];
            if (!(K[p * m + p] > P_MATRIX_PIVOT * own && own > 0.0))
                return false; // the minors before it are positive
            for (int i = p + 1; i < m; i++) {
                double f = K[i * m + p] / K[p * m + p];
                for (int j = p + 1; j < m; j++) K[i * m + j] -= f * K[p * m + j];
            }
        }
    }
    return true;
}
