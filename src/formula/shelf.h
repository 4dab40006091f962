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

#endif
