/// study/sweep/run_store.h: the file to which every finished run is added at once, and from which a sweep is
/// resumed.
///
/// It begins with a text, one line for everything that the results depend on; records follow, each with its
/// checksum. A process that is killed leaves whole records and at most the beginning of one, which is cut off
/// when the store is opened again. When all runs are complete, the records are sorted by their numbers.
#ifndef SLIP_STUDY_SWEEP_RUN_STORE_H
#define SLIP_STUDY_SWEEP_RUN_STORE_H

#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

typedef struct slip_run_store {
    int file; ///< -1: there is none
    char *path;
    slip_text head;    ///< what the results depend on, line by line
    const char *grows; ///< key of a line of the head whose number may be larger than in the store; NULL: none
    int failed;        ///< errno of the first failure
} slip_run_store;

/// Accepts the contents of a record; SLIP_BAD_FILE: it does not belong to this sweep, or SLIP_NO_MEMORY.
typedef slip_status slip_run_store_reader(void *context, const char *bytes, size_t count);

/// Opens a store with a head, which it then owns; NULL path: no file. An existing store must have the same
/// head, except for the number in the line `grows`, which is a literal or NULL; its records are passed to
/// `take`.
slip_status slip_run_store_open(slip_run_store *store, const char *path, slip_text *head, const char *grows,
                                bool resume, slip_run_store_reader *take, void *context, slip_error *error);

/// Adds a record. A failure is kept in `failed`.
void slip_run_store_add(slip_run_store *store, const char *bytes, size_t count);

/// Appends a record as it stands in the file to a text.
void slip_run_store_frame(slip_text *out, const char *bytes, size_t count);

/// Replaces the contents of the file by a head and records.
slip_status slip_run_store_replace(slip_run_store *store, slip_text *records, slip_error *error);

void slip_run_store_close(slip_run_store *store);

#endif
