/// promises.c: a fit without memory says so and leaks nothing; data that cannot be used are refused with
/// their place.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "slipstick/slipstick.h"
#include "test.h"

static const char SLIDE[] = "slipstick: 1\n"
                            "name: Block that slides to rest\n"
                            "parameters: {mu: 0.3, v0: 1}\n"
                            "coordinates: {x: {rate: v0}, y: 0}\n"
                            "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                            "contacts: {ground: {gap: y, slip: x, friction: mu}}\n"
                            "run: {formulation: lcp, until: 0.3 s}\n";

static slip_model *read_slide(void)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_equal(slip_model_read_text("slide", SLIDE, sizeof SLIDE - 1, NULL, 0, notes, &model), SLIP_OK);
    slip_diagnostics_destroy(notes);
    return model;
}

// x of a block that slows down with mu g, mu = 0.2, sampled while it slides
static slip_fit_data slide_data(double *t, double *x, int rows)
{
    slip_fit_data data = { .rows = rows, .columns = 1, .name = { "x" }, .t = t, .value = x };
    for (int k = 0; k < rows; k++) {
        t[k] = 0.02 * (k + 1);
        x[k] = t[k] - 0.5 * 0.2 * 9.81 * t[k] * t[k];
    }
    return data;
}

static void memory_may_end_anywhere(void **state)
{
    (void)state;
    double t[12], x[12];
    slip_fit_data data = slide_data(t, x, 12);
    slip_model *model = read_slide();
    const char *const free_names[] = { "mu", "v0" };
    slip_fit_def def = slip_default_fit_def();
    def.model = model;
    def.free = free_names;
    def.free_count = 2;
    def.threads = 1;
    def.profile = true;
    const double lower[] = { 0.05, 0.5 }, upper[] = { 0.6, 2.0 };
    for (int several = 0; several < 2; several++) {
        def.starts = several ? 2 : 1;
        def.lower = several ? lower : NULL;
        def.upper = several ? upper : NULL;
        long tried = 0;
        for (long k = 1;; k += 1 + k / 3) { // every early point, then a sample of the later ones
            slip_error error = { 0 };
            slip_fit *fit = NULL;
            alloc_fail_at(k);
            slip_status status = slip_fit_run(&def, &data, &error, &fit);
            long asked = alloc_fail_stop();
            if (status == SLIP_OK)
                assert_non_null(fit);
            else
                assert_null(fit);
            if (status == SLIP_OK && asked < k) assert_near(fit->value[0], 0.2, 1e-6);
            slip_fit_destroy(fit);
            tried++;
            if (asked < k) break;
        }
        assert_true(tried > 20);
    }
    slip_model_destroy(model);
}

static void settings_are_checked(void **state)
{
    (void)state;
    double t[12], x[12];
    slip_fit_data data = slide_data(t, x, 12);
    slip_model *model = read_slide();
    const char *const good[] = { "mu" }, *const unknown[] = { "mue" };
    slip_fit_def right = slip_default_fit_def();
    right.model = model;
    right.free = good;
    right.free_count = 1;
    const double low[] = { 0.5 }, high[] = { 0.1 };
    slip_fit_def wrong[6] = { right, right, right, right, right, right };
    wrong[0].free_count = 0;
    wrong[1].free_count = SLIP_FIT_MAX_FREE + 1;
    wrong[2].free = unknown;
    wrong[3].confidence = 1.0;
    wrong[4].confidence = 0.0;
    wrong[5].lower = low;
    wrong[5].upper = high;
    for (int k = 0; k < 6; k++) {
        slip_error error = { 0 };
        slip_fit *fit = NULL;
        assert_int_not_equal(slip_fit_run(&wrong[k], &data, &error, &fit), SLIP_OK);
        assert_null(fit);
        assert_true(strlen(error.text) > 5);
    }
    data.rows = 1; // as many values as parameters: nothing left to judge by
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    assert_int_not_equal(slip_fit_run(&right, &data, &error, &fit), SLIP_OK);
    slip_model_destroy(model);
}

static bool stop_at_once(void *context, int iteration, double rms)
{
    (void)iteration;
    (void)rms;
    ++*(int *)context;
    return false;
}

static void a_fit_can_be_stopped(void **state)
{
    (void)state;
    double t[12], x[12];
    slip_fit_data data = slide_data(t, x, 12);
    slip_model *model = read_slide();
    const char *const names[] = { "mu" };
    const double lower[] = { 0.0 }, upper[] = { INFINITY };
    int calls = 0;
    slip_fit_def def = slip_default_fit_def();
    def.model = model;
    def.free = names;
    def.free_count = 1;
    def.lower = lower;
    def.upper = upper;
    def.progress = stop_at_once;
    def.context = &calls;
    for (def.starts = 1; def.starts < 4; def.starts += 2) {
        slip_error error = { 0 };
        slip_fit *fit = NULL;
        slip_status status = slip_fit_run(&def, &data, &error, &fit);
        if (status == SLIP_OK && def.starts == 1) assert_false(fit->converged);
        slip_fit_destroy(fit);
        assert_true(calls >= 1);
    }
    slip_model_destroy(model);
}

