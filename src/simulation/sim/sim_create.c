/// simulation/sim/sim_create.c: creates a simulation, restarts it with another variation of its model, and
/// destroys it.
#include "simulation/sim/sim.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "registry/part_names.h"
#include "symbolic/graph/caches.h"
#include "simulation/sim/sim_tolerances.h"
#include "simulation/sim/start_check.h"
#include "dynamics/equations.h"

static slip_status sim_allocate(slip_sim *sim, slip_error *error)
{
    slip_method *m = sim->method;
    int hidden = sim->watched + (sim->drawn ? sim->model->drawing.width : 0) + sim->tallied;
    int plain = 1 + m->state_count + m->record_count - hidden;
    sim->column_count = plain + slip_derivative_columns_width(sim->derivatives);
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &sim->memory)) {
        sim->mode = SLIP_TAKE(&arena, unsigned char, m->element_count);
        sim->row = SLIP_TAKE(&arena, double, sim->column_count + hidden);
    }
    return sim->memory ? SLIP_OK : slip_fail(error, SLIP_NO_MEMORY, "simulation", "out of memory");
}

// The records of a tally behind the first `shown` of those without a name
static bool append_tally(slip_sim *sim, int shown)
{
    const slip_model *m = sim->model;
    free(sim->unnamed);
    sim->unnamed = malloc((size_t)(shown + sim->tallied) * sizeof *sim->unnamed);
    if (!sim->unnamed) return false;
    if (shown) memcpy(sim->unnamed, m->unnamed, (size_t)shown * sizeof *m->unnamed);
    for (int k = 0; k < sim->tallied; k++) sim->unnamed[shown + k] = m->load_records[k].node;
    sim->drawn_model.unnamed = sim->unnamed;
    return true;
}

// The model with the numbers of a drawing, and the forces that a recording needs, as its last recorded
// quantities. NULL when out of memory.
static const slip_model *model_to_run(slip_sim *sim)
{
    const slip_model *m = sim->model;
    sim->drawn = sim->def.draw;
    sim->tallied = sim->def.loads ? m->load_record_count : 0;
    sim->watched = 0;
    if (!sim->drawn && !sim->tallied) return m;
    bool bounds = sim->drawn && sim->formulation->bounds_forces;
    sim->drawn_model = *m;
    if (sim->drawn) sim->watched = m->element_record_count - (bounds ? 0 : m->bound_count);
    const int shown = sim->drawn ? m->drawing.width + sim->watched : 0;
    if (sim->tallied && !append_tally(sim, shown)) return NULL;
    sim->drawn_model.record_count += shown + sim->tallied;
    sim->drawn_model.quantity_count +=
        m->drawn_quantity_count + m->element_quantity_count + (bounds ? m->bound_quantity_count : 0);
    return &sim->drawn_model;
}

static slip_status find_rest(slip_sim *sim, const slip_model *model, slip_error *error)
{
    slip_static_equilibrium rest;
    slip_status status = slip_static_equilibrium_model(model, &rest, error, &sim->rested);
    snprintf(sim->start_reason, sizeof sim->start_reason, "%s", status == SLIP_OK ? rest.text : "");
    return status;
}

// Frees everything except the tape cache.
static void clear_sim(slip_sim *sim)
{
    slip_tape_cache *tape_cache = sim->tape_cache;
    slip_model *origin = sim->origin;
    const slip_parameter_reads reads = sim->reads;
    slip_derivative_columns_destroy(sim->derivatives);
    if (sim->method) sim->method->ops->destroy(sim->method);
    slip_value_checks_destroy(sim->values);
    slip_model_events_destroy(sim->whens);
    slip_sampled_controllers_destroy(sim->samples);
    slip_delayed_values_destroy(sim->delays);
    slip_event_kinematics_destroy(sim->motion);
    slip_contact_loads_destroy(sim->loads);
    free(sim->unnamed);
    free(sim->agreement);
    free(sim->rested);
    free(sim->memory);
    slip_graph_destroy(sim->shelved.graph);
    *sim = (slip_sim){ .tape_cache = tape_cache, .origin = origin, .reads = reads };
}

// The model with the tape cache of the simulation, if there is one.
static const slip_model *with_cache(slip_sim *sim, const slip_model *model)
{
    if (!sim->tape_cache) return model;
    slip_graph *graph = slip_graph_share(model->graph);
    if (!graph) return NULL;
    sim->shelved = *model;
    sim->shelved.graph = graph;
    slip_graph_use_cache(graph, sim->tape_cache);
    return &sim->shelved;
}

static slip_status no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "simulation", "out of memory");
}

/// A method that may be reused for another start, with the formulation and the options for which it was made.
typedef struct kept_method {
    slip_method *method; // NULL: there is none
    const slip_formulation *formulation;
    slip_solve_options options;
} kept_method;

static slip_status make_method(slip_sim *sim, kept_method *kept, slip_error *error)
{
    slip_method *method = kept->method;
    kept->method = NULL;
    if (method && kept->formulation == sim->formulation &&
        memcmp(&kept->options, &sim->solver_options, sizeof kept->options) == 0 &&
        method->ops->rewind(method, sim->model, &sim->def)) {
        sim->method = method;
        return SLIP_OK;
    }
    if (method) method->ops->destroy(method);
    const slip_model *model = model_to_run(sim);
    return model ? sim->formulation->create(model, &sim->def, error, &sim->method) : no_memory(error);
}

