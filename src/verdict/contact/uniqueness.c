/// verdict/contact/uniqueness.c: a proof that there is one motion.
#include "verdict/contact/uniqueness.h"

#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "verdict/contact/verdict_tolerances.h"

// numbers of scratch per unknown: 4 for a layer, 6 for singular values and vectors, and afterwards for
// eigenvalues of twice as many rows, which are 4 themselves
enum { SPARE = 14 };

typedef struct space {
    int q, null; // unknowns; dimension of the kernel of S
    double *scale, *V, *value, *H, *R, *x, *tau, *spare;
} space;

size_t slip_uniqueness_work_size(int most)
{
    size_t q = (size_t)(most < SLIP_UNIQUENESS_MAX_UNKNOWNS ? most : SLIP_UNIQUENESS_MAX_UNKNOWNS);
    return 12 * q * q + (5 + SPARE) * q;
}

static space carve_work(int q, double *work)
{
    size_t n = (size_t)q, square = n * n;
    space s = { .q = q, .V = work, .H = work + square, .R = work + 2 * square };
    s.scale = work + 12 * square, s.value = s.scale + n, s.x = s.value + n, s.tau = s.x + n;
    s.spare = s.tau + 2 * n; // SPARE n
    return s;
}

// ------------------------------------------------------------------------------------------ the solution

// eigenvectors of S in units in which its diagonal is 1; the kernel comes first
static bool decompose_s(const slip_contact_solution *p, space *s)
{
    int q = s->q;
    for (int i = 0; i < q; i++) {
        double own = p->S[i * q + i];
        s->scale[i] = own > 0.0 ? 1.0 / sqrt(own) : 1.0;
    }
    for (int i = 0; i < q; i++)
        for (int j = 0; j < q; j++) s->V[i * q + j] = s->scale[i] * p->S[i * q + j] * s->scale[j];
    if (!slip_symmetric_eigen(q, s->V, s->value, s->spare)) return false;
    s->null = 0;
    while (s->null < q && s->value[s->null] <= EIGENVALUE_ZERO * s->value[q - 1]) s->null++;
    return true;
}

static int normal_of_tangent(const slip_contact_solution *p, int tangent)
{
    for (int i = 0; i < p->normal_count; i++)
        if (p->owner[i] == p->owner[tangent]) return i;
    return -1;
}

// unknowns of the friction of the contact of normal i, if it is at rest; returns how many
static int tangents_of(const slip_contact_solution *p, int i, int *first)
{
    int count = 0;
    for (int j = p->normal_count; j < p->count; j++)
        if (p->owner[j] == p->owner[i] && count++ == 0) *first = j;
    return count;
}

static double vector_length(const double *x, int count)
{
    return count > 1 ? sqrt(x[0] * x[0] + x[1] * x[1]) : fabs(x[0]);
}

bool slip_contact_solution_is_admissible(const slip_contact_solution *p, const double *x, double most)
{
    double dust = LOAD_TOLERANCE * most;
    for (int i = 0; i < p->normal_count; i++)
        if (!(x[i] >= 0.0) || (p->rate[i] > p->small && x[i] > dust)) return false;
    for (int j = p->normal_count; j < p->count; j++) {
        int count = j + 1 < p->count && p->owner[j + 1] == p->owner[j] ? 2 : 1, i = normal_of_tangent(p, j);
        double limit = p->mu[p->owner[j]] * (i < 0 ? 1.0 : x[i]);
        if (vector_length(p->rate + j, count) > p->small) {
            for (int c = 0; c < count; c++) // it starts to slide: its friction is what it is
                if (fabs(x[j + c] - p->x[j + c]) > dust && i < 0) return false;
        }
        if (!(vector_length(x + j, count) <= limit + dust)) return false;
        j += count - 1;
    }
    return true;
}

