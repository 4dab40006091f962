/// solver/linalg/ordering.c: approximate least degree, elimination tree, pattern of the factor.
///
/// In the quotient graph an eliminated node is an element: the list of the nodes that it has joined. A
/// remaining node has a list of its elements, followed by the nodes that it is joined to otherwise.
/// Eliminating p makes an element of all neighbours of p; elements adjacent to p become part of it and
/// disappear. Only the list of the new element can outgrow its place; room for it is made by compacting the
/// live lists.
#include "solver/linalg/ordering.h"

#include <string.h>

enum { NOT_ELIMINATED = -1 };

void slip_ordering_layout(slip_arena *a, slip_ordering *k, int nodes, int edges)
{
    int **of_nodes[] = { &k->order,    &k->place,  &k->parent, &k->count, &k->first, &k->length,
                         &k->elements, &k->degree, &k->head,   &k->next,  &k->last,  &k->mark };
    *k = (slip_ordering){ .room = 2 * edges + 2 * nodes };
    for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++)
        *of_nodes[i] = SLIP_TAKE(a, int, nodes + 1);
    k->list = SLIP_TAKE(a, int, k->room);
}

// ---- lists of nodes by degree ------------------------------------------------------------------------

static void degree_list_insert(slip_ordering *k, int i)
{
    const int d = k->degree[i];
    k->next[i] = k->head[d];
    k->last[i] = -1;
    if (k->head[d] >= 0) k->last[k->head[d]] = i;
    k->head[d] = i;
}

static void degree_list_remove(slip_ordering *k, int i)
{
    if (k->next[i] >= 0) k->last[k->next[i]] = k->last[i];
    if (k->last[i] >= 0)
        k->next[k->last[i]] = k->next[i];
    else
        k->head[k->degree[i]] = k->next[i];
}

// ---- elimination -------------------------------------------------------------------------------------

// Compacts the live lists in the order of their places; returns the length in use. The first entry of a list
// is exchanged with its owner, so that one pass finds all of them.
static int compact_lists(slip_ordering *k, int nodes, int used)
{
    for (int i = 0; i < nodes; i++)
        if (k->length[i] > 0) {
            const int at = k->first[i];
            k->first[i] = k->list[at];
            k->list[at] = -2 - i;
        }
    int to = 0;
    for (int from = 0; from < used;) {
        const int owner = -2 - k->list[from];
        if (owner < 0) { // left over from a list that was removed or has shrunk
            from++;
            continue;
        }
        const int length = k->length[owner];
        k->list[to] = k->first[owner];
        for (int j = 1; j < length; j++) k->list[to + j] = k->list[from + j];
        k->first[owner] = to;
        to += length;
        from += length;
    }
    return to;
}

// Gathers the new element of p at `to`: all neighbours of p, marked with `stamp` and taken out of the lists
// by degree.
static int gather_element(slip_ordering *k, int p, int to, int stamp)
{
    int *list = k->list, count = 0;
    k->mark[p] = stamp;
    for (int j = 0; j < k->length[p]; j++) {
        const int e = list[k->first[p] + j];
        const bool element = j < k->elements[p];
        const int from = element ? k->first[e] : k->first[p] + j, many = element ? k->length[e] : 1;
        for (int m = 0; m < many; m++) {
            const int i = list[from + m];
            if (k->mark[i] == stamp || k->place[i] != NOT_ELIMINATED) continue;
            k->mark[i] = stamp;
            list[to + count++] = i;
            degree_list_remove(k, i);
        }
        if (element) k->length[e] = 0; // absorbed
    }
    return count;
}

// Counts how much of each element adjacent to the new one lies outside of it. Elements are in no list by
// degree, so `last` is free to say for which p they were counted.
static void count_outside(slip_ordering *k, int p)
{
    for (int j = 0; j < k->length[p]; j++) {
        const int i = k->list[k->first[p] + j];
        for (int m = 0; m < k->elements[i]; m++) {
            const int e = k->list[k->first[i] + m];
            if (k->length[e] == 0) continue;
            if (k->last[e] != p) k->last[e] = p, k->count[e] = k->length[e];
            k->count[e]--;
        }
    }
}

// Updates the lists of a neighbour i of the new element p: entries that p covers are left out, and p is
// added. There is room, because p covers an element of i, or i was joined to p itself.
static void update_neighbour(slip_ordering *k, int i, int p, int stamp, int left)
{
    int *list = k->list + k->first[i], elements = 0, bound = k->length[p] - 1;
    const int old = k->elements[i], length = k->length[i];
    for (int m = 0; m < old; m++) {
        const int e = list[m];
        if (k->length[e] > 0 && k->count[e] == 0) k->length[e] = 0;
        if (k->length[e] == 0) continue;
        list[elements++] = e;
        bound += k->count[e];
    }
    int from = old;
    if (elements == old) {
        int at = old;
        while (list[at] != p) at++;
        list[at] = list[old];
        from++;
    }
    int to = elements;
    list[to++] = p;
    for (int m = from; m < length; m++) {
        const int n = list[m];
        if (k->mark[n] == stamp || k->place[n] != NOT_ELIMINATED) continue;
        list[to++] = n;
        bound++;
    }
    k->elements[i] = elements + 1;
    k->length[i] = to;
    k->degree[i] = bound < left - 1 ? bound : left - 1;
}

