/// sweep/keeper.c: see keeper.h.
#include "sweep/keeper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "sim/sim.h"

// kinds of events that are counted: those of the mechanism
static const slip_event_kind counted[] = { SLIP_EVENT_CONTACT, SLIP_EVENT_RELEASE, SLIP_EVENT_STICK,
                                           SLIP_EVENT_SLIDE, SLIP_EVENT_IMPACT };
enum { COUNTED = (int)(sizeof counted / sizeof *counted) };

// ----------------------------------------------------------------------------------------------- layout

slip_keep_layout slip_keep_lay_out(const slip_sweep_def *def, int columns)
{
    const int n = columns - 1;
    slip_keep_layout l = { 0 };
    l.extremes = l.final + (def->keep & SLIP_KEEP_FINAL ? n : 0);
    l.means = l.extremes + (def->keep & SLIP_KEEP_EXTREMES ? 2 * n : 0);
    l.events = l.means + (def->keep & SLIP_KEEP_MEANS ? n : 0);
    l.drift = l.events + (def->keep & SLIP_KEEP_EVENTS ? 3 * COUNTED : 0);
    l.width = l.drift + (def->keep & SLIP_KEEP_DRIFT ? 2 * n : 0);
    return l;
}

int slip_keep_count(const slip_sweep_def *def, int columns)
{
    return slip_keep_lay_out(def, columns).width;
}

char *slip_keep_name(const slip_sweep_def *def, const slip_sim *sim, int k)
{
    static const char *const of_event[] = { "count", "first", "last" };
    const slip_keep_layout l = slip_keep_lay_out(def, slip_sim_column_count(sim));
    slip_text text = { 0 };
    if (k < l.extremes) {
        slip_text_add(&text, "%s", slip_sim_column_name(sim, 1 + k));
    } else if (k < l.means) {
        k -= l.extremes;
        slip_text_add(&text, "%s(%s)", k % 2 ? "max" : "min", slip_sim_column_name(sim, 1 + k / 2));
    } else if (k < l.events) {
        slip_text_add(&text, "mean(%s)", slip_sim_column_name(sim, 1 + k - l.means));
    } else if (k >= l.drift) {
        k -= l.drift;
        slip_text_add(&text, "%s(%s)", k % 2 ? "span" : "drift", slip_sim_column_name(sim, 1 + k / 2));
    } else {
        k -= l.events;
        slip_text_add(&text, "%s(%s)", of_event[k % 3], slip_event_name(counted[k / 3]));
    }
    return slip_text_take(&text);
}

bool slip_keeps_points(const slip_sweep_def *def)
{
    return def->strobe > 0.0 || def->section || def->keep & SLIP_KEEP_TRAJECTORY;
}

// ----------------------------------------------------------------------------------------------- points

static void add_point(slip_keeper *k, const double *row)
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

// a run that ends where lanes have left it has its last row twice
void slip_keeper_take_row(slip_keeper *k, const double *row)
{
    const double *last = k->point_count ? k->points + (k->point_count - 1) * k->columns : NULL;
    if (row[0] >= k->def->after && !(last && row[0] <= last[0])) add_point(k, row);
}

static bool on_row(void *context, const slip_sim *sim, const double *row)
{
    slip_keeper *k = context;
    (void)sim;
    slip_keeper_take_row(k, row);
    return !k->failed;
}

static bool passes(const slip_keeper *k, double before, double behind)
{
    const double at = k->def->section_at;
    const bool up = before < at && behind >= at, down = before > at && behind <= at;
    return (up && k->def->section_way >= 0) || (down && k->def->section_way <= 0);
}

static bool glance(slip_keeper *k, slip_sim *sim, double t)
{
    if (slip_sim_glance(sim, t) != SLIP_RUNNING) return false;
    memcpy(k->ahead, sim->row, (size_t)k->columns * sizeof *k->ahead);
    return true;
}

// The next step without taking it: where the column passes, by bisection. The state behind the passage is
// kept, so that what jumps there has jumped.
static void look_ahead(slip_keeper *k, slip_sim *sim)
{
    double low = slip_sim_time(sim), high = slip_sim_reach(sim);
    const double before = k->last[k->section];
    if (high <= k->def->after || !glance(k, sim, high) || !passes(k, before, k->ahead[k->section])) return;
    const double resolution = 4e-16 * fmax(fabs(high), 1e-300);
    while (high - low > resolution) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high || !glance(k, sim, middle)) break;
        if (passes(k, before, k->ahead[k->section]))
            high = middle;
        else
            low = middle;
    }
    if (high >= k->def->after && glance(k, sim, high)) add_point(k, k->ahead);
}

