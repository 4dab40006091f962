/// turning_points.c: extremes of the rows of a run, between its steps, against closed forms.
#include <math.h>

#include "models.h"

static const char *const event_driven[] = { "lcp", "gauss", "auto" };
enum { MAX_TEST_COLUMNS = 8 };

/// The extremes of each column over the rows of a run.
typedef struct extremes {
    int columns;
    double low[MAX_TEST_COLUMNS], high[MAX_TEST_COLUMNS], last;
    bool ordered; // times of rows increase
} extremes;

static bool take_row(void *context, const slip_sim *sim, const double *row)
{
    extremes *x = context;
    x->columns = slip_sim_column_count(sim);
    x->ordered = x->ordered && row[0] > x->last;
    x->last = row[0];
    for (int k = 0; k < x->columns && k < MAX_TEST_COLUMNS; k++)
        x->low[k] = fmin(x->low[k], row[k]), x->high[k] = fmax(x->high[k], row[k]);
    return true;
}

static extremes run_rows(const char *text, const char *formulation)
{
    extremes x = { .last = -1.0, .ordered = true };
    for (int k = 0; k < MAX_TEST_COLUMNS; k++) x.low[k] = INFINITY, x.high[k] = -INFINITY;
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_sim *sim = make_sim(model, &def);
    slip_run_def run = slip_default_run_def();
    run.row = take_row, run.context = &x;
    slip_run_info info;
    slip_error error = { 0 };
    assert_int_equal(slip_run(sim, &run, &info, &error), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_DONE);
    assert_true(x.ordered);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return x;
}

// thrown up with v, it rises to v^2/(2 g), meets the floor with -v and leaves it with e v; y y' is greatest where
// y = 2/3 of the top
static void tops_of_throws(void **state)
{
    (void)state;
    for (int k = 0; k < 24; k++) {
        const double v = 0.7 + 0.31 * k, g = 3.0 + 0.9 * k, e = 0.04 * k, top = v * v / (2.0 * g);
        char text[600];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: test\ncoordinates: {y: {rate: %.17g}}\n"
                 "energy: {kinetic: 0.5*y'^2, potential: %.17g*y}\n"
                 "contacts: {floor: {gap: y, restitution: %.17g}}\nrecord: {p: y*y'}\nrun: {until: %.17g}\n",
                 v, g, e, 30.0 * v / g);
        const extremes x = run_rows(text, event_driven[k % 3]);
        assert_near(x.high[1], top, 1e-9 * top);
        assert_near(x.low[2], -v, 1e-9 * v);
        assert_near(x.high[3], 2.0 / 3.0 * top * v / sqrt(3.0), 1e-4 * top * v);
        assert_near(x.low[3], -2.0 / 3.0 * top * v / sqrt(3.0), 1e-4 * top * v);
    }
}

// a swing of amplitude 1; its energies go to 0 and back
static void ends_of_a_swing(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        const double w = 0.4 + 0.83 * k;
        char text[600];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: test\nparameters: {w: %.17g}\ncoordinates: {x: {rate: w}}\n"
                 "energy: {kinetic: 0.5*x'^2, potential: 0.5*w^2*x^2}\nrecord: {kinetic: 0.5*x'^2}\n"
                 "run: {until: %.17g, relative: 1e-9, absolute: 1e-11}\n",
                 w, 30.0 / w);
        const extremes x = run_rows(text, event_driven[k % 3]);
        assert_near(x.high[1], 1.0, 1e-6);
        assert_near(x.low[1], -1.0, 1e-6);
        assert_near(x.low[2], -w, 1e-6 * w);
        assert_near(x.low[3], 0.0, 1e-6 * w * w);
    }
}

// what a sweep keeps is what the rows show
static void sweeps_keep_them(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: test\nparameters: {v: 3}\ncoordinates: {y: {rate: v}}\n"
                               "energy: {kinetic: 0.5*y'^2, potential: 9.81*y}\n"
                               "contacts: {floor: {gap: y, restitution: 0.5}}\nrun: {until: 20}\n";
    slip_model *model = read_model("", text, "", ";");
    for (int f = 0; f < 3; f++) {
        slip_sweep_def def = slip_default_sweep_def();
        const char *const keys[] = { "parameters.v" };
        const double values[] = { 1.0, 2.5, 4.0 };
        def.model = model;
        def.sim.formulation = event_driven[f];
        def.table_keys = keys, def.table_columns = 1, def.table = values, def.table_rows = 3;
        def.outputs = SLIP_OUTPUT_EXTREMES;
        slip_sweep *sweep = NULL;
        slip_error error = { 0 };
        assert_int_equal(slip_sweep_run(&def, &error, &sweep), SLIP_OK);
        for (int run = 0; run < 3; run++) {
            const double *kept = slip_sweep_result_of(sweep, run).values, v = values[run];
            assert_near(kept[1], v * v / (2.0 * 9.81), 1e-9); // min(y), max(y), min(y'), max(y')
            assert_near(kept[2], -v, 1e-9);
            assert_near(kept[3], v, 1e-9);
        }
        slip_sweep_destroy(sweep);
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(tops_of_throws), cmocka_unit_test(ends_of_a_swing),
                                        cmocka_unit_test(sweeps_keep_them) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
