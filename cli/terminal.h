/// terminal.h: what people see. Colours and the progress bar only on a terminal; NO_COLOR is heeded.
#ifndef SLIPSTICK_CLI_TERMINAL_H
#define SLIPSTICK_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

typedef enum slip_style { SLIP_PLAIN, SLIP_BOLD, SLIP_DIM, SLIP_RED, SLIP_YELLOW, SLIP_GREEN, SLIP_CYAN } slip_style;

/// The escape sequence that begins a style on this stream, "" where colours do not belong.
const char *slip_paint(FILE *stream, slip_style style);

/// "slipstick: error: ..." on stderr.
void slip_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Diagnostics as slip_diagnostics_text() gives them, with colours where they belong.
void slip_print_diagnostics(const char *text);

/// Seconds for people: "12 ms", "3.4 s", "2 min 5 s".
void slip_seconds_text(double seconds, char *text, size_t size);

/// Wall clock, seconds, only forwards.
double slip_clock(void);

/// A bar with the remaining time on stderr, when that is a terminal.
typedef struct slip_progress {
    bool on, drawn;
    double start, last;
} slip_progress;

slip_progress slip_progress_begin(bool wanted);
void slip_progress_draw(slip_progress *bar, double fraction, double t);
void slip_progress_end(slip_progress *bar);

/// Flushes stdout; false, with a message, when it could not be written (a full disk, a closed pipe).
bool slip_stdout_done(void);

/// A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
void slip_print_json_text(FILE *stream, const char *text);

#endif
