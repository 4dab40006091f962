/// study/sweep/run_statistics.c: the outputs of one run of a sweep.
#include "study/sweep/run_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "simulation/sim/sim.h"
#include "study/sweep/sweep_tolerances.h"

// Kinds of events that are counted: those of contacts and frictions.
static const slip_event_kind counted[] = { SLIP_EVENT_CONTACT, SLIP_EVENT_RELEASE, SLIP_EVENT_STICK,
                                           SLIP_EVENT_SLIDE, SLIP_EVENT_IMPACT };
enum { COUNTED_KINDS = (int)(sizeof counted / sizeof *counted) };

// ----------------------------------------------------------------------------------------------- layout

static int load_numbers(void)
{
    int count = 0;
    while (slip_load_number_name(count)) count++;
    return count;
}

slip_run_statistics_layout slip_run_statistics_layout_of(const slip_sweep_def *def, int columns)
{
    const int n = columns - 1;
    slip_run_statistics_layout l = { 0 };
    l.extremes = l.final + (def->outputs & SLIP_OUTPUT_FINAL ? n : 0);
    l.means = l.extremes + (def->outputs & SLIP_OUTPUT_EXTREMES ? 2 * n : 0);
    l.events = l.means + (def->outputs & SLIP_OUTPUT_MEANS ? n : 0);
    l.drift = l.events + (def->outputs & SLIP_OUTPUT_EVENTS ? 3 * COUNTED_KINDS : 0);
    l.loads = l.drift + (def->outputs & SLIP_OUTPUT_DRIFT ? 2 * n : 0);
    l.width = l.loads + (def->outputs & SLIP_OUTPUT_LOADS ? def->model->element_count * load_numbers() : 0);
    return l;
}

int slip_run_statistics_count(const slip_sweep_def *def, int columns)
{
    return slip_run_statistics_layout_of(def, columns).width;
}

char *slip_run_statistics_name(const slip_sweep_def *def, const slip_sim *sim, int k)
{
    static const char *const of_event[] = { "count", "first", "last" };
    const slip_run_statistics_layout l = slip_run_statistics_layout_of(def, slip_sim_column_count(sim));
    slip_text text = { 0 };
    if (k < l.extremes) {
        slip_text_add(&text, "%s", slip_sim_column_name(sim, 1 + k));
    } else if (k < l.means) {
        k -= l.extremes;
        slip_text_add(&text, "%s(%s)", k % 2 ? "max" : "min", slip_sim_column_name(sim, 1 + k / 2));
    } else if (k < l.events) {
        slip_text_add(&text, "mean(%s)", slip_sim_column_name(sim, 1 + k - l.means));
    } else if (k >= l.loads) {
        k -= l.loads;
        slip_text_add(&text, "%s(%s)", slip_load_number_name(k % load_numbers()),
                      def->model->contacts[k / load_numbers()].name);
    } else if (k >= l.drift) {
        k -= l.drift;
        slip_text_add(&text, "%s(%s)", k % 2 ? "span" : "drift", slip_sim_column_name(sim, 1 + k / 2));
    } else {
        k -= l.events;
        slip_text_add(&text, "%s(%s)", of_event[k % 3], slip_event_name(counted[k / 3]));
    }
    return slip_text_take(&text);
}

bool slip_run_statistics_need_points(const slip_sweep_def *def)
{
    return def->strobe > 0.0 || def->section || def->outputs & SLIP_OUTPUT_TRAJECTORY;
}

// ----------------------------------------------------------------------------------------------- points

static void add_point(slip_run_statistics *k, const double *row)
{
    if (k->failed) return;
    if (k->point_count == k->point_room) {
        const long room = k->point_room ? 2 * k->point_room : 64;
        double *grown = realloc(k->points, (size_t)room * (size_t)k->columns * sizeof *grown);
        if (!grown) {
            k->failed = true;
            return;
        }
        k->points = grown;
        k->point_room = room;
    }
    memcpy(k->points + k->point_count++ * k->columns, row, (size_t)k->columns * sizeof *row);
}

