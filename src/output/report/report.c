/// output/report/report.c: the page with its data, as one file.
#include "slipstick/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/analysis/analysis_json.h"
#include "base/status.h"
#include "study/fit/fit_json.h"
#include "model/model.h"
#include "output/report/report_cycles.h"
#include "output/report/report_findings.h"
#include "output/report/base64_arrays.h"
#include "output/report/report_page.h"
#include "output/report/report_runs.h"
#include "output/report/report_sweep.h"
#include "base/atomic_file.h"
#include "platform/platform.h"
#include "slipstick/run.h"

enum { REPORT_FORMAT = 1 };

slip_report_def slip_default_report_def(void)
{
    return (slip_report_def){ 0 };
}

// --------------------------------------------------------------------------------------------- runs

// those that were given, then those of the comparison, the chosen one first; NULL past the end
static const slip_recording *run_at(const slip_report_def *def, int k)
{
    const slip_comparison *c = def->comparison;
    if (k < def->run_count) return def->runs[k];
    k -= def->run_count;
    int chosen = c ? slip_comparison_chosen(c) : -1;
    for (int at = -1; c && at < slip_comparison_count(c); at++) {
        int row = at < 0 ? chosen : at;
        const slip_recording *r =
            row < 0 || (at >= 0 && row == chosen) ? NULL : slip_comparison_recording(c, row);
        if (r && k-- == 0) return r;
    }
    return NULL;
}

static bool was_recorded(const slip_recording *r)
{
    return r->model != NULL;
}

static slip_status check_report_def(const slip_report_def *def, slip_error *error)
{
    if (!def->model) return slip_fail(error, SLIP_BAD_ARGUMENT, "report", "a model must be given");
    if (!def->page && !slip_page(2).text) return slip_fail(error, SLIP_UNSUPPORTED, "report", SLIP_NO_PAGE);
    if (def->page && !strstr(def->page, SLIP_PAGE_MARKER))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "report", "the page does not hold the line %s",
                         SLIP_PAGE_MARKER);
    for (int k = 0; run_at(def, k); k++) {
        if (!was_recorded(run_at(def, k)))
            return slip_fail(error, SLIP_BAD_ARGUMENT, "report", "run %d was given an empty recording",
                             k + 1);
        if (run_at(def, k)->failed) return slip_fail(error, SLIP_NO_MEMORY, "report", "out of memory");
    }
    return SLIP_OK;
}

// ------------------------------------------------------------------------------------------ members

static void add_made(slip_json *json, const slip_report_def *def)
{
    char text[40];
    if (!def->reproducible && slip_utc_text(text, sizeof text)) slip_json_text(json, "made", text);
}

static void add_build(slip_json *json)
{
    char *text = slip_build_summary();
    if (text)
        slip_json_value(json, "program", text);
    else
        json->text.failed = true;
    free(text);
}

// the model file, and behind it those it includes
static void add_model(slip_json *json, const slip_model *model)
{
    slip_text all = { 0 };
    slip_text_add(&all, "%s", slip_model_text(model, NULL));
    for (const slip_included *k = model->included; k; k = k->next)
        if (!k->again) slip_text_add(&all, "\n# included: %s\n%s", k->file.name, k->file.text);
    slip_json_open(json, "model", '{');
    slip_json_text(json, "file", slip_model_file(model));
    slip_json_text(json, "text", all.failed ? "" : all.data);
    slip_json_close(json, '}');
    json->text.failed = json->text.failed || all.failed;
    slip_text_destroy(&all);
}

// formulations that are not trusted, in one sentence per word; the table says why, and which do not apply
static void add_doubts(slip_json *json, const slip_comparison *c)
{
    static const slip_run_outcome ends[] = { SLIP_DONE, SLIP_STOPPED, SLIP_UNSOLVED }; // one per word
    for (int e = 0; e < 3; e++) {
        const char *word = slip_trust_name(ends[e], false);
        slip_text said = { 0 };
        for (int k = 0; k < slip_comparison_count(c); k++) {
            const slip_compare_row *row = slip_comparison_row(c, k);
            if (row->applies && strcmp(slip_trust_name(row->outcome, row->trusted), word) == 0)
                slip_text_add(&said, "%s%s%s", said.length ? "" : word, said.length ? ", " : ": ",
                              row->formulation);
        }
        if (said.failed) json->text.failed = true;
        if (said.length)
            slip_finding_json(json, e == 0 ? SLIP_TONE_WARN : SLIP_TONE_BAD, "", said.data, said.length);
        slip_text_destroy(&said);
    }
}

