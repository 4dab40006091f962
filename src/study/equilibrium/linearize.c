/// study/equilibrium/linearize.c: a model as a linear one about an equilibrium.
///
/// The derivatives of all rates and records with respect to all states are those that runs and equilibria use
/// (sensitivity.h), through what sticks and what is closed. Inputs are states that do not move: their columns
/// are B and D.
#include "slipstick/linearize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "formulation/method.h"
#include "sensitivity/sensitivity.h"
#include "study/equilibrium/equilibrium_residual.h"
#include "study/equilibrium/linear_modes.h"

enum { MAX_FREQUENCIES = 100000 };

slip_linearize_def slip_default_linearize_def(void)
{
    return (slip_linearize_def){ .frequency_count = 200 };
}

static slip_status no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "linearize", "out of memory");
}

void slip_linear_model_destroy(slip_linear_model *l)
{
    if (!l) return;
    for (int k = 0; k < l->mode_count; k++) free(l->modes[k].shape_re);
    free((void *)l->state_name), free((void *)l->input_name), free((void *)l->output_name);
    free((void *)l->element_name), free((void *)l->element_mode);
    free(l->state), free(l->A), free(l->B), free(l->C), free(l->D);
    free(l->modes), free(l->frequency), free(l->gain_re), free(l->gain_im);
    free(l);
}

// ------------------------------------------------------------------------------------------------ the parts

static bool is_input(const slip_model *m, int state)
{
    return state < m->coordinate_count && m->coordinates[state].is_input;
}

// which states of the model are states, and which are inputs, of the linear one
typedef struct selection {
    int *state, *input;
    int coordinates; // that are states: they come first
} selection;

static bool select_states(const slip_equilibrium_residual *s, slip_linear_model *l, selection *of)
{
    of->state = calloc(2 * (size_t)s->states + 1, sizeof *of->state);
    of->input = of->state ? of->state + s->states : NULL;
    for (int k = 0; k < s->states && of->state; k++) {
        if (!s->fixed[k]) {
            of->state[l->state_count++] = k;
            of->coordinates += k < s->n;
        } else if (is_input(s->model, k)) {
            of->input[l->input_count++] = k;
        }
    }
    return of->state != NULL;
}

static const char *name_of_state(const slip_model *m, int state)
{
    const int n = m->coordinate_count;
    return state < n ? m->coordinates[state].name : m->coordinates[state - n].rate_name;
}

static bool take_parts(const slip_model *m, slip_linear_model *l)
{
    const size_t n = (size_t)l->state_count, in = (size_t)l->input_count;
    l->output_count = m->named_count;
    l->element_count = m->element_count;
    const size_t out = (size_t)l->output_count, elements = (size_t)l->element_count;
    l->state_name = calloc(n + 1, sizeof *l->state_name);
    l->input_name = calloc(in + 1, sizeof *l->input_name);
    l->output_name = calloc(out + 1, sizeof *l->output_name);
    l->element_name = calloc(elements + 1, sizeof *l->element_name);
    l->element_mode = calloc(elements + 1, sizeof *l->element_mode);
    l->state = calloc(n + 1, sizeof *l->state);
    l->A = calloc(n * n + 1, sizeof *l->A);
    l->B = calloc(n * in + 1, sizeof *l->B);
    l->C = calloc(out * n + 1, sizeof *l->C);
    l->D = calloc(out * in + 1, sizeof *l->D);
    return l->state_name && l->input_name && l->output_name && l->element_name && l->element_mode &&
           l->state && l->A && l->B && l->C && l->D;
}

static void fill_rates(const slip_equilibrium_residual *s, const selection *of, slip_linear_model *l)
{
    for (int i = 0; i < l->state_count; i++) {
        const double *row = s->A + (size_t)of->state[i] * (size_t)s->states;
        l->state_name[i] = name_of_state(s->model, of->state[i]);
        l->state[i] = s->state[of->state[i]];
        for (int j = 0; j < l->state_count; j++) l->A[i * l->state_count + j] = row[of->state[j]];
        for (int j = 0; j < l->input_count; j++) l->B[i * l->input_count + j] = row[of->input[j]];
    }
    for (int j = 0; j < l->input_count; j++) l->input_name[j] = name_of_state(s->model, of->input[j]);
}

// derivatives of what is recorded; false when out of memory
static bool fill_outputs(slip_equilibrium_residual *s, const selection *of, slip_linear_model *l)
{
    slip_sensitivity *t = s->shot->tangent;
    const int outputs = l->output_count, width = s->states + outputs;
    double *row = malloc(((size_t)width * (size_t)t->column_count + 1) * sizeof *row);
    if (!row) return false;
    slip_sensitivity_row(t, t->base->t, outputs, row);
    for (int i = 0; i < outputs; i++) {
        l->output_name[i] = s->model->records[i].name;
        for (int j = 0; j < l->state_count; j++)
            l->C[i * l->state_count + j] = row[of->state[j] * width + s->states + i];
        for (int j = 0; j < l->input_count; j++)
            l->D[i * l->input_count + j] = row[of->input[j] * width + s->states + i];
    }
    free(row);
    return true;
}

