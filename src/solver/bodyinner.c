/// solver/bodyinner.c: scaling, predictor and corrector, and how far to go.
///
/// Coulomb's law is not that of a convex problem: y depends on |u_T|. A step that follows this derivative is
/// quick near the solution and may lead nowhere far from it; one that takes |u_T| as given is slow and safe.
/// So it is followed as far as the last steps were long. On smooth paths sqrt(|u_T|^2 + b^2) - b
/// stands in place of |u_T|, and b falls with sqrt(tau): law and derivative are of one function, until the
/// end.
#include "solver/bodyinner.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "solver/residual.h"

/// Of the diagonal of W: what every contact gives way, for the accuracy of the linear systems. It is the
/// weight of a proximal step, and so does not move the solution.
static const double GIVE = 1e-7;

/// a step below SHORT is one that leads nowhere, one above LONG may be trusted more
static const double SHORT = 0.1, LONG = 0.3;

enum { IDLE = 40 }; // short steps in a row

void slip_body_inner_layout(slip_arena *a, slip_body_inner *k, int d, int side, int bodies, int contacts)
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

static double dot(int m, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < m; i++) sum += a[i] * b[i];
    return sum;
}

// x_0^2 - |x_T|^2, of numbers that may be close
static double depth(int m, const double *x)
{
    const double t = sqrt(dot(m - 1, x + 1, x + 1));
    return (x[0] - t) * (x[0] + t);
}

// how often dx may be taken before x leaves the cone
static double room(int m, const double *x, const double *dx)
{
    const double most = dx[0] < 0.0 ? -x[0] / dx[0] : INFINITY;
    if (m == 1) return most;
    const double a = depth(m, dx), b = x[0] * dx[0] - dot(m - 1, x + 1, dx + 1), c = depth(m, x);
    const double root = b * b - a * c;
    if (a < 0.0) return fmin(most, (-b - sqrt(fmax(root, 0.0))) / a);
    return root >= 0.0 && b < 0.0 ? fmin(most, c / (sqrt(root) - b)) : most;
}

static void jordan_product(int m, const double *a, const double *b, double *to)
{
    for (int i = 1; i < m; i++) to[i] = a[0] * b[i] + b[0] * a[i];
    to[0] = dot(m, a, b);
}

// the z with l o z = a
static void jordan_quotient(int m, const double *l, const double *a, double *z)
{
    z[0] = (l[0] * a[0] - dot(m - 1, l + 1, a + 1)) / depth(m, l);
    for (int i = 1; i < m; i++) z[i] = (a[i] - l[i] * z[0]) / l[0];
}

// The scaling of Nesterov and Todd is a symmetric map S with S y = S^-1 x. `turn` is -1 for its inverse
static void scale(int m, const double *w, double eta, double turn, const double *z, double *to)
{
    const double size = turn > 0.0 ? eta : 1.0 / eta, along = dot(m - 1, w + 1, z + 1);
    to[0] = size * (w[0] * z[0] + turn * along);
    for (int i = 1; i < m; i++) to[i] = size * (z[i] + w[i] * (turn * z[0] + along / (1.0 + w[0])));
}

static void find_scaling(int m, const double *x, const double *y, double *w, double *eta)
{
    const double sx = sqrt(depth(m, x)), sy = sqrt(depth(m, y)),
                 gamma = sqrt(2.0 * (1.0 + dot(m, x, y) / (sx * sy)));
    for (int i = 0; i < m; i++) w[i] = (x[i] / sx + (i ? -1.0 : 1.0) * y[i] / sy) / gamma;
    *eta = sqrt(sx / sy);
}

// ---- the system ----------------------------------------------------------------------------------------

typedef struct search {
    slip_body_inner *k;
    const slip_island *p;
    const slip_problem *problem;
    const slip_inner_ways *ways;
    int d;
    double tau;    // mean of x y
    double lack;   // mean square of what y lacks
    double follow; // part of the derivative of |u_T| that is followed
} search;

static int numbers_of(const search *s, int a)
{
    return s->problem->mu[a] > 0.0 ? s->d : 1;
}

