/// calibration.c: encoder signals to angles, angles to friction coefficients.
#include "gomez/helper.h"

#include "slipstick/encoder.h"
#include "slipstick/fit.h"

static void an_encoder_by_hand(void **state)
{
    (void)state;
    const unsigned char signal[] = { 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0 };
    const double t[] = { 1, 2, 3, 5, 6, 7, 8, 9 }, angle[] = { -0.5, -1.5, -2.5, -2.5, -1.5, -0.5, 0.5, 0.5 };
    slip_encoder_angle d;
    assert_int_equal(slip_encoder_decode(signal, 10, 1.0, 1.0, NULL, &d), SLIP_OK);
    assert_int_equal(d.count, 8);
    assert_int_equal(d.reversals, 2);
    assert_int_equal(d.missed, 0);
    for (int k = 0; k < 8; k++) {
        assert_near(d.edges[k].t, t[k], 1e-12);
        assert_near(d.edges[k].angle, angle[k], 1e-12);
    }
    slip_encoder_angle_destroy(&d);
}

static const double tick = 2 * 3.14159265358979323846 / 1000;

// theta(t) = -pi/2 + pi/2 exp(-t/1.5) cos(8.9 t) as the encoder shows it
static unsigned char *swing(double rate, long samples)
{
    unsigned char *signal = malloc((size_t)samples * 2);
    assert_non_null(signal);
    for (long k = 0; k < samples; k++) {
        double t = (double)k / rate, pi = 3.14159265358979323846;
        double theta = -pi / 2 + pi / 2 * exp(-t / 1.5) * cos(8.9 * t);
        long state = (long)floor(-theta / tick + 0.5);
        int place = (int)((state % 4 + 4) % 4);
        signal[2 * k] = place == 1 || place == 2;
        signal[2 * k + 1] = place == 2 || place == 3;
    }
    return signal;
}

static void an_encoder_of_a_swing(void **state)
{
    (void)state;
    unsigned char *signal = swing(1e4, 30000);
    slip_encoder_angle d;
    assert_int_equal(slip_encoder_decode(signal, 30000, 1e4, tick, NULL, &d), SLIP_OK);
    assert_int_equal(d.count, 1852);
    assert_int_equal(d.reversals, 8);
    assert_int_equal(d.missed, 0);
    assert_near(d.edges[0].t, 0.0027, 1e-12);
    assert_near(d.edges[0].angle, -tick / 2, 1e-12);
    assert_near(d.edges[3].t, 0.0123, 1e-12);
    assert_near(d.edges[d.count - 1].angle, -1.5676547341413154, 1e-9);
    slip_encoder_angle_destroy(&d);
    free(signal);
    // too slow: what is lost is counted
    signal = swing(500, 1500);
    assert_int_equal(slip_encoder_decode(signal, 1500, 500, tick, NULL, &d), SLIP_OK);
    assert_int_equal(d.missed, 287);
    slip_encoder_angle_destroy(&d);
    free(signal);
}

static slip_fit *calibrate(const char *const *names, int count, const double *start, slip_fit_data *data)
{
    slip_fit_def def = slip_default_fit_def();
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    slip_model *model = load("journal-pendulum", "record={}");
    def.model = model;
    def.free = names, def.free_count = count, def.start = start;
    def.max_iterations = 3;
    slip_status status = slip_fit_run(&def, data, &error, &fit);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    slip_model_destroy(model);
    return fit;
}

// known: (0.115246, 1.296066) with rms 3.17e-4 rad and a correlation of -0.984; truth (0.115, 1.3)
static void friction_of_a_decaying_swing(void **state)
{
    (void)state;
    const char *names[] = { "mu", "b" };
    slip_error error;
    slip_fit_data data;
    assert_int_equal(slip_fit_data_read("test/truth/gomez/calib_brass2.csv", "t,th", &error, &data), SLIP_OK);
    assert_int_equal(data.rows, 438);
    slip_fit *fit = calibrate(names, 2, (const double[]){ 0.12, 1.2 }, &data);
    assert_near(fit->value[0], 0.11524575686418542, 0.001);
    assert_near(fit->value[1], 1.2960655912041967, 0.01 * 1.296);
    assert_near(fit->rms, 0.0003167665459020547, 2e-5);
    assert_true(fit->correlation[0][1] < -0.97 && fit->correlation[0][1] > -0.99);
    // an encoder rounds, so residuals are correlated: as if independent, the truth is out of sight
    const double truth[] = { 0.115, 1.3 };
    for (int k = 0; k < 2; k++) {
        assert_true(fit->low[k] <= truth[k] && truth[k] <= fit->high[k]);
        assert_true(fabs(fit->value[k] - truth[k]) > 5.0 * fit->error_independent[k]);
    }
    assert_true(fit->effective < 20.0);
    slip_fit_destroy(fit);
    // the clock of the listing starts at the first edge; a free shift finds it
    for (int k = 0; k < data.rows; k++) data.t[k] -= 0.009;
    const char *shifted[] = { "mu", "b", "t0" };
    fit = calibrate(shifted, 3, (const double[]){ 0.115, 1.3, 0.005 }, &data);
    assert_near(fit->value[0], 0.11501866906862787, 0.002);
    assert_near(fit->value[1], 1.2996989069788623, 0.03 * 1.3);
    assert_near(fit->value[2], 0.008951759181556102, 5e-5);
    slip_fit_destroy(fit);
    slip_fit_data_destroy(&data);
}

