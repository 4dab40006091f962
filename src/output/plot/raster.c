/// output/plot/raster.c: a picture as pixels. Coverage of a pixel is taken from its distance to a line, or
/// from samples within an area; a letter is a handful of lines between the dots of a 5 x 8 grid.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "output/plot/picture.h"
#include "output/plot/plot_tolerances.h"

typedef struct canvas {
    unsigned char *rgb;
    int width, height;
    double scale;
    float *cover;       // of the mark in hand, per pixel
    int x0, y0, x1, y1; // what of it is not 0
} canvas;

// ------------------------------------------------------------------------------------------- coverage

static void begin(canvas *c)
{
    c->x0 = c->width, c->y0 = c->height, c->x1 = c->y1 = 0;
}

static int within(double at, int most)
{
    return at < 0.0 ? 0 : at > most ? most : (int)at;
}

static void touch_pixel(canvas *c, int x, int y, double cover)
{
    float *to = &c->cover[(size_t)y * (size_t)c->width + (size_t)x];
    if (!(cover > *to)) return;
    *to = (float)fmin(cover, 1.0);
    if (x < c->x0) c->x0 = x;
    if (y < c->y0) c->y0 = y;
    if (x >= c->x1) c->x1 = x + 1;
    if (y >= c->y1) c->y1 = y + 1;
}

// a line with round ends, in pixels
static void cover_segment(canvas *c, double ax, double ay, double bx, double by, double width)
{
    double dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy, reach = 0.5 * width + 1.0;
    int left = within(fmin(ax, bx) - reach, c->width), right = within(fmax(ax, bx) + reach + 1.0, c->width);
    int top = within(fmin(ay, by) - reach, c->height), bottom = within(fmax(ay, by) + reach + 1.0, c->height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            double px = x + 0.5 - ax, py = y + 0.5 - ay;
            double s = length > 0.0 ? fmin(1.0, fmax(0.0, (px * dx + py * dy) / length)) : 0.0;
            double away = slip_hypot(px - s * dx, py - s * dy);
            if (away < reach) touch_pixel(c, x, y, 0.5 * width + 0.5 - away);
        }
}

// the mark in hand onto the paper
static void blend_pixel(canvas *c, slip_ink ink)
{
#define AS_LIGHT(name, light, dark) light,
    static const char *const lights[] = { SLIP_INKS(AS_LIGHT) };
    unsigned long colour = strtoul(lights[ink] + 1, NULL, 16);
    const unsigned char part[] = { (unsigned char)(colour >> 16), (unsigned char)(colour >> 8),
                                   (unsigned char)colour };
    for (int y = c->y0; y < c->y1; y++)
        for (int x = c->x0; x < c->x1; x++) {
            size_t at = (size_t)y * (size_t)c->width + (size_t)x;
            double share = c->cover[at];
            for (int k = 0; k < 3; k++)
                c->rgb[3 * at + (size_t)k] =
                    (unsigned char)lrint(c->rgb[3 * at + (size_t)k] * (1.0 - share) + part[k] * share);
            c->cover[at] = 0.0f;
        }
}

// -------------------------------------------------------------------------------------------- strokes

/// Where along its dashes a line is.
typedef struct dashes {
    double on, off, along;
} dashes;

static void cover_dashed(canvas *c, double ax, double ay, double bx, double by, double width, dashes *d)
{
    double length = slip_hypot(bx - ax, by - ay), at = 0.0;
    if (!(d->on > 0.0)) {
        cover_segment(c, ax, ay, bx, by, width);
        return;
    }
    while (at < length) {
        double place = fmod(d->along, d->on + d->off);
        bool drawn = place < d->on;
        double step = fmin(length - at, (drawn ? d->on : d->on + d->off) - place);
        if (!(step > LEAST_DASH)) step = LEAST_DASH;
        double s = at / length, e = (at + step) / length;
        if (drawn)
            cover_segment(c, ax + s * (bx - ax), ay + s * (by - ay), ax + e * (bx - ax), ay + e * (by - ay),
                          width);
        at += step;
        d->along += step;
    }
}

