/// sensitivity/sensitivity_parameters.c: the parameters and initial values with respect to which a motion
/// is differentiated, and derivatives of formulas along them.
#include "sensitivity/sensitivity_parameters.h"

#include <stdlib.h>

// --------------------------------------------------------------------------------------------- formulas

slip_ref slip_derivative_along(const slip_derivative_direction *w, slip_ref f)
{
    return f < 0 ? f
                 : slip_graph_directional_known(w->graph, f, w->direction, w->direction_count, w->known,
                                                w->known_count);
}

void slip_derivative_set_known(slip_derivative_direction *w, slip_ref node, slip_ref rate)
{
    int at = 0;
    while (at < w->known_count && w->known[at].node < node) at++;
    if (at == w->known_count || w->known[at].node != node) {
        for (int i = w->known_count; i > at; i--) w->known[i] = w->known[i - 1];
        w->known_count++;
    }
    w->known[at] = (slip_known_derivative){ node, rate };
}

static int column_number(const slip_sensitivity_column *columns, int count, const char *name)
{
    for (int c = 0; c < count; c++)
        if (columns[c].parameter >= 0 && strcmp(columns[c].name, name) == 0) return columns[c].parameter;
    return -1;
}

// Those that are asked for are inputs; those that follow from them follow. Each round knows one more
// generation
bool slip_derivative_set_parameters(slip_derivative_direction *w, const slip_model *model,
                                    const slip_sensitivity_column *columns, int column_count,
                                    const slip_ref *dp)
{
    bool changed = true;
    for (int i = 0; i < model->parameter_count; i++) {
        int number = column_number(columns, column_count, model->parameters[i].name);
        if (number >= 0) slip_derivative_set_known(w, model->parameters[i].node, dp[number]);
    }
    for (int round = 0; round < model->parameter_count && changed; round++) {
        changed = false;
        for (int i = 0; i < model->parameter_count; i++) {
            const slip_parameter *p = &model->parameters[i];
            if (p->formula < 0 || column_number(columns, column_count, p->name) >= 0) continue;
            int before = w->known_count;
            slip_ref rate = slip_derivative_along(w, p->formula);
            if (rate < 0) return false;
            slip_node node = slip_graph_node(w->graph, rate);
            if (node.op == SLIP_OP_CONSTANT && node.value == 0.0) continue;
            slip_derivative_set_known(w, p->node, rate);
            changed = changed || w->known_count > before;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------- columns

static slip_status unsupported(slip_error *error, const char *place, const char *why)
{
    return slip_fail(error, SLIP_UNSUPPORTED, place, "%s", why);
}

int slip_controller_value_count(const slip_model *model)
{
    int count = 0;
    for (int k = 0; k < model->controller_count; k++)
        count += model->controllers[k].memory_count + model->controllers[k].output_count;
    return count;
}

slip_status slip_sensitivity_check_model(const slip_model *model, slip_error *error)
{
    const char *place = slip_model_file(model);
    if (model->delay_count)
        return unsupported(
            error, place,
            "there are no derivatives of delayed values: what is behind an event would have to jump again "
            "when its delay is over");
    return SLIP_OK;
}

static bool find_column(const slip_model *model, const slip_method *method, const char *name,
                        int *parameter_count, slip_sensitivity_column *c)
{
    *c = (slip_sensitivity_column){ .name = name, .parameter = -1, .state = -1 };
    for (int k = 0; k < model->parameter_count; k++)
        if (strcmp(model->parameters[k].name, name) == 0) {
            c->name = model->parameters[k].name;
            c->parameter = (*parameter_count)++;
            return true;
        }
    for (int k = 0; k < method->state_count; k++)
        if (strcmp(method->state_name[k], name) == 0) {
            c->name = method->state_name[k];
            c->state = k;
            return true;
        }
    return false;
}

slip_status slip_sensitivity_columns(const slip_model *model, const slip_method *method,
                                     const char *const *names, int count, slip_error *error,
                                     slip_sensitivity_column **out, int *parameter_count)
{
    slip_sensitivity_column *columns = *out = calloc((size_t)count + 1, sizeof *columns);
    if (!columns) return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    *parameter_count = 0;
    for (int k = 0; k < count; k++) {
        if (!find_column(model, method, names[k], parameter_count, &columns[k]))
            return slip_fail(error, SLIP_UNKNOWN_NAME, names[k],
                             "is neither a parameter nor a coordinate or rate of this model");
        for (int i = 0; i < k; i++)
            if (strcmp(columns[i].name, names[k]) == 0)
                return slip_fail(error, SLIP_BAD_ARGUMENT, names[k], "is asked for twice");
    }
    return SLIP_OK;
}
