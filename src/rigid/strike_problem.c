/// rigid/strike_problem.c: an impact of the contacts of a rigid system, from its rows.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "rigid/strike_problem.h"
#include "solver/lemke.h"

static const double BORDER = 1e-6;    // of what the gap rate changes by without friction
static const double ROUNDING = 1e-14; // of the terms of a rate, which is zero below

void slip_strike_layout(slip_arena *arena, const slip_system *system, int d, slip_strike *s)
{
    const size_t size = (size_t)(d * system->contact_count);
    slip_striker_layout(arena, system, d, &s->striker);
    s->response = SLIP_TAKE(arena, double, size *(size_t)system->n);
    s->W = SLIP_TAKE(arena, double, size *size);
}

int slip_strike_row(const slip_strike *s, const slip_system *system, int i)
{
    const int d = s->striker.hit.d, c = i % d;
    const slip_element *element = &system->elements[s->striker.element[i / d]];
    return c == 0 ? element->normal_row : c <= element->slip_count ? element->tangent_row + c - 1 : -1;
}

// The rate of a row before the impact. What rests on a table that moves differs from it by rounding alone:
// that is no approach, and beside a slow impact elsewhere it would be a digit of the problem
static double rate_before(const slip_rigid *r, int row, const double *u)
{
    const slip_system *s = r->system;
    const double rate = slip_system_row_rate(s, &r->terms, row, u);
    double own = fabs(r->terms.drift[row]);
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
        own = fmax(own, fabs(r->terms.value[k] * u[s->column[k]]));
    return fabs(rate) > ROUNDING * own ? rate : 0.0;
}

static void find_responses(slip_strike *s, slip_rigid *r, const double *u)
{
    const slip_system *system = r->system;
    const int size = s->striker.hit.d * s->striker.hit.contacts, n = system->n;
    for (int j = 0; j < size; j++) {
        double *y = s->response + (size_t)j * (size_t)n;
        const int row = slip_strike_row(s, system, j);
        memset(y, 0, (size_t)n * sizeof *y);
        s->striker.before[j] = 0.0;
        if (row < 0) continue;
        s->striker.before[j] = rate_before(r, row, u);
        slip_system_row_add(system, &r->terms, row, 1.0, y);
        slip_system_solve(system, &r->terms, y);
        slip_rigid_constrain(r, y);
    }
}

// A slip_collision's contact problem; `strike` is a slip_strike.
static bool solve(void *strike, int contacts, const double *W, const double *q, const double *mu, double *z,
                  double *w)
{
    slip_strike *s = strike;
    slip_rigid *r = s->rigid;
    s->outcome = SLIP_STALLED;
    if (s->striker.hit.d == 3) return slip_rigid_cone(r, contacts, W, q, mu, false, z, w);
    if (contacts == 1 && slip_solve_smooth_contact(W, q, mu[0], &r->options, z, w)) {
        s->outcome = SLIP_CONVERGED;
        return true;
    }
    slip_problem problem = slip_problem_contacts(2, contacts, W, q, mu);
    s->outcome = slip_solve(slip_solver_find("lemke"), &problem, &r->options, z, w, r->work, NULL);
    return s->outcome == SLIP_CONVERGED;
}

void slip_strike_assemble(slip_strike *s, slip_rigid *r, const double *u)
{
    const int d = s->striker.hit.d, size = d * s->striker.hit.contacts, n = r->system->n;
    find_responses(s, r, u);
    for (int i = 0; i < size; i++) {
        const int row = slip_strike_row(s, r->system, i);
        for (int j = 0; j < size; j++)
            s->W[i * size + j] =
                row < 0 ? 0.0
                        : slip_system_row_dot(r->system, &r->terms, row, s->response + (size_t)j * (size_t)n);
        // in space a direction that a contact does not have is filled with one that nothing drives
        if (row < 0 && d == 3) s->W[i * (size + 1)] = s->W[(i / d * d) * (size + 1)];
    }
    s->rigid = r;
    s->striker.hit.W = s->W;
    s->striker.hit.solve = solve;
    s->striker.hit.context = s;
}

// The gap rate per normal impulse of a contact that slides, (1, -mu n) W (1, 0)', is the one number that
// counts
void slip_strike_press(slip_strike *s, const slip_system *system)
{
    const int d = s->striker.hit.d, size = d * s->striker.hit.contacts;
    for (int k = 0; k < s->striker.hit.contacts; k++) {
        double *A = s->W + (size_t)k * (size_t)d * (size_t)(size + 1), slope = A[0];
        const double *v = s->striker.before + k * d, speed = d == 2 ? fabs(v[1]) : slip_hypot(v[1], v[2]);
        for (int t = 1; t < d && speed > 0.0; t++) slope -= s->striker.mu[k] * A[t] * v[t] / speed;
        if (!(slope <= BORDER * A[0])) continue;
        s->striker.pressed[k] = system->elements[s->striker.element[k]].contact->impact_given;
        A[0] -= fmax(0.0, 2.0 * slope);
    }
}
