/// study/sweep/sweep_scheduler.h: the scheduler of a sweep: threads that share the work in one process, and
/// MPI ranks that share it over messages.
#ifndef SLIP_STUDY_SWEEP_SWEEP_SCHEDULER_H
#define SLIP_STUDY_SWEEP_SWEEP_SCHEDULER_H

#include "platform/threads.h"
#include "study/sweep/sweep.h"

/// Data shared by the threads; everything except `sweep->def` and `sweep->plan` is guarded by the lock.
typedef struct slip_sweep_scheduler {
    slip_sweep *sweep;
    slip_mutex lock;
    long next_line, line_count;
    const long *lines; ///< on ranks other than 0: the lines to do; NULL: all
    double told;       ///< s, time of the last report of progress
    slip_text framed;
    slip_status status;
    slip_error error;
    struct slip_mpi_scheduler *mpi; ///< NULL: none
} slip_sweep_scheduler;

bool slip_sweep_scheduler_is_stopped(const slip_sweep_scheduler *team);
bool slip_sweep_scheduler_is_line_done(const slip_sweep_scheduler *team, long line);
long slip_sweep_scheduler_next_line(slip_sweep_scheduler *team); ///< -1: none is left

/// Adds a record that the sweep has accepted to its store.
void slip_sweep_scheduler_store(slip_sweep_scheduler *team, const char *bytes, size_t count);

// ------------------------------------------------------------------------------------------------- MPI
// These functions do nothing in a single process.

slip_status slip_mpi_scheduler_begin(slip_sweep_scheduler *team, slip_error *error);
void slip_mpi_scheduler_end(slip_sweep_scheduler *team);

/// Rank 0, while its threads work: hands out lines and receives records until all is done.
void slip_mpi_scheduler_lead(slip_sweep_scheduler *team);

/// Other ranks: sends the records so far and waits for the next lines. False: there are none.
bool slip_mpi_scheduler_request(slip_sweep_scheduler *team);
void slip_mpi_scheduler_gather(slip_sweep_scheduler *team, const char *bytes,
                               size_t count); ///< a record for rank 0

/// Rank 0: a line of a rank that does not answer, which is to be done again; -1: none. The second function
/// tells whether there may be one later.
long slip_mpi_scheduler_overdue_line(slip_sweep_scheduler *team);
bool slip_mpi_scheduler_waits(const slip_sweep_scheduler *team);
void slip_mpi_scheduler_pause(void); ///< a moment

#endif
