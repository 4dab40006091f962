/// dynamics/contact/contact_cone_newton.c: contacts that slip in two directions, with their circular cones.
///
/// The problem of an instant is then the one of contact_problem.h, K* contains u + mu |u_T| e_N _|_ r in K,
/// with u the accelerations of the rows. Contacts that slide take part with their normal force alone, whose
/// response holds their friction; so W need not be symmetric, and no function is minimised. Newton's method
/// on
///     r_N = max(0, r_N - rho u_N),   r_T = projection of r_T - rho u_T on the disc of radius mu (r_N - rho
///     u_N)
/// (Alart and Curnier 1991) finds the answer to rounding; where it gets lost, a solver of the table begins.
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "symbolic/graph/caches.h"
#include "dynamics/contact/contact_problem.h"
#include "dynamics/dynamics_tolerances.h"

// --------------------------------------------------------------------------------------- Newton's method

typedef struct cones {
    int count, size;
    const double *W, *q, *mu;
    double *z, *w, *F, *J;
    double *rho;  // per contact twice: normal, tangent
    double *work; // SLIP_LEAST_SQUARES_WORK times size
    bool *open;   // set when forces were
} cones;

static void find_velocities(const cones *k)
{
    for (int i = 0; i < k->size; i++) {
        double sum = k->q[i];
        for (int j = 0; j < k->size; j++) sum += k->W[(size_t)i * (size_t)k->size + (size_t)j] * k->z[j];
        k->w[i] = sum;
    }
}

// J row i = weight times row i of W, plus own at column i
static void fill_row(const cones *k, int i, double weight, double own)
{
    size_t n = (size_t)k->size;
    double *row = k->J + (size_t)i * n;
    for (size_t j = 0; j < n; j++) row[j] = weight * k->W[(size_t)i * n + j];
    row[i] += own;
}

// friction at its limit: F_T = r_T - R s/|s|, s = r_T - rho u_T, R = mu (r_N - rho u_N)
static void fill_slipping(const cones *k, int a, double radius, const double *s, double size)
{
    size_t n = (size_t)k->size;
    int at = 3 * a;
    double way[2] = { s[0] / size, s[1] / size }, rho_N = k->rho[2 * a], rho_T = k->rho[2 * a + 1],
           mu = k->mu[a];
    const double *W_N = k->W + (size_t)at * n, *W_T = W_N + n;
    for (int c = 0; c < 2; c++) {
        double *row = k->J + (size_t)(at + 1 + c) * n;
        for (size_t j = 0; j < n; j++) {
            double radial = mu * ((j == (size_t)at) - rho_N * W_N[j]), ds[2];
            for (int b = 0; b < 2; b++) ds[b] = (j == (size_t)(at + 1 + b)) - rho_T * W_T[(size_t)b * n + j];
            double along = way[0] * ds[0] + way[1] * ds[1];
            row[j] = (j == (size_t)(at + 1 + c)) - way[c] * radial - radius / size * (ds[c] - way[c] * along);
        }
        k->F[at + 1 + c] = k->z[at + 1 + c] - radius * way[c];
    }
}

// F and its Jacobian; returns the largest |F|
static double natural_map(const cones *k)
{
    double worst = 0.0;
    find_velocities(k);
    for (int a = 0; a < k->count; a++) {
        int at = 3 * a;
        double rho_N = k->rho[2 * a], rho_T = k->rho[2 * a + 1], pressed = k->z[at] - rho_N * k->w[at];
        double radius = k->mu[a] * fmax(pressed, 0.0), s[2];
        for (int c = 0; c < 2; c++) s[c] = k->z[at + 1 + c] - rho_T * k->w[at + 1 + c];
        double size = slip_length(s[0], s[1]);
        k->F[at] = pressed > 0.0 ? rho_N * k->w[at] : k->z[at];
        fill_row(k, at, pressed > 0.0 ? rho_N : 0.0, pressed > 0.0 ? 0.0 : 1.0);
        if (radius > 0.0 && size > radius)
            fill_slipping(k, a, radius, s, size);
        else
            for (int c = 1; c < 3; c++) {
                k->F[at + c] = radius > 0.0 ? rho_T * k->w[at + c] : k->z[at + c];
                fill_row(k, at + c, radius > 0.0 ? rho_T : 0.0, radius > 0.0 ? 0.0 : 1.0);
            }
        for (int c = 0; c < 3; c++)
            if (!(fabs(k->F[at + c]) <= worst)) worst = fabs(k->F[at + c]);
    }
    return worst;
}