static int load_graph(slip_ordering *k, const slip_adjacency *g)
{
    const int n = g->nodes;
    for (int i = 0; i <= n; i++) k->head[i] = -1;
    memcpy(k->list, g->neighbour, sizeof(int) * (size_t)g->start[n]);
    for (int i = n; i-- > 0;) {
        k->first[i] = g->start[i];
        k->length[i] = k->degree[i] = g->start[i + 1] - g->start[i];
        k->elements[i] = 0;
        k->place[i] = NOT_ELIMINATED;
        k->mark[i] = 0;
        degree_list_insert(k, i);
    }
    return g->start[n];
}

static void eliminate_node(slip_ordering *k, int nodes, int position, int p, int *used)
{
    const int stamp = position + 1, left = nodes - position - 1;
    k->place[p] = position;
    k->order[position] = p;
    if (*used + left > k->room) *used = compact_lists(k, nodes, *used);
    const int to = *used, count = gather_element(k, p, to, stamp);
    k->first[p] = to;
    k->length[p] = count;
    k->elements[p] = 0;
    k->last[p] = -1;
    *used += count;
    count_outside(k, p);
    for (int j = 0; j < count; j++) {
        const int i = k->list[to + j];
        update_neighbour(k, i, p, stamp, left);
        degree_list_insert(k, i);
    }
}

// ---- the factor --------------------------------------------------------------------------------------

// Liu's algorithm; `next` holds shortcuts to the root of each subtree.
static void find_tree(slip_ordering *k, const slip_adjacency *g)
{
    for (int p = 0; p < g->nodes; p++) {
        const int node = k->order[p];
        k->parent[p] = k->next[p] = -1;
        for (int m = g->start[node]; m < g->start[node + 1]; m++) {
            int q = k->place[g->neighbour[m]];
            while (q < p && k->next[q] != p) {
                const int up = k->next[q];
                k->next[q] = p;
                if (up < 0) {
                    k->parent[q] = p;
                    break;
                }
                q = up;
            }
        }
    }
}

// Row p of the factor has an entry in each position on the way from its earlier neighbours up the tree to p.
// Rows ascend, so the members of each position do.
static void walk_rows(slip_ordering *k, const slip_adjacency *g, const int *start, int *member)
{
    for (int p = 0; p < g->nodes; p++) k->count[p] = 0, k->mark[p] = -1;
    for (int p = 0; p < g->nodes; p++) {
        const int node = k->order[p];
        k->mark[p] = p;
        for (int m = g->start[node]; m < g->start[node + 1]; m++)
            for (int q = k->place[g->neighbour[m]]; q < p && k->mark[q] != p; q = k->parent[q]) {
                k->mark[q] = p;
                if (member) member[start[q] + k->count[q]] = p;
                k->count[q]++;
            }
    }
}

void slip_ordering_find(slip_ordering *k, const slip_adjacency *g)
{
    int used = load_graph(k, g), least = 0;
    for (int position = 0; position < g->nodes; position++) {
        while (k->head[least] < 0) least++;
        const int p = k->head[least];
        degree_list_remove(k, p);
        eliminate_node(k, g->nodes, position, p, &used);
        for (int j = 0; j < k->length[p]; j++) {
            const int degree = k->degree[k->list[k->first[p] + j]];
            if (degree < least) least = degree;
        }
    }
    find_tree(k, g);
    walk_rows(k, g, NULL, NULL);
    k->blocks = 0;
    k->work = 0.0;
    for (int p = 0; p < g->nodes; p++) {
        k->blocks += k->count[p];
        k->work += (double)k->count[p] * (k->count[p] + 1);
    }
}

void slip_ordering_pattern(slip_ordering *k, const slip_adjacency *g, int *start, int *member)
{
    start[0] = 0;
    for (int p = 0; p < g->nodes; p++) start[p + 1] = start[p] + k->count[p];
    walk_rows(k, g, start, member);
}

void slip_adjacency_merge(slip_adjacency *g, int *seen)
{
    int to = 0;
    for (int i = 0; i < g->nodes; i++) seen[i] = -1;
    for (int i = 0, from = 0; i < g->nodes; i++) {
        const int end = g->start[i + 1];
        g->start[i] = to;
        for (; from < end; from++) {
            const int b = g->neighbour[from];
            if (seen[b] == i) continue;
            seen[b] = i;
            g->neighbour[to++] = b;
        }
    }
    g->start[g->nodes] = to;
}

int slip_pattern_find(const int *start, const int *member, int position, int later)
{
    int low = start[position], high = start[position + 1] - 1;
    if (low > high) return -1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (member[middle] < later)
            low = middle + 1;
        else
            high = middle;
    }
    return member[low] == later ? low : -1;
}
