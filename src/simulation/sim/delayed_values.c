/// simulation/sim/delayed_values.c: the histories behind delay(x, tau) of a model.
#include "simulation/sim/delayed_values.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/elementary.h"
#include "simulation/sim/history.h"
#include "simulation/sim/sim_tolerances.h"

enum { MAX_BREAKS = 1024, MAX_LEVEL = 6, MIN_KNOTS = 4096, MAX_KNOTS = 1 << 22 };

/// A time at which a step has to end, and the number of delays between it and the jump that caused it.
typedef struct step_break {
    double t;
    int level;
} step_break;

struct slip_delayed_values {
    const slip_model *model;
    double step; // s; NaN: chosen by error control
    double relative, absolute;
    double min_step, shortest; // s, below which two times are the same; the shortest delay
    slip_tape *tape;           // values, then slopes
    double *reg;
    bool *sloped; // per delay: its time derivative is known
    slip_history *pasts;
    step_break *step_breaks; // in the order of time
    int step_break_count;
    int elements;
    unsigned char *mode; // of each element at the last update
    double step_limit, from, to;
    bool begun;
    void *memory;
};

// ------------------------------------------------------------------------------------------------ making

// The time derivative of an expression along the motion. It is known where only q' is needed, or u' of
// first-order states.
static slip_ref slope_of(slip_graph *g, const slip_model *m, slip_ref of, bool *known)
{
    int n = m->coordinate_count;
    slip_ref *direction = malloc((1 + 2 * (size_t)n) * sizeof *direction), slope = SLIP_NONE;
    *known = true;
    for (int k = 0; direction && k < n; k++) {
        const slip_coordinate *c = &m->coordinates[k];
        slip_ref rate = slip_graph_input_ref(g, 1 + n + k);
        direction[1 + k] = c->is_held ? SLIP_NONE : c->velocity >= 0 ? c->velocity : rate;
        direction[1 + n + k] = c->is_held || !c->is_state ? SLIP_NONE : m->forces[k].ref;
        if (!c->is_state && slip_graph_depends(g, of, rate)) *known = false;
    }
    if (direction) {
        direction[0] = slip_graph_constant(g, 1.0);
        slope = *known ? slip_graph_directional(g, of, direction, 1 + 2 * n) : of;
        if (slope == SLIP_NONE && !slip_graph_failed(g)) slope = slip_graph_constant(g, 0.0);
    }
    free(direction);
    return slope;
}

static bool compile_delays(slip_delayed_values *d, bool *sloped)
{
    const slip_model *m = d->model;
    slip_graph *g = slip_graph_copy(m->graph);
    slip_ref *roots = malloc(2 * (size_t)m->delay_count * sizeof *roots);
    bool fine = g && roots;
    for (int k = 0; fine && k < m->delay_count; k++) {
        roots[k] = m->delays[k].of;
        roots[m->delay_count + k] = slope_of(g, m, roots[k], &sloped[k]);
        fine = roots[m->delay_count + k] != SLIP_NONE;
    }
    d->tape = fine ? slip_tape_create(g, roots, 2 * m->delay_count) : NULL;
    slip_graph_destroy(g);
    free(roots);
    return d->tape != NULL;
}

static size_t room_for(double tau, double step)
{
    double knots = isnan(step) ? 0.0 : 4.0 * tau / step;
    return knots < MAX_KNOTS ? MIN_KNOTS + (size_t)knots : MAX_KNOTS;
}

static void delays_layout(slip_arena *a, slip_delayed_values *d)
{
    const slip_model *m = d->model;
    d->reg = SLIP_TAKE(a, double, slip_tape_registers(d->tape));
    d->sloped = SLIP_TAKE(a, bool, m->delay_count);
    d->pasts = SLIP_TAKE_PLAIN(a, slip_history, m->delay_count);
    d->step_breaks = SLIP_TAKE_PLAIN(a, step_break, MAX_BREAKS);
    d->mode = SLIP_TAKE(a, unsigned char, d->elements);
    for (int k = 0; k < m->delay_count; k++) {
        size_t room = room_for(m->delays[k].tau, d->step);
        slip_history_knot *knots = SLIP_TAKE_PLAIN(a, slip_history_knot, room);
        if (a->base) d->pasts[k] = (slip_history){ .knots = knots, .room = room, .tau = m->delays[k].tau };
    }
}

