/// solver/body/body_interior_point.c: scaling, predictor and corrector, and the length of a step.
///
/// Coulomb's law is not that of a convex problem: y depends on |u_T|. A step that includes the derivative of
/// |u_T| converges fast near the solution but may make no progress far from it; one that keeps |u_T| constant
/// is slow and safe. The derivative is therefore included to a degree that grows with the length of the last
/// steps. On smooth paths sqrt(|u_T|^2 + b^2) - b replaces |u_T|, and b falls with sqrt(tau), so that the law
/// and its derivative belong to one function until the end.
#include "solver/body/body_interior_point.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "solver/problem/residual.h"
#include "solver/body/body_tolerances.h"
#include "base/linalg/vectors.h"

enum { MAX_SHORT_STEPS = 40 }; // short steps in a row before the method gives up

void slip_body_interior_point_layout(slip_arena *a, slip_body_interior_point *k, int d, int side, int bodies,
                                     int contacts)
{
    const size_t rows = (size_t)contacts * (size_t)d;
    double **vectors[] = {
        &k->x, &k->y, &k->dx, &k->dy, &k->lack, &k->slope, &k->w, &k->b, &k->du, &k->best
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = SLIP_TAKE(a, double, rows);
    k->eta = SLIP_TAKE(a, double, contacts);
    k->give = SLIP_TAKE(a, double, contacts);
    k->K = SLIP_TAKE(a, double, rows *(size_t)d);
    k->C = SLIP_TAKE(a, double, rows *(size_t)d);
    k->v = SLIP_TAKE(a, double, (size_t)(bodies + 1) * (size_t)side);
    k->on = SLIP_TAKE(a, bool, contacts);
}

// ---- the cone, of m numbers: d of them, or the normal alone without friction ---------------------------

// x_0^2 - |x_T|^2 as a product, since the two terms may nearly cancel.
static double cone_margin(int m, const double *x)
{
    const double t = sqrt(dot_product(m - 1, x + 1, x + 1));
    return (x[0] - t) * (x[0] + t);
}

// The largest step length t for which x + t dx stays in the cone.
static double max_step_in_cone(int m, const double *x, const double *dx)
{
    const double most = dx[0] < 0.0 ? -x[0] / dx[0] : INFINITY;
    if (m == 1) return most;
    const double a = cone_margin(m, dx), b = x[0] * dx[0] - dot_product(m - 1, x + 1, dx + 1),
                 c = cone_margin(m, x);
    const double root = b * b - a * c;
    if (a < 0.0) return fmin(most, (-b - sqrt(fmax(root, 0.0))) / a);
    return root >= 0.0 && b < 0.0 ? fmin(most, c / (sqrt(root) - b)) : most;
}

static void jordan_product(int m, const double *a, const double *b, double *to)
{
    for (int i = 1; i < m; i++) to[i] = a[0] * b[i] + b[0] * a[i];
    to[0] = dot_product(m, a, b);
}

// Solves l o z = a for z.
static void jordan_quotient(int m, const double *l, const double *a, double *z)
{
    z[0] = (l[0] * a[0] - dot_product(m - 1, l + 1, a + 1)) / cone_margin(m, l);
    for (int i = 1; i < m; i++) z[i] = (a[i] - l[i] * z[0]) / l[0];
}

// The scaling of Nesterov and Todd is a symmetric map S with S y = S^-1 x. Its inverse is applied if `turn`
// is -1.
static void nesterov_todd_scale(int m, const double *w, double eta, double turn, const double *z, double *to)
{
    const double size = turn > 0.0 ? eta : 1.0 / eta, along = dot_product(m - 1, w + 1, z + 1);
    to[0] = size * (w[0] * z[0] + turn * along);
    for (int i = 1; i < m; i++) to[i] = size * (z[i] + w[i] * (turn * z[0] + along / (1.0 + w[0])));
}

static void find_scaling(int m, const double *x, const double *y, double *w, double *eta)
{
    const double sx = sqrt(cone_margin(m, x)), sy = sqrt(cone_margin(m, y)),
                 gamma = sqrt(2.0 * (1.0 + dot_product(m, x, y) / (sx * sy)));
    for (int i = 0; i < m; i++) w[i] = (x[i] / sx + (i ? -1.0 : 1.0) * y[i] / sy) / gamma;
    *eta = sqrt(sx / sy);
}

// ---- the system ----------------------------------------------------------------------------------------

typedef struct interior_point {
    slip_body_interior_point *k;
    const slip_island *p;
    const slip_problem *problem;
    const slip_interior_point_options *ways;
    int d;
    double tau;    // mean of x'y
    double lack;   // mean square of the defect of y
    double follow; // part of the derivative of |u_T| that is included
} interior_point;

static int cone_dimension(const interior_point *s, int a)
{
    return s->problem->mu[a] > 0.0 ? s->d : 1;
}

static double velocity_scale(const interior_point *s, int a)
{
    return s->problem->mu[a] > 0.0 ? s->problem->mu[a] : 1.0;
}

static double mean_diagonal(const interior_point *s, int a)
{
    return s->p->all->mean[s->p->first + a];
}

// Raises x_0 to |x_T| + `more` at least, strictly inside the cone.
static void push_inside(int m, double more, double *x)
{
    x[0] = fmax(x[0], sqrt(dot_product(m - 1, x + 1, x + 1))) + more;
}

// The first point: from nothing, or from r with its velocities u, as far inside the cones as r is from the
// solution.
static void initial_point(const interior_point *s, const double *r, const double *u, double residual)
{
    const slip_problem *p = s->problem;
    const int d = s->d;
    const bool near = s->ways->near;
    double square = 0.0;
    for (int i = 0; i < p->size; i++) square += p->q[i] * p->q[i];
    const double speed =
        s->ways->size * (near ? residual : 1.0) * (square > 0.0 ? sqrt(square / p->contacts) : 1.0);
    memset(s->k->x, 0, sizeof(double) * (size_t)p->size);
    memset(s->k->y, 0, sizeof(double) * (size_t)p->size);
    for (int a = 0; a < p->contacts; a++) {
        const int m = cone_dimension(s, a);
        const double *ra = r + a * d, *ua = u + a * d, mu = p->mu[a];
        double *x = s->k->x + a * d, *y = s->k->y + a * d;
        for (int i = 0; i < m && near; i++) {
            x[i] = i ? ra[i] : velocity_scale(s, a) * ra[0];
            y[i] = i ? mu * ua[i] : ua[0] + mu * sqrt(dot_product(d - 1, ua + 1, ua + 1));
        }
        push_inside(m, fmax(velocity_scale(s, a), FLAT_CONE_FRICTION) * speed / mean_diagonal(s, a), x);
        push_inside(m, speed, y);
    }
}

static void recover_impulses(const interior_point *s, double *r)
{
    for (int a = 0; a < s->problem->contacts; a++)
        for (int i = 0; i < s->d; i++)
            r[a * s->d + i] = s->k->x[a * s->d + i] / (i ? 1.0 : velocity_scale(s, a));
}

// Updates tau and the defect of y against the velocities.
static void update_complementarity(interior_point *s, const double *u)
{
    const slip_problem *p = s->problem;
    const int d = s->d;
    s->tau = s->lack = 0.0;
    for (int a = 0; a < p->contacts; a++)
        s->tau += dot_product(cone_dimension(s, a), s->k->x + a * d, s->k->y + a * d);
    s->tau /= p->contacts;
    for (int a = 0; a < p->contacts; a++) {
        const double *ua = u + a * d, mu = p->mu[a], slip = dot_product(d - 1, ua + 1, ua + 1),
                     blur = s->ways->blur * sqrt(s->tau * mean_diagonal(s, a)),
                     blurred = sqrt(slip + blur * blur), size = s->ways->smooth ? blurred - blur : sqrt(slip);
        double *lack = s->k->lack + a * d;
        for (int i = 0; i < d; i++) {
            lack[i] = s->k->y[a * d + i] - (i ? mu * ua[i] : ua[0] + mu * size);
            s->k->slope[a * d + i] = i ? s->follow * mu * ua[i] / blurred : 1.0;
        }
        s->lack += dot_product(cone_dimension(s, a), lack, lack);
    }
    s->lack /= p->contacts;
}

// Computes C = (1 + give K)^-1 and replaces K by C K.
static bool regularize_block(int d, double give, double *K, double *C)
{
    double m[3][6] = { { 0.0 } };
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) m[i][j] = give * K[i * d + j] + (i == j), m[i][d + j] = i == j;
    for (int k = 0; k < d; k++) {
        int row = k;
        for (int i = k + 1; i < d; i++)
            if (fabs(m[i][k]) > fabs(m[row][k])) row = i;
        if (!(fabs(m[row][k]) > 0.0)) return false;
        for (int j = 0; j < 2 * d; j++) {
            const double x = m[row][j];
            m[row][j] = m[k][j];
            m[k][j] = x;
        }
        for (int i = 0; i < d; i++) {
            const double by = i == k ? 0.0 : m[i][k] / m[k][k];
            for (int j = 0; j < 2 * d; j++) m[i][j] -= by * m[k][j];
        }
        const double pivot = m[k][k];
        for (int j = 0; j < 2 * d; j++) m[k][j] /= pivot;
    }
    double N[9];
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            C[i * d + j] = m[i][d + j];
            N[i * d + j] = 0.0;
            for (int l = 0; l < d; l++) N[i * d + j] += m[i][d + l] * K[l * d + j];
        }
    memcpy(K, N, sizeof(double) * (size_t)(d * d));
    return true;
}

