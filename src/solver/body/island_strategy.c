/// solver/body/island_strategy.c: solves one island by the cheapest method that converges.
///
///     guess good enough, or no contacts     nothing to do
///     few contacts                          as a dense problem, by `auto` with its pivoting methods
///     all others                            sweeps while they promise to converge soon; then Newton, from the
///                                           all-stick solution if that is closer; then interior points; then
///                                           accelerated sweeps, for as long as it takes
/// All decisions are based on counts, never on time: the remaining sweeps at the observed rate of
/// convergence, and the number of block products of a factorisation. Runs are therefore reproducible.
#include "solver/body/island_strategy.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "solver/problem/contact_law.h"
#include "solver/problem/solver_record.h"
#include "solver/body/body_tolerances.h"
#include "solver/friction/friction_tolerances.h"

enum {
    DENSE_MAX_CONTACTS = 8,         // islands up to this size are solved as a dense problem
    SWEEPS_BEFORE_ESTIMATE = 20,    // sweeps before the first estimate
    SWEEPS_PER_ESTIMATE = 10,       // sweeps from one estimate to the next
    SWEEPS_MAX = 40000,             // sweeps of the last attempt
    NEWTON_STEPS_EXPECTED = 15,     // Newton steps assumed in an estimate of the cost
    INTERIOR_POINT_MIN_STEPS = 20,  // fewest interior-point steps that are worth a try
    NEWTON_STEP_SWEEPS = 12,        // cost of a Newton step without its factorisation, in sweeps
    LARGE_MIN_CONTACTS = 500,       // islands from this size on, whose factorisation may dominate, are large
    NEWTON_STEPS_EXPECTED_LARGE = 6 // Newton steps assumed for large islands
};

static slip_problem dense_problem(const slip_island_solver *k, int d, int contacts, const double *q,
                                  const double *mu)
{
    return slip_problem_contacts(d, contacts, k->dense, q, mu);
}

void slip_island_solver_layout_dense(slip_arena *a, slip_island_solver *k, int d)
{
    const size_t few = (size_t)(DENSE_MAX_CONTACTS * d);
    k->dense = SLIP_TAKE(a, double, few *few);
    k->dense_w = SLIP_TAKE(a, double, few);
    k->few = slip_arena_take(a, 0);
}

size_t slip_island_solver_dense_size(int d)
{
    const slip_solve_options usual = slip_default_solve_options();
    const slip_island_solver none = { 0 };
    const slip_problem small = dense_problem(&none, d, DENSE_MAX_CONTACTS, NULL, NULL);
    size_t bytes = 0;
    slip_solver_auto.work_size(&small, &usual, &bytes); // the size of dense problems does not depend on their
                                                        // data
    return bytes;
}

// Newton, the interior-point method and the sweeps never run at the same time: they share one memory, except
// for the factor, which the first two have in common.
static void layout_shared(slip_arena *a, slip_island_solver *k, int d, int side, int bodies, int contacts)
{
    slip_body_newton_layout_factor(a, &k->newton, side, bodies, contacts);
    const size_t before = a->used;
    size_t most;
    slip_body_newton_layout(a, &k->newton, d, side, bodies, contacts);
    most = a->used;
    a->used = before;
    slip_body_interior_point_layout(a, &k->inner, d, side, bodies, contacts);
    most = a->used > most ? a->used : most;
    a->used = before;
    slip_anderson_layout(a, &k->anderson, contacts * d);
    k->next = SLIP_TAKE(a, double, (size_t)contacts *(size_t)d);
    slip_contact_levels_layout(a, &k->waves, contacts);
    a->used = a->used > most ? a->used : most;
}

// The memory of an island depends on its own size only, so that its method does not depend on the other
// islands.
void slip_island_solver_layout_large(slip_arena *a, slip_island_solver *k, int d, int side,
                                     slip_island_size island, bool groups)
{
    const int contacts = island.contacts;
    layout_shared(a, k, d, side, island.bodies, contacts);
    if (groups) slip_contact_groups_layout(a, &k->groups, d, contacts);
    k->newton.groups = k->inner.groups = &k->groups;
    k->keep = SLIP_TAKE(a, double, (size_t)contacts *(size_t)d);
    k->first = SLIP_TAKE(a, double, (size_t)contacts *(size_t)d);
}

