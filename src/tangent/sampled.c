/// tangent/sampled.c: controllers, which act at times that no parameter moves.
///
/// What a controller takes from the state changes as the state does, and stays until its next sample: columns
/// of its memory and of its outputs are set where those are.
#include <string.h>

#include "tangent/flow.h"
#include "tangent/steps.h"

// --------------------------------------------------------------------------------------- event-driven, steps

void slip_tangent_sample(slip_tangent *t, int first, int count)
{
    if (t->steps && !t->reset) slip_steps_stand(t);
    if (t->lost) return;
    if (t->pending || t->hits) {
        slip_tangent_lose(t, "a controller acts at the time of an event, and which comes first is open");
        return;
    }
    t->input[0] = t->base->t;
    memcpy(t->input + 1, t->base->state, 2 * (size_t)t->n * sizeof *t->input);
    for (int c = 0; c < t->column_count; c++) {
        slip_tangent_along(t, SLIP_TANGENT_SAMPLE, c, 0.0, t->x + (size_t)c * 2 * (size_t)t->n);
        for (int i = first; i < first + count; i++)
            t->sampled[i * t->column_count + c] = slip_tangent_result(t, SLIP_TANGENT_SAMPLE, i);
    }
}

// an event of the model at the same time moves, and the sample does not
static bool is_alone(const slip_tangent *t)
{
    for (int c = 0; c < t->column_count && t->reset; c++)
        if (t->dtau[c] != 0.0) return false;
    return true;
}

void slip_tangent_put(slip_tangent *t, int value, int coordinate)
{
    if (t->steps && !t->reset) slip_steps_stand(t);
    if (t->lost) return;
    if (!is_alone(t)) {
        slip_tangent_lose(t, "a controller acts at the time of an event, and which comes first is open");
        return;
    }
    if (!t->reset) {
        t->first = &t->start_slot;
        memcpy(t->state_before, t->base->state, 2 * (size_t)t->n * sizeof *t->state_before);
        memcpy(t->at, t->x, (size_t)t->problem.count * sizeof *t->at);
    }
    for (int c = 0; c < t->column_count; c++) {
        double *x = t->x + (size_t)c * 2 * (size_t)t->n;
        x[coordinate] = t->sampled[value * t->column_count + c];
        x[t->n + coordinate] = 0.0; // since when
        t->dtau[c] = 0.0;
    }
    if (t->steps) {
        slip_steps_changed(t);
        return;
    }
    t->reset = true;
    t->settled = false;
}

// ----------------------------------------------------------------------------------------------------- ODEs

void slip_flow_sample(slip_flow *f, int first, int count)
{
    if (f->lost) return;
    f->line = &f->run;
    slip_flow_unshift(f);
    slip_flow_load(f, SLIP_FLOW_SAMPLE, 0.0, f->m->base.t, f->m->x, f->run.x);
    slip_flow_run(f, SLIP_FLOW_SAMPLE);
    for (int c = 0; c < f->column_count; c++)
        for (int i = first; i < first + count; i++)
            f->sampled[i * f->column_count + c] =
                slip_flow_result(f, SLIP_FLOW_SAMPLE, c * f->value_count + i);
}

void slip_flow_put(slip_flow *f, int value, int coordinate)
{
    if (f->lost) return;
    f->line = &f->run;
    slip_flow_unshift(f);
    if (!f->pending) { // an event at the same time would be one by chance
        slip_flow_rate(f, f->m->base.t, f->m->x, f->rate_before);
        memcpy(f->state_before, f->m->x, (size_t)f->states * sizeof *f->m->x);
        memcpy(f->before, f->run.x, (size_t)f->column_count * (size_t)f->states * sizeof *f->before);
    }
    for (int c = 0; c < f->column_count; c++) {
        if (f->pending && f->dtau[c] != 0.0) {
            slip_flow_lose(f, "a controller acts at the time of an event, and which comes first is open");
            return;
        }
        double *x = f->run.x + (size_t)c * (size_t)f->states;
        x[coordinate] = f->sampled[value * f->column_count + c];
        x[f->ode->n + coordinate] = 0.0; // since when
        f->dtau[c] = 0.0;
    }
    f->pending = true;
}
