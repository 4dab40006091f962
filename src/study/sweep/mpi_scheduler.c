/// study/sweep/mpi_scheduler.c: one sweep on many processes.
///
/// Rank 0 hands out lines in ever smaller parts, so that all ranks finish together; a request for more lines
/// brings the records of the previous part. A rank that takes much longer than any part so far counts as
/// lost, and its lines are done again: every run is a function of its number, so that it does not matter
/// which rank is first.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "study/sweep/simd_batch.h"
#include "study/sweep/sweep_scheduler.h"
#include "study/sweep/sweep_tolerances.h"

enum {
    PARTS_PER_RANK = 8, // the remaining lines are divided into so many parts per rank
    MAX_LINES_PER_PART = 4096
};

typedef struct mpi_rank {
    long lines[MAX_LINES_PER_PART];
    long count;   // lines handed out and not known to be done
    long given;   // lines handed out in the last part
    double since; // s, when they were handed out
    bool gone;    // it has been told that all is done
} mpi_rank;

typedef struct slip_mpi_scheduler {
    const slip_sweep_mpi *by;
    mpi_rank *mpi_ranks; // on rank 0: the state of the other ranks
    double longest;      // s, longest duration of a part so far
    double pace;         // s per line in the last part; 0: not known yet
    slip_text out;       // on other ranks: records for rank 0
    long *lines;         // on other ranks: lines to do
} slip_mpi_scheduler;

static slip_status no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
}

slip_status slip_mpi_scheduler_begin(slip_sweep_scheduler *t, slip_error *error)
{
    const slip_sweep_mpi *by = t->sweep->def.mpi;
    if (!by) return SLIP_OK;
    t->mpi = calloc(1, sizeof *t->mpi);
    if (!t->mpi) return no_memory(error);
    t->mpi->by = by;
    if (by->rank == 0)
        t->mpi->mpi_ranks = calloc((size_t)by->size, sizeof *t->mpi->mpi_ranks);
    else
        t->lines = t->mpi->lines = calloc(MAX_LINES_PER_PART, sizeof *t->mpi->lines);
    t->line_count = by->rank == 0 ? t->line_count : 0;
    return t->mpi->mpi_ranks || t->mpi->lines ? SLIP_OK : no_memory(error);
}

void slip_mpi_scheduler_end(slip_sweep_scheduler *t)
{
    if (!t->mpi) return;
    slip_text_destroy(&t->mpi->out);
    free(t->mpi->mpi_ranks);
    free(t->mpi->lines);
    free(t->mpi);
    t->mpi = NULL;
}

void slip_mpi_scheduler_pause(void)
{
    slip_thread_sleep(SCHEDULER_PAUSE);
}

// --------------------------------------------------------------------------------------------- messages
// Messages to rank 0: records, each preceded by its length. From rank 0: numbers of lines; none: all is done;
// -1: ask again.

static void set_failure(slip_sweep_scheduler *t, const char *text)
{
    if (t->status == SLIP_OK) t->status = slip_fail(&t->error, SLIP_IO, "sweep", "%s", text);
}

void slip_mpi_scheduler_gather(slip_sweep_scheduler *t, const char *bytes, size_t count)
{
    const uint64_t length = count;
    slip_text_bytes(&t->mpi->out, (const char *)&length, sizeof length);
    slip_text_bytes(&t->mpi->out, bytes, count);
}

static bool take_records(slip_sweep_scheduler *t, const char *bytes, size_t count)
{
    uint64_t length;
    while (count >= sizeof length) {
        memcpy(&length, bytes, sizeof length);
        bytes += sizeof length, count -= sizeof length;
        if (length > count) return false;
        const long before = t->sweep->done_count;
        if (slip_sweep_unpack(t->sweep, bytes, (size_t)length) != SLIP_OK) return false;
        if (t->sweep->done_count > before)
            slip_sweep_scheduler_store(t, bytes, (size_t)length); // else it was known already
        bytes += length, count -= (size_t)length;
    }
    return count == 0;
}

// ---------------------------------------------------------------------------------------------- rank 0

static bool is_all_done(const slip_sweep_scheduler *t)
{
    return t->sweep->done_count == t->sweep->plan.count || slip_sweep_scheduler_is_stopped(t);
}

static double rank_timeout(const slip_sweep_scheduler *t)
{
    return t->mpi->by->patience > 0.0 ? t->mpi->by->patience : DEFAULT_TIMEOUT;
}

static bool is_overdue(const slip_sweep_scheduler *t, const mpi_rank *m)
{
    return m->count > 0 &&
           slip_monotonic_clock() - m->since > fmax(rank_timeout(t), TIMEOUT_FACTOR * t->mpi->longest);
}

long slip_mpi_scheduler_overdue_line(slip_sweep_scheduler *t)
{
    for (int k = 1; t->mpi && t->mpi->mpi_ranks && k < t->mpi->by->size; k++) {
        mpi_rank *m = &t->mpi->mpi_ranks[k];
        if (!is_overdue(t, m)) continue;
        while (m->count > 0)
            if (!slip_sweep_scheduler_is_line_done(t, m->lines[--m->count])) return m->lines[m->count];
    }
    return -1;
}

