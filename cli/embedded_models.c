/// embedded_models.c: the shipped models as bytes of the program. CMake writes them.
#include "embedded_models.h"

#include <string.h>

#if SLIP_ONE_FILE

#include "embedded/shipped_models.inc"

const slip_memory_file *cli_embedded_models(int *count)
{
    *count = (int)(sizeof shipped / sizeof *shipped);
    return shipped;
}

#else

const slip_memory_file *cli_embedded_models(int *count)
{
    *count = 0;
    return NULL;
}

#endif

const slip_memory_file *cli_embedded_find(const char *path)
{
    int count;
    const slip_memory_file *files = cli_embedded_models(&count);
    for (int k = 0; k < count; k++)
        if (strcmp(files[k].path, path) == 0) return &files[k];
    return NULL;
}
