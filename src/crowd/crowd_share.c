/// crowd/crowd_share.c: loops of a step over bodies, contacts and islands, on several threads.
#include <math.h>

#include "crowd/crowd.h"

enum {
    WORTH = 512,         // bodies or contacts that are worth waking a thread for
    WORTH_LITTLE = 2048, // contacts, where little is to do for each
    PARTS = 4,           // per thread, since some take longer
    MOST_PARTS = 1024,   // of islands
    PAIRS = 1024         // of shapes, per thread
};

int slip_crowd_batch(int threads)
{
    return threads > 1 ? PAIRS * threads : 1;
}

static int parts_of(const slip_crowd_step *c, int count, int worth)
{
    const int threads = slip_gang_size(c->gang);
    const int parts = PARTS * threads < MOST_PARTS ? PARTS * threads : MOST_PARTS;
    return threads > 1 && count >= worth ? parts : 1;
}

// -------------------------------------------------------------------------------- bodies and contacts

typedef struct loop {
    slip_crowd_step *c;
    slip_crowd_part_task *task;
    int count, parts;
} loop;

static void do_part(void *context, int k, int worker)
{
    const loop *l = context;
    int first, end;
    (void)worker;
    slip_gang_part(l->count, l->parts, k, &first, &end);
    l->task(l->c, first, end);
}

void slip_crowd_share(slip_crowd_step *c, int count, slip_crowd_part_task *task)
{
    loop l = { c, task, count, parts_of(c, count, WORTH) };
    slip_gang_run(c->gang, l.parts, do_part, &l);
}

// ------------------------------------------------------------------------------------------- islands

typedef struct islands_loop {
    slip_crowd_step *c;
    slip_crowd_islands_task *task;
    int parts;
    double largest[MOST_PARTS];
} islands_loop;

// the first island that begins at or behind a place in the order of contacts
static int island_at(const slip_crowd_step *c, int place)
{
    int low = 0, high = c->island_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (c->start[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void do_islands(void *context, int k, int worker)
{
    islands_loop *l = context;
    const int count = l->c->start[l->c->island_count];
    int first, end;
    (void)worker;
    slip_gang_part(count, l->parts, k, &first, &end);
    const int from = k ? island_at(l->c, first) : 0,
              to = k + 1 < l->parts ? island_at(l->c, end) : l->c->island_count;
    l->largest[k] = from < to ? l->task(l->c, from, to) : 0.0;
}

double slip_crowd_share_islands(slip_crowd_step *c, slip_crowd_islands_task *task)
{
    islands_loop l = { .c = c, .task = task, .parts = parts_of(c, c->start[c->island_count], WORTH_LITTLE) };
    double largest = 0.0;
    slip_gang_run(c->gang, l.parts, do_islands, &l);
    for (int k = 0; k < l.parts; k++) largest = fmax(largest, l.largest[k]);
    return largest;
}
