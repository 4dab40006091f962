/// sweep/team.h: the threads that share the work of a sweep in one process, and the crew of processes that
/// share it over messages.
#ifndef SLIP_SWEEP_TEAM_H
#define SLIP_SWEEP_TEAM_H

#include <pthread.h>

#include "sweep/sweep.h"

/// What the threads share; all but `sweep->def` and `sweep->plan` is guarded by the lock.
typedef struct slip_team {
    slip_sweep *sweep;
    pthread_mutex_t lock;
    long next_line, line_count;
    const long *lines; ///< those to do, of a rank that works for another one; NULL: all
    double told;       ///< when progress was told last
    slip_text framed;
    slip_status status;
    slip_error error;
    struct slip_crew *crew; ///< NULL: none
} slip_team;

bool slip_team_is_stopped(const slip_team *team);
bool slip_team_is_line_done(const slip_team *team, long line);
long slip_team_next_line(slip_team *team); ///< -1: none is left

/// A record that the sweep has taken, into its store.
void slip_team_store(slip_team *team, const char *bytes, size_t count);

// ------------------------------------------------------------------------------------------------- crew
// Without one they do nothing.

slip_status slip_crew_begin(slip_team *team, slip_error *error);
void slip_crew_end(slip_team *team);

/// Rank 0, while its threads work: hands out lines and takes records until all is done.
void slip_crew_lead(slip_team *team);

/// The others: sends what was gathered and waits for the next lines. False: there are none.
bool slip_crew_ask(slip_team *team);
void slip_crew_gather(slip_team *team, const char *bytes, size_t count); ///< a record for rank 0

/// Rank 0: a line of a rank that does not answer, to be done again; -1: none. And whether there may be one
/// later.
long slip_crew_overdue_line(slip_team *team);
bool slip_crew_waits(const slip_team *team);
void slip_crew_pause(void); ///< a moment

#endif