// K = X^-1 S^2 Y with S^2 = eta^2 (2 w w' - J), x = X r and dy = Y du
static bool assemble_contact(const interior_point *s, int a)
{
    const int m = cone_dimension(s, a), d = s->d;
    double *K = s->k->K + (long)a * d * d, *w = s->k->w + a * d, *slope = s->k->slope + a * d;
    find_scaling(m, s->k->x + a * d, s->k->y + a * d, w, &s->k->eta[a]);
    memset(K, 0, sizeof(double) * (size_t)(d * d));
    const double square = s->k->eta[a] * s->k->eta[a], mu = s->problem->mu[a];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            const double first = 2.0 * w[i] * w[0] - (i == 0),
                         own = 2.0 * w[i] * w[j] + (i == j ? (i ? 1.0 : -1.0) : 0.0);
            K[i * d + j] =
                square * (j ? first * slope[j] + own * mu : first) / (i ? 1.0 : velocity_scale(s, a));
        }
    if (!s->p->all->behind)
        return regularize_block(d, PROXIMAL_WEIGHT * mean_diagonal(s, a), K, s->k->C + (long)a * d * d);
    s->k->give[a] = PROXIMAL_WEIGHT * mean_diagonal(s, a);
    return true;
}

typedef struct assembly {
    const interior_point *s;
    atomic_bool singular;
} assembly;

