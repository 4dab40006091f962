/// store.c: whatever happens to a store, what is completed from it is what an undisturbed sweep gives.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweeps.h"

static const char ball[] =
    "slipstick: 1\nname: Ball\nparameters: {h: 1, e: 0.5}\ncoordinates: {y: h}\nmass: {y: 1}\n"
    "forces: {y: -9.81}\ncontacts: {floor: {gap: y, restitution: e}}\nrun: {until: 1}\n";

static slip_model *model;
static char folder[64], whole[128], parts[128];
static double e[200];
static slip_sweep_axis axis = { "e", e, 200 };

static slip_sweep_def definition(const char *directory)
{
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = &axis, def.axis_count = 1, def.strobe = 0.25;
    def.sim.formulation = "lcp", def.companion = false, def.threads = 2;
    def.directory = directory;
    return def;
}

static char *read_file(const char *directory, const char *name, size_t *count)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *count = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(*count + 1, 1);
    assert_int_equal(fread(bytes, 1, *count, file), *count);
    fclose(file);
    return bytes;
}

static void put_store(const char *directory, const char *bytes, size_t count)
{
    char path[256];
    mkdir(directory, 0777);
    snprintf(path, sizeof path, "%s/sweep.store", directory);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static const char *const names[] = { "sweep.store", "runs.csv", "points.csv" };

static void remove_parts(void)
{
    char path[256];
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%s", parts, names[k]);
        assert_int_equal(unlink(path), 0);
    }
}

static void assert_same_files(void)
{
    for (int k = 0; k < 3; k++) {
        size_t count[2];
        char *one = read_file(whole, names[k], &count[0]), *other = read_file(parts, names[k], &count[1]);
        assert_int_equal(count[0], count[1]);
        assert_memory_equal(one, other, count[0]);
        free(one);
        free(other);
    }
}

static void finish(const char *directory, bool resume)
{
    slip_sweep_def def = definition(directory);
    def.resume = resume;
    slip_sweep *s = run_sweep(&def);
    assert_int_equal(slip_sweep_write(s, directory, NULL), SLIP_OK);
    slip_sweep_destroy(s);
}

