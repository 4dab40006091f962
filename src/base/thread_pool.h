/// base/thread_pool.h: threads that wait to help with a loop.
///
///     slip_thread_pool *thread_pool = slip_thread_pool_create(4);            // the caller and three more
///     slip_thread_pool_run(thread_pool, count, task, context);        // task(context, k, worker) for k = 0 .. count - 1
///     slip_thread_pool_destroy(thread_pool);
///
/// Who does which k is left to chance: a loop gives the same bits for any number of threads when no k reads
/// what another one writes. Memory that a k needs for itself is that of its worker. Nothing is allocated
/// after slip_thread_pool_create.
#ifndef SLIP_BASE_THREAD_POOL_H
#define SLIP_BASE_THREAD_POOL_H

typedef struct slip_thread_pool slip_thread_pool;

/// `worker` is 0 for the caller, and below the number of threads for all.
typedef void slip_thread_pool_task(void *context, int k, int worker);

/// Threads at the most.
enum { SLIP_THREAD_POOL_MAX = 256 };

/// So many threads with the caller's; fewer where the system gives no more. NULL when out of memory.
slip_thread_pool *slip_thread_pool_create(int threads);
void slip_thread_pool_destroy(slip_thread_pool *thread_pool); ///< NULL is fine

int slip_thread_pool_size(const slip_thread_pool *thread_pool); ///< threads; of NULL 1

/// Returns when all are done. k = 0 is the caller's; without a thread_pool all are, one after the other.
void slip_thread_pool_run(slip_thread_pool *thread_pool, int count, slip_thread_pool_task *task,
                          void *context);

/// A loop in stages: k from start[s] to before start[s + 1] begin when all before start[s] are done, and see
/// what these wrote; start[0] is 0.
void slip_thread_pool_run_stages(slip_thread_pool *thread_pool, int stages, const int *start,
                                 slip_thread_pool_task *task, void *context);

/// The stage that k belongs to.
int slip_thread_pool_stage(int stages, const int *start, int k);

/// Part k of a loop over `count` things that is cut into `parts` of equal length: from *first to before *end.
static inline void slip_thread_pool_part(int count, int parts, int k, int *first, int *end)
{
    *first = (int)((long)count * k / parts);
    *end = (int)((long)count * (k + 1) / parts);
}

#endif
