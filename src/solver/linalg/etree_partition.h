/// solver/linalg/etree_partition.h: partition of an elimination tree into parts that several threads eliminate at the same time.
///
/// Small subtrees of the elimination tree are gathered in groups, each subtree as a whole, so that no group
/// needs results of another one. The remaining positions are the top of the tree, where all groups meet. A
/// group, or the top, is a list of ascending positions, so that the order of eliminations, and with it every
/// sum, is that of one thread.
#ifndef SLIP_SOLVER_LINALG_ETREE_PARTITION_H
#define SLIP_SOLVER_LINALG_ETREE_PARTITION_H

#include "solver/linalg/ordering.h"

/// Most groups.
enum { SLIP_ETREE_MAX_GROUPS = 66 };

typedef struct slip_etree_partition {
    int groups;
    int start[SLIP_ETREE_MAX_GROUPS + 2]; // of each group in `position`, and of the top after them
    int *position;                        // all positions, group by group, then the top
} slip_etree_partition;

void slip_etree_partition_layout(slip_arena *a, slip_etree_partition *t, int nodes);

/// A single group, and no top.
void slip_etree_partition_single(slip_etree_partition *t, int nodes);

/// `work` has a double per node for the counts; scratch lists of the ordering are used.
void slip_etree_partition_find(slip_etree_partition *t, slip_ordering *k, int nodes, double *work);

/// Number of positions in the top.
static inline int slip_etree_top_size(const slip_etree_partition *t)
{
    return t->start[t->groups + 1] - t->start[t->groups];
}

#endif