static double unit_of(const search *s, int a)
{
    return s->problem->mu[a] > 0.0 ? s->problem->mu[a] : 1.0;
}

static double mean_of(const search *s, int a)
{
    return s->p->all->mean[s->p->first + a];
}

// |x_T| or more, and `more` of it: inside the cone
static void push_inside(int m, double more, double *x)
{
    x[0] = fmax(x[0], sqrt(dot(m - 1, x + 1, x + 1))) + more;
}

// From nothing, or from r with its velocities u: as far inside the cones as these are from the solution
static void start(const search *s, const double *r, const double *u, double residual)
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
        const int m = numbers_of(s, a);
        const double *ra = r + a * d, *ua = u + a * d, mu = p->mu[a];
        double *x = s->k->x + a * d, *y = s->k->y + a * d;
        for (int i = 0; i < m && near; i++) {
            x[i] = i ? ra[i] : unit_of(s, a) * ra[0];
            y[i] = i ? mu * ua[i] : ua[0] + mu * sqrt(dot(d - 1, ua + 1, ua + 1));
        }
        push_inside(m, fmax(unit_of(s, a), 0.1) * speed / mean_of(s, a), x);
        push_inside(m, speed, y);
    }
}

static void impulses(const search *s, double *r)
{
    for (int a = 0; a < s->problem->contacts; a++)
        for (int i = 0; i < s->d; i++) r[a * s->d + i] = s->k->x[a * s->d + i] / (i ? 1.0 : unit_of(s, a));
}

// tau, and y against the velocities
static void look(search *s, const double *u)
{
    const slip_problem *p = s->problem;
    const int d = s->d;
    s->tau = s->lack = 0.0;
    for (int a = 0; a < p->contacts; a++) s->tau += dot(numbers_of(s, a), s->k->x + a * d, s->k->y + a * d);
    s->tau /= p->contacts;
    for (int a = 0; a < p->contacts; a++) {
        const double *ua = u + a * d, mu = p->mu[a], slip = dot(d - 1, ua + 1, ua + 1),
                     blur = s->ways->blur * sqrt(s->tau * mean_of(s, a)), blurred = sqrt(slip + blur * blur),
                     size = s->ways->smooth ? blurred - blur : sqrt(slip);
        double *lack = s->k->lack + a * d;
        for (int i = 0; i < d; i++) {
            lack[i] = s->k->y[a * d + i] - (i ? mu * ua[i] : ua[0] + mu * size);
            s->k->slope[a * d + i] = i ? s->follow * mu * ua[i] / blurred : 1.0;
        }
        s->lack += dot(numbers_of(s, a), lack, lack);
    }
    s->lack /= p->contacts;
}

// C = (1 + give K)^-1, and K becomes C K
static bool soften(int d, double give, double *K, double *C)
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
static bool assemble_contact(const search *s, int a)
{
    const int m = numbers_of(s, a), d = s->d;
    double *K = s->k->K + (long)a * d * d, *w = s->k->w + a * d, *slope = s->k->slope + a * d;
    find_scaling(m, s->k->x + a * d, s->k->y + a * d, w, &s->k->eta[a]);
    memset(K, 0, sizeof(double) * (size_t)(d * d));
    const double square = s->k->eta[a] * s->k->eta[a], mu = s->problem->mu[a];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            const double first = 2.0 * w[i] * w[0] - (i == 0),
                         own = 2.0 * w[i] * w[j] + (i == j ? (i ? 1.0 : -1.0) : 0.0);
            K[i * d + j] = square * (j ? first * slope[j] + own * mu : first) / (i ? 1.0 : unit_of(s, a));
        }
    if (!s->p->all->behind) return soften(d, GIVE * mean_of(s, a), K, s->k->C + (long)a * d * d);
    s->k->give[a] = GIVE * mean_of(s, a);
    return true;
}

typedef struct assembling {
    const search *s;
    atomic_bool singular;
} assembling;

