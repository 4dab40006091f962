/// ordering.c: the order of least degree, the pattern of the factor against plain elimination, and groups of
/// the elimination tree.
#include <string.h>

#include "helpers.h"
#include "solver/linalg/ordering.h"
#include "solver/linalg/etree_partition.h"

enum { MOST = 220 };

typedef struct picture {
    bool joined[MOST][MOST];
} picture;

static slip_adjacency graph_of(const picture *p, int nodes, int *start, int *neighbour)
{
    slip_adjacency g = { nodes, start, neighbour };
    int count = 0;
    for (int i = 0; i < nodes; i++) {
        start[i] = count;
        for (int j = 0; j < nodes; j++)
            if (p->joined[i][j]) neighbour[count++] = j;
    }
    start[nodes] = count;
    return g;
}

// eliminates on the picture itself; returns the blocks it has
static long check_factor(picture *p, int nodes, const slip_ordering *k, const int *start, const int *member)
{
    long blocks = 0;
    for (int a = 0; a < nodes; a++) {
        const int gone = k->order[a];
        int at = start[a];
        assert_int_equal(k->place[gone], a);
        for (int b = a + 1; b < nodes; b++) {
            const int i = k->order[b];
            if (!p->joined[gone][i]) continue;
            assert_true(at < start[a + 1] && member[at] == b);
            at++, blocks++;
            for (int c = a + 1; c < nodes; c++)
                if (c != b && p->joined[gone][k->order[c]]) p->joined[i][k->order[c]] = true;
        }
        assert_int_equal(at, start[a + 1]);
    }
    return blocks;
}

// Every position once, ascending in its list; what a position is subtracted from is in its group or at the
// top
static void check_groups(slip_ordering *k, int nodes, const int *start, const int *member)
{
    static int position[MOST], list[MOST];
    static double work[MOST];
    slip_etree_partition t = { .position = position };
    slip_etree_partition_find(&t, k, nodes, work);
    assert_true(t.groups >= 1 && t.groups < SLIP_ETREE_MAX_GROUPS && t.start[0] == 0);
    assert_int_equal(t.start[t.groups + 1], nodes);
    for (int i = 0; i < nodes; i++) list[i] = -1;
    for (int g = 0; g <= t.groups; g++)
        for (int i = t.start[g]; i < t.start[g + 1]; i++) {
            assert_true(i == t.start[g] || position[i - 1] < position[i]);
            assert_int_equal(list[position[i]], -1);
            list[position[i]] = g;
        }
    for (int p = 0; p < nodes; p++)
        for (int m = start[p]; m < start[p + 1]; m++)
            assert_true(list[member[m]] == list[p] || list[member[m]] == t.groups);
}

static long order_picture(picture *p, int nodes)
{
    static int start[MOST + 1], neighbour[MOST * MOST], first[MOST + 1], member[MOST * MOST];
    const slip_adjacency g = graph_of(p, nodes, start, neighbour);
    slip_ordering k;
    slip_arena count = { 0 };
    slip_ordering_layout(&count, &k, nodes, start[nodes] / 2);
    slip_arena real = { .base = slip_arena_memory(count.used) };
    slip_ordering_layout(&real, &k, nodes, start[nodes] / 2);
    slip_ordering_find(&k, &g);
    slip_ordering_pattern(&k, &g, first, member);
    assert_int_equal(check_factor(p, nodes, &k, first, member), k.blocks);
    check_groups(&k, nodes, first, member);
    const long blocks = k.blocks;
    free(real.base);
    return blocks;
}

static void join(picture *p, int a, int b)
{
    p->joined[a][b] = p->joined[b][a] = true;
}

static picture p;

// chains, stars and trees have an order without fill, and least degree finds it
static void trees_do_not_fill(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        memset(&p, 0, sizeof p);
        for (int i = 1; i < 200; i++) join(&p, i, kind == 0 ? i - 1 : kind == 1 ? 0 : i / 2);
        assert_int_equal(order_picture(&p, 200), 199);
    }
    memset(&p, 0, sizeof p);
    assert_int_equal(order_picture(&p, 0), 0);
    assert_int_equal(order_picture(&p, 50), 0);
}

static void full_graphs_are_full(void **state)
{
    (void)state;
    memset(&p, 0, sizeof p);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < i; j++) join(&p, i, j);
    assert_int_equal(order_picture(&p, 40), 40 * 39 / 2);
}

// row by row a 14 x 14 grid fills to 14 * 14 * 14 or so; nested dissection and least degree to half of that
static void grids_fill_little(void **state)
{
    (void)state;
    enum { N = 14 };
    memset(&p, 0, sizeof p);
    for (int i = 0; i < N * N; i++) {
        if (i % N) join(&p, i, i - 1);
        if (i >= N) join(&p, i, i - N);
    }
    const long blocks = order_picture(&p, N * N);
    assert_true(blocks < N * N * N / 2);
}

static void random_graphs(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 200; round++) {
        const int nodes = 1 + (int)(draw(&seed) * (MOST - 1)), edges = (int)(draw(&seed) * 4.0 * nodes);
        memset(&p, 0, sizeof p);
        for (int e = 0; e < edges; e++) {
            const int a = (int)(draw(&seed) * nodes), b = (int)(draw(&seed) * nodes);
            if (a != b) join(&p, a, b);
        }
        order_picture(&p, nodes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_do_not_fill),
        cmocka_unit_test(full_graphs_are_full),
        cmocka_unit_test(grids_fill_little),
        cmocka_unit_test(random_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