static void assemble_range(void *context, int first, int end)
{
    assembly *w = context;
    for (int a = first; a < end; a++)
        if (!assemble_contact(w->s, a)) {
            atomic_store(&w->singular, true);
            return;
        }
}

static bool assemble_system(const interior_point *s)
{
    assembly w = { .s = s };
    slip_island_parallel_for(s->p, assemble_range, &w);
    if (w.singular) return false;
    if (!s->p->all->behind) return slip_body_lu_factor(s->k->lu, s->p, s->k->on, s->k->K);
    return slip_contact_groups_solve(s->k->groups, s->p, s->k->on, NULL, s->k->K, s->k->give) &&
           slip_body_lu_factor(s->k->lu, s->p, s->k->on, s->k->groups->K);
}

// The right-hand side of a contact for the centring parameter `tau`; with `again` it includes the
// second-order (Mehrotra) correction of the predictor step.
static void newton_right_hand_side(const interior_point *s, int a, double tau, bool again)
{
    const int m = cone_dimension(s, a), d = s->d;
    const double *w = s->k->w + a * d, eta = s->k->eta[a];
    double *b = s->k->b + a * d, l[3], one[3], other[3], want[3], z[3], to[3], sum[3] = { 0.0 };
    nesterov_todd_scale(m, w, eta, 1.0, s->k->y + a * d, l);
    jordan_product(m, l, l, want);
    for (int i = 0; i < m; i++) want[i] = (i ? 0.0 : tau) - want[i];
    if (again) {
        nesterov_todd_scale(m, w, eta, -1.0, s->k->dx + a * d, one);
        nesterov_todd_scale(m, w, eta, 1.0, s->k->dy + a * d, other);
        jordan_product(m, one, other, to);
        for (int i = 0; i < m; i++) want[i] -= to[i];
    }
    jordan_quotient(m, l, want, z);
    nesterov_todd_scale(m, w, eta, 1.0, s->k->lack + a * d, one);
    for (int i = 0; i < m; i++) z[i] += one[i];
    nesterov_todd_scale(m, w, eta, 1.0, z, to);
    to[0] /= velocity_scale(s, a);
    if (s->p->all->behind) {
        for (int i = 0; i < d; i++) b[i] = i < m ? to[i] : 0.0;
        return;
    }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < m; j++) sum[i] += s->k->C[(long)a * d * d + i * d + j] * to[j];
    for (int i = 0; i < d; i++) b[i] = i < m ? sum[i] : 0.0;
}

