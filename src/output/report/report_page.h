/// output/report/report_page.h: the built page, embedded (web/CMakeLists.txt builds it, page.c holds it).
#ifndef SLIP_OUTPUT_REPORT_REPORT_PAGE_H
#define SLIP_OUTPUT_REPORT_REPORT_PAGE_H

#include <stddef.h>

#include "base/json.h"
#include "slipstick/status.h"

/// Where the data go; every page holds it once.
#define SLIP_PAGE_MARKER "<!--slipstick-data-->"

/// Said where a report is asked for and there is no page.
#define SLIP_NO_PAGE                                                                                         \
    "this slipstick was built without the page of reports; install node and npm (Debian: nodejs npm) and "   \
    "build again"

/// Said where a laboratory is asked for and there is none.
#define SLIP_NO_LAB                                                                                          \
    "this slipstick was built without the laboratory; its engine is WebAssembly, which `make lab` builds "   \
    "(Debian: clang lld wasi-libc libclang-rt-dev-wasm32 nodejs npm)"

/// Not NUL-terminated; text is NULL when the library was built without it.
typedef struct slip_page_text {
    const char *text;
    size_t length;
} slip_page_text;

/// The page that draws in so many dimensions, 2 or 3.
slip_page_text slip_page(int dimensions);

/// The laboratory.
slip_page_text slip_lab_page(void);

/// Writes a page with an object in the place of its marker, whole or not at all.
slip_status slip_page_write(const char *path, slip_page_text page, const slip_json *json, slip_error *error);

#endif
