/// simulation/sim/sampled_controllers.c: controllers that act at sample times and hold their outputs in
/// between.
#include "simulation/sim/sampled_controllers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/philox.h"
#include "simulation/sim/derivative_columns.h"
#include "simulation/sim/sim_tolerances.h"

/// One controller during a run.
typedef struct controller_state {
    long count; // number of samples so far
    double next,
        due; // s, time of the next sample; time at which the last outputs are applied, infinite: they are
} controller_state;

struct slip_sampled_controllers {
    const slip_model *model;
    slip_tape *tape; // new memory and outputs, controller by controller
    double *reg, *held;
    int *first; // per controller: index of its first value
    controller_state *controller_states;
    slip_derivative_columns *derivatives;
    void *memory;
};

// ------------------------------------------------------------------------------------------------- times

// The time of a sample. Jitter is a function of seed and sample number, so that it is the same in every run.
static double sample_time(const slip_controller *c, long sample)
{
    double late = c->jitter > 0.0 ? c->jitter * slip_philox_uniform(c->seed, (uint64_t)sample, 0) : 0.0;
    return c->first + (double)sample * c->period + late;
}

// ------------------------------------------------------------------------------------------------ making

static size_t value_count(const slip_model *model)
{
    size_t count = 0;
    for (int k = 0; k < model->controller_count; k++)
        count += (size_t)(model->controllers[k].memory_count + model->controllers[k].output_count);
    return count;
}

static bool compile_controllers(slip_sampled_controllers *s)
{
    const slip_model *model = s->model;
    size_t count = value_count(model), at = 0;
    slip_ref *roots = malloc((count + 1) * sizeof *roots);
    for (int k = 0; roots && k < model->controller_count; k++) {
        const slip_controller *c = &model->controllers[k];
        for (int i = 0; i < c->memory_count + c->output_count; i++) roots[at++] = c->assignments[i].value.ref;
    }
    s->tape = roots ? slip_tape_create(model->graph, roots, (int)count) : NULL;
    free(roots);
    return s->tape != NULL;
}

static void controllers_layout(slip_arena *a, slip_sampled_controllers *s)
{
    s->first = SLIP_TAKE(a, int, s->model->controller_count);
    s->controller_states = SLIP_TAKE_PLAIN(a, controller_state, s->model->controller_count);
    s->held = SLIP_TAKE(a, double, value_count(s->model) + 1);
    s->reg = SLIP_TAKE(a, double, slip_tape_registers(s->tape));
}

static bool make_controllers(slip_sampled_controllers *s)
{
    slip_arena arena = { 0 };
    if (!compile_controllers(s)) return false;
    while (slip_arena_next_pass(&arena, &s->memory)) controllers_layout(&arena, s);
    if (!s->memory) return false;
    slip_tape_start(s->tape, s->reg);
    for (int k = 0, at = 0; k < s->model->controller_count; k++) {
        const slip_controller *c = &s->model->controllers[k];
        s->first[k] = at;
        at += c->memory_count + c->output_count;
        s->controller_states[k] = (controller_state){ .next = sample_time(c, 0), .due = INFINITY };
    }
    return true;
}

bool slip_sampled_controllers_create(const slip_model *model, slip_sampled_controllers **out)
{
    *out = NULL;
    if (model->controller_count == 0) return true;
    slip_sampled_controllers *s = calloc(1, sizeof *s);
    if (!s) return false;
    s->model = model;
    if (make_controllers(s)) return *out = s, true;
    slip_sampled_controllers_destroy(s);
    return false;
}

void slip_sampled_controllers_set_sens(slip_sampled_controllers *s, slip_derivative_columns *derivatives)
{
    if (s) s->derivatives = derivatives;
}

void slip_sampled_controllers_destroy(slip_sampled_controllers *s)
{
    if (!s) return;
    slip_tape_destroy(s->tape);
    free(s->memory);
    free(s);
}

void slip_sampled_controllers_archive(slip_sampled_controllers *s, slip_archive *a)
{
    if (!s) return;
    slip_archive_open(a, "samples");
    for (int k = 0; k < s->model->controller_count; k++) {
        slip_archive_long(a, "count", &s->controller_states[k].count);
        slip_archive_double(a, "next", &s->controller_states[k].next);
        slip_archive_double(a, "due", &s->controller_states[k].due);
    }
    slip_archive_doubles(a, "held", s->held, value_count(s->model));
    slip_archive_close(a);
}

