/// symbolic/source/embedded_sources.c: source files of the library as bytes of it.
#include "symbolic/source/embedded_sources.h"

#include "base/embed.h"

SLIP_EMBED(slip_source_header, SLIP_SOURCES "/base/elementary.h");
SLIP_EMBED(slip_source_elementary, SLIP_SOURCES "/base/elementary.c");
SLIP_EMBED(slip_source_kernel, SLIP_SOURCES "/base/elementary_kernel.h");
SLIP_EMBED(slip_source_operations, SLIP_SOURCES "/symbolic/graph/operations.h");
SLIP_EMBED(slip_source_tolerances, SLIP_SOURCES "/symbolic/graph/functions/function_tolerances.h");
SLIP_EMBED(slip_source_patch, SLIP_SOURCES "/symbolic/graph/functions/patch.c");

#define FILE_OF(name)                                                                                        \
    (slip_source_file)                                                                                       \
    {                                                                                                        \
        name, (size_t)(name##_end - name)                                                                    \
    }

enum { FILES = 5 };

int slip_source_file_count(void)
{
    return FILES;
}

slip_source_file slip_source_file_at(int k)
{
    switch (k) {
    case 0:
        return FILE_OF(slip_source_header);
    case 1:
        return FILE_OF(slip_source_elementary);
    case 2:
        return FILE_OF(slip_source_operations);
    case 3:
        return FILE_OF(slip_source_tolerances);
    default:
        return FILE_OF(slip_source_patch);
    }
}

slip_source_file slip_source_kernels(void)
{
    return FILE_OF(slip_source_kernel);
}
