/// solver/linalg/ordering.h: fill-reducing ordering of a sparse symmetric pattern, and the cost of the factor.
///
/// Approximate least degree on the quotient graph (Amestoy, Davis and Duff 1996), then the elimination tree
/// and the pattern of the factor from it (Liu 1990). The memory is that of the graph, not of the factor. Ties
/// go to the node that was found last, which makes the order reproducible.
#ifndef SLIP_SOLVER_LINALG_ORDERING_H
#define SLIP_SOLVER_LINALG_ORDERING_H

#include "base/arena.h"

/// A graph in compressed rows: every edge in both rows, none from a node to itself, no edge twice.
typedef struct slip_adjacency {
    int nodes;
    int *start, *neighbour; // nodes + 1; start[nodes]
} slip_adjacency;

/// Removes duplicate edges: rows as they are, start[i + 1] being the end of row i, which begins where the one
/// before ends. `seen` has an int per node.
void slip_adjacency_merge(slip_adjacency *g, int *seen);

typedef struct slip_ordering {
    int *order, *place; // node at a position, and back
    int *parent;        // of a position in the elimination tree, -1 for a root
    int *count;         // later neighbours of a position in the factor
    long blocks;        // sum of the counts: blocks strictly above the diagonal
    double work;        // block products of a factorisation without symmetry: sum of count (count + 1)
    int *list, *first, *length, *elements, *degree, *head, *next, *last, *mark; // scratch
    int room;                                                                   // of `list`
} slip_ordering;

void slip_ordering_layout(slip_arena *a, slip_ordering *k, int nodes, int edges);

/// Finds order, tree and counts. `edges` of the layout is at least half of start[nodes].
void slip_ordering_find(slip_ordering *k, const slip_adjacency *g);

/// The later neighbours of each position as ascending positions: member[start[p]] to member[start[p + 1]].
/// start has nodes + 1 entries, member k->blocks.
void slip_ordering_pattern(slip_ordering *k, const slip_adjacency *g, int *start, int *member);

/// The index of a later neighbour in that pattern, -1 if it is not one of the position.
int slip_pattern_find(const int *start, const int *member, int position, int later);

#endif
