/// mpi_launch.c: a program without MPI, which knows where the one with it is.
#include "mpi_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/cli_platform.h"
#include "terminal.h"

// what mpirun of Open MPI, mpiexec of MPICH and srun tell the processes that they start
static bool is_one_of_several(void)
{
    static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PALS_SIZE" };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (getenv(sizes[k]) && atoi(getenv(sizes[k])) > 1) return true;
    return getenv("PMIX_RANK") && getenv("SLURM_STEP_NUM_TASKS") && atoi(getenv("SLURM_STEP_NUM_TASKS")) > 1;
}

bool cli_mpi_begin(int argc, char **argv)
{
    char path[4096];
    if (argc < 2 || strcmp(argv[1], "sweep") != 0 || !is_one_of_several()) return true;
    if (cli_program_path(path, sizeof path - sizeof "-mpi")) {
        memcpy(path + strlen(path), "-mpi", sizeof "-mpi");
        cli_become(path, argv);
    }
    cli_complain(
        "several processes were started, but there is no slipstick-mpi: each would do all runs. Build "
        "with MPI (SLIPSTICK_MPI), or start one process");
    return false;
}

const slip_sweep_mpi *cli_mpi(void)
{
    return NULL;
}

void cli_mpi_lose(int ranks)
{
    (void)ranks;
}

void cli_mpi_leave(int code)
{
    (void)code;
}
