#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "platform/cli_platform.h"

const char *cli_paint(FILE *stream, cli_style style)
{
    static const char *const codes[] = { "\033[0m",    "\033[1m",  "\033[2m", "\033[1;31m",
                                         "\033[1;33m", "\033[32m", "\033[36m" };
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    bool colours = cli_is_terminal(stream) && !(none && *none) && !(kind && strcmp(kind, "dumb") == 0);
    return colours ? codes[style] : "";
}

// names come from outside, and may hold what commands a terminal: C0, DEL, and C1 as UTF-8
static void mask_control(char *text, const char *but)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        const bool high = c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0;
        if (high) *c++ = '?';
        if (high || (*c < 0x20 && !strchr(but, *c)) || *c == 0x7F) *c = '?';
    }
}

const char *cli_shown(const char *name, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s", name);
    mask_control(buffer, "");
    return buffer;
}

void cli_complain(const char *format, ...)
{
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    mask_control(text, "\n\t");
    fprintf(stderr, "slipstick: %serror:%s %s\n", cli_paint(stderr, CLI_RED), cli_paint(stderr, CLI_PLAIN),
            text);
}

void cli_warn_unfinished(const char *path, long line)
{
    if (line)
        fprintf(stderr,
                "slipstick: warning: %s: line %ld does not end with a newline, so that its last number may "
                "be cut off; it is left out\n",
                path, line);
}

// the word after "file:line:column: " gets its colour, the rest stays as it is
static void print_diagnostic_line(const char *line, int length)
{
    static const struct {
        const char *word;
        cli_style style;
    } words[] = { { ": error: ", CLI_RED }, { ": warning: ", CLI_YELLOW }, { ": note: ", CLI_CYAN } };
    bool place = line[0] != ' '; // source lines and carets are indented
    for (int k = 0; place && k < 3; k++) {
        const char *at = strstr(line, words[k].word);
        if (at && at < line + length) {
            int before = (int)(at - line) + 2, word = (int)strlen(words[k].word) - 3;
            fprintf(stderr, "%s%.*s%s%s%.*s%s%.*s\n", cli_paint(stderr, CLI_BOLD), before, line,
                    cli_paint(stderr, CLI_PLAIN), cli_paint(stderr, words[k].style), word, line + before,
                    cli_paint(stderr, CLI_PLAIN), length - before - word, line + before + word);
            return;
        }
    }
    fprintf(stderr, "%.*s\n", length, line);
}

void cli_print_diagnostics(const char *text)
{
    for (const char *line = text; line && *line;) {
        int length = (int)strcspn(line, "\n");
        print_diagnostic_line(line, length);
        line += length + (line[length] == '\n');
    }
}

void cli_seconds_text(double seconds, char *text, size_t size)
{
    if (seconds < 1e-3)
        snprintf(text, size, "%.0f us", seconds * 1e6);
    else if (seconds < 1)
        snprintf(text, size, "%.3g ms", seconds * 1e3);
    else if (seconds < 100)
        snprintf(text, size, "%.3g s", seconds);
    else if (seconds < 6000)
        snprintf(text, size, "%d min %d s", (int)seconds / 60, (int)seconds % 60);
    else
        snprintf(text, size, "%.1f h", seconds / 3600);
}

cli_progress cli_progress_begin(bool wanted)
{
    double now = cli_clock();
    return (cli_progress){ .on = wanted && cli_is_terminal(stderr), .start = now, .last = now };
}

void cli_progress_draw(cli_progress *bar, double fraction, const char *where)
{
    enum { WIDTH = 32 };
    if (!bar->on) return;
    double now = cli_clock();
    // short runs need no bar, and ten pictures a second are enough
    if (now - bar->start < 0.3 || now - bar->last < 0.1) return;
    bar->last = now;
    bar->drawn = true;

    if (isnan(fraction)) {
        fprintf(stderr, "\r%s\033[K", where);
        fflush(stderr);
        return;
    }
    fraction = fmin(1, fmax(0, fraction));
    int full = (int)(fraction * WIDTH);
    char line[WIDTH + 1], left[32] = "?";
    for (int k = 0; k < WIDTH; k++) line[k] = k < full ? '=' : k == full ? '>' : ' ';
    line[WIDTH] = 0;
    if (fraction > 0) cli_seconds_text((now - bar->start) * (1 - fraction) / fraction, left, sizeof left);
    fprintf(stderr, "\r%s[%s]%s %3.0f %%  %s%s%s left\033[K", cli_paint(stderr, CLI_CYAN), line,
            cli_paint(stderr, CLI_PLAIN), 100 * fraction, where, where[0] ? "  " : "", left);
    fflush(stderr);
}

void cli_progress_draw_runs(void *bar, long done, long count)
{
    char where[64];
    snprintf(where, sizeof where, "%ld of %ld runs", done, count);
    cli_progress_draw(bar, (double)done / (double)count, where);
}

void cli_progress_end(cli_progress *bar)
{
    if (bar->drawn) fputs("\r\033[K", stderr);
    bar->on = false;
}

bool cli_stdout_done(void)
{
    bool failed = ferror(stdout) != 0;
    errno = 0; // of something else, long ago
    if (fflush(stdout) != 0) failed = true;
    if (failed && !errno) errno = cli_ask_stdout();
    if (failed)
        cli_complain("standard output could not be written: %s", errno ? strerror(errno) : "I/O error");
    return !failed;
}

// length of the UTF-8 sequence that starts here, 0 when there is none
static int utf8_length(const unsigned char *c)
{
    int length = c[0] < 0x80                   ? 1
                 : c[0] >= 0xC2 && c[0] < 0xE0 ? 2
                 : (c[0] & 0xF0) == 0xE0       ? 3
                 : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                               : 0;
    for (int k = 1; k < length; k++) {
        if ((c[k] & 0xC0) != 0x80) return 0;
    }
    bool overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
    bool outside = (c[0] == 0xED && c[1] >= 0xA0) || (c[0] == 0xF4 && c[1] >= 0x90);
    return overlong || outside ? 0 : length;
}

bool cli_print_json(char *text)
{
    if (text)
        fputs(text, stdout);
    else
        cli_complain("out of memory");
    free(text);
    return text != NULL;
}

void cli_print_json_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int length = utf8_length(c);
        if (length == 0)
            fputs("\\ufffd", stream);
        else if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", stream);
        else if (*c == '\t')
            fputs("\\t", stream);
        else if (*c < 0x20 || *c == 0x7F)
            fprintf(stream, "\\u%04x", *c);
        else
            fwrite(c, 1, (size_t)length, stream);
        c += length > 0 ? length : 1;
    }
    fputc('"', stream);
}
