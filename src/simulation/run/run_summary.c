/// simulation/run/run_summary.c: the JSON summary of a run (docs/json.md), and how this library was built.
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "simulation/run/sensitivity_files.h"
#include "simulation/sim/sim.h"
#include "slipstick/run.h"
#include "symbolic/tape/tape.h"
#include "slipstick_config.h"

enum { SUMMARY_FORMAT = 1 };

const char *slip_version(void)
{
    return SLIP_VERSION;
}

const slip_build_part *slip_build_part_at(int k)
{
    static const slip_build_part parts[] = {
        { "HDF5", SLIP_HAVE_HDF5, "trajectory.h5 beside the CSV" },
        { "page", SLIP_HAVE_PAGE, "reports in HTML, --report" },
        { "lab", SLIP_HAVE_LAB, "the laboratory, slipstick lab" },
    };
    enum { STATIC_PARTS = sizeof parts / sizeof *parts };
    // by what the system allows this process, so it is asked each time
    static const slip_build_part machine_code[] = {
        { "machine_code", false, "formulas are interpreted: the same bits, more time" },
        { "machine_code", true, "formulas as instructions of this processor" },
    };
    if (k == STATIC_PARTS) return &machine_code[slip_tape_can_be_native()];
    return k >= 0 && k < STATIC_PARTS ? &parts[k] : NULL;
}

static void add_build(slip_json *json, const char *key)
{
    slip_json_open(json, key, '{');
    slip_json_text(json, "version", SLIP_VERSION);
    slip_json_text(json, "compiler", SLIP_COMPILER);
    slip_json_text(json, "build", SLIP_BUILD_TYPE);
    for (int k = 0; slip_build_part_at(k); k++)
        slip_json_bool(json, slip_build_part_at(k)->name, slip_build_part_at(k)->present);
    slip_json_close(json, '}');
}

char *slip_build_summary(void)
{
    slip_json json = { 0 };
    add_build(&json, NULL);
    return slip_text_take(&json.text);
}

static void add_settings(slip_json *json, const slip_sim *sim)
{
    slip_json_open(json, "settings", '{');
    slip_json_number(json, "max_step", sim->def.max_step);
    slip_json_number(json, "relative", sim->def.relative);
    slip_json_number(json, "absolute", sim->def.absolute);
    slip_json_bool(json, "strict", sim->def.strict);
    slip_json_text(json, "branch", sim->def.branch);
    slip_json_text(json, "on_disagreement", sim->def.on_disagreement);
    slip_json_open(json, "set", '['); // overrides as the user wrote them
    for (int k = 1; k < sim->model->source_count; k++)
        slip_json_text(json, NULL, sim->model->sources[k].text);
    slip_json_close(json, ']');
    slip_json_open(json, "solver_options", '{'); // only those that the user set
    slip_option_entry entry;
    for (int k = 0; slip_solve_option_entry(k, &entry); k++) {
        double value = slip_solve_option(sim->def.solver_options, entry.key);
        if (!isnan(value)) slip_json_number(json, entry.key, value);
    }
    slip_json_close(json, '}');
    slip_json_open(json, "chosen", '{'); // settings that the program has chosen, with the reason
    if (sim->formulation_reason[0]) slip_json_text(json, "formulation", sim->formulation_reason);
    if (sim->start_reason[0]) slip_json_text(json, "start", sim->start_reason);
    if (sim->step_reason[0]) slip_json_text(json, "step", sim->step_reason);
    slip_json_close(json, '}');
    slip_json_open(json, "parameters", '{');
    for (int k = 0; k < slip_model_parameter_count(sim->model); k++)
        slip_json_number(json, slip_model_parameter_name(sim->model, k),
                         slip_model_parameter_value(sim->model, k));
    slip_json_close(json, '}');
    slip_json_open(json, "parameter_units", '{');
    for (int k = 0; k < slip_model_parameter_count(sim->model); k++)
        if (slip_model_parameter_unit(sim->model, k)[0])
            slip_json_text(json, slip_model_parameter_name(sim->model, k),
                           slip_model_parameter_unit(sim->model, k));
    slip_json_close(json, '}');
    slip_json_open(json, "constants", '{');
    const slip_method *m = sim->method;
    for (int k = 0; k < m->constant_count; k++) {
        bool first = k == 0 || m->constants[k].element != m->constants[k - 1].element;
        bool last = k + 1 == m->constant_count || m->constants[k].element != m->constants[k + 1].element;
        if (first) slip_json_open(json, m->constants[k].element, '{');
        slip_json_number(json, m->constants[k].name, m->constants[k].value);
        if (last) slip_json_close(json, '}');
    }
    slip_json_close(json, '}');
    slip_json_close(json, '}');
}