// the loads spread out as far as they stay lawful: the least forces that make the same motion, or part of the
// way to them
static void spread_loads(const slip_contact_solution *p, space *s)
{
    int q = s->q;
    double *least = s->spare, most = 0.0;
    for (int i = 0; i < q; i++) most = fmax(most, fabs(p->x[i])), least[i] = p->x[i];
    for (int k = 0; k < s->null; k++) {
        const double *v = s->V + (size_t)k * (size_t)q;
        double along = 0.0;
        for (int i = 0; i < q; i++) along += v[i] * p->x[i] / s->scale[i];
        for (int i = 0; i < q; i++) least[i] -= along * v[i] * s->scale[i];
    }
    double part = 1.0;
    for (int shorter = 0; shorter < 7; shorter++, part *= 0.7) {
        for (int i = 0; i < q; i++) s->x[i] = p->x[i] + part * (least[i] - p->x[i]);
        if (slip_contact_solution_is_admissible(p, s->x, most)) return;
    }
    memcpy(s->x, p->x, (size_t)q * sizeof *s->x);
}

// Friction shared in proportion to the loads as far as it can be: the least sum of T^2/N that makes the same
// motion, T = sqrt(N) y with y the least solution of S sqrt(N) y = S T over what sticks
static void share_friction(const slip_contact_solution *p, space *s, double *B)
{
    int q = s->q, m = 0, *at = (void *)s->spare, *pivot = at + q;
    double *y = s->spare + q, *root = s->spare + 2 * q, *kept = s->spare + 3 * q, most = 0.0;
    for (int i = 0; i < q; i++) kept[i] = s->x[i], most = fmax(most, fabs(s->x[i]));
    for (int j = p->normal_count; j < q; j++) {
        int i = normal_of_tangent(p, j);
        if (i < 0 || fabs(p->rate[j]) > p->small) continue;
        root[m] = sqrt(s->x[i]), at[m++] = j;
    }
    if (m == 0) return;
    for (int a = 0; a < m; a++) {
        y[a] = 0.0;
        for (int b = 0; b < m; b++) {
            double S = s->scale[at[a]] * p->S[at[a] * q + at[b]];
            B[a * m + b] = S * root[b];
            y[a] += S * s->x[at[b]];
        }
    }
    if (slip_least_squares(m, B, y, DEPENDENT_COLUMN, pivot, s->spare + 4 * q) < 0) return;
    for (int a = 0; a < m; a++) s->x[at[a]] = root[a] * y[a];
    if (!slip_contact_solution_is_admissible(p, s->x, most)) memcpy(s->x, kept, (size_t)q * sizeof *s->x);
}

// tau per normal; what carries nothing may have any, and has the mean of the others
static void find_ratios(const slip_contact_solution *p, space *s)
{
    double mean[2] = { 0 }, load = 0.0, most = 0.0;
    for (int i = 0; i < p->normal_count; i++) most = fmax(most, s->x[i]);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < p->normal_count; i++) {
            int first = 0, count = tangents_of(p, i, &first);
            double *tau = s->tau + 2 * i, limit = p->mu[p->owner[i]];
            bool loaded = s->x[i] > LOAD_TOLERANCE * most;
            if (count == 0 || pass == loaded) continue;
            double speed = vector_length(p->rate + first, count);
            for (int c = 0; c < count; c++) {
                tau[c] = loaded             ? s->x[first + c] / s->x[i]
                         : speed > p->small ? -limit * p->rate[first + c] / speed
                         : load > 0.0       ? mean[c] / load
                                            : 0.0;
                if (loaded) mean[c] += s->x[first + c];
            }
            if (loaded) load += s->x[i];
            double size = vector_length(tau, count);
            for (int c = 0; c < count && size > limit; c++) tau[c] *= limit / size;
        }
}

// ------------------------------------------------------------------------------------------------- proof

// H in the units of S
static void find_form(const slip_contact_solution *p, space *s)
{
    int q = s->q;
    for (int i = 0; i < q; i++) {
        int first = 0, count = i < p->normal_count ? tangents_of(p, i, &first) : 0;
        for (int j = 0; j < q; j++) {
            double d = p->D[i * q + j];
            for (int c = 0; c < count; c++) d -= s->tau[2 * i + c] * p->D[(first + c) * q + j];
            s->R[i * q + j] = s->scale[i] * d * s->scale[j];
        }
    }
    for (int i = 0; i < q; i++)
        for (int j = 0; j < q; j++) s->H[i * q + j] = 0.5 * (s->R[i * q + j] + s->R[j * q + i]);
}

