/// formulation/event_driven/constraint_projection.c: back on the constraints (Gomez 2008, section 3.2).
///
/// Identity metric, Jacobian updated at every iteration (3.11), Moore-Penrose inverse, because contacts
/// that hold are often redundant. Differs from the printed listing by its erratum: the residual that ends
/// the iteration is the one after the update.
#include <float.h>
#include <math.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"
#include "formulation/event_driven/event_driven_tolerances.h"
#include "base/linalg/vectors.h"

void slip_project_layout(slip_arena *arena, slip_event_driven *m)
{
    int n = m->n, rows = m->system->row_count, rank = rows < n ? rows : n;
    m->G = SLIP_TAKE(arena, double, rows *n);
    m->residual = SLIP_TAKE(arena, double, rows);
    m->correction = SLIP_TAKE(arena, double, n);
    m->basis = SLIP_TAKE(arena, double, (rank + 1) * n);
    m->part = SLIP_TAKE(arena, double, rows *(rank + 1));
    m->coefficient = SLIP_TAKE(arena, double, 3 * (rank + 1) + rank * rank);
}

// G = C Q with orthonormal rows in Q: Gram-Schmidt on the row that is largest of what is left. C is kept
// column by column (rows numbers each); G is destroyed. Returns the rank.
static int rank_factorization(int rows, int n, double *G, double *Q, double *C)
{
    int rank = 0;
    double first = 0.0;
    for (; rank < n && rank < rows; rank++) {
        int best = 0;
        double most = -1.0;
        for (int i = 0; i < rows; i++) {
            double size = dot_product(n, G + (size_t)i * (size_t)n, G + (size_t)i * (size_t)n);
            if (size > most) most = size, best = i;
        }
        if (rank == 0) first = most;
        if (!(most > DEPENDENT_ROW_SQUARED * first) || !(most > 0.0)) break;
        double *q = Q + (size_t)rank * (size_t)n, scale = 1.0 / sqrt(most);
        for (int k = 0; k < n; k++) q[k] = G[(size_t)best * (size_t)n + (size_t)k] * scale;
        double *column = C + (size_t)rank * (size_t)rows;
        memset(column, 0, (size_t)rows * sizeof *column);
        for (int i = 0; i < rows; i++) {
            double *g = G + (size_t)i * (size_t)n, part = dot_product(n, q, g);
            column[i] = part;
            for (int k = 0; k < n; k++) g[k] -= part * q[k];
        }
    }
    return rank;
}

void slip_least_squares_min_norm(int rows, int n, double *G, const double *r, double *basis, double *part,
                                 double *coefficient, double *d)
{
    int rank = rank_factorization(rows, n, G, basis, part);
    double *y = coefficient, *R = coefficient + rank;
    // least squares C y = r by Gram-Schmidt on the columns of C, which are independent
    for (int j = 0; j < rank; j++) {
        double *column = part + (size_t)j * (size_t)rows;
        for (int i = 0; i < j; i++) {
            const double *done = part + (size_t)i * (size_t)rows;
            double s = dot_product(rows, done, column);
            R[i * rank + j] = s;
            for (int k = 0; k < rows; k++) column[k] -= s * done[k];
        }
        double size = sqrt(dot_product(rows, column, column));
        R[j * rank + j] = size;
        for (int k = 0; k < rows; k++) column[k] /= size;
        y[j] = dot_product(rows, column, r);
    }
    for (int j = rank - 1; j >= 0; j--) {
        for (int k = j + 1; k < rank; k++) y[j] -= R[j * rank + k] * y[k];
        y[j] /= R[j * rank + j];
    }
    memset(d, 0, (size_t)n * sizeof *d);
    for (int j = 0; j < rank; j++)
        for (int k = 0; k < n; k++) d[k] += y[j] * basis[(size_t)j * (size_t)n + (size_t)k];
}

static void add_dense_row(slip_event_driven *m, int row, double residual, int at)
{
    double *g = m->G + (size_t)at * (size_t)m->n;
    memset(g, 0, (size_t)m->n * sizeof *g);
    slip_system_row_add(m->system, &m->rigid.terms, row, 1.0, g);
    m->residual[at] = residual;
}

// rows and residuals of the positions that hold; returns their number
static int position_residuals(slip_event_driven *m, double *worst)
{
    const slip_system *s = m->system;
    const slip_terms *terms = &m->rigid.terms;
    int count = 0;
    *worst = 0.0;
    for (int i = 0; i < s->constraint_count; i++)
        if (!s->redundant[i]) add_dense_row(m, i, terms->constraint[i], count++);
    for (int e = 0; e < s->element_count; e++)
        if (s->elements[e].has_gap && m->rigid.contact_state[e].closed)
            add_dense_row(m, s->elements[e].normal_row, terms->gap[e], count++);
    for (int i = 0; i < count; i++) *worst = fmax(*worst, fabs(m->residual[i]));
    return count;
}

// The rate of a row that is zero, among those to correct. *off where it is more than the rounding of its own
// terms: beside something fast, what rests would keep a rate of some digits that an event may ask the sign of
static void take_rate(slip_event_driven *m, int row, const double *u, int at, bool *off)
{
    const slip_system *s = m->system;
    const slip_terms *terms = &m->rigid.terms;
    const double rate = slip_system_row_rate(s, terms, row, u);
    double own = fabs(terms->drift[row]);
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
        own = fmax(own, fabs(terms->value[k] * u[s->column[k]]));
    add_dense_row(m, row, rate, at);
    *off = *off || fabs(rate) > RATE_ROUNDING_RELATIVE * own;
}

