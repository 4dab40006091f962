/// dynamics/contact/impact_problem.c: an impact of the contacts of a rigid system, from its rows.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "dynamics/contact/impact_problem.h"
#include "solver/lcp/lemke.h"
#include "dynamics/dynamics_tolerances.h"

void slip_impact_problem_layout(slip_arena *arena, const slip_system *system, int d, slip_impact_problem *s)
{
    slip_rigid_impact_layout(arena, system, d, &s->rigid_impact);
    const int contacts = slip_max_impact_contacts(system);
    const size_t size = (size_t)(d * contacts);
    s->response = SLIP_TAKE(arena, double, size *(size_t)system->n);
    s->W = SLIP_TAKE(arena, double, size *size);
    s->joint = SLIP_TAKE(arena, double,
                         contacts > system->contact_count ? size * (size_t)system->constraint_count : 0);
}

int slip_impact_problem_row(const slip_impact_problem *s, const slip_system *system, int i)
{
    const int d = s->rigid_impact.hit.d, c = i % d;
    const slip_element *element = &system->elements[s->rigid_impact.element[i / d]];
    return c == 0 ? element->normal_row : c <= element->slip_count ? element->tangent_row + c - 1 : -1;
}

// The rate of a row before the impact. What rests on a table that moves differs from it by rounding alone:
// that is no approach, and beside a slow impact elsewhere it would be a digit of the problem
static double rate_before(const slip_contact_problem *r, int row, const double *u)
{
    const slip_system *s = r->system;
    const double rate = slip_system_row_rate(s, &r->terms, row, u);
    double own = fabs(r->terms.drift[row]);
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
        own = fmax(own, fabs(r->terms.value[k] * u[s->column[k]]));
    return fabs(rate) > RATE_ROUNDING * own ? rate : 0.0;
}

static void impulse_responses(slip_impact_problem *s, slip_contact_problem *r, const double *u)
{
    const slip_system *system = r->system;
    const int size = s->rigid_impact.hit.d * s->rigid_impact.hit.contacts, n = system->n;
    const size_t constraints = (size_t)system->constraint_count;
    if (r->joints) memset(s->joint, 0, (size_t)size * constraints * sizeof *s->joint);
    for (int j = 0; j < size; j++) {
        double *y = s->response + (size_t)j * (size_t)n;
        const int row = slip_impact_problem_row(s, system, j);
        memset(y, 0, (size_t)n * sizeof *y);
        s->rigid_impact.before[j] = 0.0;
        if (row < 0) continue;
        s->rigid_impact.before[j] = rate_before(r, row, u);
        slip_system_row_add(system, &r->terms, row, 1.0, y);
        slip_system_solve(system, &r->terms, y);
        if (r->joints) slip_contact_problem_impulse_multipliers(r, y, s->joint + (size_t)j * constraints);
        slip_contact_problem_constrain(r, y);
    }
}

// A slip_multi_impact's contact problem; `strike` is a slip_impact_problem.
static bool solve_contact_lcp(void *strike, int contacts, const double *W, const double *q, const double *mu,
                              double *z, double *w)
{
    slip_impact_problem *s = strike;
    slip_contact_problem *r = s->rigid;
    s->outcome = SLIP_STALLED;
    if (s->rigid_impact.hit.d == 3)
        return slip_contact_problem_newton_cone(r, contacts, W, q, mu, false, z, w);
    if (contacts == 1 && slip_frictionless_contact_solve(W, q, mu[0], &r->options, z, w)) {
        s->outcome = SLIP_CONVERGED;
        return true;
    }
    slip_problem problem = slip_problem_contacts(2, contacts, W, q, mu);
    s->outcome = slip_solve(slip_solver_find("lemke"), &problem, &r->options, z, w, r->work, NULL);
    return s->outcome == SLIP_CONVERGED;
}

// The normal of a friction without a gap: uncoupled, and as heavy as its slips
static void fill_friction_normals(slip_impact_problem *s)
{
    const int d = s->rigid_impact.hit.d, size = d * s->rigid_impact.hit.contacts;
    for (int k = slip_rigid_impact_gaps(&s->rigid_impact); k < s->rigid_impact.hit.contacts; k++) {
        double most = 0.0;
        for (int i = k * d; i < (k + 1) * d; i++) most = fmax(most, s->W[i * (size + 1)]);
        if (!(most > 0.0)) most = 1.0;
        for (int i = k * d; i < (k + 1) * d; i++)
            if (slip_impact_problem_row(s, s->rigid->system, i) < 0) s->W[i * (size + 1)] = most;
    }
}

void slip_impact_problem_assemble(slip_impact_problem *s, slip_contact_problem *r, const double *u)
{
    slip_rigid_impact_add_frictions(&s->rigid_impact, r->system, r->terms.friction);
    const int d = s->rigid_impact.hit.d, size = d * s->rigid_impact.hit.contacts, n = r->system->n;
    impulse_responses(s, r, u);
    for (int i = 0; i < size; i++) {
        const int row = slip_impact_problem_row(s, r->system, i);
        for (int j = 0; j < size; j++)
            s->W[i * size + j] =
                row < 0 ? 0.0
                        : slip_system_row_dot(r->system, &r->terms, row, s->response + (size_t)j * (size_t)n);
        // in space a direction that a contact does not have is filled with one that nothing drives
        if (row < 0 && d == 3) s->W[i * (size + 1)] = s->W[(i / d * d) * (size + 1)];
    }
    s->rigid = r;
    fill_friction_normals(s);
    s->rigid_impact.joint = r->joints ? s->joint : NULL;
    slip_rigid_impact_set_solver(&s->rigid_impact, s->W, solve_contact_lcp, s);
}

// The gap rate per normal impulse of a contact that slides, (1, -mu n) W (1, 0)', is the one number that
// counts
void slip_impact_problem_force_jam(slip_impact_problem *s, const slip_system *system)
{
    const int d = s->rigid_impact.hit.d, size = d * s->rigid_impact.hit.contacts;
    for (int k = 0; k < s->rigid_impact.hit.contacts; k++) {
        double *A = s->W + (size_t)k * (size_t)d * (size_t)(size + 1), slope = A[0];
        const double *v = s->rigid_impact.before + k * d,
                     speed = d == 2 ? fabs(v[1]) : slip_hypot(v[1], v[2]);
        for (int t = 1; t < d && speed > 0.0; t++) slope -= s->rigid_impact.mu[k] * A[t] * v[t] / speed;
        if (!(slope <= JAM_LIMIT_TOLERANCE * A[0])) continue;
        s->rigid_impact.pressed[k] = system->elements[s->rigid_impact.element[k]].contact->impact_given;
        A[0] -= fmax(0.0, 2.0 * slope);
    }
}
