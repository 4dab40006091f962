/// study/fit/fit_plot.c: data over the model, and the residuals, as a picture that is readable in light and dark.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "slipstick/fit.h"

enum {
    PLOT_LEFT = 84,
    PLOT_TOP = 40,
    PLOT_WIDTH = 640,
    PANEL_HEIGHT = 180,
    PANEL_SPACING = 64,
    PLOT_RIGHT = 24
};

// XML text of a name out of a data file
static void add_escaped_name(slip_text *out, const char *name)
{
    for (; *name; name++)
        if (strchr("<&>", *name))
            slip_text_add(out, "&#%d;", *name);
        else
            slip_text_add(out, "%c", *name);
}

/// One panel: where it lies, and which values it shows.
typedef struct panel {
    double top, height;
    double first, along;    // time at its left, points per second
    double low, high, unit; // values at its borders, points per unit
} panel;

static panel lay_panel(const slip_fit_data *data, double top, double height, double low, double high)
{
    double first = data->t[0], last = data->t[data->rows - 1];
    panel p = { .top = top, .height = height, .first = first, .low = low, .high = high };
    p.along = last > first ? PLOT_WIDTH / (last - first) : 0.0;
    p.unit = high > low ? 0.96 * height / (high - low) : 0.0;
    return p;
}

static double x_of(const panel *p, double t)
{
    return PLOT_LEFT + (t - p->first) * p->along;
}

static double y_of(const panel *p, double value)
{
    return p->top + 0.5 * p->height - (value - 0.5 * (p->low + p->high)) * p->unit;
}

static void draw_panel_axes(slip_text *out, const panel *p, const slip_fit_data *data, bool times)
{
    double last = data->t[data->rows - 1], bottom = p->top + p->height;
    slip_text_add(out, "<path class=\"axis\" d=\"M%d %.1fV%.1fH%d\"/>\n", PLOT_LEFT, p->top, bottom,
                  PLOT_LEFT + PLOT_WIDTH);
    for (int k = 0; k <= 2; k++) {
        double value = p->low + (p->high - p->low) * k / 2.0;
        slip_text_add(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n", PLOT_LEFT - 8,
                      y_of(p, value) + 4, value);
    }
    for (int k = 0; k <= 4 && times; k++)
        slip_text_add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.4g</text>\n",
                      PLOT_LEFT + PLOT_WIDTH * k / 4.0, bottom + 18, p->first + (last - p->first) * k / 4.0);
}

static void draw_title(slip_text *out, const panel *p, const char *name, const char *text)
{
    slip_text_add(out, "<text class=\"title\" x=\"%d\" y=\"%.1f\">", PLOT_LEFT, p->top - 10);
    add_escaped_name(out, name);
    slip_text_add(out, "%s</text>\n", text);
}

// the data as dots on the line of the model
static void draw_overlay(slip_text *out, const slip_fit *fit, const slip_fit_data *data, int column,
                         double top)
{
    int c = data->columns;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < data->rows; i++) {
        double y = data->value[i * c + column], model = y - fit->residual[i * c + column];
        low = fmin(low, fmin(y, model));
        high = fmax(high, fmax(y, model));
    }
    panel p = lay_panel(data, top, PANEL_HEIGHT, low, high);
    draw_panel_axes(out, &p, data, false);
    draw_title(out, &p, data->name[column], ": data (dots) and model (line)");
    for (int i = 0; i < data->rows; i++)
        slip_text_add(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2\"/>\n", x_of(&p, data->t[i]),
                      y_of(&p, data->value[i * c + column]));
    slip_text_add(out, "<path class=\"model\" d=\"");
    for (int i = 0; i < data->rows; i++)
        slip_text_add(out, "%c%.2f %.2f", i ? 'L' : 'M', x_of(&p, data->t[i]),
                      y_of(&p, data->value[i * c + column] - fit->residual[i * c + column]));
    slip_text_add(out, "\"/>\n");
}

static void draw_residuals(slip_text *out, const slip_fit *fit, const slip_fit_data *data, int column,
                           double top)
{
    int c = data->columns;
    double most = 0.0, squares = 0.0;
    for (int i = 0; i < data->rows; i++) {
        double r = fit->residual[i * c + column];
        most = fmax(most, fabs(r));
        squares += r * r;
    }
    double rms = sqrt(squares / data->rows);
    char text[96];
    panel p = lay_panel(data, top, PANEL_HEIGHT, -most, most);
    slip_text_add(out, "<rect class=\"band\" x=\"%d\" y=\"%.2f\" width=\"%d\" height=\"%.2f\"/>\n", PLOT_LEFT,
                  y_of(&p, rms), PLOT_WIDTH, 2.0 * rms * p.unit);
    draw_panel_axes(out, &p, data, true);
    snprintf(text, sizeof text, ", data minus model over t; band: rms %.4g", rms);
    draw_title(out, &p, data->name[column], text);
    for (int i = 0; i < data->rows; i++)
        slip_text_add(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2\"/>\n", x_of(&p, data->t[i]),
                      y_of(&p, fit->residual[i * c + column]));
}

slip_status slip_fit_write_svg(const slip_fit *fit, const slip_fit_data *data, const char *path,
                               slip_error *error)
{
    int width = PLOT_LEFT + PLOT_WIDTH + PLOT_RIGHT,
        height = PLOT_TOP + data->columns * 2 * (PANEL_HEIGHT + PANEL_SPACING);
    slip_text out = { 0 };
    slip_text_add(
        &out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "role=\"img\">\n<title>A fit: data, model, residuals</title>\n<style>\n"
        "  text { font: 13px sans-serif; fill: #6b6a64 } .title { fill: #1b1b19; font-weight: 600 }\n"
        "  .ground { fill: #fcfcfb } .band { fill: #e3ecf8 } .axis { stroke: #b9b8b1; fill: none }\n"
        "  circle { fill: #2a6fcb } .model { stroke: #c8641e; stroke-width: 1.5; fill: none }\n@media "
        "(prefers-color-scheme: dark) {\n"
        "  text { fill: #a3a29b } .title { fill: #f1f0ec } .ground { fill: #15171a }\n"
        "  .band { fill: #1f2c3f } .axis { stroke: #54565a } circle { fill: #5b9cf0 }\n"
        "  .model { stroke: #f0a35b }\n}\n</style>\n"
        "<rect class=\"ground\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n",
        width, height, width, height, width, height);
    for (int k = 0; k < data->columns; k++) {
        double top = PLOT_TOP + k * 2 * (PANEL_HEIGHT + PANEL_SPACING);
        draw_overlay(&out, fit, data, k, top);
        draw_residuals(&out, fit, data, k, top + PANEL_HEIGHT + PANEL_SPACING);
    }
    slip_text_add(&out, "</svg>\n");
    return slip_text_write(&out, path, error);
}