// ------------------------------------------------------------------------------------------------ acting

double slip_sampled_controllers_limit(const slip_sampled_controllers *s, double reach, double step)
{
    double end = reach;
    for (int k = 0; k < s->model->controller_count; k++)
        end = fmin(end, fmin(s->controller_states[k].next, s->controller_states[k].due));
    return !isnan(step) && reach - end <= SAME_TIME * step ? reach : end; // no remainder of a step
}

static void assign_outputs(slip_sampled_controllers *s, slip_method *m, int k, int from, int to)
{
    const slip_controller *c = &s->model->controllers[k];
    int n = s->model->coordinate_count;
    for (int i = from; i < to; i++) {
        int at = c->assignments[i].coordinate;
        slip_derivative_columns_assign(s->derivatives, s->first[k] + i, at);
        m->state[at] = s->held[s->first[k] + i];
        m->state[n + at] = m->t;
    }
}

static bool put_out(slip_sampled_controllers *s, slip_method *m)
{
    bool any = false;
    for (int k = 0; k < s->model->controller_count; k++) {
        const slip_controller *c = &s->model->controllers[k];
        if (!(s->controller_states[k].due <= m->t + SAME_TIME * c->period)) continue;
        assign_outputs(s, m, k, c->memory_count, c->memory_count + c->output_count);
        s->controller_states[k].due = INFINITY;
        any = true;
    }
    return any;
}

// All controllers that are due sample the same state.
static bool is_time(const slip_sampled_controllers *s, const slip_method *m, int k)
{
    return s->controller_states[k].next <= m->t + SAME_TIME * s->model->controllers[k].period;
}

static slip_run_outcome take_sample(slip_sampled_controllers *s, slip_method *m, int k)
{
    const slip_controller *c = &s->model->controllers[k];
    for (int i = 0; i < c->memory_count + c->output_count; i++) {
        double value = s->reg[slip_tape_result(s->tape, s->first[k] + i)];
        s->held[s->first[k] + i] = value;
        if (isfinite(value)) continue;
        return slip_method_fail(m, "at t = %.9g s '%s' of controller '%s' becomes %s", m->t,
                                c->assignments[i].name, c->name,
                                isnan(value) ? "what is not a number" : "infinite");
    }
    return SLIP_RUNNING;
}

static void take_slopes(slip_sampled_controllers *s, int k)
{
    const slip_controller *c = &s->model->controllers[k];
    slip_derivative_columns_sample(s->derivatives, s->first[k], c->memory_count + c->output_count);
}

static void schedule_next(slip_sampled_controllers *s, slip_method *m, int k)
{
    const slip_controller *c = &s->model->controllers[k];
    controller_state *now = &s->controller_states[k];
    assign_outputs(s, m, k, 0, c->memory_count);
    now->due = now->next + c->delay;
    now->next = sample_time(c, ++now->count);
}

slip_run_outcome slip_sampled_controllers_update(slip_sampled_controllers *s, slip_method *m, bool *changed)
{
    bool any = false;
    *changed = put_out(s, m);
    for (int k = 0; k < s->model->controller_count; k++) any = any || is_time(s, m, k);
    if (any) {
        s->reg[0] = m->t;
        memcpy(s->reg + 1, m->state, 2 * (size_t)s->model->coordinate_count * sizeof *s->reg);
        slip_tape_run(s->tape, s->reg);
    }
    for (int k = 0; k < s->model->controller_count && any; k++) {
        if (!is_time(s, m, k)) continue;
        slip_run_outcome outcome = take_sample(s, m, k);
        if (outcome != SLIP_RUNNING) return outcome;
        take_slopes(s, k);
    }
    for (int k = 0; k < s->model->controller_count && any; k++) {
        if (!is_time(s, m, k)) continue;
        schedule_next(s, m, k);
        *changed = true;
    }
    if (any) put_out(s, m); // outputs without a delay are applied at once
    if (*changed) m->ops->touched(m);
    return SLIP_RUNNING;
}
