/// output/plot/png.c: a PNG file without a library (RFC 2083, RFC 1950, RFC 1951).
///
/// Each row is stored as its difference to the one above, which is mostly zeros in a drawing; runs of one
/// byte become matches at distance 1 in the fixed Huffman code. That is a hundredth of the pixels for a plot,
/// at a fraction of the code of a general compressor.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "output/plot/picture.h"

/// Bits into bytes, lowest first.
typedef struct packer {
    slip_text *out;
    uint32_t bits;
    int count;
} packer;

static void put_bits(packer *p, uint32_t bits, int count)
{
    p->bits |= bits << p->count;
    for (p->count += count; p->count >= 8; p->count -= 8, p->bits >>= 8)
        slip_text_bytes(p->out, (const char[]){ (char)(p->bits & 255) }, 1);
}

// Huffman codes go out highest bit first
static void put_code(packer *p, uint32_t code, int count)
{
    uint32_t turned = 0;
    for (int k = 0; k < count; k++) turned |= (code >> k & 1) << (count - 1 - k);
    put_bits(p, turned, count);
}

// the fixed code of RFC 1951, 3.2.6
static void put_symbol(packer *p, uint32_t symbol)
{
    if (symbol < 144)
        put_code(p, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(p, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(p, symbol - 256, 7);
    else
        put_code(p, 0xC0 + symbol - 280, 8);
}

// the last `length` bytes are the one before them again: a match at distance 1, 3 .. 258 bytes long
static void put_run(packer *p, uint32_t length)
{
    static const uint16_t base[] = { 3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 };
    uint32_t k = 28;
    while (base[k] > length) k--;
    put_symbol(p, 257 + k);
    if (k >= 8 && k < 28) put_bits(p, length - base[k], (int)(k - 4) / 4);
    put_code(p, 0, 5);
}

static void deflate(packer *p, const unsigned char *bytes, size_t count)
{
    put_bits(p, 1, 1); // the last block
    put_bits(p, 1, 2); // fixed codes
    for (size_t k = 0; k < count;) {
        size_t run = 0;
        while (k > 0 && run < 258 && k + run < count && bytes[k + run] == bytes[k - 1]) run++;
        if (run >= 3) {
            put_run(p, (uint32_t)run);
            k += run;
        } else {
            put_symbol(p, bytes[k++]);
        }
    }
    put_symbol(p, 256);
    if (p->count > 0) put_bits(p, 0, 8 - p->count);
}

static uint32_t adler(const unsigned char *bytes, size_t count)
{
    uint32_t a = 1, b = 0;
    for (size_t k = 0; k < count; k++) {
        a = (a + bytes[k]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint32_t crc(const char *bytes, size_t count)
{
    uint32_t c = 0xFFFFFFFFu;
    for (size_t k = 0; k < count; k++) {
        c ^= (unsigned char)bytes[k];
        for (int bit = 0; bit < 8; bit++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
    }
    return ~c;
}

static void put_number(slip_text *out, uint32_t n)
{
    const char bytes[] = { (char)(n >> 24), (char)(n >> 16), (char)(n >> 8), (char)n };
    slip_text_bytes(out, bytes, 4);
}

// length, name and bytes, checksum over the latter two
static void put_chunk(slip_text *out, const char *name, const char *bytes, size_t count)
{
    put_number(out, (uint32_t)count);
    size_t at = out->length;
    slip_text_bytes(out, name, 4);
    slip_text_bytes(out, bytes, count);
    if (!out->failed) put_number(out, crc(out->data + at, count + 4));
}

// rows with the filter "up" in front of each
static unsigned char *filtered(const unsigned char *rgb, size_t stride, size_t rows)
{
    unsigned char *bytes = malloc((stride + 1) * rows);
    for (size_t r = 0; bytes && r < rows; r++) {
        unsigned char *to = bytes + r * (stride + 1);
        const unsigned char *row = rgb + r * stride;
        *to++ = 2;
        for (size_t k = 0; k < stride; k++) to[k] = (unsigned char)(row[k] - (r ? (row - stride)[k] : 0));
    }
    return bytes;
}

void slip_png(slip_text *out, const unsigned char *rgb, int width, int height)
{
    size_t stride = 3 * (size_t)width, count = (stride + 1) * (size_t)height;
    unsigned char *bytes = filtered(rgb, stride, (size_t)height);
    slip_text head = { 0 }, data = { 0 };
    put_number(&head, (uint32_t)width);
    put_number(&head, (uint32_t)height);
    slip_text_bytes(&head, "\x08\x02\0\0\0", 5); // 8 bits, red green blue
    slip_text_bytes(&data, "\x78\x01", 2);
    if (bytes) {
        deflate(&(packer){ .out = &data }, bytes, count);
        put_number(&data, adler(bytes, count));
    }
    if (!bytes || head.failed || data.failed) {
        out->failed = true;
    } else {
        slip_text_bytes(out, "\x89PNG\r\n\x1a\n", 8);
        put_chunk(out, "IHDR", head.data, head.length);
        put_chunk(out, "IDAT", data.data, data.length);
        put_chunk(out, "IEND", "", 0);
    }
    free(bytes);
    slip_text_destroy(&head);
    slip_text_destroy(&data);
}
