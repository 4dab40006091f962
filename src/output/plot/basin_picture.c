/// output/plot/basin_picture.c: a map over two starts, in the colours of where motions end.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "slipstick/basin.h"
#include "output/plot/picture.h"
#include "output/plot/plot.h"

enum { WIDTH = 800, HEIGHT = 560, LEFT = 74, RIGHT = 20, TOP = 46, BOTTOM = 52, LEGEND = 18 };

static const slip_ink INKS[] = { SLIP_INK_LINE_1, SLIP_INK_LINE_2, SLIP_INK_LINE_3,
                                 SLIP_INK_LINE_4, SLIP_INK_LINE_5, SLIP_INK_GROUND };
enum { INK_COUNT = sizeof INKS / sizeof *INKS };

/// The frame: values run over cells whose centres are the points.
typedef struct sheet {
    slip_picture *picture;
    double top, low[2], high[2];
    long count[2];
} sheet;

static sheet basin_layout(slip_picture *p, const slip_basin *b)
{
    const slip_sweep *s = slip_basin_sweep(b);
    const long runs = slip_sweep_run_count(s);
    sheet on = { .picture = p };
    on.count[1] = 1; // the second axis is the fastest
    while (on.count[1] < runs && slip_sweep_point(s, on.count[1], 0) == slip_sweep_point(s, 0, 0))
        on.count[1]++;
    on.count[0] = runs / on.count[1];
    int shown = slip_basin_attractor_count(b);
    if (shown > INK_COUNT) shown = INK_COUNT;
    on.top = TOP + LEGEND * shown;
    for (int k = 0; k < 2; k++) {
        const double first = slip_sweep_point(s, 0, k), last = slip_sweep_point(s, runs - 1, k);
        const double half = on.count[k] > 1 ? 0.5 * (last - first) / (double)(on.count[k] - 1) : 0.5;
        on.low[k] = first - half, on.high[k] = last + half;
    }
    return on;
}

static double x_of(const sheet *s, double x)
{
    return LEFT + (x - s->low[0]) / (s->high[0] - s->low[0]) * (s->picture->width - RIGHT - LEFT);
}

static double y_of(const sheet *s, double y)
{
    const double bottom = s->picture->height - BOTTOM;
    return bottom - (y - s->low[1]) / (s->high[1] - s->low[1]) * (bottom - s->top);
}

static void draw_cell(const sheet *on, const slip_basin *b, long run)
{
    const int end = slip_basin_end(b, run);
    const double wide = (on->high[0] - on->low[0]) / (double)on->count[0],
                 tall = (on->high[1] - on->low[1]) / (double)on->count[1];
    const long column = run / on->count[1], row = run % on->count[1];
    const double left = on->low[0] + wide * (double)column, low = on->low[1] + tall * (double)row;
    const double x0 = x_of(on, left), x1 = x_of(on, left + wide), y0 = y_of(on, low),
                 y1 = y_of(on, low + tall);
    const slip_sweep_result r = slip_sweep_result_of(slip_basin_sweep(b), run);
    if (end >= 0) {
        slip_picture_begin(on->picture, (slip_pen){ .fill = INKS[end % INK_COUNT] }, true);
        slip_picture_point(on->picture, x0, y0);
        slip_picture_point(on->picture, x1, y0);
        slip_picture_point(on->picture, x1, y1);
        slip_picture_point(on->picture, x0, y1);
    }
    if (r.done && r.trust == SLIP_TRUST_DOUBTFUL)
        slip_picture_line(on->picture, (slip_pen){ .stroke = SLIP_INK_INK, .width = 0.8 }, x0, y0, x1, y1);
}

/// A start as one says it: coordinates.x.rate is x'.
typedef struct start_name {
    const char *name, *prime;
    int length;
} start_name;

static start_name start_of(const char *key)
{
    static const char section[] = "coordinates.";
    const char *end = strrchr(key, '.');
    if (strncmp(key, section, sizeof section - 1) != 0 || end < key + sizeof section)
        return (start_name){ key, "", (int)strlen(key) };
    const char *name = key + sizeof section - 1;
    return (start_name){ name, strcmp(end, ".rate") == 0 ? "'" : "", (int)(end - name) };
}

static void draw_axis(const sheet *on, const slip_basin *b, int axis)
{
    const slip_ticks ticks = slip_ticks_of(on->low[axis], on->high[axis], axis ? 6 : 8);
    const double right = on->picture->width - RIGHT, bottom = on->picture->height - BOTTOM;
    const start_name start = start_of(slip_sweep_key(slip_basin_sweep(b), axis));
    char text[64], scale[32] = "";
    for (int k = 0; k < ticks.count; k++) {
        slip_tick_text(&ticks, ticks.at[k], text, sizeof text);
        if (axis)
            slip_picture_label(on->picture, SLIP_INK_MUTED, 11, 1, 0, LEFT - 7, y_of(on, ticks.at[k]) + 4,
                               "%s", text);
        else
            slip_picture_label(on->picture, SLIP_INK_MUTED, 11, 0, 0, x_of(on, ticks.at[k]), bottom + 20,
                               "%s", text);
    }
    if (ticks.exponent) snprintf(scale, sizeof scale, ", 1e%d", ticks.exponent);
    slip_picture_label(on->picture, SLIP_INK_INK, 12, 0, axis, axis ? 20 : 0.5 * (LEFT + right),
                       axis ? 0.5 * (on->top + bottom) : bottom + 40, "%.*s%s%s", start.length, start.name,
                       start.prime, scale);
}

static void draw_legend(const sheet *on, const slip_basin *b)
{
    const long runs = slip_sweep_run_count(slip_basin_sweep(b));
    for (int k = 0; k < slip_basin_attractor_count(b) && k < INK_COUNT; k++) {
        const slip_attractor *a = slip_basin_attractor(b, k);
        const double y = TOP + LEGEND * k - 6;
        slip_picture_circle(on->picture, (slip_pen){ .fill = INKS[k] }, LEFT + 5, y, 5);
        slip_picture_label(on->picture, SLIP_INK_INK, 12, -1, 0, LEFT + 18, y + 4, "%s: %.3g %%%s", a->name,
                           100.0 * (double)a->runs / (double)runs,
                           k == INK_COUNT - 1 && slip_basin_attractor_count(b) > INK_COUNT ? ", and others"
                                                                                           : "");
    }
}

slip_status slip_basin_picture(const char *path, const slip_basin *basin, slip_error *error)
{
    const slip_sweep *s = slip_basin_sweep(basin);
    slip_status status = slip_picture_check_name(path, error);
    if (status != SLIP_OK) return status;
    slip_picture p = { .width = WIDTH, .height = HEIGHT };
    const sheet on = basin_layout(&p, basin);
    for (long run = 0; run < slip_sweep_run_count(s); run++) draw_cell(&on, basin, run);
    draw_axis(&on, basin, 0);
    draw_axis(&on, basin, 1);
    draw_legend(&on, basin);
    slip_picture_label(&p, SLIP_INK_INK, 15, -1, 0, LEFT, 24, "%s", slip_sweep_title(s));
    status = slip_picture_write(path, &p, slip_sweep_title(s), error);
    slip_picture_destroy(&p);
    return status;
}
