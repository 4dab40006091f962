/// sensitivity/number_derivatives.c: derivatives of the numbers of a model that depend on parameters.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader/parameter_dependents.h"
#include "sensitivity/sens_moreau.h"

static const size_t fields[SLIP_SENS_NUMBER_COUNT] = { offsetof(slip_contact, restitution),
                                                       offsetof(slip_contact, restitution_t),
                                                       offsetof(slip_contact, load.length) };

// ------------------------------------------------------------------------------------- no formula says so

static slip_system *system_of(slip_method *method)
{
    slip_event_driven *m = slip_event_driven_of(method);
    return m ? m->system : slip_moreau_of(method)->system;
}

static slip_graph *graph_of(slip_method *method)
{
    return system_of(method)->equations->graph;
}

static void collect_numbers(slip_method *method, const slip_model *model, double *to)
{
    const int states = 2 * model->coordinate_count;
    memcpy(to, method->state, (size_t)states * sizeof *to);
    for (int e = 0; e < model->element_count; e++)
        for (int i = 0; i < SLIP_SENS_NUMBER_COUNT; i++)
            memcpy(&to[states + e * SLIP_SENS_NUMBER_COUNT + i],
                   (const char *)&model->contacts[e] + fields[i], sizeof *to);
    to[states + model->element_count * SLIP_SENS_NUMBER_COUNT] = model->run.until;
}

// what decides what the model is made of, itself or by way of parameters that follow from it
static bool is_structural(const slip_model *model, int parameter)
{
    const slip_parameter *p = &model->parameters[parameter];
    bool any = p->shapes;
    for (int k = 0; k < model->parameter_count && !any; k++) {
        const slip_parameter *other = &model->parameters[k];
        any = k != parameter && other->formula >= 0 &&
              slip_graph_depends(model->graph, other->formula, p->node) && is_structural(model, k);
    }
    return any;
}

// the method has to be made again for a column
static bool is_asked(const slip_model *model, const slip_sensitivity_column *column)
{
    if (column->parameter < 0) return false;
    for (int k = 0; k < model->parameter_count; k++)
        if (strcmp(model->parameters[k].name, column->name) == 0)
            return model->at_rest || is_structural(model, k);
    return false;
}

slip_status slip_sensitivity_constants(slip_sensitivity *t, const slip_sensitivity_origin *origin,
                                       slip_error *error)
{
    const slip_model *model = t->system->equations->model;
    slip_constant_derivatives *c = &t->constants;
    bool *asked = calloc((size_t)t->column_count + 1, sizeof *asked);
    if (!asked) return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    c->view = (slip_constant_derivatives_view){ graph_of, 2 * t->n + t->elements * SLIP_SENS_NUMBER_COUNT + 1,
                                                collect_numbers };
    for (int k = 0; k < t->column_count; k++) asked[k] = is_asked(model, &t->columns[k]);
    slip_status status =
        slip_constant_derivatives_find(c, origin, model, t->columns, t->column_count, asked, error);
    free(asked);
    if (status != SLIP_OK) return status;
    t->form = c->method ? system_of(c->method) : t->system;
    if (t->form->row_count != t->rows || t->form->element_count != t->elements)
        return slip_fail(error, SLIP_UNSUPPORTED, "sensitivity",
                         "a parameter changes what the model is made of");
    return SLIP_OK;
}

// ----------------------------------------------------------------------------------------------- formulas

// where the derivatives of a number of the model go; NULL when they are not asked for
static double *derivative_slot(const slip_sensitivity *t, const slip_dependent *d)
{
    if (d->section == SLIP_SECTION_COORDINATES) {
        size_t k = d->offset / sizeof(slip_coordinate), in = d->offset % sizeof(slip_coordinate);
        if (in == offsetof(slip_coordinate, rate)) k += (size_t)t->n;
        return t->start + k * (size_t)t->parameter_count;
    }
    if (d->section == SLIP_SECTION_RUN && d->offset == offsetof(slip_run_settings, until)) return t->until;
    if (d->section != SLIP_SECTION_CONTACTS) return NULL;
    size_t e = d->offset / sizeof(slip_contact), in = d->offset % sizeof(slip_contact);
    for (size_t i = 0; i < SLIP_SENS_NUMBER_COUNT; i++)
        if (in == fields[i]) return t->number + (e * SLIP_SENS_NUMBER_COUNT + i) * (size_t)t->parameter_count;
    return NULL;
}

static bool derive_formulas(slip_sensitivity *t, const slip_derivative_direction *ways)
{
    const slip_model *model = t->form->equations->model;
    slip_ref *roots = malloc(((size_t)model->dependent_count + 1) * sizeof *roots);
    if (!roots) return false;
    for (int i = 0; i < model->dependent_count; i++) {
        roots[i] = slip_derivative_along(ways, model->dependents[i].formula);
        if (roots[i] < 0) roots[i] = slip_graph_constant(ways->graph, 0.0);
    }
    slip_tape *tape = slip_tape_create(ways->graph, roots, model->dependent_count);
    free(roots);
    double *reg = tape ? calloc((size_t)slip_tape_registers(tape) + 1, sizeof *reg) : NULL;
    for (int p = 0; reg && p < t->parameter_count; p++) {
        slip_tape_start(tape, reg);
        for (int i = 0; i < t->parameter_count; i++) reg[t->in.dp + i] = i == p;
        slip_tape_run(tape, reg);
        for (int i = 0; i < model->dependent_count; i++) {
            double *to = derivative_slot(t, &model->dependents[i]);
            if (to) to[p] = reg[slip_tape_result(tape, i)];
        }
    }
    bool fine = reg != NULL;
    free(reg);
    slip_tape_destroy(tape);
    return fine;
}

// Those that the method was made again for
static void take_constants(slip_sensitivity *t)
{
    const slip_model *model = t->form->equations->model;
    const size_t p = (size_t)t->parameter_count;
    const int states = 2 * t->n, numbers = t->elements * SLIP_SENS_NUMBER_COUNT;
    for (int c = 0; c < t->column_count; c++) {
        const int at = t->columns[c].parameter;
        if (!is_asked(model, &t->columns[c])) continue;
        const double *extra = t->constants.extra + (size_t)c * (size_t)t->constants.view.extras;
        for (int i = 0; i < states; i++) t->start[(size_t)i * p + (size_t)at] = extra[i];
        for (int i = 0; i < numbers; i++) t->number[(size_t)i * p + (size_t)at] = extra[states + i];
        t->until[at] = extra[states + numbers];
    }
}

bool slip_sensitivity_find_numbers(slip_sensitivity *t, const slip_derivative_direction *ways)
{
    if (!derive_formulas(t, ways)) return false;
    take_constants(t);
    return true;
}
