/// simulation/run/recorder.h: the recorder of a run: its files, its rows and its progress.
#ifndef SLIP_SIMULATION_RUN_RECORDER_H
#define SLIP_SIMULATION_RUN_RECORDER_H

#include "simulation/run/run_phases.h"
#include "simulation/sim/turning_points.h"
#include "simulation/run/line_files.h"
#include "simulation/run/trajectory_hdf5.h"

typedef struct slip_recorder {
    slip_sim *sim;
    slip_run_def given;
    const slip_run_def *def; ///< points to `given`
    slip_run_info *info;
    double every, tolerance; ///< s, interval between rows; difference below which two times are the same
    long next;               ///< index of the next time to record
    double last_row;         ///< time of the last recorded row
    slip_line_file trajectory, events;
    slip_event_sink *also; ///< the caller's own sink, which still receives all events
    void *also_context;
    slip_trajectory_hdf5 *hdf5;
    bool hdf5_failed; ///< set when the file is closed
    char *memory;     ///< buffers of both files
    double *row;
    slip_turning_points turns; ///< where rows at every step get one in between
    double clock_start, clock_shown, clock_asked;
    long pace;                ///< steps between two readings of the clock
    bool not_a_number;        ///< a column was not a number
    int row_failed;           ///< errno of the caller's row function when it failed
    slip_run_progress *begun; ///< samples for the companion, and the creep monitor
    slip_status status;       ///< of writing the state file
} slip_recorder;

// ---- recorder_rows.c

bool slip_recorder_every_step(const slip_recorder *recorder); ///< rows are at steps, not at given times
bool slip_recorder_is_stopped(const slip_recorder *recorder);

/// Records the rows that are due at the present state and, by peeking, before the end of the next step.
slip_run_outcome slip_recorder_record_due(slip_recorder *recorder);

/// Records the row before a jump at the end of the last step, so that it is there when the run is interrupted.
void slip_recorder_record_jump(slip_recorder *recorder);

/// Records the last state, unless it has a row.
void slip_recorder_record_end(slip_recorder *recorder);

// ---- recorder_files.c

slip_status slip_recorder_open(slip_recorder *recorder, slip_error *error);
void slip_recorder_close(slip_recorder *recorder);
slip_status slip_recorder_write_summary(slip_recorder *recorder, slip_error *error);

/// The slip_event_sink that writes events.csv.
void slip_recorder_on_event(void *recorder, const slip_event *event);

/// The file that could not be written, with its errno (0: not known); NULL: none.
const char *slip_recorder_failed_file(const slip_recorder *recorder, int *code);
slip_status slip_recorder_io_error(slip_error *error, const char *path, int code);

#endif
