/// study/sweep/basin.c: basins of attraction: attractors at the ends of the runs of a sweep.
#include "slipstick/basin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "model/model.h"
#include "simulation/run/line_files.h"
#include "study/sweep/sweep.h"
#include "study/sweep/sweep_tolerances.h"

enum { MAX_ATTRACTORS = 64, MIN_TAIL_STEPS = 400 };

struct slip_basin {
    slip_sweep *sweep;
    double tolerance, tail;
    int states, rates;   // of the signature; the first of the rates, or `states` where there are none
    int extremes, drift; // where they begin among the values of a run
    double *scale;       // of each state
    bool *turns;         // a coordinate that counts modulo a whole turn
    int *end;            // attractor of each run; -1: none
    int attractor_count;
    slip_attractor attractor[MAX_ATTRACTORS];
};

slip_basin_def slip_default_basin_def(void)
{
    return (slip_basin_def){ .sweep = slip_default_sweep_def(),
                             .tail = DEFAULT_TAIL,
                             .tolerance = DEFAULT_END_TOLERANCE };
}

void slip_basin_destroy(slip_basin *b)
{
    if (!b) return;
    slip_sweep_destroy(b->sweep);
    free(b->scale);
    free(b->turns);
    free(b->end);
    free(b);
}

static slip_status no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "basin", "out of memory");
}

// ----------------------------------------------------------------------------------------------- numbers

static bool has_end(const slip_basin *b, long run)
{
    const slip_sweep_result r = slip_sweep_result_of(b->sweep, run);
    return r.done && !r.refused && r.outcome == SLIP_DONE;
}

static const double *run_values(const slip_basin *b, long run)
{
    return slip_sweep_result_of(b->sweep, run).values;
}

// Smallest or largest value of a state, without the whole turns of an angle.
static double state_bound(const slip_basin *b, long run, int state, int which)
{
    const double *v = run_values(b, run) + b->extremes + 2 * state, turn = 2.0 * acos(-1.0);
    return b->turns[state] ? v[which] - turn * round(0.5 * (v[0] + v[1]) / turn) : v[which];
}