static void assemble_some(void *context, int first, int end)
{
    assembling *w = context;
    for (int a = first; a < end; a++)
        if (!assemble_contact(w->s, a)) {
            atomic_store(&w->singular, true);
            return;
        }
}

static bool assemble(const search *s)
{
    assembling w = { .s = s };
    slip_island_share(s->p, assemble_some, &w);
    if (w.singular) return false;
    if (!s->p->all->behind) return slip_bodylu_factor(s->k->lu, s->p, s->k->on, s->k->K);
    return slip_body_groups_solve(s->k->groups, s->p, s->k->on, NULL, s->k->K, s->k->give) &&
           slip_bodylu_factor(s->k->lu, s->p, s->k->on, s->k->groups->K);
}

// right-hand side of a contact: to the centre `tau`; with `again`, what the step before got wrong is put
// right
static void aim(const search *s, int a, double tau, bool again)
{
    const int m = numbers_of(s, a), d = s->d;
    const double *w = s->k->w + a * d, eta = s->k->eta[a];
    double *b = s->k->b + a * d, l[3], one[3], other[3], want[3], z[3], to[3], sum[3] = { 0.0 };
    scale(m, w, eta, 1.0, s->k->y + a * d, l);
    jordan_product(m, l, l, want);
    for (int i = 0; i < m; i++) want[i] = (i ? 0.0 : tau) - want[i];
    if (again) {
        scale(m, w, eta, -1.0, s->k->dx + a * d, one);
        scale(m, w, eta, 1.0, s->k->dy + a * d, other);
        jordan_product(m, one, other, to);
        for (int i = 0; i < m; i++) want[i] -= to[i];
    }
    jordan_quotient(m, l, want, z);
    scale(m, w, eta, 1.0, s->k->lack + a * d, one);
    for (int i = 0; i < m; i++) z[i] += one[i];
    scale(m, w, eta, 1.0, z, to);
    to[0] /= unit_of(s, a);
    if (s->p->all->behind) {
        for (int i = 0; i < d; i++) b[i] = i < m ? to[i] : 0.0;
        return;
    }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < m; j++) sum[i] += s->k->C[(long)a * d * d + i * d + j] * to[j];
    for (int i = 0; i < d; i++) b[i] = i < m ? sum[i] : 0.0;
}

// b := C b
static void soften_all(const search *s)
{
    slip_body_inner *k = s->k;
    memset(k->dy, 0, sizeof(double) * (size_t)s->problem->size);
    slip_body_groups_add(s->p, k->on, k->groups->C, 1.0, k->b, k->dy);
    memcpy(k->b, k->dy, sizeof(double) * (size_t)s->problem->size);
}

// dr = b - K du, into dx, and du of it all
static void find_changes(const search *s)
{
    slip_body_inner *k = s->k;
    const int d = s->d;
    const bool groups = s->p->all->behind;
    if (groups) {
        memcpy(k->dx, k->b, sizeof(double) * (size_t)s->problem->size);
        slip_body_groups_add(s->p, k->on, k->groups->K, -1.0, k->du, k->dx);
    }
    for (int a = 0; a < s->problem->contacts; a++) {
        const int m = numbers_of(s, a);
        const double *K = k->K + (long)a * d * d;
        double *dx = k->dx + a * d;
        for (int i = 0; i < m && !groups; i++) {
            dx[i] = k->b[a * d + i];
            for (int j = 0; j < m; j++) dx[i] -= K[i * d + j] * k->du[a * d + j];
        }
        for (int i = m; i < d; i++) dx[i] = 0.0;
    }
    for (int a = 0; a < s->problem->contacts; a++) {
        for (int i = 0; i < d; i++) k->du[a * d + i] += GIVE * mean_of(s, a) * k->dx[a * d + i];
        if (groups) slip_body_follow(s->p->all, s->p->first + a, k->dx + a * d, k->du + a * d);
    }
}

typedef struct stepping {
    const search *s;
    double tau, floor;
    bool again;
} stepping;

static void aim_some(void *context, int first, int end)
{
    const stepping *w = context;
    for (int a = first; a < end; a++) aim(w->s, a, fmax(w->tau, w->floor / mean_of(w->s, a)), w->again);
}

