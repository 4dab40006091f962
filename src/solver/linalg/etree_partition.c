/// solver/linalg/etree_partition.c: work of subtrees, and groups of about equal work.
#include "solver/linalg/etree_partition.h"

#include <string.h>

enum { WORK_PIECES = (SLIP_ETREE_MAX_GROUPS - 2) / 2 }; // shares of the work; a group has at most one

void slip_etree_partition_layout(slip_arena *a, slip_etree_partition *t, int nodes)
{
    t->position = SLIP_TAKE(a, int, nodes);
}

void slip_etree_partition_single(slip_etree_partition *t, int nodes)
{
    t->groups = 1;
    t->start[0] = 0;
    t->start[1] = t->start[2] = nodes;
    for (int p = 0; p < nodes; p++) t->position[p] = p;
}

// Block products of each position and its subtree; returns those of one share.
static double subtree_work(const slip_ordering *k, int nodes, double *work)
{
    double sum = 0.0;
    for (int p = 0; p < nodes; p++) work[p] = 0.0;
    for (int p = 0; p < nodes; p++) {
        const double own = 1.0 + (double)k->count[p] * (k->count[p] + 1);
        work[p] += own;
        sum += own;
        if (k->parent[p] >= 0) work[k->parent[p]] += work[p];
    }
    return sum / WORK_PIECES;
}

// Takes subtrees from the last to the first; one that would make a group too large opens the next group, so
// that two consecutive groups have more than one share together.
static int number_groups(const slip_ordering *k, int nodes, const double *work, double piece, int *group)
{
    double load = 0.0;
    int last = 0;
    for (int p = nodes; p-- > 0;) {
        const int up = k->parent[p];
        if (work[p] > piece)
            group[p] = -1;
        else if (up >= 0 && group[up] >= 0)
            group[p] = group[up];
        else {
            if (load + work[p] > piece) last++, load = 0.0;
            load += work[p];
            group[p] = last;
        }
    }
    return last + 1;
}

void slip_etree_partition_find(slip_etree_partition *t, slip_ordering *k, int nodes, double *work)
{
    int *group = k->next, at[SLIP_ETREE_MAX_GROUPS + 1];
    const double piece = subtree_work(k, nodes, work);
    t->groups = number_groups(k, nodes, work, piece, group);
    memset(t->start, 0, sizeof t->start);
    for (int p = 0; p < nodes; p++) t->start[(group[p] < 0 ? t->groups : group[p]) + 1]++;
    for (int g = 0; g <= t->groups; g++) {
        t->start[g + 1] += t->start[g];
        at[g] = t->start[g];
    }
    for (int p = 0; p < nodes; p++) t->position[at[group[p] < 0 ? t->groups : group[p]]++] = p;
}
