/// mpi.c: ranks that share a sweep give the bytes of one that works alone; what a lost rank was given is
/// done by others.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweeps.h"

static const char ball[] =
    "slipstick: 1\nname: Ball\nparameters: {h: 1, e: 0.5}\ncoordinates: {y: h}\nmass: {y: 1}\n"
    "forces: {y: -9.81}\ncontacts: {floor: {gap: y, restitution: e}}\nrun: {until: 1}\n";

// ------------------------------------------------------------------------- messages between threads

enum { MAX_RANKS = 8 };

typedef struct message {
    struct message *next;
    int from;
    size_t count;
    char bytes[];
} message;

typedef struct rank {
    message *first, *taken;
    int heard, silent_after; // messages after which it falls silent; -1: never
    bool left;               // it has, with something to do
    slip_sweep_mpi mpi;
    slip_sweep_def def;
    slip_status status;
} rank;

static rank ranks[MAX_RANKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool send_to(void *context, int to, const void *bytes, size_t count)
{
    rank *me = context;
    message *m = malloc(sizeof *m + count);
    *m = (message){ .from = me->mpi.rank, .count = count };
    if (count) memcpy(m->bytes, bytes, count);
    pthread_mutex_lock(&lock);
    message **last = &ranks[to].first;
    while (*last) last = &(*last)->next;
    *last = m;
    pthread_mutex_unlock(&lock);
    return true;
}

static bool receive(void *context, int *from, const void **bytes, size_t *count)
{
    rank *me = context;
    pthread_mutex_lock(&lock);
    message *m = me->first;
    if (m) me->first = m->next;
    pthread_mutex_unlock(&lock);
    if (!m) return false;
    free(me->taken);
    me->taken = m;
    *from = m->from, *bytes = m->bytes, *count = m->count;
    if (me->silent_after < 0 || me->heard++ < me->silent_after) return true;
    me->left = *count > 0; // it takes the work and leaves, unless the others were faster
    *count = 0;
    return true;
}

static void *run_rank(void *context)
{
    rank *me = context;
    slip_sweep *sweep = NULL;
    me->status = slip_sweep_run(&me->def, NULL, &sweep);
    if (me->status == SLIP_OK && me->mpi.rank > 0) assert_int_equal(slip_sweep_done_count(sweep), 0);
    slip_sweep_destroy(sweep);
    return NULL;
}

static slip_sweep *run_crew(const slip_sweep_def *def, int size, int silent_after)
{
    pthread_t threads[MAX_RANKS];
    for (int k = 0; k < size; k++) {
        ranks[k] = (rank){ .def = *def, .silent_after = k == 1 ? silent_after : -1 };
        ranks[k].mpi = (slip_sweep_mpi){ k, size, 0.3, &ranks[k], send_to, receive };
        ranks[k].def.mpi = &ranks[k].mpi;
        if (k > 0) assert_int_equal(pthread_create(&threads[k], NULL, run_rank, &ranks[k]), 0);
    }
    slip_sweep *sweep = run_sweep(&ranks[0].def);
    for (int k = 1; k < size; k++) pthread_join(threads[k], NULL);
    for (int k = 0; k < size; k++) {
        free(ranks[k].taken);
        for (message *m = ranks[k].first, *next; m; m = next) next = m->next, free(m);
        assert_int_equal(ranks[k].status, SLIP_OK);
    }
    return sweep;
}

// ------------------------------------------------------------------------------------------------ tests

static char *bytes_of(const char *directory, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = calloc(1 << 20, 1);
    assert_true(fread(bytes, 1, (1 << 20) - 1, file) < (1 << 20) - 1);
    fclose(file);
    return bytes;
}

static void remove_folder(const char *directory)
{
    static const char *const names[] = { "runs.csv", "points.csv" };
    char path[512];
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[k]);
        remove(path);
    }
    rmdir(directory);
}

static void compare(const slip_sweep *alone, slip_sweep *shared)
{
    char a[] = "/tmp/slipstick-crew-a-XXXXXX", b[] = "/tmp/slipstick-crew-b-XXXXXX";
    assert_non_null(mkdtemp(a));
    assert_non_null(mkdtemp(b));
    assert_int_equal(slip_sweep_write(alone, a, NULL), SLIP_OK);
    assert_int_equal(slip_sweep_write(shared, b, NULL), SLIP_OK);
    static const char *const names[] = { "runs.csv", "points.csv" };
    for (int k = 0; k < 2; k++) {
        char *one = bytes_of(a, names[k]), *other = bytes_of(b, names[k]);
        assert_string_equal(one, other);
        free(one);
        free(other);
    }
    remove_folder(a);
    remove_folder(b);
}

static void test_ranks(void **state)
{
    (void)state;
    enum { COUNT = 600 }; // enough for every rank to get its parts, on a busy machine too
    double e[COUNT];
    for (int k = 0; k < COUNT; k++) e[k] = k == 77 ? 7.0 : 0.2 + 0.001 * k; // one is refused
    slip_sweep_axis axis = { "e", e, COUNT };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = read_model("", ball, "", " "), def.axes = &axis, def.axis_count = 1, def.strobe = 0.25;
    def.sim.formulation = "lcp", def.companion = false;
    slip_sweep *alone = run_sweep(&def);
    for (int size = 2; size <= 8; size *= 2) {
        slip_sweep *shared = run_crew(&def, size, -1);
        assert_int_equal(slip_sweep_lost_ranks(shared), 0);
        compare(alone, shared);
        slip_sweep_destroy(shared);
    }
    for (int silent_after = 0; silent_after < 3; silent_after++) {
        slip_sweep *shared = run_crew(&def, 3, silent_after);
        assert_int_equal(slip_sweep_lost_ranks(shared), ranks[1].left);
        compare(alone, shared);
        slip_sweep_destroy(shared);
    }
    slip_sweep_destroy(alone);
    slip_model_destroy((slip_model *)def.model);
}

static void test_followed_axis(void **state)
{
    (void)state;
    double e[9], h[3] = { 1.0, 1.5, 2.0 };
    for (int k = 0; k < 9; k++) e[k] = 0.2 + 0.05 * k;
    slip_sweep_axis axes[] = { { "e", e, 9 }, { "h", h, 3 } };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = read_model("", ball, "", " "), def.axes = axes, def.axis_count = 2, def.strobe = 0.5;
    def.sim.formulation = "lcp", def.companion = false, def.follow = true;
    slip_sweep *alone = run_sweep(&def), *shared = run_crew(&def, 3, -1);
    compare(alone, shared);
    slip_sweep_destroy(shared);
    slip_sweep_destroy(alone);
    slip_model_destroy((slip_model *)def.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_followed_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
