/// fit/plot.c: residuals as a picture, readable in light and dark.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "core/text.h"
#include "slipstick/fit.h"

enum { LEFT = 84, TOP = 40, WIDE = 640, HIGH = 180, GAP = 64, RIGHT = 24 };

// XML text of a name out of a data file
static void add_name(slip_text *out, const char *name)
{
    for (; *name; name++)
        if (strchr("<&>", *name))
            slip_text_add(out, "&#%d;", *name);
        else
            slip_text_add(out, "%c", *name);
}

static void draw_panel(slip_text *out, const slip_fit *fit, const slip_fit_data *data, int column)
{
    int c = data->columns;
    double most = 0.0, squares = 0.0, first = data->t[0], last = data->t[data->rows - 1];
    for (int i = 0; i < data->rows; i++) {
        double r = fit->residual[i * c + column];
        most = fmax(most, fabs(r));
        squares += r * r;
    }
    double rms = sqrt(squares / data->rows), top = TOP + column * (HIGH + GAP), middle = top + HIGH / 2.0;
    double unit = most > 0.0 ? 0.48 * HIGH / most : 0.0, along = last > first ? WIDE / (last - first) : 0.0;
    slip_text_add(out, "<rect class=\"band\" x=\"%d\" y=\"%.2f\" width=\"%d\" height=\"%.2f\"/>\n", LEFT,
                  middle - rms * unit, WIDE, 2.0 * rms * unit);
    slip_text_add(out, "<path class=\"axis\" d=\"M%d %.1fV%.1fM%d %.1fH%d\"/>\n", LEFT, top, top + HIGH, LEFT,
                  middle, LEFT + WIDE);
    for (int k = -1; k <= 1; k++)
        slip_text_add(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n", LEFT - 8,
                      middle - 0.48 * HIGH * k + 4, k * most);
    for (int k = 0; k <= 4; k++)
        slip_text_add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.4g</text>\n",
                      LEFT + WIDE * k / 4.0, top + HIGH + 18, first + (last - first) * k / 4.0);
    slip_text_add(out, "<text class=\"title\" x=\"%d\" y=\"%.1f\">", LEFT, top - 10);
    add_name(out, data->name[column]);
    slip_text_add(out, ", data minus model over t; band: rms %.4g</text>\n", rms);
    for (int i = 0; i < data->rows; i++)
        slip_text_add(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2\"/>\n", LEFT + (data->t[i] - first) * along,
                      middle - fit->residual[i * c + column] * unit);
}

static slip_status write_text(slip_text *text, const char *path, slip_error *error)
{
    char *all = slip_text_take(text);
    if (!all) return slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
    FILE *file = fopen(path, "w");
    int code = file ? 0 : errno;
    if (file && fputs(all, file) < 0) code = errno;
    if (file && fclose(file) != 0 && code == 0) code = errno;
    free(all);
    return code ? slip_fail(error, SLIP_IO, path, "%s", strerror(code)) : SLIP_OK;
}

slip_status slip_fit_write_svg(const slip_fit *fit, const slip_fit_data *data, const char *path,
                               slip_error *error)
{
    int width = LEFT + WIDE + RIGHT, height = TOP + data->columns * (HIGH + GAP);
    slip_text out = { 0 };
    slip_text_add(
        &out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "role=\"img\">\n<title>Residuals of a fit</title>\n<style>\n"
        "  text { font: 13px sans-serif; fill: #6b6a64 } .title { fill: #1b1b19; font-weight: 600 }\n"
        "  .ground { fill: #fcfcfb } .band { fill: #e3ecf8 } .axis { stroke: #b9b8b1; fill: none }\n"
        "  circle { fill: #2a6fcb }\n@media (prefers-color-scheme: dark) {\n"
        "  text { fill: #a3a29b } .title { fill: #f1f0ec } .ground { fill: #15171a }\n"
        "  .band { fill: #1f2c3f } .axis { stroke: #54565a } circle { fill: #5b9cf0 }\n}\n</style>\n"
        "<rect class=\"ground\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n",
        width, height, width, height, width, height);
    for (int k = 0; k < data->columns; k++) draw_panel(&out, fit, data, k);
    slip_text_add(&out, "</svg>\n");
    return write_text(&out, path, error);
}
