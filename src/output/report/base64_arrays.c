/// output/report/base64_arrays.c: arrays of numbers as base64.
#include "output/report/base64_arrays.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/// Bytes on their way into the text: three of them make four letters.
typedef struct packer {
    slip_text *out;
    uint32_t group;
    int held; // bytes in the group
    char letters[1024];
    size_t used;
} packer;

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(packer *p, int letters)
{
    if (p->used + 4 > sizeof p->letters) {
        slip_text_bytes(p->out, p->letters, p->used);
        p->used = 0;
    }
    for (int k = 0; k < 4; k++)
        p->letters[p->used++] = k < letters ? alphabet[p->group >> (18 - 6 * k) & 63] : '=';
    p->group = 0;
    p->held = 0;
}

static void put_bytes(packer *p, uint64_t bits, int count)
{
    for (int k = 0; k < count; k++) {
        p->group |= (uint32_t)(bits >> (8 * k) & 255) << (16 - 8 * p->held);
        if (++p->held == 3) put_group(p, 4);
    }
}

static packer begin_array(slip_json *json, const char *key, const char *kind)
{
    slip_json_open(json, key, '{');
    slip_json_key(json, kind);
    slip_text_bytes(&json->text, "\"", 1);
    return (packer){ .out = &json->text };
}

static void end_array(packer *p, slip_json *json)
{
    if (p->held) put_group(p, p->held + 1);
    slip_text_bytes(p->out, p->letters, p->used);
    slip_text_bytes(p->out, "\"", 1);
    slip_json_close(json, '}');
}

void slip_json_doubles(slip_json *json, const char *key, const double *values, size_t count, size_t stride)
{
    packer p = begin_array(json, key, "f64");
    for (size_t k = 0; k < count; k++) {
        double value = isinf(values[k * stride]) ? NAN : values[k * stride];
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        put_bytes(&p, bits, 8);
    }
    end_array(&p, json);
}

static void put_float(packer *p, double number)
{
    float value = isinf((float)number) ? NAN : (float)number;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(p, bits, 4);
}

void slip_json_floats(slip_json *json, const char *key, const double *values, size_t count, size_t stride)
{
    packer p = begin_array(json, key, "f32");
    for (size_t k = 0; k < count; k++) put_float(&p, values[k * stride]);
    end_array(&p, json);
}

void slip_json_single(slip_json *json, const char *key, const float *values, size_t count)
{
    packer p = begin_array(json, key, "f32");
    for (size_t k = 0; k < count; k++) put_float(&p, values[k]);
    end_array(&p, json);
}

void slip_json_bytes(slip_json *json, const char *key, const double *values, size_t count, size_t stride)
{
    packer p = begin_array(json, key, "u8");
    for (size_t k = 0; k < count; k++) put_bytes(&p, (uint64_t)values[k * stride], 1);
    end_array(&p, json);
}