static void fill_elements(const slip_equilibrium_residual *s, slip_linear_model *l)
{
    for (int k = 0; k < l->element_count; k++) {
        const slip_contact *c = &s->model->contacts[k];
        const unsigned mode = s->shot->sim->method->mode[k];
        const bool open = c->has_gap && !(mode & SLIP_MODE_CLOSED), stuck = mode & SLIP_MODE_STICK;
        l->element_name[k] = c->name;
        l->element_mode[k] = open ? "open" : c->slip.count == 0 ? "closed" : stuck ? "sticking" : "sliding";
    }
}

// lowest, ..., highest in equal ratios
static bool fill_frequencies(const slip_linearize_def *def, slip_linear_model *l)
{
    const int count = def->highest > 0.0 ? def->frequency_count : 0;
    l->frequency = malloc(((size_t)count + 1) * sizeof *l->frequency);
    if (!l->frequency) return false;
    const double ratio = count > 1 ? slip_ln(def->highest / def->lowest) / (count - 1) : 0.0;
    for (int k = 0; k < count; k++) l->frequency[k] = def->lowest * slip_exp(ratio * k);
    l->frequency_count = count;
    return true;
}

// --------------------------------------------------------------------------------------------- altogether

static bool describe(slip_equilibrium_residual *s, const slip_linearize_def *def, slip_linear_model *l)
{
    selection of = { 0 };
    bool fine = select_states(s, l, &of) && take_parts(s->model, l);
    if (fine) {
        fill_rates(s, &of, l);
        fill_elements(s, l);
        fine = fill_outputs(s, &of, l) && slip_linear_modes(l, of.coordinates) && fill_frequencies(def, l) &&
               slip_linear_response(l);
    }
    free(of.state);
    return fine;
}

static slip_status check_definition(const slip_model *model, const slip_linearize_def *def, slip_error *error)
{
    if (model->type != SLIP_MECHANICS)
        return slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                         "only mechanical models are linearized");
    const bool none = def->lowest == 0.0 && def->highest == 0.0,
               range = def->lowest > 0.0 && def->highest >= def->lowest && isfinite(def->highest);
    if (!none && !range)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "frequencies",
                         "must be above 0 Hz and rise, from %g to %g they do not", def->lowest, def->highest);
    if (def->frequency_count < 1 || def->frequency_count > MAX_FREQUENCIES)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "frequencies", "there may be 1 to %d of them, not %d",
                         (int)MAX_FREQUENCIES, def->frequency_count);
    return SLIP_OK;
}

static slip_status linearize_at(slip_equilibrium_residual *s, const slip_linearize_def *def, double *place,
                                slip_error *error, slip_linear_model *l)
{
    if (!slip_equilibrium_residual_solve(s, place, l->text, sizeof l->text)) return SLIP_OK;
    if (!s->known) slip_equilibrium_residual_evaluate(s, place);
    if (!s->known) {
        snprintf(l->text, sizeof l->text, "there is an equilibrium, but no derivatives: %.300s", s->reason);
        return SLIP_OK;
    }
    l->found = describe(s, def, l);
    return l->found ? SLIP_OK : no_memory(error);
}

slip_status slip_linearize(const slip_model *model, const slip_linearize_def *def, slip_error *error,
                           slip_linear_model **out)
{
    *out = NULL;
    const slip_linearize_def fallback = slip_default_linearize_def();
    if (!def) def = &fallback;
    slip_status status = check_definition(model, def, error);
    if (status != SLIP_OK) return status;
    slip_equilibrium_def rest = slip_default_equilibrium_def();
    rest.formulation = def->formulation;
    rest.start = def->start;
    slip_equilibrium_residual *s = NULL;
    slip_linear_model *l = calloc(1, sizeof *l);
    double *place = calloc((size_t)model->coordinate_count + 1, sizeof *place);
    status = l && place ? slip_equilibrium_first_place(model, &rest, place, error) : no_memory(error);
    if (status == SLIP_OK) status = slip_equilibrium_residual_create(model, &rest, NULL, NAN, error, &s);
    if (status == SLIP_OK) status = linearize_at(s, def, place, error, l);
    slip_equilibrium_residual_destroy(s);
    free(place);
    if (status == SLIP_OK)
        *out = l;
    else
        slip_linear_model_destroy(l);
    return status;
}
