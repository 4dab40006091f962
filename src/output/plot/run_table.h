/// output/plot/run_table.h: what a run wrote, from inside.
#ifndef SLIP_OUTPUT_PLOT_RUN_TABLE_H
#define SLIP_OUTPUT_PLOT_RUN_TABLE_H

#include "base/arena.h"
#include "slipstick/plot.h"

struct slip_run_table {
    slip_pool *pool; ///< names and events
    const char *title;
    int column_count;
    const char **name, **unit;
    long rows, room;
    double **column;
    slip_event *events;
    int event_count, event_room;
};

/// The number of a column by name; -1 when there is none.
int slip_run_table_find(const slip_run_table *table, const char *name);

#endif
