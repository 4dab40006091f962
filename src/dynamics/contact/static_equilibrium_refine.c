/// dynamics/contact/static_equilibrium_refine.c: forces of the contacts that carry, to the last digits.
///
/// Sweeps soon know who carries, sticks and slides, and are slow to say how much: in a stack each one moves
/// the load by a block. With the former taken as known the forces are a linear problem. Where they are not
/// determined, as at four corners under one block, the least change is taken.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/linalg.h"
#include "dynamics/contact/static_equilibrium_search.h"
#include "dynamics/dynamics_tolerances.h"

// how a contact's friction follows its normal force, where it slides
static bool is_sliding(const slip_static_search *r, const slip_element *element, int e, double *share)
{
    const double normal = element->has_gap ? r->lambda[element->normal_row] : 0.0;
    double size = 0.0;
    for (int k = 0; k < element->slip_count; k++)
        size = slip_hypot(size, r->lambda[element->tangent_row + k]);
    for (int k = 0; k < element->slip_count; k++)
        share[k] = normal > 0.0 ? r->lambda[element->tangent_row + k] / normal : 0.0;
    return size >= SLIDING_FRACTION_OF_LIMIT * slip_static_friction_limit(r, e);
}

// rows that keep their place: constraints, contacts that carry, what sticks
static int list_held(slip_static_search *r)
{
    const slip_system *s = r->system;
    int count = 0;
    for (int row = 0; row < s->constraint_count; row++) r->list[count++] = row;
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        double share[2];
        if (element->has_gap && !(r->lambda[element->normal_row] > 0.0)) continue;
        if (element->has_gap) r->list[count++] = element->normal_row;
        if (is_sliding(r, element, e, share)) continue;
        for (int k = 0; k < element->slip_count; k++) r->list[count++] = element->tangent_row + k;
    }
    return count;
}

// what a force does to all rows, with the friction that follows it
static void force_column(slip_static_search *r, int row, double *column)
{
    const slip_system *s = r->system;
    for (int k = 0; k < r->rows; k++) column[k] = r->D[k * r->rows + row];
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        double share[2];
        if (!element->has_gap || element->normal_row != row || !is_sliding(r, element, e, share)) continue;
        for (int t = 0; t < element->slip_count; t++)
            for (int k = 0; k < r->rows; k++)
                column[k] += share[t] * r->D[k * r->rows + element->tangent_row + t];
    }
}

static bool solve_held_rows(slip_static_search *r, int count, double *x)
{
    for (int j = 0; j < count; j++) {
        force_column(r, r->list[j], r->column);
        for (int i = 0; i < count; i++) r->P[i * count + j] = r->column[r->list[i]];
        x[j] = -r->y[r->list[j]];
    }
    return slip_least_squares(count, r->P, x, DEPENDENT_FORCE, r->pivot, r->spare) >= 0;
}

// forces change by x, and friction of what slides with them
static void add_forces(slip_static_search *r, int count, const double *x)
{
    const slip_system *s = r->system;
    memcpy(r->column, r->lambda, (size_t)r->rows * sizeof *r->column);
    for (int j = 0; j < count; j++) r->column[r->list[j]] += x[j];
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        double share[2];
        if (!element->has_gap || !is_sliding(r, element, e, share)) continue;
        for (int k = 0; k < element->slip_count; k++)
            r->column[element->tangent_row + k] = share[k] * r->column[element->normal_row];
    }
    for (int row = 0; row < r->rows; row++) slip_static_set_force(r, row, r->column[row]);
}

// nothing pulls, and nothing rubs harder than it can
static bool is_admissible(const slip_static_search *r)
{
    const slip_system *s = r->system;
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        double size = 0.0;
        if (element->has_gap && r->lambda[element->normal_row] < 0.0) return false;
        for (int k = 0; k < element->slip_count; k++)
            size = slip_hypot(size, r->lambda[element->tangent_row + k]);
        if (size > slip_static_friction_limit(r, e) * (1.0 + FRICTION_LIMIT_EXCESS)) return false;
    }
    return true;
}

void slip_static_refine_forces(slip_static_search *r)
{
    const int count = list_held(r);
    double *x = r->spare + (size_t)SLIP_LEAST_SQUARES_WORK * (size_t)r->rows;
    if (count == 0 || !solve_held_rows(r, count, x)) return;
    for (int j = 0; j < count; j++)
        if (!isfinite(x[j])) return;
    memcpy(r->kept, r->lambda, (size_t)r->rows * sizeof *r->kept);
    memcpy(r->kept + r->rows, r->y, (size_t)r->rows * sizeof *r->kept);
    add_forces(r, count, x);
    if (is_admissible(r)) return;
    memcpy(r->lambda, r->kept, (size_t)r->rows * sizeof *r->kept);
    memcpy(r->y, r->kept + r->rows, (size_t)r->rows * sizeof *r->kept);
}
