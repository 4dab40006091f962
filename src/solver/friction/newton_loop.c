/// solver/friction/newton_loop.c: semismooth Newton inside a proximal-point loop.
///
/// The law is written as E(z, w) = 0 block by block (for contacts in the form of Alart and Curnier):
///     box      E = (z - P(z - rho w)) / rho
///     normal   E = (r_N - max(0, y_N)) / rho,           y = r - rho u
///     tangent  E = (r_T - P_disc(mu y_N)(y_T)) / rho
/// each piece differentiable, so one linear solve per step; blocks on a bound are known and leave the
/// linear system. Redundant contacts make it singular. The proximal point method cures that: solve with
/// w + eps (z - center) in place of w, move the center there, repeat; eps falls while that goes well and
/// grows when it does not. Its fixed points are the solutions of the original problem.
#include "solver/friction/newton_loop.h"

#include <math.h>
#include <string.h>

#include "solver/problem/solver_record.h"
#include "solver/problem/contact_law.h"
#include "solver/linalg/small_inverse.h"
#include "solver/friction/friction_tolerances.h"

enum { LINE_SEARCH_MEMORY = 9 };

void slip_newton_layout(slip_arena *a, slip_newton *k, const slip_problem *p)
{
    const int d = slip_problem_block(p), n = p->size;
    const size_t square = (size_t)n * (size_t)d;
    *k = (slip_newton){ .p = p, .d = d, .n = n, .nodes = n / d };
    double **vectors[] = { &k->z,     &k->w,      &k->E,    &k->z_try, &k->w_try,
                           &k->E_try, &k->center, &k->step, &k->known, &k->best };
    double **of_nodes[] = { &k->rho, &k->eps, &k->mean };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = SLIP_TAKE(a, double, n);
    for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++)
        *of_nodes[i] = SLIP_TAKE(a, double, k->nodes);
    k->A = SLIP_TAKE(a, double, square);
    k->B = SLIP_TAKE(a, double, square);
    k->on = SLIP_TAKE(a, bool, k->nodes);
}

// E of one contact and, if A is not NULL, its derivative. Returns false if the contact is on the bound r = 0.
static inline bool contact_law(int d, double mu, double rho, const double *r, const double *u, double *E,
                               double *A, double *B)
{
    const double normal = r[0] - rho * u[0];
    if (normal <= 0.0) {
        for (int i = 0; i < d; i++) E[i] = r[i] / rho;
        return false;
    }
    double y[2] = { 0.0, 0.0 }, norm = 0.0;
    for (int i = 1; i < d; i++) {
        y[i - 1] = r[i] - rho * u[i];
        norm += y[i - 1] * y[i - 1];
    }
    norm = sqrt(norm);
    const double radius = mu * normal;
    const bool stick = norm <= radius;
    const double part = stick ? 1.0 : radius / norm;
    E[0] = u[0];
    for (int i = 1; i < d; i++) E[i] = stick ? u[i] : (r[i] - part * y[i - 1]) / rho;
    if (!A) return true;
    memset(A, 0, sizeof(double) * (size_t)(d * d));
    memset(B, 0, sizeof(double) * (size_t)(d * d));
    B[0] = 1.0;
    for (int i = 1; i < d; i++) {
        const double m = stick ? 0.0 : y[i - 1] / norm;
        A[i * d] = -mu * m / rho;
        B[i * d] = mu * m;
        for (int j = 1; j < d; j++) {
            const double tangent = stick ? (i == j) : part * ((i == j) - m * (y[j - 1] / norm));
            A[i * d + j] = ((i == j) - tangent) / rho;
            B[i * d + j] = tangent;
        }
    }
    return true;
}

static bool box_law(double low, double high, double rho, double z, double w, double *E, double *A, double *B)
{
    const double y = z - rho * w;
    if (y > low && y < high) {
        *E = w;
        if (A) *A = 0.0, *B = 1.0;
        return true;
    }
    *E = (z - (y <= low ? low : high)) / rho;
    return false;
}

// w with the proximal term, E and, with `derive`, A, B and the active blocks; returns |E|^2
static inline double evaluate_of(int d, slip_newton *k, const double *z, double *w, double *E, bool derive)
{
    const slip_problem *p = k->p;
    slip_matrix_apply(&p->W, z, w);
    double square = 0.0;
    for (int a = 0; a < k->nodes; a++) {
        const int at = a * d;
        for (int i = at; i < at + d; i++) w[i] += p->q[i] + k->eps[a] * (z[i] - k->center[i]);
        double *A = derive ? k->A + (long)at * d : NULL, *B = derive ? k->B + (long)at * d : NULL;
        bool on;
        if (d == 1) {
            double low, high;
            slip_problem_box(p, a, &low, &high);
            on = box_law(low, high, k->rho[a], z[a], w[a], E + a, A, B);
        } else
            on = contact_law(d, p->mu[a], k->rho[a], z + at, w + at, E + at, A, B);
        if (derive) k->on[a] = on;
        if (d == 1)
            square += E[at] * E[at] / k->mean[a]; // weighted as in the residual
        else
            for (int i = at; i < at + d; i++) square += E[i] * E[i];
    }
    return isfinite(square) ? square : INFINITY;
}