static double force_scale(const cones *k)
{
    double most = 0.0;
    for (int i = 0; i < k->size; i++) {
        double force = fabs(k->z[i]), push = k->rho[2 * (i / 3) + (i % 3 > 0)] * fabs(k->q[i]);
        most = fmax(most, fmax(force, push));
    }
    return most;
}

bool slip_lu_is_regular(int n, const double *LU)
{
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < n; i++) {
        double size = fabs(LU[(size_t)i * (size_t)(n + 1)]);
        low = fmin(low, size), high = fmax(high, size);
    }
    return low > DEPENDENT_CONE_ROW * high;
}

// F := the Newton step. Dependent contacts, like the four corners of a box on a floor, leave forces open: of
// all steps the shortest is taken, so that loads are shared evenly and change steadily in time
static bool newton_step(const cones *k, int *pivot)
{
    int n = k->size;
    if (slip_lu(n, k->J, pivot) && slip_lu_is_regular(n, k->J)) {
        slip_lu_solve(n, k->J, pivot, k->F);
        return true;
    }
    *k->open = true;
    natural_map(k);
    return slip_least_squares(n, k->J, k->F, DEPENDENT_CONE_ROW, pivot, k->work) >= 0;
}

bool slip_contact_problem_least_norm(slip_contact_problem *r, int m)
{
    return slip_least_squares(m, r->K, r->k, DEPENDENT_CONE_ROW, r->pivot, r->kernel_work) >= 0;
}

static bool newton_iteration(const cones *k, int *pivot)
{
    enum { MAX_STEPS = 40 };
    double last = INFINITY;
    for (int step = 0; step < MAX_STEPS; step++) {
        double worst = natural_map(k), size = force_scale(k);
        if (!(worst < INFINITY)) return false;
        if (worst <= CONE_NEWTON_EXACT * size ||
            (worst <= CONE_NEWTON_STALLED * size && worst >= CONE_NEWTON_CONTRACTION * last))
            return true;
        last = worst;
        if (!newton_step(k, pivot)) return false;
        for (int i = 0; i < k->size; i++) k->z[i] -= k->F[i];
    }
    return false;
}

bool slip_contact_problem_newton_cone(slip_contact_problem *r, int contacts, const double *W, const double *q,
                                      const double *mu, bool warm, double *z, double *w)
{
    int size = 3 * contacts;
    cones k = { contacts, size, W, q, mu, z, w, r->cone_F, r->cone_J, r->cone_F + size, r->cone_F + 5 * size,
                &r->open };
    double *kept = r->cone_F + 3 * size;
    size_t bytes = (size_t)size * sizeof *z;
    for (int a = 0; a < contacts; a++) {
        size_t at = 3 * (size_t)a, step = (size_t)size + 1;
        double W_T = 0.5 * (W[(at + 1) * step] + W[(at + 2) * step]);
        k.rho[2 * a] = W[at * step] > 0.0 ? 1.0 / W[at * step] : 1.0;
        k.rho[2 * a + 1] = W_T > 0.0 ? 1.0 / W_T : 1.0;
    }
    r->open = false;
    if (!warm) memset(z, 0, bytes);
    if (newton_iteration(&k, r->cone_pivot)) return true;
    memset(z, 0, bytes);
    slip_problem problem = slip_problem_contacts(3, contacts, W, q, mu);
    const slip_solver *solver = slip_solver_find("auto");
    if (slip_solve(solver, &problem, &r->options, z, w, r->work, NULL) != SLIP_CONVERGED) return false;
    memcpy(kept, z, bytes);
    if (!newton_iteration(&k, r->cone_pivot)) { // the digits that the solver has must do
        memcpy(z, kept, bytes);
        find_velocities(&k);
    }
    return true;
}

// ------------------------------------------------------------------------------------ problem of an instant

// block of every unknown's element: held contacts in the order of the unknowns, then frictions that stick
static int number_blocks(const slip_contact_problem *r, int *at)
{
    int blocks = r->normal_count;
    for (int i = 0; i < r->normal_count; i++) at[i] = 3 * i;
    for (int i = r->normal_count; i < r->count; i++) {
        const slip_element *element = &r->system->elements[r->owner[i]];
        int second = r->row[i] > element->tangent_row, block = 0;
        while (block < r->normal_count && r->owner[block] != r->owner[i]) block++;
        if (!element->has_gap) block = second ? blocks - 1 : blocks++;
        at[i] = 3 * block + 1 + second;
    }
    return blocks;
}

