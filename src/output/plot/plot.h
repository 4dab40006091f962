/// output/plot/plot.h: what a plot shows, before it is drawn: panels of lines over the time.
#ifndef SLIP_OUTPUT_PLOT_PLOT_H
#define SLIP_OUTPUT_PLOT_PLOT_H

#include "output/plot/run_table.h"

enum { SLIP_PLOT_COLUMNS = 24, SLIP_PLOT_TICKS = 16 };

/// Round numbers within a range.
typedef struct slip_ticks {
    int count;
    double at[SLIP_PLOT_TICKS];
    int digits;   ///< behind the point
    int exponent; ///< labels are values over 10^exponent
} slip_ticks;

slip_ticks slip_ticks_of(double low, double high, int wanted);
void slip_tick_text(const slip_ticks *ticks, double value, char *text, size_t size);

/// Lines that share an axis, because they share a unit.
typedef struct slip_panel {
    const char *unit;
    int count, column[SLIP_PLOT_COLUMNS];
    double low, high; ///< of all values between from and to, with some air
} slip_panel;

typedef struct slip_plot {
    const slip_run_table *table;
    double from, to;
    long first, end; ///< rows between them
    int panel_count;
    slip_panel panels[SLIP_PLOT_COLUMNS];
    bool events;
} slip_plot;

/// SLIP_UNKNOWN_NAME for a column that is not there.
slip_status slip_plot_layout(slip_plot *plot, const slip_run_table *table, const slip_plot_def *def,
                             slip_error *error);

/// The least and the largest value of a column among rows whose time is in [a, b); false when there is none.
/// `row` goes on from where the last call ended.
bool slip_plot_extent(const slip_plot *plot, int column, long *row, double b, double *low, double *high);

#endif
