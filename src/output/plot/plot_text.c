/// output/plot/plot_text.c: a plot in characters: each holds two by four dots of a braille pattern.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "output/plot/plot.h"

enum { LABEL_WIDTH = 10, UNIT_WIDTH = 8, MIN_COLUMNS = 20, MIN_ROWS = 3, MAX_CHARACTERS = 10000 };

/// The dots of one panel.
typedef struct grid {
    int wide, high;      // characters
    unsigned char *dots; // wide x high
    signed char *line;   // whose colour a character has; -1: none
} grid;

static const char *const colours[] = {
    "\033[94m", "\033[33m", "\033[32m", "\033[95m", "\033[36m", "\033[37m"
};

static void set_dot(grid *g, int x, int y, int line)
{
    static const unsigned char bit[4][2] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };
    if (x < 0 || y < 0 || x >= 2 * g->wide || y >= 4 * g->high) return;
    int at = y / 4 * g->wide + x / 2;
    g->dots[at] |= bit[y % 4][x % 2];
    g->line[at] = (signed char)line;
}

static int dot_row(const grid *g, const slip_panel *panel, double value)
{
    return (int)lrint((panel->high - value) / (panel->high - panel->low) * (4 * g->high - 1));
}

// every column of dots from its least to its largest value, joined to the one before
static void draw_line(grid *g, const slip_plot *plot, const slip_panel *panel, int k)
{
    long row = plot->first;
    int wide = 2 * g->wide, before = -1, at = -1;
    const double *time = plot->table->column[0], *value = plot->table->column[panel->column[k]];
    for (int x = 0; x < wide; x++) {
        double b = x + 1 < wide ? plot->from + (plot->to - plot->from) * (x + 1) / wide : INFINITY, low, high;
        long begin = row;
        bool some = slip_plot_extent(plot, panel->column[k], &row, b, &low, &high);
        if (!some && row > begin) before = -1; // not a number: the line is broken
        if (!some && row == begin && row > plot->first && row < plot->end) { // between two rows
            double a = value[row - 1], c = value[row],
                   t = plot->from + (plot->to - plot->from) * (x + 0.5) / wide;
            double share = (t - time[row - 1]) / (time[row] - time[row - 1]);
            low = high = a + share * (c - a);
            some = isfinite(low);
        }
        if (!some) continue;
        int top = dot_row(g, panel, high), bottom = dot_row(g, panel, low), last = before;
        before =
            row > begin && isfinite(value[row - 1]) ? dot_row(g, panel, value[row - 1]) : (top + bottom) / 2;
        if (last >= 0 && at == x - 1) { // up or down to where the last column ended
            if (last > bottom) bottom = (last + bottom) / 2;
            if (last < top) top = (last + top) / 2;
        }
        at = x;
        for (int y = top; y <= bottom; y++) set_dot(g, x, y, k);
    }
}

static void put_dots(slip_text *out, const grid *g, int row, bool colour)
{
    int now = -1;
    for (int x = 0; x < g->wide; x++) {
        unsigned char dots = g->dots[row * g->wide + x];
        int line = dots ? g->line[row * g->wide + x] : -1;
        if (colour && line != now) slip_text_add(out, "%s", line < 0 ? "\033[0m" : colours[line % 6]);
        now = line;
        const char cell[] = { (char)0xE2, (char)(0xA0 | dots >> 6), (char)(0x80 | (dots & 63)), 0 };
        slip_text_add(out, "%s", dots ? cell : " ");
    }
    if (colour && now >= 0) slip_text_add(out, "\033[0m");
    slip_text_add(out, "\n");
}

static void put_legend(slip_text *out, const slip_plot *plot, const slip_panel *panel, int exponent,
                       bool colour)
{
    slip_text_add(out, "%*s ", LABEL_WIDTH, "");
    for (int k = 0; k < panel->count; k++) {
        const char *name = plot->table->name[panel->column[k]];
        slip_text_add(out, "%s%s%s%s", k ? "   " : "", colour ? colours[k % 6] : "", name,
                      colour ? "\033[0m" : "");
    }
    if (panel->unit[0]) slip_text_add(out, ", %s", panel->unit);
    if (exponent) slip_text_add(out, "  (1e%d)", exponent);
    slip_text_add(out, "\n");
}

static void put_panel(slip_text *out, const slip_plot *plot, const slip_panel *panel, grid *g, bool colour)
{
    memset(g->dots, 0, (size_t)(g->wide * g->high));
    for (int k = panel->count - 1; k >= 0; k--) draw_line(g, plot, panel, k); // the first one on top
    slip_ticks ticks = slip_ticks_of(panel->low, panel->high, g->high > 9 ? g->high / 3 : 3);
    put_legend(out, plot, panel, ticks.exponent, colour);
    for (int row = 0; row < g->high; row++) {
        char label[64] = "";
        for (int k = 0; k < ticks.count; k++)
            if (dot_row(g, panel, ticks.at[k]) / 4 == row)
                slip_tick_text(&ticks, ticks.at[k], label, sizeof label);
        slip_text_add(out, "%*.*s%s", LABEL_WIDTH, LABEL_WIDTH, label, label[0] ? "\u2524" : "\u2502");
        put_dots(out, g, row, colour);
    }
}

