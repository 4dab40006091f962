/// mpi.h: the processes of an MPI job that share one sweep.
#ifndef SLIPSTICK_CLI_CREW_H
#define SLIPSTICK_CLI_CREW_H

#include "slipstick/sweep.h"

/// At the start of the process, for commands that share their work. A program without MPI that was started as
/// one of several becomes the one with it, slipstick-mpi beside it. False when there is none.
bool cli_mpi_begin(int argc, char **argv);

/// The mpi of this process; NULL when it works alone.
const slip_sweep_mpi *cli_mpi(void);

/// So many ranks did not answer: they are not waited for.
void cli_mpi_lose(int ranks);

/// Before the process ends.
void cli_mpi_leave(int code);

#endif
