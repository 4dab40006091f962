/// simulation/recording/decimated_series.h: any number of rows in constant memory, without losing an extreme.
///
/// Consecutive rows share a bucket of two points. For every column, one point holds the smallest and the
/// other the largest value among those rows, in the order in which they came; the times of the points are
/// those of the first and the last row. A bucket of two rows therefore holds these rows unchanged. When all
/// buckets are full, neighbours are merged in pairs, and from then on each takes twice as many rows. The
/// result is the same as if the buckets had been that large from the start.
#ifndef SLIP_SIMULATION_RECORDING_DECIMATED_SERIES_H
#define SLIP_SIMULATION_RECORDING_DECIMATED_SERIES_H

#include "base/arena.h"

typedef struct slip_decimated_series {
    int width;     ///< numbers per row, of which the first is the time
    int most;      ///< capacity in buckets, even
    int count;     ///< number of buckets in use
    long per;      ///< rows per bucket: 2, 4, 8, ...
    long in_last;  ///< rows in the last bucket
    long rows;     ///< number of rows added so far
    double *point; ///< most x 2 x width
} slip_decimated_series;

/// Measures (arena->base == NULL) or carves an empty series; `most` is even and at least 2.
void slip_decimated_series_layout(slip_arena *arena, int width, int most, slip_decimated_series *series);

/// Adds a row. A value that is not a number is kept while its bucket has at most two rows, and is then
/// replaced by numbers.
void slip_decimated_series_add(slip_decimated_series *series, const double *row);

int slip_decimated_series_points(const slip_decimated_series *series);
double slip_decimated_series_at(const slip_decimated_series *series, int point, int column);

#endif
