/// dynamics/contact/load_friction_gain.c: uniqueness of friction that depends on a load.
///
/// With a limit L' more at friction j the force that load i is measured by changes by at most B_ij L',
/// whatever the other forces are: B_ij = c_j |what a unit of friction j does to it|. Where the spectral
/// radius of B is below 1 limits and loads agree in one way. One load alone is a convex function of its
/// limit: with a gain above 1 there are two answers, or none (Painleve's paradox of a joint).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/linalg.h"
#include "dynamics/contact/load_dependent_friction.h"
#include "dynamics/dynamics_tolerances.h"

// rows of the constraints by the inverse mass, and J M^-1 J' factored
static bool factor_constraint_matrix(const slip_friction_loads *l, const slip_system *s,
                                     const slip_terms *terms)
{
    const int c = s->constraint_count, n = s->n;
    double trace = 0.0;
    for (int a = 0; a < c; a++) {
        double *y = l->Y + (size_t)a * (size_t)n;
        memset(y, 0, (size_t)n * sizeof *y);
        slip_system_row_add(s, terms, a, 1.0, y);
        slip_system_solve(s, terms, y);
        for (int b = 0; b < c; b++) l->A[b * c + a] = slip_system_row_dot(s, terms, b, y);
        trace += l->A[a * (c + 1)];
    }
    for (int a = 0; a < c; a++)
        l->A[a * (c + 1)] += CONSTRAINT_SHIFT * trace; // constraints may depend on each other
    return slip_cholesky(c, l->A);
}

// accelerations of a unit of force along a row, with what the constraints do against it in l->lambda
static void constrained_response(const slip_friction_loads *l, const slip_system *s, const slip_terms *terms,
                                 int row, double *y)
{
    const int c = s->constraint_count, n = s->n;
    memset(y, 0, (size_t)n * sizeof *y);
    slip_system_row_add(s, terms, row, 1.0, y);
    slip_system_solve(s, terms, y);
    for (int a = 0; a < c; a++) l->lambda[a] = -slip_system_row_dot(s, terms, a, y);
    slip_cholesky_solve(c, l->A, l->lambda);
    for (int a = 0; a < c; a++)
        for (int k = 0; k < n; k++) y[k] += l->lambda[a] * l->Y[(size_t)a * (size_t)n + (size_t)k];
}

// what a unit of force along a row does to load i
static double load_response(const slip_friction_loads *l, const slip_system *s, const slip_terms *terms,
                            int row, int i)
{
    const slip_load *load = slip_friction_load_of(l, s, i);
    double *y = l->y, *z = l->y + s->n;
    constrained_response(l, s, terms, row, y);
    if (load->kind == SLIP_LOAD_JOINT) return slip_joint_load(load, l->lambda);
    const int normal = s->elements[load->of].normal_row;
    constrained_response(l, s, terms, normal, z);
    const double own = slip_system_row_dot(s, terms, normal, z);
    return own > 0.0 ? fabs(slip_system_row_dot(s, terms, normal, y)) / own : 0.0;
}

// the largest of (B x)_i / x_i after some rounds of x := B x: not below the spectral radius
static double spectral_radius_bound(const slip_friction_loads *l)
{
    const int n = l->count;
    double *x = l->way, *next = l->step, bound = INFINITY;
    for (int i = 0; i < n; i++) x[i] = 1.0;
    for (int round = 0; round < 30; round++) {
        double most = 0.0, size = 0.0;
        for (int i = 0; i < n; i++) {
            next[i] = RADIUS_SHIFT * x[i];
            for (int j = 0; j < n; j++) next[i] += l->B[i * n + j] * x[j];
            most = fmax(most, next[i] / x[i]);
            size = fmax(size, next[i]);
        }
        bound = fmin(bound, most);
        for (int i = 0; i < n && size > 0.0; i++) x[i] = fmax(next[i] / size, RADIUS_MIN_COMPONENT);
    }
    return bound;
}

double slip_friction_loads_gain(const slip_friction_loads *l, const slip_system *s, const slip_terms *terms)
{
    if (l->count == 0) return 0.0;
    if (!factor_constraint_matrix(l, s, terms)) return INFINITY;
    for (int j = 0; j < l->count; j++) {
        const slip_element *element = &s->elements[l->element[j]];
        const double factor = terms->friction[l->element[j]];
        for (int i = 0; i < l->count; i++) {
            double sum = 0.0;
            for (int k = 0; k < element->slip_count; k++)
                sum = slip_hypot(sum, load_response(l, s, terms, element->tangent_row + k, i));
            l->B[i * l->count + j] = factor * sum;
        }
    }
    return spectral_radius_bound(l);
}

bool slip_friction_loads_explain(const slip_friction_loads *l, const slip_system *s, const slip_terms *terms,
                                 double t, char *text, size_t size)
{
    const double gain = slip_friction_loads_gain(l, s, terms);
    if (!(gain >= 1.0)) return false;
    snprintf(text, size,
             "at t = %.12g s no force was found that goes with the friction that follows it: friction of "
             "'%.60s' can "
             "make %.3g times the force that it follows, and jams; a rigid model cannot go on here",
             t, s->elements[l->element[0]].name, gain);
    return true;
}
