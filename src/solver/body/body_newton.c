/// solver/body/body_newton.c: a Newton step in the velocities of the bodies.
#include "solver/body/body_newton.h"

#include <math.h>
#include <string.h>

#include "solver/problem/contact_law.h"
#include "solver/body/body_tolerances.h"
#include "solver/friction/friction_tolerances.h"

static double max_block_pairs(int side, int contacts)
{
    return fmax(1.0, 36.0 / (side * side)) *
           fmax(PAIRS_PER_CONTACT * contacts, fmin(PAIRS_PER_CONTACT_SMALL * contacts, PAIRS_SMALL_TOTAL));
}

void slip_body_newton_layout_factor(slip_arena *a, slip_body_newton *k, int side, int bodies, int contacts)
{
    const double all = 0.5 * bodies * (bodies - 1.0);
    slip_body_lu_layout(a, &k->lu, side, bodies, contacts, (long)fmin(all, max_block_pairs(side, contacts)));
}

void slip_body_newton_layout(slip_arena *a, slip_body_newton *k, int d, int side, int bodies, int contacts)
{
    const slip_problem most = { .kind = d == 3 ? SLIP_KIND_FC3D : SLIP_KIND_FC2D,
                                .size = contacts * d,
                                .contacts = contacts };
    slip_newton_layout(a, &k->loop, &most);
    k->v = SLIP_TAKE(a, double, (size_t)(bodies + 1) * (size_t)side);
}

// The same step for contacts that depend on others.
static bool group_step(slip_newton *k)
{
    slip_body_newton *n = k->user;
    const slip_island *p = n->island;
    const size_t bytes = sizeof(double) * (size_t)k->n;
    if (!slip_body_lu_analyse(&n->lu, p, k->on) ||
        !slip_contact_groups_solve(n->groups, p, k->on, k->A, k->B, k->eps) ||
        !slip_body_lu_factor(&n->lu, p, k->on, n->groups->K))
        return false;
    n->work += n->lu.ordering.work;
    memset(k->w_try, 0, bytes);
    slip_contact_groups_add(p, k->on, n->groups->C, 1.0, k->step, k->w_try);
    for (int i = 0; i < k->n; i++)
        if (k->on[i / k->d]) k->step[i] = k->w_try[i];
    slip_island_scatter(p, k->w_try, n->v);
    slip_body_lu_solve(&n->lu, n->v);
    slip_island_gather(p, n->v, k->w_try);
    slip_contact_groups_add(p, k->on, n->groups->K, -1.0, k->w_try, k->step);
    return true;
}

static bool body_step(slip_newton *k)
{
    slip_body_newton *n = k->user;
    const slip_island *p = n->island;
    const int d = k->d;
    if (!slip_body_lu_analyse(&n->lu, p, k->on) || !slip_newton_eliminate_blocks(k)) return false;
    const double *K = k->A;
    if (!slip_body_lu_factor(&n->lu, p, k->on, K)) return false;
    n->work += n->lu.ordering.work;
    for (int i = 0; i < k->n; i++) k->w_try[i] = k->on[i / d] ? k->step[i] : 0.0;
    slip_island_scatter(p, k->w_try, n->v);
    slip_body_lu_solve(&n->lu, n->v);
    slip_island_gather(p, n->v, k->w_try);
    for (int a = 0; a < k->nodes; a++)
        for (int i = 0; i < d && k->on[a]; i++)
            for (int j = 0; j < d; j++)
                k->step[a * d + i] -= K[((long)a * d + i) * d + j] * k->w_try[a * d + j];
    return true;
}

static void begin_island(slip_body_newton *k, const slip_island *p, const slip_problem *problem)
{
    const int d = p->all->d;
    k->island = p;
    k->problem = *problem;
    k->loop.p = &k->problem;
    k->loop.d = d;
    k->loop.n = p->contacts * d;
    k->loop.nodes = p->contacts;
    k->loop.solve = p->all->behind ? group_step : body_step;
    k->loop.user = k;
    slip_body_lu_begin(&k->lu, p->bodies);
}

bool slip_body_newton_all_stick(slip_body_newton *k, const slip_island *p, const slip_problem *problem,
                                double *z)
{
    const int d = p->all->d;
    slip_newton *n = &k->loop;
    begin_island(k, p, problem);
    memset(n->A, 0, sizeof(double) * (size_t)(n->n * d));
    memset(n->B, 0, sizeof(double) * (size_t)(n->n * d));
    for (int a = 0; a < n->nodes; a++) {
        n->on[a] = true;
        n->eps[a] = ALL_STICK_REGULARIZATION * p->all->mean[p->first + a];
        for (int i = 0; i < d; i++) {
            n->B[(long)a * d * d + i * (d + 1)] = 1.0;
            n->step[a * d + i] = -k->problem.q[a * d + i];
        }
    }
    if (!n->solve(n)) return false;
    for (int i = 0; i < n->n; i++) {
        if (!isfinite(n->step[i])) return false;
        z[i] = n->step[i];
    }
    for (int a = 0; a < n->nodes; a++) slip_project_cone(d, k->problem.mu[a], z + (long)a * d);
    return true;
}

slip_outcome slip_body_newton_run(slip_body_newton *k, const slip_island *p, const slip_problem *problem,
                                  const slip_newton_options *ways, double tolerance, double *z, double *w,
                                  slip_solve_info *info)
{
    begin_island(k, p, problem);
    return slip_newton_loop(&k->loop, ways, tolerance, z, w, info);
}
