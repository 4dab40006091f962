/// thread_pool.c: every k once, whoever does it; the first is the caller's; and again and again; stages in turn.
#include "base/thread_pool.h"

#include "../test.h"

enum { MOST = 1000, STAGES = 7 };

typedef struct tally {
    int times[MOST], worker[MOST];
} tally;

static void count(void *context, int k, int worker)
{
    tally *t = context;
    t->times[k]++;
    t->worker[k] = worker;
}

static void each_once(void **state)
{
    (void)state;
    static const int sizes[] = { 1, 2, 3, 8 };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        slip_thread_pool *thread_pool = slip_thread_pool_create(sizes[s]);
        assert_non_null(thread_pool);
        assert_true(slip_thread_pool_size(thread_pool) >= 1 &&
                    slip_thread_pool_size(thread_pool) <= sizes[s]);
        for (int round = 0; round < 200; round++) {
            const int counts = round % 7 ? round * 5 : round % 3; // none, one, two, many
            static tally t;
            t = (tally){ 0 };
            slip_thread_pool_run(thread_pool, counts, count, &t);
            for (int k = 0; k < MOST; k++) {
                assert_int_equal(t.times[k], k < counts);
                assert_true(t.worker[k] < slip_thread_pool_size(thread_pool));
            }
            assert_int_equal(t.worker[0], 0);
        }
        slip_thread_pool_destroy(thread_pool);
    }
}

static void nobody_is_one(void **state)
{
    (void)state;
    static tally t;
    assert_int_equal(slip_thread_pool_size(NULL), 1);
    slip_thread_pool_run(NULL, MOST, count, &t);
    for (int k = 0; k < MOST; k++) assert_true(t.times[k] == 1 && t.worker[k] == 0);
    slip_thread_pool_destroy(NULL);
}

// a stage begins when those before are done: each k sees what the last of the stage before left
typedef struct relay {
    const int *start;
    int left[MOST]; // stage in which k was done, plus one; -1 where it began too soon
} relay;

static void hand_on(void *context, int k, int worker)
{
    relay *r = context;
    const int stage = slip_thread_pool_stage(STAGES, r->start, k);
    (void)worker;
    for (int i = 0; i < r->start[stage]; i++)
        if (r->left[i] == 0 || r->left[i] > stage) r->left[k] = -1;
    if (r->left[k] == 0) r->left[k] = stage + 1;
}

static void stages_follow(void **state)
{
    (void)state;
    static const int start[STAGES + 1] = { 0, 1, 1, 40, 41, 300, 302, 310 };
    for (int size = 1; size < 6; size++) {
        slip_thread_pool *thread_pool = slip_thread_pool_create(size);
        for (int round = 0; round < 100; round++) {
            static relay r;
            r = (relay){ .start = start };
            slip_thread_pool_run_stages(thread_pool, STAGES, start, hand_on, &r);
            for (int s = 0; s < STAGES; s++)
                for (int k = start[s]; k < start[s + 1]; k++) assert_int_equal(r.left[k], s + 1);
        }
        slip_thread_pool_destroy(thread_pool);
    }
}

// parts lie side by side and leave nothing out
static void parts_cover(void **state)
{
    (void)state;
    for (int all = 0; all < 50; all++)
        for (int parts = 1; parts < 12; parts++) {
            int at = 0;
            for (int k = 0; k < parts; k++) {
                int first, end;
                slip_thread_pool_part(all, parts, k, &first, &end);
                assert_int_equal(first, at);
                assert_true(end >= first);
                at = end;
            }
            assert_int_equal(at, all);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_once), cmocka_unit_test(nobody_is_one),
                                        cmocka_unit_test(stages_follow), cmocka_unit_test(parts_cover) };
    return cmocka_run_group_tests_name("core.gang", tests, NULL, NULL);
}
