/// simulation/run/recorder.h: who writes down a run, from inside.
#ifndef SLIP_SIMULATION_RUN_RECORDER_H
#define SLIP_SIMULATION_RUN_RECORDER_H

#include "simulation/run/run_phases.h"
#include "simulation/sim/turning_points.h"
#include "simulation/run/line_files.h"
#include "simulation/run/trajectory_hdf5.h"

typedef struct slip_recorder {
    slip_sim *sim;
    slip_run_def given;
    const slip_run_def *def; ///< that
    slip_run_info *info;
    double every, tolerance; ///< s; two times nearer than tolerance are the same
    long next;               ///< number of the next recorded time
    double last_row;         ///< time of the last recorded row
    slip_line_file trajectory, events;
    slip_event_sink *also; ///< the caller's own sink goes on hearing of events
    void *also_context;
    slip_trajectory_hdf5 *hdf5;
    bool hdf5_failed; ///< known once it is closed
    char *memory;     ///< buffers of the two files
    double *row;
    slip_turning_points turns; ///< where rows at every step get one in between
    double clock_start, clock_shown, clock_asked;
    long pace;                ///< steps between two looks at the clock
    bool not_a_number;        ///< a column was
    int row_failed;           ///< errno of who is given the rows and could not take one
    slip_run_progress *begun; ///< with a companion: what it is compared with, and who looks for creep
    slip_status status;       ///< of the files so far
} slip_recorder;

// ---- recorder_files.c

slip_status slip_recorder_open(slip_recorder *recorder, slip_error *error);
void slip_recorder_close(slip_recorder *recorder);
slip_status slip_recorder_write_summary(slip_recorder *recorder, slip_error *error);

/// A slip_event_sink.
void slip_recorder_on_event(void *recorder, const slip_event *event);

/// The file that could not be written, with its errno (0: not known); NULL: none.
const char *slip_recorder_failed_file(const slip_recorder *recorder, int *code);
slip_status slip_recorder_io_error(slip_error *error, const char *path, int code);

#endif
