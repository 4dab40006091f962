/// formulation/moreau/moreau_solve.c: choice of the solver for the contact problem of a step.
///
/// Nothing to do, or the states of the last step still fit: linear equations, checked against the law.
/// Else the chosen solver; where it falls short of the tolerance, those behind it. An answer that misses the
/// tolerance is taken only when none is better and it is good enough for the motion.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/linalg.h"
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

// P = 0 is the answer when every xi_N >= 0 without impulses
static bool nothing_to_do(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    for (int b = 0; b < p->blocks; b++)
        if (!(p->q[b * m->d] >= 0.0)) return false;
    memset(p->r, 0, sizeof(double) * (size_t)(p->blocks * m->d));
    memcpy(p->w, p->q, sizeof(double) * (size_t)(p->blocks * m->d));
    return true;
}

// ---- linear equations ----------------------------------------------------------------------------------

enum { PRINTED = 24 }; // unknowns, of the scheme as printed

// the scheme as printed leaves space to the solvers
static bool is_small(const slip_moreau *m)
{
    const int size = m->d * m->problem.blocks;
    return m->max_substeps > 1 ? size <= SLIP_MOREAU_MAX_DENSE_UNKNOWNS : m->d == 2 && size <= PRINTED;
}

// whether friction is below a limit; by squares where these tell, since a root takes its time
static bool is_within(int d, const double *r, double limit)
{
    if (d == 2) return fabs(r[1]) < limit;
    return r[1] * r[1] + r[2] * r[2] < SURELY_BELOW_SQUARED * limit * limit || slip_hypot(r[1], r[2]) < limit;
}

slip_moreau_state slip_moreau_state_of(const slip_moreau *m, int b)
{
    const slip_moreau_problem *p = &m->problem;
    const double *r = p->r + (long)b * m->d, *w = p->w + (long)b * m->d;
    if (!(r[0] > 0.0)) return SLIP_STATE_OPEN;
    if (is_within(m->d, r, p->mu[b] * r[0] * (1.0 - STICK_MARGIN))) return SLIP_STATE_STICKING;
    // one of several contacts of a body may be at its limit while the others hold it
    if (fabs(w[1]) <= p->still && p->mu[b] > 0.0 && (m->d == 2 || fabs(w[2]) <= p->still))
        return SLIP_STATE_STICKING;
    return w[1] > 0.0 || m->d == 3 ? SLIP_STATE_FORWARD : SLIP_STATE_BACKWARD; // in space: some way
}

// what an iterative solver leaves of the last digits: its states, solved exactly; else its impulses, on the
// cone
static void refine_solution(slip_moreau *m, double *residual)
{
    slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d;
    if (is_small(m)) {
        memcpy(p->best, p->r, sizeof(double) * (size_t)size);
        if (slip_moreau_refine_active_set(m, residual)) return;
        memcpy(p->r, p->best, sizeof(double) * (size_t)size);
    }
    for (int b = 0; b < p->blocks; b++) {
        double *r = p->r + (long)b * m->d;
        r[0] = slip_larger(0.0, r[0]);
        const double tangent = m->d == 2 ? fabs(r[1]) : slip_hypot(r[1], r[2]), most = p->mu[b] * r[0];
        for (int c = 1; c < m->d && tangent > most; c++) r[c] *= most / tangent;
    }
    for (int i = 0; i < size; i++) {
        p->w[i] = p->q[i];
        for (int j = 0; j < size; j++) p->w[i] += p->W[(long)i * size + j] * p->r[j];
    }
}

// ---- the solvers -----------------------------------------------------------------------------------

// a warm start, where the method can use one
void slip_moreau_warm_start(slip_moreau *m, const slip_moreau_step *from, double *r)
{
    slip_moreau_problem *p = &m->problem;
    const slip_moreau_history *history = &from->history;
    const bool same = p->length == history->warm_length || m->max_substeps == 1;
    const double scale = !m->guesses                  ? 0.0
                         : same                       ? 1.0
                         : history->warm_length > 0.0 ? p->length / history->warm_length
                                                      : 0.0;
    for (int b = 0; b < p->blocks; b++)
        for (int c = 0; c < m->d; c++) r[b * m->d + c] = scale * history->warm[3L * p->element[b] + c];
}

