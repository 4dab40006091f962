/// study/analysis/domain_map_files.c: a map as CSV and as a picture.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/analysis/domain_map.h"
#include "base/status.h"
#include "base/text.h"

slip_status slip_domain_map_write_csv(const slip_domain_map *m, const char *path, slip_error *error)
{
    const slip_domain_axis *x = slip_domain_map_axis(m, 0), *y = slip_domain_map_axis(m, 1);
    slip_text text = { 0 };
    slip_text_add(&text, "%s,%s,domain,solutions,force\n", x->name, y->name);
    for (int j = 0; j < y->count; j++)
        for (int i = 0; i < x->count; i++) {
            slip_domain_point p = slip_domain_map_point(m, i, j);
            for (int k = 0; k < 2; k++) slip_text_number(&text, p.at[k]), slip_text_bytes(&text, ",", 1);
            slip_text_add(&text, "%s,%d,", slip_domain_name(p.domain), p.solutions);
            if (isfinite(p.force)) slip_text_number(&text, p.force);
            slip_text_add(&text, "\n");
        }
    return slip_text_write(&text, path, error);
}

enum { PLOT_LEFT = 70, PLOT_TOP = 20, PLOT_WIDTH = 560, PLOT_HEIGHT = 380, PLOT_BOTTOM = 90 };

// one rectangle for a stretch of equal cells in a row
static void draw_cells(slip_text *out, const slip_domain_map *m, bool several)
{
    static const char *const colour[] = { "#9ecae1", "#f2f0e6", "#d6604d", "#bbbbbb" };
    int nx = slip_domain_map_axis(m, 0)->count, ny = slip_domain_map_axis(m, 1)->count;
    double w = (double)PLOT_WIDTH / nx, h = (double)PLOT_HEIGHT / ny;
    for (int j = 0; j < ny; j++)
        for (int i = 0, k; i < nx; i = k) {
            slip_domain_point p = slip_domain_map_point(m, i, j);
            bool many = p.solutions > 1;
            for (k = i + 1; k < nx; k++) {
                slip_domain_point next = slip_domain_map_point(m, k, j);
                if (next.domain != p.domain || (next.solutions > 1) != many) break;
            }
            if (several && !many) continue;
            slip_text_add(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
                          PLOT_LEFT + w * i, PLOT_TOP + PLOT_HEIGHT - h * (j + 1), w * (k - i) + 0.3, h + 0.3,
                          several ? "url(#many)" : colour[p.domain]);
        }
}

static void draw_map_axes(slip_text *out, const slip_domain_map *m)
{
    slip_text_add(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333\"/>\n",
                  PLOT_LEFT, PLOT_TOP, PLOT_WIDTH, PLOT_HEIGHT);
    for (int k = 0; k <= 4; k++) {
        const slip_domain_axis *x = slip_domain_map_axis(m, 0), *y = slip_domain_map_axis(m, 1);
        double px = PLOT_LEFT + PLOT_WIDTH * k / 4.0, py = PLOT_TOP + PLOT_HEIGHT - PLOT_HEIGHT * k / 4.0;
        slip_text_add(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.4g</text>\n", px,
                      PLOT_TOP + PLOT_HEIGHT + 18, x->low + (x->high - x->low) * k / 4.0);
        slip_text_add(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n", PLOT_LEFT - 6,
                      py + 4, y->low + (y->high - y->low) * k / 4.0);
    }
    slip_text_add(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                  PLOT_LEFT + PLOT_WIDTH / 2, PLOT_TOP + PLOT_HEIGHT + 38, slip_domain_map_axis(m, 0)->name);
    slip_text_add(
        out, "<text x=\"16\" y=\"%d\" transform=\"rotate(-90 16 %d)\" text-anchor=\"middle\">%s</text>\n",
        PLOT_TOP + PLOT_HEIGHT / 2, PLOT_TOP + PLOT_HEIGHT / 2, slip_domain_map_axis(m, 1)->name);
}

static void draw_map_legend(slip_text *out)
{
    static const struct {
        const char *fill, *text;
    } entries[] = { { "#9ecae1", "contact holds" },
                    { "#f2f0e6", "contact vanishes" },
                    { "#d6604d", "no solution" },
                    { "url(#many)", "several (LCP)" } };
    int x = PLOT_LEFT;
    for (int k = 0; k < 4; k++) {
        slip_text_add(out,
                      "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\" stroke=\"#333\"/>\n", x,
                      PLOT_TOP + PLOT_HEIGHT + 56, entries[k].fill);
        slip_text_add(out, "<text x=\"%d\" y=\"%d\">%s</text>\n", x + 20, PLOT_TOP + PLOT_HEIGHT + 68,
                      entries[k].text);
        x += 36 + 8 * (int)strlen(entries[k].text);
    }
}

slip_status slip_domain_map_write_svg(const slip_domain_map *m, const char *path, slip_error *error)
{
    slip_text out = { 0 };
    slip_text_add(
        &out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
        "font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
        "<defs><pattern id=\"many\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
        "<path d=\"M0 6L6 0\" stroke=\"#333\" stroke-width=\"0.8\"/></pattern></defs>\n",
        PLOT_LEFT + PLOT_WIDTH + 30, PLOT_TOP + PLOT_HEIGHT + PLOT_BOTTOM);
    draw_cells(&out, m, false);
    draw_cells(&out, m, true);
    draw_map_axes(&out, m);
    draw_map_legend(&out);
    slip_text_add(&out, "</svg>\n");
    return slip_text_write(&out, path, error);
}