// y = H v
static void multiply_h(const space *s, const double *v, double *y)
{
    for (int i = 0; i < s->q; i++) {
        y[i] = 0.0;
        for (int j = 0; j < s->q; j++) y[i] += s->H[i * s->q + j] * v[j];
    }
}

// V' H V over the range of S, less a part of S
static bool is_above(space *s, double part)
{
    int q = s->q, rank = q - s->null;
    double *y = s->spare;
    for (int a = 0; a < rank; a++) {
        multiply_h(s, s->V + (size_t)(s->null + a) * (size_t)q, y);
        for (int b = 0; b <= a; b++) {
            const double *v = s->V + (size_t)(s->null + b) * (size_t)q;
            double sum = 0.0;
            for (int i = 0; i < q; i++) sum += v[i] * y[i];
            s->R[a * rank + b] = s->R[b * rank + a] = sum;
        }
        s->R[a * rank + a] -= part * s->value[s->null + a];
    }
    return slip_cholesky(rank, s->R);
}

static bool is_positive(space *s, bool *wide)
{
    int q = s->q;
    double most = 0.0, *y = s->spare;
    for (int k = 0; k < q * q; k++) most = fmax(most, fabs(s->H[k]));
    for (int k = 0; k < s->null; k++) {
        multiply_h(s, s->V + (size_t)k * (size_t)q, y);
        for (int i = 0; i < q; i++)
            if (!(fabs(y[i]) <= COUPLING_TOLERANCE * most)) return false;
    }
    *wide = is_above(s, WIDE_POSITIVITY_MARGIN);
    return *wide || is_above(s, POSITIVITY_MARGIN);
}

// ------------------------------------------------------------------------------------------------- layer

typedef struct layer {
    int m, *at;
    double *A, *K, *C;
} layer;

// stiffness and damping of unknown j, in units in which the diagonal of S is 1
static void find_springs(const slip_contact_solution *p, const space *s,
                         const slip_compliant_constants *constants, int j, double *K, double *C)
{
    double mass = j < p->normal_count ? p->mass[j] : 0.0, unit = 1.0 / (s->scale[j] * s->scale[j]);
    slip_compliant_constants c = slip_compliant_with_mass(&constants[p->owner[j]], mass);
    *K = c.K_t, *C = c.C_t;
    if (j < p->normal_count) {
        slip_normal_force f = slip_compliant_normal(&c, slip_compliant_static_depth(&c, s->x[j]), 0.0);
        *K = f.stiffness, *C = f.damping;
    }
    *K *= unit, *C *= unit;
}

// what is loaded, with the friction of what starts to slide in the column of its load
static layer find_layer(const slip_contact_solution *p, const space *s,
                        const slip_compliant_constants *constants, double *work)
{
    int q = s->q;
    double most = 0.0;
    layer l = { .at = (void *)s->spare, .A = work, .K = s->spare + q, .C = s->spare + 2 * q };
    for (int i = 0; i < p->normal_count; i++) most = fmax(most, s->x[i]);
    for (int j = 0; j < q; j++) {
        int i = j < p->normal_count ? j : normal_of_tangent(p, j);
        bool moves = j >= p->normal_count && fabs(p->rate[j]) > p->small;
        if (!moves && (i < 0 || s->x[i] > LOAD_TOLERANCE * most)) l.at[l.m++] = j;
    }
    for (int k = 0; k < l.m; k++) {
        int j = l.at[k], first = 0, count = j < p->normal_count ? tangents_of(p, j, &first) : 0;
        bool starts = count && vector_length(p->rate + first, count) > p->small;
        find_springs(p, s, constants, j, &l.K[k], &l.C[k]);
        for (int i = 0; i < l.m; i++) {
            double d = p->D[l.at[i] * q + j];
            for (int c = 0; c < count && starts; c++) d += s->tau[2 * j + c] * p->D[l.at[i] * q + first + c];
            l.A[i * l.m + k] = s->scale[l.at[i]] * d * s->scale[j];
        }
    }
    return l;
}

