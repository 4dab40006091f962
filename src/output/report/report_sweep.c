/// output/report/report_sweep.c: see sweep_json.h.
#include "output/report/report_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/model.h"
#include "output/report/base64_arrays.h"
#include "output/report/report_runs.h"
#include "slipstick/report.h"
#include "study/sweep/sweep.h"

enum { MAX_RUNS = 100000, MAX_POINTS = 400000 }; // on a page; more are thinned

/// The runs that are shown, and room for a column of them.
typedef struct shown {
    const slip_sweep *sweep;
    long every, count, point_every, point_count;
    double *column;
} shown;

static slip_sweep_result shown_result(const shown *s, long k)
{
    return slip_sweep_result_of(s->sweep, k * s->every);
}

static void put_column(slip_json *json, const char *key, const shown *s, long count)
{
    slip_json_doubles(json, key, s->column, (size_t)count, 1);
}

// ------------------------------------------------------------------------------------------------- runs

static void add_varied(slip_json *json, const shown *s)
{
    slip_json_open(json, "varied", '[');
    for (int v = 0; slip_sweep_key(s->sweep, v); v++) {
        for (long k = 0; k < s->count; k++) s->column[k] = slip_sweep_point(s->sweep, k * s->every, v);
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "name", slip_sweep_key(s->sweep, v));
        put_column(json, "values", s, s->count);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

static void add_values(slip_json *json, const shown *s)
{
    slip_json_open(json, "values", '[');
    for (int v = 0; slip_sweep_value_name(s->sweep, v); v++) {
        for (long k = 0; k < s->count; k++) {
            const slip_sweep_result r = shown_result(s, k);
            s->column[k] = r.done ? r.values[v] : NAN;
        }
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "name", slip_sweep_value_name(s->sweep, v));
        put_column(json, "values", s, s->count);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

// 0 trusted, 1 doubtful, 2 ended early, 3 refused, 4 not made, 5 unchecked
static double trust_of(const slip_sweep_result *r)
{
    static const double number[] = {
        [SLIP_TRUST_TRUSTED] = 0.0, [SLIP_TRUST_DOUBTFUL] = 1.0, [SLIP_TRUST_UNCHECKED] = 5.0
    };
    return !r->done ? 4.0 : r->refused ? 3.0 : r->outcome != SLIP_DONE ? 2.0 : number[r->trust];
}

static void add_ends(slip_json *json, const shown *s)
{
    for (long k = 0; k < s->count; k++) s->column[k] = (double)(k * s->every);
    put_column(json, "number", s, s->count);
    for (long k = 0; k < s->count; k++) {
        const slip_sweep_result r = shown_result(s, k);
        s->column[k] = trust_of(&r);
    }
    slip_json_bytes(json, "trust", s->column, (size_t)s->count, 1);
    for (long k = 0; k < s->count; k++) s->column[k] = shown_result(s, k).done ? shown_result(s, k).t : NAN;
    put_column(json, "t", s, s->count);
    for (long k = 0; k < s->count; k++)
        s->column[k] = shown_result(s, k).done ? shown_result(s, k).horizon : NAN;
    put_column(json, "horizon", s, s->count);
    slip_json_open(json, "texts", '[');
    for (long k = 0; k < s->count; k++) slip_json_text(json, NULL, shown_result(s, k).text);
    slip_json_close(json, ']');
}

// ----------------------------------------------------------------------------------------------- points

// the points of the runs that are shown, thinned; which: -1 the run they belong to, else a column
static void gather_points(const shown *s, int which)
{
    const int width = slip_sweep_point_width(s->sweep);
    long at = 0, number = 0;
    for (long k = 0; k < s->count; k++) {
        const slip_sweep_result r = shown_result(s, k);
        for (long p = 0; p < r.point_count; p++)
            if (number++ % s->point_every == 0)
                s->column[at++] = which < 0 ? (double)k : r.points[p * width + which];
    }
}

static void add_points(slip_json *json, const shown *s)
{
    if (s->point_count == 0) return;
    slip_json_open(json, "points", '{');
    gather_points(s, -1);
    put_column(json, "run", s, s->point_count);
    slip_json_open(json, "columns", '[');
    for (int c = 0; slip_sweep_point_name(s->sweep, c); c++) {
        gather_points(s, c);
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "name", slip_sweep_point_name(s->sweep, c));
        put_column(json, "values", s, s->point_count);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
    slip_json_close(json, '}');
}

// ---------------------------------------------------------------------------------------------- command

// the beginning of a command that makes one of the runs alone; what is varied comes behind it
static void add_alone(slip_json *json, const slip_sweep *sweep)
{
    const slip_sweep_def *def = &sweep->def;
    const slip_model *m = def->model;
    slip_text line = { 0 };
    slip_text_add(&line, "slipstick run '%s' -f %s", slip_model_file(m), def->sim.formulation);
    if (def->sim.integrator) slip_text_add(&line, " -i %s", def->sim.integrator);
    if (def->sim.solver) slip_text_add(&line, " -s %s", def->sim.solver);
    if (!isnan(def->sim.step)) slip_text_add(&line, " --step %.17g", def->sim.step);
    if (!isnan(def->sim.until)) slip_text_add(&line, " --until %.17g", def->sim.until);
    if (!isnan(def->accuracy)) slip_text_add(&line, " --accuracy %.17g", def->accuracy);
    if (!def->companion) slip_text_add(&line, " --no-companion");
    for (int k = 1; k < m->source_count; k++) slip_text_add(&line, " --set '%s'", m->sources[k].text);
    slip_json_text(json, "alone", line.failed ? "" : line.data);
    json->text.failed = json->text.failed || line.failed;
    slip_text_destroy(&line);
}

// ------------------------------------------------------------------------------------------------ whole

static bool choose_shown(shown *s)
{
    const long runs = slip_sweep_run_count(s->sweep);
    long points = 0;
    s->every = runs / (MAX_RUNS + 1) + 1;
    s->count = (runs + s->every - 1) / s->every;
    for (long k = 0; k < s->count; k++) points += shown_result(s, k).point_count;
    s->point_every = points / (MAX_POINTS + 1) + 1;
    s->point_count = (points + s->point_every - 1) / s->point_every;
    s->column = malloc((size_t)(s->count + s->point_count + 1) * sizeof *s->column);
    return s->column;
}

void slip_sweep_report_json(slip_json *json, const slip_sweep *sweep)
{
    shown s = { .sweep = sweep };
    if (!choose_shown(&s)) {
        json->text.failed = true;
        return;
    }
    slip_json_open(json, "sweep", '{');
    slip_json_text(json, "formulation", sweep->def.sim.formulation);
    slip_json_integer(json, "count", slip_sweep_run_count(sweep));
    slip_json_integer(json, "shown", s.count);
    slip_json_integer(json, "axes", sweep->def.axis_count);
    slip_json_integer(json, "samples", sweep->def.samples);
    slip_json_bool(json, "follow", sweep->def.follow);
    add_alone(json, sweep);
    add_varied(json, &s);
    add_values(json, &s);
    add_ends(json, &s);
    add_points(json, &s);
    slip_json_close(json, '}');
    free(s.column);
}

void slip_sweep_findings_json(slip_json *json, const slip_sweep *sweep)
{
    const slip_sweep_summary n = slip_sweep_summarize(sweep);
    const long done = slip_sweep_done_count(sweep), all = slip_sweep_run_count(sweep),
               bad = done - n.trusted - n.unchecked;
    slip_text text = { 0 };
    slip_text_add(&text, "%ld of %ld runs are trusted", n.trusted, all);
    if (n.unchecked) slip_text_add(&text, ", %ld are unchecked (they had no companions)", n.unchecked);
    if (n.doubtful) slip_text_add(&text, ", %ld are doubtful", n.doubtful);
    if (n.ended_early) slip_text_add(&text, ", %ld ended early", n.ended_early);
    if (n.refused) slip_text_add(&text, ", %ld could not begin", n.refused);
    if (done < all) slip_text_add(&text, ", %ld were not made", all - done);
    slip_text_add(&text, ".");
    if (!text.failed)
        slip_finding_json(json,
                          bad || done < all  ? SLIP_TONE_WARN
                          : n.unchecked == 0 ? SLIP_TONE_GOOD
                                             : SLIP_TONE_PLAIN,
                          "", text.data, text.length);
    json->text.failed = json->text.failed || text.failed;
    slip_text_destroy(&text);
}
