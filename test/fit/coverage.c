/// coverage.c: how often intervals of 90 % hold the truth, over synthetic data with noise that remembers and
/// with something that the model leaves out.
#include "fit/noise.h"
#include "models.h"

enum { ROWS = 100, REPEATS = 150 };

static const char swing[] = "slipstick: 1\nname: swing\nparameters: {w: 6, d: 0.5}\n"
                            "coordinates: {x: {start: 1}}\n"
                            "energy: {kinetic: 0.5*x'^2, potential: 0.5*w^2*x^2}\nforces: {x: -2*d*x'}\n"
                            "run: {formulation: lcp, until: 4, relative: 1e-6, absolute: 1e-8}\n";

// x'' + 2 d x' + w^2 x = 0 from rest at 1
static double closed_form(double w, double d, double t)
{
    double r = sqrt(w * w - d * d);
    return exp(-d * t) * (cos(r * t) + d / r * sin(r * t));
}

typedef struct tally {
    int honest, independent; // intervals of both parameters that hold the truth
    int judged;              // intervals that were not void
    double widening;         // mean ratio of their widths
} tally;

static int holds(const slip_fit *fit, int k, double truth)
{
    return fit->low[k] <= truth && truth <= fit->high[k];
}

typedef void noise(unsigned long long *seed, double *e);

static tally repeat(noise *make, int starts)
{
    static const char *const names[] = { "w", "d" };
    static const double truth[] = { 6.0, 0.5 };
    slip_model *model = read_model("", swing, "", ";");
    tally all = { 0 };
    for (int r = 0; r < REPEATS; r++) {
        double t[ROWS], x[ROWS], e[ROWS];
        slip_fit_data data = { .rows = ROWS, .columns = 1, .name = { "x" }, .t = t, .value = x };
        unsigned long long seed = (unsigned long long)(r + 1) * 0x9e3779b97f4a7c15ull;
        make(&seed, e);
        for (int k = 0; k < ROWS; k++)
            t[k] = 0.04 * (k + 1), x[k] = closed_form(6.0, 0.5, t[k]) + 0.01 * e[k];
        slip_fit_def def = slip_default_fit_def();
        def.model = model, def.free = names, def.free_count = 2, def.starts = starts;
        for (int way = 0; way < 2; way++) {
            slip_fit *fit = NULL;
            def.independent = way == 1;
            assert_int_equal(slip_fit_run(&def, &data, NULL, &fit), SLIP_OK);
            for (int k = 0; k < 2; k++) {
                if (fit->lack_of_fit) continue;
                *(way ? &all.independent : &all.honest) += holds(fit, k, truth[k]);
                if (way) continue;
                all.widening += fit->error[k] / fit->error_independent[k];
                all.judged++;
            }
            slip_fit_destroy(fit);
        }
    }
    slip_model_destroy(model);
    all.widening /= all.judged;
    print_message("held %.1f %%, as if independent %.1f %%, %.2f times as wide; %.1f %% void\n",
                  100.0 * all.honest / all.judged, 100.0 * all.independent / all.judged, all.widening,
                  100.0 - 50.0 * all.judged / REPEATS);
    return all;
}

// 90 % of 300 have a standard deviation of 1.7 %, more where both parameters err together
static void assert_share(const tally *all, int held, double low, double high)
{
    double share = (double)held / all->judged;
    assert_true(share >= low && share <= high);
}

static void white(unsigned long long *seed, double *e)
{
    remember(seed, 0.0, e, ROWS);
}

static void independent_noise(void **state)
{
    (void)state;
    tally all = repeat(white, 0);
    assert_share(&all, all.independent, 0.85, 0.95);
    assert_share(&all, all.honest, 0.86, 0.97);
    assert_true(all.widening < 1.3); // what it costs not to know
}

static void filtered(unsigned long long *seed, double *e)
{
    remember(seed, 0.8, e, ROWS);
}

static void noise_that_remembers(void **state)
{
    (void)state;
    tally all = repeat(filtered, 0);
    assert_share(&all, all.independent, 0.4, 0.75);
    assert_share(&all, all.honest, 0.85, 0.99);
}

static void missing(unsigned long long *seed, double *e)
{
    leave_out(seed, 5, e, ROWS);
}

// residuals ten times as large as the noise, and smooth, are not noise
static void something_the_model_leaves_out(void **state)
{
    (void)state;
    tally all = repeat(missing, 1);
    assert_true(all.judged < REPEATS / 2);
}

// noise under something that is left out: neighbours look independent, and are not
static void both(unsigned long long *seed, double *e)
{
    double slow[ROWS];
    leave_out(seed, 5, slow, ROWS);
    remember(seed, 0.0, e, ROWS);
    for (int k = 0; k < ROWS; k++) e[k] = 0.7 * e[k] + slow[k];
}

static void both_at_once(void **state)
{
    (void)state;
    tally all = repeat(both, 1);
    assert_share(&all, all.independent, 0.2, 0.8);
    assert_share(&all, all.honest, 0.8, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_noise),
        cmocka_unit_test(noise_that_remembers),
        cmocka_unit_test(something_the_model_leaves_out),
        cmocka_unit_test(both_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