static bool layer_is_symmetric(const layer *l)
{
    for (int i = 0; i < l->m; i++)
        for (int j = 0; j < i; j++)
            if (fabs(l->A[i * l->m + j] - l->A[j * l->m + i]) > ASYMMETRY) return false;
    return true;
}

// J = [0 I; -Q -P] with P = U' A C U, Q = U' A K U for an orthonormal basis U of the range of A, column-major
static int find_companion(const layer *l, double *U, double *J, double *spare)
{
    int m = l->m, rank = 0;
    double *copy = J, *value = spare;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) copy[j * m + i] = l->A[i * m + j];
    if (!slip_svd(m, copy, value, U, spare + m))
        return -1; // of A', so that the rows of U span what A reaches
    while (rank < m && value[rank] > SINGULAR_VALUE_ZERO * value[0]) rank++;
    int n = 2 * rank;
    memset(J, 0, (size_t)n * (size_t)n * sizeof *J);
    double *left = spare; // a row of U' A
    for (int a = 0; a < rank; a++) {
        J[(rank + a) * n + a] = 1.0;
        for (int j = 0; j < m; j++) {
            left[j] = 0.0;
            for (int i = 0; i < m; i++) left[j] += U[a * m + i] * l->A[i * m + j];
        }
        for (int b = 0; b < rank; b++)
            for (int j = 0; j < m; j++) {
                J[b * n + rank + a] -= left[j] * l->K[j] * U[b * m + j];
                J[(rank + b) * n + rank + a] -= left[j] * l->C[j] * U[b * m + j];
            }
    }
    return rank;
}

static slip_motion_uniqueness classify_layer(const slip_contact_solution *p,
                                             const slip_compliant_constants *constants, space *s,
                                             double *work)
{
    size_t q = (size_t)s->q;
    layer l = find_layer(p, s, constants, work);
    if (l.m == 0 || layer_is_symmetric(&l)) return SLIP_UNIQUE_STABLE;
    double *U = work + q * q, *J = work + 2 * q * q, *spare = s->spare + 4 * q;
    int rank = find_companion(&l, U, J, spare), n = 2 * rank;
    double *re = s->spare + 10 * q, *im = re + n, growth = -INFINITY, size = 0.0;
    if (rank <= 0 || !slip_eigenvalues(n, J, re, im, spare)) return SLIP_UNIQUE_UNDECIDED;
    for (int i = 0; i < n; i++) {
        growth = fmax(growth, re[i]);
        size = fmax(size, fmax(fabs(re[i]), fabs(im[i])));
    }
    return growth > GROWTH_DECIDED * size    ? SLIP_UNIQUE_UNSTABLE
           : growth < -GROWTH_DECIDED * size ? SLIP_UNIQUE_STABLE
                                             : SLIP_UNIQUE_UNDECIDED;
}

slip_motion_uniqueness slip_uniqueness_prove(const slip_contact_solution *p,
                                             const slip_compliant_constants *constants, double *work,
                                             bool *wide)
{
    *wide = false;
    if (p->count == 0) return SLIP_UNIQUE_STABLE;
    if (p->count > SLIP_UNIQUENESS_MAX_UNKNOWNS) return SLIP_UNIQUENESS_NOT_PROVED;
    space s = carve_work(p->count, work);
    if (!decompose_s(p, &s)) return SLIP_UNIQUENESS_NOT_PROVED;
    spread_loads(p, &s);
    share_friction(p, &s, s.R);
    find_ratios(p, &s);
    find_form(p, &s);
    if (!is_positive(&s, wide)) return SLIP_UNIQUENESS_NOT_PROVED;
    return classify_layer(p, constants, &s, work + 3 * (size_t)s.q * (size_t)s.q);
}
