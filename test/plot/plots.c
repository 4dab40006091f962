/// plots.c: tables that a run wrote, and what is drawn of them, against what must be there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scratch.h"
#include "slipstick/plot.h"
#include "test.h"
#include "output/plot/plot.h"

static slip_status read_text(const char *text, slip_error *error, slip_run_table **table)
{
    const char *path = scratch_path(".csv");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    slip_status status = slip_run_table_read(path, error, table);
    remove(path);
    return status;
}

static void a_table_is_read_with_its_gaps(void **state)
{
    (void)state;
    slip_run_table *t = NULL;
    slip_error error = { 0 };
    assert_int_equal(read_text("t,x,\"a, b\"\n0,1,nan\n0.5,-2e3,inf\n1,3,4\n2,5", &error, &t), SLIP_OK);
    assert_int_equal(slip_run_table_column_count(t), 3);
    assert_string_equal(slip_run_table_column_name(t, 2), "a, b");
    assert_int_equal(slip_run_table_row_count(t), 3); // the last line does not end
    assert_near(slip_run_table_column(t, 1)[1], -2000.0, 0.0);
    assert_true(isnan(slip_run_table_column(t, 2)[0]) && isinf(slip_run_table_column(t, 2)[1]));
    assert_null(slip_run_table_column_name(t, 3));
    slip_run_table_destroy(t);
}

static void mistakes_have_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {
        { "", "no header" },
        { "t,x\n", "no rows" },
        { "time,x\n0,1\n", "expected t" },
        { "t,x\n0,1\n1,y\n", "line 3: column 2 (x)" },
        { "t,x\n0,1\n1\n", "line 3: column 1 (t)" },
        { "t,x\n0,1,2\n", "line 2: column 2 (x)" },
        { "t,x\n1,1\n0,1\n", "line 3: the time goes back" },
        { "t,x\nnan,1\nnan,1\n", "line 2: the time is not finite" },
        { "t,x\n0,1\ninf,1\n", "line 3: the time is not finite" },
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        slip_run_table *t = NULL;
        slip_error error = { 0 };
        assert_int_not_equal(read_text(wrong[k].text, &error, &t), SLIP_OK);
        if (!strstr(error.text, wrong[k].words)) fail_msg("'%s', expected '%s'", error.text, wrong[k].words);
        assert_null(t);
    }
    slip_error error = { 0 };
    slip_run_table *t = NULL;
    assert_int_equal(slip_run_table_read("/nowhere/at/all", &error, &t), SLIP_IO);
    assert_string_equal(error.where, "/nowhere/at/all");
}

static void ticks_are_round_and_within(void **state)
{
    (void)state;
    slip_ticks ticks = slip_ticks_of(-0.13, 1.02, 5);
    assert_int_equal(ticks.count, 3); // 0, 0.5, 1
    assert_near(ticks.at[1], 0.5, 1e-15);
    char text[32];
    slip_tick_text(&ticks, ticks.at[0], text, sizeof text);
    assert_string_equal(text, "0.0");
    ticks = slip_ticks_of(0.0, 3e-6, 3);
    assert_int_equal(ticks.exponent, -6);
    slip_tick_text(&ticks, ticks.at[ticks.count - 1], text, sizeof text);
    assert_string_equal(text, "3");
    assert_int_equal(slip_ticks_of(1.0, 1.0, 5).count, 0);
    assert_int_equal(slip_ticks_of(0.0, 1e-320, 5).count, 0);
    for (int k = 1; k < 400; k++) { // a few of them, whatever the range
        double span = pow(10.0, 0.05 * (k - 200));
        ticks = slip_ticks_of(-0.3 * span, 0.7 * span, 5);
        assert_in_range(ticks.count, 2, 11);
        for (int i = 0; i < ticks.count; i++)
            assert_true(ticks.at[i] >= -0.3 * span * (1 + 1e-6) && ticks.at[i] <= 0.7 * span * (1 + 1e-6));
    }
}

