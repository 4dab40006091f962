/// failing_malloc.c: an allocator for LD_PRELOAD whose allocation number FAIL_AT fails, wherever it is made: in the program,
/// in the library, in libyaml, in stdio. Without FAIL_AT it counts them; at the end FAIL_COUNT names the file that
/// gets the count. For tools/campaign_allocations.sh.
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long asked;
static long failing = -1; // not read yet

static int fails(void)
{
    const long k = atomic_fetch_add(&asked, 1) + 1;
    if (failing < 0) {
        const char *const text = getenv("FAIL_AT");
        failing = text ? atol(text) : 0;
    }
    if (k != failing) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size)
{
    return fails() ? NULL : __libc_realloc(memory, size);
}
void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

__attribute__((destructor)) static void write_count(void)
{
    const long count = asked;
    const char *const path = getenv("FAIL_COUNT");
    FILE *const file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", count);
    fclose(file);
}
