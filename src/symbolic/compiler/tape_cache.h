/// symbolic/compiler/tape_cache.h: what simulations that follow one another can share, kept between them.
///
/// A simulation that is made again with other numbers needs the same expressions and mostly the same machine
/// code. What the old one gives up is put on the tape_cache; who makes the new one looks there first and takes
/// only what gives the same bits as making it anew. A tape_cache belongs to one simulation, and so to one thread.
#ifndef SLIP_SYMBOLIC_COMPILER_TAPE_CACHE_H
#define SLIP_SYMBOLIC_COMPILER_TAPE_CACHE_H

#include "symbolic/graph/parameter_reads.h"

typedef struct slip_tape_cache slip_tape_cache;

slip_tape_cache *slip_tape_cache_create(void); ///< NULL when out of memory
void slip_tape_cache_destroy(slip_tape_cache *tape_cache);

/// Tapes of this graph and of copies of it come from the tape_cache and go back to it. It must outlive them.
void slip_graph_use_cache(slip_graph *graph, slip_tape_cache *tape_cache);
slip_tape_cache *slip_graph_cache(const slip_graph *graph); ///< NULL: none

/// Anything else, by a key: what was put there is taken out again by whoever asks for it with the same key.
/// When there is no room the oldest goes, by `destroy`.
void slip_tape_cache_put(slip_tape_cache *tape_cache, const void *key, void *item,
                         void (*destroy)(void *item));
void *slip_tape_cache_take(slip_tape_cache *tape_cache, const void *key); ///< the newest; NULL: there is none

/// Between these two, what is read of any graph of the tape_cache is added to `reads`. Such stretches may lie
/// within one another, and the inner one ends first.
void slip_parameter_reads_open(slip_parameter_reads *reads, slip_tape_cache *tape_cache);
void slip_parameter_reads_close(slip_parameter_reads *reads, slip_tape_cache *tape_cache);

#endif
