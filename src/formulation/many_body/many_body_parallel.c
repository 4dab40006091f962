/// formulation/many_body/many_body_parallel.c: loops of a step over bodies, contacts and islands, on several threads.
#include <math.h>

#include "formulation/many_body/many_body.h"

enum {
    MIN_ITEMS_PER_THREAD = 512,        // bodies or contacts that are worth waking a thread for
    MIN_LIGHT_ITEMS_PER_THREAD = 2048, // contacts, where little is to do for each
    CHUNKS_PER_THREAD = 4,             // per thread, since some take longer
    MAX_CHUNKS = 1024,                 // of islands
    PAIRS_PER_THREAD = 1024            // of shapes, per thread
};

int slip_many_body_batch_size(int threads)
{
    return threads > 1 ? PAIRS_PER_THREAD * threads : 1;
}

static int chunk_count(const slip_many_body *c, int count, int worth)
{
    const int threads = slip_thread_pool_size(c->thread_pool);
    const int parts = CHUNKS_PER_THREAD * threads < MAX_CHUNKS ? CHUNKS_PER_THREAD * threads : MAX_CHUNKS;
    return threads > 1 && count >= worth ? parts : 1;
}

// -------------------------------------------------------------------------------- bodies and contacts

typedef struct loop {
    slip_many_body *c;
    slip_range_task *task;
    int count, parts;
} loop;

static void run_chunk(void *context, int k, int worker)
{
    const loop *l = context;
    int first, end;
    (void)worker;
    slip_thread_pool_part(l->count, l->parts, k, &first, &end);
    l->task(l->c, first, end);
}

void slip_many_body_parallel(slip_many_body *c, int count, slip_range_task *task)
{
    loop l = { c, task, count, chunk_count(c, count, MIN_ITEMS_PER_THREAD) };
    slip_thread_pool_run(c->thread_pool, l.parts, run_chunk, &l);
}

// ------------------------------------------------------------------------------------------- islands

typedef struct islands_loop {
    slip_many_body *c;
    slip_island_task *task;
    int parts;
    double largest[MAX_CHUNKS];
} islands_loop;

// the first island that begins at or behind a place in the order of contacts
static int island_at(const slip_many_body *c, int place)
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

static void run_island_chunk(void *context, int k, int worker)
{
    islands_loop *l = context;
    const int count = l->c->start[l->c->island_count];
    int first, end;
    (void)worker;
    slip_thread_pool_part(count, l->parts, k, &first, &end);
    const int from = k ? island_at(l->c, first) : 0,
              to = k + 1 < l->parts ? island_at(l->c, end) : l->c->island_count;
    l->largest[k] = from < to ? l->task(l->c, from, to) : 0.0;
}

double slip_many_body_parallel_islands(slip_many_body *c, slip_island_task *task)
{
    islands_loop l; // its list is longer than what most steps need, and is not cleared
    double largest = 0.0;
    l.c = c, l.task = task;
    l.parts = chunk_count(c, c->start[c->island_count], MIN_LIGHT_ITEMS_PER_THREAD);
    slip_thread_pool_run(c->thread_pool, l.parts, run_island_chunk, &l);
    for (int k = 0; k < l.parts; k++) largest = fmax(largest, l.largest[k]);
    return largest;
}