static int dot_column(const grid *g, const slip_plot *plot, double t)
{
    int x = (int)floor((t - plot->from) / (plot->to - plot->from) * g->wide);
    return x < 0 ? 0 : x >= g->wide ? g->wide - 1 : x;
}

static void put_times(slip_text *out, const slip_plot *plot, const grid *g)
{
    slip_ticks ticks = slip_ticks_of(plot->from, plot->to, g->wide / 12);
    slip_text_add(out, "%*s\u2514", LABEL_WIDTH, "");
    for (int x = 0; x < g->wide; x++) {
        bool tick = false;
        for (int k = 0; k < ticks.count; k++) tick = tick || dot_column(g, plot, ticks.at[k]) == x;
        slip_text_add(out, tick ? "\u252c" : "\u2500");
    }
    slip_text_add(out, "\n%*s", LABEL_WIDTH + 1, "");
    int at = 0;
    for (int k = 0; k < ticks.count; k++) {
        char label[64];
        slip_tick_text(&ticks, ticks.at[k], label, sizeof label);
        int begin = dot_column(g, plot, ticks.at[k]) - (int)strlen(label) / 2;
        if (begin < at) begin = k ? at + 1 : 0;
        if (begin + (int)strlen(label) > g->wide - UNIT_WIDTH) break;
        slip_text_add(out, "%*s%s", begin - at, "", label);
        at = begin + (int)strlen(label);
    }
    char unit[32] = "";
    if (ticks.exponent) snprintf(unit, sizeof unit, "1e%d", ticks.exponent);
    slip_text_add(out, "%*st, %s%ss\n", g->wide - UNIT_WIDTH - at + 2, "", unit, unit[0] ? " " : "");
}

// one sign per character; where several fall together the one that matters most
static void put_events(slip_text *out, const slip_plot *plot, const grid *g)
{
    static const char *const sign[SLIP_EVENT_COUNT] = { "v", "^", "o", "~", "x", "!", "!" };
    static const int weight[SLIP_EVENT_COUNT] = { 2, 2, 1, 1, 4, 3, 3 };
    int counts[SLIP_EVENT_COUNT] = { 0 }, shown = 0;
    signed char *cell = calloc((size_t)g->wide, 1);
    if (!cell) out->failed = true;
    for (int k = 0; cell && k < plot->table->event_count && plot->events; k++) {
        const slip_event *e = &plot->table->events[k];
        if (e->t < plot->from || e->t > plot->to) continue;
        signed char *to = &cell[dot_column(g, plot, e->t)];
        counts[e->kind]++, shown++;
        if (!*to || weight[e->kind] > weight[*to - 1]) *to = (signed char)(e->kind + 1);
    }
    if (cell && shown) {
        slip_text_add(out, "%*s ", LABEL_WIDTH, "events");
        for (int x = 0; x < g->wide; x++) slip_text_add(out, "%s", cell[x] ? sign[cell[x] - 1] : " ");
        slip_text_add(out, "\n%*s ", LABEL_WIDTH, "");
        for (int k = 0, first = 1; k < SLIP_EVENT_COUNT; k++)
            if (counts[k]) {
                slip_text_add(out, "%s%s %d %s", first ? "" : ", ", sign[k], counts[k],
                              slip_event_name((slip_event_kind)k));
                first = 0;
            }
        slip_text_add(out, "\n");
    }
    free(cell);
}

static int clamp_int(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

char *slip_plot_text(const slip_run_table *table, const slip_plot_def *given, int columns, int lines,
                     bool colour, slip_error *error)
{
    slip_plot_def none = slip_default_plot_def();
    slip_plot plot;
    if (slip_plot_layout(&plot, table, given ? given : &none, error) != SLIP_OK) return NULL;
    grid g = { .wide = clamp_int(columns, 0, MAX_CHARACTERS) - LABEL_WIDTH - 2,
               .high = (clamp_int(lines, 0, MAX_CHARACTERS) - 5 - plot.panel_count) / plot.panel_count };
    if (g.wide < MIN_COLUMNS) g.wide = MIN_COLUMNS;
    if (g.high < MIN_ROWS) g.high = MIN_ROWS;
    g.dots = malloc((size_t)(g.wide * g.high));
    g.line = calloc((size_t)(g.wide * g.high), 1);
    slip_text out = { .failed = !g.dots || !g.line };
    if (!out.failed) {
        slip_text_add(&out, "%*s %s\n", LABEL_WIDTH, "", table->title);
        for (int k = 0; k < plot.panel_count; k++) put_panel(&out, &plot, &plot.panels[k], &g, colour);
        put_times(&out, &plot, &g);
        put_events(&out, &plot, &g);
    }
    free(g.dots);
    free(g.line);
    char *text = slip_text_take(&out);
    if (!text) slip_fail(error, SLIP_NO_MEMORY, "plot", "out of memory");
    return text;
}