// Settings, and the method that follows from them. A formulation that was not asked for and refuses the model
// makes place for the next one; where all refuse, the words of the first are the user's
static slip_status choose_method(slip_sim *sim, const slip_sim_def *def, kept_method *kept, slip_error *error)
{
    slip_error first = { 0 }, again;
    for (bool more = false;; more = true) {
        slip_error *said = more ? &again : &first;
        slip_status status = slip_sim_resolve_settings(sim, def, said);
        if (status == SLIP_OK) status = make_method(sim, kept, said);
        if (status == SLIP_OK) return status;
        const int at = slip_part_find(SLIP_FORMULATIONS, sim->def.formulation);
        const bool next =
            status == SLIP_UNSUPPORTED && sim->formulation_reason[0] && at >= 0 && !(sim->refused & 1u << at);
        if (next) sim->refused |= 1u << at;
        if (next) continue;
        if (error) *error = first;
        return more ? SLIP_UNSUPPORTED : status;
    }
}

static slip_status start_sim(slip_sim *sim, const slip_model *model, const slip_sim_def *def,
                             kept_method *kept, slip_error *error)
{
    model = with_cache(sim, model);
    if (!model) return no_memory(error);
    sim->rested = NULL; // the equilibrium is found again
    const slip_model *read = model;
    slip_status status = model->at_rest ? find_rest(sim, model, error) : SLIP_OK;
    sim->model = model = sim->rested ? sim->rested : model;
    if (status == SLIP_OK) status = choose_method(sim, def, kept, error);
    if (status == SLIP_OK)
        status = slip_derivative_columns_create(sim->method, read, sim->formulation, &sim->def, error,
                                                &sim->derivatives);
    if (status == SLIP_OK) status = sim_allocate(sim, error);
    if (status == SLIP_OK &&
        (!slip_check_start(sim->method, model) || !slip_value_checks_create(model, &sim->values) ||
         !slip_model_events_create(model, sim->method, sim->def.until, &sim->whens) ||
         !slip_sampled_controllers_create(model, &sim->samples) ||
         !slip_delayed_values_create(model, sim->method, &sim->def, &sim->delays) ||
         (sim->tallied && !slip_contact_loads_create(model, sim->method, sim->formulation, &sim->loads)) ||
         slip_log_out_of_memory(sim->method->log)))
        status = no_memory(error);
    if (status != SLIP_OK) return status;
    slip_model_events_set_sensitivities(sim->whens, sim->derivatives);
    slip_sampled_controllers_set_sens(sim->samples, sim->derivatives);
    assert(!sim->method->equations || sim->method->equations->element_count == sim->method->element_count);
    sim->last = (long)ceil(sim->def.until / sim->def.step - WHOLE_STEPS_SLACK);
    sim->rewinds = sim->tape_cache && sim->method->ops->rewind && !sim->rested && !sim->drawn &&
                   !sim->tallied && !sim->derivatives && slip_model_differs_only_in_starts(read);
    return SLIP_OK;
}

slip_status slip_sim_create(const slip_model *model, const slip_sim_def *def, slip_error *error,
                            slip_sim **out)
{
    *out = NULL;
    slip_sim *sim = calloc(1, sizeof *sim);
    if (!sim) return no_memory(error);
    slip_status status = start_sim(sim, model, def, &(kept_method){ 0 }, error);
    if (status != SLIP_OK) {
        slip_sim_destroy(sim);
        return status;
    }
    if (sim->def.stop) slip_sim_set_stop_flag(sim, sim->def.stop);
    *out = sim;
    return SLIP_OK;
}

static void drop_cache(slip_sim *sim)
{
    slip_parameter_reads_destroy(&sim->reads);
    slip_tape_cache_destroy(sim->tape_cache);
    slip_model_destroy(sim->origin);
    sim->tape_cache = NULL;
    sim->origin = NULL;
}

// Keeps the method for another start if the new model differs in its initial values only, and in no parameter
// that the method depends on.
static kept_method keep_method(slip_sim *sim, const slip_model *model)
{
    if (!sim->rewinds || model->origin != sim->origin || model->at_rest ||
        !slip_model_differs_only_in_starts(model) ||
        memcmp(&model->run, &sim->shelved.run, sizeof model->run) != 0 ||
        !slip_parameter_reads_unchanged(&sim->reads, model->graph))
        return (kept_method){ 0 };
    const kept_method kept = { sim->method, sim->formulation, sim->solver_options };
    sim->method = NULL;
    return kept;
}

slip_status slip_sim_restart(slip_sim *sim, const slip_model *model, const slip_sim_def *def,
                             slip_error *error)
{
    const bool keeps = slip_graph_keeps(model->graph, SLIP_CACHE_STARTS);
    kept_method kept = keeps ? keep_method(sim, model) : (kept_method){ 0 };
    clear_sim(sim);
    if (sim->origin != model->origin || !keeps) drop_cache(sim);
    if (!sim->tape_cache && keeps) {
        sim->tape_cache = slip_tape_cache_create();
        if (!sim->tape_cache) return no_memory(error);
        sim->origin = slip_model_retain_origin(model);
        slip_parameter_reads_open(&sim->reads, sim->tape_cache);
    }
    if (!kept.method) slip_parameter_reads_clear(&sim->reads);
    const slip_status status = start_sim(sim, model, def, &kept, error);
    if (kept.method) kept.method->ops->destroy(kept.method); // an error occurred before it could be reused
    if (status == SLIP_OK && sim->def.stop) slip_sim_set_stop_flag(sim, sim->def.stop);
    return status;
}

void slip_sim_release_but_caches(slip_sim *sim)
{
    clear_sim(sim);
}

void slip_sim_destroy(slip_sim *sim)
{
    if (!sim) return;
    clear_sim(sim);
    drop_cache(sim);
    free(sim);
}
