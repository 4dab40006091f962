/// alloc_fail.c: wrappers around the allocator, see alloc_fail.h.
#include "alloc_fail.h"

#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static bool counting, paused;
static long asked, failing;

void alloc_fail_at(long k)
{
    asked = 0;
    failing = k;
    counting = true;
    paused = false;
}

long alloc_fail_stop(void)
{
    counting = false;
    return asked;
}

void alloc_fail_pause(void)
{
    paused = true;
}

static bool fails(void)
{
    return counting && !paused && ++asked == failing;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}
