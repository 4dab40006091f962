/// sensitivity/controller_sensitivity.c: controllers, which act at times that no parameter moves.
///
/// A sampled value changes with the state at the time of the sample, and is kept until the next sample: the
/// columns of a controller's memory and outputs are set when these are.
#include <string.h>

#include "sensitivity/sens_ode.h"
#include "sensitivity/sens_moreau.h"

// --------------------------------------------------------------------------------------- event-driven, steps

void slip_sensitivity_controller_sample(slip_sensitivity *t, int first, int count)
{
    if (t->steps && !t->event.reset) slip_sens_moreau_load_present(t);
    if (t->lost) return;
    if (t->event.pending || t->event.hits) {
        slip_sensitivity_end(t, "a controller acts at the time of an event, and which comes first is open");
        return;
    }
    t->input[0] = t->base->t;
    memcpy(t->input + 1, t->base->state, 2 * (size_t)t->n * sizeof *t->input);
    for (int c = 0; c < t->column_count; c++) {
        slip_sensitivity_run_tape(t, SLIP_SENS_SAMPLE, c, 0.0, t->x + (size_t)c * 2 * (size_t)t->n);
        for (int i = first; i < first + count; i++)
            t->sampled[i * t->column_count + c] = slip_sensitivity_result(t, SLIP_SENS_SAMPLE, i);
    }
}

// an event of the model at the same time moves, and the sample does not
static bool no_simultaneous_event(const slip_sensitivity *t)
{
    for (int c = 0; c < t->column_count && t->event.reset; c++)
        if (t->event.dtau[c] != 0.0) return false;
    return true;
}

void slip_sensitivity_controller_output(slip_sensitivity *t, int value, int coordinate)
{
    if (t->steps && !t->event.reset) slip_sens_moreau_load_present(t);
    if (t->lost) return;
    if (!no_simultaneous_event(t)) {
        slip_sensitivity_end(t, "a controller acts at the time of an event, and which comes first is open");
        return;
    }
    if (!t->event.reset) {
        t->event.before = &t->start_slot;
        memcpy(t->event.state_before, t->base->state, 2 * (size_t)t->n * sizeof *t->event.state_before);
        memcpy(t->event.at, t->x, (size_t)t->problem.count * sizeof *t->event.at);
    }
    for (int c = 0; c < t->column_count; c++) {
        double *x = t->x + (size_t)c * 2 * (size_t)t->n;
        x[coordinate] = t->sampled[value * t->column_count + c];
        x[t->n + coordinate] = 0.0; // since when
        t->event.dtau[c] = 0.0;
    }
    if (t->steps) {
        slip_sens_moreau_columns_changed(t);
        return;
    }
    t->event.reset = true;
    t->settled = false;
}

// ----------------------------------------------------------------------------------------------------- ODEs

void slip_sens_ode_controller_sample(slip_sens_ode *f, int first, int count)
{
    if (f->lost) return;
    f->line = &f->run;
    slip_sens_ode_unshift(f);
    slip_sens_ode_load(f, SLIP_SENS_ODE_SAMPLE, 0.0, f->m->base.t, f->m->x, f->run.x);
    slip_sens_ode_run_tape(f, SLIP_SENS_ODE_SAMPLE);
    for (int c = 0; c < f->column_count; c++)
        for (int i = first; i < first + count; i++)
            f->sampled[i * f->column_count + c] =
                slip_sens_ode_result(f, SLIP_SENS_ODE_SAMPLE, c * f->value_count + i);
}

void slip_sens_ode_controller_output(slip_sens_ode *f, int value, int coordinate)
{
    if (f->lost) return;
    f->line = &f->run;
    slip_sens_ode_unshift(f);
    if (!f->pending) { // an event at the same time would be one by chance
        slip_sens_ode_rate(f, f->m->base.t, f->m->x, f->rate_before);
        memcpy(f->state_before, f->m->x, (size_t)f->states * sizeof *f->m->x);
        memcpy(f->before, f->run.x, (size_t)f->column_count * (size_t)f->states * sizeof *f->before);
    }
    for (int c = 0; c < f->column_count; c++) {
        if (f->pending && f->dtau[c] != 0.0) {
            slip_sens_ode_end(f, "a controller acts at the time of an event, and which comes first is open");
            return;
        }
        double *x = f->run.x + (size_t)c * (size_t)f->states;
        x[coordinate] = f->sampled[value * f->column_count + c];
        x[f->ode->n + coordinate] = 0.0; // since when
        f->dtau[c] = 0.0;
    }
    f->pending = true;
}
