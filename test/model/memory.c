/// memory.c: every allocation of the reader fails once; each time the answer is a status and nothing leaks.
#include "alloc_fail.h"
#include "helper.h"

// the status when the k-th allocation fails, and how many there were
static slip_status read_with_failure(const char *text, const char *const *sets, int count, long k,
                                     long *asked)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    alloc_fail_at(k);
    slip_status status = slip_model_read_text("m.yaml", text, strlen(text), sets, count, notes, &model);
    *asked = alloc_fail_stop();
    assert_int_equal(status == SLIP_OK, model != NULL);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return status;
}

static void every_failure_is_survived(const char *text, const char *const *sets, int count)
{
    long asked, all;
    slip_status whole = read_with_failure(text, sets, count, 0, &all);
    assert_true(all > 0);
    for (long k = 1; k <= all; k++) {
        slip_status status = read_with_failure(text, sets, count, k, &asked);
        bool right = status == SLIP_NO_MEMORY || status == whole; // some failures can be made up for
        if (!right) print_error("allocation %ld of %ld: %s\n", k, all, slip_status_text(status));
        assert_true(right);
    }
    assert_int_equal(read_with_failure(text, sets, count, all + 1, &asked), whole);
}

static void reading_survives(void **state)
{
    (void)state;
    static const char *const files[] = {
        "test/fuzz/corpus/model/block.yaml",  "test/fuzz/corpus/model/conveyor.yaml",
        "test/fuzz/corpus/model/quotes.yaml", "test/fuzz/corpus/model/bodies.yaml",
        "test/fuzz/corpus/model/repeat.yaml", "test/fuzz/corpus/model/functions.yaml",
        "test/fuzz/corpus/model/starts.yaml", "test/fuzz/corpus/model/states.yaml",
        "test/fuzz/corpus/model/tables.yaml", "test/fuzz/corpus/model/controllers.yaml",
        "test/fuzz/corpus/model/walker.yaml"
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char *text = read_whole(files[k]);
        every_failure_is_survived(text, NULL, 0);
        free(text);
    }
}

static void overriding_survives(void **state)
{
    (void)state;
    const char *const sets[] = { "mu=0.1", "coordinates.y.rate=3", "contacts.wall.dai.K=42",
                                 "run={step: min(1, 2)}" };
    char *text = read_whole("test/fuzz/corpus/model/block.yaml");
    every_failure_is_survived(text, sets, 4);
    free(text);
}

// numbers alone, and a change for which the text is read again
static void varying_survives(void **state)
{
    (void)state;
    static const char *const changes[][2] = { { "mu=0.125", "coordinates.y.rate=3" },
                                              { "mu=0.125", "contacts.wall.dai.K=42" } };
    char *text = read_whole("test/fuzz/corpus/model/block.yaml");
    slip_model *model = read_quietly(text, NULL, 0);
    for (int c = 0; c < 2; c++) {
        long all = 1;
        for (long k = 0; k <= all; k++) {
            slip_diagnostics *notes = slip_diagnostics_create();
            slip_model *varied = NULL;
            alloc_fail_at(k);
            slip_status status = slip_model_vary(model, changes[c], 2, notes, &varied);
            long asked = alloc_fail_stop();
            if (k == 0) all = asked;
            assert_true(status == SLIP_OK || (k > 0 && status == SLIP_NO_MEMORY));
            assert_int_equal(status == SLIP_OK, varied != NULL);
            slip_model_destroy(varied);
            slip_diagnostics_destroy(notes);
            assert_int_equal(atomic_load(model->users), 1);
        }
    }
    slip_model_destroy(model);
    free(text);
}

static void complaining_survives(void **state)
{
    (void)state;
    every_failure_is_survived(
        "slipstick: 2\nname: n\nparameters: {a: b, b: a, c: foo*(, d: c.x}\n"
        "coordinates: {x: 0, y: {strt: 0}, a: 3}\nmass: {x: 1, y: [2], z: 3}\n"
        "contacts: {f: {gap: x', slip: x, friction: -1}, g: 3}\nrecord: {r: f.nrmal + h.normal}\n",
        NULL, 0);
    every_failure_is_survived("a: \"b", NULL, 0);
    every_failure_is_survived("slipstick: 1\nname: n\nparameters: {n: 3}\ndefine: {f(a, a): a, g(b): g(b)}\n"
                              "repeat: {for: {i: 1..n, j: 1..q}, coordinates: {x(i): {start: i*}, y(j): 0}}\n"
                              "forces: {x1: f(1) + sum(i: 1..2, x(i + 7)), x2: sum(m: 1..3, m + z)}\n",
                              NULL, 0);
    every_failure_is_survived(
        "slipstick: 1\nname: n\nrepeat: {for: {i: 1..3}, coordinates: {x(i): 0}, mass: {x(i): 1, z(i): 2},\n"
        "  forces: {x(i): y(i) + sum(k: 1..i, x(k)*w)}, contacts: {c(i): {gap: x(i+1) - x(i)}}}\n",
        NULL, 0);
    every_failure_is_survived(
        "slipstick: 1\nname: n\nbodies:\n  a: {mass: 1, joint: {weld: a}}\n"
        "  b: {mass: 1, shape: {circle: 1}, points: {p: [1, q]}}\n  c: {mass: 1, shape: {circle: 1, at: [2, "
        "0]}}\n"
        "contacts: {k: {between: [b, d]}, l: {between: [b, c.x]}, m: {between: [b, c]}}\n"
        "springs: {s: {turn: z, stiffness: 1}}\njoints: {p: {revolute: [b, c]}}\n",
        NULL, 0);
}

static void file_survives(const char *path)
{
    long all = 1;
    for (long k = 0; k <= all; k++) {
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *model = NULL;
        alloc_fail_at(k);
        slip_status status = slip_model_read_file(path, NULL, 0, notes, &model);
        long asked = alloc_fail_stop();
        if (k == 0) all = asked;
        if (!(status == SLIP_OK || (k > 0 && status == SLIP_NO_MEMORY)))
            fail_msg("%s: allocation %ld of %ld: %s", path, k, all, slip_status_text(status));
        slip_model_destroy(model);
        slip_diagnostics_destroy(notes);
    }
}

static void files_survive(void **state)
{
    (void)state;
    file_survives("models/xiong/friction-mass.yaml");
    file_survives("models/classics/servo-windup-stiffer.yaml"); // includes another one
    file_survives("models/classics/recorded-push.yaml");        // reads a table
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_survives), cmocka_unit_test(overriding_survives),
        cmocka_unit_test(varying_survives), cmocka_unit_test(complaining_survives),
        cmocka_unit_test(files_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
