/// output/plot/plot_picture.c: a plot as a picture: panels one above another, events in a strip below.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/plot/picture.h"
#include "output/plot/plot.h"

enum {
    LEFT = 74,
    RIGHT = 20,
    TOP = 46,
    BOTTOM = 44,
    PANEL_SPACING = 16,
    LEGEND = 20,
    EVENT_STRIP_HEIGHT = 22
};
enum { WIDTH = 800, PANEL_HEIGHT = 170, MIN_WIDTH = 160, MIN_PANEL_HEIGHT = 40, MAX_SIZE = 10000 };

static const double TEXT_SIZE = 12.0, SMALL_TEXT_SIZE = 11.0;

/// Where a panel lies.
typedef struct frame {
    const slip_plot *plot;
    const slip_panel *panel;
    double left, right, top, bottom;
} frame;

static double x_of(const frame *f, double t)
{
    return f->left + (t - f->plot->from) / (f->plot->to - f->plot->from) * (f->right - f->left);
}

static double y_of(const frame *f, double value)
{
    return f->bottom - (value - f->panel->low) / (f->panel->high - f->panel->low) * (f->bottom - f->top);
}

static slip_ink line_ink(int k)
{
    return (slip_ink)(SLIP_INK_LINE_1 + k % SLIP_LINE_INKS);
}

static slip_pen line_pen(int k)
{
    return (slip_pen){ .stroke = line_ink(k), .width = 1.6, .dash = k >= SLIP_LINE_INKS ? 5.0 : 0.0 };
}

// ------------------------------------------------------------------------------------------------ axes

static void draw_values(slip_picture *p, const frame *f)
{
    slip_ticks ticks = slip_ticks_of(f->panel->low, f->panel->high, f->bottom - f->top > 120 ? 5 : 3);
    char text[64];
    for (int k = 0; k < ticks.count; k++) {
        double y = y_of(f, ticks.at[k]);
        slip_picture_line(p, (slip_pen){ .stroke = SLIP_INK_GRID, .width = 1 }, f->left, y, f->right, y);
        slip_tick_text(&ticks, ticks.at[k], text, sizeof text);
        slip_picture_label(p, SLIP_INK_MUTED, SMALL_TEXT_SIZE, 1, 0, f->left - 7, y + 4, "%s", text);
    }
    const slip_panel *panel = f->panel;
    double middle = 0.5 * (f->top + f->bottom);
    char scale[24] = "";
    if (ticks.exponent) snprintf(scale, sizeof scale, "1e%d ", ticks.exponent);
    const char *name = panel->count == 1 ? f->plot->table->name[panel->column[0]] : "";
    if (name[0] || panel->unit[0] || scale[0])
        slip_picture_label(p, SLIP_INK_INK, TEXT_SIZE, 0, 1, 20, middle, "%s%s%s%s", name,
                           name[0] && (panel->unit[0] || scale[0]) ? ", " : "", scale, panel->unit);
}

static void draw_times(slip_picture *p, const frame *f, bool labels)
{
    slip_ticks ticks = slip_ticks_of(f->plot->from, f->plot->to, 8);
    char text[64];
    for (int k = 0; k < ticks.count; k++) {
        double x = x_of(f, ticks.at[k]);
        slip_picture_line(p, (slip_pen){ .stroke = SLIP_INK_GRID, .width = 1 }, x, f->top, x, f->bottom);
        slip_tick_text(&ticks, ticks.at[k], text, sizeof text);
        if (labels)
            slip_picture_label(p, SLIP_INK_MUTED, SMALL_TEXT_SIZE, 0, 0, x, f->bottom + 17, "%s", text);
    }
    if (!labels) return;
    char scale[24] = "";
    if (ticks.exponent) snprintf(scale, sizeof scale, "1e%d ", ticks.exponent);
    slip_picture_label(p, SLIP_INK_INK, TEXT_SIZE, 0, 0, 0.5 * (f->left + f->right), f->bottom + 36, "t, %ss",
                       scale);
}

static void draw_box(slip_picture *p, const frame *f)
{
    slip_picture_begin(p, (slip_pen){ .stroke = SLIP_INK_MUTED, .width = 1 }, false);
    slip_picture_point(p, f->left, f->top);
    slip_picture_point(p, f->left, f->bottom);
    slip_picture_point(p, f->right, f->bottom);
}

// ------------------------------------------------------------------------------------------------ lines

