/// terminal.h: what people see. Colours and the progress bar only on a terminal; NO_COLOR is heeded.
#ifndef SLIPSTICK_CLI_TERMINAL_H
#define SLIPSTICK_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

typedef enum cli_style { CLI_PLAIN, CLI_BOLD, CLI_DIM, CLI_RED, CLI_YELLOW, CLI_GREEN, CLI_CYAN } cli_style;

/// The escape sequence that begins a style on this stream, "" where colours do not belong.
const char *cli_paint(FILE *stream, cli_style style);

/// "slipstick: error: ..." on stderr.
void cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Warns when the last line of a data file does not end; `line` is its number, 0 when it does.
void cli_warn_unfinished(const char *path, long line);

/// Diagnostics as slip_diagnostics_text() gives them, with colours where they belong.
void cli_print_diagnostics(const char *text);

/// Seconds for people: "12 ms", "3.4 s", "2 min 5 s".
void cli_seconds_text(double seconds, char *text, size_t size);

/// A bar with the remaining time on stderr, when that is a terminal.
typedef struct cli_progress {
    bool on, drawn;
    double start, last;
} cli_progress;

cli_progress cli_progress_begin(bool wanted);
void cli_progress_draw(cli_progress *bar, double fraction, const char *where); ///< `where`: "t = 1.2", or ""
void cli_progress_draw_runs(void *bar, long done, long count); ///< the same, as a sweep reports it
void cli_progress_end(cli_progress *bar);

/// Flushes stdout; false, with a message, when it could not be written (a full disk, a closed pipe).
bool cli_stdout_done(void);

/// A name from outside, as it may be shown on a terminal: question marks in place of control characters. In `buffer`.
const char *cli_shown(const char *name, char *buffer, size_t size);

/// JSON text that the library made, and frees it; false, with a message, when it is NULL for want of memory.
bool cli_print_json(char *text);

/// A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
void cli_print_json_text(FILE *stream, const char *text);

#endif
