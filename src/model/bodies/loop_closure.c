/// model/bodies/loop_closure.c: loops must be closed where the motion begins.
///
/// Coordinates that are only guessed are moved until they are, by Newton's method with the smallest
/// change that serves, and their rates follow from the others'.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "model/bodies/rigid_bodies.h"
#include "model/model_tolerances.h"

enum { MAX_ITERATIONS = 60 };

// m constraints g and their rates at the start, with derivatives by the guessed coordinates
typedef struct loops {
    slip_reader *r;
    int m, guessed;
    int *coordinate; // of each guess
    slip_ref *roots; // g | g' | dg/dq, row by row
    double *values;  // of the roots
    double *normal;  // J'J, and what is solved with it
    double *step;
    slip_tape *tape;
    double *registers;
} loops;

static void evaluate_loops(loops *l)
{
    const slip_model *m = l->r->model;
    int n = m->coordinate_count, count = l->m * (2 + l->guessed);
    for (int k = 0; k < n; k++) {
        l->registers[1 + k] = m->coordinates[k].start;
        l->registers[1 + n + k] = m->coordinates[k].rate;
    }
    slip_tape_run(l->tape, l->registers);
    for (int k = 0; k < count; k++) l->values[k] = l->registers[slip_tape_result(l->tape, k)];
}

// step := -J^+ residual, by damped normal equations, so that redundant joints do no harm
static bool solve_step(loops *l, const double *residual)
{
    int p = l->guessed;
    const double *J = l->values + 2 * l->m;
    double trace = 0.0;
    for (int i = 0; i < p; i++) {
        l->step[i] = 0.0;
        for (int k = 0; k < l->m; k++) l->step[i] -= J[k * p + i] * residual[k];
        for (int j = 0; j < p; j++) {
            double sum = 0.0;
            for (int k = 0; k < l->m; k++) sum += J[k * p + i] * J[k * p + j];
            l->normal[i * p + j] = sum;
        }
        trace += l->normal[i * p + i];
    }
    for (int i = 0; i < p; i++) l->normal[i * p + i] += LOOP_REGULARIZATION * trace + DBL_MIN;
    if (!slip_cholesky(p, l->normal)) return false;
    slip_cholesky_solve(p, l->normal, l->step);
    return true;
}

static void close_positions(loops *l)
{
    slip_model *m = l->r->model;
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        evaluate_loops(l);
        if (!solve_step(l, l->values)) return;
        double largest = 0.0;
        for (int i = 0; i < l->guessed; i++) {
            double step = fmax(-LOOP_STEP_LONGEST, fmin(LOOP_STEP_LONGEST, l->step[i]));
            m->coordinates[l->coordinate[i]].start += step;
            largest = fmax(largest, fabs(step));
        }
        if (largest < LOOP_STEP_CONVERGED) return;
    }
}

static void close_rates(loops *l)
{
    evaluate_loops(l);
    if (!solve_step(l, l->values + l->m)) return;
    for (int i = 0; i < l->guessed; i++) l->r->model->coordinates[l->coordinate[i]].rate += l->step[i];
}

static void check_constraint(slip_reader *r, const slip_symbol *s, bool guessed, double open, double opening)
{
    slip_span where = s->node->key->where;
    if (!(fabs(open) <= LOOP_CLOSED))
        slip_reader_error(r, where,
                          guessed ? "no start near the guesses closes the loop; try others"
                                  : "choose starting values that close the loop, or let them be found: guess",
                          "'%.80s' is open by %.4g at the start", s->name, open);
    else if (!(fabs(opening) <= LOOP_CLOSED))
        slip_reader_error(r, where,
                          "choose starting rates that keep the loop closed, or let them be found: guess",
                          "'%.80s' opens at a rate of %.4g at the start", s->name, opening);
}

// ------------------------------------------------------------------------------------------- set-up

static bool take_loops(loops *l)
{
    const slip_model *m = l->r->model;
    size_t p = (size_t)l->guessed, roots = (size_t)l->m * (2 + p);
    l->coordinate = calloc(p + 1, sizeof *l->coordinate);
    l->roots = calloc(roots + 1, sizeof *l->roots);
    l->values = calloc(roots + 1, sizeof *l->values);
    l->normal = calloc(p * p + 1, sizeof *l->normal);
    l->step = calloc(p + 1, sizeof *l->step);
    if (!l->coordinate || !l->roots || !l->values || !l->normal || !l->step) return false;
    int at = 0;
    for (size_t k = 0; k < l->r->symbol_count; k++)
        if (l->r->symbols[k]->guessed) l->coordinate[at++] = l->r->symbols[k]->index;
    slip_ref zero = slip_node_number(l->r, 0.0);
    for (int k = 0; k < l->m; k++) {
        slip_ref g = m->constraints[k].zero.ref;
        slip_partial *partials = NULL;
        l->roots[k] = g;
        l->roots[l->m + k] = slip_time_derivative(l->r, g);
        int count = slip_graph_gradient(m->graph, g, &partials);
        slip_ref *row = &l->roots[2 * l->m + k * l->guessed];
        for (int i = 0; i < l->guessed; i++) row[i] = zero;
        for (int j = 0; j < count; j++)
            for (int i = 0; i < l->guessed; i++)
                if (partials[j].input == 1 + l->coordinate[i]) row[i] = partials[j].value;
        free(partials);
        if (count < 0) return false;
    }
    for (size_t k = 0; k < roots; k++)
        if (l->roots[k] == SLIP_NONE) return false;
    l->tape = slip_tape_create(m->graph, l->roots, (int)roots);
    l->registers = l->tape ? calloc((size_t)slip_tape_registers(l->tape) + 1, sizeof *l->registers) : NULL;
    if (l->registers) slip_tape_start(l->tape, l->registers);
    return l->registers != NULL;
}

static void release_loops(loops *l)
{
    free(l->coordinate);
    free(l->roots);
    free(l->values);
    free(l->normal);
    free(l->step);
    free(l->registers);
    slip_tape_destroy(l->tape);
}

static void refuse_guesses(slip_reader *r)
{
    for (size_t k = 0; k < r->symbol_count; k++)
        if (r->symbols[k]->guessed)
            slip_reader_error(r, slip_yaml_find(r->symbols[k]->of_coordinate.axis, "guess")->key->where,
                              "start: says where it begins",
                              "there is no loop from which '%.80s' could be found", r->symbols[k]->name);
}

void slip_close_loops(slip_reader *r)
{
    loops l = { .r = r, .m = r->model->constraint_count };
    for (size_t k = 0; k < r->symbol_count; k++) l.guessed += r->symbols[k]->guessed;
    if (l.m == 0) {
        refuse_guesses(r);
        return;
    }
    r->all_shape = true;
    if (!take_loops(&l)) {
        slip_reader_no_memory(r);
    } else {
        if (l.guessed) close_positions(&l);
        if (l.guessed) close_rates(&l);
        evaluate_loops(&l);
        for (size_t k = 0; k < r->symbol_count; k++) {
            const slip_symbol *s = r->symbols[k];
            if (s->kind == SLIP_SYMBOL_CONSTRAINT && s->of_body)
                check_constraint(r, s, l.guessed > 0, l.values[s->index], l.values[l.m + s->index]);
        }
    }
    release_loops(&l);
}
