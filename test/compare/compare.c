/// compare.c: every formulation side by side on models whose answers are known.
#include <stdlib.h>
#include <string.h>

#include "slipstick/compare.h"
#include "slipstick/parts.h"
#include "test.h"

static slip_model *read_path(const char *path)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_equal(slip_model_read_file(path, NULL, 0, notes, &model), SLIP_OK);
    slip_diagnostics_destroy(notes);
    return model;
}

static slip_comparison *compare(const char *path, slip_compare_def def)
{
    slip_model *model = read_path(path);
    slip_comparison *c = NULL;
    slip_error error = { 0 };
    if (slip_compare(model, &def, &error, &c) != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    slip_model_destroy(model); // a comparison may outlive it
    assert_non_null(c);
    return c;
}

static const slip_compare_row *row_of(const slip_comparison *c, const char *formulation)
{
    for (int k = 0; k < slip_comparison_count(c); k++)
        if (strcmp(slip_comparison_row(c, k)->formulation, formulation) == 0)
            return slip_comparison_row(c, k);
    fail_msg("no row %s", formulation);
    return NULL;
}

static void a_ball_bounces_alike_everywhere(void **state)
{
    (void)state;
    slip_compare_def def = slip_default_compare_def();
    def.until = 1.0;
    def.step = 1e-4;
    def.budget = 0.2;
    slip_comparison *c = compare("models/classics/bouncing-ball.yaml", def);
    slip_part_info part;
    int there = 0;
    while (slip_part(SLIP_FORMULATIONS, there, &part)) there++;
    assert_int_equal(slip_comparison_count(c), there);
    assert_int_equal(strncmp(slip_comparison_reference(c), "lcp, confirmed by moreau", 24), 0);
    assert_true(slip_comparison_confirmed(c) && !slip_comparison_disputed(c) && !slip_comparison_stopped(c));
    const char *const exact[] = { "lcp", "moreau", "dai" };
    for (int k = 0; k < 3; k++) {
        const slip_compare_row *row = row_of(c, exact[k]);
        assert_true(row->applies && row->trusted && row->reached);
        assert_true(row->spread < 0.01 * slip_comparison_scale(c));
        assert_true(row->cone_violation == 0.0);
        assert_true(row->accurate_step <= 1e-4);
    }
    assert_true(row_of(c, "lcp")->energy_error < 1e-9);
    assert_non_null(strstr(slip_comparison_sentence(c), "cheapest"));
    char *json = slip_comparison_json(c);
    assert_non_null(strstr(json, "\"confirmed\": true"));
    free(json);
    slip_comparison_destroy(c);
}

// an inclusion has no masses: rigid formulations say that they do not apply, and why
static void what_does_not_apply_says_why(void **state)
{
    (void)state;
    slip_compare_def def = slip_default_compare_def();
    def.until = 0.1;
    def.budget = 0.1;
    slip_comparison *c = compare("models/xiong/stick-slip.yaml", def);
    assert_true(row_of(c, "dai")->applies);
    const slip_compare_row *moreau = row_of(c, "moreau");
    assert_false(moreau->applies);
    assert_non_null(strstr(moreau->text, "inclusion"));
    slip_comparison_destroy(c);
}

static void threads_do_not_change_the_answers(void **state)
{
    (void)state;
    static const char *const some[] = { "dai", "moreau" };
    slip_comparison *c[2];
    for (int k = 0; k < 2; k++) {
        slip_compare_def def = slip_default_compare_def();
        def.formulations = some;
        def.formulation_count = 2;
        def.threads = 1 + 2 * k;
        def.until = 0.5;
        def.budget = 0.05;
        c[k] = compare("models/classics/bouncing-ball.yaml", def);
    }
    for (int k = 0; k < 2; k++) {
        const slip_compare_row *one = slip_comparison_row(c[0], k), *three = slip_comparison_row(c[1], k);
        assert_memory_equal(one->end, three->end, sizeof(double) * (size_t)one->coordinate_count);
        assert_near(one->spread, three->spread, 0.0);
    }
    slip_comparison_destroy(c[0]);
    slip_comparison_destroy(c[1]);
}

static slip_comparison *compare_text(const char *text, slip_compare_def def)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_comparison *c = NULL;
    assert_int_equal(slip_model_read_text("model.yaml", text, strlen(text), NULL, 0, notes, &model), SLIP_OK);
    slip_diagnostics_destroy(notes);
    assert_int_equal(slip_compare(model, &def, NULL, &c), SLIP_OK);
    slip_model_destroy(model);
    return c;
}

