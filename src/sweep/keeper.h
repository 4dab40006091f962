/// sweep/keeper.h: looks at one run and keeps what was asked for.
#ifndef SLIP_SWEEP_KEEPER_H
#define SLIP_SWEEP_KEEPER_H

#include "slipstick/run.h"
#include "slipstick/sweep.h"

typedef struct slip_keeper {
    slip_run_observer observer;
    const slip_sweep_def *def;
    int columns;    ///< of the trajectory
    int width;      ///< values kept
    double *values; ///< of the present run
    double *points; ///< of the present run, row by row
    long point_count, point_room;
    bool failed; ///< out of memory

    double *bounds;       ///< least and greatest values of each column: first half, second half, whole run
    double half;          ///< time at which the second half begins
    double *last, *ahead; ///< rows: of the last look, and after it
    double last_t;
    bool seen;         ///< a look was taken after `after`
    double since;      ///< time of the first of these
    int section;       ///< column
    int state_count;   ///< columns behind the first that are states
    double *strobes;   ///< times
    long strobe_count; ///< how many
} slip_keeper;

/// Number of values that a definition keeps of a simulation with so many columns; and their names, to be
/// released with free().
int slip_keep_count(const slip_sweep_def *def, int columns);
char *slip_keep_name(const slip_sweep_def *def, const slip_sim *sim, int k);
bool slip_keeps_points(const slip_sweep_def *def);
bool slip_keeps_steps(const slip_sweep_def *def); ///< it looks at every step

/// Where the values of a kind begin: final values, pairs of extremes, means, triples of events, drifts;
/// columns but t.
typedef struct slip_keep_layout {
    int final, extremes, means, events, drift, width;
} slip_keep_layout;
slip_keep_layout slip_keep_lay_out(const slip_sweep_def *def, int columns);

/// Of slip_keeper.bounds: parts, each with two values per column.
enum { SLIP_KEEP_FIRST_HALF, SLIP_KEEP_SECOND_HALF, SLIP_KEEP_WHOLE, SLIP_KEEP_PARTS };

/// `sim` has the columns of all runs. The keeper is at its place: it must not be moved.
slip_status slip_keeper_create(const slip_sweep_def *def, const slip_sim *sim, slip_error *error,
                               slip_keeper *keeper);
void slip_keeper_destroy(slip_keeper *keeper);

/// Gets ready for a run, which `run` is the definition of.
slip_status slip_keeper_begin(slip_keeper *keeper, const slip_sim *sim, slip_run_def *run);

/// A row at a time of the stroboscope, or of the trajectory.
void slip_keeper_take_row(slip_keeper *keeper, const double *row);

/// Takes what is known at the end of the run.
void slip_keeper_end(slip_keeper *keeper, slip_sim *sim);

#endif