static bool is_solved(const slip_island_solver *k, const slip_problem *p, const double *r, double *u,
                      slip_solve_info *info)
{
    return slip_solution_judge(p, k->options, SLIP_STALLED, r, u, info) == SLIP_CONVERGED;
}

// Assembles W column by column.
static bool solve_dense(slip_island_solver *k, const slip_problem *p, double *r, double *u,
                        slip_solve_info *info)
{
    const int n = p->size;
    double unit[3 * DENSE_MAX_CONTACTS] = { 0.0 };
    for (int j = 0; j < n; j++) {
        unit[j] = 1.0;
        p->W.apply(p->W.user, unit, k->dense_w);
        unit[j] = 0.0;
        for (int i = 0; i < n; i++) k->dense[i * n + j] = k->dense_w[i];
    }
    const slip_problem dense = dense_problem(k, slip_problem_block(p), p->contacts, p->q, p->mu);
    slip_solve_options o = *k->options;
    slip_solve_info own;
    o.warm_start = 1.0;
    const slip_outcome outcome = slip_solve(&slip_solver_auto, &dense, &o, r, k->dense_w, k->few, &own);
    k->iterations[SLIP_ISLAND_BY_PIVOTING] += own.iterations;
    if (outcome != SLIP_CONVERGED) k->worst = outcome;
    return outcome == SLIP_CONVERGED && is_solved(k, p, r, u, info);
}

static double squared_norm_of_q(const slip_problem *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->size; i++) sum += p->q[i] * p->q[i];
    return sum > 0.0 ? sum : 1.0;
}

// The cost of a Newton step in sweeps over the island; 0 if its factor does not fit into memory. Islands in
// space whose cost is mostly that of the factorisation are large.
static double newton_step_cost(slip_island_solver *k, const slip_island *p)
{
    bool *on = k->newton.loop.on;
    for (int c = 0; c < p->contacts; c++) on[c] = true;
    slip_body_lu_begin(&k->newton.lu, p->bodies);
    k->large = false;
    if (!slip_body_lu_analyse(&k->newton.lu, p, on)) return 0.0;
    const double factor = (k->newton.lu.ordering.work + p->bodies) / p->contacts;
    k->large = p->all->d == 3 && p->contacts >= LARGE_MIN_CONTACTS &&
               PRODUCT_SWEEPS_LARGE * factor > NEWTON_STEP_SWEEPS;
    return NEWTON_STEP_SWEEPS + (k->large ? PRODUCT_SWEEPS_LARGE : PRODUCT_SWEEPS) * factor;
}

// Sweeps forwards and backwards in turn while the observed rate promises convergence within `most` sweeps; 0:
// up to the limit. The change of a sweep is about the residual before it, so it tells when the true residual
// is worth its price.
static bool run_sweeps(slip_island_solver *k, const slip_island *p, const slip_problem *problem, int limit,
                       double most, double *r, double *u, slip_solve_info *info)
{
    const double tolerance = k->options->tolerance, q = squared_norm_of_q(problem);
    double before = INFINITY;
    slip_contact_levels_find(&k->waves, p);
    slip_island_velocities(p, r);
    for (int sweep = 1; sweep <= limit && k->left > 0; sweep++, k->left--) {
        const double e = sqrt(slip_island_sweep(p, &k->waves, sweep % 2 == 0, r) / q);
        k->iterations[SLIP_ISLAND_BY_SWEEPS]++;
        if (e <= SWEEP_CHANGE_NEAR_TOLERANCE * tolerance && is_solved(k, problem, r, u, info)) return true;
        if (sweep % SWEEPS_PER_ESTIMATE) continue;
        const double rate =
            before / e; // over SWEEPS_PER_ESTIMATE sweeps, so that both had the same direction
        if (most > 0.0 &&
            (!(rate > 1.0) || SWEEPS_PER_ESTIMATE * slip_ln(e / tolerance) / slip_ln(rate) > most))
            break;
        before = e;
    }
    return is_solved(k, problem, r, u, info);
}

