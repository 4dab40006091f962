/// output/export/export_model.c: a model on its way out: what can be exported, and its variables by name.
#include "output/export/export_model.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "formulation/ode/ode_method.h"
#include "output/export/export_refusals.h"
#include "simulation/sim/sim_tolerances.h"
#include "simulation/sim/value_checks_internal.h"

enum { TESTED_STEPS = 1000 };

slip_export_def slip_default_export_def(void)
{
    return (slip_export_def){ .name = "model", .fmi = 3 };
}

static slip_status no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "export", "out of memory");
}

// ------------------------------------------------------------------------------------------- variables

bool slip_export_is_fixed(const slip_export_def *def, const slip_parameter *parameter)
{
    for (int k = 0; k < def->fix_count; k++)
        if (strcmp(def->fix[k], parameter->name) == 0) return true;
    return def->fix_structure && parameter->shapes;
}

static bool collect_parameters(slip_export *e)
{
    const slip_model *m = e->model;
    e->parameters = SLIP_POOL_NEW(e->pool, slip_export_variable, m->parameter_count + 1);
    for (int k = 0; e->parameters && k < m->parameter_count; k++) {
        const slip_parameter *p = &m->parameters[k];
        if (p->formula >= 0 || slip_export_is_fixed(e->def, p)) continue;
        e->parameters[e->parameter_count++] = (slip_export_variable){
            .name = p->name, .unit = p->unit, .text = "parameter of the model", .start = p->value, .source = k
        };
    }
    return e->parameters && slip_export_make_ids(e->pool, e->parameters, e->parameter_count);
}

static const char *state_text(const slip_export *e, int k)
{
    const int n = e->ode->n;
    if (k >= 2 * n) return n ? "state of a contact or friction" : "state";
    const slip_coordinate *c = &e->model->coordinates[k % n];
    if (c->is_input) return k < n ? "input" : "when that input was last set";
    if (c->is_held) return k < n ? "mode" : "when that mode was last changed";
    return k < n ? "coordinate" : "rate of a coordinate";
}

static bool collect_states(slip_export *e)
{
    e->state_count = e->ode->state_count;
    e->states = SLIP_POOL_NEW(e->pool, slip_export_variable, e->state_count + 1);
    for (int k = 0; e->states && k < e->state_count; k++) {
        const bool first = k < e->ode->n;
        e->states[k] = (slip_export_variable){ .name = e->ode->state_name[k],
                                               .unit = slip_sim_column_unit(e->sim, 1 + k),
                                               .text = state_text(e, k),
                                               .start = e->run->x[k],
                                               .source = k,
                                               .is_input = first && e->model->coordinates[k].is_input };
        e->input_count += e->states[k].is_input;
    }
    return e->states && slip_export_make_ids(e->pool, e->states, e->state_count);
}

static bool has_output(const slip_export *e, const char *name)
{
    for (int k = 0; k < e->output_count; k++)
        if (strcmp(e->outputs[k].name, name) == 0) return true;
    for (int k = 0; k < e->state_count; k++)
        if (strcmp(e->states[k].name, name) == 0) return true;
    return false;
}

// what every element shows, beside what the model records
static bool add_quantity(slip_export *e, const char *element, const char *word, const char *unit,
                         const char *text, slip_ref ref)
{
    char name[300];
    snprintf(name, sizeof name, "%.200s.%s", element, word);
    if (ref < 0 || has_output(e, name)) return true;
    const char *kept = slip_pool_text(e->pool, name, strlen(name));
    if (!kept) return false;
    e->outputs[e->output_count++] =
        (slip_export_variable){ .name = kept, .unit = unit, .text = text, .start = NAN, .source = ref };
    return true;
}

static bool add_element_quantities(slip_export *e, int k)
{
    const slip_ode_element *q = &e->ode->elements[k];
    const bool angular = e->ode->equations && e->model->contacts[k].angular;
    const char *length = angular ? "rad" : "m", *speed = angular ? "rad/s" : "m/s";
    const char *force = angular ? "N m" : "N";
    return add_quantity(e, q->name, "gap", length, "gap", q->gap) &&
           add_quantity(e, q->name, "normal", force, "normal force", q->normal) &&
           add_quantity(e, q->name, "slip", speed, "slip velocity", q->slip[0]) &&
           add_quantity(e, q->name, "slip.y", speed, "second component of it", q->slip[1]) &&
           add_quantity(e, q->name, "friction", force, "friction force along the slip", q->force[0]) &&
           add_quantity(e, q->name, "friction.y", force, "second component of it", q->force[1]);
}

