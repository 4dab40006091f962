/// engine.c: the library as the laboratory calls it, from a worker of the browser (web/data.md).
///
/// One model is open at a time. Texts come in as files of the page's own file system or as zero-terminated
/// strings; answers go out as JSON that stays valid until the next call, and what a run did as the data of a
/// report, which the page draws as it draws those. Only public headers are used.
#define _POSIX_C_SOURCE 200809L // open_memstream, clock_gettime
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slipstick/slipstick.h"

#define LAB_EXPORT(name) __attribute__((export_name(#name), used))

/// Told while a call is under way: how much of it is done, from 0 to 1.
__attribute__((import_module("lab"), import_name("progress"))) void lab_progress(double fraction);

static const char REPORT[] = "/report", RESULTS[] = "/results", MARKER[] = "<!--slipstick-data-->";

enum { MOST_SETS = 256 };

typedef struct engine {
    slip_model *read;  // the file without changes
    slip_model *model; // what runs: the file with the changes
    char *answer;      // of the last call
    double deadline;   // s; when a run is to end
    volatile sig_atomic_t stop;
} engine;

static engine lab; // a worker has one

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ----------------------------------------------------------------------------------------------- answers

static const char *answer_with(char *text)
{
    free(lab.answer);
    lab.answer = text;
    return text ? text : "{\"error\":{\"status\":\"no-memory\",\"where\":\"\",\"text\":\"out of memory\"}}";
}

static const char *answer_error(slip_status status, const slip_error *error, const slip_diagnostics *notes)
{
    return answer_with(slip_error_json(slip_status_name(status), error ? error->where : "",
                                       error ? error->text : "the model has mistakes", notes));
}

static const char *answer_done(void)
{
    return answer_with(strdup("{}"));
}

// a name as a JSON string; names of a model have no control characters
static void put_name(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        if ((unsigned char)*text >= ' ') fputc(*text, out);
    }
    fputc('"', out);
}

static void put_member(FILE *out, const char *key, const char *text)
{
    fprintf(out, ",\"%s\":", key);
    put_name(out, text ? text : "");
}

static void put_number(FILE *out, const char *key, double value)
{
    if (isfinite(value))
        fprintf(out, ",\"%s\":%.17g", key, value);
    else
        fprintf(out, ",\"%s\":null", key);
}

// ----------------------------------------------------------------------------------------------- models

static void close_model(void)
{
    slip_model_destroy(lab.model);
    slip_model_destroy(lab.read);
    lab.model = lab.read = NULL;
}

// splits lines in place
static int split_lines(char *text, const char *lines[MOST_SETS])
{
    int count = 0;
    for (char *line = strtok(text, "\n"); line && count < MOST_SETS; line = strtok(NULL, "\n"))
        lines[count++] = line;
    return count;
}

static void put_parameters(FILE *out)
{
    const slip_model *m = lab.read;
    fputs(",\"parameters\":[", out);
    for (int k = 0; k < slip_model_parameter_count(m); k++) {
        fputs(k ? ",{\"name\":" : "{\"name\":", out);
        put_name(out, slip_model_parameter_name(m, k));
        put_member(out, "unit", slip_model_parameter_unit(m, k));
        put_number(out, "value", slip_model_parameter_value(m, k));
        fputc('}', out);
    }
    fputs("],\"distributions\":[", out);
    for (int k = 0; k < slip_model_distribution_count(m); k++) {
        const slip_distribution d = slip_model_distribution(m, k);
        fputs(k ? ",{\"name\":" : "{\"name\":", out);
        put_name(out, d.key);
        fprintf(out, ",\"kind\":%d", (int)d.kind);
        put_number(out, "a", d.a);
        put_number(out, "b", d.b);
        fputc('}', out);
    }
    fputc(']', out);
}

// where each coordinate starts, and how fast
static void put_coordinates(FILE *out, slip_sim *sim)
{
    fputs(",\"coordinates\":[", out);
    for (int k = 0; k < slip_model_coordinate_count(lab.read); k++) {
        const char *name = slip_model_coordinate_name(lab.read, k);
        char rate[256];
        snprintf(rate, sizeof rate, "%s'", name);
        fputs(k ? ",{\"name\":" : "{\"name\":", out);
        put_name(out, name);
        put_number(out, "start", slip_sim_get(sim, name));
        put_number(out, "rate", slip_sim_get(sim, rate));
        fprintf(out, ",\"mass\":%s}", k < slip_model_mass_coordinate_count(lab.read) ? "true" : "false");
    }
    fputc(']', out);
}

static void put_settings(FILE *out, slip_sim *sim)
{
    const slip_sim_def def = slip_sim_settings(sim);
    fputs(",\"settings\":{\"kind\":", out);
    put_name(out, slip_model_kind(lab.read));
    put_member(out, "formulation", def.formulation);
    put_member(out, "formulation_reason", slip_sim_formulation_reason(sim));
    put_member(out, "step_reason", slip_sim_step_reason(sim));
    put_number(out, "step", def.step);
    put_number(out, "until", def.until);
    fprintf(out, ",\"dimensions\":%d}", slip_model_drawing(lab.read).dimensions);
}