static void add_measures(slip_json *json, const slip_method *m)
{
    slip_json_open(json, "measures", '{');
    for (int k = 0; k < m->measure_count; k++)
        slip_json_number(json, m->measures[k].name, m->measures[k].value);
    slip_json_close(json, '}');
}

// Seconds of each verdict; null for formulations that are not rigid.
static void add_verdict(slip_json *json, const slip_method *m)
{
    if (!m->trust.judged) {
        slip_json_null(json, "verdict");
        return;
    }
    slip_json_open(json, "verdict", '{');
    slip_json_text(json, "worst", slip_verdict_name(m->trust.worst));
    slip_json_text(json, "text", m->trust.text ? m->trust.text : slip_verdict_text(m->trust.worst));
    slip_json_open(json, "seconds", '{');
    for (int k = 0; k < SLIP_VERDICT_COUNT; k++)
        slip_json_number(json, slip_verdict_name((slip_verdict)k),
                         m->trust.seconds[k] + (k == (int)m->trust.now ? m->t - m->trust.since : 0.0));
    slip_json_close(json, '}');
    slip_json_close(json, '}');
}

// The condition that has ended the run; null when none did.
static void add_stop(slip_json *json, const slip_sim *sim)
{
    double t;
    const char *condition = slip_sim_stopped_by(sim, &t);
    if (!condition) {
        slip_json_null(json, "stop");
        return;
    }
    slip_json_open(json, "stop", '{');
    slip_json_text(json, "condition", condition);
    slip_json_number(json, "t", t);
    slip_json_close(json, '}');
}

// The prediction horizon; null when there was no companion.
static void add_horizon(slip_json *json, const slip_sim *sim)
{
    const slip_horizon *h = &sim->horizon;
    if (!h->known) {
        slip_json_null(json, "horizon");
        return;
    }
    slip_json_open(json, "horizon", '{');
    slip_json_number(json, "until", h->until);
    slip_json_number(json, "again", h->again);
    slip_json_text(json, "coordinate", h->coordinate < 0 ? NULL : sim->method->state_name[h->coordinate]);
    slip_json_number(json, "accuracy", h->accuracy);
    slip_json_number(json, "agreement", h->agreement);
    slip_json_text(json, "companion", h->companion);
    slip_json_bool(json, "chaotic", h->chaotic);
    slip_json_number(json, "resolution", h->resolution);
    slip_json_text(json, "text", h->text);
    slip_json_open(json, "coordinates", '{');
    for (int k = 0; k < h->coordinate_count; k++)
        slip_json_number(json, sim->method->state_name[k], sim->agreement[k]);
    slip_json_close(json, '}');
    slip_json_close(json, '}');
}

// The creep of sticking contacts; null when there was no companion, or when nothing stuck for long.
static void add_creep(slip_json *json, const slip_sim *sim)
{
    const slip_creep *c = &sim->creep;
    if (!c->known) {
        slip_json_null(json, "creep");
        return;
    }
    slip_json_open(json, "creep", '{');
    slip_json_text(json, "element", c->element);
    slip_json_number(json, "way", c->distance);
    slip_json_number(json, "time", c->time);
    slip_json_number(json, "rate", c->rate);
    slip_json_text(json, "unit", c->unit);
    slip_json_close(json, '}');
}

static void add_warnings(slip_json *json, const slip_sim *sim)
{
    slip_json_open(json, "warnings", '[');
    for (int k = 0; slip_sim_warning(sim, k); k++) slip_json_text(json, NULL, slip_sim_warning(sim, k));
    slip_json_close(json, ']');
}

static void add_entry(slip_json *json, const slip_warning *w)
{
    slip_json_open(json, NULL, '{');
    slip_json_text(json, "kind", slip_warning_kind_name(w->kind));
    slip_json_number(json, "t", w->t);
    slip_json_number(json, "last", w->last);
    slip_json_integer(json, "count", w->count);
    slip_json_text(json, "element", w->element);
    slip_json_text(json, "text", w->text);
    slip_json_open(json, "values", '[');
    for (int k = 0; k < w->value_count; k++) {
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "name", w->values[k].name);
        slip_json_number(json, "value", w->values[k].value);
        slip_json_text(json, "unit", w->values[k].unit);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
    slip_json_open(json, "advice", '[');
    for (int k = 0; k < w->advice_count; k++) {
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "key", w->advice[k].key);
        if (w->advice[k].word)
            slip_json_text(json, "value", w->advice[k].word);
        else
            slip_json_number(json, "value", w->advice[k].value);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
    slip_json_close(json, '}');
}

