/// sweep.h: one model, many variations of it.
///
///     double mu[101];
///     for (int k = 0; k < 101; k++) mu[k] = 0.01 * k;
///     slip_sweep_axis axis = { .key = "mu", .values = mu, .count = 101 };
///     slip_sweep_def def = slip_default_sweep_def();
///     def.model = model;
///     def.axes = &axis, def.axis_count = 1;
///     slip_sweep *sweep = NULL;
///     if (slip_sweep_run(&def, &error, &sweep) == SLIP_OK)
///         for (long k = 0; k < slip_sweep_run_count(sweep); k++) use(slip_sweep_result_of(sweep, k));
///     slip_sweep_destroy(sweep);
///
/// Every run is a function of its number alone: the results have the same bits for any number of threads and
/// after any interruption. A run that fails is a result with its reason. Points are numbered with the last
/// axis fastest, the samples of a point in a row.
#ifndef SLIPSTICK_SWEEP_H
#define SLIPSTICK_SWEEP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "slipstick/model.h"
#include "slipstick/sim.h"
#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is varied, as in an override of a model (model.h): "mu", "coordinates.x.start", "run.step".
typedef struct slip_sweep_axis {
    const char *key;
    const double *values;
    int count;
} slip_sweep_axis;

/// A value that is drawn for every sample is a slip_distribution (model.h); the samples of all points of a
/// grid are the same. How samples fill the space of all draws.
typedef enum slip_sampling {
    SLIP_SAMPLING_RANDOM, ///< independent; more samples leave the old ones as they were
    SLIP_SAMPLING_LATIN,  ///< each draw has one sample in each of `samples` parts of equal probability
    SLIP_SAMPLING_SOBOL   ///< low discrepancy, for up to 10 draws; more samples leave the old ones
} slip_sampling;

/// What is kept of each run, besides how it ended. Bits, to be combined.
typedef enum slip_sweep_output {
    SLIP_OUTPUT_FINAL = 1,       ///< every column at the end
    SLIP_OUTPUT_EXTREMES = 2,    ///< least and greatest value of every column, at the steps after `after`
    SLIP_OUTPUT_MEANS = 4,       ///< mean over the time after `after`, by the trapezoidal rule over the steps
    SLIP_OUTPUT_EVENTS = 8,      ///< of each kind of event after `after`: how many, the first and last time
    SLIP_OUTPUT_TRAJECTORY = 16, ///< rows, as the run records them
    SLIP_OUTPUT_DRIFT =
        32, ///< how far the extremes of every column in the first half of the time after `after`
            ///< differ from those in the second; and its span over the whole run
    SLIP_OUTPUT_LOADS = 64 ///< loads of every contact, friction and joint after `after`, see loads.h
} slip_sweep_output;

/// Processes that share one sweep, as the ranks of an MPI job do; messages are bytes. All ranks are given the
/// same definition; rank 0 hands out the work, keeps the results and alone touches files.
typedef struct slip_sweep_mpi {
    int rank, size;
    double patience; ///< s; a rank that is silent for longer, and for five times the longest part, is lost;
                     ///< 0: 10
    void *context;
    /// Sends a message; false when that is not possible any more.
    bool (*send)(void *context, int to, const void *bytes, size_t count);
    /// Takes a message that has arrived, without waiting; false when there is none. The bytes belong to the
    /// transport and stay valid until the next call.
    bool (*receive)(void *context, int *from, const void **bytes, size_t *count);
} slip_sweep_mpi;

typedef struct slip_sweep_def {
    const slip_model *model;
    slip_sim_def sim; ///< formulation, step and the like; NaN and NULL: as the model says

    const slip_sweep_axis *axes; ///< a grid
    int axis_count;
    const char *const *table_keys; ///< a list of points instead, row by row; each under every point of the
    const double *table;           ///< grid, if there is one
    int table_columns;
    long table_rows;
    const slip_distribution *draws; ///< drawn anew for each of `samples` runs of a point
    int draw_count;
    bool spreads; ///< and what the model spreads (`distributions:`), unless it is varied otherwise
    long samples; ///< 1
    slip_sampling sampling;
    uint64_t seed; ///< 1
    bool follow;   ///< up and down the first axis, each run from the state in which the one before it ended

    unsigned outputs;      ///< SLIP_KEEP_*
    double after;          ///< s; what comes before is not looked at by extremes, means, events and points
    double strobe;         ///< s: points at all multiples of this time; 0: none
    const char *section;   ///< points where this column ... NULL: none
    double section_at;     ///< ... passes this value ...
    int section_direction; ///< ... upwards (1), downwards (-1), either way (0)

    bool companion;            ///< find the horizon of each run, as slip_run does (true)
    double accuracy;           ///< of the horizon; NaN: as the model says
    int threads;               ///< 0: one per processor, or one per MPI rank
    const slip_sweep_mpi *mpi; ///< NULL: this process alone
    const char
        *directory; ///< made when missing; every finished run is added to sweep.store in it; NULL: none
    bool resume;    ///< do what that store lacks
    const volatile sig_atomic_t *stop; ///< nonzero: ends after the runs that are under way; may be NULL
    /// Called now and then, by one thread at a time; may be NULL.
    void (*progress)(void *context, long done, long count);
    void *context;
} slip_sweep_def;

