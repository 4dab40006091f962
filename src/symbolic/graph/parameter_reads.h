/// symbolic/graph/parameter_reads.h: which parameters a result depends on.
///
/// A result that is kept, such as a compiled tape or a schedule of time events, stays valid while the parameters
/// that were read to make it have the same values. While a log is open, every read of a parameter is noted in it.
#ifndef SLIP_SYMBOLIC_GRAPH_PARAMETER_READS_H
#define SLIP_SYMBOLIC_GRAPH_PARAMETER_READS_H

#include <stdbool.h>
#include <stddef.h>

#include "symbolic/graph/formula.h"

/// Which parameters somebody read, and what their values were: what was made from them holds as long as these
/// are the same.
typedef struct slip_parameter_reads {
    struct slip_parameter_reads *outer; ///< while it is open: the one that was open before
    size_t count, capacity;
    struct slip_read *list;
    size_t room;
    bool *seen;  ///< by the number of a parameter
    bool failed; ///< memory ran out: it holds for nobody
} slip_parameter_reads;

/// The reads that are being noted. They may be nested; the innermost one ends first.
typedef struct slip_read_log {
    slip_parameter_reads *innermost; ///< NULL: nobody asks
} slip_read_log;

/// Notes a read in the innermost entry of the log and in those around it.
void slip_read_log_note(slip_read_log *log, int parameter, double value);

void slip_parameter_reads_clear(slip_parameter_reads *reads);   ///< as if nothing had been read
void slip_parameter_reads_destroy(slip_parameter_reads *reads); ///< also of zeros

/// Whether everything that was read has the same value in this graph, to the bit.
bool slip_parameter_reads_unchanged(const slip_parameter_reads *reads, const slip_graph *graph);

#endif
