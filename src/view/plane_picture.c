/// view/plane_picture.c: what is special over two parameters: curves in the colours of their kinds.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "slipstick/plane.h"
#include "view/picture.h"
#include "view/plot.h"

enum { WIDTH = 800, HEIGHT = 560, LEFT = 74, RIGHT = 20, TOP = 46, BOTTOM = 52, LEGEND = 18 };

static const double TEXT = 12.0, SMALL = 11.0;
static const slip_pen GRID = { .stroke = SLIP_INK_GRID, .width = 1 };

/// How a kind is drawn: the contact problem in dashes, what belongs to motions in whole lines.
static const struct {
    const char *kind, *text;
    slip_pen pen;
} KINDS[] = {
    { "fold", "fold", { .stroke = SLIP_INK_LINE_1, .width = 1.8 } },
    { "doubling", "doubling of the period", { .stroke = SLIP_INK_LINE_2, .width = 1.8 } },
    { "torus", "torus (Neimark-Sacker)", { .stroke = SLIP_INK_LINE_3, .width = 1.8 } },
    { "branching", "branching", { .stroke = SLIP_INK_GROUND, .width = 1.8, .dash = 2 } },
    { "hopf", "hopf: the orbit shrinks to a point", { .stroke = SLIP_INK_GROUND, .width = 1.8, .dash = 4 } },
    { "grazing", "grazing", { .stroke = SLIP_INK_LINE_4, .width = 1.8 } },
    { "stop", "stop", { .stroke = SLIP_INK_LINE_5, .width = 1.8 } },
    { "sticking", "sticking", { .stroke = SLIP_INK_LINE_6, .width = 1.8 } },
    { "border", "other change of events", { .stroke = SLIP_INK_GROUND, .width = 1.8 } },
    { SLIP_PLANE_INCONSISTENT,
      "contact problem without a solution on one side",
      { .stroke = SLIP_INK_ACCENT, .width = 1.8, .dash = 6 } },
    { SLIP_PLANE_AMBIGUOUS,
      "contact problem with several solutions on one side",
      { .stroke = SLIP_INK_BODY, .width = 1.8, .dash = 6 } },
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

typedef struct sheet {
    slip_picture *picture;
    double top, low[2], high[2];
} sheet;

static int kind_of(const slip_plane_curve *c)
{
    for (int k = 0; k < KIND_COUNT; k++)
        if (strcmp(KINDS[k].kind, c->kind) == 0) return k;
    return KIND_COUNT - 1;
}

static double across(const sheet *s, double x)
{
    return LEFT + (x - s->low[0]) / (s->high[0] - s->low[0]) * (s->picture->width - RIGHT - LEFT);
}

static double down(const sheet *s, double y)
{
    const double bottom = s->picture->height - BOTTOM;
    return bottom - (y - s->low[1]) / (s->high[1] - s->low[1]) * (bottom - s->top);
}

static void with_air(double a, double b, double *low, double *high)
{
    const double air = 0.04 * fabs(b - a);
    *low = fmin(a, b) - air, *high = fmax(a, b) + air;
}

static void draw_axis(const sheet *on, int axis, const char *name)
{
    const slip_ticks ticks = slip_ticks_of(on->low[axis], on->high[axis], axis ? 6 : 8);
    const double right = on->picture->width - RIGHT, bottom = on->picture->height - BOTTOM;
    char text[64], scale[32] = "";
    for (int k = 0; k < ticks.count; k++) {
        const double at = axis ? down(on, ticks.at[k]) : across(on, ticks.at[k]);
        slip_tick_text(&ticks, ticks.at[k], text, sizeof text);
        if (axis) {
            slip_picture_line(on->picture, GRID, LEFT, at, right, at);
            slip_picture_label(on->picture, SLIP_INK_MUTED, SMALL, 1, 0, LEFT - 7, at + 4, "%s", text);
        } else {
            slip_picture_line(on->picture, GRID, at, on->top, at, bottom);
            slip_picture_label(on->picture, SLIP_INK_MUTED, SMALL, 0, 0, at, bottom + 20, "%s", text);
        }
    }
    if (ticks.exponent) snprintf(scale, sizeof scale, ", 1e%d", ticks.exponent);
    slip_picture_label(on->picture, SLIP_INK_INK, TEXT, 0, axis, axis ? 20 : 0.5 * (LEFT + right),
                       axis ? 0.5 * (on->top + bottom) : bottom + 40, "%s%s", name, scale);
}

// its line, and its points, so that one that is alone is seen too
static void draw_curve(const sheet *on, const slip_plane_curve *c)
{
    const slip_pen pen = KINDS[kind_of(c)].pen;
    slip_picture_begin(on->picture, pen, false);
    for (int k = 0; k < c->point_count; k++)
        slip_picture_point(on->picture, across(on, c->points[k].along), down(on, c->points[k].across));
    for (int k = 0; k < c->point_count; k++)
        slip_picture_circle(on->picture, (slip_pen){ .fill = pen.stroke }, across(on, c->points[k].along),
                            down(on, c->points[k].across), 2.2);
}

static int draw_legend(slip_picture *p, const slip_plane *plane)
{
    bool shown[KIND_COUNT] = { false };
    int lines = 0;
    for (int k = 0; k < plane->curve_count; k++) shown[kind_of(&plane->curves[k])] = true;
    for (int k = 0; k < KIND_COUNT; k++) {
        if (!shown[k]) continue;
        const double y = TOP + LEGEND * lines++ - 6;
        slip_picture_line(p, KINDS[k].pen, LEFT, y, LEFT + 26, y);
        slip_picture_label(p, SLIP_INK_INK, TEXT, -1, 0, LEFT + 34, y + 4, "%s", KINDS[k].text);
    }
    return lines;
}

slip_status slip_plane_picture(const char *path, const slip_plane *plane, const char *title,
                               slip_error *error)
{
    slip_status status = slip_picture_check_name(path, error);
    if (status != SLIP_OK) return status;
    slip_picture p = { .width = WIDTH, .height = HEIGHT };
    sheet on = { .picture = &p };
    on.top = TOP + LEGEND * draw_legend(&p, plane);
    with_air(plane->from, plane->to, &on.low[0], &on.high[0]);
    with_air(plane->rows[0], plane->rows[plane->row_count - 1], &on.low[1], &on.high[1]);
    draw_axis(&on, 0, plane->along);
    draw_axis(&on, 1, plane->across);
    for (int k = 0; k < plane->curve_count; k++) draw_curve(&on, &plane->curves[k]);
    slip_picture_label(&p, SLIP_INK_INK, 15, -1, 0, LEFT, 24, "%s", title);
    status = slip_picture_write(path, &p, title, error);
    slip_picture_destroy(&p);
    return status;
}
