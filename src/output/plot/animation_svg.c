/// output/plot/animation_svg.c: a film as one SVG file that plays by itself, without a script.
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "output/plot/animation.h"

// d="" of a mark in one frame; what is not there is a place without a line
static void add_path(slip_text *out, const slip_picture *p, int mark)
{
    size_t before = out->length;
    slip_svg_path(out, p, &p->marks[mark]);
    if (out->length == before) slip_text_add(out, "M0 0");
}

static bool changes_between_frames(const slip_picture *frames, int count, int mark)
{
    const slip_mark *first = &frames[0].marks[mark];
    for (int k = 1; k < count; k++) {
        const slip_mark *other = &frames[k].marks[mark];
        size_t bytes = 2 * (size_t)first->count * sizeof(double);
        if (other->count != first->count ||
            (bytes && memcmp(frames[k].xy + 2 * other->first, frames[0].xy + 2 * first->first, bytes) != 0))
            return true;
    }
    return false;
}

static void add_moving(slip_text *out, const slip_picture *frames, int count, int mark, double seconds)
{
    slip_text_add(out, "<path ");
    slip_svg_pen(out, &frames[0].marks[mark].pen);
    slip_text_add(out, " d=\"");
    add_path(out, &frames[0], mark);
    slip_text_add(out,
                  "\"><animate attributeName=\"d\" dur=\"%gs\" repeatCount=\"indefinite\" "
                  "calcMode=\"discrete\" values=\"",
                  seconds);
    for (int k = 0; k < count; k++) {
        if (k) slip_text_add(out, ";");
        add_path(out, &frames[k], mark);
    }
    slip_text_add(out, "\"/></path>\n");
}

// the time: a column of texts behind a window of one line, moved by a line per frame
static void add_clock(slip_text *out, const slip_animation *f, double seconds)
{
    enum { LINE = 20 };
    double y = f->height - 12.0;
    int digits = f->to - f->from < 1 ? 3 : 2;
    slip_text_add(out,
                  "<clipPath id=\"clock\"><rect x=\"0\" y=\"%g\" width=\"92\" height=\"%d\"/></clipPath>\n"
                  "<g clip-path=\"url(#clock)\"><g font-size=\"13\" style=\"fill:var(--INK)\">",
                  y - 14, LINE - 1);
    slip_text_add(out,
                  "<animateTransform attributeName=\"transform\" type=\"translate\" dur=\"%gs\" "
                  "repeatCount=\"indefinite\" calcMode=\"discrete\" values=\"",
                  seconds);
    for (int k = 0; k < f->count; k++) slip_text_add(out, "%s0 %d", k ? ";" : "", -LINE * k);
    slip_text_add(out, "\"/>\n");
    for (int k = 0; k < f->count; k++)
        slip_text_add(out, "<text x=\"20\" y=\"%g\">%.*f s</text>", y + LINE * k, digits, f->time[k]);
    slip_text_add(out, "</g></g>\n");
}

slip_status slip_animation_write(const char *path, const slip_animation *f, slip_error *error)
{
    slip_picture *frames = calloc((size_t)f->count, sizeof *frames);
    slip_text out = { .failed = !frames };
    double seconds = f->count / f->rate;
    for (int k = 0; frames && k < f->count; k++) {
        slip_animation_draw_frame(f, k, &frames[k]);
        out.failed = out.failed || frames[k].failed;
    }
    if (!out.failed) {
        slip_svg_begin(&out, f->width, f->height, f->title);
        for (int k = 0; k < frames[0].mark_count; k++)
            if (changes_between_frames(frames, f->count, k))
                add_moving(&out, frames, f->count, k, seconds);
            else if (frames[0].marks[k].count > 0)
                slip_svg_mark(&out, &frames[0], &frames[0].marks[k]);
        add_clock(&out, f, seconds);
        slip_text_add(&out, "</svg>\n");
    }
    for (int k = 0; frames && k < f->count; k++) slip_picture_destroy(&frames[k]);
    free(frames);
    return slip_text_write(&out, path, error);
}