static void add_log(slip_json *json, const slip_sim *sim)
{
    slip_json_open(json, "log", '[');
    for (int k = 0; slip_sim_warning_at(sim, k); k++) add_entry(json, slip_sim_warning_at(sim, k));
    slip_json_close(json, ']');
    slip_json_open(json, "notes", '[');
    for (int k = 0; slip_sim_note_at(sim, k); k++) add_entry(json, slip_sim_note_at(sim, k));
    slip_json_close(json, ']');
}

static void add_state(slip_json *json, slip_sim *sim)
{
    slip_sim_columns(sim, sim->row);
    slip_json_open(json, "state", '{');
    for (int k = 0; k <= sim->method->state_count; k++)
        slip_json_number(json, slip_sim_column_name(sim, k), sim->row[k]);
    slip_json_close(json, '}');
    slip_json_open(json, "recorded", '{');
    for (int k = 1 + sim->method->state_count; k < sim->column_count; k++)
        slip_json_number(json, slip_sim_column_name(sim, k), sim->row[k]);
    slip_json_close(json, '}');
}

static void add_units(slip_json *json, const slip_sim *sim)
{
    slip_json_open(json, "units", '{');
    for (int k = 0; k < sim->column_count; k++)
        if (slip_sim_column_unit(sim, k)[0])
            slip_json_text(json, slip_sim_column_name(sim, k), slip_sim_column_unit(sim, k));
    slip_json_close(json, '}');
}

static void add_energy(slip_json *json, slip_sim *sim)
{
    slip_energy e = slip_sim_energy(sim);
    if (!e.known) {
        slip_json_null(json, "energy");
        return;
    }
    slip_json_open(json, "energy", '{');
    slip_json_number(json, "kinetic", e.kinetic);
    slip_json_number(json, "potential", e.potential);
    slip_json_number(json, "start", e.start);
    slip_json_number(json, "work", e.work);
    slip_json_number(json, "friction", e.friction);
    slip_json_number(json, "contact", e.contact);
    slip_json_number(json, "impact", e.impact);
    slip_json_number(json, "numerical", e.numerical);
    slip_json_close(json, '}');
}

// Loads of contacts, frictions and joints; null when they were not tallied.
static void add_loads(slip_json *json, const slip_sim *sim)
{
    slip_element_loads loads;
    if (!slip_sim_loads(sim, 0, &loads)) {
        slip_json_null(json, "loads");
        return;
    }
    slip_json_open(json, "loads", '{');
    for (int k = 0; slip_sim_loads(sim, k, &loads); k++) {
        slip_json_open(json, loads.element, '{');
        slip_json_text(json, "kind", slip_loaded_name(loads.kind));
        slip_json_text(json, "unit", loads.unit);
        for (int i = 0; slip_load_number_name(i); i++)
            slip_json_number(json, slip_load_number_name(i), slip_load_number(&loads, i));
        slip_json_close(json, '}');
    }
    slip_json_close(json, '}');
}

char *slip_run_summary(slip_sim *sim, const slip_run_info *info)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_integer(&json, "format", SUMMARY_FORMAT);
    slip_json_text(&json, "version", SLIP_VERSION);
    slip_json_text(&json, "model", slip_model_name(sim->model));
    slip_json_text(&json, "file", slip_model_file(sim->model));
    slip_json_text(&json, "kind", slip_model_kind(sim->model));
    slip_json_text(&json, "formulation", sim->def.formulation);
    slip_json_text(&json, "integrator", sim->formulation->integrator ? sim->def.integrator : NULL);
    slip_json_text(&json, "solver", sim->formulation->solver ? sim->def.solver : NULL);
    slip_json_number(&json, "step", sim->def.step);
    slip_json_number(&json, "largest_stable_step",
                     sim->method->largest_stable_step > 0.0 ? sim->method->largest_stable_step : INFINITY);
    slip_json_number(&json, "until", sim->def.until);
    slip_json_integer(&json, "steps", sim->steps);
    slip_json_integer(&json, "rows", info->rows);
    slip_json_integer(&json, "events", sim->events);
    slip_json_text(&json, "outcome", slip_run_outcome_name(info->outcome));
    slip_json_text(&json, "message", info->text);
    add_stop(&json, sim);
    const char *doubt;
    slip_json_text(&json, "trust", slip_run_trust(sim, info, &doubt));
    slip_json_text(&json, "doubt", doubt);
    add_warnings(&json, sim);
    add_log(&json, sim);
    add_verdict(&json, sim->method);
    add_horizon(&json, sim);
    add_creep(&json, sim);
    add_state(&json, sim);
    add_units(&json, sim);
    add_energy(&json, sim);
    add_loads(&json, sim);
    slip_summary_sensitivity(&json, sim);
    add_measures(&json, sim->method);
    add_settings(&json, sim);
    slip_json_number(&json, "wall_seconds", info->wall_seconds);
    slip_json_number(&json, "peak_bytes", info->peak_bytes);
    add_build(&json, "build");
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
