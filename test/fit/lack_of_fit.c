/// lack_of_fit.c: a fit finds the best of many minima, says when what it leaves is not noise, and which
/// combination of parameters the data determine.
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "fit/noise.h"
#include "models.h"

enum { ROWS = 400 };

// x'' + 2 d x' + k/m x = 0 from rest at 1
static const char swing[] = "slipstick: 1\nname: swing\nparameters: {k: 20, m: 1, d: 0.02, F: 0}\n"
                            "coordinates: {x: {start: 1}}\n"
                            "energy: {kinetic: 0.5*m*x'^2, potential: 0.5*k*x^2}\nforces: {x: -2*d*m*x'}\n"
                            "run: {formulation: lcp, until: 20, relative: 1e-7, absolute: 1e-9}\n";

static double closed_form(double k, double d, double t)
{
    double r = sqrt(k - d * d);
    return exp(-d * t) * (cos(r * t) + d / r * sin(r * t));
}

/// Data over 20 s, which are 20 swings, with noise of 0.01.
typedef struct record {
    double t[ROWS], x[ROWS];
    slip_fit_data data;
} record;

static void make_record(record *a, double k, double d, double noise)
{
    unsigned long long seed = 11;
    a->data = (slip_fit_data){ .rows = ROWS, .columns = 1, .name = { "x" }, .t = a->t, .value = a->x };
    for (int i = 0; i < ROWS; i++) {
        a->t[i] = 0.05 * (i + 1);
        a->x[i] = closed_form(k, d, a->t[i]) + noise * gaussian(&seed);
    }
}