static bool make_delays(slip_delayed_values *d)
{
    bool *sloped = calloc((size_t)d->model->delay_count, sizeof *sloped);
    slip_arena arena = { 0 };
    bool fine = sloped && compile_delays(d, sloped);
    if (fine) {
        while (slip_arena_next_pass(&arena, &d->memory)) delays_layout(&arena, d);
        fine = d->memory != NULL;
        if (fine) {
            memcpy(d->sloped, sloped, (size_t)d->model->delay_count * sizeof *sloped);
            slip_tape_start(d->tape, d->reg);
        }
    }
    free(sloped);
    return fine;
}

bool slip_delayed_values_create(const slip_model *model, const slip_method *method,
                                const slip_sim_def *settings, slip_delayed_values **out)
{
    *out = NULL;
    if (model->delay_count == 0) return true;
    slip_delayed_values *d = calloc(1, sizeof *d);
    if (!d) return false;
    *d = (slip_delayed_values){ .model = model,
                                .step = method->adaptive ? NAN : settings->step,
                                .relative = settings->relative,
                                .absolute = settings->absolute,
                                .shortest = INFINITY,
                                .elements = method->element_count };
    for (int k = 0; k < model->delay_count; k++) d->shortest = fmin(d->shortest, model->delays[k].tau);
    d->min_step = SAME_TIME * (isnan(d->step) ? d->shortest : fmin(d->step, d->shortest));
    if (make_delays(d)) return *out = d, true;
    slip_delayed_values_destroy(d);
    return false;
}

void slip_delayed_values_destroy(slip_delayed_values *d)
{
    if (!d) return;
    slip_tape_destroy(d->tape);
    free(d->memory);
    free(d);
}

void slip_delayed_values_archive(slip_delayed_values *d, slip_archive *a)
{
    if (!d) return;
    slip_archive_open(a, "delays");
    slip_archive_bool(a, "begun", &d->begun);
    slip_archive_double(a, "pace", &d->step_limit);
    slip_archive_double(a, "from", &d->from);
    slip_archive_double(a, "to", &d->to);
    slip_archive_bytes(a, "mode", d->mode, (size_t)d->elements);
    for (int k = 0; k < d->model->delay_count; k++) slip_history_archive(&d->pasts[k], a);
    slip_archive_int(a, "brink_count", &d->step_break_count);
    if (d->step_break_count < 0 || d->step_break_count > MAX_BREAKS)
        slip_archive_fail(a, SLIP_BAD_FILE, "%d breaks of delays", d->step_break_count);
    for (int k = 0; a->status == SLIP_OK && k < d->step_break_count; k++) {
        slip_archive_double(a, "t", &d->step_breaks[k].t);
        slip_archive_int(a, "level", &d->step_breaks[k].level);
    }
    slip_archive_close(a);
}

// ------------------------------------------------------------------------------------------------ breaks

// Inserts a break in the order of time. Of two at the same time the one of lower level stays; a full list
// drops its last.
static void expect_break(slip_delayed_values *d, double t, int level)
{
    int at = d->step_break_count;
    while (at > 0 && d->step_breaks[at - 1].t > t - d->min_step) at--;
    if (at < d->step_break_count && fabs(d->step_breaks[at].t - t) <= d->min_step) {
        if (level < d->step_breaks[at].level) d->step_breaks[at].level = level;
        return;
    }
    if (d->step_break_count == MAX_BREAKS) d->step_break_count--;
    if (at > d->step_break_count) return;
    memmove(d->step_breaks + at + 1, d->step_breaks + at,
            (size_t)(d->step_break_count - at) * sizeof *d->step_breaks);
    d->step_breaks[at] = (step_break){ t, level };
    d->step_break_count++;
}

