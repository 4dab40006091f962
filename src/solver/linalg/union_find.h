/// solver/linalg/union_find.h: connected components by union-find, numbered by their lowest node so that the numbering depends on the data alone.
#ifndef SLIP_SOLVER_LINALG_UNION_FIND_H
#define SLIP_SOLVER_LINALG_UNION_FIND_H

/// Makes every node a component of its own.
void slip_union_find_init(int nodes, int *parent);

/// The root of the island of a node, which is its lowest node.
int slip_union_find_root(int *parent, int node);

/// Joins the islands of two nodes.
void slip_union_find_join(int *parent, int a, int b);

/// parent[i] becomes the number of the island of node i, in the order of their lowest nodes; returns how
/// many.
int slip_union_find_number(int nodes, int *parent);

/// Nodes sorted by island: order[start[k]] to order[start[k + 1]] are those of island k, ascending. island[i]
/// below 0 leaves node i out. start has islands + 1 numbers.
void slip_union_find_sort(int nodes, int islands, const int *island, int *start, int *order);

#endif
