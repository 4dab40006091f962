/// symbolic/source/embedded_sources.h: source files of the library as bytes of it.
#ifndef SLIP_SYMBOLIC_SOURCE_EMBEDDED_SOURCES_H
#define SLIP_SYMBOLIC_SOURCE_EMBEDDED_SOURCES_H

#include <stddef.h>

typedef struct slip_source_file {
    const char *text; ///< not NUL-terminated
    size_t length;
} slip_source_file;

/// Those that hold values of functions, in an order in which later ones may use earlier ones.
int slip_source_file_count(void);
slip_source_file slip_source_file_at(int k);

/// The kernels of elementary functions, which the first of these files includes.
slip_source_file slip_source_kernels(void);

#endif