// every row while there are few; else first, least, largest and last of each half point
static void draw_line(slip_picture *p, const frame *f, int column, int number)
{
    const double *time = f->plot->table->column[0], *value = f->plot->table->column[column];
    long rows = f->plot->end - f->plot->first, row = f->plot->first;
    double places = 2.0 * (f->right - f->left);
    slip_picture_begin(p, line_pen(number), false);
    if ((double)rows < 4.0 * places) {
        for (; row < f->plot->end; row++) slip_picture_point(p, x_of(f, time[row]), y_of(f, value[row]));
        return;
    }
    for (int k = 0; k < (int)places; k++) {
        double b =
            k + 1 < (int)places ? f->plot->from + (f->plot->to - f->plot->from) * (k + 1) / places : INFINITY;
        long begin = row;
        double low, high;
        if (!slip_plot_extent(f->plot, column, &row, b, &low, &high)) {
            if (row > begin) slip_picture_point(p, NAN, NAN);
            continue;
        }
        double x = x_of(f, time[begin]), last = x_of(f, time[row - 1]);
        slip_picture_point(p, x, y_of(f, value[begin]));
        slip_picture_point(p, 0.5 * (x + last), y_of(f, low));
        slip_picture_point(p, 0.5 * (x + last), y_of(f, high));
        slip_picture_point(p, last, y_of(f, value[row - 1]));
    }
}

static void draw_legend(slip_picture *p, const frame *f)
{
    double x = f->left;
    if (f->panel->count < 2) return;
    for (int k = 0; k < f->panel->count; k++) {
        const char *name = f->plot->table->name[f->panel->column[k]];
        slip_picture_line(p, line_pen(k), x, f->top - 9, x + 22, f->top - 9);
        slip_picture_label(p, SLIP_INK_INK, TEXT_SIZE, -1, 0, x + 28, f->top - 5, "%s", name);
        x += 46 + 7.4 * (double)strlen(name);
    }
}

// ------------------------------------------------------------------------------------------------ events

/// How kinds of events are marked.
static const struct look {
    slip_event_kind kind;
    slip_ink ink;
    const char *word;
} looks[] = {
    { SLIP_EVENT_IMPACT, SLIP_INK_LINE_2, "impact" },   { SLIP_EVENT_CONTACT, SLIP_INK_LINE_1, "contact" },
    { SLIP_EVENT_RELEASE, SLIP_INK_LINE_1, "release" }, { SLIP_EVENT_STICK, SLIP_INK_LINE_3, "stick" },
    { SLIP_EVENT_SLIDE, SLIP_INK_LINE_4, "slip" },      { SLIP_EVENT_VERDICT, SLIP_INK_LINE_5, "verdict" },
    { SLIP_EVENT_WARN, SLIP_INK_LINE_5, "warning" },
};
enum { EVENT_STYLE_COUNT = sizeof looks / sizeof *looks };

static bool is_seen(const slip_plot *plot, int k)
{
    double t = plot->table->events[k].t;
    return t >= plot->from && t <= plot->to;
}

// a triangle for what begins or ends contact, a disc for what changes the slip, a stroke for the rest
static void draw_sign(slip_picture *p, const struct look *look, double x, double y)
{
    slip_pen full = { .fill = look->ink },
             hollow = { .stroke = look->ink, .fill = SLIP_INK_PAPER, .width = 1.3 };
    double up = look->kind == SLIP_EVENT_RELEASE ? -1.0 : 1.0;
    switch (look->kind) {
    case SLIP_EVENT_CONTACT:
    case SLIP_EVENT_RELEASE:
        slip_picture_begin(p, full, true);
        slip_picture_point(p, x - 4, y - 3.5 * up);
        slip_picture_point(p, x + 4, y - 3.5 * up);
        slip_picture_point(p, x, y + 3.5 * up);
        break;
    case SLIP_EVENT_STICK:
        slip_picture_circle(p, full, x, y, 3.4);
        break;
    case SLIP_EVENT_SLIDE:
        slip_picture_circle(p, hollow, x, y, 3.1);
        break;
    default:
        slip_picture_line(p, (slip_pen){ .stroke = look->ink, .width = 1.8 }, x, y - 5, x, y + 5);
    }
}