// A run that ends where it has left its lane would have its last row twice.
void slip_run_statistics_add_row(slip_run_statistics *k, const double *row)
{
    const double *last = k->point_count ? k->points + (k->point_count - 1) * k->columns : NULL;
    if (row[0] >= k->def->after && !(last && row[0] <= last[0])) add_point(k, row);
}

static bool on_row(void *context, const slip_sim *sim, const double *row)
{
    slip_run_statistics *k = context;
    (void)sim;
    slip_run_statistics_add_row(k, row);
    return !k->failed;
}

static bool crosses_section(const slip_run_statistics *k, double before, double behind)
{
    const double at = k->def->section_at;
    const bool up = before < at && behind >= at, down = before > at && behind <= at;
    return (up && k->def->section_direction >= 0) || (down && k->def->section_direction <= 0);
}

static bool peek_row(slip_run_statistics *k, slip_sim *sim, double t)
{
    if (slip_sim_peek_row(sim, t) != SLIP_RUNNING) return false;
    memcpy(k->ahead, sim->row, (size_t)k->columns * sizeof *k->ahead);
    return true;
}

// Locates the crossing of the section within the next step by peeks and bisection. The state after the
// crossing is stored, so that a jump at the crossing is included.
static void find_section_points(slip_run_statistics *k, slip_sim *sim)
{
    double low = slip_sim_time(sim), high = slip_sim_next_step_end(sim);
    const double before = k->last[k->section];
    if (high <= k->def->after || !peek_row(k, sim, high) || !crosses_section(k, before, k->ahead[k->section]))
        return;
    const double resolution = SECTION_TIME * fmax(fabs(high), SECTION_TIME_LEAST);
    while (high - low > resolution) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high || !peek_row(k, sim, middle)) break;
        if (crosses_section(k, before, k->ahead[k->section]))
            high = middle;
        else
            low = middle;
    }
    if (high >= k->def->after && peek_row(k, sim, high)) add_point(k, k->ahead);
}

// ----------------------------------------------------------------------------------------- observations

enum {
    FIRST_HALF = SLIP_STATISTICS_FIRST_HALF,
    SECOND_HALF = SLIP_STATISTICS_SECOND_HALF,
    WHOLE = SLIP_STATISTICS_WHOLE,
    PARTS = SLIP_STATISTICS_PARTS
};