static void propagate_break(slip_delayed_values *d, double t, int level)
{
    for (int k = 0; k < d->model->delay_count && level < MAX_LEVEL; k++)
        expect_break(d, t + d->model->delays[k].tau, level + 1);
}

// Removes the breaks up to the present time, and returns the lowest of their levels; MAX_LEVEL + 1: there was
// none.
static int pass_breaks(slip_delayed_values *d, double t)
{
    int level = MAX_LEVEL + 1, past = 0;
    for (; past < d->step_break_count && d->step_breaks[past].t <= t + d->min_step; past++)
        if (d->step_breaks[past].level < level) level = d->step_breaks[past].level;
    d->step_break_count -= past;
    memmove(d->step_breaks, d->step_breaks + past, (size_t)d->step_break_count * sizeof *d->step_breaks);
    return level;
}

// ----------------------------------------------------------------------------------------------- recording

static void evaluate_delays(slip_delayed_values *d, const slip_method *m)
{
    d->reg[0] = m->t;
    memcpy(d->reg + 1, m->state, 2 * (size_t)d->model->coordinate_count * sizeof *d->reg);
    slip_tape_run(d->tape, d->reg);
}

static slip_history_knot knot_at(const slip_delayed_values *d, double t, int k)
{
    double slope = d->reg[slip_tape_result(d->tape, d->model->delay_count + k)];
    return (slip_history_knot){ .t = t,
                                .value = d->reg[slip_tape_result(d->tape, k)],
                                .slope = d->sloped[k] && isfinite(slope) ? slope : NAN };
}

static bool had_impact(const slip_method *m)
{
    for (int k = 0; k < slip_log_event_count(m->log); k++)
        if (slip_log_event(m->log, k).kind == SLIP_EVENT_IMPACT) return true;
    return false;
}

static bool modes_changed(const slip_delayed_values *d, const slip_method *m)
{
    return memcmp(d->mode, m->mode, (size_t)d->elements) != 0;
}

// The longest step that error control may take, from the error with which the history predicts the new value.
static double step_limit_of(const slip_delayed_values *d, const slip_history *past,
                            const slip_history_knot *now)
{
    double from = slip_history_last(past)->t, taken = now->t - from, c[SLIP_DELAY_COEFFICIENTS];
    if (slip_history_interpolate(past, now->t, now->t, taken, c) < SLIP_DELAY_COEFFICIENTS)
        return 2.0 * taken;
    double wanted = d->absolute + d->relative * past->largest,
           error = INTERPOLATION_ERROR_RATIO * fabs(now->value - c[0]);
    double factor = error > 0.0 ? slip_pow(wanted / error, 1.0 / SLIP_DELAY_COEFFICIENTS) : 2.0;
    return taken * fmin(fmax(factor, LEAST_STEP_FACTOR), MOST_STEP_FACTOR);
}

static slip_run_outcome no_value(slip_method *m, int k)
{
    return slip_method_fail(m, "at t = %.9g s what delay %d of the model takes is not finite", m->t, k + 1);
}

static slip_run_outcome no_room(slip_method *m, const slip_history *past)
{
    return slip_method_fail(
        m,
        "at t = %.9g s the past of a delay of %.6g s has no room for more than %zu breaks: events or samples "
        "follow one another too fast for so long a delay",
        m->t, past->tau, past->room);
}

// Stores the present values as knots; after a jump there is one on either side of it. The value before an
// impact is not known where it depends on rates.
static slip_run_outcome record_present(slip_delayed_values *d, slip_method *m, bool breaks, bool impact,
                                       bool *broke)
{
    for (int k = 0; k < d->model->delay_count; k++) {
        slip_history *past = &d->pasts[k];
        slip_history_knot now = knot_at(d, m->t, k);
        const slip_history_knot *last = past->count ? slip_history_last(past) : NULL;
        bool further = last && now.t > last->t;
        if (!isfinite(now.value)) return no_value(m, k);
        if (further && isnan(d->step) && !breaks)
            d->step_limit = fmin(d->step_limit, step_limit_of(d, past, &now));
        if (further && breaks && (d->sloped[k] || !impact)) {
            slip_history_knot left = now;
            if (impact) left.slope = NAN;
            if (!slip_history_add(past, left, m->t)) return no_room(m, past);
        }
        bool other =
            last && !further && (now.value != last->value || (d->sloped[k] && !(now.slope == last->slope)));
        now.first = !last || breaks || other;
        if (now.first && !further && last) *broke = true;
        if (further || now.first)
            if (!slip_history_add(past, now, m->t)) return no_room(m, past);
    }
    return SLIP_RUNNING;
}

