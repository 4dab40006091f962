/// platform/threads_wasi.c: no threads. WebAssembly without shared memory has one.
#define _POSIX_C_SOURCE 200809L // nanosleep
#include "platform/threads.h"

#if defined(__wasi__)

#include <time.h>

bool slip_thread_start(slip_thread *thread, slip_thread_main *main, void *context)
{
    (void)thread, (void)main, (void)context;
    return false;
}

void slip_thread_join(slip_thread *thread)
{
    (void)thread;
}

void slip_thread_sleep(double seconds)
{
    const time_t whole = (time_t)seconds;
    nanosleep(&(struct timespec){ .tv_sec = whole, .tv_nsec = (long)(1e9 * (seconds - (double)whole)) },
              NULL);
}

int slip_processor_count(void)
{
    return 1;
}

void slip_mutex_create(slip_mutex *mutex)
{
    (void)mutex;
}

void slip_mutex_destroy(slip_mutex *mutex)
{
    (void)mutex;
}

void slip_mutex_lock(slip_mutex *mutex)
{
    (void)mutex;
}

void slip_mutex_unlock(slip_mutex *mutex)
{
    (void)mutex;
}

void slip_condition_create(slip_condition *condition)
{
    (void)condition;
}

void slip_condition_destroy(slip_condition *condition)
{
    (void)condition;
}

void slip_condition_wait(slip_condition *condition, slip_mutex *mutex)
{
    (void)condition, (void)mutex;
}

void slip_condition_signal(slip_condition *condition)
{
    (void)condition;
}

void slip_condition_broadcast(slip_condition *condition)
{
    (void)condition;
}

#endif
