/// stepping/moreau_problem.c: the contact problem of one step of Moreau's rule.
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "stepping/moreau.h"

void slip_semi_cholesky(int n, double *A, double least)
{
    for (int j = 0; j < n; j++) {
        double *row_j = A + (long)j * n, whole = row_j[j], d = whole;
        for (int k = 0; k < j; k++) d -= row_j[k] * row_j[k];
        row_j[j] = d > least * whole && whole > 0.0 ? sqrt(d) : INFINITY;
        for (int i = j + 1; i < n; i++) {
            double *row_i = A + (long)i * n, s = row_i[j];
            for (int k = 0; k < j; k++) s -= row_i[k] * row_j[k];
            row_i[j] = s / row_j[j];
        }
    }
}

void slip_moreau_free_velocity(slip_moreau *m, double dt, const double *u)
{
    double *v = m->problem.free;
    for (int i = 0; i < m->n; i++) v[i] = dt * m->terms.h[i];
    slip_system_solve(m->system, &m->terms, v);
    for (int i = 0; i < m->n; i++) v[i] += u[i];
}

// J M^-1 J' of the bilateral constraints, factored; redundant ones drop out
static void factor_constraints(slip_moreau *m)
{
    const slip_system *s = m->system;
    slip_moreau_problem *p = &m->problem;
    const int count = s->constraint_count;
    for (int a = 0; a < count; a++) {
        double *y = p->JY + (long)a * m->n;
        slip_system_solve_row(s, &m->terms, a, y);
        for (int b = 0; b <= a; b++) p->S[a * count + b] = slip_system_row_dot(s, &m->terms, b, y);
    }
    slip_semi_cholesky(count, p->S, 1e-12);
}

// v := v + M^-1 J' L such that J v + drift = 0 (drift only for velocities); L into `impulse`
static void onto_constraints(slip_moreau *m, double *v, double *impulse, bool velocity)
{
    const slip_system *s = m->system;
    const slip_moreau_problem *p = &m->problem;
    for (int a = 0; a < s->constraint_count; a++)
        impulse[a] = -slip_system_row_dot(s, &m->terms, a, v) - (velocity ? m->terms.drift[a] : 0.0);
    slip_cholesky_solve(s->constraint_count, p->S, impulse);
    for (int a = 0; a < s->constraint_count; a++)
        for (int i = 0; i < m->n; i++) v[i] += impulse[a] * p->JY[(long)a * m->n + i];
}

static void add_block(slip_moreau *m, int element)
{
    const slip_element *e = &m->system->elements[element];
    slip_moreau_problem *p = &m->problem;
    const int b = p->blocks++;
    p->element[b] = element;
    p->row[b * m->d] = e->normal_row;
    for (int c = 0; c < m->d - 1; c++) p->row[b * m->d + 1 + c] = c < e->slip_count ? e->tangent_row + c : -1;
    p->mu[b] = !e->has_gap ? 1.0 : e->slip_count ? m->terms.friction[element] : 0.0;
}

static void find_active(slip_moreau *m)
{
    const slip_system *s = m->system;
    m->problem.blocks = 0;
    for (int e = 0; e < s->element_count; e++)
        if (s->elements[e].has_gap ? m->terms.gap[e] <= m->slack[e] : m->terms.friction[e] > 0.0)
            add_block(m, e);
}

// a row of the system as unknown i: its M^-1 w', gamma_A and right-hand side (69), (70)
static void fill_unknown(slip_moreau *m, int i, double restitution, const double *u)
{
    const slip_system *s = m->system;
    slip_moreau_problem *p = &m->problem;
    const int row = p->row[i];
    double *y = p->Y + (long)i * m->n;
    slip_system_solve_row(s, &m->terms, row, y);
    if (s->constraint_count) onto_constraints(m, y, p->coupled + (long)i * s->constraint_count, false);
    p->before[i] = slip_system_row_rate(s, &m->terms, row, u);
    const double after = slip_system_row_rate(s, &m->terms, row, p->free);
    p->freely[i] = after - p->before[i];
    p->q[i] = after + restitution * p->before[i];
}

static void fill_rows(slip_moreau *m, const double *u)
{
    slip_moreau_problem *p = &m->problem;
    for (int b = 0; b < p->blocks; b++) {
        const slip_element *e = &m->system->elements[p->element[b]];
        for (int c = 0; c < m->d; c++) {
            const int i = b * m->d + c;
            if (p->row[i] >= 0)
                fill_unknown(m, i, c ? e->contact->restitution_t : e->contact->restitution, u);
            else
                p->before[i] = p->freely[i] = p->q[i] = 0.0;
        }
    }
}

static void fill_delassus(slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d;
    for (int i = 0; i < size; i++)
        for (int j = 0; j <= i; j++) {
            double w = 0.0;
            if (p->row[i] >= 0 && p->row[j] >= 0)
                w = slip_system_row_dot(m->system, &m->terms, p->row[j], p->Y + (long)i * m->n);
            p->W[(long)i * size + j] = p->W[(long)j * size + i] = w;
        }
}

// the unknowns that an element does not have: coupled to nothing, as heavy as those it has
static void fill_missing(slip_moreau *m, double dt)
{
    const slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d;
    for (int b = 0; b < p->blocks; b++) {
        double most = 0.0;
        for (int c = 0; c < m->d; c++) most = fmax(most, p->W[(long)(b * m->d + c) * (size + 1)]);
        if (!(most > 0.0)) most = 1.0;
        for (int c = 0; c < m->d; c++) {
            const int i = b * m->d + c;
            if (p->row[i] >= 0) continue;
            p->W[(long)i * (size + 1)] = most;
            if (c == 0) p->q[i] = -most * dt * m->terms.friction[p->element[b]]; // P_N = F dt
        }
    }
}

void slip_moreau_assemble(slip_moreau *m, double dt, const double *u)
{
    slip_moreau_free_velocity(m, dt, u);
    find_active(m);
    if (m->system->constraint_count) {
        factor_constraints(m);
        onto_constraints(m, m->problem.free, m->problem.lambda, true);
    }
    fill_rows(m, u);
    fill_delassus(m);
    fill_missing(m, dt);
}
