/// core/arena.h: two ways to take memory, and no third.
///
/// slip_arena: the workspace of a simulation or a solve. Measured once, taken once, carved front to
/// back; nothing is allocated after that. With base == NULL it only counts, so one layout function
/// both measures a workspace and carves it, and the two cannot disagree:
///
///     static void layout(slip_arena *a, work *w, int n) { w->r = SLIP_TAKE(a, double, n); ... }
///     slip_arena count = { 0 };   layout(&count, &w, n);      // measure
///     slip_arena real = { .base = calloc(1, count.used) };    // take
///     layout(&real, &w, n);                                   // carve
///
/// slip_pool: everything a model owns (names, nodes, tables) while it is being built. Grows in
/// blocks, is freed in one call, so a failed allocation anywhere has one clean-up.
#ifndef SLIP_CORE_ARENA_H
#define SLIP_CORE_ARENA_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slip_arena {
    char *base;
    size_t used;
} slip_arena;

static inline void *slip_arena_take(slip_arena *a, size_t bytes)
{
    size_t at = a->used;
    assert(bytes < SIZE_MAX / 2);          // not a negative count
    a->used += (bytes + 63) & ~(size_t)63; // each block starts a cache line
    return a->base ? a->base + at : NULL;
}

#define SLIP_TAKE(arena, type, count) ((type *)slip_arena_take((arena), (size_t)(count) * sizeof(type)))

/// 64-byte aligned, zeroed memory for a measured arena; NULL when there is none. Release with free().
void *slip_arena_memory(size_t bytes);

typedef struct slip_pool slip_pool;

slip_pool *slip_pool_create(void); ///< NULL when out of memory
void slip_pool_destroy(slip_pool *pool);

/// Zeroed memory that lives as long as the pool; NULL when out of memory or when the size overflows.
void *slip_pool_take(slip_pool *pool, size_t count, size_t size);

/// Gives back what was taken since a mark. The oldest block stays with the pool.
typedef struct slip_pool_mark {
    void *block;
    size_t used;
} slip_pool_mark;
slip_pool_mark slip_pool_set_mark(const slip_pool *pool);
void slip_pool_rewind(slip_pool *pool, slip_pool_mark mark);

/// A NUL-terminated copy of text[0..length).
char *slip_pool_text(slip_pool *pool, const char *text, size_t length);

#define SLIP_POOL_NEW(pool, type, count) ((type *)slip_pool_take((pool), (size_t)(count), sizeof(type)))

/// Makes room for one more item in a heap array that doubles when full; 0 when out of memory (the
/// array is then as it was). For building only: what is final goes into a pool or an arena.
int slip_grow(void **items, size_t *capacity, size_t count, size_t item_size);

#endif