// Block sizes as constants, so that the loops are unrolled.
static double evaluate_law(slip_newton *k, const double *z, double *w, double *E, bool derive)
{
    return k->d == 3   ? evaluate_of(3, k, z, w, E, derive)
           : k->d == 2 ? evaluate_of(2, k, z, w, E, derive)
                       : evaluate_of(1, k, z, w, E, derive);
}

// Blocks on a bound are put there at once; for the others this is a known change of w.
static void move_bounded_blocks(slip_newton *k)
{
    bool any = false;
    for (int a = 0; a < k->nodes; a++)
        for (int i = a * k->d; i < (a + 1) * k->d; i++) {
            k->known[i] = k->on[a] ? 0.0 : -k->rho[a] * k->E[i];
            any = any || k->known[i] != 0.0;
        }
    if (any)
        slip_matrix_apply(&k->p->W, k->known, k->step);
    else
        memset(k->step, 0, sizeof(double) * (size_t)k->n);
    const int d = k->d;
    for (int a = 0; a < k->nodes; a++) {
        double moved[3];
        for (int i = 0; i < d; i++) moved[i] = k->step[a * d + i];
        for (int i = 0; i < d; i++) {
            double s = -k->E[a * d + i];
            for (int j = 0; j < d; j++) s -= k->B[((long)a * d + i) * d + j] * moved[j];
            k->step[a * d + i] = k->on[a] ? s : k->known[a * d + i];
        }
    }
}

static bool newton_step(slip_newton *k)
{
    move_bounded_blocks(k);
    if (!k->solve(k)) return false;
    for (int i = 0; i < k->n; i++)
        if (!isfinite(k->step[i])) return false;
    return true;
}

bool slip_newton_eliminate_blocks(slip_newton *k)
{
    const int d = k->d;
    for (int a = 0; a < k->nodes; a++) {
        if (!k->on[a]) continue;
        double *A = k->A + (long)a * d * d, *b = k->step + (long)a * d, C[9], x[3];
        const double *B = k->B + (long)a * d * d;
        for (int i = 0; i < d * d; i++) A[i] += k->eps[a] * B[i];
        if (!isfinite(1.0 / slip_invert_by_cofactors(d, A, C))) return false;
        for (int i = 0; i < d; i++) {
            x[i] = 0.0;
            for (int j = 0; j < d; j++) x[i] += C[i * d + j] * b[j];
            for (int j = 0; j < d; j++) {
                double sum = 0.0;
                for (int l = 0; l < d; l++) sum += C[i * d + l] * B[l * d + j];
                A[i * d + j] = sum;
            }
        }
        memcpy(b, x, sizeof(double) * (size_t)d);
    }
    return true;
}

static void swap_pointers(double **a, double **b)
{
    double *keep = *a;
    *a = *b;
    *b = keep;
}

// Halves the step until |E|^2 falls below the worst of the last few values; if it never does, the best try is
// taken. The full step is usually good, so it is evaluated with its derivative at once.
static bool line_search(slip_newton *k, double *merit, double *memory, int *age)
{
    double worst = 0.0, least = INFINITY, best_t = 0.0;
    for (int i = 0; i < LINE_SEARCH_MEMORY; i++)
        if (memory[i] > worst) worst = memory[i];
    double t = 1.0;
    for (int half = 0; half < 7; half++, t *= 0.5) {
        for (int i = 0; i < k->n; i++) k->z_try[i] = k->z[i] + t * k->step[i];
        const double m = evaluate_law(k, k->z_try, k->w_try, k->E_try, half == 0);
        if (m < least) least = m, best_t = t;
        if (m <= worst * (1.0 - SUFFICIENT_DECREASE * t)) break;
    }
    if (isinf(least)) {
        *merit = INFINITY;
        return false;
    }
    if (best_t != t)
        for (int i = 0; i < k->n; i++) k->z_try[i] = k->z[i] + best_t * k->step[i];
    swap_pointers(&k->z, &k->z_try);
    swap_pointers(&k->w, &k->w_try);
    swap_pointers(&k->E, &k->E_try);
    if (t != 1.0 || best_t != t) evaluate_law(k, k->z, k->w, k->E, true);
    *merit = least;
    memory[(*age)++ % LINE_SEARCH_MEMORY] = least;
    return least <= worst;
}