// The smaller of two values: the first of equal ones, and the number if the other is NaN.
static double min_number(double a, double b)
{
    return isnan(a) || b < a ? b : a;
}
static double max_number(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

static double *column_bounds(const slip_run_statistics *k, int part, int column)
{
    return k->bounds + 2 * (part * k->columns + column);
}

static void widen_bounds(slip_run_statistics *k, int part, const double *row)
{
    for (int c = 1; c < k->columns; c++) {
        double *b = column_bounds(k, part, c);
        b[0] = min_number(b[0], row[c]);
        b[1] = max_number(b[1], row[c]);
    }
}

// The drift of a column; NaN where one half of the run was not observed.
static double drift_of(const slip_run_statistics *k, int column)
{
    const double *first = column_bounds(k, FIRST_HALF, column),
                 *second = column_bounds(k, SECOND_HALF, column);
    const double drift = fmax(fabs(first[0] - second[0]), fabs(first[1] - second[1]));
    return isfinite(drift) ? drift : NAN;
}

// Accumulates the row at `t`, which ends the interval since the last one.
static void accumulate(slip_run_statistics *k, const double *row)
{
    const slip_run_statistics_layout l = slip_run_statistics_layout_of(k->def, k->columns);
    const double t = row[0];
    if (k->def->outputs & SLIP_OUTPUT_DRIFT) widen_bounds(k, WHOLE, row);
    if (t < k->def->after) return;
    if (!k->seen) k->since = t;
    for (int c = 1; c < k->columns && k->def->outputs & SLIP_OUTPUT_EXTREMES; c++) {
        double *low = k->values + l.extremes + 2 * (c - 1), *high = low + 1;
        *low = k->seen ? min_number(*low, row[c]) : row[c];
        *high = k->seen ? max_number(*high, row[c]) : row[c];
    }
    for (int c = 1; c < k->columns && k->def->outputs & SLIP_OUTPUT_MEANS; c++) {
        double *sum = k->values + l.means + c - 1;
        *sum = k->seen ? *sum + 0.5 * (k->last[c] + row[c]) * (t - k->last_t) : 0.0;
    }
    if (k->def->outputs & SLIP_OUTPUT_DRIFT) widen_bounds(k, t < k->half ? FIRST_HALF : SECOND_HALF, row);
    k->seen = true;
}

bool slip_run_statistics_need_steps(const slip_sweep_def *def)
{
    return def->outputs & (SLIP_OUTPUT_EXTREMES | SLIP_OUTPUT_MEANS | SLIP_OUTPUT_DRIFT) || def->section;
}

static void take_row(slip_run_statistics *k, const double *row)
{
    accumulate(k, row);
    memcpy(k->last, row, (size_t)k->columns * sizeof *k->last);
    k->last_t = k->last[0];
}

// the row of the present state, after the one before what has jumped there
static void take_state(slip_run_statistics *k, slip_sim *sim)
{
    const double *before = k->turns.t ? slip_turning_points_before_jump(&k->turns, sim) : NULL;
    if (before) take_row(k, before);
    slip_sim_columns(sim, k->ahead);
    take_row(k, k->ahead);
}

static void on_state(slip_run_observer *observer, slip_sim *sim)
{
    slip_run_statistics *k = (slip_run_statistics *)observer;
    if (!k->tallied && k->def->after > 0.0 && slip_sim_time(sim) >= k->def->after) {
        slip_contact_loads_restart(sim->loads);
        slip_contact_loads_observe(sim->loads, sim->method);
        k->tallied = true;
    }
    if (!slip_run_statistics_need_steps(k->def)) return;
    take_state(k, sim);
    if (k->def->section) find_section_points(k, sim);
    if (!k->turns.t) return;
    const int turns = slip_turning_points_find(&k->turns, sim, k->last);
    for (int i = 0; i < turns; i++)
        if (peek_row(k, sim, k->turns.t[i])) take_row(k, k->ahead);
}

static void on_event(slip_run_observer *observer, const slip_event *event)
{
    slip_run_statistics *k = (slip_run_statistics *)observer;
    if (!(k->def->outputs & SLIP_OUTPUT_EVENTS) || event->t < k->def->after) return;
    for (int e = 0; e < COUNTED_KINDS; e++) {
        if (event->kind != counted[e]) continue;
        double *v = k->values + slip_run_statistics_layout_of(k->def, k->columns).events + 3 * e;
        if (v[0] == 0.0) v[1] = event->t;
        v[0] += 1.0;
        v[2] = event->t;
    }
}

// ------------------------------------------------------------------------------------------------- life

static int column_index(const slip_sim *sim, const char *name)
{
    for (int k = 0; k < slip_sim_column_count(sim); k++)
        if (strcmp(slip_sim_column_name(sim, k), name) == 0) return k;
    return -1;
}

slip_status slip_run_statistics_create(const slip_sweep_def *def, const slip_sim *sim, slip_error *error,
                                       slip_run_statistics *keeper)
{
    *keeper = (slip_run_statistics){ .observer = { .look = on_state, .event = on_event }, .def = def };
    keeper->columns = slip_sim_column_count(sim);
    keeper->state_count = slip_sim_state_count(sim);
    keeper->width = slip_run_statistics_count(def, keeper->columns);
    keeper->section = def->section ? column_index(sim, def->section) : 0;
    if (keeper->section < 0)
        return slip_fail(error, SLIP_UNKNOWN_NAME, def->section, "is not a column of the trajectory");
    if (def->strobe > 0.0 && def->outputs & SLIP_OUTPUT_TRAJECTORY)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "strobe", "and whole trajectories exclude each other");
    keeper->values = calloc((size_t)keeper->width + 1, sizeof *keeper->values);
    keeper->bounds = calloc((size_t)(2 * PARTS * keeper->columns), sizeof *keeper->bounds);
    keeper->last = calloc((size_t)keeper->columns, sizeof *keeper->last);
    keeper->ahead = calloc((size_t)keeper->columns, sizeof *keeper->ahead);
    const bool turns = (def->outputs & (SLIP_OUTPUT_EXTREMES | SLIP_OUTPUT_MEANS | SLIP_OUTPUT_DRIFT)) != 0;
    if (keeper->values && keeper->bounds && keeper->last && keeper->ahead &&
        (!turns || slip_turning_points_create(&keeper->turns, sim, true)))
        return SLIP_OK;
    slip_run_statistics_destroy(keeper);
    return slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
}