// b := C b
static void regularize_all(const interior_point *s)
{
    slip_body_interior_point *k = s->k;
    memset(k->dy, 0, sizeof(double) * (size_t)s->problem->size);
    slip_contact_groups_add(s->p, k->on, k->groups->C, 1.0, k->b, k->dy);
    memcpy(k->b, k->dy, sizeof(double) * (size_t)s->problem->size);
}

// dr = b - K du into dx, and the change du of the velocities that follows from it.
static void find_changes(const interior_point *s)
{
    slip_body_interior_point *k = s->k;
    const int d = s->d;
    const bool groups = s->p->all->behind;
    if (groups) {
        memcpy(k->dx, k->b, sizeof(double) * (size_t)s->problem->size);
        slip_contact_groups_add(s->p, k->on, k->groups->K, -1.0, k->du, k->dx);
    }
    for (int a = 0; a < s->problem->contacts; a++) {
        const int m = cone_dimension(s, a);
        const double *K = k->K + (long)a * d * d;
        double *dx = k->dx + a * d;
        for (int i = 0; i < m && !groups; i++) {
            dx[i] = k->b[a * d + i];
            for (int j = 0; j < m; j++) dx[i] -= K[i * d + j] * k->du[a * d + j];
        }
        for (int i = m; i < d; i++) dx[i] = 0.0;
    }
    for (int a = 0; a < s->problem->contacts; a++) {
        for (int i = 0; i < d; i++)
            k->du[a * d + i] += PROXIMAL_WEIGHT * mean_diagonal(s, a) * k->dx[a * d + i];
        if (groups)
            slip_delassus_operator_add_coupling(s->p->all, s->p->first + a, k->dx + a * d, k->du + a * d);
    }
}

typedef struct newton_solve {
    const interior_point *s;
    double tau, floor;
    bool again;
} newton_solve;

static void newton_rhs_range(void *context, int first, int end)
{
    const newton_solve *w = context;
    for (int a = first; a < end; a++)
        newton_right_hand_side(w->s, a, fmax(w->tau, w->floor / mean_diagonal(w->s, a)), w->again);
}

