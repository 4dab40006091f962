/// tangent/flow_constants.c: how the numbers of an ODE follow from the parameters of its model.
///
/// Formulas of a model hold its parameters as such. Constants of contacts do not: a formulation chooses
/// stiffnesses from masses, restitutions and steps, by rules that are no formulas. So it is asked again, with
/// the parameter a little to both sides: the graph that it makes has the same nodes with other numbers in it,
/// and those are differentiated by differences of fourth order. Steps of 1e-3 leave 1e-12 of them.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/diagnostics.h"
#include "model/dependents.h"
#include "tangent/flow.h"

enum { NODES = 5 };
static const double STEP = 1e-3;

/// Places at which a function is asked, in steps, and weights of its values: its derivative is their sum over
/// the step. The second rule is coarser, and tells whether the function is smooth.
typedef struct stencil {
    int at[NODES];
    double weight[NODES], coarse[NODES];
} stencil;

static const stencil stencils[] = {
    { { -2, -1, 0, 1, 2 }, { 1 / 12.0, -8 / 12.0, 0.0, 8 / 12.0, -1 / 12.0 }, { 0.0, -0.5, 0.0, 0.5, 0.0 } },
    { { 0, 1, 2, 3, 4 },
      { -25 / 12.0, 48 / 12.0, -36 / 12.0, 16 / 12.0, -3 / 12.0 },
      { -1.5, 2.0, -0.5, 0.0, 0.0 } },
    { { 0, -1, -2, -3, -4 },
      { 25 / 12.0, -48 / 12.0, 36 / 12.0, -16 / 12.0, 3 / 12.0 },
      { 1.5, -2.0, 0.5, 0.0, 0.0 } },
};

/// The numbers of one ODE: of its nodes, of the states at the start.
typedef struct numbers {
    int nodes;
    double *value;
} numbers;

static bool take_numbers(const slip_flow *f, const slip_method *method, numbers *to)
{
    const slip_ode *ode = ((const slip_ode_run *)method)->ode;
    const int leaves = f->leaves;
    to->nodes = slip_graph_node_count(ode->graph);
    to->value = calloc((size_t)leaves + (size_t)f->states, sizeof *to->value);
    if (!to->value) return false;
    for (int i = 0; i < leaves && i < to->nodes; i++) {
        slip_node node = slip_graph_node(ode->graph, i);
        bool number = node.op == SLIP_OP_CONSTANT || node.op == SLIP_OP_PARAMETER;
        to->value[i] = number ? node.value : (double)node.op;
    }
    for (int i = 0; i < f->states && ode->state_count == f->states; i++)
        to->value[leaves + i] = method->state[i];
    if (ode->state_count != f->states) to->nodes = -1;
    return true;
}

// the ODE with a parameter at another value; false when there is none
static bool ask(slip_flow *f, const slip_flow_origin *origin, const char *name, double value, numbers *to)
{
    char change[200];
    snprintf(change, sizeof change, "%s=%.17g", name, value);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_method *method = NULL;
    slip_error error = { 0 };
    bool fine =
        notes && slip_model_vary(origin->model, (const char *[]){ change }, 1, notes, &model) == SLIP_OK &&
        origin->create(model, origin->settings, &error, &method) == SLIP_OK && take_numbers(f, method, to);
    if (method) method->ops->destroy(method);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return fine;
}

static bool is_own(const slip_model *model, slip_ref node)
{
    for (int k = 0; k < model->parameter_count; k++)
        if (model->parameters[k].node == node) return true;
    return false;
}

/// One parameter in hand.
typedef struct asking {
    slip_flow *f;
    int column, leaves;
    const char *name;
    double step;
    const stencil *stencil;
    numbers *answer;
} asking;

// derivative of number i; false when it is none
static bool derive(const asking *a, int i, double *to)
{
    double fine = 0.0, coarse = 0.0, size = 0.0;
    for (int k = 0; k < NODES; k++) {
        fine += a->stencil->weight[k] * a->answer[k].value[i];
        coarse += a->stencil->coarse[k] * a->answer[k].value[i];
        size = fmax(size, fabs(a->answer[k].value[i]));
    }
    *to = 0.0;
    if (isnan(a->answer[0].value[i])) return isnan(fine);
    if (fabs(fine) > 1e-12 * size) *to = fine / a->step;
    return fabs(fine - coarse) <= 0.02 * fabs(fine) + 1e-11 * size;
}

static slip_status jumps(const asking *a, slip_error *error)
{
    return slip_fail(
        error, SLIP_UNSUPPORTED, a->name,
        "changes what contacts are made of under this formulation, not just by how much: there are "
        "no derivatives to it; give the constants of the contacts");
}

