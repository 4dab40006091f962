/// output/plot/picture.c: a picture as a list of lines, areas and texts.
#include "output/plot/picture.h"

#include <math.h>
#include <stdlib.h>

void slip_picture_destroy(slip_picture *p)
{
    free(p->marks);
    free(p->xy);
    slip_text_destroy(&p->text);
    *p = (slip_picture){ 0 };
}

// room for one more of `size` bytes each
static bool reserve_one(slip_picture *p, void **list, int count, int *room, size_t size)
{
    if (count < *room) return true;
    int wanted = *room ? 2 * *room : 64;
    void *bigger = wanted > 0 && wanted < 1 << 28 ? realloc(*list, (size_t)wanted * size) : NULL;
    if (!bigger) {
        p->failed = true;
        return false;
    }
    *list = bigger;
    *room = wanted;
    return true;
}

static slip_mark *add_mark(slip_picture *p, slip_mark_kind kind, slip_pen pen)
{
    if (!reserve_one(p, (void **)&p->marks, p->mark_count, &p->mark_room, sizeof *p->marks)) return NULL;
    slip_mark *mark = &p->marks[p->mark_count++];
    *mark = (slip_mark){ .kind = kind, .pen = pen, .first = p->point_count };
    return mark;
}

void slip_picture_begin(slip_picture *p, slip_pen pen, bool closed)
{
    slip_mark *mark = add_mark(p, SLIP_MARK_PATH, pen);
    if (mark) mark->closed = closed;
}

void slip_picture_point(slip_picture *p, double x, double y)
{
    if (p->failed || !reserve_one(p, (void **)&p->xy, p->point_count, &p->point_room, 2 * sizeof *p->xy))
        return;
    p->xy[2 * p->point_count] = x;
    p->xy[2 * p->point_count++ + 1] = y;
    p->marks[p->mark_count - 1].count++;
}

void slip_picture_line(slip_picture *p, slip_pen pen, double x0, double y0, double x1, double y1)
{
    slip_picture_begin(p, pen, false);
    slip_picture_point(p, x0, y0);
    slip_picture_point(p, x1, y1);
}

void slip_picture_circle(slip_picture *p, slip_pen pen, double x, double y, double radius)
{
    if (!add_mark(p, SLIP_MARK_CIRCLE, pen)) return;
    slip_picture_point(p, x, y);
    slip_picture_point(p, radius, 0.0);
}

void slip_picture_label(slip_picture *p, slip_ink ink, double size, int anchor, int turned, double x,
                        double y, const char *format, ...)
{
    slip_mark *mark = add_mark(p, SLIP_MARK_TEXT, (slip_pen){ .fill = ink });
    if (!mark) return;
    mark->anchor = anchor, mark->turned = turned, mark->size = size;
    mark->text = p->text.length;
    va_list list;
    va_start(list, format);
    slip_text_add_list(&p->text, format, list);
    va_end(list);
    slip_text_bytes(&p->text, "", 1);
    p->failed = p->failed || p->text.failed;
    slip_picture_point(p, x, y);
}
