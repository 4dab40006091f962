/// fit/decode.c: a two-channel encoder to an angle (Gomez 2008, appendix A.1).
///
/// Differences from the printed listing, all from its errata: the first edge and the edges of a reversal are
/// kept, time is never reset, direction is decoded instead of assumed, simultaneous changes are counted, and
/// the end of the file adds no sample.
#include "slipstick/decode.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/json.h"
#include "core/status.h"

// place of (ch1, ch2) in 00 10 11 01
static int place(const unsigned char *pair)
{
    bool one = pair[0] != 0, two = pair[1] != 0;
    return one ? (two ? 2 : 1) : (two ? 3 : 0);
}

slip_status slip_decode(const unsigned char *channels, long samples, double rate, double tick,
                        slip_error *error, slip_decoding *out)
{
    *out = (slip_decoding){ .samples = samples };
    if (!(rate > 0.0) || isinf(rate))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "rate", "must be > 0, got %g", rate);
    if (!(tick > 0.0) || isinf(tick))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "tick", "must be > 0, got %g", tick);
    size_t capacity = 0;
    long state = 0; // number of states passed, falling angle counts up
    int direction = 0;
    for (long k = 1; k < samples; k++) {
        int change = (place(channels + 2 * k) - place(channels + 2 * k - 2) + 4) % 4;
        if (change == 0) continue;
        if (change == 2) { // both at once: one edge too many for this rate
            out->missed++;
            state += 2 * direction;
            continue;
        }
        int step = change == 1 ? 1 : -1;
        out->reversals += direction == -step;
        direction = step;
        if (!slip_grow((void **)&out->edges, &capacity, (size_t)out->count, sizeof *out->edges)) {
            slip_decoding_destroy(out);
            return slip_fail(error, SLIP_NO_MEMORY, "decode", "out of memory");
        }
        double border = (double)state + 0.5 * step; // between the two states
        state += step;
        out->edges[out->count++] = (slip_edge){ (double)k / rate, -border * tick };
    }
    return SLIP_OK;
}

void slip_decoding_destroy(slip_decoding *decoding)
{
    free(decoding->edges);
    *decoding = (slip_decoding){ 0 };
}

// two numbers of a line; 0 for an empty or comment line, -1 when it holds something else
static int read_pair(const char *line, unsigned char *pair)
{
    double one, two;
    char rest;
    while (*line == ' ' || *line == '\t') line++;
    if (*line == '#' || *line == '\n' || *line == '\r' || *line == '\0') return 0;
    if (sscanf(line, "%lf%*[ ,;\t]%lf %c", &one, &two, &rest) != 2) return -1;
    pair[0] = one > 0.5, pair[1] = two > 0.5; // levels, or logic
    return 1;
}

static slip_status read_file(FILE *file, const char *path, unsigned char **channels, long *samples,
                             slip_error *error)
{
    char line[256];
    size_t capacity = 0;
    *channels = NULL;
    *samples = 0;
    for (long number = 1; fgets(line, sizeof line, file); number++) {
        unsigned char pair[2];
        int got = read_pair(line, pair);
        if (got == 0 || (got < 0 && number == 1)) continue; // a header may come first
        if (got < 0)
            return slip_fail(error, SLIP_BAD_ARGUMENT, path, "line %ld is not two levels: %.60s", number,
                             line);
        if (!slip_grow((void **)channels, &capacity, (size_t)*samples, 2))
            return slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
        memcpy(*channels + 2 * *samples, pair, 2);
        ++*samples;
    }
    if (ferror(file)) return slip_fail(error, SLIP_IO, path, "%s", strerror(errno));
    return *samples > 1 ? SLIP_OK : slip_fail(error, SLIP_BAD_ARGUMENT, path, "holds no signal");
}

slip_status slip_decode_file(const char *path, double rate, double tick, slip_error *error,
                             slip_decoding *decoding)
{
    FILE *file = fopen(path, "r");
    unsigned char *channels = NULL;
    long samples = 0;
    *decoding = (slip_decoding){ 0 };
    if (!file) return slip_fail(error, SLIP_IO, path, "%s", strerror(errno));
    slip_status status = read_file(file, path, &channels, &samples, error);
    fclose(file);
    if (status == SLIP_OK) status = slip_decode(channels, samples, rate, tick, error, decoding);
    free(channels);
    return status;
}

slip_status slip_decoding_write_csv(const slip_decoding *d, const char *path, slip_error *error)
{
    slip_text text = { 0 };
    slip_text_add(&text, "t,theta\n");
    for (int k = 0; k < d->count; k++)
        slip_text_add(&text, "%.17g,%.17g\n", d->edges[k].t, d->edges[k].angle);
    return slip_text_write(&text, path, error);
}

char *slip_decoding_json(const slip_decoding *d)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_integer(&json, "samples", d->samples);
    slip_json_integer(&json, "edges", d->count);
    slip_json_integer(&json, "reversals", d->reversals);
    slip_json_integer(&json, "missed", d->missed);
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
