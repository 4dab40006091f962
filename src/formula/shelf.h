/// formula/shelf.h: what simulations that follow one another can share, kept between them.
///
/// A simulation that is made again with other numbers needs the same expressions and mostly the same machine
/// code. What the old one gives up is put on the shelf; who makes the new one looks there first and takes
/// only what gives the same bits as making it anew. A shelf belongs to one simulation, and so to one thread.
#ifndef SLIP_FORMULA_SHELF_H
#define SLIP_FORMULA_SHELF_H

#include "formula/formula.h"

typedef struct slip_shelf slip_shelf;

slip_shelf *slip_shelf_create(void); ///< NULL when out of memory
void slip_shelf_destroy(slip_shelf *shelf);

/// Tapes of this graph and of copies of it come from the shelf and go back to it. It must outlive them.
void slip_graph_use_shelf(slip_graph *graph, slip_shelf *shelf);
slip_shelf *slip_graph_shelf(const slip_graph *graph); ///< NULL: none

/// Anything else, by a key: what was put there is taken out again by whoever asks for it with the same key.
/// When there is no room the oldest goes, by `destroy`.
void slip_shelf_put(slip_shelf *shelf, const void *key, void *item, void (*destroy)(void *item));
void *slip_shelf_take(slip_shelf *shelf, const void *key); ///< the newest; NULL: there is none

/// Which parameters somebody read, and what their values were: what was made from them holds as long as these
/// are the same.
typedef struct slip_reads {
    struct slip_reads *outer; ///< while it is open: the one that was open before
    size_t count, capacity;
    struct slip_read *list;
    size_t room;
    bool *seen;  ///< by the number of a parameter
    bool failed; ///< memory ran out: it holds for nobody
} slip_reads;

/// Between these two, what is read of any graph of the shelf is added to `reads`. Such stretches may lie
/// within one another, and the inner one ends first.
void slip_reads_open(slip_reads *reads, slip_shelf *shelf);
void slip_reads_close(slip_reads *reads, slip_shelf *shelf);
void slip_reads_forget(slip_reads *reads);  ///< as if nothing had been read
void slip_reads_destroy(slip_reads *reads); ///< also of zeros

/// Whether everything that was read has the same value in this graph, to the bit.
bool slip_reads_hold(const slip_reads *reads, const slip_graph *graph);

#endif
