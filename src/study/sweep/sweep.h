/// study/sweep/sweep.h: the internal structure of a sweep.
#ifndef SLIP_STUDY_SWEEP_SWEEP_H
#define SLIP_STUDY_SWEEP_SWEEP_H

#include "base/arena.h"
#include "slipstick/sweep.h"
#include "study/sweep/sweep_plan.h"
#include "study/sweep/run_store.h"

/// The result of a run, except for its values, which are in the sweep.
typedef struct slip_sweep_run_record {
    bool done, refused;
    slip_trust trust;
    slip_run_outcome outcome;
    double t, horizon;
    long warnings, point_count;
    double *points; ///< owned
    char *text;     ///< owned; NULL: ""
} slip_sweep_run_record;

struct slip_sweep {
    slip_pool *pool;    ///< owns the copy of the definition and the names
    slip_sweep_def def; ///< of its own
    slip_sweep_plan plan;
    int columns, width;       ///< of a trajectory; values kept of a run
    const char **column_name; ///< `columns` of them
    const char **value_name;  ///< `width` of them
    slip_sweep_run_record *records;
    double *values; ///< plan.count rows of `width`
    long done_count;
    int lost_ranks;
    slip_run_store store;
};

/// A definition whose arrays and names are in the pool; false when out of memory.
bool slip_sweep_copy_def(slip_pool *pool, const slip_sweep_def *from, slip_sweep_def *to);

/// Describes everything that the results depend on, one line each, for the head of a store.
void slip_sweep_describe(const slip_sweep *sweep, slip_text *text);

/// A run as the bytes of a record, and back; SLIP_BAD_FILE when they are not of this sweep.
void slip_sweep_pack(const slip_sweep *sweep, long run, const slip_sweep_run_record *record,
                     const double *values, slip_text *bytes);
slip_status slip_sweep_unpack(void *sweep, const char *bytes, size_t count);

/// The model of a run; NULL with *why, a sentence to be released with free() (NULL when out of memory).
slip_model *slip_sweep_vary(const slip_sweep *sweep, long run, char **why);

/// "trusted", "doubtful", "unchecked", "ended early" or "refused".
const char *slip_sweep_trust_word(const slip_sweep_run_record *record);

/// False in MPI ranks other than 0, which work for rank 0.
bool slip_sweep_is_main_rank(const slip_sweep *sweep);

/// Makes all runs that are not done, on as many threads as asked for.
slip_status slip_sweep_run_pending(slip_sweep *sweep, slip_error *error);

#endif