static void stroke_path(canvas *c, const double *xy, int count, bool closed, const slip_pen *pen)
{
    double s = c->scale;
    dashes d = { s * pen->dash, 0.7 * s * pen->dash, 0.0 };
    begin(c);
    for (int k = 0; k + (closed ? 0 : 1) < count; k++) {
        const double *a = xy + 2 * k, *b = xy + 2 * ((k + 1) % count);
        if (isfinite(a[0] + a[1] + b[0] + b[1]))
            cover_dashed(c, s * a[0], s * a[1], s * b[0], s * b[1], s * pen->width, &d);
    }
    blend_pixel(c, pen->stroke);
}

// --------------------------------------------------------------------------------------------- areas

static bool is_inside(const double *xy, int count, double x, double y)
{
    bool inside = false;
    for (int k = 0, j = count - 1; k < count; j = k++) {
        const double *a = xy + 2 * k, *b = xy + 2 * j;
        if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
            inside = !inside;
    }
    return inside;
}

// three by three samples per pixel
static void fill_path(canvas *c, const double *xy, int count, slip_ink ink)
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (int k = 0; k < 2 * count; k++) {
        if (!isfinite(xy[k])) return;
        low[k % 2] = fmin(low[k % 2], c->scale * xy[k]);
        high[k % 2] = fmax(high[k % 2], c->scale * xy[k]);
    }
    begin(c);
    for (int y = within(low[1], c->height); y < within(high[1] + 1.0, c->height); y++)
        for (int x = within(low[0], c->width); x < within(high[0] + 1.0, c->width); x++) {
            int hits = 0;
            for (int k = 0; k < 9; k++) {
                int row = k / 3, column = k % 3;
                hits += is_inside(xy, count, (x + (column + 0.5) / 3.0) / c->scale,
                                  (y + (row + 0.5) / 3.0) / c->scale);
            }
            if (hits) touch_pixel(c, x, y, hits / 9.0);
        }
    blend_pixel(c, ink);
}

// --------------------------------------------------------------------------------------------- letters

