/// formulation/auto/auto_handover.c: the least changes of position and velocity that a hand-over needs.
#include <math.h>
#include <string.h>

#include "formulation/auto/auto.h"
#include "base/linalg/linalg.h"
#include "formulation/moreau/moreau.h"
#include "formulation/auto/auto_tolerances.h"

void slip_auto_handover_layout(slip_arena *a, slip_auto *m)
{
    int rows = 3 * m->elements + m->rigid->system->constraint_count;
    m->Y = SLIP_TAKE(a, double, rows * m->n);
    m->G = SLIP_TAKE(a, double, rows *rows);
    m->lambda = SLIP_TAKE(a, double, rows);
    m->shift = SLIP_TAKE(a, double, m->n);
    m->row_of = SLIP_TAKE(a, int, rows);
    m->owner = SLIP_TAKE(a, int, rows);
}

// shift = M^-1 W' (W M^-1 W')^-1 lambda over the first `count` entries of m->row_of. A row that depends on
// those before it asks for nothing new
static void least_norm_shift(slip_auto *m, int count)
{
    const slip_system *s = m->rigid->system;
    const slip_terms *terms = &m->rigid->rigid.terms;
    for (int i = 0; i < count; i++)
        slip_system_solve_row(s, terms, m->row_of[i], m->Y + (size_t)i * (size_t)m->n);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            m->G[i * count + j] =
                slip_system_row_dot(s, terms, m->row_of[i], m->Y + (size_t)j * (size_t)m->n);
    slip_cholesky_semidefinite(count, m->G, DEPENDENT_ROW_PIVOT);
    slip_cholesky_solve(count, m->G, m->lambda);
    memset(m->shift, 0, (size_t)m->n * sizeof *m->shift);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < m->n; k++)
            m->shift[k] += m->lambda[i] * m->Y[(size_t)i * (size_t)m->n + (size_t)k];
}

void slip_auto_shift_gaps(slip_auto *m, double t, double *q, const double *u, int count, const int *element,
                          const double *depth)
{
    const slip_system *s = m->rigid->system;
    slip_terms *terms = &m->rigid->rigid.terms;
    for (int round = 0; round < 4 && count > 0; round++) { // gaps are curved; depths are small
        if (!slip_system_evaluate(s, SLIP_LEVEL_ACCELERATION, t, q, u, terms)) return;
        int rows = s->constraint_count;
        for (int a = 0; a < rows; a++) m->row_of[a] = a, m->lambda[a] = -terms->constraint[a];
        for (int i = 0; i < count; i++) {
            m->row_of[rows] = s->elements[element[i]].normal_row;
            m->lambda[rows++] = -depth[i] - terms->gap[element[i]];
        }
        least_norm_shift(m, rows);
        slip_system_move(s, t, q, 1.0, m->shift, terms, q);
    }
}

double slip_auto_stop_rates(slip_auto *m, double t, const double *q, double *u, int count, const int *element,
                            const bool *sticks)
{
    const slip_system *s = m->rigid->system;
    slip_terms *terms = &m->rigid->rigid.terms;
    int rows = s->constraint_count;
    if (count == 0 || !slip_system_evaluate(s, SLIP_LEVEL_ACCELERATION, t, q, u, terms)) return 0.0;
    for (int a = 0; a < rows; a++) m->row_of[a] = a;
    for (int i = 0; i < count; i++) {
        m->row_of[rows++] = s->elements[element[i]].normal_row;
        for (int c = 0; c < s->elements[element[i]].slip_count && sticks[i]; c++)
            m->row_of[rows++] = s->elements[element[i]].tangent_row + c;
    }
    for (int i = 0; i < rows; i++) m->lambda[i] = -slip_system_row_rate(s, terms, m->row_of[i], u);
    least_norm_shift(m, rows);
    double most = 0.0;
    for (int i = s->constraint_count; i < rows; i++) most = fmax(most, fabs(m->lambda[i]));
    for (int k = 0; k < m->n; k++) u[k] += m->shift[k];
    return most;
}

slip_compliant_constants slip_auto_contact_constants(slip_auto *m, int e)
{
    const slip_compliant_constants *c = &m->rigid->compliance[e];
    if (!(c->zeta > 0.0)) return *c;
    int row = m->rigid->system->elements[e].normal_row;
    slip_system_solve_row(m->rigid->system, &m->rigid->rigid.terms, row, m->shift);
    slip_contact_problem_constrain(&m->rigid->rigid, m->shift);
    return slip_compliant_with_mass(
        c, 1.0 / slip_system_row_dot(m->rigid->system, &m->rigid->rigid.terms, row, m->shift));
}

void slip_auto_evaluate_contacts(slip_auto *m, double t, const double *q, const double *u)
{
    const slip_system *s = m->rigid->system;
    slip_terms *terms = &m->rigid->rigid.terms;
    bool known = s->constraint_count
                     ? slip_contact_problem_build(&m->rigid->rigid, t, q, u) // masses feel the constraints
                     : slip_system_evaluate(s, SLIP_LEVEL_ACCELERATION, t, q, u, terms);
    for (int e = 0; e < m->elements && known; e++) {
        const slip_element *element = &s->elements[e];
        m->N[e] = m->gap_rate[e] = m->slip_rate[2 * e] = m->slip_rate[2 * e + 1] = 0.0;
        for (int c = 0; c < element->slip_count; c++)
            m->slip_rate[2 * e + c] = slip_system_row_rate(s, terms, element->tangent_row + c, u);
        if (!element->has_gap) continue;
        m->gap_rate[e] = slip_system_row_rate(s, terms, element->normal_row, u);
        if (!(terms->gap[e] < 0.0)) continue;
        slip_compliant_constants c = slip_auto_contact_constants(m, e);
        m->N[e] = fmax(0.0, slip_compliant_normal(&c, -terms->gap[e], -m->gap_rate[e]).force);
    }
}

double slip_auto_energy(slip_auto *m, double t, const double *q, const double *u)
{
    double kinetic, potential, power;
    slip_system_energy(m->rigid->system, t, q, u, &m->rigid->rigid.terms, &kinetic, &potential, &power);
    return kinetic + potential;
}
