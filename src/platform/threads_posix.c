/// platform/threads_posix.c: POSIX threads.
#define _POSIX_C_SOURCE 200809L
#include "platform/threads.h"

#if !defined(_WIN32) && !defined(__wasi__)

#include <time.h>
#include <unistd.h>

bool slip_thread_start(slip_thread *thread, slip_thread_main *main, void *context)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    // pages that are not touched cost nothing
    pthread_attr_setstacksize(&attributes, SLIP_THREAD_STACK_BYTES);
    const bool started = pthread_create(&thread->id, &attributes, main, context) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

void slip_thread_join(slip_thread *thread)
{
    pthread_join(thread->id, NULL);
}

void slip_thread_sleep(double seconds)
{
    const time_t whole = (time_t)seconds;
    nanosleep(&(struct timespec){ .tv_sec = whole, .tv_nsec = (long)(1e9 * (seconds - (double)whole)) },
              NULL);
}

int slip_processor_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

void slip_mutex_create(slip_mutex *mutex)
{
    pthread_mutex_init(&mutex->lock, NULL);
}

void slip_mutex_destroy(slip_mutex *mutex)
{
    pthread_mutex_destroy(&mutex->lock);
}

void slip_mutex_lock(slip_mutex *mutex)
{
    pthread_mutex_lock(&mutex->lock);
}

void slip_mutex_unlock(slip_mutex *mutex)
{
    pthread_mutex_unlock(&mutex->lock);
}

void slip_condition_create(slip_condition *condition)
{
    pthread_cond_init(&condition->variable, NULL);
}

void slip_condition_destroy(slip_condition *condition)
{
    pthread_cond_destroy(&condition->variable);
}

void slip_condition_wait(slip_condition *condition, slip_mutex *mutex)
{
    pthread_cond_wait(&condition->variable, &mutex->lock);
}

void slip_condition_signal(slip_condition *condition)
{
    pthread_cond_signal(&condition->variable);
}

void slip_condition_broadcast(slip_condition *condition)
{
    pthread_cond_broadcast(&condition->variable);
}

#endif