// Anderson's acceleration of the map that a pair of sweeps makes. If the change grows, the last combination
// was bad: the iteration returns to the value of the map, and its history is cleared.
static bool run_accelerated_sweeps(slip_island_solver *k, const slip_island *p, const slip_problem *problem,
                                   int limit, double *r, double *u, slip_solve_info *info)
{
    const double tolerance = k->options->tolerance, q = squared_norm_of_q(problem);
    const size_t bytes = sizeof(double) * (size_t)problem->size;
    double least = INFINITY;
    slip_contact_levels_find(&k->waves, p);
    slip_anderson_begin(&k->anderson, problem->size);
    for (int sweep = 0; sweep < limit && k->left > 0; sweep += 2, k->left -= 2) {
        slip_island_velocities(p, r);
        memcpy(k->next, r, bytes);
        const double e = sqrt(slip_island_sweep(p, &k->waves, false, k->next) / q);
        slip_island_sweep(p, &k->waves, true, k->next);
        k->iterations[SLIP_ISLAND_BY_SWEEPS] += 2;
        if (e <= SWEEP_CHANGE_NEAR_TOLERANCE * tolerance && is_solved(k, problem, k->next, u, info)) {
            memcpy(r, k->next, bytes);
            return true;
        }
        if (k->anderson.columns > 0 && !(e <= least)) {
            slip_anderson_begin(&k->anderson, problem->size);
            memcpy(r, k->keep, bytes);
            least = INFINITY;
            continue;
        }
        if (e < least) least = e;
        memcpy(k->keep, k->next, bytes);
        slip_anderson_next(&k->anderson, p->all->d, p->all->mean + p->first, r, k->next);
    }
    if (least < INFINITY) memcpy(r, k->keep, bytes);
    return is_solved(k, problem, r, u, info);
}

// Replaces r by the all-stick solution if that has the smaller residual.
static bool try_all_stick(slip_island_solver *k, const slip_island *p, const slip_problem *problem, double *r,
                          double *u, slip_solve_info *info)
{
    const double residual = info->residual;
    if (residual < TRY_ALL_STICK_ABOVE) return false;
    memcpy(k->keep, r, sizeof(double) * (size_t)problem->size);
    if (slip_body_newton_all_stick(&k->newton, p, problem, r)) is_solved(k, problem, r, u, info);
    if (info->residual < residual) return true;
    memcpy(r, k->keep, sizeof(double) * (size_t)problem->size);
    return false;
}

static bool run_newton(slip_island_solver *k, const slip_island *p, const slip_problem *problem,
                       slip_newton_options ways, double *r, double *u, slip_solve_info *info)
{
    const int before = info->iterations, most = (int)(k->left / k->step_cost);
    if (ways.limit > most) ways.limit = most;
    if (ways.limit <= 0) return false;
    slip_body_newton_run(&k->newton, p, problem, &ways,
                         (k->large ? NEWTON_TOLERANCE_FACTOR_LARGE : NEWTON_TOLERANCE_FACTOR) *
                             k->options->tolerance,
                         r, u, info);
    k->iterations[SLIP_ISLAND_BY_NEWTON] += info->iterations - before;
    k->left -= (int)((info->iterations - before) * k->step_cost);
    return is_solved(k, problem, r, u, info);
}

// Returns true if it converged.
static bool run_interior_point(slip_island_solver *k, const slip_island *p, const slip_problem *problem,
                               slip_interior_point_options ways, double *r, double *u, slip_solve_info *info)
{
    const int most = (int)(k->left / k->step_cost);
    if (ways.limit > most) ways.limit = most;
    const int steps = slip_body_interior_point_run(&k->inner, &k->newton.lu, p, problem, &ways,
                                                   k->options->tolerance, r, u);
    k->iterations[SLIP_ISLAND_BY_INTERIOR_POINT] += steps;
    k->left -= (int)(steps * k->step_cost);
    return is_solved(k, problem, r, u, info);
}