// how far a contact is pulled, as a velocity relative to the largest: an answer that pulls is none
static double worst_tension(const slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d;
    const double scale = m->problem.largest;
    double worst = 0.0;
    for (int b = 0; b < p->blocks; b++) {
        const int i = b * m->d;
        worst = slip_larger(worst, -p->r[i] * p->W[(long)i * (size + 1)]);
        worst = slip_larger(worst, -p->w[i]);
    }
    return scale > 0.0 ? worst / scale : worst;
}

// many contacts in space; their states are too many to be solved for as dense equations
static bool has_many_spatial_contacts(const slip_moreau *m)
{
    return m->d == 3 && m->problem.blocks * m->d > SLIP_MOREAU_MAX_DENSE_UNKNOWNS;
}

static double accepted_residual(const slip_moreau *m)
{
    return has_many_spatial_contacts(m) ? ACCEPTED_RESIDUAL_MANY_CONTACTS : ACCEPTED_RESIDUAL;
}

// Asks solver k; true when it converged, as far as rounding lets it. Otherwise the best answer so far is kept
// in p->best
static bool try_solver(slip_moreau *m, int k, const slip_problem *problem, double *best, double *residual)
{
    slip_moreau_problem *p = &m->problem;
    slip_solve_info info;
    slip_solve_options options = m->options;
    if (has_many_spatial_contacts(m)) options.tolerance = m->crowd_tolerance;
    const slip_outcome outcome =
        slip_solve(m->solver[k], problem, &options, p->r, p->w, m->solver_work, &info);
    const double pull = worst_tension(m), off = fmax(fmax(info.residual, info.rounding), pull);
    *residual = info.residual;
    if ((outcome == SLIP_CONVERGED && pull <= accepted_residual(m)) ||
        (info.residual <= options.tolerance && off <= accepted_residual(m)))
        return true;
    if (off < *best) {
        *best = off;
        memcpy(p->best, p->r, sizeof(double) * (size_t)(p->blocks * m->d));
    }
    return false;
}

// The problem as the solvers see it. In space a crowd has most blocks of W empty, contacts of bodies that do
// not meet: it is handed over sparse, in the memory of J. In the plane pivoting wants it dense.
static slip_problem solver_problem(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d, square = m->d * m->d;
    slip_problem problem = slip_problem_contacts(m->d, p->blocks, p->W, p->q, p->mu);
    if (!has_many_spatial_contacts(m)) return problem;
    int count = 0;
    for (int a = 0; a < p->blocks; a++) {
        p->sparse_row[a] = count;
        for (int b = 0; b < p->blocks; b++) {
            double *to = p->J + (long)count * square, any = 0.0;
            for (int i = 0; i < square; i++) {
                to[i] = p->W[(long)(a * m->d + i / m->d) * size + b * m->d + i % m->d];
                any = slip_larger(any, fabs(to[i]));
            }
            if (any > 0.0) p->sparse_column[count++] = b;
        }
    }
    p->sparse_row[p->blocks] = count;
    problem.W = slip_matrix_sparse(size, size, m->d, p->sparse_row, p->sparse_column, p->J);
    return problem;
}

// The chosen solver, then its stand-ins, with a guess first and without one after that. An answer that misses
// the tolerance is taken when there is none better and it is good enough for the motion: heavy and light
// parts in one contact have answers that are right and yet not to ten digits
static bool try_solvers(slip_moreau *m, const slip_moreau_step *from, slip_moreau_step *step,
                        double *residual)
{
    slip_moreau_problem *p = &m->problem;
    const slip_problem problem = solver_problem(m);
    double best = INFINITY;
    for (int warm = 1; warm >= 0; warm--)
        for (int k = 0; k < m->solver_count; k++) {
            if (!slip_solver_accepts(m->solver[k], &problem) || p->blocks > m->solver_most[k]) continue;
            m->options.warm_start = warm;
            if (warm)
                slip_moreau_warm_start(m, from, p->r);
            else
                memset(p->r, 0, sizeof(double) * (size_t)(p->blocks * m->d));
            if (!try_solver(m, k, &problem, &best, residual)) continue;
            step->rescued += k > 0 || !warm;
            return true;
        }
    m->unsolved = best;
    if (!(best <= accepted_residual(m))) return false;
    memcpy(p->r, p->best, sizeof(double) * (size_t)(p->blocks * m->d));
    *residual = best;
    step->rescued++;
    return true;
}

