/// solver/treeshare.h: an elimination cut into pieces that several threads do at the same time.
///
/// Positions of the elimination tree whose subtrees are small are gathered in groups, subtrees whole, so that
/// no group needs anything of another one; what is left is the top of the tree, where all groups meet. The
/// order of eliminations, and with it every sum, stays what it is: a group or the top is a list of ascending
/// positions.
#ifndef SLIP_SOLVER_TREESHARE_H
#define SLIP_SOLVER_TREESHARE_H

#include "solver/ordering.h"

/// Groups at the most.
enum { SLIP_TREE_GROUPS = 66 };

typedef struct slip_tree_share {
    int groups;
    int start[SLIP_TREE_GROUPS + 2]; // of each group in `position`, and of the top behind them
    int *position;                   // of all, group by group, then the top
} slip_tree_share;

void slip_tree_share_layout(slip_arena *a, slip_tree_share *t, int nodes);

/// One group of all, and no top.
void slip_tree_share_none(slip_tree_share *t, int nodes);

/// `work` has a double per node for what is counted; scratch lists of the ordering are used.
void slip_tree_share_find(slip_tree_share *t, slip_ordering *k, int nodes, double *work);

/// Positions of the top.
static inline int slip_tree_top(const slip_tree_share *t)
{
    return t->start[t->groups + 1] - t->start[t->groups];
}

#endif