static bool collect_outputs(slip_export *e)
{
    enum { QUANTITIES = 6 };
    e->outputs = SLIP_POOL_NEW(e->pool, slip_export_variable,
                               e->ode->record_count + QUANTITIES * e->element_count + 1);
    bool fine = e->outputs != NULL;
    for (int k = 0; fine && k < e->ode->record_count; k++)
        e->outputs[e->output_count++] =
            (slip_export_variable){ .name = slip_model_record_name(e->model, k),
                                    .unit = slip_sim_column_unit(e->sim, 1 + e->state_count + k),
                                    .text = "recorded quantity",
                                    .start = NAN,
                                    .source = e->ode->record[k] };
    for (int k = 0; fine && k < e->element_count; k++) fine = add_element_quantities(e, k);
    return fine && slip_export_make_ids(e->pool, e->outputs, e->output_count);
}

static bool collect_elements(slip_export *e)
{
    e->element_count = e->ode->element_count;
    e->elements = SLIP_POOL_NEW(e->pool, slip_export_variable, e->element_count + 1);
    for (int k = 0; e->elements && k < e->element_count; k++)
        e->elements[k] =
            (slip_export_variable){ .name = e->ode->elements[k].name,
                                    .unit = "",
                                    .text = e->ode->elements[k].gap >= 0 ? "contact" : "friction",
                                    .source = k };
    return e->elements && slip_export_make_ids(e->pool, e->elements, e->element_count);
}

static bool collect_variables(slip_export *e)
{
    e->has_decay = e->ode->has_decay;
    e->has_strain = e->ode->patience > 0.0;
    e->check_count = e->sim->values ? e->sim->values->count : 0;
    e->upper = slip_pool_text(e->pool, e->def->name, strlen(e->def->name));
    for (char *c = e->upper; c && *c; c++) *c = (char)toupper((unsigned char)*c);
    return e->upper && collect_parameters(e) && collect_states(e) && collect_elements(e) &&
           collect_outputs(e) && slip_export_collect_formulas(e);
}

// ------------------------------------------------------------------------------------------------ life

slip_status slip_export_open(slip_export *e, const slip_model *model, const slip_sim_def *settings,
                             const slip_export_def *def, slip_error *error)
{
    *e = (slip_export){ .def = def, .pool = slip_pool_create() };
    if (!e->pool) return no_memory(error);
    slip_status status = slip_export_refuse_names(model, def, error);
    if (status == SLIP_OK) status = slip_sim_create(model, settings, error, &e->sim);
    if (status == SLIP_OK) status = slip_export_refuse_method(e->sim, error);
    if (status != SLIP_OK) return status;
    e->model = e->sim->model;
    e->run = (slip_ode_run *)e->sim->method;
    e->ode = e->run->ode;
    if (!collect_variables(e)) return no_memory(error);
    slip_export_test_run(e);
    return SLIP_OK;
}

void slip_export_close(slip_export *e)
{
    slip_formula_source_destroy(e->source);
    slip_graph_destroy(e->graph);
    slip_sim_destroy(e->sim);
    slip_pool_destroy(e->pool);
}

slip_export_info slip_export_get_info(const slip_export *e)
{
    return (slip_export_info){ .formulation = e->sim->formulation->info.name,
                               .integrator = e->run->integrator->info.name,
                               .step = e->sim->def.step,
                               .states = e->state_count,
                               .parameters = e->parameter_count,
                               .outputs = e->output_count,
                               .tested_steps = e->tested_steps };
}

// ------------------------------------------------------------------------------------------- self test

// bits of a number, low byte first on every machine; both zeros are one
static uint64_t hash_number(uint64_t hash, double x)
{
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    char bytes[8];
    for (int k = 0; k < 8; k++) bytes[k] = (char)(bits >> (8 * k) & 0xff);
    return slip_checksum(hash, bytes, sizeof bytes);
}

void slip_export_test_run(slip_export *e)
{
    const slip_sim_def *def = &e->sim->def;
    const long whole = (long)floor(def->until / def->step + WHOLE_STEPS_SLACK);
    e->hash = SLIP_CHECKSUM;
    while (e->tested_steps < TESTED_STEPS && e->tested_steps < whole) {
        const slip_run_outcome outcome = slip_sim_step(e->sim);
        if (outcome != SLIP_RUNNING && outcome != SLIP_DONE) break;
        for (int k = 0; k < e->state_count; k++) e->hash = hash_number(e->hash, e->sim->method->state[k]);
        e->tested_steps++;
        if (outcome == SLIP_DONE) break;
    }
    e->tested_until = e->sim->method->t;
}
