/// symbolic/compiler/tape_cache.h: a cache of compiled tapes and derived equations, reused by successive simulations of one model.
///
/// A simulation that is made again with other parameters needs the same expressions and mostly the same
/// machine code. A simulation that is destroyed puts these into the cache; a new one looks there first, and
/// takes only entries that give the same bits as compiling anew. A cache belongs to one simulation, and so to
/// one thread.
#ifndef SLIP_SYMBOLIC_COMPILER_TAPE_CACHE_H
#define SLIP_SYMBOLIC_COMPILER_TAPE_CACHE_H

#include "symbolic/graph/parameter_reads.h"

typedef struct slip_tape_cache slip_tape_cache;

slip_tape_cache *slip_tape_cache_create(void); ///< NULL when out of memory
void slip_tape_cache_destroy(slip_tape_cache *tape_cache);

/// Tapes of this graph and of its copies are taken from the cache and returned to it. The cache must outlive
/// them.
void slip_graph_use_cache(slip_graph *graph, slip_tape_cache *tape_cache);
slip_tape_cache *slip_graph_cache(const slip_graph *graph); ///< NULL: none

/// Any other data, by a key: an entry is taken out by the first request with the same key. When the cache is
/// full the oldest entry is destroyed.
void slip_tape_cache_put(slip_tape_cache *tape_cache, const void *key, void *item,
                         void (*destroy)(void *item));
void *slip_tape_cache_take(slip_tape_cache *tape_cache, const void *key); ///< the newest; NULL: there is none

/// Between these two calls, parameters that are read from any graph of the cache are added to `reads`. Calls
/// may be nested; the inner pair ends first.
void slip_parameter_reads_open(slip_parameter_reads *reads, slip_tape_cache *tape_cache);
void slip_parameter_reads_close(slip_parameter_reads *reads, slip_tape_cache *tape_cache);

#endif
