/// sweep/crew.c: one sweep on many processes.
///
/// Rank 0 hands out lines in ever smaller parts, so that all end together; a message that asks for more
/// brings the records of the part before. A rank that takes much longer than any part has taken counts as
/// lost and its lines are done again: every run is a function of its number, so it does not matter who is
/// first.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/stop.h"
#include "sweep/block.h"
#include "sweep/team.h"

static const double PATIENCE = 10.0, TIMES = 5.0; // s; of the longest part so far
enum { PARTS = 8, MAX_PART = 4096 };              // parts per rank that are left to hand out
static const double WORTH_A_MESSAGE = 4e-3;       // s, that a part takes at the least while there is enough

typedef struct member {
    long lines[MAX_PART];
    long count;   // handed out and not known to be done
    long given;   // handed out
    double since; // when
    bool gone;    // knows that all is done
} member;

typedef struct slip_crew {
    const slip_sweep_crew *by;
    member *members; // rank 0: of the others, by rank
    double longest;  // s, that a part has taken
    double pace;     // s, that a line of the last one has; 0: not known yet
    slip_text out;   // others: records for rank 0
    long *lines;     // others: to do
} slip_crew;

static slip_status no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
}

slip_status slip_crew_begin(slip_team *t, slip_error *error)
{
    const slip_sweep_crew *by = t->sweep->def.crew;
    if (!by) return SLIP_OK;
    t->crew = calloc(1, sizeof *t->crew);
    if (!t->crew) return no_memory(error);
    t->crew->by = by;
    if (by->rank == 0)
        t->crew->members = calloc((size_t)by->size, sizeof *t->crew->members);
    else
        t->lines = t->crew->lines = calloc(MAX_PART, sizeof *t->crew->lines);
    t->line_count = by->rank == 0 ? t->line_count : 0;
    return t->crew->members || t->crew->lines ? SLIP_OK : no_memory(error);
}

void slip_crew_end(slip_team *t)
{
    if (!t->crew) return;
    slip_text_destroy(&t->crew->out);
    free(t->crew->members);
    free(t->crew->lines);
    free(t->crew);
    t->crew = NULL;
}

static void rest(long nanoseconds)
{
    nanosleep(&(struct timespec){ .tv_nsec = nanoseconds }, NULL);
}

void slip_crew_pause(void)
{
    rest(200000);
}

// --------------------------------------------------------------------------------------------- messages
// To rank 0: records, each behind its length. From it: numbers of lines; none: all is done; -1: ask again.

static void fail(slip_team *t, const char *text)
{
    if (t->status == SLIP_OK) t->status = slip_fail(&t->error, SLIP_IO, "sweep", "%s", text);
}

void slip_crew_gather(slip_team *t, const char *bytes, size_t count)
{
    const uint64_t length = count;
    slip_text_bytes(&t->crew->out, (const char *)&length, sizeof length);
    slip_text_bytes(&t->crew->out, bytes, count);
}

static bool take_records(slip_team *t, const char *bytes, size_t count)
{
    uint64_t length;
    while (count >= sizeof length) {
        memcpy(&length, bytes, sizeof length);
        bytes += sizeof length, count -= sizeof length;
        if (length > count) return false;
        const long before = t->sweep->done_count;
        if (slip_sweep_unpack(t->sweep, bytes, (size_t)length) != SLIP_OK) return false;
        if (t->sweep->done_count > before) slip_team_store(t, bytes, (size_t)length); // else known
        bytes += length, count -= (size_t)length;
    }
    return count == 0;
}

// ---------------------------------------------------------------------------------------------- rank 0

static bool is_all_done(const slip_team *t)
{
    return t->sweep->done_count == t->sweep->plan.count || slip_team_is_stopped(t);
}

static double patience(const slip_team *t)
{
    return t->crew->by->patience > 0.0 ? t->crew->by->patience : PATIENCE;
}

static bool is_overdue(const slip_team *t, const member *m)
{
    return m->count > 0 && slip_clock() - m->since > fmax(patience(t), TIMES * t->crew->longest);
}

long slip_crew_overdue_line(slip_team *t)
{
    for (int k = 1; t->crew && t->crew->members && k < t->crew->by->size; k++) {
        member *m = &t->crew->members[k];
        if (!is_overdue(t, m)) continue;
        while (m->count > 0)
            if (!slip_team_is_line_done(t, m->lines[--m->count])) return m->lines[m->count];
    }
    return -1;
}

