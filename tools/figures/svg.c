#include "svg.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void svg_add(svg_curve *curve, double x, double y)
{
    if (curve->count == curve->room) {
        curve->room = curve->room ? 2 * curve->room : 1024;
        curve->x = realloc(curve->x, (size_t)curve->room * sizeof *curve->x);
        curve->y = realloc(curve->y, (size_t)curve->room * sizeof *curve->y);
        if (!curve->x || !curve->y) abort(); // a tool at the desk, not a library
    }
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
}

void svg_free(svg_curve *curve)
{
    free(curve->x);
    free(curve->y);
    *curve = (svg_curve){ 0 };
}

static double px(const svg_axes *a, double x)
{
    return a->left + (x - a->x0) / (a->x1 - a->x0) * a->width;
}
static double py(const svg_axes *a, double y)
{
    return a->top + (a->y1 - y) / (a->y1 - a->y0) * a->height;
}

// Colours stand in classes and not in variables, which many viewers other than browsers do not know. The ramp
// r1 .. r4 is one hue from weak to strong, for a parameter that grows.
static const struct {
    const char *name, *light, *dark;
} colours[] = {
    { "c1", "#2a6fcb", "#5b9cf0" }, { "c2", "#d9622b", "#ef8a55" }, { "r1", "#8fbaf0", "#3069b8" },
    { "r2", "#5b97e5", "#5b9cf0" }, { "r3", "#2a6fcb", "#93bff8" }, { "r4", "#123f7d", "#d3e5fd" },
};

static void print_colours(FILE *out, bool dark)
{
    for (size_t k = 0; k < sizeof colours / sizeof *colours; k++) {
        const char *colour = dark ? colours[k].dark : colours[k].light;
        fprintf(out, "  polyline.%s { stroke: %s } text.%s { fill: %s }\n", colours[k].name, colour,
                colours[k].name, colour);
    }
}

void svg_begin(FILE *out, int width, int height, const char *title, const char *description)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "role=\"img\">\n"
            "<title>%s</title>\n<desc>%s</desc>\n<style>\n"
            "  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #6b6a64 }\n"
            "  .label { font-weight: 600; paint-order: stroke; stroke: #fcfcfb; stroke-width: 3px } .title { "
            "font-size: 16px; font-weight: 600; fill: #1b1b19 }\n"
            "  .ground { fill: #fcfcfb } .grid { stroke: #e4e3de } .axis { stroke: #b9b8b1 }\n"
            "  polyline { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }\n",
            width, height, width, height, title, description);
    print_colours(out, false);
    fprintf(out, "@media (prefers-color-scheme: dark) {\n"
                 "  text { fill: #a3a29b } .label { stroke: #15171a } .title { fill: #f1f0ec } .ground { "
                 "fill: #15171a }\n"
                 "  .grid { stroke: #2b2d31 } .axis { stroke: #54565a }\n");
    print_colours(out, true);
    fprintf(out, "}\n</style>\n<rect class=\"ground\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", width,
            height);
}

// a sum of ticks that misses 0 by a rounding is 0
static double near_zero(double value, double tick)
{
    return fabs(value) < 1e-9 * tick ? 0 : value;
}

void svg_draw_axes(FILE *out, const svg_axes *a)
{
    double bottom = a->top + a->height;
    for (int k = 0; a->y0 + k * a->y_tick <= a->y1 + 1e-9 * a->y_tick; k++) {
        double y = near_zero(a->y0 + k * a->y_tick, a->y_tick), at = py(a, y);
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", a->left,
                a->left + a->width, at, at);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", a->left - 8, at + 4, y);
    }
    fprintf(out, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", a->left,
            a->left + a->width, bottom, bottom);
    for (int k = 0; a->x0 + k * a->x_tick <= a->x1 + 1e-9 * a->x_tick; k++) {
        double x = near_zero(a->x0 + k * a->x_tick, a->x_tick);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>\n", px(a, x), bottom + 19,
                x);
    }
    fprintf(out, "<text class=\"title\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", a->left - 34, a->top - 46,
            a->title);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", a->left - 34, a->top - 26, a->subtitle);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", a->left + a->width,
            bottom + 36, a->x_label);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", a->left + 4, a->top - 5, a->y_label);
}

// Douglas-Peucker: keeps the points that lie further than `reach` pixels from the line of their neighbours
static void thin(const svg_axes *a, const svg_curve *c, bool *keep, int first, int last, double reach)
{
    double ax = px(a, c->x[first]), ay = py(a, c->y[first]);
    double bx = px(a, c->x[last]) - ax, by = py(a, c->y[last]) - ay, length = hypot(bx, by), worst = reach;
    int at = -1;
    for (int k = first + 1; k < last; k++) {
        double x = px(a, c->x[k]) - ax, y = py(a, c->y[k]) - ay;
        double along = length > 0 ? fmin(fmax((x * bx + y * by) / (length * length), 0), 1) : 0;
        double off = hypot(x - along * bx, y - along * by); // from the piece between them, not its whole line
        if (off > worst) {
            worst = off;
            at = k;
        }
    }
    if (at < 0) return;
    keep[at] = true;
    thin(a, c, keep, first, at, reach);
    thin(a, c, keep, at, last, reach);
}

void svg_draw_curve(FILE *out, const svg_axes *axes, const svg_curve *curve, const char *class_name)
{
    if (curve->count < 2) return;
    bool *keep = calloc((size_t)curve->count, sizeof *keep);
    if (!keep) abort();
    keep[0] = keep[curve->count - 1] = true;
    thin(axes, curve, keep, 0, curve->count - 1, 0.1);
    fprintf(out, "<polyline class=\"%s\" points=\"", class_name);
    for (int k = 0, written = 0; k < curve->count; k++) {
        if (keep[k])
            fprintf(out, "%s%.1f,%.1f", written++ % 12 ? " " : "\n", px(axes, curve->x[k]),
                    py(axes, curve->y[k]));
    }
    fprintf(out, "\"/>\n");
    free(keep);
}

void svg_draw_text(FILE *out, const svg_axes *axes, double x, double y, double dx, double dy,
                   const char *anchor, const char *class_name, const char *text)
{
    fprintf(out, "<text class=\"label %s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", class_name,
            px(axes, x) + dx, py(axes, y) + dy, anchor, text);
}

void svg_draw_band(FILE *out, const svg_axes *axes, double x0, double x1)
{
    fprintf(out,
            "<rect fill=\"#808080\" opacity=\"0.2\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            px(axes, x0), axes->top, px(axes, x1) - px(axes, x0), axes->height);
}

void svg_end(FILE *out)
{
    fprintf(out, "</svg>\n");
}