slip_sweep_def slip_default_sweep_def(void); ///< no axes, final values and events, with companions

/// A list of points from a CSV file: names in the first line, then one point per line.
typedef struct slip_sweep_table {
    char **keys;
    int columns;
    double *values; ///< row by row
    long rows;
    long unfinished; ///< number of a last line without its end, which is left out; 0: none
} slip_sweep_table;

/// Reads one; mistakes are named with their line.
slip_status slip_sweep_table_read(const char *path, slip_error *error, slip_sweep_table *table);
void slip_sweep_table_destroy(slip_sweep_table *table); ///< releases its memory

typedef struct slip_sweep slip_sweep;

/// Does all runs. A mistake in a key is found before the first of them. A store that exists is refused
/// without `resume`, and so is one of another model or of other options: *error names what differs. SLIP_OK
/// too when it was stopped.
slip_status slip_sweep_run(const slip_sweep_def *def, slip_error *error, slip_sweep **sweep);
void slip_sweep_destroy(slip_sweep *sweep); ///< NULL is fine

const char *slip_sweep_title(const slip_sweep *sweep); ///< name of the model
long slip_sweep_run_count(const slip_sweep *sweep);    ///< of all runs
long slip_sweep_done_count(const slip_sweep *sweep);   ///< those that were made; fewer after a stop
int slip_sweep_lost_ranks(const slip_sweep *sweep);    ///< MPI ranks that stopped answering; others took over

/// How one run went.
typedef struct slip_sweep_result {
    bool done;    ///< false: not made, and nothing else is known
    bool refused; ///< it could not begin, for `text`
    slip_trust trust;
    slip_run_outcome outcome;
    double t;             ///< s, its end
    double horizon;       ///< s; NaN where there was no companion
    long warnings;        ///< how many
    const char *text;     ///< why it is not trusted, or ""
    const double *values; ///< slip_sweep_value_count of them; NaN after a run that could not begin
    long point_count;
    const double *points; ///< row by row, slip_sweep_point_width numbers each: t, then the columns
} slip_sweep_result;
slip_sweep_result slip_sweep_result_of(const slip_sweep *sweep, long run); ///< `run` from 0

int slip_sweep_key_count(const slip_sweep *sweep);                 ///< what was varied: axes, table, draws
const char *slip_sweep_key(const slip_sweep *sweep, int k);        ///< its name; NULL past the end
double slip_sweep_point(const slip_sweep *sweep, long run, int k); ///< its value in a run

int slip_sweep_value_count(const slip_sweep *sweep); ///< values kept of each run
const char *slip_sweep_value_name(const slip_sweep *sweep,
                                  int k);            ///< "x", "max x", "impacts"; NULL past the end
int slip_sweep_point_width(const slip_sweep *sweep); ///< numbers in a row of points
const char *slip_sweep_point_name(const slip_sweep *sweep, int k); ///< "t", "x"; NULL past the end

/// Of the runs that were made, how many are worth what.
typedef struct slip_sweep_summary {
    long trusted, doubtful, unchecked, ended_early;
    long refused; ///< could not begin
} slip_sweep_summary;
slip_sweep_summary slip_sweep_summarize(const slip_sweep *sweep); ///< the numbers of all runs so far

/// runs.csv, a line per run, and points.csv, if points are kept, into a directory, which is made when
/// missing.
slip_status slip_sweep_write(const slip_sweep *sweep, const char *directory, slip_error *error);

/// The same as one HDF5 file, compressed (docs/sweep.md says what is in it). SLIP_UNSUPPORTED when this build
/// has no HDF5.
slip_status slip_sweep_write_hdf5(const slip_sweep *sweep, const char *path, slip_error *error);

/// A picture, .svg or .png, of a value or a column of the points by its name (NULL: the first one), over what
/// was varied first; runs that are not to be trusted look different.
slip_status slip_sweep_picture(const char *path, const slip_sweep *sweep, const char *of, slip_error *error);

/// What came out, as one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_sweep_json(const slip_sweep *sweep);

/// How far a value moves from one sweep to another over the same points, as under another formulation.
typedef struct slip_sweep_difference {
    const char *name;
    double least, greatest; ///< in the first
    long runs;              ///< compared: those that were made to their end in both, and have the value
    long alone;             ///< that have it in one of both alone
    double mean, most;      ///< of the differences without their signs; NaN: nothing was compared
    long at;                ///< the run with the largest; -1: none
} slip_sweep_difference;

/// Of value k of the first. False when the other has no such value, or other points.
bool slip_sweep_difference_of(const slip_sweep *first, const slip_sweep *other, int k,
                              slip_sweep_difference *shift);

enum { SLIP_SWEEP_MAX_PERIOD = 64 };

/// After how many points those of each run repeat, to 1e-3 of the range of a column over all runs, into
/// `period` (one per run): 0 when they do not within half of them or SLIP_SWEEP_MAX_PERIOD, -1 when there are
/// none. Where it changes from run to run there is a bifurcation. False when out of memory.
bool slip_sweep_periods(const slip_sweep *sweep, int *period);

/// Several sweeps over the same points and how far they are from the first, as one JSON object
/// (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_sweep_laws_json(const slip_sweep *const *sweeps, const char *const *names, int count);

#ifdef __cplusplus
}
#endif
#endif