// 0x20 .. 0x7E, five columns each, lowest bit on top
static const unsigned char dots[95][5] = {
    { 0, 0, 0, 0, 0 },
    { 0, 0, 0x5F, 0, 0 },
    { 0, 7, 0, 7, 0 },
    { 0x14, 0x7F, 0x14, 0x7F, 0x14 },
    { 0x24, 0x2A, 0x7F, 0x2A, 0x12 },
    { 0x23, 0x13, 8, 0x64, 0x62 },
    { 0x36, 0x49, 0x56, 0x20, 0x50 },
    { 0, 0, 7, 0, 0 },
    { 0, 0x1C, 0x22, 0x41, 0 },
    { 0, 0x41, 0x22, 0x1C, 0 },
    { 0x2A, 0x1C, 0x7F, 0x1C, 0x2A },
    { 8, 8, 0x3E, 8, 8 },
    { 0, 0x80, 0x60, 0, 0 },
    { 8, 8, 8, 8, 8 },
    { 0, 0, 0x40, 0, 0 },
    { 0x20, 0x10, 8, 4, 2 },
    { 0x3E, 0x41, 0x41, 0x41, 0x3E },
    { 0, 0x42, 0x7F, 0x40, 0 },
    { 0x62, 0x51, 0x49, 0x49, 0x46 },
    { 0x22, 0x41, 0x49, 0x49, 0x36 },
    { 0x18, 0x14, 0x12, 0x7F, 0x10 },
    { 0x27, 0x45, 0x45, 0x45, 0x39 },
    { 0x3C, 0x4A, 0x49, 0x49, 0x30 },
    { 1, 0x71, 9, 5, 3 },
    { 0x36, 0x49, 0x49, 0x49, 0x36 },
    { 6, 0x49, 0x49, 0x29, 0x1E },
    { 0, 0, 0x24, 0, 0 },
    { 0, 0x40, 0x34, 0, 0 },
    { 0, 8, 0x14, 0x22, 0x41 },
    { 0x14, 0x14, 0x14, 0x14, 0x14 },
    { 0, 0x41, 0x22, 0x14, 8 },
    { 2, 1, 0x51, 9, 6 },
    { 0x3E, 0x41, 0x5D, 0x55, 0x5E },
    { 0x7C, 0x12, 0x11, 0x12, 0x7C },
    { 0x7F, 0x49, 0x49, 0x49, 0x36 },
    { 0x3E, 0x41, 0x41, 0x41, 0x22 },
    { 0x7F, 0x41, 0x41, 0x41, 0x3E },
    { 0x7F, 0x49, 0x49, 0x49, 0x41 },
    { 0x7F, 9, 9, 9, 1 },
    { 0x3E, 0x41, 0x41, 0x51, 0x72 },
    { 0x7F, 8, 8, 8, 0x7F },
    { 0, 0x41, 0x7F, 0x41, 0 },
    { 0x20, 0x40, 0x41, 0x3F, 1 },
    { 0x7F, 8, 0x14, 0x22, 0x41 },
    { 0x7F, 0x40, 0x40, 0x40, 0x40 },
    { 0x7F, 2, 0x0C, 2, 0x7F },
    { 0x7F, 4, 8, 0x10, 0x7F },
    { 0x3E, 0x41, 0x41, 0x41, 0x3E },
    { 0x7F, 9, 9, 9, 6 },
    { 0x3E, 0x41, 0x51, 0x21, 0x5E },
    { 0x7F, 9, 0x19, 0x29, 0x46 },
    { 0x26, 0x49, 0x49, 0x49, 0x32 },
    { 1, 1, 0x7F, 1, 1 },
    { 0x3F, 0x40, 0x40, 0x40, 0x3F },
    { 0x1F, 0x20, 0x40, 0x20, 0x1F },
    { 0x3F, 0x40, 0x38, 0x40, 0x3F },
    { 0x63, 0x14, 8, 0x14, 0x63 },
    { 3, 4, 0x78, 4, 3 },
    { 0x61, 0x51, 0x49, 0x45, 0x43 },
    { 0, 0x7F, 0x41, 0x41, 0 },
    { 2, 4, 8, 0x10, 0x20 },
    { 0, 0x41, 0x41, 0x7F, 0 },
    { 4, 2, 1, 2, 4 },
    { 0x80, 0x80, 0x80, 0x80, 0x80 },
    { 0, 1, 2, 4, 0 },
    { 0x20, 0x54, 0x54, 0x54, 0x78 },
    { 0x7F, 0x48, 0x44, 0x44, 0x38 },
    { 0x38, 0x44, 0x44, 0x44, 0x28 },
    { 0x38, 0x44, 0x44, 0x48, 0x7F },
    { 0x38, 0x54, 0x54, 0x54, 0x18 },
    { 0, 8, 0x7E, 9, 2 },
    { 0x18, 0xA4, 0xA4, 0xA4, 0x7C },
    { 0x7F, 8, 4, 4, 0x78 },
    { 0, 0x44, 0x7D, 0x40, 0 },
    { 0, 0x80, 0x84, 0x7D, 0 },
    { 0x7F, 0x10, 0x28, 0x44, 0 },
    { 0, 0x41, 0x7F, 0x40, 0 },
    { 0x7C, 4, 0x78, 4, 0x78 },
    { 0x7C, 8, 4, 4, 0x78 },
    { 0x38, 0x44, 0x44, 0x44, 0x38 },
    { 0xFC, 0x24, 0x24, 0x24, 0x18 },
    { 0x18, 0x24, 0x24, 0x24, 0xFC },
    { 0x7C, 8, 4, 4, 8 },
    { 0x48, 0x54, 0x54, 0x54, 0x24 },
    { 4, 4, 0x3F, 0x44, 0x24 },
    { 0x3C, 0x40, 0x40, 0x20, 0x7C },
    { 0x1C, 0x20, 0x40, 0x20, 0x1C },
    { 0x3C, 0x40, 0x30, 0x40, 0x3C },
    { 0x44, 0x28, 0x10, 0x28, 0x44 },
    { 0x1C, 0xA0, 0xA0, 0xA0, 0x7C },
    { 0x44, 0x64, 0x54, 0x4C, 0x44 },
    { 0, 8, 0x36, 0x41, 0 },
    { 0, 0, 0x7F, 0, 0 },
    { 0, 0x41, 0x36, 8, 0 },
    { 8, 4, 8, 0x10, 8 },
};

static bool draw_dot(const unsigned char *glyph, int x, int y)
{
    return x >= 0 && x < 5 && y >= 0 && y < 8 && (glyph[x] >> y & 1);
}

/// A text on its way: where its grid begins, how large a dot is, which way it runs.
typedef struct setting {
    double x, y, unit;
    bool turned;
} setting;

