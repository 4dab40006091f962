/// platform/process_posix.c: clocks and memory of a process, on POSIX systems and WASI.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "platform/platform.h"

#if !defined(_WIN32)

#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifndef __wasi__
#include <sys/mman.h>
#include <sys/resource.h>
#endif

static const double NANOSECOND = 1e-9; // s, the unit of timespec.tv_nsec

static double seconds_of(clockid_t clock)
{
    struct timespec t = { 0 };
    return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + NANOSECOND * (double)t.tv_nsec : -1.0;
}

double slip_monotonic_clock(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double slip_thread_seconds(void)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    const double seconds = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    if (seconds >= 0.0) return seconds;
#endif
    return slip_monotonic_clock();
}

bool slip_utc_text(char *text, size_t size)
{
    const time_t now = time(NULL);
    struct tm utc;
    return now != (time_t)-1 && gmtime_r(&now, &utc) && strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0;
}

void *slip_aligned_memory(size_t bytes)
{
    return aligned_alloc(64, bytes);
}

void slip_trim_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

#ifdef __wasi__

double slip_peak_bytes(void)
{
    return 65536.0 * (double)__builtin_wasm_memory_size(0); // it never shrinks
}

void *slip_executable_memory(const void *code, size_t bytes)
{
    (void)code, (void)bytes;
    return NULL;
}

void slip_executable_free(void *code, size_t bytes)
{
    (void)code, (void)bytes;
}

#else

double slip_peak_bytes(void)
{
#ifdef __APPLE__
    const double unit = 1.0;
#else
    const double unit = 1024.0;
#endif
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? unit * (double)usage.ru_maxrss : 0.0;
}

void *slip_executable_memory(const void *code, size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return NULL;
    memcpy(pages, code, bytes);
    if (mprotect(pages, bytes, PROT_READ | PROT_EXEC) == 0)
        return pages; // writable or executable, never both
    munmap(pages, bytes);
    return NULL;
}

void slip_executable_free(void *code, size_t bytes)
{
    if (code) munmap(code, bytes);
}

#endif

#endif