// Interior points, and Newton's method from their result; the point before is restored if it was better.
static bool restart_from_interior_point(slip_island_solver *k, const slip_island *p,
                                        const slip_problem *problem, slip_interior_point_options inner,
                                        slip_newton_options newton, double *r, double *u,
                                        slip_solve_info *info)
{
    const double residual = info->residual;
    if ((int)(k->left / k->step_cost) < INTERIOR_POINT_MIN_STEPS) return false;
    memcpy(k->keep, r, sizeof(double) * (size_t)problem->size);
    if (run_interior_point(k, p, problem, inner, r, u, info) || run_newton(k, p, problem, newton, r, u, info))
        return true;
    if (info->residual < residual) return false;
    memcpy(r, k->keep, sizeof(double) * (size_t)problem->size);
    info->residual = residual;
    return false;
}

// A few steps of Newton if the guess or the all-stick solution is close; otherwise interior points, first
// from the guess, which takes half of the steps, and Newton's method from their result.
static bool solve_large(slip_island_solver *k, const slip_island *p, const slip_problem *problem, double *r,
                        double *u, slip_solve_info *info)
{
    static const slip_newton_options newton = {
        .proximal = 1e-7, .least = 1e-8, .inner = 8, .rho = 10.0, .limit = 8
    };
    static const slip_interior_point_options paths[] = {
        { 1.0, .centre = 0.05, .blur = 0.1, .trust = 0.1, .limit = 60, .smooth = true, .near = true },
        { 1.0, .centre = 0.05, .blur = 0.1, .trust = 0.1, .limit = 100, .smooth = true },
        { 1.0, .centre = 0.2, .blur = 0.02, .trust = 0.5, .limit = 200, .smooth = true },
    };
    slip_newton_options first = newton;
    if (try_all_stick(k, p, problem, r, u, info))
        first.proximal = ALL_STICK_PROXIMAL_WEIGHT, first.limit = 20;
    if (info->residual < LARGE_NEWTON_BELOW && run_newton(k, p, problem, first, r, u, info)) return true;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (restart_from_interior_point(k, p, problem, paths[i], newton, r, u, info)) return true;
    return false;
}

// Newton's method with a large augmentation is fast where contacts are redundant, with a small one where a
// load is carried far. If it stalls, as it does in jams, it is started again from interior points, on several
// paths, and with an augmentation that knows which contacts are open.
static bool solve_small(slip_island_solver *k, const slip_island *p, const slip_problem *problem, double *r,
                        double *u, slip_solve_info *info)
{
    slip_newton_options first = { .proximal = 1e-5, .least = 1e-10, .inner = 8, .rho = 10.0, .limit = 20 };
    static const slip_newton_options behind = {
        .proximal = 0.03, .least = 1e-10, .inner = 25, .rho = 1000.0, .limit = 150
    };
    static const slip_interior_point_options paths[] = {
        { .size = 1.0, .centre = 0.05, .blur = 0.02, .trust = 0.1, .limit = 400 },
        { .size = 10.0, .centre = 0.2, .blur = 0.02, .trust = 0.5, .limit = 400 },
        { .size = 1.0, .centre = 0.05, .blur = 1.0, .trust = 0.1, .limit = 400 },
        { .size = 1.0, .centre = 0.05, .blur = 0.02, .trust = 0.1, .limit = 400, .smooth = true },
        { .size = 10.0,
          .centre = 0.2,
          .blur = 0.02,
          .trust = 0.5,
          .limit = 100,
          .smooth = true,
          .near = true },
    };
    if (try_all_stick(k, p, problem, r, u, info)) first.proximal = ALL_STICK_PROXIMAL_WEIGHT;
    if (run_newton(k, p, problem, first, r, u, info)) return true;
    if (k->step_cost > EXPENSIVE_STEP_SWEEPS && info->residual < EXTEND_NEWTON_BELOW &&
        run_newton(k, p, problem, first, r, u, info))
        return true;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (restart_from_interior_point(k, p, problem, paths[i], behind, r, u, info)) return true;
    return false;
}