static int velocity_residuals(slip_event_driven *m, const double *u, bool *off)
{
    const slip_system *s = m->system;
    int count = 0;
    *off = false;
    for (int i = 0; i < s->constraint_count; i++)
        if (!s->redundant[i]) take_rate(m, i, u, count++, off);
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        if (!m->rigid.contact_state[e].closed) continue;
        if (element->has_gap) take_rate(m, element->normal_row, u, count++, off);
        for (int c = 0; c < element->slip_count && m->rigid.contact_state[e].slide == 0; c++)
            take_rate(m, element->tangent_row + c, u, count++, off);
    }
    return count;
}

// the least change of the rates that the rows ask for
static void find_correction(slip_event_driven *m, int count)
{
    slip_least_squares_min_norm(count, m->n, m->G, m->residual, m->basis, m->part, m->coefficient,
                                m->correction);
}

bool slip_project_positions(slip_event_driven *m, double t, double *q, const double *u)
{
    double worst, last = INFINITY, fine = POSITION_EXACT_RELATIVE * slip_event_length_scale(m, q);
    for (int round = 0;; round++) {
        if (!slip_system_evaluate(m->system, SLIP_LEVEL_MOTION, t, q, u, &m->rigid.terms)) return false;
        int count = position_residuals(m, &worst);
        if (!(worst < INFINITY)) return false;
        if (worst <= fine || (worst >= 0.5 * last && worst <= 1e5 * fine))
            return true; // rounding is all that is left
        if (round == 30) return false;
        last = worst;
        find_correction(m, count);
        slip_system_move(m->system, t, q, -1.0, m->correction, &m->rigid.terms, q);
    }
}

bool slip_project_state(slip_event_driven *m, double t, double *q, double *u)
{
    if (!slip_project_positions(m, t, q, u)) return false;
    bool off;
    int count = velocity_residuals(m, u, &off);
    if (!off) return true;
    find_correction(m, count);
    for (int k = 0; k < m->n; k++) {
        if (m->correction[k] == 0.0) continue;
        const double left = u[k] - m->correction[k];
        u[k] =
            fabs(left) <= fmax(CANCELLED_RATE_RELATIVE * fabs(u[k]), CANCELLED_RATE_OF_SCALE * m->least.speed)
                ? 0.0
                : left;
    }
    return true;
}

// ------------------------------------------------------------------------------------------ jumping gaps

void slip_event_warn_gap_jump(slip_event_driven *m, int e, double t, double by)
{
    const char *name = m->system->elements[e].name;
    m->measures[SLIP_EVENT_GAP_JUMPS].value += 1.0;
    slip_warning *w = slip_method_warn(
        &m->base, SLIP_WARNING_GAP_JUMPS, name,
        "the gap of contact '%s' jumps by %.3g m at t = %.9g s, and the body was moved along with it: a "
        "gap must be a continuous function. Write the jump as a steep ramp, or each face as a contact of "
        "its own",
        name, by, t);
    slip_warning_value(w, "jump", by, "m");
}

// gap of an element between two states, at s in [0, 1]
static double gap_between(slip_event_driven *m, int e, double t, const double *x, double t_after,
                          const double *after, double s)
{
    for (int k = 0; k < m->n; k++) m->correction[k] = x[k] + s * (after[k] - x[k]);
    slip_system_evaluate(m->system, SLIP_LEVEL_GAP, t + s * (t_after - t), m->correction, m->u,
                         &m->rigid.terms);
    return m->rigid.terms.gap[e];
}

void slip_event_check_gap_jumps(slip_event_driven *m, double t, const double *x, double t_after,
                                const double *after)
{
    for (int e = 0; e < m->elements; e++) {
        if (!m->system->elements[e].has_gap || !m->rigid.contact_state[e].closed) continue;
        // the half in which the gap changes more, again and again: a jump stays as large as it is. The ends
        // are both on the contact, so what leads to the jump and away from it is as large
        enum { PARTS = 64, HALVINGS = 40 };
        double a = 0.0, f = gap_between(m, e, t, x, t_after, after, 0.0), most = 0.0, g = f, step = 0.0;
        for (int k = 1; k <= PARTS; k++) {
            double next = gap_between(m, e, t, x, t_after, after, k / (double)PARTS);
            if (fabs(next - g) > fabs(step)) a = (k - 1) / (double)PARTS, f = g, step = next - g;
            g = next;
        }
        most = fabs(step);
        double width = 1.0 / PARTS;
        for (int k = 0; k < HALVINGS; k++) {
            width *= 0.5;
            double middle = gap_between(m, e, t, x, t_after, after, a + width), left = middle - f;
            if (fabs(left) >= fabs(step - left))
                step = left;
            else
                a += width, f = middle, step -= left;
        }
        if (most > 0.0 && fabs(step) > 0.5 * most && fabs(step) > 0.1 * m->shift)
            slip_event_warn_gap_jump(m, e, t + a * (t_after - t), step);
    }
    slip_system_evaluate(m->system, SLIP_LEVEL_GAP, t_after, after, m->u, &m->rigid.terms);
}
