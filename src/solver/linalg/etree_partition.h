/// solver/linalg/etree_partition.h: an elimination cut into pieces that several threads do at the same time.
///
/// Positions of the elimination tree whose subtrees are small are gathered in groups, subtrees whole, so that
/// no group needs anything of another one; what is left is the top of the tree, where all groups meet. The
/// order of eliminations, and with it every sum, stays what it is: a group or the top is a list of ascending
/// positions.
#ifndef SLIP_SOLVER_LINALG_ETREE_PARTITION_H
#define SLIP_SOLVER_LINALG_ETREE_PARTITION_H

#include "solver/linalg/ordering.h"

/// Groups at the most.
enum { SLIP_ETREE_MAX_GROUPS = 66 };

typedef struct slip_etree_partition {
    int groups;
    int start[SLIP_ETREE_MAX_GROUPS + 2]; // of each group in `position`, and of the top behind them
    int *position;                        // of all, group by group, then the top
} slip_etree_partition;

void slip_etree_partition_layout(slip_arena *a, slip_etree_partition *t, int nodes);

/// One group of all, and no top.
void slip_etree_partition_single(slip_etree_partition *t, int nodes);

/// `work` has a double per node for what is counted; scratch lists of the ordering are used.
void slip_etree_partition_find(slip_etree_partition *t, slip_ordering *k, int nodes, double *work);

/// Positions of the top.
static inline int slip_etree_top_size(const slip_etree_partition *t)
{
    return t->start[t->groups + 1] - t->start[t->groups];
}

#endif