// dx and dy from dr and du, and the largest step length of each contact into b, which is no longer needed.
static void recover_steps_range(void *context, int first, int end)
{
    const newton_solve *w = context;
    slip_body_interior_point *k = w->s->k;
    const int d = w->s->d;
    for (int a = first; a < end; a++) {
        const int m = cone_dimension(w->s, a);
        const double *slope = k->slope + a * d, *du = k->du + a * d, mu = w->s->problem->mu[a];
        double *dx = k->dx + a * d, *dy = k->dy + a * d;
        dy[0] = du[0] - k->lack[a * d];
        for (int i = 1; i < m; i++) dy[0] += slope[i] * du[i], dy[i] = mu * du[i] - k->lack[a * d + i];
        dx[0] *= velocity_scale(w->s, a);
        for (int i = m; i < d; i++) dy[i] = 0.0;
        k->b[a * d] = fmin(max_step_in_cone(m, k->x + a * d, dx), max_step_in_cone(m, k->y + a * d, dy));
    }
}

// dx and dy from the factored system; returns the largest step length.
static double solve_newton_step(const interior_point *s, double tau, double floor, bool again)
{
    slip_body_interior_point *k = s->k;
    newton_solve w = { s, tau, floor, again };
    double most = INFINITY;
    slip_island_parallel_for(s->p, newton_rhs_range, &w);
    if (s->p->all->behind) regularize_all(s);
    slip_island_scatter(s->p, k->b, k->v);
    slip_body_lu_solve(k->lu, k->v);
    slip_island_gather(s->p, k->v, k->du);
    find_changes(s);
    slip_island_parallel_for(s->p, recover_steps_range, &w);
    for (int a = 0; a < s->problem->contacts; a++) most = fmin(most, k->b[a * s->d]);
    return most;
}

// One predictor-corrector step; returns the part of it that was taken.
static double predictor_corrector_step(interior_point *s)
{
    if (!assemble_system(s)) return -1.0;
    const double far = fmin(1.0, solve_newton_step(s, 0.0, 0.0, false)), miss = 1.0 - far;
    const double aim_at = fmax(miss, s->ways->centre) * s->tau;
    // The target is no closer to the solution than the defect of y allows.
    const double most = solve_newton_step(s, aim_at, s->lack, true);
    const double part = fmin(1.0, (STEP_TO_BOUNDARY + STEP_TO_BOUNDARY_GAIN * fmin(1.0, most)) * most);
    if (!(part >= 0.0)) return -1.0;
    for (int i = 0; i < s->problem->size; i++) {
        s->k->x[i] += part * s->k->dx[i];
        s->k->y[i] += part * s->k->dy[i];
    }
    return part;
}

int slip_body_interior_point_run(slip_body_interior_point *k, slip_body_lu *lu, const slip_island *p,
                                 const slip_problem *problem, const slip_interior_point_options *ways,
                                 double tolerance, double *r, double *u)
{
    interior_point s = { .k = k, .p = p, .problem = problem, .ways = ways, .d = p->all->d, .follow = 1.0 };
    const size_t bytes = sizeof(double) * (size_t)problem->size;
    double least = INFINITY;
    int steps = 0, idle = 0;
    k->lu = lu;
    for (int a = 0; a < p->contacts; a++) k->on[a] = true;
    slip_body_lu_begin(lu, p->bodies);
    if (!slip_body_lu_analyse(lu, p, k->on)) return 0;
    memcpy(k->best, r, bytes);
    initial_point(&s, r, u, ways->near ? slip_residual(problem, r, u).invariant : 1.0);
    for (;; steps++) {
        recover_impulses(&s, r);
        const double now = slip_residual(problem, r, u).invariant;
        if (now < least) {
            least = now;
            memcpy(k->best, r, bytes);
        }
        if (now <= tolerance || steps >= ways->limit || idle >= MAX_SHORT_STEPS) break;
        update_complementarity(&s, u);
        const double part = predictor_corrector_step(&s);
        if (part < 0.0) break;
        idle = part < SHORT_STEP ? idle + 1 : 0;
        if (part < SHORT_STEP) s.follow = s.follow > FOLLOW_MIN ? ways->trust * s.follow : 0.0;
        if (part > LONG_STEP) s.follow = fmin(1.0, FOLLOW_GROWTH * s.follow + FOLLOW_GAIN);
    }
    memcpy(r, k->best, bytes);
    slip_residual(problem, r, u);
    return steps;
}