bool slip_crew_waits(const slip_team *t)
{
    return t->crew && t->crew->members && !is_all_done(t);
}

// Whole blocks where there are some: lanes are worth while when they are full
static long part_size(const slip_team *t)
{
    const long ranks = t->crew->by->size, left = t->line_count - t->next_line, equal = left / ranks + 1;
    const double worth = t->crew->pace > 0.0 ? WORTH_A_MESSAGE / t->crew->pace : 1.0;
    long size = left / (PARTS * ranks) + 1;
    if ((double)size < worth) size = worth < (double)equal ? (long)worth : equal;
    if (size > SLIP_BLOCK) size -= size % SLIP_BLOCK;
    return size < MAX_PART ? size : MAX_PART;
}

static void hand_out(slip_team *t, int to)
{
    static const int64_t later = -1;
    member *m = &t->crew->members[to];
    int64_t lines[MAX_PART];
    const long size = part_size(t);
    m->count = 0;
    while (m->count < size) {
        long line = slip_team_next_line(t);
        if (line < 0 && m->count == 0) line = slip_crew_overdue_line(t);
        if (line < 0) break;
        lines[m->count] = line;
        m->lines[m->count++] = line;
    }
    m->given = m->count;
    m->since = slip_clock();
    m->gone = is_all_done(t) && m->count == 0;
    if (m->count || m->gone)
        t->crew->by->send(t->crew->by->context, to, lines, (size_t)m->count * sizeof *lines);
    else
        t->crew->by->send(t->crew->by->context, to, &later, sizeof later);
}

static void answer(slip_team *t, int from, const char *bytes, size_t count)
{
    if (from < 1 || from >= t->crew->by->size) return;
    member *m = &t->crew->members[from];
    if (m->count > 0) {
        const double took = slip_clock() - m->since;
        t->crew->longest = fmax(t->crew->longest, took);
        t->crew->pace = took / (double)m->given;
    }
    if (!take_records(t, bytes, count)) fail(t, "a process sent what is no record of this sweep");
    hand_out(t, from);
}

static int count_present(const slip_team *t)
{
    int count = 0;
    for (int k = 1; k < t->crew->by->size; k++) count += !t->crew->members[k].gone;
    return count;
}

void slip_crew_lead(slip_team *t)
{
    double done_since = NAN;
    for (;;) {
        int from;
        const void *bytes;
        size_t count;
        const bool heard = t->crew->by->receive(t->crew->by->context, &from, &bytes, &count);
        pthread_mutex_lock(&t->lock);
        if (heard) answer(t, from, bytes, count);
        const bool done = is_all_done(t);
        const int present = count_present(t);
        pthread_mutex_unlock(&t->lock);
        if (done && isnan(done_since)) done_since = slip_clock();
        if (done && (present == 0 || slip_clock() - done_since > 0.5 * patience(t))) {
            t->sweep->lost_ranks = present;
            return;
        }
        if (!heard) slip_crew_pause();
    }
}

// ------------------------------------------------------------------------------------------- the others

bool slip_crew_ask(slip_team *t)
{
    slip_crew *c = t->crew;
    if (t->status != SLIP_OK) return false;
    const bool fine = !c->out.failed && c->by->send(c->by->context, 0, c->out.data, c->out.length);
    c->out.length = 0;
    t->next_line = t->line_count = 0;
    if (!fine) return fail(t, "results could not be sent to rank 0"), false;
    for (;;) {
        int from;
        const void *bytes;
        size_t count;
        if (!c->by->receive(c->by->context, &from, &bytes, &count)) {
            rest(20000); // it has nothing else to do
            continue;
        }
        const int64_t *lines = bytes;
        const size_t lines_count = count / sizeof *lines;
        if (lines_count == 0 || lines_count > MAX_PART) return false;
        if (lines[0] >= 0) {
            for (size_t k = 0; k < lines_count; k++) c->lines[k] = (long)lines[k];
            t->line_count = (long)lines_count;
            return true;
        }
        rest(2000000); // nothing yet: ask again
        if (!c->by->send(c->by->context, 0, NULL, 0)) return fail(t, "rank 0 does not answer"), false;
    }
}
