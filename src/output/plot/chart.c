/// output/plot/chart.c: two axes with a legend above them, and how special points are drawn on them.
#include "output/plot/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "slipstick/two_parameter.h"
#include "output/plot/plot.h"
#include "output/plot/plot_tolerances.h"

enum { WIDTH = 800, HEIGHT = 560, LEFT = 74, RIGHT = 20, TOP = 46, BOTTOM = 52, LEGEND = 18 };

static const double TEXT_SIZE = 12.0, SMALL_TEXT_SIZE = 11.0;
static const slip_pen GRID_PEN = { .stroke = SLIP_INK_GRID, .width = 1 };

static const slip_special_point_style STYLES[SLIP_SPECIAL_POINT_STYLES] = {
    { "fold", "fold", { .stroke = SLIP_INK_LINE_1, .width = 1.8 } },
    { "doubling", "doubling of the period", { .stroke = SLIP_INK_LINE_2, .width = 1.8 } },
    { "torus", "torus (Neimark-Sacker)", { .stroke = SLIP_INK_LINE_3, .width = 1.8 } },
    { "branching", "branching", { .stroke = SLIP_INK_GROUND, .width = 1.8, .dash = 2 } },
    { "hopf", "hopf: the orbit shrinks to a point", { .stroke = SLIP_INK_GROUND, .width = 1.8, .dash = 4 } },
    { "grazing", "grazing", { .stroke = SLIP_INK_LINE_4, .width = 1.8 } },
    { "stop", "stop", { .stroke = SLIP_INK_LINE_5, .width = 1.8 } },
    { "sticking", "sticking", { .stroke = SLIP_INK_LINE_6, .width = 1.8 } },
    { SLIP_TWO_PARAMETER_INCONSISTENT,
      "contact problem without a solution on one side",
      { .stroke = SLIP_INK_ACCENT, .width = 1.8, .dash = 6 } },
    { SLIP_TWO_PARAMETER_AMBIGUOUS,
      "contact problem with several solutions on one side",
      { .stroke = SLIP_INK_BODY, .width = 1.8, .dash = 6 } },
    { "end", "end: not followed further", { .stroke = SLIP_INK_MUTED, .width = 1.8 } },
    { "border", "other change of events", { .stroke = SLIP_INK_GROUND, .width = 1.8 } },
};

const slip_special_point_style *slip_special_point_style_at(int k)
{
    return &STYLES[k];
}

int slip_special_point_style_of(const char *kind)
{
    for (int k = 0; k < SLIP_SPECIAL_POINT_STYLES; k++)
        if (strcmp(STYLES[k].kind, kind) == 0) return k;
    return SLIP_SPECIAL_POINT_STYLES - 1;
}

void slip_chart_begin(slip_chart *s, slip_picture *picture, const char *title)
{
    picture->width = WIDTH, picture->height = HEIGHT;
    *s = (slip_chart){ .picture = picture, .top = TOP };
    slip_picture_label(picture, SLIP_INK_INK, 15, -1, 0, LEFT, 24, "%s", title);
}

void slip_chart_legend(slip_chart *s, slip_pen pen, bool dot, const char *text)
{
    const double y = TOP + LEGEND * s->lines++ - 6;
    if (dot)
        slip_picture_circle(s->picture, pen, LEFT + 13, y, 4.0);
    else
        slip_picture_line(s->picture, pen, LEFT, y, LEFT + 26, y);
    slip_picture_label(s->picture, SLIP_INK_INK, TEXT_SIZE, -1, 0, LEFT + 34, y + 4, "%s", text);
    s->top = TOP + LEGEND * s->lines;
}

void slip_chart_range(slip_chart *s, int axis, double a, double b)
{
    const double air = a != b ? CHART_MARGIN_OF_RANGE * fabs(b - a) : MARGIN_OF_VALUE * fmax(fabs(a), 1.0);
    s->low[axis] = fmin(a, b) - air, s->high[axis] = fmax(a, b) + air;
}

double slip_chart_x(const slip_chart *s, double x)
{
    return LEFT + (x - s->low[0]) / (s->high[0] - s->low[0]) * (s->picture->width - RIGHT - LEFT);
}

double slip_chart_y(const slip_chart *s, double y)
{
    const double bottom = s->picture->height - BOTTOM;
    return bottom - (y - s->low[1]) / (s->high[1] - s->low[1]) * (bottom - s->top);
}

void slip_chart_axis(const slip_chart *s, int axis, const char *name)
{
    const slip_ticks ticks = slip_ticks_of(s->low[axis], s->high[axis], axis ? 6 : 8);
    const double right = s->picture->width - RIGHT, bottom = s->picture->height - BOTTOM;
    char text[64], scale[32] = "";
    for (int k = 0; k < ticks.count; k++) {
        const double at = axis ? slip_chart_y(s, ticks.at[k]) : slip_chart_x(s, ticks.at[k]);
        slip_tick_text(&ticks, ticks.at[k], text, sizeof text);
        if (axis) {
            slip_picture_line(s->picture, GRID_PEN, LEFT, at, right, at);
            slip_picture_label(s->picture, SLIP_INK_MUTED, SMALL_TEXT_SIZE, 1, 0, LEFT - 7, at + 4, "%s",
                               text);
        } else {
            slip_picture_line(s->picture, GRID_PEN, at, s->top, at, bottom);
            slip_picture_label(s->picture, SLIP_INK_MUTED, SMALL_TEXT_SIZE, 0, 0, at, bottom + 20, "%s",
                               text);
        }
    }
    if (ticks.exponent) snprintf(scale, sizeof scale, ", 1e%d", ticks.exponent);
    slip_picture_label(s->picture, SLIP_INK_INK, TEXT_SIZE, 0, axis, axis ? 20 : 0.5 * (LEFT + right),
                       axis ? 0.5 * (s->top + bottom) : bottom + 40, "%s%s", name, scale);
}
