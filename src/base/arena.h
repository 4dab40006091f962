/// base/arena.h: two ways to take memory, and no third.
///
/// slip_arena: the workspace of a simulation or a solve. Measured once, taken once, carved front to
/// back; nothing is allocated after that. With base == NULL it only counts, so one layout function
/// both measures a workspace and carves it, and the two cannot disagree:
///
///     static void layout(slip_arena *a, work *w, int n) { w->r = SLIP_TAKE(a, double, n); ... }
///     slip_arena arena = { 0 };
///     while (slip_arena_next_pass(&arena, &memory)) layout(&arena, &w, n); // measure, then carve
///     if (!memory) return SLIP_NO_MEMORY;
///
/// slip_pool: everything a model owns (names, nodes, tables) while it is being built. Grows in
/// blocks, is freed in one call, so a failed allocation anywhere has one clean-up.
#ifndef SLIP_BASE_ARENA_H
#define SLIP_BASE_ARENA_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slip_archive;

typedef struct slip_arena {
    char *base;
    size_t used;
    struct slip_archive
        *archive; ///< a layout writes its blocks to this archive, or reads them; NULL: neither
    int pass;     ///< of slip_arena_next_pass
} slip_arena;

/// Contents of a block, for an archive: numbers of its type, or bytes without pointers. Other blocks are not
/// archived: pointers, and data that are recomputed before they are read.
typedef enum slip_plain_kind {
    SLIP_NOT_PLAIN,
    SLIP_PLAIN_DOUBLES,
    SLIP_PLAIN_INTS,
    SLIP_PLAIN_BYTES
} slip_plain_kind;

void slip_arena_archive(struct slip_archive *archive, slip_plain_kind kind, void *block, size_t bytes);

static inline void *slip_arena_carve(slip_arena *a, size_t bytes, slip_plain_kind kind)
{
    size_t at = a->used;
    assert(bytes < SIZE_MAX / 2);          // not a negative count
    a->used += (bytes + 63) & ~(size_t)63; // each block starts a cache line
    if (a->archive && kind != SLIP_NOT_PLAIN) slip_arena_archive(a->archive, kind, a->base + at, bytes);
    return a->base ? a->base + at : NULL;
}

/// Bytes that are not archived.
static inline void *slip_arena_take(slip_arena *a, size_t bytes)
{
    return slip_arena_carve(a, bytes, SLIP_NOT_PLAIN);
}

#define SLIP_PLAIN_KIND_OF(type)                                                                             \
    _Generic((type *)NULL,                                                                                   \
        double *: SLIP_PLAIN_DOUBLES,                                                                        \
        int *: SLIP_PLAIN_INTS,                                                                              \
        bool *: SLIP_PLAIN_BYTES,                                                                            \
        unsigned char *: SLIP_PLAIN_BYTES,                                                                   \
        signed char *: SLIP_PLAIN_BYTES,                                                                     \
        uint64_t *: SLIP_PLAIN_BYTES,                                                                        \
        default: SLIP_NOT_PLAIN)
#define SLIP_TAKE_AS(arena, type, count, kind)                                                               \
    ((type *)slip_arena_carve((arena), (size_t)(count) * sizeof(type), (kind)))
#define SLIP_TAKE(arena, type, count) SLIP_TAKE_AS(arena, type, count, SLIP_PLAIN_KIND_OF(type))

/// A struct without pointers; and data that are recomputed whenever they are needed, such as the registers of
/// a tape.
#define SLIP_TAKE_PLAIN(arena, type, count)   SLIP_TAKE_AS(arena, type, count, SLIP_PLAIN_BYTES)
#define SLIP_TAKE_SCRATCH(arena, type, count) SLIP_TAKE_AS(arena, type, count, SLIP_NOT_PLAIN)

/// 64-byte aligned, zeroed memory for a measured arena; NULL when there is none. Release with free().
void *slip_arena_memory(size_t bytes);

/// True twice: before the layout that measures, then before the one that carves, in memory as large as
/// measured. That is in *memory, to be released with free(); NULL when there is none, and then nothing is
/// carved.
bool slip_arena_next_pass(slip_arena *arena, void **memory);

/// The same as slip_arena_memory, not zeroed: pages that are never written to cost nothing.
void *slip_arena_memory_uninitialised(size_t bytes);

typedef struct slip_pool slip_pool;

slip_pool *slip_pool_create(void); ///< NULL when out of memory
void slip_pool_destroy(slip_pool *pool);

/// Zeroed memory that lives as long as the pool; NULL when out of memory or when the size overflows.
void *slip_pool_take(slip_pool *pool, size_t count, size_t size);

/// Releases memory taken since a mark. The oldest block stays with the pool.
typedef struct slip_pool_mark {
    void *block;
    size_t used, text;
} slip_pool_mark;
slip_pool_mark slip_pool_set_mark(const slip_pool *pool);
void slip_pool_rewind(slip_pool *pool, slip_pool_mark mark);

/// A NUL-terminated copy of text[0..length).
char *slip_pool_text(slip_pool *pool, const char *text, size_t length);

#define SLIP_POOL_NEW(pool, type, count) ((type *)slip_pool_take((pool), (size_t)(count), sizeof(type)))

/// Makes room for one more item in a heap array that doubles when full; 0 when out of memory (the
/// array is then as it was). For building only: what is final goes into a pool or an arena.
int slip_array_grow(void **items, size_t *capacity, size_t count, size_t item_size);

#endif
