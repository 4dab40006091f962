/// sensitivity/constant_derivatives.c: constants of a formulation, differentiated by rebuilding it. See
/// constant_derivatives.h.
#include "sensitivity/constant_derivatives.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "dynamics/contact/static_equilibrium.h"
#include "sensitivity/sensitivity_tolerances.h"

enum { STENCIL_POINTS = 5, CHANGE_TEXT_LENGTH = 200 };

/// Places at which a function is asked, in steps, and weights of its values: its derivative is their sum over
/// the step. The second rule is coarser, and tells whether the function is smooth.
typedef struct stencil {
    int at[STENCIL_POINTS];
    double weight[STENCIL_POINTS], coarse[STENCIL_POINTS];
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

/// Numbers of one variation: of its nodes, then the extras.
typedef struct numbers {
    int nodes;
    double *value;
} numbers;

static double parameter_value(const slip_model *model, const char *name)
{
    for (int k = 0; k < model->parameter_count; k++)
        if (strcmp(model->parameters[k].name, name) == 0)
            return slip_graph_evaluate(model->graph, model->parameters[k].node);
    return NAN;
}

/// One parameter in hand.
typedef struct asking {
    slip_constant_derivatives *c;
    const slip_sensitivity_origin *origin;
    const slip_model *model;
    int column;
    const char *name;
    const char **changes; // all parameters, as those of the double
    int change_count;
    char *change;   // the one of the parameter in hand
    double *centre; // per column: its value in the double
    double step;
    const stencil *stencil;
    numbers *answer;
    char why[200]; // there is none
} asking;

static bool collect_numbers(const slip_constant_derivatives *c, slip_method *method, const slip_model *model,
                            numbers *to)
{
    const slip_graph *graph = c->view.graph(method);
    to->nodes = slip_graph_node_count(graph);
    to->value = calloc((size_t)c->leaves + (size_t)c->view.extras + 1, sizeof *to->value);
    if (!to->value) return false;
    for (int i = 0; i < c->leaves && i < to->nodes; i++) {
        slip_node node = slip_graph_node(graph, i);
        bool number = node.op == SLIP_OP_CONSTANT || node.op == SLIP_OP_PARAMETER;
        to->value[i] = number ? node.value : (double)node.op;
    }
    if (to->nodes == c->leaves) c->view.take(method, model, to->value + c->leaves);
    return true;
}

// a variation of the run by a->changes: its model, and the method
static bool create_variation(const asking *a, slip_model **model, slip_model **rested,
                             slip_static_equilibrium *rest, slip_method **method)
{
    slip_error error = { 0 };
    slip_diagnostics *notes = slip_diagnostics_create();
    bool fine =
        notes && slip_model_vary(a->origin->model, a->changes, a->change_count, notes, model) == SLIP_OK;
    slip_diagnostics_destroy(notes);
    if (fine && (*model)->at_rest)
        fine = slip_static_equilibrium_model(*model, rest, &error, rested) == SLIP_OK;
    return fine &&
           a->origin->create(*rested ? *rested : *model, a->origin->settings, &error, method) == SLIP_OK;
}

// controllers of both models have the same times
static bool same_controller_times(const slip_model *a, const slip_model *b)
{
    for (int k = 0; k < a->controller_count; k++) {
        const slip_controller *x = &a->controllers[k], *y = &b->controllers[k];
        if (x->period != y->period || x->first != y->first || x->delay != y->delay || x->jitter != y->jitter)
            return false;
    }
    return true;
}

// the numbers with the parameter in hand at another value; false when there are none
static bool evaluate_variation(asking *a, double value, numbers *to)
{
    slip_model *model = NULL, *rested = NULL;
    slip_method *method = NULL;
    slip_static_equilibrium rest = { 0 };
    snprintf(a->change, CHANGE_TEXT_LENGTH, "%s=%.17g", a->name, value);
    bool fine = create_variation(a, &model, &rested, &rest, &method);
    if (fine && (rest.held || rest.neutral)) {
        fine = false;
        snprintf(a->why, sizeof a->why,
                 "has no derivatives of where the model starts at rest: %s, and which of the places around "
                 "it is taken is open; give coordinates a start",
                 rest.held ? "friction holds it" : "nothing draws it to where it is");
    }
    if (fine && !same_controller_times(a->c->model, model)) {
        fine = false;
        snprintf(a->why, sizeof a->why,
                 "decides when controllers act: there are no derivatives with respect to it");
    }
    fine = fine && collect_numbers(a->c, method, rested ? rested : model, to);
    if (method) method->ops->destroy(method);
    free(rested);
    slip_model_destroy(model);
    return fine;
}

static bool is_own(const slip_model *model, slip_ref node)
{
    for (int k = 0; k < model->parameter_count; k++)
        if (model->parameters[k].node == node) return true;
    return false;
}

// derivative of number i; false when it is none
static bool differentiate_number(const asking *a, int i, double *to)
{
    double fine = 0.0, coarse = 0.0, size = 0.0;
    for (int k = 0; k < STENCIL_POINTS; k++) {
        fine += a->stencil->weight[k] * a->answer[k].value[i];
        coarse += a->stencil->coarse[k] * a->answer[k].value[i];
        size = fmax(size, fabs(a->answer[k].value[i]));
    }
    *to = 0.0;
    if (isnan(a->answer[0].value[i])) return isnan(fine);
    if (fabs(fine) > CONSTANT_DIFFERENCE_ROUNDING * size) *to = fine / a->step;
    return fabs(fine - coarse) <= CONSTANT_SMOOTH_RELATIVE * fabs(fine) + CONSTANT_SMOOTH_ROUNDING * size;
}

static slip_status fail_discontinuous(const asking *a, slip_error *error)
{
    return slip_fail(error, SLIP_UNSUPPORTED, a->name,
                     "changes what the model is made of under this formulation, not just by how much: there "
                     "are no derivatives with respect to it; where contacts have constants, give them");
}

static slip_status derive_all(const asking *a, slip_error *error)
{
    slip_constant_derivatives *c = a->c;
    double *leaf = c->leaf + (size_t)a->column * (size_t)c->leaves,
           *extra = c->extra + (size_t)a->column * (size_t)c->view.extras;
    for (int k = 0; k < STENCIL_POINTS; k++)
        if (a->answer[k].nodes != c->leaves) return fail_discontinuous(a, error);
    for (int i = 0; i < c->leaves; i++)
        if (!is_own(a->model, i) && !differentiate_number(a, i, &leaf[i]))
            return fail_discontinuous(a, error);
    for (int i = 0; i < c->view.extras; i++)
        if (!differentiate_number(a, c->leaves + i, &extra[i])) return fail_discontinuous(a, error);
    return SLIP_OK;
}

// The double is the variation by nothing; but where it was to rest first, that is looked into once more
static bool evaluate_at(asking *a, double value, int steps, numbers *to)
{
    const slip_constant_derivatives *c = a->c;
    if (steps == 0 && !c->rested) return collect_numbers(c, c->method, c->model, to);
    return evaluate_variation(a, value + steps * a->step, to);
}

static slip_status evaluate_stencil(asking *a, double value, slip_error *error)
{
    numbers answer[STENCIL_POINTS] = { { 0 } };
    a->answer = answer;
    a->step = value != 0.0 ? CONSTANT_DIFFERENCE_STEP * fabs(value) : CONSTANT_DIFFERENCE_STEP;
    snprintf(a->why, sizeof a->why, "cannot be varied by 0.1 %% to see what the model is made of");
    bool fine = false;
    slip_status status = SLIP_OK;
    for (size_t s = 0; s < sizeof stencils / sizeof *stencils && !fine; s++) {
        fine = true;
        a->stencil = &stencils[s];
        for (int k = 0; k < STENCIL_POINTS && fine; k++)
            fine = evaluate_at(a, value, a->stencil->at[k], &answer[k]);
        if (fine) status = derive_all(a, error);
        for (int k = 0; k < STENCIL_POINTS; k++) {
            free(answer[k].value);
            answer[k] = (numbers){ 0 };
        }
    }
    return fine ? status : slip_fail(error, SLIP_UNSUPPORTED, a->name, "%s", a->why);
}

// parameters off by a little, each by another share of it
static double perturbed(double value, int number)
{
    const double off = 0x1p-44 * (1.0 + abs(number));
    return value != 0.0 ? value * (1.0 + (number < 0 ? -off : off)) : off;
}

// whether the model can be made with change `number` alone
static bool stands_alone(asking *a, int number)
{
    const char **all = a->changes;
    const int count = a->change_count;
    slip_model *model = NULL, *rested = NULL;
    slip_method *method = NULL;
    slip_static_equilibrium rest;
    a->changes = all + number;
    a->change_count = 1;
    const bool fine = create_variation(a, &model, &rested, &rest, &method);
    if (method) method->ops->destroy(method);
    free(rested);
    slip_model_destroy(model);
    a->changes = all;
    a->change_count = count;
    return fine;
}

// The double. A parameter that is at the end of what it may be, as a restitution of 1, is off to the other
// side
static slip_status create_perturbed_twin(asking *a, const slip_model *model,
                                         const slip_sensitivity_column *columns, int count, const bool *asked,
                                         char *text, slip_error *error)
{
    slip_constant_derivatives *c = a->c;
    slip_static_equilibrium rest;
    bool made = a->change_count == 0 || create_variation(a, &c->model, &c->rested, &rest, &c->method);
    for (int k = 0, number = 0; k < count && !made; k++) {
        if (!asked[k]) continue;
        const int own = number++;
        if (stands_alone(a, own)) continue;
        a->centre[k] = perturbed(parameter_value(model, columns[k].name), -1 - own);
        snprintf(text + (size_t)own * CHANGE_TEXT_LENGTH, CHANGE_TEXT_LENGTH, "%s=%.17g", columns[k].name,
                 a->centre[k]);
        if (!stands_alone(a, own))
            return slip_fail(error, SLIP_UNSUPPORTED, columns[k].name,
                             "cannot be varied a little to see what the model is made of: there are no "
                             "derivatives with respect to it");
    }
    if (made) return SLIP_OK;
    slip_model_destroy(c->model);
    free(c->rested);
    c->model = c->rested = NULL;
    return create_variation(a, &c->model, &c->rested, &rest, &c->method)
               ? SLIP_OK
               : slip_fail(error, SLIP_UNSUPPORTED, "sensitivity",
                           "the parameters cannot be varied together to see what the model is made of");
}

static slip_status find_derivatives(asking *a, const slip_model *model,
                                    const slip_sensitivity_column *columns, int count, const bool *asked,
                                    char *text, slip_error *error)
{
    slip_constant_derivatives *c = a->c;
    for (int k = 0; k < count; k++) {
        if (!asked[k]) continue;
        char *change = text + (size_t)a->change_count * CHANGE_TEXT_LENGTH;
        a->centre[k] = perturbed(parameter_value(model, columns[k].name), a->change_count);
        snprintf(change, CHANGE_TEXT_LENGTH, "%s=%.17g", columns[k].name, a->centre[k]);
        a->changes[a->change_count++] = change;
    }
    slip_status status = create_perturbed_twin(a, model, columns, count, asked, text, error);
    if (status != SLIP_OK) return status;
    if (c->method) c->leaves = slip_graph_node_count(c->view.graph(c->method));
    a->model = c->model;
    c->leaf = calloc((size_t)count * (size_t)c->leaves + 1, sizeof *c->leaf);
    c->extra = calloc((size_t)count * (size_t)c->view.extras + 1, sizeof *c->extra);
    if (!c->leaf || !c->extra) return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    for (int k = 0, number = 0; k < count && status == SLIP_OK; k++) {
        if (!asked[k]) continue;
        char kept[CHANGE_TEXT_LENGTH];
        a->column = k;
        a->name = columns[k].name;
        a->change = text + (size_t)number++ * CHANGE_TEXT_LENGTH;
        memcpy(kept, a->change, CHANGE_TEXT_LENGTH);
        status = evaluate_stencil(a, a->centre[k], error);
        memcpy(a->change, kept, CHANGE_TEXT_LENGTH);
    }
    return status;
}

slip_status slip_constant_derivatives_find(slip_constant_derivatives *c,
                                           const slip_sensitivity_origin *origin, const slip_model *model,
                                           const slip_sensitivity_column *columns, int count,
                                           const bool *asked, slip_error *error)
{
    char *text = malloc((size_t)count * CHANGE_TEXT_LENGTH + 1);
    double *centre = malloc((size_t)count * sizeof *centre + 1);
    asking a = {
        .c = c, .origin = origin, .changes = malloc((size_t)count * sizeof *a.changes + 1), .centre = centre
    };
    slip_status status = text && centre && a.changes
                             ? find_derivatives(&a, model, columns, count, asked, text, error)
                             : slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    free(text);
    free(centre);
    free(a.changes);
    return status;
}

void slip_constant_derivatives_destroy(slip_constant_derivatives *c)
{
    if (c->method) c->method->ops->destroy(c->method);
    free(c->rested);
    slip_model_destroy(c->model);
    free(c->leaf);
    free(c->extra);
}
