/// page.c: the file around the data: whole or not at all, closed to what a model says, the same bytes again.
#define _DEFAULT_SOURCE
#include "helper.h"

#include <sys/stat.h>

#include "output/report/report_page.h"

// a model without a run: nothing to plot, all to read
static void test_no_runs(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "bouncing-ball", "", ";");
    char *page = page_of(model, NULL, false);
    json_t *object = object_of(page);
    assert_int_equal(json_integer_value(json_object_get(object, "format")), 1);
    assert_string_equal(json_string_value(json_object_get(object, "title")), slip_model_name(model));
    assert_string_equal(json_string_value(json_object_get(json_object_get(object, "model"), "text")),
                        slip_model_text(model, NULL));
    assert_int_equal(json_array_size(json_object_get(object, "runs")), 0);
    assert_non_null(json_object_get(json_object_get(object, "program"), "version"));
    assert_non_null(json_object_get(object, "made"));
    assert_int_equal(strncmp(page, TEST_PAGE, (size_t)(strstr(TEST_PAGE, "<!--") - TEST_PAGE)), 0);
    assert_non_null(strstr(page, "</script>\n<p>end</p>\n"));
    json_decref(object);
    free(page);
    slip_model_destroy(model);
}

// what a model says stays what it says, and ends no script
static void test_text_of_a_model_stays_inside(void **state)
{
    (void)state;
    static const char text[] = "# </script><script>alert(1)</script> <!-- \"quotes\" \\ and \xC2\xB5\n"
                               "slipstick: 1\nname: \"</script><b>bold\"\ncoordinates: {y: {start: 1 m}}\n"
                               "energy: {kinetic: 0.5*y'^2, potential: 9.81*y}\n"
                               "record: {twice: 2*y}\nrun: {until: 0.01}\n";
    slip_model *model = read_model("", text, "", ";");
    slip_recording *recording = record_run(model, NULL, 0.0, NULL, NULL);
    char *page = page_of(model, recording, false);
    json_t *object = object_of(page); // the first `<` behind the beginning is that of the one </script>
    assert_string_equal(json_string_value(json_object_get(object, "title")), "</script><b>bold");
    assert_string_equal(json_string_value(json_object_get(json_object_get(object, "model"), "text")), text);
    json_decref(object);
    free(page);
    slip_recording_destroy(recording);
    slip_model_destroy(model);
}