static char *describe(slip_sim *sim, const slip_diagnostics *notes)
{
    char *text = NULL, *said = slip_error_json("ok", "", "", notes);
    size_t size = 0;
    FILE *out = said ? open_memstream(&text, &size) : NULL;
    if (out) {
        fputs("{\"model\":{\"name\":", out);
        put_name(out, slip_model_name(lab.read));
        fprintf(out, "},\"said\":%s", said);
        put_parameters(out);
        put_coordinates(out, sim);
        put_settings(out, sim);
        fputc('}', out);
        fclose(out);
    }
    free(said);
    return text;
}

static slip_sim_def settings_of(const char *formulation, double step, double until)
{
    slip_sim_def def = slip_default_sim_def();
    if (formulation && *formulation) def.formulation = formulation;
    if (step > 0.0) def.step = step;
    if (until > 0.0) def.until = until;
    def.draw = true;
    def.stop = &lab.stop;
    return def;
}

static const char *describe_model(const slip_diagnostics *notes)
{
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    slip_status status = slip_sim_create(lab.read, NULL, &error, &sim);
    const char *answer =
        status == SLIP_OK ? answer_with(describe(sim, notes)) : answer_error(status, &error, notes);
    slip_sim_destroy(sim);
    if (status != SLIP_OK) close_model();
    return answer;
}

/// Reads a file with changes, one per line, as after --set. Answers what the model is without them, or its mistakes.
LAB_EXPORT(open) const char *lab_open(const char *file, char *changes)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    const char *sets[MOST_SETS];
    int count = split_lines(changes, sets);
    close_model();
    slip_status status = slip_model_read_file(file, NULL, 0, notes, &lab.read);
    if (status == SLIP_OK) status = slip_model_vary(lab.read, sets, count, notes, &lab.model);
    const char *answer = status == SLIP_OK ? describe_model(notes) : answer_error(status, NULL, notes);
    if (status != SLIP_OK) close_model();
    slip_diagnostics_destroy(notes);
    return answer;
}

/// Other changes of the model that is open; cheap where they are numbers. Answers {} or the mistakes.
LAB_EXPORT(vary) const char *lab_vary(char *changes)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    const char *sets[MOST_SETS];
    int count = split_lines(changes, sets);
    slip_model *varied = NULL;
    slip_status status =
        lab.read ? slip_model_vary(lab.read, sets, count, notes, &varied) : SLIP_BAD_ARGUMENT;
    const char *answer = status == SLIP_OK ? answer_done() : answer_error(status, NULL, notes);
    if (status == SLIP_OK) {
        slip_model_destroy(lab.model);
        lab.model = varied;
    }
    slip_diagnostics_destroy(notes);
    return answer;
}

static void put_keys(FILE *out)
{
    slip_key_info *keys = NULL;
    int count = slip_model_keys(&keys);
    fputs("{\"keys\":[", out);
    for (int k = 0; k < count; k++) {
        fputs(k ? ",{\"path\":" : "{\"path\":", out);
        put_name(out, keys[k].path);
        put_member(out, "type", keys[k].type);
        put_member(out, "fallback", keys[k].fallback);
        put_member(out, "meaning", keys[k].meaning);
        fputc('}', out);
    }
    fputs("]", out);
    free(keys);
}

static void put_parts(FILE *out, slip_part_kind kind)
{
    slip_part_info part;
    fprintf(out, ",\"%s\":[", slip_part_kind_name((int)kind));
    for (int k = 0; slip_part(kind, k, &part); k++) {
        fputs(k ? ",{\"name\":" : "{\"name\":", out);
        put_name(out, part.name);
        put_member(out, "summary", part.summary);
        put_member(out, "accepts", part.accepts);
        fputc('}', out);
    }
    fputs("]", out);
}

/// The model language, for completion: every key with its meaning, and the parts that can be chosen by name.
LAB_EXPORT(language) const char *lab_language(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return answer_with(NULL);
    put_keys(out);
    for (int kind = 0; kind < SLIP_PART_KIND_COUNT; kind++) put_parts(out, (slip_part_kind)kind);
    fputs("}", out);
    fclose(out);
    return answer_with(text);
}

// ------------------------------------------------------------------------------------------------- runs

static void begin(double budget)
{
    lab.stop = 0;
    lab.deadline = budget > 0.0 ? seconds() + budget : INFINITY;
}

static void go_on(double fraction)
{
    lab_progress(fraction);
    if (seconds() > lab.deadline) lab.stop = 1;
}

static void run_progress(void *context, double fraction, const slip_sim *sim)
{
    (void)context, (void)sim;
    go_on(fraction);
}

static void count_progress(void *context, int done, int expected)
{
    (void)context;
    go_on(expected > 0 ? (double)done / expected : 0.0);
}

static void sweep_progress(void *context, long done, long count)
{
    (void)context;
    go_on(count > 0 ? (double)done / (double)count : 0.0);
}

