/// simulation/run/recorder_rows.c: which rows of a run are recorded, and when.
#include <errno.h>
#include <math.h>

#include "simulation/run/recorder.h"
#include "simulation/sim/sim.h"

// Warns of the first column that is not a number.
static void check_row(slip_recorder *r, const double *row)
{
    int plain = r->sim->column_count - slip_derivative_columns_width(r->sim->derivatives);
    for (int k = 1; k < plain && !r->not_a_number; k++) {
        if (!isnan(row[k])) continue;
        r->not_a_number = true;
        slip_method_warn(r->sim->method, SLIP_WARNING_NOT_A_NUMBER, "",
                         "column '%s' is not a number from t = %.6g s on", slip_sim_column_name(r->sim, k),
                         row[0]);
    }
}

static void put_row(slip_recorder *r, const double *row)
{
    check_row(r, row);
    r->info->rows++;
    r->last_row = row[0];
    if (r->def->row && !r->row_failed && !r->def->row(r->def->context, r->sim, row))
        r->row_failed = errno ? errno : EIO;
    if (!r->def->directory) return;
    slip_line_file_numbers(&r->trajectory, row, r->sim->column_count);
    slip_trajectory_hdf5_row(r->hdf5, row);
}

// The next time to record; infinite when there is none left.
static double next_time(const slip_recorder *r)
{
    if (r->def->at) return r->next < r->def->at_count ? r->def->at[r->next] : INFINITY;
    return (double)r->next * r->every;
}

bool slip_recorder_every_step(const slip_recorder *r)
{
    return !r->def->at && isnan(r->every);
}

bool slip_recorder_is_stopped(const slip_recorder *r)
{
    return r->def->stop && *r->def->stop;
}

// Records the row of the present state, and those of the step ahead at which a column turns.
static slip_run_outcome record_step(slip_recorder *r)
{
    slip_sim *sim = r->sim;
    if (sim->method->t <= r->last_row)
        return SLIP_RUNNING; // this row was recorded before the run was interrupted
    slip_sim_columns(sim, r->row);
    put_row(r, r->row);
    if (!r->turns.t) return SLIP_RUNNING;
    const int count = slip_turning_points_find(&r->turns, sim, r->row);
    for (int k = 0; k < count; k++) {
        slip_run_outcome outcome = slip_sim_peek(sim, r->turns.t[k], r->row);
        if (outcome != SLIP_RUNNING) return outcome;
        put_row(r, r->row);
    }
    return SLIP_RUNNING;
}

void slip_recorder_record_jump(slip_recorder *r)
{
    const double *row = r->turns.t ? slip_turning_points_before_jump(&r->turns, r->sim) : NULL;
    if (row && row[0] > r->last_row) put_row(r, row);
}

slip_run_outcome slip_recorder_record_due(slip_recorder *r)
{
    slip_sim *sim = r->sim;
    double t = sim->method->t;
    if (slip_recorder_every_step(r)) return record_step(r);
    for (; next_time(r) <= t + r->tolerance; r->next++) {
        // recorded by a peek before an adaptive step passed it, or before the run was interrupted
        if (next_time(r) < t - r->tolerance || next_time(r) <= r->last_row + r->tolerance) continue;
        slip_sim_columns(sim, r->row);
        put_row(r, r->row);
    }
    if (sim->outcome != SLIP_RUNNING) return SLIP_RUNNING;
    for (double reach = slip_sim_next_step_end(sim); next_time(r) < reach - r->tolerance; r->next++) {
        if (slip_recorder_is_stopped(r)) return SLIP_STOPPED;
        slip_run_outcome outcome = slip_sim_peek(sim, next_time(r), r->row);
        if (outcome != SLIP_RUNNING) return outcome;
        put_row(r, r->row);
    }
    return SLIP_RUNNING;
}

void slip_recorder_record_end(slip_recorder *r)
{
    slip_sim *sim = r->sim;
    const double same = slip_recorder_every_step(r) ? 0.0 : r->tolerance;
    if (r->def->at || sim->method->t <= r->last_row + same) return;
    slip_sim_columns(sim, r->row);
    put_row(r, r->row);
}
