/// base/arena.c: pools and aligned workspace memory.
#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

static size_t round_to_cache_line(size_t bytes)
{
    return bytes == 0 ? 64 : (bytes + 63) & ~(size_t)63;
}

void *slip_arena_memory_uninitialised(size_t bytes)
{
    return round_to_cache_line(bytes) < bytes ? NULL : slip_aligned_memory(round_to_cache_line(bytes));
}

void *slip_arena_memory(size_t bytes)
{
    void *memory = slip_arena_memory_uninitialised(bytes);
    if (memory) memset(memory, 0, round_to_cache_line(bytes));
    return memory;
}

bool slip_arena_next_pass(slip_arena *a, void **memory)
{
    if (a->pass++ == 0) {
        *memory = NULL;
        return true;
    }
    if (a->pass > 2) return false;
    a->base = *memory = slip_arena_memory(a->used);
    a->used = 0;
    return a->base != NULL;
}

enum { FIRST_BLOCK_BYTES = 4 * 1024, BLOCK_BYTES = 256 * 1024, ALIGNMENT = 16 };

// Pools larger than this are worth the time it takes to return their memory to the system.
enum { TRIM_ABOVE_BYTES = 1024 * 1024 };

typedef struct block {
    struct block *next;
    size_t used, size; // bytes behind this header
    size_t text;       // the last ones, which texts have: they need no alignment, and names are short
} block;

struct slip_pool {
    block *newest;
};

enum { BLOCK_HEADER_BYTES = (sizeof(block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

slip_pool *slip_pool_create(void)
{
    return calloc(1, sizeof(slip_pool));
}

void slip_pool_destroy(slip_pool *pool)
{
    if (!pool) return;
    size_t bytes = 0;
    for (block *b = pool->newest; b;) {
        block *next = b->next;
        bytes += b->size;
        free(b);
        b = next;
    }
    free(pool);
    // Temporary memory of reading a large model lies between blocks that are kept; without this an allocator
    // would hold on to it as long as the model exists.
    if (bytes > TRIM_ABOVE_BYTES) slip_trim_memory();
}

static block *add_block(slip_pool *pool, size_t bytes)
{
    size_t usual = pool->newest ? 2 * pool->newest->size : FIRST_BLOCK_BYTES; // many pools stay small
    if (usual > BLOCK_BYTES) usual = BLOCK_BYTES;
    size_t size = bytes > usual ? bytes : usual;
    block *b = calloc(1, BLOCK_HEADER_BYTES + size);
    if (!b) return NULL;
    b->size = size;
    b->next = pool->newest;
    pool->newest = b;
    return b;
}

void *slip_pool_take(slip_pool *pool, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 2 - BLOCK_HEADER_BYTES - ALIGNMENT) / size) return NULL;
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0) bytes = ALIGNMENT;
    block *b = pool->newest;
    if (!b || b->size - b->used - b->text < bytes) b = add_block(pool, bytes);
    if (!b) return NULL;
    char *at = (char *)b + BLOCK_HEADER_BYTES + b->used;
    b->used += bytes;
    return at;
}

slip_pool_mark slip_pool_set_mark(const slip_pool *pool)
{
    const block *b = pool->newest;
    return (slip_pool_mark){ pool->newest, b ? b->used : 0, b ? b->text : 0 };
}

void slip_pool_rewind(slip_pool *pool, slip_pool_mark mark)
{
    while (pool->newest && pool->newest != mark.block && pool->newest->next) {
        block *newer = pool->newest;
        pool->newest = newer->next;
        free(newer);
    }
    block *b = pool->newest;
    if (!b) return;
    const bool same = b == mark.block;
    const size_t used = same ? mark.used : 0, text = same ? mark.text : 0;
    memset((char *)b + BLOCK_HEADER_BYTES + used, 0, b->used - used); // what is taken next is zero again
    memset((char *)b + BLOCK_HEADER_BYTES + b->size - b->text, 0, b->text - text);
    b->used = used;
    b->text = text;
}

char *slip_pool_text(slip_pool *pool, const char *text, size_t length)
{
    if (length >= SIZE_MAX / 2 - BLOCK_HEADER_BYTES) return NULL;
    block *b = pool->newest;
    if (!b || b->size - b->used - b->text <= length) b = add_block(pool, length + 1);
    if (!b) return NULL;
    b->text += length + 1;
    char *copy = (char *)b + BLOCK_HEADER_BYTES + b->size - b->text;
    if (length) memcpy(copy, text, length);
    return copy; // the byte behind it is zero, as all are
}

int slip_array_grow(void **items, size_t *capacity, size_t count, size_t item_size)
{
    assert(count <= *capacity && item_size > 0);
    if (count < *capacity) return 1;
    size_t wanted = *capacity ? 2 * *capacity : 16;
    if (wanted < *capacity || wanted > SIZE_MAX / item_size) return 0;
    void *grown = realloc(*items, wanted * item_size);
    if (!grown) return 0;
    *items = grown;
    *capacity = wanted;
    return 1;
}
