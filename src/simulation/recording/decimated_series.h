/// simulation/recording/decimated_series.h: rows of any number in constant memory, without losing an extreme.
///
/// Consecutive rows share a bucket of two points. Of every column one point holds the least and the other the
/// greatest value among those rows, in the order in which they came; the points' times are those of the first
/// and the last row. A bucket of two rows is therefore these rows, as they were. When all buckets are full,
/// neighbours merge in pairs and each takes twice as many rows from then on. Merging loses nothing that one
/// bucket from the start would have kept.
#ifndef SLIP_SIMULATION_RECORDING_DECIMATED_SERIES_H
#define SLIP_SIMULATION_RECORDING_DECIMATED_SERIES_H

#include "base/arena.h"

typedef struct slip_decimated_series {
    int width;     ///< numbers per row, the first is the time
    int most;      ///< buckets there is room for, even
    int count;     ///< buckets begun
    long per;      ///< rows that a bucket takes: 2, 4, 8, ...
    long in_last;  ///< rows in the last bucket
    long rows;     ///< in all
    double *point; ///< most x 2 x width
} slip_decimated_series;

/// Measures (arena->base == NULL) or carves an empty series; `most` is even and at least 2.
void slip_decimated_series_layout(slip_arena *arena, int width, int most, slip_decimated_series *series);

/// A value that is not a number is kept while the bucket has two rows at the most, and then gives way to
/// numbers.
void slip_decimated_series_add(slip_decimated_series *series, const double *row);

int slip_decimated_series_points(const slip_decimated_series *series);
double slip_decimated_series_at(const slip_decimated_series *series, int point, int column);

#endif
