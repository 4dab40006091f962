/// sensitivity/sens_ode_constants.c: how the numbers of an ODE follow from the parameters of its model.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader/parameter_dependents.h"
#include "sensitivity/sens_ode.h"

static slip_graph *graph_of(slip_method *method)
{
    return ((const slip_ode_run *)method)->ode->graph;
}

static void take_states(slip_method *method, const slip_model *model, double *to)
{
    (void)model;
    memcpy(to, method->state, (size_t)((const slip_ode_run *)method)->ode->state_count * sizeof *to);
}

// what follows from parameters by formulas is exact: parameters, then starts of coordinates and states
static bool derive_formulas(slip_sens_ode *f, int column)
{
    const int leaves = f->constants.leaves;
    const slip_model *model = f->form->model;
    slip_graph *g = f->form->graph;
    slip_known_derivative *known = malloc(((size_t)model->parameter_count + 1) * sizeof *known);
    slip_ref *dp = malloc(((size_t)f->parameter_count + 1) * sizeof *dp);
    slip_derivative_direction ways = { g, NULL, 0, known, 0 };
    bool fine = known && dp;
    for (int p = 0; fine && p < f->parameter_count; p++)
        dp[p] = slip_graph_constant(g, p == f->columns[column].parameter);
    fine = fine && slip_derivative_set_parameters(&ways, model, f->columns, f->column_count, dp);
    for (int i = 0; fine && i < ways.known_count; i++)
        if (ways.known[i].node < leaves)
            f->constants.leaf[(size_t)column * (size_t)leaves + (size_t)ways.known[i].node] =
                slip_graph_evaluate(g, ways.known[i].rate);
    for (int i = 0; fine && i < model->dependent_count; i++) {
        const slip_dependent *d = &model->dependents[i];
        size_t coordinate = d->offset / sizeof(slip_coordinate), in = d->offset % sizeof(slip_coordinate),
               state = d->offset / sizeof(slip_inclusion_state);
        if (d->section == SLIP_SECTION_COORDINATES && model->at_rest) continue; // it was searched for
        if (d->section == SLIP_SECTION_COORDINATES)
            state = coordinate + (in == offsetof(slip_coordinate, rate) ? (size_t)f->ode->n : 0);
        else if (d->section != SLIP_SECTION_STATES)
            continue;
        f->constants.extra[(size_t)column * (size_t)f->states + state] =
            slip_graph_evaluate(g, slip_derivative_along(&ways, d->formula));
    }
    free(known);
    free(dp);
    return fine;
}

slip_status slip_sens_ode_constants(slip_sens_ode *f, const slip_sensitivity_origin *origin,
                                    slip_error *error)
{
    slip_constant_derivatives *c = &f->constants;
    c->view = (slip_constant_derivatives_view){ graph_of, f->states, take_states };
    c->leaves = slip_graph_node_count(f->ode->graph);
    bool *asked = malloc((size_t)f->column_count + 1);
    if (!asked) return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    for (int k = 0; k < f->column_count; k++) asked[k] = f->columns[k].parameter >= 0;
    slip_status status =
        slip_constant_derivatives_find(c, origin, f->ode->model, f->columns, f->column_count, asked, error);
    free(asked);
    if (status != SLIP_OK) return status;
    if (c->method && c->leaves != slip_graph_node_count(f->ode->graph))
        f->form = ((slip_ode_run *)c->method)->ode;
    for (int k = 0; k < f->column_count; k++) {
        if (f->columns[k].state >= 0) c->extra[k * f->states + f->columns[k].state] = 1.0;
        if (f->columns[k].parameter >= 0 && !derive_formulas(f, k))
            return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    }
    return SLIP_OK;
}