// a straight line has closed forms for everything: x = v t + noise of known shape
static void a_line_has_known_errors(void **state)
{
    (void)state;
    slip_model *model =
        load("slipstick: 1\nname: line\nparameters: {v: 1}\ncoordinates: {x: {start: 0, rate: v}}\n"
             "energy: {kinetic: 0.5*x'^2}\nrun: {formulation: lcp, until: 10}\n",
             "");
    double t[20], x[20], sum_tt = 0, sum_tx = 0, ssr = 0;
    for (int k = 0; k < 20; k++) {
        t[k] = 0.5 * (k + 1), x[k] = 2 * t[k] + 0.1 * sin(7.0 * k);
        sum_tt += t[k] * t[k], sum_tx += t[k] * x[k];
    }
    double v = sum_tx / sum_tt;
    for (int k = 0; k < 20; k++) ssr += (x[k] - v * t[k]) * (x[k] - v * t[k]);
    double error = sqrt(ssr / 19 / sum_tt);
    slip_fit_data data = { .rows = 20, .columns = 1, .t = t, .value = x };
    strcpy(data.name[0], "x");
    const char *names[] = { "v" };
    slip_fit_def def = slip_default_fit_def();
    slip_fit *fit = NULL;
    slip_error problem = { 0 };
    def.model = model, def.free = names, def.free_count = 1, def.profile = true, def.independent = true;
    assert_int_equal(slip_fit_run(&def, &data, &problem, &fit), SLIP_OK);
    slip_model_destroy(model);
    assert_true(fit->converged);
    assert_near(fit->value[0], v, 1e-8);
    assert_near(fit->error[0], error, 1e-6 * error);
    assert_near(fit->high[0] - fit->value[0], 1.729132811521367 * error, 1e-6 * error); // Student, 19
    // the model is linear, so the profile is the same interval
    assert_near(fit->profile_high[0], fit->high[0], 0.01 * error);
    assert_near(fit->profile_low[0], fit->low[0], 0.01 * error);
    assert_near(fit->rms, sqrt(ssr / 20), 1e-9);
    slip_fit_destroy(fit);
}

static slip_fit *fit_empirical(const slip_fit_data *data, int starts, int threads)
{
    static const char *const names[] = { "mu", "b" };
    static const double lower[] = { 0, 0 }, upper[] = { 0.2, 5 };
    slip_fit_def def = slip_default_fit_def();
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    slip_model *model = load("pendulum-empirical", "");
    def.model = model, def.free = names, def.free_count = 2;
    def.lower = lower, def.upper = upper, def.starts = starts, def.threads = threads;
    assert_int_equal(slip_fit_run(&def, data, &error, &fit), SLIP_OK);
    slip_model_destroy(model);
    return fit;
}

static double json_at(const json_t *object, const char *key, size_t k)
{
    return json_number_value(json_array_get(json_object_get(object, key), k));
}

static void assert_json_of(const json_t *object, const slip_fit *fit)
{
    assert_string_equal(json_string_value(json_array_get(json_object_get(object, "free"), 1)), "b");
    for (size_t k = 0; k < 2; k++) {
        assert_near(json_at(object, "value", k), fit->value[k], 0.0);
        assert_near(json_at(object, "error", k), fit->error[k], 0.0);
        assert_true(json_is_null(json_array_get(json_object_get(object, "profile_low"), k)));
    }
    assert_near(number(object, "rms"), fit->rms, 0.0);
}

// the object that `fit --json --against` prints
static void a_fit_as_json(void **state)
{
    (void)state;
    slip_error error;
    slip_fit_data data;
    assert_int_equal(slip_fit_data_read("test/truth/gomez/calib_brass2.csv", "t,th", &error, &data), SLIP_OK);
    slip_fit *one = fit_empirical(&data, 1, 1), *two = fit_empirical(&data, 2, 1);
    char *text = slip_fit_json(one, two);
    json_t *object = json_loads(text, 0, NULL);
    assert_non_null(object);
    assert_json_of(object, one);
    assert_json_of(json_object_get(object, "against"), two);
    assert_near(number(object, "aic_difference"), two->aic - one->aic, 0.0);
    json_decref(object);
    free(text);
    assert_int_equal(slip_fit_write_csv(one, &data, "fit-residuals.csv", &error), SLIP_OK);
    slip_fit_data back;
    assert_int_equal(slip_fit_data_read("fit-residuals.csv", NULL, &error, &back), SLIP_OK);
    assert_memory_equal(back.value, one->residual, (size_t)back.rows * sizeof *back.value);
    remove("fit-residuals.csv");
    slip_fit_data_destroy(&back), slip_fit_data_destroy(&data);
    slip_fit_destroy(one), slip_fit_destroy(two);
}

