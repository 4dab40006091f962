/// base/thread_pool.h: a thread pool for parallel loops.
///
///     slip_thread_pool *thread_pool = slip_thread_pool_create(4);            // the caller and three more
///     slip_thread_pool_run(thread_pool, count, task, context);        // task(context, k, worker) for k = 0 .. count - 1
///     slip_thread_pool_destroy(thread_pool);
///
/// Iterations are scheduled dynamically: the bits do not depend on the number of threads as long as no
/// iteration reads data that another one writes. Scratch memory is indexed by worker. Nothing is allocated
/// after slip_thread_pool_create.
#ifndef SLIP_BASE_THREAD_POOL_H
#define SLIP_BASE_THREAD_POOL_H

typedef struct slip_thread_pool slip_thread_pool;

/// `worker` is 0 for the calling thread, and below the number of threads for all.
typedef void slip_thread_pool_task(void *context, int k, int worker);

/// Most threads.
enum { SLIP_THREAD_POOL_MAX = 256 };

/// Creates a pool of `threads` threads including the caller; fewer if the system does not provide them. NULL
/// when out of memory.
slip_thread_pool *slip_thread_pool_create(int threads);
void slip_thread_pool_destroy(slip_thread_pool *thread_pool); ///< NULL is fine

int slip_thread_pool_size(const slip_thread_pool *thread_pool); ///< number of threads; 1 for NULL

/// Returns when all iterations are done. The caller runs k = 0; without a pool it runs all, one after the
/// other.
void slip_thread_pool_run(slip_thread_pool *thread_pool, int count, slip_thread_pool_task *task,
                          void *context);

/// A loop in stages: iterations from start[s] to before start[s + 1] begin when all before start[s] are done,
/// and see their results; start[0] is 0.
void slip_thread_pool_run_stages(slip_thread_pool *thread_pool, int stages, const int *start,
                                 slip_thread_pool_task *task, void *context);

/// The stage that k belongs to.
int slip_thread_pool_stage(int stages, const int *start, int k);

/// Part k of a loop over `count` items that is divided into `parts` of equal length: from *first to before
/// *end.
static inline void slip_thread_pool_part(int count, int parts, int k, int *first, int *end)
{
    *first = (int)((long)count * k / parts);
    *end = (int)((long)count * (k + 1) / parts);
}

#endif
