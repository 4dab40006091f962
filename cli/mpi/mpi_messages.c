/// mpi/mpi_messages.c: messages of a sweep by MPI. All of MPI that slipstick uses.
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_launch.h"

enum { TAG = 1 };

static struct {
    slip_sweep_mpi mpi;
    char *bytes; // of the last message
    int room, lost;
} mine;

static bool send_bytes(void *context, int to, const void *bytes, size_t count)
{
    (void)context;
    return count <= INT_MAX && MPI_Send(bytes, (int)count, MPI_BYTE, to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

// MPI waits at full speed, so it is only asked whether there is something
static bool receive_bytes(void *context, int *from, const void **bytes, size_t *count)
{
    (void)context;
    int there = 0, length = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &length);
    if (length > mine.room) {
        char *grown = realloc(mine.bytes, (size_t)length);
        if (!grown) MPI_Abort(MPI_COMM_WORLD, 1); // out of memory: nothing can be answered any more
        mine.bytes = grown, mine.room = length;
    }
    MPI_Recv(mine.bytes, length, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *from = status.MPI_SOURCE, *bytes = mine.bytes, *count = (size_t)length;
    return true;
}

bool cli_mpi_begin(int argc, char **argv)
{
    int given, is_sweep = argc > 1 && strcmp(argv[1], "sweep") == 0;
    if (!is_sweep) return true;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &mine.mpi.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &mine.mpi.size);
    mine.mpi.send = send_bytes;
    mine.mpi.receive = receive_bytes;
    return true;
}

const slip_sweep_mpi *cli_mpi(void)
{
    return mine.mpi.size > 1 ? &mine.mpi : NULL;
}

void cli_mpi_lose(int ranks)
{
    mine.lost = ranks;
}

void cli_mpi_leave(int code)
{
    if (mine.mpi.size == 0) return;
    free(mine.bytes);
    if (mine.lost) MPI_Abort(MPI_COMM_WORLD, code);
    MPI_Finalize();
}