// Newton on the proximal problem, from k->z; true when |E| <= target
static bool solve_proximal(slip_newton *k, double target, int limit, int *used)
{
    double memory[LINE_SEARCH_MEMORY] = { 0.0 }, merit = evaluate_law(k, k->z, k->w, k->E, true);
    int age = 1, bad = 0;
    memory[0] = merit;
    for (*used = 0; *used < limit; (*used)++) {
        if (merit <= target * target) return true;
        if (!newton_step(k)) return false;
        if (!line_search(k, &merit, memory, &age) && (isinf(merit) || ++bad > limit / 6)) return false;
    }
    return merit <= target * target;
}

// In space and for boxes, rho above 1/diag W recognises blocks on a bound earlier where contacts are
// redundant: on 48 piles with mu from 0.2 to 0.9 the steps were 7700 with 1, 4600 with 10, 6800 with
// 30. In the plane 1 is best. The proximal weight stays relative to diag W.
static void set_augmentation(slip_newton *k, double given)
{
    const slip_problem *p = k->p;
    const double more = given > 0.0 ? given : k->d == 3 ? 10.0 : k->d == 2 ? 1.0 : 100.0;
    double square = 0.0;
    for (int a = 0; a < k->nodes; a++) {
        double block[9], trace = 0.0;
        slip_matrix_diagonal(&p->W, a, k->d, block);
        for (int i = 0; i < k->d; i++) trace += fabs(block[i * k->d + i]);
        k->mean[a] = k->d == 1 ? slip_box_scale(p, a) : trace > 0.0 ? trace / k->d : 1.0;
        k->rho[a] = more / k->mean[a];
        for (int i = a * k->d; i < (a + 1) * k->d; i++)
            square += p->q[i] * p->q[i] / (k->d == 1 ? k->mean[a] : 1.0);
    }
    k->scale = square > 0.0 ? sqrt(square) : 1.0;
}

bool slip_newton_all_stick(slip_newton *k, double soft, double *z)
{
    const int d = k->d;
    const slip_problem *p = k->p;
    set_augmentation(k, 0.0);
    memset(k->A, 0, sizeof(double) * (size_t)(k->n * d));
    memset(k->B, 0, sizeof(double) * (size_t)(k->n * d));
    for (int a = 0; a < k->nodes; a++) {
        k->on[a] = true;
        k->eps[a] = soft * k->mean[a];
        for (int i = 0; i < d; i++) {
            k->B[(long)a * d * d + i * (d + 1)] = 1.0;
            k->step[a * d + i] = -p->q[a * d + i];
        }
    }
    if (!k->solve(k)) return false;
    for (int i = 0; i < k->n; i++)
        if (!isfinite(k->step[i])) return false;
    memcpy(z, k->step, sizeof(double) * (size_t)k->n);
    for (int a = 0; a < k->nodes; a++) slip_project_cone(d, p->mu[a], z + (long)a * d);
    return true;
}

static void set_proximal_weights(slip_newton *k, double eps)
{
    for (int a = 0; a < k->nodes; a++) k->eps[a] = eps * k->mean[a];
}

// Proximal-point loop. `sharp` is the accuracy of a proximal step relative to the present residual. If a step
// needs no iteration at all, the error of the law and the residual weigh the rows differently, and `sharp` is
// tightened.
slip_outcome slip_newton_loop(slip_newton *k, const slip_newton_options *ways, double tolerance, double *z,
                              double *w, slip_solve_info *info)
{
    const slip_problem *p = k->p;
    const size_t bytes = sizeof(double) * (size_t)p->size;
    const int limit = info->iterations + ways->limit;
    double eps = ways->proximal, sharp = PROXIMAL_ACCURACY, least = slip_residual(p, z, w).invariant,
           e = least;
    set_augmentation(k, ways->rho);
    memcpy(k->center, z, bytes);
    memcpy(k->best, z, bytes);
    for (int failures = 0; e > tolerance && info->iterations < limit && failures < 12;) {
        int used;
        memcpy(k->z, k->center, bytes);
        set_proximal_weights(k, eps);
        const bool fine = solve_proximal(k, k->scale * sharp * fmin(e, 1.0), (int)ways->inner, &used);
        info->iterations += used > 0 ? used : 1;
        const double now = slip_residual(p, k->z, w).invariant;
        if (now < least) {
            least = now;
            memcpy(k->best, k->z, bytes);
        }
        if (!fine && !(now < PROXIMAL_DECREASE * e)) {
            failures++;
            eps = fmax(eps, ways->least) * PROXIMAL_WEIGHT_GROWTH;
            continue;
        }
        if (fine && used == 0) {
            if (sharp < PROXIMAL_ACCURACY_MIN) break;
            sharp *= PROXIMAL_ACCURACY_FACTOR;
        }
        memcpy(k->center, k->z, bytes);
        e = now;
        if (fine && used <= 10) eps = fmax(ways->least, eps * PROXIMAL_WEIGHT_DECAY);
    }
    memcpy(z, k->best, bytes);
    return least <= tolerance         ? SLIP_CONVERGED
           : info->iterations < limit ? SLIP_STALLED
                                      : SLIP_OUT_OF_ITERATIONS;
}
