/// state.c: a run that is interrupted, saved and taken up again goes on to the same bits.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/archive.h"
#include "resume.h"

// impacts, sticking, a hand-over and a change of mode on the way
static const struct {
    const char *folder, *model, *formulation, *integrator;
    double until;
} longer[] = {
    { "classics", "bouncing-ball", "moreau", NULL, 2.0 },
    { "classics", "bouncing-ball", "lcp", NULL, 2.0 },
    { "classics", "bouncing-ball", "dai", NULL, 1.0 },
    { "classics", "woodpecker", "moreau", NULL, 0.3 },
    { "classics", "woodpecker", "lcp", NULL, 0.3 },
    { "classics", "rocking-block", "gauss", NULL, 1.0 },
    { "song", "rod-case2", "auto", NULL, 0.2 },
    { "song", "rod-case1", "auto", NULL, 0.22 },
    { "song", "rod-case2-printed", "auto", NULL, 0.4 },
    { "xiong", "stick-slip", "dai", NULL, 2.0 },
    { "xiong", "friction-mass", "dai", "cash-karp", 1.0 },
    { "xiong", "friction-mass", "dai", "sdirk4", 1.0 },
    { "xiong", "friction-mass", "modular", NULL, 1.0 },
    { "spatial", "tumbling-box", "moreau", NULL, 0.4 },
    { "kikuuwe", "sphere-bodies", "kelvin-voigt", NULL, 0.5 },
    { "classics", "rocking-block", "hunt-crossley", NULL, 1.0 },
    { "classics", "rocking-block", "tanh", NULL, 1.0 },
    { "kikuuwe", "two-link-lugre", "kelvin-voigt", NULL, 0.5 },
};

static void runs_with_much_on_the_way_do(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++) {
        slip_model *model = read_model(longer[k].folder, longer[k].model, "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = longer[k].formulation;
        def.integrator = longer[k].integrator;
        def.until = longer[k].until;
        for (int part = 1; part < 5; part += 2)
            assert_true(compare(model, &def, longer[k].model, 0.2 * part * def.until));
        slip_model_destroy(model);
    }
}

static slip_sim *soft_ball(const char *sets, const char *formulation, double step, double softness,
                           slip_model **model)
{
    slip_sim_def def = slip_default_sim_def();
    *model = read_model("classics", "bouncing-ball", sets, ";");
    def.formulation = formulation;
    def.until = 1.0;
    def.step = step;
    def.softness = softness;
    return make_sim(*model, &def);
}

static slip_sim *ball(const char *sets, const char *formulation, double step, slip_model **model)
{
    return soft_ball(sets, formulation, step, 1.0, model);
}

static void what_differs_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *sets, *formulation;
        double step, softness;
        const char *words;
    } others[] = {
        { "", "lcp", 1e-3, 1, "formulation 'moreau', and this run has 'lcp'" },
        { "", "moreau", 2e-3, 1, "step 0.001, and this run has 0.002" },
        { "", "moreau", 1e-3, 2, "softness 1, and this run has 2" },
        { "contacts.floor.restitution=0.5", "moreau", 1e-3, 1,
          "this run has 'contacts.floor.restitution=0.5'" },
        { "run.substeps=1", "moreau", 1e-3, 1, "overrides '', and this run has 'run.substeps=1'" },
    };
    slip_model *model;
    slip_error error = { 0 };
    slip_sim *sim = ball("", "moreau", 1e-3, &model);
    for (int k = 0; k < 10; k++) slip_sim_step(sim);
    char *saved = slip_sim_save(sim, &error);
    assert_non_null(saved);
    assert_int_equal(slip_sim_restore(sim, saved, &error), SLIP_BAD_ARGUMENT); // not at its start
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        sim = soft_ball(others[k].sets, others[k].formulation, others[k].step, others[k].softness, &model);
        assert_int_equal(slip_sim_restore(sim, saved, &error), SLIP_BAD_ARGUMENT);
        if (!strstr(error.text, others[k].words))
            fail_msg("'%s', expected '%s'", error.text, others[k].words);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    free(saved);
}

// cut off anywhere, changed anywhere: an error with its place, never a crash
static void damaged_files_are_refused(void **state)
{
    (void)state;
    slip_model *model;
    slip_error error = { 0 };
    slip_sim *sim = ball("", "moreau", 1e-3, &model);
    for (int k = 0; k < 600; k++) slip_sim_step(sim);
    char *saved = slip_sim_save(sim, &error);
    assert_non_null(saved);
    slip_sim_destroy(sim);
    size_t length = strlen(saved);
    char *copy = malloc(length + 1);
    for (size_t at = 0; at < length - 3; at += 1 + length / 97) {
        for (int change = 0; change < 2; change++) {
            memcpy(copy, saved, length + 1);
            copy[at] = change ? (char)(copy[at] ^ 1) : '\0';
            slip_sim *other = make_sim(model, &(slip_sim_def){ .formulation = "moreau",
                                                               .step = 1e-3,
                                                               .until = 1.0,
                                                               .max_step = NAN,
                                                               .relative = NAN,
                                                               .absolute = NAN });
            assert_int_equal(slip_sim_restore(other, copy, &error), SLIP_BAD_ARGUMENT);
            assert_non_null(strchr(error.where, ':'));
            slip_sim_destroy(other);
        }
    }
    free(copy);
    free(saved);
    slip_model_destroy(model);
}

static void archives_tell_where_they_differ(void **state)
{
    (void)state;
    slip_error error = { 0 };
    slip_archive a = slip_archive_writer(&error);
    double values[] = { 0.1, -0.0, NAN, INFINITY, -INFINITY, 5e-324, 1.7976931348623157e308 }, back[7];
    int n = -3;
    bool yes = true;
    slip_archive_open(&a, NULL);
    slip_archive_doubles(&a, "values", values, 7);
    slip_archive_int(&a, "n", &n);
    slip_archive_open(&a, "inner");
    slip_archive_bool(&a, "yes", &yes);
    slip_archive_text(&a, "text", "a \"quoted\" line\nand another \\");
    slip_archive_close(&a);
    char *text = slip_archive_take(&a);
    assert_non_null(text);
    slip_archive r = slip_archive_reader("file", text, &error);
    n = 0, yes = false;
    slip_archive_open(&r, NULL);
    slip_archive_doubles(&r, "values", back, 7);
    slip_archive_int(&r, "n", &n);
    slip_archive_open(&r, "inner");
    slip_archive_bool(&r, "yes", &yes);
    char *read = slip_archive_text(&r, "text", NULL);
    slip_archive_close(&r);
    assert_int_equal(r.status, SLIP_OK);
    assert_memory_equal(values, back, sizeof values);
    assert_int_equal(n, -3);
    assert_true(yes);
    assert_string_equal(read, "a \"quoted\" line\nand another \\");
    free(read);
    r = slip_archive_reader("file", text, &error);
    slip_archive_open(&r, NULL);
    slip_archive_doubles(&r, "values", back, 6); // one less
    assert_int_equal(r.status, SLIP_BAD_ARGUMENT);
    assert_non_null(strstr(error.where, "file:2:"));
    r = slip_archive_reader("file", text, &error);
    slip_archive_open(&r, NULL);
    slip_archive_int(&r, "n", &n); // another member
    assert_non_null(strstr(error.text, "expected member 'n'"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_tell_where_they_differ),
        cmocka_unit_test(what_differs_is_named),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(runs_with_much_on_the_way_do),
    };
    return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
