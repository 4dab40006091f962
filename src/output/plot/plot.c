/// output/plot/plot.c: what a plot shows: which columns, in which panels, between which numbers.
#include "output/plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "output/plot/plot_tolerances.h"

slip_plot_def slip_default_plot_def(void)
{
    return (slip_plot_def){ .from = NAN, .to = NAN };
}

// ---------------------------------------------------------------------------------------------- ticks

slip_ticks slip_ticks_of(double low, double high, int wanted)
{
    slip_ticks ticks = { 0 };
    double span = high - low, most = fmax(fabs(low), fabs(high));
    if (!(span > LEAST_TICK_RANGE) || !isfinite(span)) return ticks;
    double unit = slip_pow10((int)floor(slip_log10(span / wanted))), share = span / wanted / unit;
    double step = unit * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
    if (most >= LARGE_LABEL || most < SMALL_LABEL)
        ticks.exponent = 3 * (int)floor(slip_log10(most) / 3.0 + TICK_ROUNDING);
    double first = ceil(low / step - TICK_ROUNDING);
    for (; ticks.count < SLIP_PLOT_TICKS && (first + ticks.count) * step <= high + TICK_ROUNDING * step;
         ticks.count++)
        ticks.at[ticks.count] = (first + ticks.count) * step;
    ticks.digits = (int)ceil(-slip_log10(step) + ticks.exponent - TICK_ROUNDING);
    if (ticks.digits < 0) ticks.digits = 0;
    return ticks;
}

void slip_tick_text(const slip_ticks *ticks, double value, char *text, size_t size)
{
    snprintf(text, size, "%.*f", ticks->digits, value / slip_pow10(ticks->exponent) + 0.0);
}

// ---------------------------------------------------------------------------------------------- rows

static long first_at(const slip_run_table *t, double time)
{
    long low = 0, high = t->rows;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (t->column[0][middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool slip_plot_extent(const slip_plot *p, int column, long *row, double b, double *low, double *high)
{
    const double *time = p->table->column[0], *value = p->table->column[column];
    *low = INFINITY, *high = -INFINITY;
    for (; *row < p->end && time[*row] < b; ++*row) {
        if (!isfinite(value[*row])) continue;
        *low = fmin(*low, value[*row]);
        *high = fmax(*high, value[*row]);
    }
    return *low <= *high;
}

// Determines the range of a panel, with a margin; a constant curve also gets one.
static void measure_panel(const slip_plot *p, slip_panel *panel)
{
    panel->low = INFINITY, panel->high = -INFINITY;
    for (int k = 0; k < panel->count; k++) {
        long row = p->first;
        double low, high;
        if (!slip_plot_extent(p, panel->column[k], &row, INFINITY, &low, &high)) continue;
        panel->low = fmin(panel->low, low);
        panel->high = fmax(panel->high, high);
    }
    if (!(panel->low <= panel->high)) panel->low = panel->high = 0.0;
    double span = panel->high - panel->low, size = fmax(fabs(panel->low), fabs(panel->high));
    double air = span > CONSTANT_CURVE * size ? MARGIN_OF_RANGE * span
                 : size > 0.0                 ? MARGIN_OF_VALUE * size
                                              : 1.0;
    panel->low -= air;
    panel->high += air;
}

// --------------------------------------------------------------------------------------------- columns

// columns with the same known unit share a panel
static void add_column(slip_plot *p, int column)
{
    const char *unit = p->table->unit[column];
    int k = 0;
    while (k < p->panel_count && !(unit[0] && strcmp(p->panels[k].unit, unit) == 0)) k++;
    if (k == p->panel_count) p->panels[p->panel_count++] = (slip_panel){ .unit = unit };
    p->panels[k].column[p->panels[k].count++] = column;
}

static slip_status unknown_column(const slip_run_table *t, const char *name, slip_error *error)
{
    char known[200] = "";
    for (int k = 0; k < t->column_count; k++) {
        size_t used = strlen(known);
        if (used > 160) {
            snprintf(known + used, sizeof known - used, ", ...");
            break;
        }
        snprintf(known + used, sizeof known - used, "%s%.30s", k ? ", " : "", t->name[k]);
    }
    return slip_fail(error, SLIP_UNKNOWN_NAME, "column", "there is no column '%.60s'; there are %s", name,
                     known);
}

// coordinates come first, then their rates, each with a prime; what is recorded is behind the element states
static void choose_columns(slip_plot *p)
{
    enum { SOME = 6 };
    const slip_run_table *t = p->table;
    int chosen = 0;
    for (int k = 1; k < t->column_count && chosen < SOME; k++) {
        size_t length = strlen(t->name[k]);
        bool rate = length && t->name[k][length - 1] == '\'', inner = strchr(t->name[k], '.') != NULL;
        if (rate || inner) continue;
        add_column(p, k);
        chosen++;
    }
    if (!chosen && t->column_count > 1) add_column(p, 1);
}

slip_status slip_plot_layout(slip_plot *p, const slip_run_table *t, const slip_plot_def *def,
                             slip_error *error)
{
    *p = (slip_plot){ .table = t, .events = !def->no_events };
    p->from = isnan(def->from) ? t->column[0][0] : def->from;
    p->to = isnan(def->to) ? t->column[0][t->rows - 1] : def->to;
    p->first = first_at(t, p->from);
    p->end = first_at(t, nextafter(p->to, INFINITY));
    if (!(p->to > p->from) || p->end <= p->first)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "from",
                         "there are no rows from %g s to %g s; the file has %g s to %g s", p->from, p->to,
                         t->column[0][0], t->column[0][t->rows - 1]);
    if (def->column_count > SLIP_PLOT_COLUMNS)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "column",
                         "%d columns are too many for one picture, %d fit", def->column_count,
                         SLIP_PLOT_COLUMNS);
    for (int k = 0; k < def->column_count; k++) {
        int column = slip_run_table_find(t, def->columns[k]);
        if (column < 0) return unknown_column(t, def->columns[k], error);
        add_column(p, column);
    }
    if (def->column_count == 0) choose_columns(p);
    if (p->panel_count == 0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "column", "the file has no column beside the time");
    for (int k = 0; k < p->panel_count; k++) measure_panel(p, &p->panels[k]);
    return SLIP_OK;
}