static double state_drift(const slip_basin *b, long run, int state)
{
    return run_values(b, run)[b->drift + 2 * state] / b->scale[state];
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The scale of each state: the median of its extent over all runs; for an angle at most half a turn.
static bool find_scales(slip_basin *b)
{
    const long runs = slip_sweep_run_count(b->sweep);
    double *spans = malloc((size_t)(runs + 1) * sizeof *spans);
    if (!spans) return false;
    for (int s = 0; s < b->states; s++) {
        long count = 0;
        for (long k = 0; k < runs; k++)
            if (has_end(b, k)) spans[count++] = run_values(b, k)[b->drift + 2 * s + 1];
        qsort(spans, (size_t)count, sizeof *spans, compare_doubles);
        double scale = count ? spans[count / 2] : 0.0;
        if (!(scale > NO_EXTENT) && count) scale = spans[count - 1];
        if (b->turns[s]) scale = fmin(scale, acos(-1.0));
        b->scale[s] = scale > NO_EXTENT ? scale : 1.0;
    }
    free(spans);
    return true;
}

// ------------------------------------------------------------------------------------------- attractors

static bool is_settled(const slip_basin *b, long run, int from, int to)
{
    for (int s = from; s < to; s++)
        if (!(state_drift(b, run, s) <= b->tolerance)) return false;
    return true;
}

static bool is_at_rest(const slip_basin *b, long run)
{
    for (int s = 0; s < b->states; s++)
        if (!(state_bound(b, run, s, 1) - state_bound(b, run, s, 0) <= b->tolerance * b->scale[s]))
            return false;
    return true;
}

// A motion that seems to rest may creep: it has settled if it would stay where it is for as long as the run has
// lasted, at the pace of its tail, of which the drift is the change from the first half to the second.
static bool creeps(const slip_basin *b, long run)
{
    if (!is_at_rest(b, run)) return false;
    for (int s = 0; s < b->states; s++)
        if (!(state_drift(b, run, s) * 2.0 / b->tail <= b->tolerance)) return true;
    return false;
}

// True if a coordinate that goes on does so ever more slowly, or faster: at the pace of its tail its rate would not
// be the same after another run.
static bool fades(const slip_basin *b, long run)
{
    for (int k = 0; k < b->rates && b->rates + k < b->states; k++) {
        const int s = b->rates + k;
        const double low = state_bound(b, run, s, 0), high = state_bound(b, run, s, 1);
        const double change = state_drift(b, run, s) * b->scale[s] * 2.0 / b->tail;
        const bool goes_on = state_drift(b, run, k) * 2.0 / b->tail > b->tolerance;
        const bool one_way = low * high > 0.0;
        if (goes_on && one_way && change > b->tolerance * fmax(fabs(low), fabs(high))) return true;
    }
    return false;
}

// The first state by which ends are compared: 0 for all states, or the first rate where coordinates go on for
// ever; -1: the run has not settled.
static int first_state(const slip_basin *b, long run)
{
    if (!has_end(b, run)) return -1;
    if (is_settled(b, run, 0, b->states)) return creeps(b, run) ? -1 : 0;
    const bool goes_on = b->rates < b->states && is_settled(b, run, b->rates, b->states);
    return goes_on && !fades(b, run) ? b->rates : -1;
}

static bool is_same_end(const slip_basin *b, long one, long other)
{
    const int from = first_state(b, one);
    if (from != first_state(b, other)) return false;
    for (int s = from; s < b->states; s++)
        for (int w = 0; w < 2; w++) {
            double apart = state_bound(b, one, s, w) - state_bound(b, other, s, w);
            if (b->turns[s]) apart = remainder(apart, 2.0 * acos(-1.0));
            if (!(fabs(apart) <= b->tolerance * b->scale[s])) return false;
        }
    return true;
}

static void name_attractor(const slip_basin *b, slip_attractor *a)
{
    const int last = a->kind == SLIP_ATTRACTOR_DRIFT || b->rates == 0 ? b->states : b->rates;
    int at = snprintf(a->name, sizeof a->name, "%s",
                      a->kind == SLIP_ATTRACTOR_REST    ? "rest at "
                      : a->kind == SLIP_ATTRACTOR_CYCLE ? "cycle, "
                                                        : "");
    const int from = a->kind == SLIP_ATTRACTOR_DRIFT ? b->rates : 0;
    for (int s = from; s < last && s < from + 3 && at < 120; s++) {
        const char *of = slip_sweep_point_name(b->sweep, 1 + s), *comma = s > from ? ", " : "";
        const double low = state_bound(b, a->example, s, 0), high = state_bound(b, a->example, s, 1);
        const double tiny = SHOWN_AS_ZERO * b->scale[s], middle = 0.5 * (low + high);
        at += a->kind == SLIP_ATTRACTOR_REST
                  ? snprintf(a->name + at, sizeof a->name - (size_t)at, "%s%.40s = %.4g", comma, of,
                             fabs(middle) < tiny ? 0.0 : middle)
                  : snprintf(a->name + at, sizeof a->name - (size_t)at, "%s%.40s from %.4g to %.4g", comma,
                             of, low, high);
    }
}

/// A run and how well it has settled.
typedef struct settled_rank {
    double drift;
    long run;
} settled_rank;

static int settled_better(const void *a, const void *b)
{
    const settled_rank *x = a, *y = b;
    if (x->drift != y->drift) return x->drift > y->drift ? 1 : -1;
    return (x->run > y->run) - (x->run < y->run);
}

static void assign_attractor(slip_basin *b, long run)
{
    int k = 0;
    while (k < b->attractor_count && !is_same_end(b, b->attractor[k].example, run)) k++;
    if (k == MAX_ATTRACTORS) return;
    slip_attractor *a = &b->attractor[k];
    if (k == b->attractor_count) {
        b->attractor_count++;
        *a = (slip_attractor){ .example = run };
        a->kind = first_state(b, run) > 0 ? SLIP_ATTRACTOR_DRIFT
                  : is_at_rest(b, run)    ? SLIP_ATTRACTOR_REST
                                          : SLIP_ATTRACTOR_CYCLE;
        name_attractor(b, a);
    }
    b->end[run] = k;
    a->runs++;
    const slip_sweep_run_record *record = &b->sweep->records[run];
    a->trusted += record->trust == SLIP_TRUST_TRUSTED;
    a->unchecked += record->trust == SLIP_TRUST_UNCHECKED;
}

static int more_runs(const void *a, const void *b)
{
    const slip_attractor *x = a, *y = b;
    if (x->runs != y->runs) return x->runs < y->runs ? 1 : -1;
    return (x->example > y->example) - (x->example < y->example);
}

// Sorts attractors by the number of runs, and renumbers the runs.
static void sort_attractors(slip_basin *b)
{
    long example[MAX_ATTRACTORS];
    int now[MAX_ATTRACTORS] = { 0 };
    for (int k = 0; k < b->attractor_count; k++) example[k] = b->attractor[k].example;
    qsort(b->attractor, (size_t)b->attractor_count, sizeof *b->attractor, more_runs);
    for (int k = 0; k < b->attractor_count; k++)
        for (int j = 0; j < b->attractor_count; j++)
            if (b->attractor[j].example == example[k]) now[k] = j;
    for (long run = 0; run < slip_sweep_run_count(b->sweep); run++)
        if (b->end[run] >= 0) b->end[run] = now[b->end[run]];
}

// Finds the attractors. The best settled runs define them, and the others are compared with these.
static bool find_attractors(slip_basin *b)
{
    const long runs = slip_sweep_run_count(b->sweep);
    settled_rank *order = malloc((size_t)(runs + 1) * sizeof *order);
    long count = 0;
    if (!order) return false;
    for (long k = 0; k < runs; k++) {
        b->end[k] = -1;
        const int from = first_state(b, k);
        if (from < 0) continue;
        order[count] = (settled_rank){ 0.0, k };
        for (int s = from; s < b->states; s++)
            order[count].drift = fmax(order[count].drift, state_drift(b, k, s));
        count++;
    }
    qsort(order, (size_t)count, sizeof *order, settled_better);
    for (long k = 0; k < count; k++) assign_attractor(b, order[k].run);
    sort_attractors(b);
    free(order);
    return true;
}

// --------------------------------------------------------------------------------------------- the runs

// "x" and "x'" are the start of a coordinate and of its rate; anything else is as it stands. To be released
// with free()
static char *full_key(const slip_model *m, const char *key)
{
    slip_text text = { 0 };
    for (int k = 0; k < m->coordinate_count; k++) {
        const slip_coordinate *c = &m->coordinates[k];
        if (strcmp(key, c->name) == 0) slip_text_add(&text, "coordinates.%s.start", c->name);
        if (strcmp(key, c->rate_name) == 0) slip_text_add(&text, "coordinates.%s.rate", c->name);
    }
    for (int k = 0; k < m->state_count; k++)
        if (strcmp(key, m->states[k].name) == 0) slip_text_add(&text, "start.%s", key);
    if (text.length == 0) slip_text_add(&text, "%s", key);
    return slip_text_take(&text);
}

static slip_status check_basin_def(const slip_basin_def *def, slip_error *error)
{
    if (def->sweep.axis_count != 2 || def->sweep.table_columns || def->sweep.samples != 1 ||
        def->sweep.follow)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "basin",
                         "needs two axes, and nothing else that is varied");
    if (!(def->tail > 0.0 && def->tail < 1.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "tail", "must be a part of the run, between 0 and 1");
    if (!(def->tolerance > 0.0 && def->tolerance < 1.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "tolerance", "must be between 0 and 1");
    return SLIP_OK;
}

static slip_status run_all(slip_basin *b, const slip_basin_def *def, slip_error *error)
{
    const slip_model *m = def->sweep.model;
    slip_sweep_def sweep = def->sweep;
    const double of_model = isnan(m->run.until) ? 1.0 : m->run.until;
    const double until = isnan(sweep.sim.until) ? of_model : sweep.sim.until;
    char *keys[2] = { full_key(m, sweep.axes[0].key), full_key(m, sweep.axes[1].key) };
    slip_sweep_axis axes[2] = { sweep.axes[0], sweep.axes[1] };
    axes[0].key = keys[0], axes[1].key = keys[1];
    sweep.axes = axes;
    sweep.outputs = SLIP_OUTPUT_EXTREMES | SLIP_OUTPUT_DRIFT;
    sweep.after = (1.0 - def->tail) * until;
    if (isnan(sweep.sim.max_step)) sweep.sim.max_step = def->tail * until / MIN_TAIL_STEPS;
    const slip_status status =
        keys[0] && keys[1] ? slip_sweep_run(&sweep, error, &b->sweep) : no_memory(error);
    free(keys[0]);
    free(keys[1]);
    return status;
}

static bool prepare_basin(slip_basin *b, const slip_model *m)
{
    const bool mechanics = m->type == SLIP_MECHANICS;
    b->states = mechanics ? 2 * m->coordinate_count : m->state_count;
    b->rates = mechanics ? m->coordinate_count : b->states;
    b->extremes = 0;
    b->drift = 2 * (slip_sweep_point_width(b->sweep) - 1);
    b->scale = calloc((size_t)b->states + 1, sizeof *b->scale);
    b->turns = calloc((size_t)b->states + 1, sizeof *b->turns);
    b->end = malloc((size_t)(slip_sweep_run_count(b->sweep) + 1) * sizeof *b->end);
    if (!b->scale || !b->turns || !b->end) return false;
    for (int k = 0; k < b->rates && mechanics; k++) b->turns[k] = strcmp(m->coordinates[k].unit, "rad") == 0;
    return true;
}

slip_status slip_basin_run(const slip_basin_def *def, slip_error *error, slip_basin **out)
{
    *out = NULL;
    slip_basin *b = calloc(1, sizeof *b);
    slip_status status = b ? check_basin_def(def, error) : no_memory(error);
    if (status == SLIP_OK) {
        b->tolerance = def->tolerance, b->tail = def->tail;
        status = run_all(b, def, error);
    }
    if (status == SLIP_OK && !(prepare_basin(b, def->sweep.model) && find_scales(b) && find_attractors(b)))
        status = no_memory(error);
    if (status == SLIP_OK)
        *out = b;
    else
        slip_basin_destroy(b);
    return status;
}

// ---------------------------------------------------------------------------------------------- results

const slip_sweep *slip_basin_sweep(const slip_basin *basin)
{
    return basin->sweep;
}

int slip_basin_attractor_count(const slip_basin *basin)
{
    return basin->attractor_count;
}

const slip_attractor *slip_basin_attractor(const slip_basin *basin, int k)
{
    return k >= 0 && k < basin->attractor_count ? &basin->attractor[k] : NULL;
}

int slip_basin_end(const slip_basin *basin, long run)
{
    return run >= 0 && run < slip_sweep_run_count(basin->sweep) ? basin->end[run] : -1;
}

slip_status slip_basin_write(const slip_basin *basin, const char *directory, slip_error *error)
{
    const slip_sweep *s = basin->sweep;
    slip_text out = { 0 }, path = { 0 };
    const int code = slip_make_directories(directory);
    if (code) return slip_fail(error, SLIP_IO, directory, "%s", strerror(code));
    slip_text_add(&path, "%s/basin.csv", directory);
    slip_text_add(&out, "run");
    for (int k = 0; k < 2; k++) slip_text_add(&out, ","), slip_csv_field(&out, slip_sweep_key(s, k));
    slip_text_add(&out, ",trust,attractor,name\n");
    for (long run = 0; run < slip_sweep_run_count(s); run++) {
        const slip_attractor *a = slip_basin_attractor(basin, basin->end[run]);
        slip_text_add(&out, "%ld", run);
        for (int k = 0; k < 2; k++) slip_csv_number(&out, slip_sweep_point(s, run, k));
        slip_text_add(&out, ",%s,%d,", slip_sweep_trust_word(&s->records[run]), basin->end[run] + 1);
        slip_csv_field(&out, a ? a->name : "");
        slip_text_add(&out, "\n");
    }
    const slip_status status = path.failed ? no_memory(error) : slip_text_write(&out, path.data, error);
    slip_text_destroy(&path);
    return status;
}

char *slip_basin_json(const slip_basin *basin)
{
    static const char *const kinds[] = { "rest", "cycle", "drift" };
    slip_json json = { 0 };
    long settled = 0;
    slip_json_open(&json, NULL, '{');
    slip_json_text(&json, "model", slip_sweep_title(basin->sweep));
    slip_json_integer(&json, "runs", slip_sweep_run_count(basin->sweep));
    slip_json_open(&json, "attractors", '[');
    for (int k = 0; k < basin->attractor_count; k++) {
        const slip_attractor *a = &basin->attractor[k];
        settled += a->runs;
        slip_json_open(&json, NULL, '{');
        slip_json_text(&json, "name", a->name);
        slip_json_text(&json, "kind", kinds[a->kind]);
        slip_json_integer(&json, "runs", a->runs);
        slip_json_integer(&json, "trusted", a->trusted);
        slip_json_integer(&json, "unchecked", a->unchecked);
        slip_json_integer(&json, "example", a->example);
        slip_json_close(&json, '}');
    }
    slip_json_close(&json, ']');
    slip_json_integer(&json, "not_settled", slip_sweep_run_count(basin->sweep) - settled);
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
