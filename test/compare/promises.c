/// promises.c: a comparison without memory says so and leaks nothing, one that is stopped says that, and
/// settings that make no sense are refused.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "slipstick/slipstick.h"
#include "test.h"

static const char DROP[] = "slipstick: 1\n"
                           "name: Ball and block\n"
                           "coordinates: {x: {rate: 0.1}, y: {start: 0.001}}\n"
                           "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                           "contacts: {ground: {gap: y, slip: x, friction: 0.4}}\n"
                           "run: {until: 0.03 s, step: 1 ms}\n";

static slip_model *read_drop(void)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_equal(slip_model_read_text("drop", DROP, sizeof DROP - 1, NULL, 0, notes, &model), SLIP_OK);
    slip_diagnostics_destroy(notes);
    return model;
}

static void memory_may_end_anywhere(void **state)
{
    (void)state;
    slip_model *model = read_drop();
    const char *const names[] = { "lcp", "moreau" };
    slip_compare_def def = slip_default_compare_def();
    def.formulations = names;
    def.formulation_count = 2;
    def.threads = 1;
    def.record = 8;
    def.budget = 0.001;
    int failed = 0;
    for (long k = 1;; k += 1 + k / 30) {
        slip_error error = { 0 };
        slip_comparison *c = NULL;
        alloc_fail_at(k);
        slip_status status = slip_compare(model, &def, &error, &c);
        long asked = alloc_fail_stop();
        assert_int_equal(status == SLIP_OK, c != NULL);
        failed += status != SLIP_OK;
        slip_comparison_destroy(c);
        if (asked < k) break;
    }
    assert_true(failed > 10);
    slip_model_destroy(model);
}

static void json_may_lack_memory(void **state)
{
    (void)state;
    slip_model *model = read_drop();
    slip_compare_def def = slip_default_compare_def();
    def.budget = 0.001;
    def.threads = 3; // more than one, and more than some machines have
    slip_comparison *c = NULL;
    assert_int_equal(slip_compare(model, &def, NULL, &c), SLIP_OK);
    slip_model_destroy(model);
    for (long k = 1;; k++) {
        alloc_fail_at(k);
        char *text = slip_comparison_json(c);
        long asked = alloc_fail_stop();
        if (text) assert_non_null(strstr(text, "\"formulations\""));
        free(text);
        if (asked < k) break;
    }
    assert_null(slip_comparison_row(c, slip_comparison_count(c)));
    assert_null(slip_comparison_row(c, -1));
    assert_null(slip_comparison_coordinate(c, slip_comparison_coordinate_count(c)));
    assert_null(slip_comparison_recording(c, 0));
    slip_comparison_destroy(c);
    slip_comparison_destroy(NULL);
}

static void settings_are_checked(void **state)
{
    (void)state;
    slip_model *model = read_drop();
    const char *const unknown[] = { "lpc" };
    slip_compare_def right = slip_default_compare_def(),
                     wrong[6] = { right, right, right, right, right, right };
    wrong[0].formulations = unknown;
    wrong[0].formulation_count = 1;
    wrong[1].step = -1.0;
    wrong[2].until = 0.0;
    wrong[3].accuracy = 0.0;
    wrong[4].record = 2;
    wrong[5].record = -1;
    for (int k = 0; k < 6; k++) {
        slip_error error = { 0 };
        slip_comparison *c = NULL;
        assert_int_not_equal(slip_compare(model, &wrong[k], &error, &c), SLIP_OK);
        assert_null(c);
        assert_true(strlen(error.text) > 5);
    }
    slip_model_destroy(model);
}

static volatile sig_atomic_t stop;

static void stop_after_two(void *context, int done, int expected)
{
    (void)context;
    (void)expected;
    if (done >= 2) stop = 1;
}

static void a_comparison_can_be_stopped(void **state)
{
    (void)state;
    slip_model *model = read_drop();
    slip_compare_def def = slip_default_compare_def();
    def.stop = &stop;
    def.threads = 1;
    for (int late = 0; late < 2; late++) {
        stop = late == 0;
        def.progress = late ? stop_after_two : NULL;
        slip_comparison *c = NULL;
        slip_error error = { 0 };
        assert_int_equal(slip_compare(model, &def, &error, &c), SLIP_OK);
        assert_true(slip_comparison_stopped(c));
        assert_int_equal(slip_comparison_chosen(c), -1);
        assert_non_null(strstr(slip_comparison_sentence(c), "stopped"));
        slip_comparison_destroy(c);
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(json_may_lack_memory),
        cmocka_unit_test(settings_are_checked),
        cmocka_unit_test(a_comparison_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