// ------------------------------------------------------------------------------------------------ looks

enum {
    FIRST_HALF = SLIP_KEEP_FIRST_HALF,
    SECOND_HALF = SLIP_KEEP_SECOND_HALF,
    WHOLE = SLIP_KEEP_WHOLE,
    PARTS = SLIP_KEEP_PARTS
};

// of two that are equal the first, of a number and none the number
static double least(double a, double b)
{
    return isnan(a) || b < a ? b : a;
}
static double most(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

static double *bounds_of(const slip_keeper *k, int part, int column)
{
    return k->bounds + 2 * (part * k->columns + column);
}

static void widen(slip_keeper *k, int part, const double *row)
{
    for (int c = 1; c < k->columns; c++) {
        double *b = bounds_of(k, part, c);
        b[0] = least(b[0], row[c]);
        b[1] = most(b[1], row[c]);
    }
}

// NaN where a half was not looked at
static double drift_of(const slip_keeper *k, int column)
{
    const double *first = bounds_of(k, FIRST_HALF, column), *second = bounds_of(k, SECOND_HALF, column);
    const double drift = fmax(fabs(first[0] - second[0]), fabs(first[1] - second[1]));
    return isfinite(drift) ? drift : NAN;
}

// the row at `t`, up to which the last one held or changed
static void gather(slip_keeper *k, const double *row)
{
    const slip_keep_layout l = slip_keep_lay_out(k->def, k->columns);
    const double t = row[0];
    if (k->def->keep & SLIP_KEEP_DRIFT) widen(k, WHOLE, row);
    if (t < k->def->after) return;
    if (!k->seen) k->since = t;
    for (int c = 1; c < k->columns && k->def->keep & SLIP_KEEP_EXTREMES; c++) {
        double *low = k->values + l.extremes + 2 * (c - 1), *high = low + 1;
        *low = k->seen ? least(*low, row[c]) : row[c];
        *high = k->seen ? most(*high, row[c]) : row[c];
    }
    for (int c = 1; c < k->columns && k->def->keep & SLIP_KEEP_MEANS; c++) {
        double *sum = k->values + l.means + c - 1;
        *sum = k->seen ? *sum + 0.5 * (k->last[c] + row[c]) * (t - k->last_t) : 0.0;
    }
    if (k->def->keep & SLIP_KEEP_DRIFT) widen(k, t < k->half ? FIRST_HALF : SECOND_HALF, row);
    k->seen = true;
}

bool slip_keeps_steps(const slip_sweep_def *def)
{
    return def->keep & (SLIP_KEEP_EXTREMES | SLIP_KEEP_MEANS | SLIP_KEEP_DRIFT) || def->section;
}

static void look(slip_run_observer *observer, slip_sim *sim)
{
    slip_keeper *k = (slip_keeper *)observer;
    if (!slip_keeps_steps(k->def)) return;
    slip_sim_columns(sim, k->ahead);
    gather(k, k->ahead);
    memcpy(k->last, k->ahead, (size_t)k->columns * sizeof *k->last);
    k->last_t = k->last[0];
    if (k->def->section) look_ahead(k, sim);
}

static void on_event(slip_run_observer *observer, const slip_event *event)
{
    slip_keeper *k = (slip_keeper *)observer;
    if (!(k->def->keep & SLIP_KEEP_EVENTS) || event->t < k->def->after) return;
    for (int e = 0; e < COUNTED; e++) {
        if (event->kind != counted[e]) continue;
        double *v = k->values + slip_keep_lay_out(k->def, k->columns).events + 3 * e;
        if (v[0] == 0.0) v[1] = event->t;
        v[0] += 1.0;
        v[2] = event->t;
    }
}

// ------------------------------------------------------------------------------------------------- life

static int column_of(const slip_sim *sim, const char *name)
{
    for (int k = 0; k < slip_sim_column_count(sim); k++)
        if (strcmp(slip_sim_column_name(sim, k), name) == 0) return k;
    return -1;
}

slip_status slip_keeper_create(const slip_sweep_def *def, const slip_sim *sim, slip_error *error,
                               slip_keeper *keeper)
{
    *keeper = (slip_keeper){ .observer = { .look = look, .event = on_event }, .def = def };
    keeper->columns = slip_sim_column_count(sim);
    keeper->state_count = slip_sim_state_count(sim);
    keeper->width = slip_keep_count(def, keeper->columns);
    keeper->section = def->section ? column_of(sim, def->section) : 0;
    if (keeper->section < 0)
        return slip_fail(error, SLIP_UNKNOWN_NAME, def->section, "is not a column of the trajectory");
    if (def->strobe > 0.0 && def->keep & SLIP_KEEP_TRAJECTORY)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "strobe", "and whole trajectories exclude each other");
    keeper->values = calloc((size_t)keeper->width + 1, sizeof *keeper->values);
    keeper->bounds = calloc((size_t)(2 * PARTS * keeper->columns), sizeof *keeper->bounds);
    keeper->last = calloc((size_t)keeper->columns, sizeof *keeper->last);
    keeper->ahead = calloc((size_t)keeper->columns, sizeof *keeper->ahead);
    if (keeper->values && keeper->bounds && keeper->last && keeper->ahead) return SLIP_OK;
    slip_keeper_destroy(keeper);
    return slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
}