// a name of its own, since several builds run this at a time
static void name_file(char *path, size_t size, const char *what)
{
    snprintf(path, size, "/tmp/slipstick-%s-%ld.csv", what, (long)getpid());
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void data_files(void **state)
{
    (void)state;
    char path[64];
    name_file(path, sizeof path, "data");
    const struct {
        const char *text, *columns;
        int rows; // 0: refused
    } files[] = {
        { "t,x\n0.1,1\n0.2,2\n", NULL, 2 },
        { "# a comment\nt; x\n\n0.1;1\n0.2\t2\n", NULL, 2 },
        { "time,where\n0.1,1\n0.2,2\n", "t,x", 2 },
        { "t, skipped ,x\n0.1,9,1\n0.2,9,2\n", "t,-,x", 2 },
        { "", NULL, 0 },
        { "t,x\n", NULL, 0 },
        { "t\n0.1\n", NULL, 0 },
        { "x\n0.1\n", "x", 0 },
        { "t,x\n0.2,1\n0.1,2\n", NULL, 0 },
        { "t,x\n0.1,1\nnan,2\n", NULL, 0 },
        { "t,x\n0.1,1\n0.2,two\n", NULL, 0 },
        { "t,x\n0.1,1\n0.2\n", NULL, 0 },
        { "t,a,b,c,d,e,f,g,h,i\n", NULL, 0 },
        { "t,x\n0.1,1\n0.2,nan\n", NULL, 0 },
        { "t,x\n0.1,1\n0.2,inf\n", NULL, 0 },
        { "t,x\n0.1,1\n0.2,1e400\n", NULL, 0 },
        { "t,x\n0.1,1\n0.2,0x2\n", NULL, 0 },
        { "t,x\n0.1,1\n0.2,2,3\n", NULL, 0 },
        { "t,x\n0.1,1\n0.2,,2\n", NULL, 0 },
        { "t,x\n-0.1,1\n0.2,2\n", NULL, 0 },
        { "t,x\n0.1,2\n0.2,1", NULL, 1 }, // what has no end may be cut off
        { "t,x\n0.1,2\n#.2,1\n", NULL, 1 },
        { "t,x\n0.1,2", NULL, 0 },
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        slip_error error = { 0 };
        slip_fit_data data = { 0 };
        write_file(path, files[k].text);
        slip_status status = slip_fit_data_read(path, files[k].columns, &error, &data);
        if (files[k].rows == 0 && status == SLIP_OK) fail_msg("was taken: %s", files[k].text);
        if (files[k].rows) {
            assert_int_equal(status, SLIP_OK);
            assert_int_equal(data.rows, files[k].rows);
            assert_int_equal(data.unfinished > 0, files[k].text[strlen(files[k].text) - 1] != '\n');
            assert_near(data.value[data.columns * (data.rows - 1)], 2.0, 0.0);
            slip_fit_data_destroy(&data);
        }
    }
    write_file(path, files[0].text);
    for (long k = 1;; k++) {
        slip_error error = { 0 };
        slip_fit_data data = { 0 };
        alloc_fail_at(k);
        slip_status status = slip_fit_data_read(path, NULL, &error, &data);
        long asked = alloc_fail_stop();
        if (status == SLIP_OK) slip_fit_data_destroy(&data);
        if (asked < k) break;
    }
    unlink(path);
    slip_error error = { 0 };
    slip_fit_data data = { 0 };
    assert_int_equal(slip_fit_data_read(path, NULL, &error, &data), SLIP_IO);
}

static void encoder_files(void **state)
{
    (void)state;
    char path[64];
    name_file(path, sizeof path, "levels");
    const struct {
        const char *text;
        int edges; // -1: refused
    } files[] = {
        { "a,b\n0,0\n1,0\n1,1\n0,1\n", 3 },
        { "# levels\n\n 0 0\n\t1 0\r\n1,1\n", 2 },
        { "", -1 },
        { "a,b\n0,0\n", -1 },
        { "0,0\n1,0\nx,y\n", -1 },
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        slip_error error = { 0 };
        slip_encoder_angle decoding = { 0 };
        write_file(path, files[k].text);
        slip_status status = slip_encoder_decode_file(path, 1000.0, 0.01, &error, &decoding);
        assert_int_equal(status == SLIP_OK, files[k].edges >= 0);
        if (status != SLIP_OK) continue;
        assert_int_equal(decoding.count, files[k].edges);
        slip_encoder_angle_destroy(&decoding);
    }
    write_file(path, files[0].text);
    for (long k = 1;; k++) {
        slip_error error = { 0 };
        slip_encoder_angle decoding = { 0 };
        alloc_fail_at(k);
        slip_status status = slip_encoder_decode_file(path, 1000.0, 0.01, &error, &decoding);
        long asked = alloc_fail_stop();
        assert_true(status == SLIP_OK || status == SLIP_NO_MEMORY);
        if (status == SLIP_OK) slip_encoder_angle_destroy(&decoding);
        if (asked < k) break;
    }
    unlink(path);
    const double bad[] = { 0.0, -1.0, NAN, INFINITY };
    slip_encoder_angle decoding = { 0 };
    slip_error error = { 0 };
    const unsigned char levels[] = { 0, 0, 1, 0 };
    for (int k = 0; k < 4; k++) {
        assert_int_equal(slip_encoder_decode(levels, 2, bad[k], 0.01, &error, &decoding), SLIP_BAD_ARGUMENT);
        assert_int_equal(slip_encoder_decode(levels, 2, 1000.0, bad[k], &error, &decoding),
                         SLIP_BAD_ARGUMENT);
    }
    assert_int_equal(slip_encoder_decode_file(path, 1000.0, 0.01, &error, &decoding), SLIP_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_may_end_anywhere), cmocka_unit_test(settings_are_checked),
        cmocka_unit_test(a_fit_can_be_stopped),    cmocka_unit_test(data_files),
        cmocka_unit_test(encoder_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
