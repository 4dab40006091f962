/// svg.h: line plots as SVG, readable in light and dark, in a handful of calls.
#ifndef SLIPSTICK_TOOLS_SVG_H
#define SLIPSTICK_TOOLS_SVG_H

#include <stdio.h>

typedef struct svg_curve {
    double *x, *y;
    int count, room;
} svg_curve;

void svg_add(svg_curve *curve, double x, double y);
void svg_free(svg_curve *curve);

/// A rectangle of the picture, in pixels, with its ranges, in units of the data.
typedef struct svg_axes {
    double left, top, width, height;
    double x0, x1, y0, y1;
    double x_tick, y_tick;
    const char *title, *subtitle, *x_label, *y_label;
} svg_axes;

void svg_begin(FILE *out, int width, int height, const char *title, const char *description);
void svg_draw_axes(FILE *out, const svg_axes *axes);

/// The curve in a class of the style sheet (c1, c2, r1 .. r4), thinned to what can be seen: 0.1 pixel.
void svg_draw_curve(FILE *out, const svg_axes *axes, const svg_curve *curve, const char *class_name);

/// Text at a point of the data, shifted by pixels; `anchor` is start, middle or end.
void svg_draw_text(FILE *out, const svg_axes *axes, double x, double y, double dx, double dy,
                   const char *anchor, const char *class_name, const char *text);
/// A band over the height of the axes, between two values of x.
void svg_draw_band(FILE *out, const svg_axes *axes, double x0, double x1);
void svg_end(FILE *out);

#endif
