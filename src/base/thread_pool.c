/// base/thread_pool.c: threads take iterations from a shared counter, and idle ones sleep on a condition variable.
///
/// Before it sleeps a thread spins for a moment, because one loop of a step follows the other sooner than a
/// thread wakes up. A thread that comes late to a loop finds it closed: no loop waits for a sleeping thread.
///
/// A plain loop has a single stage. Since iterations are taken in order, the first one that is not done never
/// waits, so that no loop can deadlock.
#include "base/thread_pool.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "platform/threads.h"

enum { SPINS_BEFORE_SLEEP = 2000 };      // some 20 us
static const double SHORT_SLEEP = 50e-6; // s, about what waking up takes

typedef struct helper {
    slip_thread_pool *thread_pool;
    int worker;
    slip_thread thread;
} helper;

struct slip_thread_pool {
    int size;
    helper *helpers; // worker k + 1
    slip_mutex lock;
    slip_condition begins, ends;
    atomic_long round; // number of loops so far; like the following members it is written under the lock
    atomic_int inside; // helpers in the present loop
    bool open;         // helpers may still join it
    atomic_bool closed;
    int stages;
    const int *start;
    slip_thread_pool_task *task;
    void *context;
    atomic_int next, done; // iteration to be taken next; number of iterations done
};

static void spin_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// One stage follows the other sooner than a thread wakes up; if it takes longer, the other thread has lost
// its processor.
static void wait_a_little(int times)
{
    if (times < SPINS_BEFORE_SLEEP)
        spin_pause();
    else
        slip_thread_sleep(SHORT_SLEEP);
}

// Takes the next iteration, whose stage is not after *stage. It is taken only when it can be run, so that no
// thread waits for a waiting one.
static int take_index(slip_thread_pool *g, int count, int *stage)
{
    int k = atomic_load(&g->next);
    for (int times = 0; k < count;) {
        while (k >= g->start[*stage + 1]) ++*stage;
        if (atomic_load(&g->done) < g->start[*stage]) {
            wait_a_little(times++);
            k = atomic_load(&g->next);
        } else if (atomic_compare_exchange_weak(&g->next, &k, k + 1))
            break;
    }
    return k;
}

static void run_worker(slip_thread_pool *g, int worker)
{
    const int count = g->start[g->stages];
    int stage = 0;
    for (int k = take_index(g, count, &stage); k < count; k = take_index(g, count, &stage)) {
        g->task(g->context, k, worker);
        atomic_fetch_add(&g->done, 1);
    }
}

static void *helper_main(void *argument)
{
    const helper *h = argument;
    slip_thread_pool *g = h->thread_pool;
    long seen = 0;
    for (;;) {
        for (int k = 0; k < SPINS_BEFORE_SLEEP && g->round == seen && !g->closed; k++) spin_pause();
        slip_mutex_lock(&g->lock);
        while (!g->closed && g->round == seen) slip_condition_wait(&g->begins, &g->lock);
        if (g->closed) break;
        seen = g->round;
        const bool open = g->open;
        g->inside += open;
        slip_mutex_unlock(&g->lock);
        if (!open) continue;
        run_worker(g, h->worker);
        slip_mutex_lock(&g->lock);
        if (atomic_fetch_sub(&g->inside, 1) == 1) slip_condition_signal(&g->ends);
        slip_mutex_unlock(&g->lock);
    }
    slip_mutex_unlock(&g->lock);
    return NULL;
}

slip_thread_pool *slip_thread_pool_create(int threads)
{
    if (threads > SLIP_THREAD_POOL_MAX) threads = SLIP_THREAD_POOL_MAX;
    slip_thread_pool *g = calloc(1, sizeof *g);
    helper *helpers = threads > 1 ? calloc((size_t)threads - 1, sizeof *helpers) : NULL;
    if (!g || (threads > 1 && !helpers)) {
        free(g);
        free(helpers);
        return NULL;
    }
    g->helpers = helpers;
    g->size = 1;
    slip_mutex_create(&g->lock);
    slip_condition_create(&g->begins);
    slip_condition_create(&g->ends);
    while (g->size < threads) {
        helper *h = &helpers[g->size - 1];
        *h = (helper){ .thread_pool = g, .worker = g->size };
        if (!slip_thread_start(&h->thread, helper_main, h)) break;
        g->size++;
    }
    return g;
}

void slip_thread_pool_destroy(slip_thread_pool *g)
{
    if (!g) return;
    slip_mutex_lock(&g->lock);
    g->closed = true;
    slip_condition_broadcast(&g->begins);
    slip_mutex_unlock(&g->lock);
    for (int k = 0; k < g->size - 1; k++) slip_thread_join(&g->helpers[k].thread);
    slip_condition_destroy(&g->ends);
    slip_condition_destroy(&g->begins);
    slip_mutex_destroy(&g->lock);
    free(g->helpers);
    free(g);
}

int slip_thread_pool_size(const slip_thread_pool *g)
{
    return g ? g->size : 1;
}

void slip_thread_pool_run(slip_thread_pool *g, int count, slip_thread_pool_task *task, void *context)
{
    const int start[2] = { 0, count };
    slip_thread_pool_run_stages(g, 1, start, task, context);
}

int slip_thread_pool_stage(int stages, const int *start, int k)
{
    int low = 0, high = stages - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (start[middle + 1] <= k)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void open_loop(slip_thread_pool *g, int stages, const int *start, slip_thread_pool_task *task,
                      void *context)
{
    slip_mutex_lock(&g->lock);
    g->stages = stages, g->start = start, g->task = task, g->context = context;
    atomic_store(&g->next, 1);
    atomic_store(&g->done, 0);
    g->open = true;
    g->round++;
    slip_condition_broadcast(&g->begins);
    slip_mutex_unlock(&g->lock);
}

static void close_loop(slip_thread_pool *g)
{
    slip_mutex_lock(&g->lock);
    g->open = false;
    slip_mutex_unlock(&g->lock);
    for (int k = 0; k < SPINS_BEFORE_SLEEP && g->inside > 0; k++) spin_pause();
    if (g->inside == 0) return;
    slip_mutex_lock(&g->lock);
    while (g->inside > 0) slip_condition_wait(&g->ends, &g->lock);
    slip_mutex_unlock(&g->lock);
}

void slip_thread_pool_run_stages(slip_thread_pool *g, int stages, const int *start,
                                 slip_thread_pool_task *task, void *context)
{
    if (slip_thread_pool_size(g) == 1 || start[stages] < 2) {
        for (int k = 0; k < start[stages]; k++) task(context, k, 0);
        return;
    }
    open_loop(g, stages, start, task, context);
    task(context, 0, 0);
    atomic_fetch_add(&g->done, 1);
    run_worker(g, 0);
    close_loop(g);
}
