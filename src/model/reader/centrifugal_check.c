/// model/reader/centrifugal_check.c: warns of models with a variable mass that may be meant otherwise:
/// centrifugal terms that are written in the forces as well, and mass that is lost or gained.
///
/// A mass matrix M(q) stands for the kinetic energy u'Mu/2, and Lagrange's equations give
/// -M'u + d(u'Mu/2)/dq on the side of the forces. Textbooks often print these terms in the forces; both
/// together would count twice, and no energy balance would show it. The part of a force that is even in the
/// rates, minus its value at rest, is therefore compared with these terms at a few points.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/model_tolerances.h"
#include "model/reader/reader.h"

enum { SAMPLE_POINTS = 4 };

typedef struct point {
    int number, rates; // which point; the first input that is a rate
    int rate_count;
    double scale; // of the rates: 1, 0 or -1
} point;

// Numbers of the order of 1 without a pattern.
static double coordinate_at(const point *p, int input)
{
    return 0.3 + (double)((7 * p->number + input + 1) % 1000 * 61803 % 100000) / 1e5;
}

static double input_at(const point *p, int input)
{
    bool rate = input >= p->rates && input < p->rates + p->rate_count;
    return rate ? p->scale * coordinate_at(p, input) : coordinate_at(p, input);
}

static slip_ref at_point(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    (void)original;
    slip_node node = slip_graph_node(graph, rewritten);
    return node.op == SLIP_OP_INPUT ? slip_graph_constant(graph, input_at(context, node.index)) : rewritten;
}

static double value_at(slip_graph *graph, slip_ref ref, point p)
{
    return slip_graph_evaluate(graph, slip_graph_rewrite(graph, ref, at_point, &p));
}

static double even_part(slip_graph *graph, slip_ref force, point p)
{
    double value[3];
    for (int k = 0; k < 3; k++) {
        p.scale = k - 1;
        value[k] = value_at(graph, force, p);
    }
    return 0.5 * (value[0] + value[2]) - value[1];
}

// what one entry of M adds to Lagrange's terms of all coordinates; false when out of memory
static bool add_entry(slip_graph *graph, const slip_mass_entry *m, point p, int count, double *terms)
{
    slip_partial *partials = NULL;
    int found = slip_graph_gradient(graph, m->value.ref, &partials);
    double ui = coordinate_at(&p, p.rates + m->row), uj = coordinate_at(&p, p.rates + m->column);
    for (int k = 0; k < found; k++) {
        int l = partials[k].input - 1; // input 0 is the time: M' u of it is odd in the rates
        if (l < 0 || l >= count) continue;
        double slope = value_at(graph, partials[k].value, p), ul = coordinate_at(&p, p.rates + l);
        terms[m->row] -= slope * ul * uj;
        if (m->row != m->column) terms[m->column] -= slope * ul * ui;
        terms[l] += (m->row == m->column ? 0.5 : 1.0) * slope * ui * uj;
    }
    free(partials);
    return found >= 0;
}

static bool find_terms(const slip_model *m, slip_graph *graph, point p, double *terms)
{
    for (int k = 0; k < m->mass_coordinate_count; k++) terms[k] = 0.0;
    bool good = true;
    for (int k = 0; k < m->mass_count && good; k++)
        good = add_entry(graph, &m->mass[k], p, m->mass_coordinate_count, terms);
    return good;
}

// at how many points is the even part of force k the term that follows from the mass, and not 0?
static int count_same(const slip_model *m, slip_graph *graph, int k, const double *terms)
{
    int count = 0;
    for (int i = 0; i < SAMPLE_POINTS; i++) {
        point p = { i, 1 + m->coordinate_count, m->mass_coordinate_count, 1.0 };
        double term = terms[i * m->mass_coordinate_count + k];
        if (term != 0.0 &&
            fabs(even_part(graph, m->forces[k].ref, p) - term) <= CENTRIFUGAL_TERM_EQUAL * fabs(term))
            count++;
    }
    return count;
}

static bool is_mass_constant(const slip_model *m)
{
    for (int k = 0; k < m->mass_count; k++)
        if (slip_graph_depends_on_state(m->graph, m->mass[k].value.ref)) return false;
    return true;
}

// A rocket's m(t) x'' = F is not what its kinetic energy gives
static void warn_of_time(slip_reader *r)
{
    const slip_model *m = r->model;
    for (int k = 0; k < m->mass_count; k++) {
        if (!slip_graph_depends(m->graph, m->mass[k].value.ref, r->t)) continue;
        const char *name = m->coordinates[m->mass[k].row].name;
        char hint[240];
        snprintf(
            hint, sizeof hint,
            "where it leaves or joins with the velocity of the body, add its rate times %.80s' to the force",
            name);
        slip_reader_warning(r, m->mass[k].value.where, hint,
                            "this mass changes with time: the equations are those of its momentum, "
                            "(m %.80s')' = force",
                            name);
    }
}

static void compare_forces(slip_reader *r, slip_graph *graph, const double *terms)
{
    const slip_model *m = r->model;
    for (int k = 0; k < m->mass_coordinate_count; k++)
        if (m->forces[k].ref != SLIP_NONE && count_same(m, graph, k, terms) == SAMPLE_POINTS)
            slip_reader_error(r, m->forces[k].where, "leave them out: a mass stands for the energy u'Mu/2",
                              "the force on '%.80s' holds the centrifugal terms that follow from 'mass'; "
                              "they would count twice",
                              m->coordinates[k].name);
}

void slip_check_mass_forces(slip_reader *r)
{
    slip_model *m = r->model;
    if (!m->mass || !m->forces) return;
    warn_of_time(r);
    if (is_mass_constant(m)) return;
    slip_graph *graph = slip_graph_copy(m->graph);
    double *terms = calloc((size_t)m->mass_coordinate_count * SAMPLE_POINTS + 1, sizeof *terms);
    bool good = graph && terms;
    for (int i = 0; i < SAMPLE_POINTS && good; i++) {
        point p = { i, 1 + m->coordinate_count, m->mass_coordinate_count, 1.0 };
        good = find_terms(m, graph, p, terms + i * m->mass_coordinate_count);
    }
    if (good) compare_forces(r, graph, terms);
    if (!good || slip_graph_failed(graph)) slip_reader_no_memory(r);
    free(terms);
    slip_graph_destroy(graph);
}