static void test_same_bytes_again(void **state)
{
    (void)state;
    static const char *const formulations[] = { "moreau", "lcp", "dai", "auto" };
    slip_model *model = read_model("flores", "slider-crank-bodies", "", ";");
    for (size_t f = 0; f < sizeof formulations / sizeof *formulations; f++) {
        slip_recording *a = record_run(model, formulations[f], 0.02, NULL, NULL);
        slip_recording *b = record_run(model, formulations[f], 0.02, NULL, NULL);
        char *one = page_of(model, a, true), *two = page_of(model, b, true);
        assert_string_equal(one, two);
        json_t *object = object_of(one);
        assert_null(json_object_get(object, "made"));
        json_decref(object);
        free(one), free(two);
        slip_recording_destroy(a);
        slip_recording_destroy(b);
    }
    slip_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------- files

static void test_whole_or_not_at_all(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "bouncing-ball", "", ";");
    slip_report_def def = slip_default_report_def();
    slip_error error = { 0 };
    def.model = model;
    def.page = TEST_PAGE;
    char folder[] = "/tmp/slipstick-report-XXXXXX", path[100], part[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.html", folder);
    snprintf(part, sizeof part, "%s/x.html.%ld.part", folder, (long)getpid()); // as whole_file.h names it
    FILE *before = fopen(path, "w");
    fputs("what stood there", before);
    fclose(before);

    // a file that cannot be made (a directory is in its way): what stood there stands
    assert_int_equal(mkdir(part, 0777), 0);
    assert_int_equal(slip_report_write(path, &def, &error), SLIP_IO);
    assert_string_equal(error.where, path);
    char *text = read_file(path);
    assert_string_equal(text, "what stood there");
    free(text);
    assert_int_equal(rmdir(part), 0);

    // a disk that is full: /dev/full takes nothing
    if (access("/dev/full", W_OK) == 0 && symlink("/dev/full", part) == 0) {
        assert_int_equal(slip_report_write(path, &def, &error), SLIP_IO);
        assert_non_null(strstr(error.text, "No space left"));
        text = read_file(path);
        assert_string_equal(text, "what stood there");
        free(text);
        unlink(part);
    }

    assert_int_equal(slip_report_write(path, &def, &error), SLIP_OK);
    text = read_file(path);
    assert_non_null(strstr(text, script_begin));
    free(text);
    assert_int_equal(access(part, F_OK), -1);
    assert_int_equal(slip_report_write("/no/such/place/x.html", &def, &error), SLIP_IO);

    def.page = "<p>no line for data</p>";
    assert_int_equal(slip_report_write(path, &def, &error), SLIP_BAD_ARGUMENT);
    def.page = TEST_PAGE, def.model = NULL;
    assert_int_equal(slip_report_write(path, &def, &error), SLIP_BAD_ARGUMENT);
    unlink(path);
    rmdir(folder);
    slip_model_destroy(model);
}

// the page that was built in, and what is said when there is none
static void test_built_in_page(void **state)
{
    (void)state;
    slip_error error = { 0 };
    bool there = slip_page(2).text != NULL;
    const slip_build_part *part = NULL;
    for (int k = 0; slip_build_part_at(k); k++)
        if (strcmp(slip_build_part_at(k)->name, "page") == 0) part = slip_build_part_at(k);
    assert_non_null(part);
    assert_int_equal(part->present, there);
    slip_status status = slip_report_check("/tmp/slipstick-report-check.html", &error);
    assert_int_equal(status, there ? SLIP_OK : SLIP_UNSUPPORTED);
    assert_int_equal(access("/tmp/slipstick-report-check.html", F_OK), -1);
    if (!there) {
        assert_non_null(strstr(error.text, "node"));
        return;
    }
    assert_int_equal(slip_report_check("/no/such/place/x.html", &error), SLIP_IO);
    slip_model *model = read_model("classics", "bouncing-ball", "", ";");
    slip_report_def def = slip_default_report_def();
    char path[] = "/tmp/slipstick-report-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    def.model = model;
    assert_int_equal(slip_report_write(path, &def, &error), SLIP_OK);
    char *text = read_file(path);
    json_decref(object_of(text));
    assert_null(strstr(text, "<!--slipstick-data-->"));
    assert_null(strstr(text, "src=\"http")); // nothing is fetched
    assert_null(strstr(text, "href=\"http://"));
    free(text);
    unlink(path);
    slip_model_destroy(model);
}

// ------------------------------------------------------------------------------------------- compare

static json_t *run_named(json_t *runs, const char *name)
{
    size_t k;
    json_t *run;
    json_array_foreach(runs, k, run) if (strcmp(json_string_value(json_object_get(run, "name")), name) ==
                                         0) return run;
    return NULL;
}

// the runs of a comparison by name, as text: which one comes first is what a clock measured, and nothing else
// is
static char *runs_of(const slip_comparison *c, const slip_model *model)
{
    char path[] = "/tmp/slipstick-report-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    slip_report_def def = slip_default_report_def();
    def.model = model;
    def.comparison = c;
    def.page = TEST_PAGE;
    def.reproducible = true;
    assert_int_equal(slip_report_write(path, &def, NULL), SLIP_OK);
    char *page = read_file(path);
    unlink(path);
    json_t *object = object_of(page);
    assert_string_equal(json_string_value(json_object_get(json_object_get(object, "comparison"), "verdict")),
                        slip_comparison_sentence(c));
    json_t *found = json_object_get(object, "runs"), *sorted = json_array();
    for (int row = 0; row < slip_comparison_count(c); row++) {
        json_t *run = run_named(found, slip_comparison_row(c, row)->formulation);
        if (run) json_array_append(sorted, run);
    }
    assert_int_equal(json_array_size(sorted), json_array_size(found));
    int chosen = slip_comparison_chosen(c);
    if (chosen >= 0)
        assert_string_equal(json_string_value(json_object_get(json_array_get(found, 0), "name")),
                            slip_comparison_row(c, chosen)->formulation);
    char *runs = json_dumps(sorted, 0);
    json_decref(sorted);
    json_decref(object);
    free(page);
    return runs;
}

static void test_comparison_is_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    slip_model *model = read_model("flores", "slider-crank-bodies", "", ";");
    char *runs[3];
    int applies = 0;
    for (int k = 0; k < 3; k++) {
        slip_compare_def def = slip_default_compare_def();
        slip_comparison *c = NULL;
        def.until = 0.005;
        def.budget = 1e-9; // what refining finds is none of the runs' business
        def.threads = k == 0 ? 1 : 4;
        def.record = 512;
        assert_int_equal(slip_compare(model, &def, NULL, &c), SLIP_OK);
        applies = 0;
        for (int row = 0; row < slip_comparison_count(c); row++) {
            bool runs_there = slip_comparison_recording(c, row) != NULL;
            assert_int_equal(runs_there, slip_comparison_row(c, row)->applies);
            applies += runs_there;
        }
        runs[k] = runs_of(c, model);
        slip_comparison_destroy(c);
    }
    assert_true(applies >= 5);
    assert_string_equal(runs[0], runs[1]);
    assert_string_equal(runs[0], runs[2]);
    for (int k = 0; k < 3; k++) free(runs[k]);
    slip_model_destroy(model);
}

// ----------------------------------------------------------------------------------- analyze and fit

