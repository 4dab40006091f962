/// symbolic/source/embedded_sources.c: source files of the library as bytes of it.
#include "symbolic/source/embedded_sources.h"

static const unsigned char header[] = {
#include "embedded/elementary.h.inc"
};
static const unsigned char elementary[] = {
#include "embedded/elementary.c.inc"
};
static const unsigned char kernels[] = {
#include "embedded/elementary_kernel.h.inc"
};
static const unsigned char operations[] = {
#include "embedded/operations.h.inc"
};
static const unsigned char tolerances[] = {
#include "embedded/function_tolerances.h.inc"
};
static const unsigned char patch[] = {
#include "embedded/patch.c.inc"
};

// a 0 stands behind the text
static slip_source_file file_of(const unsigned char *text, size_t size)
{
    return (slip_source_file){ (const char *)text, size - 1 };
}

int slip_source_file_count(void)
{
    return 5;
}

slip_source_file slip_source_file_at(int k)
{
    switch (k) {
    case 0:
        return file_of(header, sizeof header);
    case 1:
        return file_of(elementary, sizeof elementary);
    case 2:
        return file_of(operations, sizeof operations);
    case 3:
        return file_of(tolerances, sizeof tolerances);
    default:
        return file_of(patch, sizeof patch);
    }
}

slip_source_file slip_source_kernels(void)
{
    return file_of(kernels, sizeof kernels);
}
