/// study/sweep/sweep_results.c: the results of a sweep as files and as JSON.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "simulation/run/line_files.h"
#include "study/sweep/run_statistics.h"
#include "study/sweep/sweep.h"

// the word for trust; a run that could not begin has one of its own
const char *slip_sweep_trust_word(const slip_sweep_run_record *r)
{
    return r->refused ? "refused" : slip_trust_name(r->outcome, r->trust);
}

// ------------------------------------------------------------------------------------------------ files

static void add_runs(const slip_sweep *s, slip_text *out)
{
    slip_text_add(out, "run");
    for (int k = 0; slip_sweep_key(s, k); k++)
        slip_text_add(out, ","), slip_csv_field(out, slip_sweep_key(s, k));
    slip_text_add(out, ",trust,outcome,t,horizon,warnings");
    for (int k = 0; k < s->width; k++) slip_text_add(out, ","), slip_csv_field(out, s->value_name[k]);
    slip_text_add(out, ",text\n");
    for (long run = 0; run < s->plan.count; run++) {
        const slip_sweep_run_record *r = &s->records[run];
        if (!r->done) continue;
        slip_text_add(out, "%ld", run);
        for (int k = 0; slip_sweep_key(s, k); k++)
            slip_csv_number(out, slip_sweep_plan_value(&s->plan, run, k));
        slip_text_add(out, ",%s,%s", slip_sweep_trust_word(r),
                      r->refused ? "refused" : slip_run_outcome_name(r->outcome));
        slip_csv_number(out, r->t);
        slip_csv_number(out, r->horizon);
        slip_text_add(out, ",%ld", r->warnings);
        for (int k = 0; k < s->width; k++) slip_csv_number(out, s->values[run * s->width + k]);
        slip_text_add(out, ",");
        slip_csv_field(out, r->text ? r->text : "");
        slip_text_add(out, "\n");
    }
}

static void add_points(const slip_sweep *s, slip_text *out)
{
    slip_text_add(out, "run");
    for (int k = 0; slip_sweep_key(s, k); k++)
        slip_text_add(out, ","), slip_csv_field(out, slip_sweep_key(s, k));
    for (int k = 0; k < s->columns; k++) slip_text_add(out, ","), slip_csv_field(out, s->column_name[k]);
    slip_text_add(out, "\n");
    for (long run = 0; run < s->plan.count; run++) {
        const slip_sweep_run_record *r = &s->records[run];
        for (long p = 0; p < r->point_count; p++) {
            slip_text_add(out, "%ld", run);
            for (int k = 0; slip_sweep_key(s, k); k++)
                slip_csv_number(out, slip_sweep_plan_value(&s->plan, run, k));
            for (int k = 0; k < s->columns; k++) slip_csv_number(out, r->points[p * s->columns + k]);
            slip_text_add(out, "\n");
        }
    }
}

static slip_status write_one(const slip_sweep *s, const char *directory, const char *name,
                             void add(const slip_sweep *, slip_text *), slip_error *error)
{
    slip_text path = { 0 }, text = { 0 };
    slip_text_add(&path, "%s/%s", directory, name);
    if (!path.failed) add(s, &text);
    slip_status status = path.failed ? slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory")
                                     : slip_text_write(&text, path.data, error);
    slip_text_destroy(&path);
    return status;
}

slip_status slip_sweep_write(const slip_sweep *sweep, const char *directory, slip_error *error)
{
    if (!slip_sweep_is_main_rank(sweep)) return SLIP_OK;
    const int code = slip_make_directories(directory);
    if (code) return slip_fail(error, SLIP_IO, directory, "%s", strerror(code));
    slip_status status = write_one(sweep, directory, "runs.csv", add_runs, error);
    if (status == SLIP_OK && slip_run_statistics_need_points(&sweep->def))
        status = write_one(sweep, directory, "points.csv", add_points, error);
    return status;
}

// ------------------------------------------------------------------------------------------------- JSON

slip_sweep_summary slip_sweep_summarize(const slip_sweep *sweep)
{
    slip_sweep_summary n = { 0 };
    for (long k = 0; k < sweep->plan.count && slip_sweep_is_main_rank(sweep); k++) {
        const slip_sweep_run_record *r = &sweep->records[k];
        if (!r->done) continue;
        const bool whole = !r->refused && r->outcome == SLIP_DONE;
        n.refused += r->refused;
        n.ended_early += !r->refused && !whole;
        n.trusted += whole && r->trust == SLIP_TRUST_TRUSTED;
        n.doubtful += whole && r->trust == SLIP_TRUST_DOUBTFUL;
        n.unchecked += whole && r->trust == SLIP_TRUST_UNCHECKED;
    }
    return n;
}

static void add_names(slip_json *json, const char *key, const slip_sweep *s,
                      const char *name(const slip_sweep *, int))
{
    slip_json_open(json, key, '[');
    for (int k = 0; name(s, k); k++) slip_json_text(json, NULL, name(s, k));
    slip_json_close(json, ']');
}

char *slip_sweep_json(const slip_sweep *sweep)
{
    const slip_sweep_summary n = slip_sweep_summarize(sweep);
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_text(&json, "model", slip_model_name(sweep->def.model));
    slip_json_text(&json, "formulation", sweep->def.sim.formulation);
    slip_json_integer(&json, "runs", sweep->plan.count);
    slip_json_integer(&json, "done", sweep->done_count);
    slip_json_integer(&json, "trusted", n.trusted);
    slip_json_integer(&json, "doubtful", n.doubtful);
    slip_json_integer(&json, "unchecked", n.unchecked);
    slip_json_integer(&json, "ended_early", n.ended_early);
    slip_json_integer(&json, "refused", n.refused);
    add_names(&json, "varied", sweep, slip_sweep_key);
    add_names(&json, "values", sweep, slip_sweep_value_name);
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
