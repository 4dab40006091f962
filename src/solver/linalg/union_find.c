/// solver/linalg/union_find.c: disjoint sets by path halving, and a counting sort.
#include "solver/linalg/union_find.h"

void slip_union_find_init(int nodes, int *parent)
{
    for (int i = 0; i < nodes; i++) parent[i] = i;
}

int slip_union_find_root(int *parent, int i)
{
    for (; parent[i] != i; i = parent[i]) parent[i] = parent[parent[i]];
    return i;
}

void slip_union_find_join(int *parent, int a, int b)
{
    a = slip_union_find_root(parent, a);
    b = slip_union_find_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

// Roots are lowest nodes, so a root is numbered before any other node of its set refers to it.
int slip_union_find_number(int nodes, int *parent)
{
    int count = 0;
    for (int i = 0; i < nodes; i++) parent[i] = slip_union_find_root(parent, i);
    for (int i = 0; i < nodes; i++) parent[i] = parent[i] == i ? count++ : parent[parent[i]];
    return count;
}

void slip_union_find_sort(int nodes, int islands, const int *island, int *start, int *order)
{
    for (int k = 0; k <= islands; k++) start[k] = 0;
    for (int i = 0; i < nodes; i++)
        if (island[i] >= 0) start[island[i] + 1]++;
    for (int k = 0; k < islands; k++) start[k + 1] += start[k];
    for (int i = 0; i < nodes; i++)
        if (island[i] >= 0) order[start[island[i]]++] = i;
    // counting has advanced each start to that of the next island
    for (int k = islands; k > 0; k--) start[k] = start[k - 1];
    start[0] = 0;
}
