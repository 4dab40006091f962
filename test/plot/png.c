/// png.c: what the PNG writer writes, read back by an inflater of fixed Huffman codes written from RFC 1951.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "output/plot/picture.h"

typedef struct bits {
    const unsigned char *at;
    int used;
} bits;

static unsigned take(bits *b, int count)
{
    unsigned value = 0;
    for (int k = 0; k < count; k++, b->used++)
        value |= (unsigned)(b->at[b->used / 8] >> b->used % 8 & 1) << k;
    return value;
}

static unsigned symbol(bits *b)
{
    unsigned code = 0;
    for (int length = 1; length <= 9; length++) {
        code = code << 1 | take(b, 1);
        if (length == 7 && code <= 23) return 256 + code;
        if (length == 8 && code >= 48 && code <= 191) return code - 48;
        if (length == 8 && code >= 192 && code <= 199) return 280 + code - 192;
        if (length == 9 && code >= 400) return 144 + code - 400;
    }
    fail_msg("not a code");
    return 0;
}

static size_t inflate(const unsigned char *from, unsigned char *to, size_t room)
{
    bits b = { from, 0 };
    size_t count = 0;
    assert_int_equal(take(&b, 1), 1);
    assert_int_equal(take(&b, 2), 1);
    for (unsigned s; (s = symbol(&b)) != 256;) {
        if (s < 256) {
            assert_true(count < room);
            to[count++] = (unsigned char)s;
            continue;
        }
        unsigned k = s - 257, extra = k < 8 || k == 28 ? 0 : (k - 4) / 4;
        unsigned length = k == 28 ? 258 : k < 8 ? 3 + k : 3 + ((4 + k % 4) << extra) + take(&b, (int)extra);
        assert_int_equal(take(&b, 5), 0); // distance 1
        for (unsigned i = 0; i < length; i++, count++) {
            assert_true(count > 0 && count < room);
            to[count] = to[count - 1];
        }
    }
    return count;
}

static uint32_t number(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void check_back(const unsigned char *rgb, int width, int height)
{
    slip_text out = { 0 };
    slip_png(&out, rgb, width, height);
    assert_false(out.failed);
    const unsigned char *png = (const unsigned char *)out.data;
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(number(png + 8), 13);
    assert_memory_equal(png + 12, "IHDR", 4);
    assert_int_equal(number(png + 16), width);
    assert_int_equal(number(png + 20), height);
    assert_memory_equal(png + 37, "IDAT", 4);
    assert_memory_equal(out.data + out.length - 12, "\0\0\0\0IEND\xAE\x42\x60\x82", 12); // its known checksum
    size_t stride = 3 * (size_t)width, room = (stride + 1) * (size_t)height;
    unsigned char *raw = malloc(room);
    assert_int_equal(inflate(png + 43, raw, room), room);
    for (int r = 0; r < height; r++) { // undo the filter
        unsigned char *row = raw + (size_t)r * (stride + 1);
        assert_int_equal(row[0], 2);
        for (size_t k = 1; k <= stride && r; k++) row[k] = (unsigned char)(row[k] + (row - stride - 1)[k]);
        assert_memory_equal(row + 1, rgb + (size_t)r * stride, stride);
    }
    free(raw);
    slip_text_destroy(&out);
}

static void pixels_come_back(void **state)
{
    (void)state;
    enum { WIDE = 97, HIGH = 31 };
    unsigned char rgb[3 * WIDE * HIGH];
    memset(rgb, 255, sizeof rgb);
    check_back(rgb, WIDE, HIGH);
    uint32_t seed = 1;
    for (size_t k = 0; k < sizeof rgb; k++) {
        seed = seed * 1664525u + 1013904223u;
        rgb[k] = (unsigned char)(seed >> 24);
    }
    check_back(rgb, WIDE, HIGH);
    for (int run = 1; run < 600; run += 7) { // runs of every length
        for (size_t k = 0; k < sizeof rgb; k++) rgb[k] = (unsigned char)(k / (size_t)run);
        check_back(rgb, WIDE, HIGH);
    }
    check_back(rgb, 1, 1);
}

// coverage adds up to the area of what is drawn
static void areas_have_their_size(void **state)
{
    (void)state;
    enum { SIDE = 120 };
    slip_picture p = { .width = SIDE, .height = SIDE };
    slip_picture_circle(&p, (slip_pen){ .fill = SLIP_INK_INK }, 60, 60, 40);
    slip_picture_line(&p, (slip_pen){ .stroke = SLIP_INK_INK, .width = 4 }, 10, 5, 110, 5);
    unsigned char *rgb = malloc(3 * SIDE * SIDE);
    assert_true(slip_raster(&p, 1.0, rgb, SIDE, SIDE));
    double dark = 0.0;
    for (int k = 0; k < SIDE * SIDE; k++) dark += (255 - rgb[3 * k]) / (255.0 - 0x1c);
    assert_near(dark, 3.14159265 * 1600 + 400 + 3.14159265 * 4, 40.0);
    free(rgb);
    slip_picture_destroy(&p);
}

// every letter leaves ink, and only within the picture
static void texts_are_drawn(void **state)
{
    (void)state;
    enum { SIDE = 24 };
    unsigned char rgb[3 * SIDE * SIDE];
    for (char c = '!'; c <= '~'; c++) {
        slip_picture p = { .width = SIDE, .height = SIDE };
        slip_picture_label(&p, SLIP_INK_INK, 12, 0, c % 2, 12, 16, "%c", c);
        assert_true(slip_raster(&p, 1.0, rgb, SIDE, SIDE));
        int dark = 0;
        for (int k = 0; k < SIDE * SIDE; k++) dark += rgb[3 * k] < 128;
        assert_true(dark >= 1 && dark < 60);
        slip_picture_destroy(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_come_back),
        cmocka_unit_test(areas_have_their_size),
        cmocka_unit_test(texts_are_drawn),
    };
    return cmocka_run_group_tests_name("png", tests, NULL, NULL);
}