// --------------------------------------------------------------------------------------------- the step
// ahead

static double window_end(const slip_delayed_values *d, double t)
{
    double end = isnan(d->step) ? t + d->step_limit : t + d->step;
    end = fmin(end, t + d->shortest);
    if (d->step_break_count) end = fmin(end, d->step_breaks[0].t);
    for (int k = 0; k < d->model->delay_count && isnan(d->step); k++)
        end = fmin(end, slip_history_valid_until(&d->pasts[k], t - d->pasts[k].tau) + d->pasts[k].tau);
    return fmax(end, t + d->min_step);
}

// Computes the polynomials for the next step; true when a delayed value jumps.
static bool set_coefficients(slip_delayed_values *d, slip_method *m)
{
    int n = d->model->coordinate_count;
    double old = m->t - m->state[d->model->delay_clock];
    bool jumps = false;
    d->from = m->t;
    d->to = window_end(d, m->t);
    for (int k = 0; k < d->model->delay_count; k++) {
        int at = d->model->delays[k].coordinate;
        double c[SLIP_DELAY_COEFFICIENTS], before = 0.0, length = d->to - d->from;
        for (int i = SLIP_DELAY_COEFFICIENTS - 1; i >= 0; i--)
            before = m->state[(i % 2 ? n : 0) + at + i / 2] + old * before;
        double tau = d->pasts[k].tau;
        slip_history_interpolate(&d->pasts[k], d->from + 0.5 * length - tau, d->from - tau, length, c);
        jumps |= fabs(c[0] - before) > DELAYED_JUMP * d->pasts[k].largest;
        for (int i = 0; i < SLIP_DELAY_COEFFICIENTS; i++) m->state[(i % 2 ? n : 0) + at + i / 2] = c[i];
    }
    m->state[d->model->delay_clock] = d->from;
    m->state[n + d->model->delay_clock] = d->to;
    return jumps;
}

slip_run_outcome slip_delayed_values_update(slip_delayed_values *d, slip_method *m, bool *changed)
{
    bool started = !d->begun, moved = started || m->t > d->from, broke = false;
    int level = moved ? pass_breaks(d, m->t) : MAX_LEVEL + 1;
    bool impact = moved && had_impact(m), events = moved && m->log->news, modes = modes_changed(d, m);
    if (impact || events || modes || started) level = 0;
    memcpy(d->mode, m->mode, (size_t)d->elements);
    if (started || level <= MAX_LEVEL) d->step_limit = FIRST_STEP_OF_DELAY * d->shortest;
    if (moved && level > MAX_LEVEL) d->step_limit = MAX_STEP_OF_DELAY * d->shortest;
    evaluate_delays(d, m);
    slip_run_outcome outcome = record_present(d, m, level <= MAX_LEVEL, impact, &broke);
    if (outcome != SLIP_RUNNING) return outcome;
    if (broke) level = 0, d->step_limit = FIRST_STEP_OF_DELAY * d->shortest;
    if (level <= MAX_LEVEL) propagate_break(d, m->t, level);
    d->begun = true;
    if (!moved && level > MAX_LEVEL) return SLIP_RUNNING;
    *changed = set_coefficients(d, m) && !started;
    if (*changed)
        m->ops->touched(m);
    else if (m->ops->carried)
        m->ops->carried(m);
    return SLIP_RUNNING;
}

double slip_delayed_values_limit(const slip_delayed_values *d, double reach, double step)
{
    return !isnan(step) && reach - d->to <= SAME_TIME * step ? reach : fmin(reach, d->to);
}
