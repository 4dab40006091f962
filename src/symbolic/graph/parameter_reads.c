/// symbolic/graph/parameter_reads.c: see parameter_reads.h.
#include "symbolic/graph/parameter_reads.h"

#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/graph.h"

struct slip_read {
    int parameter;
    double value;
};

void slip_parameter_reads_clear(slip_parameter_reads *r)
{
    r->count = 0;
    r->failed = false;
    if (r->room) memset(r->seen, 0, r->room * sizeof *r->seen);
}

void slip_parameter_reads_destroy(slip_parameter_reads *r)
{
    free(r->list);
    free(r->seen);
    *r = (slip_parameter_reads){ 0 };
}

static bool mark_seen(slip_parameter_reads *r, size_t parameter)
{
    if (parameter < r->room) return true;
    const size_t room = 2 * parameter + 16;
    bool *seen = realloc(r->seen, room * sizeof *seen);
    if (!seen) return false;
    memset(seen + r->room, 0, (room - r->room) * sizeof *seen);
    r->seen = seen;
    r->room = room;
    return true;
}

static void note_read(slip_parameter_reads *r, int parameter, double value)
{
    if (!mark_seen(r, (size_t)parameter) ||
        !slip_array_grow((void **)&r->list, &r->capacity, r->count, sizeof *r->list)) {
        r->failed = true;
        return;
    }
    if (r->seen[parameter]) return;
    r->seen[parameter] = true;
    r->list[r->count++] = (struct slip_read){ parameter, value };
}

void slip_read_log_note(slip_read_log *log, int parameter, double value)
{
    for (slip_parameter_reads *r = log->innermost; r; r = r->outer) note_read(r, parameter, value);
}

bool slip_parameter_reads_unchanged(const slip_parameter_reads *r, const slip_graph *g)
{
    for (size_t k = 0; k < r->count; k++) {
        const struct slip_read *read = &r->list[k];
        if ((size_t)read->parameter >= g->parameter_count ||
            memcmp(&g->values[read->parameter], &read->value, sizeof read->value) != 0)
            return false;
    }
    return !r->failed;
}