// dx and dy from dr and du; how far they may be gone into b, which is done with
static void turn_some(void *context, int first, int end)
{
    const stepping *w = context;
    slip_body_inner *k = w->s->k;
    const int d = w->s->d;
    for (int a = first; a < end; a++) {
        const int m = numbers_of(w->s, a);
        const double *slope = k->slope + a * d, *du = k->du + a * d, mu = w->s->problem->mu[a];
        double *dx = k->dx + a * d, *dy = k->dy + a * d;
        dy[0] = du[0] - k->lack[a * d];
        for (int i = 1; i < m; i++) dy[0] += slope[i] * du[i], dy[i] = mu * du[i] - k->lack[a * d + i];
        dx[0] *= unit_of(w->s, a);
        for (int i = m; i < d; i++) dy[i] = 0.0;
        k->b[a * d] = fmin(room(m, k->x + a * d, dx), room(m, k->y + a * d, dy));
    }
}

// dx and dy from the system that is factored; how far they may be gone
static double step(const search *s, double tau, double floor, bool again)
{
    slip_body_inner *k = s->k;
    stepping w = { s, tau, floor, again };
    double most = INFINITY;
    slip_island_share(s->p, aim_some, &w);
    if (s->p->all->behind) soften_all(s);
    slip_island_impulses(s->p, k->b, k->v);
    slip_bodylu_solve(k->lu, k->v);
    slip_island_slips(s->p, k->v, k->du);
    find_changes(s);
    slip_island_share(s->p, turn_some, &w);
    for (int a = 0; a < s->problem->contacts; a++) most = fmin(most, k->b[a * s->d]);
    return most;
}

// one step to the next centre; returns the part of it that was gone
static double advance(search *s)
{
    if (!assemble(s)) return -1.0;
    const double far = fmin(1.0, step(s, 0.0, 0.0, false)), miss = 1.0 - far;
    const double aim_at = fmax(miss, s->ways->centre) * s->tau;
    // no centre nearer than y is to its velocities
    const double most = step(s, aim_at, s->lack, true);
    const double part = fmin(1.0, (0.95 + 0.045 * fmin(1.0, most)) * most);
    if (!(part >= 0.0)) return -1.0;
    for (int i = 0; i < s->problem->size; i++) {
        s->k->x[i] += part * s->k->dx[i];
        s->k->y[i] += part * s->k->dy[i];
    }
    return part;
}

int slip_body_inner_run(slip_body_inner *k, slip_bodylu *lu, const slip_island *p,
                        const slip_problem *problem, const slip_inner_ways *ways, double tolerance, double *r,
                        double *u)
{
    search s = { .k = k, .p = p, .problem = problem, .ways = ways, .d = p->all->d, .follow = 1.0 };
    const size_t bytes = sizeof(double) * (size_t)problem->size;
    double least = INFINITY;
    int steps = 0, idle = 0;
    k->lu = lu;
    for (int a = 0; a < p->contacts; a++) k->on[a] = true;
    slip_bodylu_begin(lu, p->bodies);
    if (!slip_bodylu_analyse(lu, p, k->on)) return 0;
    memcpy(k->best, r, bytes);
    start(&s, r, u, ways->near ? slip_residual(problem, r, u).invariant : 1.0);
    for (;; steps++) {
        impulses(&s, r);
        const double now = slip_residual(problem, r, u).invariant;
        if (now < least) {
            least = now;
            memcpy(k->best, r, bytes);
        }
        if (now <= tolerance || steps >= ways->limit || idle >= IDLE) break;
        look(&s, u);
        const double part = advance(&s);
        if (part < 0.0) break;
        idle = part < SHORT ? idle + 1 : 0;
        if (part < SHORT) s.follow = s.follow > 0.02 ? ways->trust * s.follow : 0.0;
        if (part > LONG) s.follow = fmin(1.0, 2.0 * s.follow + 0.1);
    }
    memcpy(r, k->best, bytes);
    slip_residual(problem, r, u);
    return steps;
}