static slip_run_table *ramp(void)
{
    slip_run_table *t = NULL;
    slip_error error = { 0 };
    char text[4000] = "t,x,x',load\n";
    for (int k = 0; k <= 80; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%g,%g,1,%g\n", k / 80.0, k / 80.0, 1e6);
    assert_int_equal(read_text(text, &error, &t), SLIP_OK);
    return t;
}

// a line from the lower left to the upper right corner leaves its dots there and nowhere else
static void a_rising_line_rises(void **state)
{
    (void)state;
    slip_run_table *t = ramp();
    slip_plot_def def = slip_default_plot_def();
    slip_error error = { 0 };
    def.columns = (const char *[]){ "x" }, def.column_count = 1;
    char *text = slip_plot_text(t, &def, 52, 16, false, &error);
    assert_non_null(text);
    int first_row = -1, last_row = -1, row = 0;
    size_t before = 1000;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), row++) {
        char *dots = strpbrk(line, "\xE2"); // the axis
        char *braille = dots ? strstr(dots + 3, "\xE2\xA0") : NULL;
        if (dots && !braille) braille = strstr(dots + 3, "\xE2\xA1");
        if (!braille || strstr(line, "\xE2\x94\x94")) continue;
        size_t column = (size_t)(braille - dots);
        assert_true(column <= before); // lower rows begin further to the left
        before = column;
        if (first_row < 0) first_row = row;
        last_row = row;
    }
    assert_true(last_row - first_row >= 7);
    free(text);
    slip_run_table_destroy(t);
}

static void what_is_not_there_is_named(void **state)
{
    (void)state;
    slip_run_table *t = ramp();
    slip_plot_def def = slip_default_plot_def();
    slip_error error = { 0 };
    def.columns = (const char *[]){ "y" }, def.column_count = 1;
    assert_null(slip_plot_text(t, &def, 80, 24, false, &error));
    assert_int_equal(error.status, SLIP_UNKNOWN_NAME);
    assert_non_null(strstr(error.text, "there are t, x, x', load"));
    def.column_count = 0;
    def.from = 2.0, def.to = 3.0;
    assert_int_equal(slip_plot_write(scratch_path(".svg"), t, &def, &error), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_plot_write(scratch_path(".jpg"), t, NULL, &error), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_plot_write("/nowhere/at/all.svg", t, NULL, &error), SLIP_IO);
    slip_run_table_destroy(t);
}

// as small as a picture of two panels can be, and a point less
static void pictures_have_room_for_their_panels(void **state)
{
    (void)state;
    slip_run_table *t = ramp();
    slip_plot_def def = slip_default_plot_def();
    slip_error error = { 0 };
    for (int k = 0; k < 3; k++) {
        def.width = k == 1 ? 159 : 160, def.height = k == 2 ? 185 : 186;
        slip_status status = slip_plot_write(scratch_path(".svg"), t, &def, &error);
        assert_int_equal(status, k ? SLIP_BAD_ARGUMENT : SLIP_OK);
        assert_int_equal(remove(scratch_path(".svg")), k ? -1 : 0);
    }
    assert_non_null(strstr(error.text, "160 x 186"));
    slip_run_table_destroy(t);
}

static void panels_follow_units_and_columns(void **state)
{
    (void)state;
    slip_run_table *t = ramp();
    slip_plot plot;
    slip_plot_def def = slip_default_plot_def();
    assert_int_equal(slip_plot_layout(&plot, t, &def, NULL), SLIP_OK);
    assert_int_equal(plot.panel_count, 2); // x and load, not the rate
    assert_string_equal(t->name[plot.panels[1].column[0]], "load");
    assert_true(plot.panels[1].low < 1e6 && plot.panels[1].high > 1e6); // room around what does not move
    t->unit[1] = t->unit[3] = "m";
    assert_int_equal(slip_plot_layout(&plot, t, &def, NULL), SLIP_OK);
    assert_int_equal(plot.panel_count, 1);
    def.from = 0.25, def.to = 0.5;
    assert_int_equal(slip_plot_layout(&plot, t, &def, NULL), SLIP_OK);
    assert_int_equal(plot.first, 20);
    assert_int_equal(plot.end, 41);
    slip_run_table_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_read_with_its_gaps),
        cmocka_unit_test(mistakes_have_their_line),
        cmocka_unit_test(ticks_are_round_and_within),
        cmocka_unit_test(a_rising_line_rises),
        cmocka_unit_test(what_is_not_there_is_named),
        cmocka_unit_test(panels_follow_units_and_columns),
        cmocka_unit_test(pictures_have_room_for_their_panels),
    };
    return cmocka_run_group_tests_name("plots", tests, NULL, NULL);
}
