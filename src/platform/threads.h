/// platform/threads.h: threads, locks and condition variables. Where there are no threads, none can be started
/// and locks do nothing: callers then do all the work themselves.
#ifndef SLIP_PLATFORM_THREADS_H
#define SLIP_PLATFORM_THREADS_H

#include <stdbool.h>

#if defined(_WIN32) // as SRWLOCK and CONDITION_VARIABLE, which are a pointer each
typedef struct slip_mutex {
    void *lock;
} slip_mutex;
typedef struct slip_condition {
    void *variable;
} slip_condition;
typedef void *slip_thread_id;
#elif defined(__wasi__)
typedef struct slip_mutex {
    char unused;
} slip_mutex;
typedef struct slip_condition {
    char unused;
} slip_condition;
typedef int slip_thread_id;
#else
#include <pthread.h>
typedef struct slip_mutex {
    pthread_mutex_t lock;
} slip_mutex;
typedef struct slip_condition {
    pthread_cond_t variable;
} slip_condition;
typedef pthread_t slip_thread_id;
#endif

typedef void *slip_thread_main(void *context);

typedef struct slip_thread {
    slip_thread_id id;
    slip_thread_main *main;
    void *context;
} slip_thread;

/// The stack of a thread: that of a program on most systems. Some give their threads a hundredth of it.
enum { SLIP_THREAD_STACK_BYTES = 8 << 20 };

bool slip_thread_start(slip_thread *thread, slip_thread_main *main,
                       void *context); ///< stays where it is till
                                       ///< joined
void slip_thread_join(slip_thread *thread);
void slip_thread_sleep(double seconds);
int slip_processor_count(void); ///< at least 1

/// Runs main(context) on so many threads, including this one, and returns when all have ended. Fewer where
/// the system does not provide them, and never more than SLIP_THREADS_TOGETHER.
enum { SLIP_THREADS_TOGETHER = 64 };
void slip_threads_together(int threads, slip_thread_main *main, void *context);

void slip_mutex_create(slip_mutex *mutex);
void slip_mutex_destroy(slip_mutex *mutex);
void slip_mutex_lock(slip_mutex *mutex);
void slip_mutex_unlock(slip_mutex *mutex);

void slip_condition_create(slip_condition *condition);
void slip_condition_destroy(slip_condition *condition);
void slip_condition_wait(slip_condition *condition, slip_mutex *mutex);
void slip_condition_signal(slip_condition *condition);    ///< wakes one
void slip_condition_broadcast(slip_condition *condition); ///< wakes all

#endif