static void cover_stroke(canvas *c, const setting *s, int ax, int ay, int bx, int by)
{
    double a[2] = { s->unit * ax, s->unit * (ay - 6) }, b[2] = { s->unit * bx, s->unit * (by - 6) };
    if (s->turned)
        cover_segment(c, s->x + a[1], s->y - a[0], s->x + b[1], s->y - b[0], 0.95 * s->unit);
    else
        cover_segment(c, s->x + a[0], s->y + a[1], s->x + b[0], s->y + b[1], 0.95 * s->unit);
}

// Lines between dots that are neighbours; across a corner only where no way leads around it
static void cover_letter(canvas *c, const setting *s, const unsigned char *g)
{
    for (int x = 0; x < 5; x++)
        for (int y = 0; y < 8; y++) {
            if (!draw_dot(g, x, y)) continue;
            bool right = draw_dot(g, x + 1, y), below = draw_dot(g, x, y + 1), left = draw_dot(g, x - 1, y);
            cover_stroke(c, s, x, y, x, y);
            if (right) cover_stroke(c, s, x, y, x + 1, y);
            if (below) cover_stroke(c, s, x, y, x, y + 1);
            if (draw_dot(g, x + 1, y + 1) && !right && !below) cover_stroke(c, s, x, y, x + 1, y + 1);
            if (draw_dot(g, x - 1, y + 1) && !left && !below) cover_stroke(c, s, x, y, x - 1, y + 1);
        }
}

// letters beyond ASCII are shown as one '?' each
static void set_text(canvas *c, const slip_mark *mark, const double *xy, const char *text)
{
    double unit = c->scale * mark->size / 9.5, length = 0.0;
    for (const char *at = text; *at; at++) length += ((unsigned char)*at & 0xC0) != 0x80 ? 6.0 * unit : 0.0;
    double back = 0.5 * (mark->anchor + 1) * (length - unit);
    setting s = { c->scale * xy[0] - (mark->turned ? 0.0 : back),
                  c->scale * xy[1] + (mark->turned ? back : 0.0), unit, mark->turned };
    begin(c);
    for (; *text; text++) {
        unsigned char letter = (unsigned char)*text;
        if ((letter & 0xC0) == 0x80) continue;
        cover_letter(c, &s, dots[(letter < 32 || letter > 126 ? '?' : letter) - 32]);
        *(s.turned ? &s.y : &s.x) += s.turned ? -6.0 * unit : 6.0 * unit;
    }
    blend_pixel(c, mark->pen.fill);
}

// ---------------------------------------------------------------------------------------------- all

// a circle as the path that it nearly is
static void draw_circle(canvas *c, const slip_pen *pen, const double *xy)
{
    enum { SIDES = 48 };
    double path[2 * SIDES];
    for (int k = 0; k < SIDES; k++) {
        double angle = 6.283185307179586 * k / SIDES;
        path[2 * k] = xy[0] + xy[2] * slip_cos(angle);
        path[2 * k + 1] = xy[1] + xy[2] * slip_sin(angle);
    }
    if (pen->fill) fill_path(c, path, SIDES, pen->fill);
    if (pen->stroke) stroke_path(c, path, SIDES, true, pen);
}

static void draw_mark(canvas *c, const slip_picture *p, const slip_mark *mark)
{
    const double *xy = p->xy + 2 * mark->first;
    if (mark->kind == SLIP_MARK_TEXT) {
        set_text(c, mark, xy, p->text.data + mark->text);
    } else if (mark->kind == SLIP_MARK_CIRCLE) {
        draw_circle(c, &mark->pen, xy);
    } else {
        if (mark->pen.fill) fill_path(c, xy, mark->count, mark->pen.fill);
        if (mark->pen.stroke) stroke_path(c, xy, mark->count, mark->closed, &mark->pen);
    }
}

bool slip_raster(const slip_picture *p, double scale, unsigned char *rgb, int width, int height)
{
    canvas c = { .rgb = rgb, .width = width, .height = height, .scale = scale };
    c.cover = calloc((size_t)width * (size_t)height, sizeof *c.cover);
    if (!c.cover) return false;
    memset(rgb, 255, 3 * (size_t)width * (size_t)height);
    for (int k = 0; k < p->mark_count; k++) draw_mark(&c, p, &p->marks[k]);
    free(c.cover);
    return true;
}