static const char *write_report(slip_report_def *report)
{
    slip_error error = { 0 };
    report->model = lab.model;
    report->page = MARKER;
    slip_status status = slip_report_write(REPORT, report, &error);
    return status == SLIP_OK ? answer_done() : answer_error(status, &error, NULL);
}

static const char *no_model(void)
{
    return answer_error(SLIP_BAD_ARGUMENT, &(slip_error){ .text = "no model is open" }, NULL);
}

static slip_status run_into(slip_recording *recording, const slip_sim_def *def, slip_run_def *run,
                            slip_error *error)
{
    slip_sim *sim = NULL;
    slip_run_info info;
    slip_status status = slip_sim_create(lab.model, def, error, &sim);
    run->observer = recording ? slip_recording_observer(recording) : NULL;
    run->progress = run_progress;
    run->stop = &lab.stop;
    if (status == SLIP_OK) status = slip_run(sim, run, &info, error);
    slip_sim_destroy(sim);
    return status;
}

/// One run under a formulation ("": as the model says) into /report. Steps and ends that are not above 0 are
/// those of the model; `budget` is in seconds of the clock. With `results`, its files go to /results.
LAB_EXPORT(run)
const char *lab_run(const char *formulation, double step, double until, int points, int frames, int companion,
                    double budget, int results)
{
    if (!lab.model) return no_model();
    slip_error error = { 0 };
    slip_recording *recording = NULL;
    slip_recording_def keep = { .points = points, .frames = frames };
    const slip_sim_def def = settings_of(formulation, step, until);
    slip_run_def run = slip_default_run_def();
    run.companion = companion;
    if (results) run.directory = RESULTS;
    begin(budget);
    slip_status status = slip_recording_create(&keep, &error, &recording);
    if (status == SLIP_OK) status = run_into(recording, &def, &run, &error);
    slip_report_def report = slip_default_report_def();
    report.runs = &recording, report.run_count = 1;
    const char *answer = status == SLIP_OK ? write_report(&report) : answer_error(status, &error, NULL);
    slip_recording_destroy(recording);
    return answer;
}

/// All formulations into /report.
LAB_EXPORT(compare)
const char *lab_compare(double step, double until, int points, double refine, double budget)
{
    if (!lab.model) return no_model();
    slip_error error = { 0 };
    slip_comparison *comparison = NULL;
    slip_compare_def def = slip_default_compare_def();
    if (step > 0.0) def.step = step;
    if (until > 0.0) def.until = until;
    def.threads = 1;
    def.record = points;
    def.budget = refine;
    def.stop = &lab.stop;
    def.progress = count_progress;
    begin(budget);
    slip_status status = slip_compare(lab.model, &def, &error, &comparison);
    slip_report_def report = slip_default_report_def();
    report.comparison = comparison;
    const char *answer = status == SLIP_OK ? write_report(&report) : answer_error(status, &error, NULL);
    slip_comparison_destroy(comparison);
    return answer;
}

/// Runs over some values of a key into /report; with `strobe` above 0 their points at its multiples after
/// `after`, else where `section` passes `level` upwards, if it is not "".
LAB_EXPORT(sweep)
const char *lab_sweep(const char *key, const double *values, int count, const char *formulation, double step,
                      double until, double after, double strobe, const char *section, double level)
{
    if (!lab.model) return no_model();
    slip_error error = { 0 };
    slip_sweep *sweep = NULL;
    const slip_sweep_axis axis = { .key = key, .values = values, .count = count };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = lab.model;
    def.sim = settings_of(formulation, step, until);
    def.sim.draw = false;
    def.axes = &axis, def.axis_count = 1;
    def.outputs = SLIP_OUTPUT_FINAL | SLIP_OUTPUT_EXTREMES;
    def.after = after, def.strobe = strobe > 0.0 ? strobe : 0.0;
    if (*section) def.section = section, def.section_at = level, def.section_direction = 1;
    def.companion = false, def.threads = 1;
    def.stop = &lab.stop, def.progress = sweep_progress;
    begin(0.0);
    slip_status status = slip_sweep_run(&def, &error, &sweep);
    slip_report_def report = slip_default_report_def();
    report.sweep = sweep;
    const char *answer = status == SLIP_OK ? write_report(&report) : answer_error(status, &error, NULL);
    slip_sweep_destroy(sweep);
    return answer;
}

/// What the rigid contact problem says at t of the model's motion: every solution, its forces, its stability.
LAB_EXPORT(why) const char *lab_why(double t)
{
    if (!lab.model) return no_model();
    slip_error error = { 0 };
    slip_analysis *analysis = NULL;
    slip_status status = slip_analysis_create(lab.model, NULL, &error, &analysis);
    if (status == SLIP_OK) status = slip_analysis_after(analysis, lab.model, t, &error);
    const char *answer =
        status == SLIP_OK ? answer_with(slip_analysis_json(analysis)) : answer_error(status, &error, NULL);
    slip_analysis_destroy(analysis);
    return answer;
}

/// What this engine was built with.
LAB_EXPORT(build) const char *lab_build(void)
{
    return answer_with(slip_build_summary());
}
