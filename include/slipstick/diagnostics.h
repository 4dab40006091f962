/// diagnostics.h: errors and warnings of a file, all at once, in the style of a compiler.
///
/// A reader that meets a mistake records it with its place and goes on, so one run shows every
/// mistake. Records are kept in the order found; nothing is printed by the library:
///
///     slip_diagnostics *notes = slip_diagnostics_create();
///     if (slip_model_read_file("brake.yaml", NULL, 0, notes, &model) != SLIP_OK) {
///         char *text = slip_diagnostics_text(notes);   // file:line:column, the line, a caret
///         fputs(text, stderr);
///         free(text);
///     }
///     slip_diagnostics_destroy(notes);
#ifndef SLIPSTICK_DIAGNOSTICS_H
#define SLIPSTICK_DIAGNOSTICS_H

#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum slip_severity { SLIP_ERROR, SLIP_WARNING, SLIP_NOTE } slip_severity;

typedef struct slip_diagnostic {
    slip_severity severity;
    const char *file;   ///< "brake.yaml", or "--set" for a value from the command line
    int line, column;   ///< from 1; 0 when the whole file is meant
    int length;         ///< characters to underline, at least 1
    const char *source; ///< the line it stands in, without its newline; "" when unknown
    const char *text;   ///< "unknown key 'fricton' in contact 'floor'"
    const char *hint;   ///< "did you mean 'friction'?"; "" when there is none
} slip_diagnostic;

typedef struct slip_diagnostics slip_diagnostics;

slip_diagnostics *slip_diagnostics_create(void);        ///< NULL when out of memory
void slip_diagnostics_destroy(slip_diagnostics *notes); ///< NULL is fine

int slip_diagnostics_count(const slip_diagnostics *notes);       ///< number of records
int slip_diagnostics_error_count(const slip_diagnostics *notes); ///< those among them that are errors

/// Valid until the next record is added or the list is destroyed.
slip_diagnostic slip_diagnostics_get(const slip_diagnostics *notes, int index);

/// All records as text, each as
///     brake.yaml:14:11: error: unknown key 'fricton' in contact 'floor'
///        14 |   floor: {gap: y, fricton: 0.3}
///           |                   ^~~~~~~
///           = did you mean 'friction'?
/// To be released with free(); NULL when out of memory.
char *slip_diagnostics_text(const slip_diagnostics *notes);

/// A wrong call or file as one JSON object (docs/json.md). `status` is slip_status_name(), or a word of the
/// caller's; `notes` may be NULL. To be released with free(); NULL when out of memory.
char *slip_error_json(const char *status, const char *where, const char *text, const slip_diagnostics *notes);

#ifdef __cplusplus
}
#endif
#endif