// what an element does not have is filled in without changing it, as formulation moreau does
static void fill_missing(slip_contact_problem *r, int blocks, const int *at)
{
    int size = 3 * blocks;
    for (int a = 0; a < blocks; a++) {
        double most = 0.0;
        for (int c = 0; c < 3; c++) most = fmax(most, r->Z[(size_t)(3 * a + c) * (size_t)(size + 1)]);
        for (int c = 0; c < 3; c++) {
            double *own = &r->Z[(size_t)(3 * a + c) * (size_t)(size + 1)];
            bool missing = true;
            for (int i = 0; i < r->count; i++) missing = missing && at[i] != 3 * a + c;
            if (missing) *own = most > 0.0 ? most : 1.0;
        }
    }
    for (int i = r->normal_count; i < r->count; i++) { // a known limit is the load of a normal of its own
        int e = r->owner[i], a = at[i] / 3;
        if (r->system->elements[e].has_gap) continue;
        r->limits[a] = 1.0;
        r->zq[3 * a] = -r->friction[e] * r->Z[(size_t)(3 * a) * (size_t)(size + 1)];
    }
}

static int build_blocks(slip_contact_problem *r, int *at)
{
    int blocks = number_blocks(r, at), size = 3 * blocks, q = r->count;
    memset(r->Z, 0, (size_t)size * (size_t)size * sizeof *r->Z);
    memset(r->zq, 0, (size_t)size * sizeof *r->zq);
    memset(r->limits, 0, (size_t)blocks * sizeof *r->limits);
    for (int i = 0; i < q; i++) {
        for (int j = 0; j < q; j++) r->Z[(size_t)at[i] * (size_t)size + (size_t)at[j]] = r->D[i * q + j];
        r->zq[at[i]] = r->c[i];
        if (i >= r->normal_count) r->limits[at[i] / 3] = r->friction[r->owner[i]];
    }
    fill_missing(r, blocks, at);
    return blocks;
}

// a load that is rounding beside the acceleration of its gap is none
static bool is_loaded(const slip_contact_problem *r, int blocks, int at)
{
    return r->z[at] > 0.0 && r->z[at] * r->Z[(size_t)at * (size_t)(3 * blocks + 1)] > r->zw[at];
}

// x from z, within the cones; rates that the law makes zero are zero
static void read_cone_solution(slip_contact_problem *r, int blocks, const int *at)
{
    const double *z = r->z, *w = r->zw;
    for (int i = 0; i < r->count; i++) {
        int a = at[i] / 3;
        double limit = r->limits[a] * fmax(z[3 * a], 0.0), size = slip_length(z[3 * a + 1], z[3 * a + 2]);
        r->x[i] = i < r->normal_count ? (is_loaded(r, blocks, at[i]) ? z[at[i]] : 0.0)
                  : size > limit      ? z[at[i]] * (limit / size)
                                      : z[at[i]];
    }
    slip_contact_problem_distribute(r);
    for (int i = 0; i < r->count; i++) {
        int a = at[i] / 3, e = r->owner[i];
        double limit = r->limits[a] * fmax(z[3 * a], 0.0), size = slip_length(z[3 * a + 1], z[3 * a + 2]);
        bool slips =
            slip_length(w[3 * a + 1], w[3 * a + 2]) > slip_contact_problem_rounding(r) || !(size < limit);
        if (i < r->normal_count ? !is_loaded(r, blocks, at[i]) : slips) continue;
        r->rate[i] = 0.0;
        double *shown = i < r->normal_count ? r->normal_rate : at[i] % 3 == 1 ? r->slip_rate : r->slip_rate_y;
        shown[e] = 0.0;
    }
}

slip_contact_outcome slip_contact_problem_solve_cone(slip_contact_problem *r)
{
    int *at = r->pivot + 2 * r->most, blocks = build_blocks(r, at);
    if (!slip_contact_problem_newton_cone(r, blocks, r->Z, r->zq, r->limits, false, r->z, r->zw))
        return SLIP_CONTACT_NOT_CONVERGED;
    read_cone_solution(r, blocks, at);
    double most = 0.0;
    for (int i = 0; i < r->normal_count; i++) most = fmax(most, r->x[i]);
    for (int i = 0; i < r->normal_count; i++) r->loaded[r->owner[i]] = r->x[i] > ACTIVE_RELATIVE * most;
    r->warm = slip_graph_keeps(r->system->equations->graph, SLIP_CACHE_GUESSES);
    return SLIP_CONTACT_SOLVED;
}

// ------------------------------------------------------------------------- second-order cones of programs