static slip_status derive_all(const asking *a, slip_error *error)
{
    slip_flow *f = a->f;
    double *leaf = f->leaf + (size_t)a->column * (size_t)a->leaves,
           *start = f->start + (size_t)a->column * (size_t)f->states;
    for (int k = 0; k < NODES; k++)
        if (a->answer[k].nodes != a->leaves) return jumps(a, error);
    for (int i = 0; i < a->leaves; i++)
        if (!is_own(f->ode->model, i) && !derive(a, i, &leaf[i])) return jumps(a, error);
    for (int i = 0; i < f->states; i++)
        if (!derive(a, a->leaves + i, &start[i])) return jumps(a, error);
    return SLIP_OK;
}

static slip_status ask_all(slip_flow *f, const slip_flow_origin *origin, int column, double value,
                           slip_error *error)
{
    numbers answer[NODES] = { { 0 } };
    asking a = { f,    column, f->leaves, f->columns[column].name, value != 0.0 ? STEP * fabs(value) : STEP,
                 NULL, answer };
    slip_status status = slip_fail(error, SLIP_UNSUPPORTED, a.name,
                                   "cannot be varied by 0.1 %% to see what contacts are made of");
    for (size_t s = 0; s < sizeof stencils / sizeof *stencils; s++) {
        bool fine = true;
        a.stencil = &stencils[s];
        for (int k = 0; k < NODES && fine; k++)
            fine = ask(f, origin, a.name, value + a.stencil->at[k] * a.step, &answer[k]);
        if (fine) status = derive_all(&a, error);
        for (int k = 0; k < NODES; k++) {
            free(answer[k].value);
            answer[k] = (numbers){ 0 };
        }
        if (fine) break;
    }
    return status;
}

// ----------------------------------------------------------------------------------- parameters themselves

// what follows from parameters by formulas is exact: parameters, then starts of coordinates and states
static bool derive_formulas(slip_flow *f, int column)
{
    const int leaves = f->leaves;
    const slip_model *model = f->ode->model;
    slip_graph *g = f->ode->graph;
    slip_known *known = malloc(((size_t)model->parameter_count + 1) * sizeof *known);
    slip_ref *dp = malloc(((size_t)f->parameter_count + 1) * sizeof *dp);
    slip_ways ways = { g, NULL, 0, known, 0 };
    bool fine = known && dp;
    for (int p = 0; fine && p < f->parameter_count; p++)
        dp[p] = slip_graph_constant(g, p == f->columns[column].parameter);
    fine = fine && slip_ways_know_parameters(&ways, model, f->columns, f->column_count, dp);
    for (int i = 0; fine && i < ways.known_count; i++)
        if (ways.known[i].node < leaves)
            f->leaf[(size_t)column * (size_t)leaves + (size_t)ways.known[i].node] =
                slip_graph_evaluate(g, ways.known[i].rate);
    for (int i = 0; fine && i < model->dependent_count; i++) {
        const slip_dependent *d = &model->dependents[i];
        size_t coordinate = d->offset / sizeof(slip_coordinate), in = d->offset % sizeof(slip_coordinate),
               state = d->offset / sizeof(slip_inclusion_state);
        if (d->section == SLIP_SECTION_COORDINATES)
            state = coordinate + (in == offsetof(slip_coordinate, rate) ? (size_t)f->ode->n : 0);
        else if (d->section != SLIP_SECTION_STATES)
            continue;
        f->start[(size_t)column * (size_t)f->states + state] =
            slip_graph_evaluate(g, slip_ways_along(&ways, d->formula));
    }
    free(known);
    free(dp);
    return fine;
}

slip_status slip_flow_constants(slip_flow *f, const slip_flow_origin *origin, slip_error *error)
{
    const slip_model *model = f->ode->model;
    const int leaves = f->leaves = slip_graph_node_count(f->ode->graph);
    size_t columns = (size_t)f->column_count;
    f->leaf = calloc(columns * (size_t)leaves + 1, sizeof *f->leaf);
    f->start = calloc(columns * (size_t)f->states + 1, sizeof *f->start);
    if (!f->leaf || !f->start) return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    for (int c = 0; c < f->column_count; c++) {
        if (f->columns[c].state >= 0) f->start[c * f->states + f->columns[c].state] = 1.0;
        for (int k = 0; k < model->parameter_count && f->columns[c].parameter >= 0; k++) {
            if (strcmp(model->parameters[k].name, f->columns[c].name) != 0) continue;
            slip_status status =
                ask_all(f, origin, c, slip_graph_evaluate(f->ode->graph, model->parameters[k].node), error);
            if (status != SLIP_OK) return status;
        }
    }
    for (int c = 0; c < f->column_count; c++)
        if (f->columns[c].parameter >= 0 && !derive_formulas(f, c))
            return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    return SLIP_OK;
}