// The softer Newton methods at the end, with sweeps in between, are for heaps that slip everywhere.
static bool solve_from(slip_island_solver *k, const slip_island *p, const slip_problem *problem, double *r,
                       double *u, slip_solve_info *info)
{
    static const struct {
        int sweeps; // before the Newton method
        slip_newton_options ways;
    } plan[] = {
        { 150, { .proximal = 1e-3, .least = 1e-10, .inner = 25, .rho = 100.0, .limit = 300 } },
        { 500, { .proximal = 1.0, .least = 1e-10, .inner = 50, .rho = 3.0, .limit = 500 } },
        { 500, { .proximal = 0.03, .least = 1e-10, .inner = 100, .rho = 30.0, .limit = 1000 } },
    };
    k->left = slip_solver_iteration_limit(k->options, SWEEPS_MAX);
    if (run_sweeps(k, p, problem, SWEEPS_BEFORE_ESTIMATE, 0.0, r, u, info)) return true;
    k->step_cost = newton_step_cost(k, p);
    const double most = k->step_cost > 0.0
                            ? (k->large ? NEWTON_STEPS_EXPECTED_LARGE : NEWTON_STEPS_EXPECTED) * k->step_cost
                            : SWEEPS_MAX / 10.0;
    if (run_sweeps(k, p, problem, SWEEPS_MAX, most, r, u, info)) return true;
    if (k->step_cost > 0.0) {
        if (k->large ? solve_large(k, p, problem, r, u, info) : solve_small(k, p, problem, r, u, info))
            return true;
        for (size_t i = 0; i < sizeof plan / sizeof *plan; i++)
            if (run_sweeps(k, p, problem, plan[i].sweeps, 0.0, r, u, info) ||
                run_newton(k, p, problem, plan[i].ways, r, u, info))
                return true;
    }
    return run_accelerated_sweeps(k, p, problem, SWEEPS_MAX, r, u, info);
}

// A guess near a wrong solution is worse than none: if Newton's method stalled, everything is tried once more
// from zero, and the better of the two results is kept.
static bool solve_many(slip_island_solver *k, const slip_island *p, const slip_problem *problem, double *r,
                       double *u, slip_solve_info *info)
{
    const size_t bytes = sizeof(double) * (size_t)problem->size;
    bool warm = false;
    for (int i = 0; i < problem->size; i++) warm = warm || r[i] != 0.0;
    if (solve_from(k, p, problem, r, u, info)) return true;
    const double residual = info->residual;
    if (warm && k->step_cost > 0.0 && k->options->max_iterations == 0.0) {
        memcpy(k->first, r, bytes);
        memset(r, 0, bytes);
        if (solve_from(k, p, problem, r, u, info)) return true;
        if (!(info->residual < residual)) memcpy(r, k->first, bytes);
    }
    k->worst = SLIP_OUT_OF_ITERATIONS;
    return false;
}

// The best result stays in r, even if it did not converge.
void slip_island_solver_solve(slip_island_solver *k, slip_island *p)
{
    const slip_problem problem = slip_island_problem(p);
    double *r = slip_island_r(p), *u = slip_island_u(p);
    slip_solve_info info = { 0 };
    if (p->contacts == 0 || is_solved(k, &problem, r, u, &info)) return;
    if (p->contacts <= DENSE_MAX_CONTACTS) {
        if (solve_dense(k, &problem, r, u, &info)) return;
    } else {
        slip_arena arena = { .base = k->memory };
        slip_island_solver_layout_large(&arena, k, p->all->d, p->all->side,
                                        (slip_island_size){ p->bodies, p->contacts }, p->all->behind != NULL);
        if (solve_many(k, p, &problem, r, u, &info)) return;
    }
    for (int i = 0; i < problem.size; i++)
        if (!isfinite(r[i])) r[i] = 0.0;
}