bool slip_moreau_solve(slip_moreau *m, const slip_moreau_step *from, slip_moreau_step *step)
{
    double residual = 0.0;
    const bool easy =
        nothing_to_do(m) || (is_small(m) && slip_moreau_try_last_active_set(m, from, &residual));
    if (!easy && !try_solvers(m, from, step, &residual)) return false;
    if (!easy) refine_solution(m, &residual);
    if (m->problem.still > 0.0)
        m->problem.still =
            slip_larger(m->problem.still, STICK_SLIP_RESIDUALS * residual * m->problem.largest);
    step->residual = slip_larger(step->residual, residual);
    return true;
}

// end += r y and turnover += |r y|
static void add_impulse_response(int n, double r, const double *y, double *restrict end,
                                 double *restrict turnover)
{
    for (int k = 0; k < n; k++) {
        const double by = r * y[k];
        end[k] += by;
        turnover[k] += fabs(by);
    }
}

// the same of three unknowns, one after the other
static void add_three_responses(int n, const double *r, const double *const *y, double *restrict end,
                                double *restrict turnover)
{
    const double r0 = r[0], r1 = r[1], r2 = r[2], *y0 = y[0], *y1 = y[1], *y2 = y[2];
    for (int k = 0; k < n; k++) {
        const double a = r0 * y0[k], b = r1 * y1[k], c = r2 * y2[k];
        end[k] = end[k] + a + b + c;
        turnover[k] = turnover[k] + fabs(a) + fabs(b) + fabs(c);
    }
}

static bool has_impulse(const slip_moreau_problem *p, int i)
{
    return p->row[i] >= 0 && p->r[i] != 0.0;
}

void slip_moreau_end_velocity(slip_moreau *m, const double *u, double *u_end)
{
    const slip_moreau_problem *p = &m->problem;
    const int n = m->n, size = p->blocks * m->d;
    double *turnover = m->turnover;
    for (int b = 0; b < p->blocks; b++) p->state[b] = (unsigned char)slip_moreau_state_of(m, b);
    for (int k = 0; k < n; k++) {
        const double free = p->free[k];
        u_end[k] = free; // (80)
        turnover[k] = fabs(free - u[k]);
    }
    for (int a = 0; a < m->system->constraint_count; a++)
        for (int k = 0; k < n; k++) turnover[k] += fabs(p->lambda[a] * p->JY[(long)a * n + k]);
    for (int i = 0; i < size; i++) {
        if (i + 2 < size && has_impulse(p, i) && has_impulse(p, i + 1) && has_impulse(p, i + 2)) {
            add_three_responses(n, p->r + i, p->response + i, u_end, turnover);
            i += 2;
        } else if (has_impulse(p, i))
            add_impulse_response(n, p->r[i], p->response[i], u_end, turnover);
    }
}

// a strike says nothing about frictions without a gap that take no part in it
void slip_moreau_states(slip_moreau *m, const slip_moreau_step *from, slip_moreau_step *step)
{
    const slip_system *s = m->system;
    const int cleared = slip_moreau_is_impact(m) ? s->contact_count : s->element_count;
    for (int e = 0; e < s->element_count; e++) m->was[e] = from->state[e];
    for (int e = 0; e < cleared; e++) step->state[e] = SLIP_STATE_OPEN;
    for (int b = 0; b < m->problem.blocks; b++) step->state[m->problem.element[b]] = m->problem.state[b];
}