void slip_run_statistics_destroy(slip_run_statistics *keeper)
{
    free(keeper->values);
    free(keeper->points);
    free(keeper->bounds);
    free(keeper->last);
    free(keeper->ahead);
    free(keeper->strobes);
    slip_turning_points_destroy(&keeper->turns);
    *keeper = (slip_run_statistics){ 0 };
}

static bool set_strobes(slip_run_statistics *k, double until)
{
    enum { MAX_STROBES = 100000000 };
    const double count = floor(until / k->def->strobe * (1.0 + STROBE_ROUNDING));
    if (!(count < MAX_STROBES)) return false;
    free(k->strobes);
    k->strobes = malloc(((size_t)count + 1) * sizeof *k->strobes);
    k->strobe_count = 0;
    if (!k->strobes) return false;
    for (long n = (long)ceil(k->def->after / k->def->strobe - STROBE_ROUNDING); n <= (long)count; n++)
        k->strobes[k->strobe_count++] = fmin((double)n * k->def->strobe, until);
    return true;
}

slip_status slip_run_statistics_begin(slip_run_statistics *keeper, const slip_sim *sim, slip_run_def *run)
{
    const slip_sweep_def *def = keeper->def;
    for (int k = 0; k < keeper->width; k++) keeper->values[k] = NAN;
    const slip_run_statistics_layout l = slip_run_statistics_layout_of(def, keeper->columns);
    for (int k = l.events; k < l.drift; k += 3) keeper->values[k] = 0.0;
    keeper->tallied = false;
    for (int k = 0; k < 2 * PARTS * keeper->columns; k++) keeper->bounds[k] = k % 2 ? -INFINITY : INFINITY;
    keeper->half = 0.5 * (def->after + slip_sim_settings(sim).until);
    keeper->point_count = 0;
    keeper->seen = false;
    run->observer = &keeper->observer;
    run->context = keeper;
    if (def->outputs & SLIP_OUTPUT_TRAJECTORY)
        run->row = on_row;
    else if (sim->model->record_count == 0)
        run->at = keeper->last, run->at_count = 0; // no rows are needed
    if (def->strobe > 0.0) {
        if (!set_strobes(keeper, slip_sim_settings(sim).until)) return SLIP_NO_MEMORY;
        run->row = on_row;
        run->at = keeper->strobes, run->at_count = (int)keeper->strobe_count;
    }
    return SLIP_OK;
}

static void take_loads(slip_run_statistics *k, const slip_sim *sim, int at)
{
    slip_element_loads loads;
    if (!(k->def->outputs & SLIP_OUTPUT_LOADS)) return;
    for (int e = 0; slip_sim_loads(sim, e, &loads); e++)
        for (int i = 0; slip_load_number_name(i); i++) k->values[at++] = slip_load_number(&loads, i);
}

void slip_run_statistics_end(slip_run_statistics *keeper, slip_sim *sim)
{
    const slip_run_statistics_layout l = slip_run_statistics_layout_of(keeper->def, keeper->columns);
    if (slip_run_statistics_need_steps(keeper->def))
        take_state(keeper, sim);
    else
        slip_sim_columns(sim, keeper->ahead);
    if (keeper->def->outputs & SLIP_OUTPUT_FINAL)
        memcpy(keeper->values + l.final, keeper->ahead + 1,
               (size_t)(keeper->columns - 1) * sizeof *keeper->ahead);
    take_loads(keeper, sim, l.loads);
    for (int k = l.drift; k < l.loads; k += 2) {
        const int column = 1 + (k - l.drift) / 2;
        const double *whole = column_bounds(keeper, WHOLE, column);
        keeper->values[k] = drift_of(keeper, column);
        keeper->values[k + 1] = whole[1] - whole[0];
    }
    const double span = keeper->seen ? keeper->ahead[0] - keeper->since : 0.0;
    for (int k = l.means; k < l.events; k++) keeper->values[k] = span > 0.0 ? keeper->values[k] / span : NAN;
}
