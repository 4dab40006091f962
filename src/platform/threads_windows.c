/// platform/threads_windows.c: threads of Windows.
#include "platform/threads.h"

#if defined(_WIN32)

#include <windows.h>

static DWORD WINAPI begin(LPVOID argument)
{
    const slip_thread *thread = argument;
    thread->main(thread->context);
    return 0;
}

bool slip_thread_start(slip_thread *thread, slip_thread_main *main, void *context)
{
    *thread = (slip_thread){ .main = main, .context = context };
    thread->id =
        CreateThread(NULL, SLIP_THREAD_STACK_BYTES, begin, thread, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    return thread->id != NULL;
}

void slip_thread_join(slip_thread *thread)
{
    WaitForSingleObject(thread->id, INFINITE);
    CloseHandle(thread->id);
}

void slip_thread_sleep(double seconds)
{
    Sleep((DWORD)(1e3 * seconds));
}

int slip_processor_count(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? (int)info.dwNumberOfProcessors : 1;
}

_Static_assert(sizeof(SRWLOCK) == sizeof(slip_mutex), "a lock is a pointer");
_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(slip_condition), "a condition variable is a pointer");

void slip_mutex_create(slip_mutex *mutex)
{
    InitializeSRWLock((SRWLOCK *)mutex);
}

void slip_mutex_destroy(slip_mutex *mutex)
{
    (void)mutex;
}

void slip_mutex_lock(slip_mutex *mutex)
{
    AcquireSRWLockExclusive((SRWLOCK *)mutex);
}

void slip_mutex_unlock(slip_mutex *mutex)
{
    ReleaseSRWLockExclusive((SRWLOCK *)mutex);
}

void slip_condition_create(slip_condition *condition)
{
    InitializeConditionVariable((CONDITION_VARIABLE *)condition);
}

void slip_condition_destroy(slip_condition *condition)
{
    (void)condition;
}

void slip_condition_wait(slip_condition *condition, slip_mutex *mutex)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE *)condition, (SRWLOCK *)mutex, INFINITE, 0);
}

void slip_condition_signal(slip_condition *condition)
{
    WakeConditionVariable((CONDITION_VARIABLE *)condition);
}

void slip_condition_broadcast(slip_condition *condition)
{
    WakeAllConditionVariable((CONDITION_VARIABLE *)condition);
}

#endif