static slip_fit *fit_record(const record *a, const char *const *names, int count, const char *change,
                            slip_fit_def def)
{
    slip_model *model = read_model("", swing, change, ";");
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    def.model = model, def.free = names, def.free_count = count;
    if (slip_fit_run(&def, &a->data, &error, &fit) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    slip_model_destroy(model);
    return fit;
}

// over 20 swings a frequency that is 3 % off is half a swing off at the end: there is a minimum about every 5 %
static void the_best_of_many_minima(void **state)
{
    (void)state;
    static const char *const names[] = { "k", "d" }, *const starts[] = { "k=20", "k=30", "k=55", "k=70" };
    record a;
    make_record(&a, 39.0, 0.05, 0.01);
    for (int s = 0; s < 4; s++) {
        slip_fit *fit = fit_record(&a, names, 2, starts[s], slip_default_fit_def());
        assert_true(fit->converged && !fit->lack_of_fit);
        assert_near(fit->value[0], 39.0, 0.05);
        assert_near(fit->value[1], 0.05, 0.002);
        assert_near(fit->rms, 0.01, 0.001);
        assert_near(fit->noise, 0.01, 0.0015);
        slip_fit_destroy(fit);
    }
}

// a model without damping cannot follow a swing that decays, whatever its stiffness
static void what_is_left_is_not_noise(void **state)
{
    (void)state;
    static const char *const names[] = { "k" };
    record a;
    slip_fit_def def = slip_default_fit_def();
    make_record(&a, 39.0, 0.05, 0.01);
    for (int profile = 0; profile < 2; profile++) {
        def.profile = profile;
        slip_fit *fit = fit_record(&a, names, 1, "k=40;d=0", def);
        assert_true(fit->lack_of_fit);
        assert_near(fit->noise, 0.01, 0.0015);
        assert_true(fit->residual_rms > 0.1 && fit->residual_runs < -5.0);
        assert_near(fit->residual_frequency, sqrt(39.0) / 6.283185307179586, 0.1);
        assert_true(isinf(fit->low[0]) && isinf(fit->high[0]) && isnan(fit->profile_low[0]));
        slip_fit_destroy(fit);
    }
}

// only k/m and d act; F does nothing
static void the_combination_that_is_determined(void **state)
{
    (void)state;
    static const char *const names[] = { "m", "k", "d" }, *const beside[] = { "d", "F" };
    record a;
    make_record(&a, 39.0, 0.05, 0.01);
    slip_fit *fit = fit_record(&a, names, 3, "k=55;m=1.3", slip_default_fit_def());
    assert_true(fit->undetermined[0] && fit->undetermined[1] && !fit->undetermined[2]);
    assert_true(isinf(fit->low[0]) && isinf(fit->high[1]) && isnan(fit->correlation[0][2]));
    assert_near(fit->value[2], 0.05, 0.002);
    assert_true(fit->low[2] < 0.0505 && fit->high[2] > 0.0495 && fit->high[2] - fit->low[2] < 0.005);
    assert_int_equal(fit->combination_count, 1);
    const slip_fit_combination *c = &fit->combination[0];
    assert_string_equal(c->formula, "k/m");
    assert_near(c->value, 39.0, 0.05);
    assert_true(c->low < 39.02 && c->high > 38.98 && c->high - c->low < 0.1);
    slip_fit_destroy(fit);
    fit = fit_record(&a, beside, 2, "k=39", slip_default_fit_def());
    assert_true(fit->unseen[1] && fit->undetermined[1] && isinf(fit->high[1]));
    assert_true(fit->low[0] < 0.0505 && fit->high[0] > 0.0495); // that is no reason to know nothing of d
    assert_int_equal(fit->combination_count, 0);
    slip_fit_destroy(fit);
}

static volatile sig_atomic_t stop;

static bool stop_at_third(void *context, int iteration, double rms)
{
    double *seen = context;
    *seen = rms;
    if (iteration == 3) stop = 1;
    return true;
}

// a search that is interrupted keeps the point that it has reached
static void what_is_interrupted_is_kept(void **state)
{
    (void)state;
    static const char *const names[] = { "k", "d" };
    record a;
    double seen = 0.0;
    slip_fit_def def = slip_default_fit_def();
    make_record(&a, 39.0, 0.05, 0.01);
    stop = 0;
    def.stop = &stop, def.progress = stop_at_third, def.context = &seen, def.starts = 1;
    slip_fit *fit = fit_record(&a, names, 2, "k=38", def);
    assert_false(fit->converged);
    assert_true(fit->rms <= seen * (1.0 + 1e-9) && fit->value[0] != 38.0);
    slip_fit_destroy(fit);
}

// intervals by profile hold the truth as often as the others do
static void profiles_cover_as_well(void **state)
{
    (void)state;
    static const char *const names[] = { "k", "d" };
    enum { REPEATS = 40 };
    const double truth[] = { 39.0, 0.05 };
    int plain = 0, profile = 0;
    for (int r = 0; r < REPEATS; r++) {
        record a;
        unsigned long long seed = (unsigned long long)(r + 1) * 0x9e3779b97f4a7c15ull;
        slip_fit_def def = slip_default_fit_def();
        make_record(&a, 39.0, 0.05, 0.0);
        a.data.rows = 60;
        for (int i = 0; i < a.data.rows; i++) a.x[i] += 0.02 * gaussian(&seed);
        def.profile = true;
        slip_fit *fit = fit_record(&a, names, 2, "k=38", def);
        for (int k = 0; k < 2; k++) {
            plain += fit->low[k] <= truth[k] && truth[k] <= fit->high[k];
            profile += fit->profile_low[k] <= truth[k] && truth[k] <= fit->profile_high[k];
        }
        slip_fit_destroy(fit);
    }
    print_message("plain %d, profile %d of %d\n", plain, profile, 2 * REPEATS);
    assert_true(plain >= 64 && abs(plain - profile) <= 4); // 72 expected, standard deviation 2.7
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_of_many_minima),
        cmocka_unit_test(what_is_left_is_not_noise),
        cmocka_unit_test(the_combination_that_is_determined),
        cmocka_unit_test(what_is_interrupted_is_kept),
        cmocka_unit_test(profiles_cover_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
