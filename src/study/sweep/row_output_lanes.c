/// study/sweep/row_output_lanes.c: rows of runs in lanes, the same as those that a single run records
/// (simulation/run/run.c).
#include "study/sweep/row_output_lanes.h"

#include <math.h>

#include "simulation/sim/sim.h"
#include "study/sweep/sweep_tolerances.h"

enum { L = SLIP_LANES };

void slip_row_output_lanes_begin(slip_row_output_lanes *s)
{
    *s = (slip_row_output_lanes){ 0 };
    for (int j = 0; j < L; j++) s->due[j] = INFINITY;
}

static bool is_at_step(double t, double step)
{
    return fabs(t - nearbyint(t / step) * step) <= ROW_AT_STEP * step;
}

bool slip_row_output_lanes_possible(const slip_run_statistics *k, const slip_sim *sim)
{
    const double step = sim->def.step, every = sim->model->run.every;
    if (!(k->def->strobe > 0.0)) {
        if (isnan(every)) return true; // each step
        const double rows = floor(sim->def.until / every);
        return every > 0.5 * step && is_at_step(every, step) && is_at_step(rows * every, step);
    }
    for (long n = 0; n < k->strobe_count; n++)
        if (k->strobes[n] < sim->def.until && !is_at_step(k->strobes[n], step)) return false;
    return true;
}

static double step_of_row(const slip_row_output_lanes *s, int lane, long row)
{
    const slip_run_statistics *k = s->keeper[lane];
    if (!isnan(s->every[lane])) return (double)row * s->every[lane];
    return row < k->strobe_count ? nearbyint(k->strobes[row] / s->step[lane]) : INFINITY;
}

// Schedules the first row after `step`.
static void schedule_next_row(slip_row_output_lanes *s, int lane, double step)
{
    while (step_of_row(s, lane, s->next[lane]) < step) s->next[lane]++;
    s->due[lane] = step_of_row(s, lane, s->next[lane]);
}

void slip_row_output_lanes_enter(slip_row_output_lanes *s, int lane, slip_run_statistics *k, slip_sim *sim)
{
    const double step = sim->def.step, every = sim->model->run.every;
    if (s->keeper[lane] != k || s->step[lane] != step) s->next[lane] = 0;
    s->keeper[lane] = k;
    s->step[lane] = step;
    s->every[lane] = k->def->strobe > 0.0 ? NAN : isnan(every) ? 1.0 : nearbyint(every / step);
    schedule_next_row(s, lane, (double)sim->steps);
    if (s->due[lane] != (double)sim->steps) return;
    slip_sim_columns(sim, k->ahead);
    slip_run_statistics_add_row(k, k->ahead);
    schedule_next_row(s, lane, (double)sim->steps + 1.0);
}

void slip_row_output_lanes_update(slip_row_output_lanes *s, uint32_t in, const slip_ode_lanes *states,
                                  const slip_record_lanes *records, const double *steps)
{
    for (int j = 0; j < L; j++) {
        if (!(in >> j & 1) || !(steps[j] >= s->due[j])) continue;
        slip_run_statistics *k = s->keeper[j];
        const int state_count = k->state_count;
        k->ahead[0] = slip_ode_lanes_time(states)[j];
        for (int c = 1; c < k->columns; c++)
            k->ahead[c] = (c <= state_count ? slip_ode_lanes_state(states, c - 1)
                                            : slip_record_lanes_row(records, c - 1 - state_count))[j];
        slip_run_statistics_add_row(k, k->ahead);
        schedule_next_row(s, j, steps[j] + 1.0);
    }
}
