/// study/sweep/sweep_scheduler.h: the threads that share the work of a sweep in one process, and the mpi of processes that
/// share it over messages.
#ifndef SLIP_STUDY_SWEEP_SWEEP_SCHEDULER_H
#define SLIP_STUDY_SWEEP_SWEEP_SCHEDULER_H

#include <pthread.h>

#include "study/sweep/sweep.h"

/// What the threads share; all but `sweep->def` and `sweep->plan` is guarded by the lock.
typedef struct slip_sweep_scheduler {
    slip_sweep *sweep;
    pthread_mutex_t lock;
    long next_line, line_count;
    const long *lines; ///< those to do, of a rank that works for another one; NULL: all
    double told;       ///< when progress was told last
    slip_text framed;
    slip_status status;
    slip_error error;
    struct slip_mpi_scheduler *mpi; ///< NULL: none
} slip_sweep_scheduler;

bool slip_sweep_scheduler_is_stopped(const slip_sweep_scheduler *team);
bool slip_sweep_scheduler_is_line_done(const slip_sweep_scheduler *team, long line);
long slip_sweep_scheduler_next_line(slip_sweep_scheduler *team); ///< -1: none is left

/// A record that the sweep has taken, into its store.
void slip_sweep_scheduler_store(slip_sweep_scheduler *team, const char *bytes, size_t count);

// ------------------------------------------------------------------------------------------------- mpi
// Without one they do nothing.

slip_status slip_mpi_scheduler_begin(slip_sweep_scheduler *team, slip_error *error);
void slip_mpi_scheduler_end(slip_sweep_scheduler *team);

/// Rank 0, while its threads work: hands out lines and takes records until all is done.
void slip_mpi_scheduler_lead(slip_sweep_scheduler *team);

/// The others: sends what was gathered and waits for the next lines. False: there are none.
bool slip_mpi_scheduler_request(slip_sweep_scheduler *team);
void slip_mpi_scheduler_gather(slip_sweep_scheduler *team, const char *bytes,
                               size_t count); ///< a record for rank 0

/// Rank 0: a line of a rank that does not answer, to be done again; -1: none. And whether there may be one
/// later.
long slip_mpi_scheduler_overdue_line(slip_sweep_scheduler *team);
bool slip_mpi_scheduler_waits(const slip_sweep_scheduler *team);
void slip_mpi_scheduler_pause(void); ///< a moment

#endif