// signs in a strip above the panels; lines through them too, as long as they can be told apart
static void draw_events(slip_picture *p, const frame *f, double strip)
{
    enum { FEW = 40 };
    const slip_plot *plot = f->plot;
    int count = 0;
    bool present[EVENT_STYLE_COUNT] = { false };
    for (int k = 0; k < plot->table->event_count; k++) count += is_seen(plot, k);
    double drawn_to[EVENT_STYLE_COUNT];
    for (int i = 0; i < EVENT_STYLE_COUNT; i++) drawn_to[i] = -INFINITY;
    for (int k = 0; k < plot->table->event_count; k++)
        for (int i = 0; i < EVENT_STYLE_COUNT && is_seen(plot, k); i++) {
            double x = x_of(f, plot->table->events[k].t);
            if (looks[i].kind != plot->table->events[k].kind || x < drawn_to[i] + 0.5) continue;
            present[i] = true;
            drawn_to[i] = x;
            if (count <= FEW)
                slip_picture_line(p, (slip_pen){ .stroke = looks[i].ink, .width = 0.7, .dash = 3 }, x,
                                  strip + 8, x, f->bottom);
            draw_sign(p, &looks[i], x, strip);
        }
    double x = f->right;
    for (int i = EVENT_STYLE_COUNT - 1; i >= 0; i--) {
        if (!present[i]) continue;
        slip_picture_label(p, SLIP_INK_MUTED, SMALL_TEXT_SIZE, 1, 0, x, strip - 14, "%s", looks[i].word);
        x -= 7.0 * (double)strlen(looks[i].word) + 10;
        draw_sign(p, &looks[i], x, strip - 18);
        x -= 14;
    }
}

// ------------------------------------------------------------------------------------------------ all

static bool has_events(const slip_plot *plot)
{
    for (int k = 0; k < plot->table->event_count && plot->events; k++)
        if (is_seen(plot, k)) return true;
    return false;
}

static double legend_of(const slip_panel *panel)
{
    return panel->count > 1 ? LEGEND : 0;
}

// the height of everything but the panels
static double height_around(const slip_plot *plot)
{
    double sum = TOP + BOTTOM + (has_events(plot) ? EVENT_STRIP_HEIGHT : 0);
    for (int k = 0; k < plot->panel_count; k++) sum += legend_of(&plot->panels[k]) + (k ? PANEL_SPACING : 0);
    return sum;
}

static slip_status set_size(slip_picture *p, const slip_plot *plot, const slip_plot_def *def,
                            slip_error *error)
{
    const double around = height_around(plot), least = around + MIN_PANEL_HEIGHT * plot->panel_count;
    p->width = def->width ? def->width : WIDTH;
    p->height = def->height ? def->height : around + PANEL_HEIGHT * fmax(plot->panel_count, 1.6);
    if (p->width >= MIN_WIDTH && p->width <= MAX_SIZE && p->height >= least &&
        (p->height <= MAX_SIZE || !def->height))
        return SLIP_OK;
    return slip_fail(error, SLIP_BAD_ARGUMENT, "size",
                     "%d x %d is not the size of a picture of these columns: %d x %.0f to %d x %d",
                     def->width, def->height, MIN_WIDTH, least, MAX_SIZE, MAX_SIZE);
}

static void draw_plot(slip_picture *p, const slip_plot *plot)
{
    const double strip = has_events(plot) ? EVENT_STRIP_HEIGHT : 0;
    const double each = (p->height - height_around(plot)) / plot->panel_count;
    double top = TOP + strip;
    slip_picture_label(p, SLIP_INK_INK, 15, -1, 0, LEFT, 24, "%s", plot->table->title);
    frame f = { .plot = plot, .left = LEFT, .right = p->width - RIGHT };
    for (int k = 0; k < plot->panel_count; k++) {
        const slip_panel *panel = f.panel = &plot->panels[k];
        f.top = top + legend_of(panel);
        f.bottom = f.top + each;
        draw_times(p, &f, k + 1 == plot->panel_count);
        draw_values(p, &f);
        draw_box(p, &f);
        for (int i = 0; i < panel->count; i++) draw_line(p, &f, panel->column[i], i);
        draw_legend(p, &f);
        top = f.bottom + PANEL_SPACING;
    }
    if (strip > 0.0) draw_events(p, &f, TOP + 4);
}

slip_status slip_plot_write(const char *path, const slip_run_table *table, const slip_plot_def *given,
                            slip_error *error)
{
    slip_plot_def none = slip_default_plot_def();
    const slip_plot_def *def = given ? given : &none;
    slip_plot plot;
    slip_picture p = { 0 };
    slip_status status = slip_picture_check_name(path, error);
    if (status == SLIP_OK) status = slip_plot_layout(&plot, table, def, error);
    if (status == SLIP_OK) status = set_size(&p, &plot, def, error);
    if (status != SLIP_OK) return status;
    draw_plot(&p, &plot);
    status = slip_picture_write(path, &p, table->title, error);
    slip_picture_destroy(&p);
    return status;
}
