/// study/compare/impact_law_runs.c: one model under every law of impact.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "physics/impact/impact_law.h"
#include "model/model.h"
#include "simulation/sim/sim.h"
#include "slipstick/impact.h"

struct slip_impact_law_runs {
    const char *model;
    char formulation[32];
    int count, coordinates;
    slip_impact_law_run *runs;
    double *ends; // coordinates each
};

// Contacts struck in one instant share an impact: one of them may gain what another one loses.
typedef struct impact_energy {
    slip_impact_law_run *run;
    double t, energy; // of the impact of this instant, so far
} impact_energy;

static void close_impact(impact_energy *now)
{
    if (now->energy > 0.0) now->run->gains += now->energy;
    now->energy = 0.0;
}

static void on_event(void *context, const slip_event *event)
{
    impact_energy *now = context;
    if (event->kind != SLIP_EVENT_IMPACT) return;
    if (event->t != now->t) close_impact(now);
    now->t = event->t;
    now->energy += event->energy;
    now->run->impacts++;
    now->run->jams += event->path >= SLIP_PATH_JAMMED;
    now->run->taken -= event->energy;
}

static void run_under_law(slip_sim *sim, slip_impact_law_run *run, int coordinates, double *end)
{
    impact_energy now = { .run = run, .t = -INFINITY };
    slip_sim_on_event(sim, on_event, &now);
    do run->outcome = slip_sim_step(sim);
    while (run->outcome == SLIP_RUNNING);
    close_impact(&now);
    double *row = malloc((size_t)slip_sim_column_count(sim) * sizeof *row);
    if (row) slip_sim_columns(sim, row);
    for (int k = 0; k < coordinates; k++) end[k] = row ? row[1 + k] : NAN;
    free(row);
    const slip_warning *first = slip_sim_warning_at(sim, 0);
    const char *why = run->outcome == SLIP_DONE       ? (first ? first->text : "")
                      : run->outcome == SLIP_UNSOLVED ? slip_log_failure(sim->method->log)
                                                      : slip_run_outcome_text(run->outcome);
    snprintf(run->text, sizeof run->text, "%s", why);
}

// a run by the law; contacts that name their own keep it, and the law in force is that of the model as it is
static slip_status run_by(const slip_model *model, const char *formulation, double until,
                          slip_impact_law_run *run, double *end, char *chosen, slip_error *error)
{
    char change[64];
    snprintf(change, sizeof change, "impact=%s", run->law);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *varied = NULL;
    slip_status status =
        notes ? slip_model_vary(model, (const char *[]){ change }, run->in_force ? 0 : 1, notes, &varied)
              : SLIP_NO_MEMORY;
    if (status != SLIP_OK && status != SLIP_NO_MEMORY) { // a restitution_t, say
        run->text[0] = '\0';
        for (int k = 0; k < slip_diagnostics_count(notes) && !run->text[0]; k++)
            snprintf(run->text, sizeof run->text, "%s", slip_diagnostics_get(notes, k).text);
        status = SLIP_OK;
    } else if (status == SLIP_OK) {
        slip_sim_def def = slip_default_sim_def();
        if (formulation) def.formulation = formulation;
        if (!isnan(until)) def.until = until;
        slip_sim *sim = NULL;
        slip_error refused = { 0 };
        const slip_status made = slip_sim_create(varied, &def, &refused, &sim);
        run->applies = made == SLIP_OK;
        if (made == SLIP_OK) {
            snprintf(chosen, 32, "%s", slip_sim_settings(sim).formulation);
            run_under_law(sim, run, slip_model_own_coordinates(model), end);
        } else
            snprintf(run->text, sizeof run->text, "%s", refused.text);
        if (made == SLIP_UNKNOWN_NAME || made == SLIP_NO_MEMORY) *error = refused, status = made;
        slip_sim_destroy(sim);
    }
    slip_model_destroy(varied);
    slip_diagnostics_destroy(notes);
    return status;
}

static bool reached_end(const slip_impact_law_run *run)
{
    return run->applies && run->outcome == SLIP_DONE;
}