void slip_contact_problem_reset_planes(slip_contact_problem *r)
{
    for (int e = 0; e < r->system->element_count; e++) {
        if (r->system->elements[e].slip_count < 2) continue;
        double *cut = r->cut + 2 * SLIP_MAX_CONE_PLANES * e;
        const double around[8] = { 1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, -1.0 };
        memcpy(cut, around, sizeof around);
        r->cuts[e] = 4;
    }
}

int slip_contact_problem_plane_rows(const slip_contact_problem *r, int i, double *A, double *b, int row)
{
    int e = r->owner[i], q = r->count, normal = 0;
    bool contact = r->system->elements[e].has_gap;
    while (contact && r->owner[normal] != e) normal++;
    for (int k = 0; k < r->cuts[e]; k++) { // mu N - d.T >= 0, or F - d.T >= 0
        const double *d = r->cut + 2 * (SLIP_MAX_CONE_PLANES * e + k);
        double *at = A + (size_t)row * (size_t)q;
        memset(at, 0, (size_t)q * sizeof *at);
        if (contact) at[normal] = r->friction[e];
        at[i] = -d[0], at[i + 1] = -d[1];
        b[row++] = contact ? 0.0 : -r->friction[e];
    }
    return row;
}

bool slip_contact_problem_add_cone_plane(slip_contact_problem *r, const double *x)
{
    bool cut = false;
    for (int i = r->normal_count; i < r->count; i++) {
        int e = r->owner[i], normal = 0;
        const slip_element *element = &r->system->elements[e];
        if (element->slip_count < 2 || r->row[i] > element->tangent_row) continue;
        while (element->has_gap && r->owner[normal] != e) normal++;
        double limit = element->has_gap ? r->friction[e] * fmax(x[normal], 0.0) : r->friction[e];
        double size = slip_length(x[i], x[i + 1]);
        if (!(size > limit * (1.0 + CONE_VIOLATION) + NONZERO_FORCE) || r->cuts[e] == SLIP_MAX_CONE_PLANES)
            continue;
        double *d = r->cut + 2 * (SLIP_MAX_CONE_PLANES * e + r->cuts[e]++);
        d[0] = x[i] / size, d[1] = x[i + 1] / size;
        cut = true;
    }
    return cut;
}

slip_outcome slip_contact_problem_solve_qp(slip_contact_problem *r, bool min_norm)
{
    slip_solve_options options = r->options;
    options.own[slip_solver_first_option(slip_solver_find("qp")) + SLIP_QP_MIN_NORM] = min_norm;
    slip_outcome outcome;
    if (r->spatial) slip_contact_problem_reset_planes(r);
    do {
        slip_problem p = slip_contact_problem_qp(r);
        outcome = slip_solve(slip_solver_find("qp"), &p, &options, r->z, r->zw, r->work, NULL);
    } while (outcome == SLIP_CONVERGED && r->spatial && slip_contact_problem_add_cone_plane(r, r->z));
    return outcome;
}

// --------------------------------------------------------------------------------------------- judgement

// Frictions of known limits alone minimise a strictly convex function. One contact: with N eliminated,
// v_T' = c + B T with B symmetric and positive definite; slipping needs v_T' = -s T, T(s) = -(B + s)^-1 c,
// and |T| + e.T = F with e = mu W_NT/W_NN. The left side falls with s, so that there is one answer, when the
// angle between T and (B + s)^-1 T, at most acos(2 sqrt(k)/(1 + k)) for condition k of B, keeps its cosine
// above |e|. What sticks is stable, because W is symmetric there, and what starts is, because W_NN > mu
// |W_NT|.
bool slip_contact_problem_cone_unique(const slip_contact_problem *r)
{
    int q = r->count;
    if (r->normal_count == 0) {
        memcpy(r->K, r->D, (size_t)(q * q) * sizeof *r->K);
        return slip_cholesky(q, r->K);
    }
    if (q != 3 || r->normal_count != 1 || r->owner[1] != r->owner[0]) return false;
    const double *D = r->D;
    double W_N = D[0], mu = r->friction[r->owner[0]], e = mu * slip_length(D[1], D[2]) / W_N;
    double a = D[4] - D[1] * D[1] / W_N, b = D[5] - D[1] * D[2] / W_N, c = D[8] - D[2] * D[2] / W_N;
    double middle = 0.5 * (a + c), spread = slip_length(0.5 * (a - c), b), low = middle - spread;
    if (!(W_N > 0.0 && low > 0.0)) return false;
    double k = (middle + spread) / low;
    return e < 0.999 * 2.0 * sqrt(k) / (1.0 + k);
}
