/// output/report/page_writer.c: a page with its data, as one file.
#include <string.h>

#include "base/atomic_file.h"
#include "base/status.h"
#include "output/report/report_page.h"

// a `<` inside would let a model's text end the script
static void add_escaped(slip_text *out, const char *text, size_t length)
{
    while (length) {
        const char *found = memchr(text, '<', length);
        size_t plain = found ? (size_t)(found - text) : length;
        slip_text_bytes(out, text, plain);
        if (!found) return;
        slip_text_bytes(out, "\\u003c", 6);
        text += plain + 1;
        length -= plain + 1;
    }
}

static const char *find_marker(slip_page_text page)
{
    static const char marker[] = SLIP_PAGE_MARKER;
    size_t length = strlen(marker);
    for (const char *at = page.text; at + length <= page.text + page.length; at++) {
        at = memchr(at, marker[0], (size_t)(page.text + page.length - at) - length + 1);
        if (!at) return NULL;
        if (memcmp(at, marker, length) == 0) return at;
    }
    return NULL;
}

slip_status slip_page_write(const char *path, slip_page_text page, const slip_json *json, slip_error *error)
{
    const char *marker = find_marker(page);
    if (!marker)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "report", "the page does not hold the line %s",
                         SLIP_PAGE_MARKER);
    slip_status status = SLIP_OK;
    slip_text all = { 0 };
    slip_text_bytes(&all, page.text, (size_t)(marker - page.text));
    slip_text_add(&all, "<script type=\"application/json\" id=\"slipstick-data\">");
    if (!json->text.failed) add_escaped(&all, json->text.data, json->text.length);
    slip_text_add(&all, "</script>");
    const char *rest = marker + strlen(SLIP_PAGE_MARKER);
    slip_text_bytes(&all, rest, (size_t)(page.text + page.length - rest));
    if (json->text.failed || all.failed)
        status = slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
    else {
        int code = slip_file_write_atomic(path, all.data);
        if (code) status = slip_fail(error, SLIP_IO, path, "%s", strerror(code));
    }
    slip_text_destroy(&all);
    return status;
}