// largest difference of a coordinate at the end from the law that the model has; runs that ended early have
// none
static void find_spreads(slip_impact_law_runs *r, int own)
{
    for (int k = 0; k < r->count; k++) {
        slip_impact_law_run *run = &r->runs[k];
        run->spread = own >= 0 && reached_end(run) && reached_end(&r->runs[own]) ? 0.0 : NAN;
        for (int c = 0; c < r->coordinates && !isnan(run->spread); c++)
            run->spread = fmax(run->spread, fabs(run->end[c] - r->runs[own].end[c]));
    }
}

static slip_status law_runs_fill(slip_impact_law_runs *r, const slip_model *model, const char *formulation,
                                 double until, slip_error *error)
{
    const slip_impact_law *law = slip_impact_at(0);
    int own = -1;
    for (int k = 0; k < model->contact_count; k++)
        if (model->contacts[k].has_gap && model->contacts[k].impact_given) law = model->contacts[k].impact;
    for (int k = 0; k < r->count; k++) {
        slip_impact_law_run *run = &r->runs[k];
        run->law = slip_impact_at(k)->info.name;
        run->in_force = slip_impact_at(k) == law;
        run->end = r->ends + (size_t)k * (size_t)r->coordinates;
        if (run->in_force) own = k;
        const slip_status status = run_by(model, formulation, until, run, run->end, r->formulation, error);
        if (status != SLIP_OK) return status;
    }
    find_spreads(r, own);
    return SLIP_OK;
}

slip_status slip_impact_law_runs_create(const slip_model *model, const char *formulation, double until,
                                        slip_error *error, slip_impact_law_runs **out)
{
    *out = NULL;
    if (model->type != SLIP_MECHANICS)
        return slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model), "an inclusion has no impacts");
    slip_impact_law_runs *r = calloc(1, sizeof *r);
    if (!r) return slip_fail(error, SLIP_NO_MEMORY, "impact laws", "out of memory");
    while (slip_impact_at(r->count)) r->count++;
    r->model = slip_model_name(model);
    r->coordinates = slip_model_own_coordinates(model);
    r->runs = calloc((size_t)r->count, sizeof *r->runs);
    r->ends = calloc((size_t)(r->count * r->coordinates) + 1, sizeof *r->ends);
    slip_status status = r->runs && r->ends
                             ? law_runs_fill(r, model, formulation, until, error)
                             : slip_fail(error, SLIP_NO_MEMORY, "impact laws", "out of memory");
    if (status == SLIP_OK)
        *out = r;
    else
        slip_impact_law_runs_destroy(r);
    return status;
}

void slip_impact_law_runs_destroy(slip_impact_law_runs *r)
{
    if (!r) return;
    free(r->runs);
    free(r->ends);
    free(r);
}

int slip_impact_law_runs_count(const slip_impact_law_runs *r)
{
    return r->count;
}

const slip_impact_law_run *slip_impact_law_runs_row(const slip_impact_law_runs *r, int k)
{
    return k >= 0 && k < r->count ? &r->runs[k] : NULL;
}

const char *slip_impact_law_runs_formulation(const slip_impact_law_runs *r)
{
    return r->formulation;
}

char *slip_impact_law_runs_json(const slip_impact_law_runs *r)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_text(&json, "model", r->model);
    slip_json_text(&json, "formulation", r->formulation);
    slip_json_open(&json, "laws", '[');
    for (int k = 0; k < r->count; k++) {
        const slip_impact_law_run *run = &r->runs[k];
        slip_json_open(&json, NULL, '{');
        slip_json_text(&json, "law", run->law);
        slip_json_bool(&json, "in_force", run->in_force);
        slip_json_bool(&json, "applies", run->applies);
        slip_json_text(&json, "outcome", run->applies ? slip_run_outcome_name(run->outcome) : "");
        slip_json_text(&json, "text", run->text);
        slip_json_number(&json, "impacts", (double)run->impacts);
        slip_json_number(&json, "jams", (double)run->jams);
        slip_json_number(&json, "taken", run->taken);
        slip_json_number(&json, "gains", run->gains);
        slip_json_number(&json, "spread", run->spread);
        slip_json_numbers(&json, "end", run->end, run->applies ? r->coordinates : 0);
        slip_json_close(&json, '}');
    }
    slip_json_close(&json, ']');
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
