/// mpi_launch.h: the processes of an MPI job that share one sweep.
#ifndef SLIPSTICK_CLI_CREW_H
#define SLIPSTICK_CLI_CREW_H

#include "slipstick/sweep.h"

/// Called at the start of commands that share their work. A program without MPI that was started as one of
/// several ranks is replaced by slipstick-mpi in the same folder. False when there is none.
bool cli_mpi_begin(int argc, char **argv);

/// The MPI transport of this process; NULL when it works alone.
const slip_sweep_mpi *cli_mpi(void);

/// Reports the number of ranks that stopped answering, so that the end of the job does not wait for them.
void cli_mpi_lose(int ranks);

/// Called before the process ends.
void cli_mpi_leave(int code);

#endif