bool slip_mpi_scheduler_waits(const slip_sweep_scheduler *t)
{
    return t->mpi && t->mpi->mpi_ranks && !is_all_done(t);
}

// The number of lines of the next part; whole batches where possible, because lanes only pay when they are
// full.
static long part_size(const slip_sweep_scheduler *t)
{
    const long ranks = t->mpi->by->size, left = t->line_count - t->next_line, equal = left / ranks + 1;
    const double worth = t->mpi->pace > 0.0 ? MIN_PART_SECONDS / t->mpi->pace : 1.0;
    long size = left / (PARTS_PER_RANK * ranks) + 1;
    if ((double)size < worth) size = worth < (double)equal ? (long)worth : equal;
    if (size > SLIP_SIMD_BATCH_RUNS) size -= size % SLIP_SIMD_BATCH_RUNS;
    return size < MAX_LINES_PER_PART ? size : MAX_LINES_PER_PART;
}

static void hand_out(slip_sweep_scheduler *t, int to)
{
    static const int64_t later = -1;
    mpi_rank *m = &t->mpi->mpi_ranks[to];
    int64_t lines[MAX_LINES_PER_PART];
    const long size = part_size(t);
    m->count = 0;
    while (m->count < size) {
        long line = slip_sweep_scheduler_next_line(t);
        if (line < 0 && m->count == 0) line = slip_mpi_scheduler_overdue_line(t);
        if (line < 0) break;
        lines[m->count] = line;
        m->lines[m->count++] = line;
    }
    m->given = m->count;
    m->since = slip_monotonic_clock();
    m->gone = is_all_done(t) && m->count == 0;
    if (m->count || m->gone)
        t->mpi->by->send(t->mpi->by->context, to, lines, (size_t)m->count * sizeof *lines);
    else
        t->mpi->by->send(t->mpi->by->context, to, &later, sizeof later);
}

static void answer_request(slip_sweep_scheduler *t, int from, const char *bytes, size_t count)
{
    if (from < 1 || from >= t->mpi->by->size) return;
    mpi_rank *m = &t->mpi->mpi_ranks[from];
    if (m->count > 0) {
        const double took = slip_monotonic_clock() - m->since;
        t->mpi->longest = fmax(t->mpi->longest, took);
        t->mpi->pace = took / (double)m->given;
    }
    if (!take_records(t, bytes, count)) set_failure(t, "a process sent what is no record of this sweep");
    hand_out(t, from);
}

static int count_present(const slip_sweep_scheduler *t)
{
    int count = 0;
    for (int k = 1; k < t->mpi->by->size; k++) count += !t->mpi->mpi_ranks[k].gone;
    return count;
}

void slip_mpi_scheduler_lead(slip_sweep_scheduler *t)
{
    double done_since = NAN;
    for (;;) {
        int from;
        const void *bytes;
        size_t count;
        const bool heard = t->mpi->by->receive(t->mpi->by->context, &from, &bytes, &count);
        slip_mutex_lock(&t->lock);
        if (heard) answer_request(t, from, bytes, count);
        const bool done = is_all_done(t);
        const int present = count_present(t);
        slip_mutex_unlock(&t->lock);
        if (done && isnan(done_since)) done_since = slip_monotonic_clock();
        if (done && (present == 0 || slip_monotonic_clock() - done_since > 0.5 * rank_timeout(t))) {
            t->sweep->lost_ranks = present;
            return;
        }
        if (!heard) slip_mpi_scheduler_pause();
    }
}

// ------------------------------------------------------------------------------------------- the others

bool slip_mpi_scheduler_request(slip_sweep_scheduler *t)
{
    slip_mpi_scheduler *c = t->mpi;
    if (t->status != SLIP_OK) return false;
    const bool fine = !c->out.failed && c->by->send(c->by->context, 0, c->out.data, c->out.length);
    c->out.length = 0;
    t->next_line = t->line_count = 0;
    if (!fine) return set_failure(t, "results could not be sent to rank 0"), false;
    for (;;) {
        int from;
        const void *bytes;
        size_t count;
        if (!c->by->receive(c->by->context, &from, &bytes, &count)) {
            slip_thread_sleep(IDLE_RANK_PAUSE); // rank 0 has no worker of its own here
            continue;
        }
        const int64_t *lines = bytes;
        const size_t lines_count = count / sizeof *lines;
        if (lines_count == 0 || lines_count > MAX_LINES_PER_PART) return false;
        if (lines[0] >= 0) {
            for (size_t k = 0; k < lines_count; k++) c->lines[k] = (long)lines[k];
            t->line_count = (long)lines_count;
            return true;
        }
        slip_thread_sleep(NO_WORK_PAUSE); // no lines yet: ask again later
        if (!c->by->send(c->by->context, 0, NULL, 0)) return set_failure(t, "rank 0 does not answer"), false;
    }
}
