/// base/error_json.c: a mistake as a JSON object.
#include "base/diagnostics.h"
#include "base/json.h"

static void add_diagnostic(slip_json *json, const slip_diagnostic *d)
{
    static const char *const severities[] = { "error", "warning", "note" };
    slip_json_open(json, NULL, '{');
    slip_json_text(json, "severity", severities[d->severity]);
    slip_json_text(json, "file", d->file);
    slip_json_integer(json, "line", d->line);
    slip_json_integer(json, "column", d->column);
    slip_json_integer(json, "length", d->length);
    slip_json_text(json, "text", d->text);
    slip_json_text(json, "hint", d->hint);
    slip_json_close(json, '}');
}

char *slip_error_json(const char *status, const char *where, const char *text, const slip_diagnostics *notes)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_open(&json, "error", '{');
    slip_json_text(&json, "status", status);
    slip_json_text(&json, "where", where);
    slip_json_text(&json, "text", text);
    slip_json_close(&json, '}');
    slip_json_open(&json, "diagnostics", '[');
    for (int k = 0; notes && k < slip_diagnostics_count(notes); k++) {
        slip_diagnostic d = slip_diagnostics_get(notes, k);
        add_diagnostic(&json, &d);
    }
    slip_json_close(&json, ']');
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
