/// view/table.h: what a run wrote, from inside.
#ifndef SLIP_VIEW_TABLE_H
#define SLIP_VIEW_TABLE_H

#include "core/arena.h"
#include "slipstick/view.h"

struct slip_table {
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
int slip_table_find(const slip_table *table, const char *name);

#endif