static void test_maps_curves_and_objects(void **state)
{
    (void)state;
    slip_model *model = read_model("gomez", "painleve-rod", "", ";");
    const slip_domain_axis axis[2] = { { "th", 0.2, 2.9, 7 }, { "th'", -2.0, 2.0, 5 } };
    slip_domain_map *map = NULL;
    assert_int_equal(slip_domain_map_create(model, axis, NULL, &map), SLIP_OK);
    double t[2] = { 0.0, 1.0 }, value[4] = { 1.0, 2.0, 3.0, 4.0 }, residual[4] = { 0.5, 0.25, -0.5, 1.0 };
    slip_fit_data data = { .rows = 2, .columns = 2, .name = { "a", "b" }, .t = t, .value = value };
    slip_fit fit = { .residual = residual, .free_count = 1, .names = { "mu" }, .value = { 0.25 } };
    slip_finding found = { SLIP_TONE_WARN, "mind <this>" };
    slip_report_def def = slip_default_report_def();
    char path[] = "/tmp/slipstick-report-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    def.model = model, def.page = TEST_PAGE, def.map = map;
    def.fit = &fit, def.data = &data;
    def.found = &found, def.found_count = 1;
    assert_int_equal(slip_report_write(path, &def, NULL), SLIP_OK);
    char *page = read_file(path);
    json_t *object = object_of(page), *analysis = json_object_get(object, "analysis");
    assert_non_null(json_object_get(json_object_get(analysis, "borders"), "at"));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(analysis, "domains"), "holds")),
                     slip_domain_map_count(map, SLIP_DOMAIN_HOLDS));
    json_t *drawn = json_object_get(analysis, "map");
    size_t count;
    double *cells = unpack(json_object_get(drawn, "cells"), &count);
    assert_int_equal(count, 35);
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 7; i++) {
            const char *name = json_string_value(
                json_array_get(json_object_get(drawn, "classes"), (size_t)cells[7 * j + i]));
            assert_string_equal(name, slip_domain_name(slip_domain_map_point(map, i, j).domain));
        }
    json_t *curve = json_array_get(json_object_get(json_object_get(object, "fit"), "curves"), 1);
    assert_string_equal(json_string_value(json_object_get(curve, "name")), "b");
    double *measured = unpack(json_object_get(curve, "measured"), &count),
           *fitted = unpack(json_object_get(curve, "model"), &count);
    assert_true(measured[1] == 4.0 && fitted[0] == 1.75 && fitted[1] == 3.0);
    json_t *first = json_array_get(json_object_get(object, "found"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "tone")), "warn");
    assert_string_equal(json_string_value(json_object_get(first, "text")), "mind <this>");
    free(cells), free(measured), free(fitted), free(page);
    unlink(path);
    json_decref(object);
    slip_domain_map_destroy(map);
    slip_model_destroy(model);
}

// whoever has the library has every report: no command line is needed
static void test_analyses_speak_for_themselves(void **state)
{
    (void)state;
    slip_model *model = read_model("gomez", "sliding-block", "", ";");
    slip_analysis *analysis = NULL;
    slip_critical critical;
    slip_critical_def search = slip_default_critical_def();
    search.model = model, search.parameter = "mu", search.high = 3.0;
    assert_int_equal(slip_find_critical(&search, NULL, &critical), SLIP_OK);
    assert_int_equal(slip_analysis_create(model, NULL, NULL, &analysis), SLIP_OK);
    assert_int_equal(slip_analysis_after(analysis, model, 0.0, NULL), SLIP_OK);
    char path[] = "/tmp/slipstick-report-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    slip_report_def def = slip_default_report_def();
    def.model = model, def.page = TEST_PAGE, def.analysis = analysis, def.critical = &critical;
    assert_int_equal(slip_report_write(path, &def, NULL), SLIP_OK);
    char *page = read_file(path);
    json_t *object = object_of(page), *found = json_object_get(object, "found");
    assert_string_equal(json_string_value(json_object_get(object, "kind")), "analyze");
    assert_int_equal(json_array_size(found), 2);
    json_t *limit = json_object_get(json_object_get(json_object_get(object, "analysis"), "critical"), "at");
    assert_near(json_number_value(limit), 5.0 / 3.0, 1e-9);
    assert_non_null(
        strstr(json_string_value(json_object_get(json_array_get(found, 1), "text")), "1.66666666666"));
    // the same members as in the object that stands alone
    char *alone = slip_analysis_json(analysis);
    json_t *own = json_loads(alone, 0, NULL);
    const char *key;
    json_t *value;
    assert_true(json_object_size(own) >= 7);
    json_object_foreach(own, key, value)
        assert_true(json_equal(value, json_object_get(json_object_get(object, "analysis"), key)));
    json_decref(own), json_decref(object);
    free(alone), free(page);
    unlink(path);
    slip_analysis_destroy(analysis);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_runs),
        cmocka_unit_test(test_text_of_a_model_stays_inside),
        cmocka_unit_test(test_same_bytes_again),
        cmocka_unit_test(test_whole_or_not_at_all),
        cmocka_unit_test(test_built_in_page),
        cmocka_unit_test(test_comparison_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(test_maps_curves_and_objects),
        cmocka_unit_test(test_analyses_speak_for_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