// friction as a torque of its own is the worse law for this bearing; and threads do not change a bit
static void many_starts_give_one_answer(void **state)
{
    (void)state;
    slip_error error;
    slip_fit_data data;
    assert_int_equal(slip_fit_data_read("test/truth/gomez/calib_brass2.csv", "t,th", &error, &data), SLIP_OK);
    slip_fit *one = fit_empirical(&data, 4, 1), *three = fit_empirical(&data, 4, 3);
    assert_int_equal(one->starts, 4);
    assert_memory_equal(one->value, three->value, sizeof one->value);
    assert_memory_equal(one->error, three->error, sizeof one->error);
    assert_true(one->rms == three->rms && one->runs == three->runs && one->agreed == three->agreed);
    const char *names[] = { "mu", "b" };
    slip_fit *bearing = calibrate(names, 2, (const double[]){ 0.115, 1.3 }, &data);
    assert_true(bearing->aic < one->aic - 100 && bearing->bic < one->bic - 100);
    slip_fit_destroy(bearing);
    slip_fit_destroy(one);
    slip_fit_destroy(three);
    slip_fit_data_destroy(&data);
}

static slip_fit *fit_line(const char *text, const char *const *names, int count, const double *upper)
{
    slip_model *model = load(text, "");
    double t[20], x[20], lower[] = { -10, -10 };
    for (int k = 0; k < 20; k++) t[k] = 0.5 * (k + 1), x[k] = 2 * t[k] + 0.1 * sin(7.0 * k);
    slip_fit_data data = { .rows = 20, .columns = 1, .t = t, .value = x };
    strcpy(data.name[0], "x");
    slip_fit_def def = slip_default_fit_def();
    slip_fit *fit = NULL;
    slip_error problem = { 0 };
    def.model = model, def.free = names, def.free_count = count;
    def.lower = upper ? lower : NULL, def.upper = upper;
    assert_int_equal(slip_fit_run(&def, &data, &problem, &fit), SLIP_OK);
    slip_model_destroy(model);
    assert_int_equal(slip_fit_write_svg(fit, &data, "fit-line.svg", &problem), SLIP_OK);
    remove("fit-line.svg");
    assert_int_equal(slip_fit_write_svg(fit, &data, "no such directory/a.svg", &problem), SLIP_IO);
    return fit;
}

static void what_the_data_do_not_say(void **state)
{
    (void)state;
    const char line[] = "slipstick: 1\nname: line\nparameters: {v: 1, k: 3, w: 0.5}\n"
                        "coordinates: {x: {start: 0, rate: v + w}, y: {start: k}}\n"
                        "energy: {kinetic: 0.5*x'^2 + 0.5*y'^2}\nrun: {formulation: lcp, until: 10}\n";
    const char *unseen[] = { "v", "k" }, *twins[] = { "v", "w" };
    slip_fit *fit = fit_line(line, unseen, 2, NULL);
    assert_true(fit->unseen[1] && !fit->unseen[0]);
    assert_true(isinf(fit->error[1]) && isnan(fit->correlation[0][1]));
    slip_fit_destroy(fit);
    fit = fit_line(line, twins, 2, NULL); // one can stand in for the other
    assert_true(!(fit->condition < 1e4) && !fit->unseen[0] && !fit->unseen[1]);
    slip_fit_destroy(fit);
    fit = fit_line(line, twins, 1, (const double[]){ 1.25 });
    assert_true(fit->at_bound[0] && fit->converged);
    assert_near(fit->value[0], 1.25, 0);
    slip_fit_destroy(fit);
}

static void what_a_fit_refuses(void **state)
{
    (void)state;
    double t[3] = { 1, 2, 3 }, x[3] = { 0 };
    slip_fit_data data = { .rows = 3, .columns = 1, .t = t, .value = x };
    strcpy(data.name[0], "th");
    slip_fit_def def = slip_default_fit_def();
    slip_fit *fit = NULL;
    slip_error error = { 0 };
    const char *wrong[] = { "nu" }, *right[] = { "mu" };
    def.free = wrong, def.free_count = 1;
    assert_int_equal(slip_fit_run(&def, &data, &error, &fit), SLIP_BAD_ARGUMENT);
    slip_model *model = load("pendulum-empirical", "");
    def.model = model;
    assert_int_equal(slip_fit_run(&def, &data, &error, &fit), SLIP_UNKNOWN_NAME);
    def.free = right;
    strcpy(data.name[0], "phi");
    assert_int_equal(slip_fit_run(&def, &data, &error, &fit), SLIP_UNKNOWN_NAME);
    slip_model_destroy(model);
    assert_int_equal(slip_fit_data_read("no such file", NULL, &error, &data), SLIP_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_encoder_by_hand),
        cmocka_unit_test(an_encoder_of_a_swing),
        cmocka_unit_test(friction_of_a_decaying_swing),
        cmocka_unit_test(a_line_has_known_errors),
        cmocka_unit_test(a_fit_as_json),
        cmocka_unit_test(many_starts_give_one_answer),
        cmocka_unit_test(what_the_data_do_not_say),
        cmocka_unit_test(what_a_fit_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
