/// output/plot/svg.c: a picture as SVG that follows the reader's choice of light and dark.
#include <math.h>
#include <string.h>

#include "output/plot/picture.h"

static const char *const names[] = {
#define AS_CLASS(name, light, dark) #name,
    SLIP_INKS(AS_CLASS)
};

static void add_escaped(slip_text *out, const char *text)
{
    for (; *text; text++)
        if (strchr("<&>\"", *text))
            slip_text_add(out, "&#%d;", *text);
        else
            slip_text_bytes(out, text, 1);
}

// Colours are variables, so that a drawing may name them in attributes that are animated
void slip_svg_begin(slip_text *out, double width, double height, const char *title)
{
    slip_text_add(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
                  "height=\"%g\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n<title>",
                  width, height, width, height);
    add_escaped(out, title);
    slip_text_add(out, "</title>\n<style>\nsvg {");
#define AS_LIGHT(name, light, dark) slip_text_add(out, " --%s: %s;", #name, light);
    SLIP_INKS(AS_LIGHT)
    slip_text_add(out, " }\n@media (prefers-color-scheme: dark) { svg {");
#define AS_DARK(name, light, dark) slip_text_add(out, " --%s: %s;", #name, dark);
    SLIP_INKS(AS_DARK)
    slip_text_add(out, " } }\npath { stroke-linejoin: round; stroke-linecap: round; }\n</style>\n");
    slip_text_add(out, "<rect width=\"%g\" height=\"%g\" style=\"fill:var(--PAPER)\"/>\n", width, height);
}

void slip_svg_pen(slip_text *out, const slip_pen *pen)
{
    slip_text_add(out, "style=\"fill:%s%s%s;stroke:%s%s%s\" stroke-width=\"%g\"",
                  pen->fill ? "var(--" : "none", pen->fill ? names[pen->fill] : "", pen->fill ? ")" : "",
                  pen->stroke ? "var(--" : "none", pen->stroke ? names[pen->stroke] : "",
                  pen->stroke ? ")" : "", pen->width);
    if (pen->dash > 0.0) slip_text_add(out, " stroke-dasharray=\"%g %g\"", pen->dash, 0.7 * pen->dash);
}

void slip_svg_path(slip_text *out, const slip_picture *p, const slip_mark *mark)
{
    const double *xy = p->xy + 2 * mark->first;
    if (mark->kind == SLIP_MARK_CIRCLE) {
        double r = xy[2];
        if (isfinite(xy[0]) && isfinite(xy[1]) && isfinite(r))
            slip_text_add(out, "M%.2f %.2fa%.2f %.2f 0 1 0 %.2f 0a%.2f %.2f 0 1 0 %.2f 0", xy[0] - r, xy[1],
                          r, r, 2 * r, r, r, -2 * r);
        return;
    }
    char letter = 'M';
    bool some = false;
    for (int k = 0; k < mark->count; k++, xy += 2) {
        if (!isfinite(xy[0]) || !isfinite(xy[1])) {
            letter = 'M';
            continue;
        }
        slip_text_add(out, "%c%.2f %.2f", letter, xy[0], xy[1]);
        letter = 'L';
        some = true;
    }
    if (mark->closed && some) slip_text_add(out, "Z");
}

static void add_label(slip_text *out, const slip_picture *p, const slip_mark *mark)
{
    static const char *const anchors[] = { "start", "middle", "end" };
    const double *xy = p->xy + 2 * mark->first;
    slip_text_add(out,
                  "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" text-anchor=\"%s\" style=\"fill:var(--%s)\"",
                  xy[0], xy[1], mark->size, anchors[mark->anchor + 1], names[mark->pen.fill]);
    if (mark->turned) slip_text_add(out, " transform=\"rotate(-90 %.1f %.1f)\"", xy[0], xy[1]);
    slip_text_add(out, ">");
    add_escaped(out, p->text.data + mark->text);
    slip_text_add(out, "</text>\n");
}

void slip_svg_mark(slip_text *out, const slip_picture *p, const slip_mark *mark)
{
    if (mark->kind == SLIP_MARK_TEXT) {
        add_label(out, p, mark);
        return;
    }
    slip_text_add(out, "<path ");
    slip_svg_pen(out, &mark->pen);
    slip_text_add(out, " d=\"");
    slip_svg_path(out, p, mark);
    slip_text_add(out, "\"/>\n");
}

void slip_svg(slip_text *out, const slip_picture *p, const char *title)
{
    slip_svg_begin(out, p->width, p->height, title);
    for (int k = 0; k < p->mark_count; k++) slip_svg_mark(out, p, &p->marks[k]);
    slip_text_add(out, "</svg>\n");
}