// A block that slides on three feet in line, whose friction differs: rigid contacts leave open who carries
// the load, so any deceleration between g mu_least and g mu_most solves the problem. No one answer is
// recommended
static void an_open_motion_is_not_recommended(void **state)
{
    (void)state;
    slip_compare_def def = slip_default_compare_def();
    def.budget = 0.05;
    slip_comparison *c =
        compare_text("slipstick: 1\nname: Three feet\ncoordinates: {x: {rate: 2}, y: 0, th: 0}\n"
                     "energy: {kinetic: \"0.5*(x'^2 + y'^2 + 0.1*th'^2)\", potential: 9.81*y}\n"
                     "contacts:\n"
                     "  left: {gap: y - 0.5*th, slip: x, friction: 0.5}\n"
                     "  middle: {gap: y, slip: x, friction: 0.05}\n"
                     "  right: {gap: y + 0.5*th, slip: x, friction: 0.5}\n"
                     "run: {step: 1 ms, until: 0.3}\n",
                     def);
    assert_int_equal(slip_comparison_chosen(c), -1);
    for (int k = 0; slip_comparison_disputed(c) && k < slip_comparison_count(c); k++)
        assert_false(slip_comparison_row(c, k)->trusted);
    slip_comparison_destroy(c);
}

// stopped before anything ran: nothing is invented
static void a_stopped_comparison_says_so(void **state)
{
    (void)state;
    static const volatile sig_atomic_t stop = 1;
    slip_compare_def def = slip_default_compare_def();
    def.stop = &stop;
    slip_comparison *c = compare("models/classics/bouncing-ball.yaml", def);
    assert_true(slip_comparison_stopped(c));
    assert_int_equal(slip_comparison_chosen(c), -1);
    assert_non_null(strstr(slip_comparison_sentence(c), "stopped"));
    for (int k = 0; k < slip_comparison_count(c); k++) {
        const slip_compare_row *row = slip_comparison_row(c, k);
        assert_int_equal(row->outcome, SLIP_STOPPED);
        assert_false(row->trusted);
        assert_true(isnan(row->spread) && isnan(row->off) && isnan(row->seconds));
    }
    slip_comparison_destroy(c);
}

static void wrong_wishes_are_refused(void **state)
{
    (void)state;
    static const char *const unknown[] = { "dye" };
    slip_model *model = read_path("models/classics/bouncing-ball.yaml");
    slip_compare_def def = slip_default_compare_def();
    slip_comparison *c = NULL;
    slip_error error;
    def.formulations = unknown;
    def.formulation_count = 1;
    assert_int_equal(slip_compare(model, &def, &error, &c), SLIP_UNKNOWN_NAME);
    def = slip_default_compare_def();
    def.accuracy = -1;
    assert_int_equal(slip_compare(model, &def, &error, &c), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_compare(NULL, NULL, &error, &c), SLIP_BAD_ARGUMENT);
    assert_null(c);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_alike_everywhere),
        cmocka_unit_test(what_does_not_apply_says_why),
        cmocka_unit_test(threads_do_not_change_the_answers),
        cmocka_unit_test(an_open_motion_is_not_recommended),
        cmocka_unit_test(a_stopped_comparison_says_so),
        cmocka_unit_test(wrong_wishes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