void slip_keeper_destroy(slip_keeper *keeper)
{
    free(keeper->values);
    free(keeper->points);
    free(keeper->bounds);
    free(keeper->last);
    free(keeper->ahead);
    free(keeper->strobes);
    *keeper = (slip_keeper){ 0 };
}

static bool set_strobes(slip_keeper *k, double until)
{
    enum { MAX_STROBES = 100000000 };
    const double count = floor(until / k->def->strobe * (1.0 + 1e-12));
    if (!(count < MAX_STROBES)) return false;
    free(k->strobes);
    k->strobes = malloc(((size_t)count + 1) * sizeof *k->strobes);
    k->strobe_count = 0;
    if (!k->strobes) return false;
    for (long n = (long)ceil(k->def->after / k->def->strobe - 1e-12); n <= (long)count; n++)
        k->strobes[k->strobe_count++] = fmin((double)n * k->def->strobe, until);
    return true;
}

slip_status slip_keeper_begin(slip_keeper *keeper, const slip_sim *sim, slip_run_def *run)
{
    const slip_sweep_def *def = keeper->def;
    for (int k = 0; k < keeper->width; k++) keeper->values[k] = NAN;
    const slip_keep_layout l = slip_keep_lay_out(def, keeper->columns);
    for (int k = l.events; k < l.drift; k += 3) keeper->values[k] = 0.0;
    for (int k = 0; k < 2 * PARTS * keeper->columns; k++) keeper->bounds[k] = k % 2 ? -INFINITY : INFINITY;
    keeper->half = 0.5 * (def->after + slip_sim_settings(sim).until);
    keeper->point_count = 0;
    keeper->seen = false;
    run->observer = &keeper->observer;
    run->context = keeper;
    if (def->keep & SLIP_KEEP_TRAJECTORY)
        run->row = on_row;
    else if (sim->model->record_count == 0)
        run->at = keeper->last, run->at_count = 0; // nobody looks at rows
    if (def->strobe > 0.0) {
        if (!set_strobes(keeper, slip_sim_settings(sim).until)) return SLIP_NO_MEMORY;
        run->row = on_row;
        run->at = keeper->strobes, run->at_count = (int)keeper->strobe_count;
    }
    return SLIP_OK;
}

void slip_keeper_end(slip_keeper *keeper, slip_sim *sim)
{
    const slip_keep_layout l = slip_keep_lay_out(keeper->def, keeper->columns);
    slip_sim_columns(sim, keeper->ahead);
    if (slip_keeps_steps(keeper->def)) gather(keeper, keeper->ahead);
    if (keeper->def->keep & SLIP_KEEP_FINAL)
        memcpy(keeper->values + l.final, keeper->ahead + 1,
               (size_t)(keeper->columns - 1) * sizeof *keeper->ahead);
    for (int k = l.drift; k < l.width; k += 2) {
        const int column = 1 + (k - l.drift) / 2;
        const double *whole = bounds_of(keeper, WHOLE, column);
        keeper->values[k] = drift_of(keeper, column);
        keeper->values[k + 1] = whole[1] - whole[0];
    }
    const double span = keeper->seen ? keeper->ahead[0] - keeper->since : 0.0;
    for (int k = l.means; k < l.events; k++) keeper->values[k] = span > 0.0 ? keeper->values[k] / span : NAN;
}
