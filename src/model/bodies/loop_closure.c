/// model/bodies/loop_closure.c: loops must be closed where the motion begins.
///
/// Coordinates that are only guessed are moved until they are, by the method of Levenberg and Marquardt, which is
/// Newton's with the smallest change that serves where the loops close, and finds where they gape least where they
/// do not. Rates follow from the others'. Joints with clearance are closed in their middle.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "model/bodies/rigid_bodies.h"
#include "model/model_tolerances.h"

enum { MAX_ITERATIONS = 60 };

// m constraints g and their rates at the start, with derivatives by the guessed coordinates
typedef struct loops {
    slip_reader *r;
    int m, guessed;  // rows: constraints, then what joints with clearance would hold
    double damping;  // added to J'J, relative to its trace
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
    for (int i = 0; i < p; i++) l->normal[i * p + i] += l->damping * trace + DBL_MIN;
    if (!slip_cholesky(p, l->normal)) return false;
    slip_cholesky_solve(p, l->normal, l->step);
    return true;
}

static double gaping(const loops *l)
{
    double sum = 0.0;
    for (int k = 0; k < l->m; k++) sum += l->values[k] * l->values[k];
    return sum;
}

static double move_guesses(loops *l, double sense)
{
    slip_model *m = l->r->model;
    double largest = 0.0;
    for (int i = 0; i < l->guessed; i++) {
        l->step[i] = fmax(-LOOP_STEP_LONGEST, fmin(LOOP_STEP_LONGEST, l->step[i]));
        m->coordinates[l->coordinate[i]].start += sense * l->step[i];
        largest = fmax(largest, fabs(l->step[i]));
    }
    return largest;
}

static void close_positions(loops *l)
{
    l->damping = LOOP_REGULARIZATION;
    evaluate_loops(l);
    for (int k = 0; k < MAX_ITERATIONS && l->damping < LOOP_DAMPING_LARGEST; k++) {
        const double before = gaping(l);
        if (!solve_step(l, l->values)) return;
        const double largest = move_guesses(l, 1.0);
        evaluate_loops(l);
        if (largest < LOOP_STEP_CONVERGED) return;
        if (gaping(l) <= fmax(before, LOOP_CLOSED * LOOP_CLOSED)) { // below that Newton is left alone
            l->damping = fmax(LOOP_REGULARIZATION, l->damping / LOOP_DAMPING_FACTOR);
        } else {
            move_guesses(l, -1.0);
            evaluate_loops(l);
            l->damping = fmax(LOOP_DAMPING_FIRST, l->damping * LOOP_DAMPING_FACTOR);
        }
    }
}

static void close_rates(loops *l)
{
    l->damping = LOOP_REGULARIZATION;
    evaluate_loops(l);
    if (!solve_step(l, l->values + l->m)) return;
    for (int i = 0; i < l->guessed; i++) l->r->model->coordinates[l->coordinate[i]].rate += l->step[i];
}

// "no start near the guesses closes the loop; it gapes least at rod.th = 0.3, rocker.th = 1.2; try others"
static const char *nearest_start(const loops *l, char *text, size_t size)
{
    const slip_model *m = l->r->model;
    size_t at = (size_t)snprintf(text, size, "no start near the guesses closes the loop; it gapes least at");
    for (int i = 0; i < l->guessed && at < size; i++) {
        const slip_coordinate *c = &m->coordinates[l->coordinate[i]];
        at += (size_t)snprintf(text + at, size - at, "%s %.40s = %.6g", i ? "," : "", c->name, c->start);
    }
    if (at < size) snprintf(text + at, size - at, "; try others, or other sizes");
    return text;
}

static void check_constraint(const loops *l, const slip_symbol *s, double open, double opening)
{
    slip_reader *r = l->r;
    slip_span where = s->node->key->where;
    char nearest[400];
    if (!(fabs(open) <= LOOP_CLOSED))
        slip_reader_error(r, where,
                          l->guessed
                              ? nearest_start(l, nearest, sizeof nearest)
                              : "choose starting values that close the loop, or let them be found: guess",
                          "'%.80s' is open by %.4g at the start", s->name, open);
    else if (!(fabs(opening) <= LOOP_CLOSED))
        slip_reader_error(r, where,
                          "choose starting rates that keep the loop closed, or let them be found: guess",
                          "'%.80s' opens at a rate of %.4g at the start", s->name, opening);
}

// what was to be centred and is off by more than its play
static void check_centring(const loops *l, const slip_centring *c, double off)
{
    char nearest[400];
    double play = 0.0;
    if (!slip_evaluate(l->r, c->play, &play) || fabs(off) <= play + LOOP_CLOSED) return;
    slip_reader_error(l->r, c->node->key->where, nearest_start(l, nearest, sizeof nearest),
                      "clearance '%.80s' is off by %.4g at the start, and its clearance is %.4g",
                      c->node->key->text, off, play);
}

// ------------------------------------------------------------------------------------------- set-up

static slip_ref row_of(const loops *l, int k)
{
    const slip_model *m = l->r->model;
    return k < m->constraint_count ? m->constraints[k].zero.ref
                                   : l->r->bodies->centrings[k - m->constraint_count].zero;
}

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
        slip_ref g = row_of(l, k);
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
    if (l.guessed) l.m += (int)r->bodies->centring_count;
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
                check_constraint(&l, s, l.values[s->index], l.values[l.m + s->index]);
        }
        for (int k = r->model->constraint_count; k < l.m; k++)
            check_centring(&l, &r->bodies->centrings[k - r->model->constraint_count], l.values[k]);
    }
    release_loops(&l);
}
