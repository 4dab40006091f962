/// platform/process_windows.c: clocks and memory of a process, on Windows.
#include "platform/platform.h"

#if defined(_WIN32)

#include <windows.h>

#include <psapi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double slip_monotonic_clock(void)
{
    LARGE_INTEGER now, unit;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&unit);
    return (double)now.QuadPart / (double)unit.QuadPart;
}

// The unit of a FILETIME, s.
static const double FILETIME_UNIT = 1e-7;

static double seconds_of(FILETIME time)
{
    return FILETIME_UNIT * ((double)time.dwHighDateTime * 4294967296.0 + (double)time.dwLowDateTime);
}

double slip_thread_seconds(void)
{
    FILETIME made, ended, kernel, user;
    if (!GetThreadTimes(GetCurrentThread(), &made, &ended, &kernel, &user)) return slip_monotonic_clock();
    return seconds_of(kernel) + seconds_of(user);
}

bool slip_utc_text(char *text, size_t size)
{
    const time_t now = time(NULL);
    struct tm utc;
    return gmtime_s(&utc, &now) == 0 && strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0;
}

// Memory at a cache line would need a free() of its own. Nothing but time depends on it: lanes of more than two
// numbers, which want their rows aligned, are not built here.
void *slip_aligned_memory(size_t bytes)
{
    return malloc(bytes);
}

void slip_trim_memory(void) {}

double slip_peak_bytes(void)
{
    PROCESS_MEMORY_COUNTERS counters;
    return K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)
               ? (double)counters.PeakWorkingSetSize
               : 0.0;
}

void *slip_executable_memory(const void *code, size_t bytes)
{
    DWORD before;
    void *pages = VirtualAlloc(NULL, bytes, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    if (!pages) return NULL;
    memcpy(pages, code, bytes);
    if (VirtualProtect(pages, bytes, PAGE_EXECUTE_READ, &before)) return pages;
    VirtualFree(pages, 0, MEM_RELEASE);
    return NULL;
}

void slip_executable_free(void *code, size_t bytes)
{
    (void)bytes;
    if (code) VirtualFree(code, 0, MEM_RELEASE);
}

#endif
