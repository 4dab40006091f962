/// basin.h: where motions end, over two of the values they begin with.
///
///     slip_basin_def def = slip_default_basin_def();
///     def.sweep.model = model;
///     def.sweep.axes = axes, def.sweep.axis_count = 2;    // keys "x" and "x'" are starts of that coordinate
///     if (slip_basin_run(&def, &error, &basin) == SLIP_OK)
///         for (int k = 0; k < slip_basin_attractor_count(basin); k++) puts(slip_basin_attractor(basin,
///         k)->name);
///     slip_basin_destroy(basin);
///
/// Two motions end on the same attractor when their states keep the same bounds in the last part of the run.
#ifndef SLIPSTICK_BASIN_H
#define SLIPSTICK_BASIN_H

#include "slipstick/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_basin_def {
    slip_sweep_def sweep; ///< two axes; the basin sets what is kept
    double tail;          ///< part of the run, at its end, that counts (0.2)
    double tolerance;     ///< of bounds that count as the same, as a part of how far motions go (0.05)
} slip_basin_def;

slip_basin_def slip_default_basin_def(void); ///< the defaults in parentheses above

typedef enum slip_attractor_kind {
    SLIP_ATTRACTOR_REST,  ///< the motion comes to rest
    SLIP_ATTRACTOR_CYCLE, ///< it continues within bounds
    SLIP_ATTRACTOR_DRIFT  ///< coordinates drift, and the rates stay within bounds
} slip_attractor_kind;

typedef struct slip_attractor {
    slip_attractor_kind kind;
    char name[160]; ///< "rest at x = 1", "cycle, x from -1.2 to 1.2", "x' from 3 to 4"
    long runs;      ///< that end there
    long trusted;   ///< of these
    long unchecked; ///< of these: without companions
    long example;   ///< number of the one that has settled best
} slip_attractor;

typedef struct slip_basin slip_basin;

/// Makes the runs and finds where they end. The sweep of a basin can be resumed as any other.
slip_status slip_basin_run(const slip_basin_def *def, slip_error *error, slip_basin **basin);
void slip_basin_destroy(slip_basin *basin); ///< NULL is fine

const slip_sweep *slip_basin_sweep(const slip_basin *basin); ///< the runs
int slip_basin_attractor_count(const slip_basin *basin);     ///< how many were found
/// The one that most runs end on first; NULL past the end.
const slip_attractor *slip_basin_attractor(const slip_basin *basin, int k);

/// The number of the attractor on which a run ends; -1 where the motion has not settled, or has no end.
int slip_basin_end(const slip_basin *basin, long run);

/// basin.csv, a line per run, into a directory, which is made when missing.
slip_status slip_basin_write(const slip_basin *basin, const char *directory, slip_error *error);

/// A picture, .svg or .png: a cell per run in the colour of its attractor, struck through where the run is
/// not to be trusted, blank where it has not settled.
slip_status slip_basin_picture(const char *path, const slip_basin *basin, slip_error *error);

/// What came out, as one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_basin_json(const slip_basin *basin);

#ifdef __cplusplus
}
#endif
#endif