static const char *report_kind(const slip_report_def *def)
{
    if (def->comparison) return "compare";
    if (def->fit) return "fit";
    if (def->sweep) return "sweep";
    if (def->cycle || def->branch || def->plane) return "cycle";
    return def->analysis || def->map || def->critical ? "analyze" : "run";
}

static void add_found(slip_json *json, const slip_report_def *def)
{
    slip_json_open(json, "found", '[');
    for (int k = 0; k < def->found_count; k++)
        slip_finding_json(json, def->found[k].tone, "", def->found[k].text, strlen(def->found[k].text));
    if (def->analysis) slip_analysis_findings_json(json, def->analysis);
    if (def->map) slip_domain_map_findings_json(json, def->map);
    if (def->critical) slip_critical_findings_json(json, def->critical);
    if (def->fit) slip_fit_findings_json(json, def->fit);
    if (def->sweep) slip_sweep_findings_json(json, def->sweep);
    slip_cycle_findings_json(json, def->cycle, def->branch, def->along);
    if (def->plane) slip_two_parameter_findings_json(json, def->plane);
    if (def->comparison) {
        const char *sentence = slip_comparison_sentence(def->comparison);
        slip_finding_json(json,
                          slip_comparison_chosen(def->comparison) >= 0 ? SLIP_TONE_GOOD : SLIP_TONE_WARN, "",
                          sentence, strlen(sentence));
        add_doubts(json, def->comparison);
    }
    for (int k = 0; k < def->run_count; k++) slip_run_findings_json(json, def->runs[k], "");
    slip_json_close(json, ']');
}

// of a coordinate or its rate; "" when the model does not say
static const char *state_unit(const slip_model *model, const char *name)
{
    for (int k = 0; k < model->coordinate_count; k++) {
        const slip_coordinate *c = &model->coordinates[k];
        if (strcmp(name, c->name) == 0) return c->unit;
        if (strcmp(name, c->rate_name) == 0) return c->rate_unit;
    }
    return "";
}