static int begin(void **state)
{
    (void)state;
    model = read_model("", ball, "", " ");
    for (int k = 0; k < 200; k++) e[k] = 0.3 + 0.002 * k;
    snprintf(folder, sizeof folder, "/tmp/slipstick-sweep-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(whole, sizeof whole, "%s/whole", folder);
    snprintf(parts, sizeof parts, "%s/parts", folder);
    finish(whole, false);
    return 0;
}

static int end(void **state)
{
    (void)state;
    char command[128];
    slip_model_destroy(model);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

// works at what is missing until it is killed after that many us, or done
static bool is_killed(unsigned after)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        slip_sweep_def def = definition(parts);
        slip_sweep *s = NULL;
        def.resume = true;
        _exit(slip_sweep_run(&def, NULL, &s) == SLIP_OK ? 0 : 1);
    }
    usleep(after);
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

// Children that are killed at random moments, a hundred of them in all; whenever one is done before, its
// files are those of an undisturbed sweep, and the next one begins anew
static void killed_sweeps_are_completed(void **state)
{
    (void)state;
    unsigned random = 1;
    int kills = 0;
    for (int round = 0; kills < 100 && round < 2000; round++) {
        random = random * 1664525u + 1013904223u; // Knuth's linear congruences; its high bits
        if (is_killed(200 + (random >> 16) % 6000)) {
            kills++;
            continue;
        }
        finish(parts, true);
        assert_same_files();
        remove_parts();
    }
    assert_int_equal(kills, 100);
    finish(parts, true);
    assert_same_files();
}

// cut off at any byte, or with a bit that is another one
static void damaged_stores_are_mended(void **state)
{
    (void)state;
    size_t count;
    char *bytes = read_file(whole, "sweep.store", &count);
    for (int k = 0; k < 12; k++) {
        put_store(parts, bytes, count * (size_t)(2 * k + 1) / 24);
        finish(parts, true);
        assert_same_files();
    }
    size_t head = (size_t)(strstr(bytes, "\n\n") - bytes) + 2;
    put_store(parts, bytes, head / 2);
    finish(parts, true);
    assert_same_files();
    for (int k = 0; k < 12; k++) {
        size_t at = head + (count - head) * (size_t)(2 * k + 1) / 24;
        bytes[at] ^= 4;
        put_store(parts, bytes, count);
        bytes[at] ^= 4;
        finish(parts, true);
        assert_same_files();
    }
    free(bytes);
}

static void expect_refusal(slip_sweep_def def, const char *what)
{
    slip_error error = { 0 };
    slip_sweep *s = NULL;
    assert_int_not_equal(slip_sweep_run(&def, &error, &s), SLIP_OK);
    if (!strstr(error.text, what)) fail_msg("%s: %s", error.where, error.text);
}

static void other_sweeps_are_refused(void **state)
{
    (void)state;
    slip_sweep_def def = definition(whole);
    expect_refusal(def, "exists");
    def.resume = true;
    def.sim.until = 2.0;
    expect_refusal(def, "'until' differs");
    def = definition(whole), def.resume = true, def.seed = 9;
    expect_refusal(def, "'seed' differs");
    def = definition(whole), def.resume = true, def.outputs = SLIP_OUTPUT_MEANS;
    expect_refusal(def, "'keep' differs");
    double kept = e[7];
    e[7] += 1e-15;
    def = definition(whole), def.resume = true;
    expect_refusal(def, "'over e' differs");
    e[7] = kept;
    put_store(parts, "slipstick: 1\nname: a model\n\n", 28);
    def = definition(parts), def.resume = true;
    expect_refusal(def, "another sweep");
    put_store(parts, "no store", 8);
    expect_refusal(def, "not the store");
}

static slip_sweep_def drawn(const char *directory, long samples, slip_sampling sampling)
{
    static const slip_distribution draw = { "e", SLIP_DISTRIBUTION_UNIFORM, 0.3, 0.7 };
    slip_sweep_def def = definition(directory);
    def.axis_count = 0, def.draws = &draw, def.draw_count = 1, def.samples = samples, def.sampling = sampling;
    return def;
}

static void write_drawn(const char *directory, long samples, slip_sampling sampling, bool resume)
{
    slip_sweep_def def = drawn(directory, samples, sampling);
    def.resume = resume;
    slip_sweep *s = run_sweep(&def);
    assert_int_equal(slip_sweep_write(s, directory, NULL), SLIP_OK);
    slip_sweep_destroy(s);
}

// more samples are added to what is there; fewer, and a Latin hypercube of another size, are another sweep
static void stores_grow(void **state)
{
    (void)state;
    const slip_sampling samplings[] = { SLIP_SAMPLING_RANDOM, SLIP_SAMPLING_SOBOL };
    char before[2][128];
    memcpy(before[0], whole, sizeof whole);
    memcpy(before[1], parts, sizeof parts);
    for (int k = 0; k < 2; k++) {
        snprintf(whole, sizeof whole, "%s/grown-%d", folder, k);
        snprintf(parts, sizeof parts, "%s/growing-%d", folder, k);
        write_drawn(whole, 120, samplings[k], false);
        write_drawn(parts, 9, samplings[k], false);
        write_drawn(parts, 50, samplings[k], true);
        write_drawn(parts, 120, samplings[k], true);
        assert_same_files();
        slip_sweep_def def = drawn(parts, 119, samplings[k]);
        def.resume = true;
        expect_refusal(def, "'random' differs");
    }
    slip_sweep_def def = drawn(parts, 200, SLIP_SAMPLING_SOBOL);
    def.resume = true, def.seed = 3;
    expect_refusal(def, "differs");
    snprintf(parts, sizeof parts, "%s/latin", folder);
    write_drawn(parts, 9, SLIP_SAMPLING_LATIN, false);
    def = drawn(parts, 10, SLIP_SAMPLING_LATIN), def.resume = true;
    expect_refusal(def, "'random' differs");
    memcpy(whole, before[0], sizeof whole);
    memcpy(parts, before[1], sizeof parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_sweeps_are_completed),
        cmocka_unit_test(damaged_stores_are_mended),
        cmocka_unit_test(other_sweeps_are_refused),
        cmocka_unit_test(stores_grow),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
