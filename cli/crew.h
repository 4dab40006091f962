/// crew.h: the processes of an MPI job that share one sweep.
#ifndef SLIPSTICK_CLI_CREW_H
#define SLIPSTICK_CLI_CREW_H

#include "slipstick/sweep.h"

/// At the start of the process, for commands that share their work. A program without MPI that was started as
/// one of several becomes the one with it, slipstick-mpi beside it. False when there is none.
bool cli_crew_begin(int argc, char **argv);

/// The crew of this process; NULL when it works alone.
const slip_sweep_crew *cli_crew(void);

/// So many ranks did not answer: they are not waited for.
void cli_crew_lose(int ranks);

/// Before the process ends.
void cli_crew_leave(int code);

#endif
