/// output/report/report_page.h: the built page, embedded (web/CMakeLists.txt builds it, page.c holds it).
#ifndef SLIP_OUTPUT_REPORT_REPORT_PAGE_H
#define SLIP_OUTPUT_REPORT_REPORT_PAGE_H

#include <stddef.h>

/// Said where a report is asked for and there is no page.
#define SLIP_NO_PAGE                                                                                         \
    "this slipstick was built without the page of reports; install node and npm (Debian: nodejs npm) and "   \
    "build again"

/// Not NUL-terminated; text is NULL when the library was built without it.
typedef struct slip_page_text {
    const char *text;
    size_t length;
} slip_page_text;

/// The page that draws in so many dimensions, 2 or 3.
slip_page_text slip_page(int dimensions);

#endif