static void add_axes(slip_json *json, const slip_model *model, const slip_domain_axis *const *axis)
{
    slip_json_open(json, "axes", '[');
    for (int k = 0; k < 2; k++) {
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "name", axis[k]->name);
        slip_json_text(json, "unit", state_unit(model, axis[k]->name));
        slip_json_number(json, "from", axis[k]->low);
        slip_json_number(json, "to", axis[k]->high);
        slip_json_integer(json, "count", axis[k]->count);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

static void add_map(slip_json *json, const slip_model *model, const slip_domain_map *map)
{
    const slip_domain_axis *axis[2] = { slip_domain_map_axis(map, 0), slip_domain_map_axis(map, 1) };
    size_t count = (size_t)axis[0]->count * (size_t)axis[1]->count;
    double *cells = malloc((count + 1) * sizeof *cells), *several = malloc((count + 1) * sizeof *several);
    if (cells && several) {
        for (int j = 0, at = 0; j < axis[1]->count; j++)
            for (int i = 0; i < axis[0]->count; i++, at++) {
                slip_domain_point point = slip_domain_map_point(map, i, j);
                cells[at] = point.domain, several[at] = point.solutions > 1;
            }
        slip_json_open(json, "map", '{');
        add_axes(json, model, axis);
        slip_json_open(json, "classes", '[');
        for (int k = 0; k < SLIP_DOMAIN_COUNT; k++)
            slip_json_text(json, NULL, slip_domain_name((slip_domain)k));
        slip_json_close(json, ']');
        slip_json_open(json, "texts", '[');
        for (int k = 0; k < SLIP_DOMAIN_COUNT; k++)
            slip_json_text(json, NULL, slip_domain_text((slip_domain)k));
        slip_json_close(json, ']');
        slip_json_bytes(json, "cells", cells, count, 1);
        slip_json_bytes(json, "several", several, count, 1);
        slip_json_close(json, '}');
    } else {
        json->text.failed = true;
    }
    free(cells);
    free(several);
}

static void add_curves(slip_json *json, const slip_fit *fit, const slip_fit_data *data)
{
    size_t rows = (size_t)data->rows, columns = (size_t)data->columns;
    double *model = calloc(rows * columns + 1, sizeof *model);
    if (!model) {
        json->text.failed = true;
        return;
    }
    for (size_t k = 0; k < rows * columns; k++) model[k] = data->value[k] - fit->residual[k];
    slip_json_open(json, "curves", '[');
    for (size_t k = 0; k < columns; k++) {
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "name", data->name[k]);
        slip_json_text(json, "unit", "");
        slip_json_doubles(json, "time", data->t, rows, 1);
        slip_json_doubles(json, "measured", data->value + k, rows, columns);
        slip_json_doubles(json, "model", model + k, rows, columns);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
    free(model);
}

static void add_results(slip_json *json, const slip_report_def *def)
{
    if (def->comparison) {
        char *text = slip_comparison_json(def->comparison);
        if (text)
            slip_json_value(json, "comparison", text);
        else
            json->text.failed = true;
        free(text);
    }
    if (def->analysis || def->map || def->critical) {
        slip_json_open(json, "analysis", '{');
        if (def->analysis) slip_analysis_add_json(json, def->analysis);
        if (def->critical) slip_critical_add_json(json, def->critical);
        if (def->map) slip_domain_map_add_json(json, "domains", def->map);
        if (def->map) add_map(json, def->model, def->map);
        slip_json_close(json, '}');
    }
    if (def->sweep) slip_sweep_report_json(json, def->sweep);
    if (def->cycle || def->branch) slip_cycle_report_json(json, def->cycle, def->branch, def->along);
    if (def->plane) slip_two_parameter_report_json(json, def->plane);
    if (def->fit) {
        slip_json_open(json, "fit", '{');
        slip_fit_add_json(json, def->fit, def->against);
        if (def->data) add_curves(json, def->fit, def->data);
        slip_json_close(json, '}');
    }
}

static void add_object(slip_json *json, const slip_report_def *def)
{
    slip_json_open(json, NULL, '{');
    slip_json_integer(json, "format", REPORT_FORMAT);
    slip_json_text(json, "kind", report_kind(def));
    slip_json_text(json, "title", slip_model_name(def->model));
    slip_json_text(json, "about", slip_model_about(def->model));
    if (def->command) slip_json_text(json, "command", def->command);
    add_made(json, def);
    add_build(json);
    add_model(json, def->model);
    add_found(json, def);
    slip_json_open(json, "runs", '[');
    for (int k = 0; run_at(def, k); k++) slip_run_json(json, run_at(def, k), def->reproducible);
    slip_json_close(json, ']');
    add_results(json, def);
    slip_json_close(json, '}');
}

// --------------------------------------------------------------------------------------------- file

static slip_page_text page_for(const slip_report_def *def)
{
    if (def->page) return (slip_page_text){ def->page, strlen(def->page) };
    int dimensions = 2;
    for (int k = 0; run_at(def, k); k++)
        if (run_at(def, k)->drawing.dimensions == 3) dimensions = 3;
    return slip_page(dimensions);
}

slip_status slip_report_write(const char *path, const slip_report_def *def, slip_error *error)
{
    slip_status status = check_report_def(def, error);
    if (status != SLIP_OK) return status;
    slip_json json = { 0 };
    add_object(&json, def);
    status = slip_page_write(path, page_for(def), &json, error);
    slip_text_destroy(&json.text);
    return status;
}

slip_status slip_report_check(const char *path, slip_error *error)
{
    if (!slip_page(2).text) return slip_fail(error, SLIP_UNSUPPORTED, "report", SLIP_NO_PAGE);
    int code = slip_file_is_writable(path);
    return code ? slip_fail(error, SLIP_IO, path, "%s", strerror(code)) : SLIP_OK;
}
