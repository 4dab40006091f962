/// study/fit/encoder.c: a two-channel encoder to an angle (Gomez 2008, appendix A.1).
///
/// Differences from the printed listing, all from its errata: the first edge and the edges of a reversal are
/// kept, time is never reset, direction is decoded instead of assumed, simultaneous changes are counted, and
/// the end of the file adds no sample.
#include "slipstick/encoder.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/status.h"
#include "base/table_reader.h"

// place of (ch1, ch2) in 00 10 11 01
static int gray_code_index(const unsigned char *pair)
{
    bool one = pair[0] != 0, two = pair[1] != 0;
    return one ? (two ? 2 : 1) : (two ? 3 : 0);
}

slip_status slip_encoder_decode(const unsigned char *channels, long samples, double rate, double tick,
                                slip_error *error, slip_encoder_angle *out)
{
    *out = (slip_encoder_angle){ .samples = samples };
    if (!(rate > 0.0) || isinf(rate))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "rate", "must be > 0, got %g", rate);
    if (!(tick > 0.0) || isinf(tick))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "tick", "must be > 0, got %g", tick);
    size_t capacity = 0;
    long state = 0; // number of states passed, falling angle counts up
    int direction = 0;
    for (long k = 1; k < samples; k++) {
        int change = (gray_code_index(channels + 2 * k) - gray_code_index(channels + 2 * k - 2) + 4) % 4;
        if (change == 0) continue;
        if (change == 2) { // both at once: one edge too many for this rate
            out->missed++;
            state += 2 * direction;
            continue;
        }
        int step = change == 1 ? 1 : -1;
        out->reversals += direction == -step;
        direction = step;
        if (!slip_array_grow((void **)&out->edges, &capacity, (size_t)out->count, sizeof *out->edges)) {
            slip_encoder_angle_destroy(out);
            return slip_fail(error, SLIP_NO_MEMORY, "encoder", "out of memory");
        }
        double border = (double)state + 0.5 * step; // between the two states
        state += step;
        out->edges[out->count++] = (slip_encoder_edge){ (double)k / rate, -border * tick };
    }
    return SLIP_OK;
}

void slip_encoder_angle_destroy(slip_encoder_angle *decoding)
{
    free(decoding->edges);
    *decoding = (slip_encoder_angle){ 0 };
}

static slip_status read_channels(slip_table_reader *r, unsigned char **channels, long *samples,
                                 slip_error *error)
{
    size_t capacity = 0;
    slip_status status = SLIP_OK;
    *channels = NULL;
    *samples = 0;
    while (slip_table_reader_next(r, &status, error)) {
        double level[2];
        if (slip_table_reader_is_header(r)) continue;
        status = slip_table_reader_numbers(r, 2, level, error);
        if (status != SLIP_OK) return status;
        if (!slip_array_grow((void **)channels, &capacity, (size_t)*samples, 2))
            return slip_fail(error, SLIP_NO_MEMORY, r->path, "out of memory");
        for (int k = 0; k < 2; k++) (*channels)[2 * *samples + k] = level[k] > 0.5; // volts, or logic
        ++*samples;
    }
    if (status != SLIP_OK) return status;
    return *samples > 1 ? SLIP_OK : slip_fail(error, SLIP_BAD_ARGUMENT, r->path, "holds no signal");
}

slip_status slip_encoder_decode_file(const char *path, double rate, double tick, slip_error *error,
                                     slip_encoder_angle *decoding)
{
    slip_table_reader rows = { .file = fopen(path, "r"), .path = path };
    unsigned char *channels = NULL;
    long samples = 0;
    *decoding = (slip_encoder_angle){ 0 };
    if (!rows.file) return slip_fail(error, SLIP_IO, path, "%s", strerror(errno));
    slip_status status = read_channels(&rows, &channels, &samples, error);
    fclose(rows.file);
    if (status == SLIP_OK) status = slip_encoder_decode(channels, samples, rate, tick, error, decoding);
    decoding->unfinished = status == SLIP_OK && rows.unfinished ? rows.line : 0;
    free(channels);
    return status;
}

slip_status slip_encoder_angle_write_csv(const slip_encoder_angle *d, const char *path, slip_error *error)
{
    slip_text text = { 0 };
    slip_text_add(&text, "t,theta\n");
    for (int k = 0; k < d->count; k++) {
        slip_text_number(&text, d->edges[k].t);
        slip_text_bytes(&text, ",", 1);
        slip_text_number(&text, d->edges[k].angle);
        slip_text_bytes(&text, "\n", 1);
    }
    return slip_text_write(&text, path, error);
}

char *slip_encoder_angle_json(const slip_encoder_angle *d)
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
