/// delays.c: values of the past, under every formulation, against closed forms.
#include <complex.h>
#include <math.h>

#include "formulations.h"
#include "resume.h"

// one column at the end of a run
static double end_of(const slip_model *model, const char *formulation, const char *column)
{
    slip_sim *sim = start_sim(model, formulation);
    run_to_end(sim);
    double value = slip_sim_get(sim, column);
    slip_sim_destroy(sim);
    return value;
}

// moreau is a method of second order, the others are of fourth
static double error_of(const char *formulation, double of_moreau, double of_others)
{
    return strcmp(formulation, "moreau") == 0 ? of_moreau : of_others;
}

// x' = -x(t - tau), x = 1 before: the sum of (-(t - (k - 1) tau))^k / k! over all k with t > (k - 1) tau
static double by_steps(double t, double tau)
{
    double sum = 0.0, factorial = 1.0;
    for (int k = 0; t >= (k - 1) * tau; k++) {
        factorial *= k ? k : 1;
        sum += pow(-(t - (k - 1) * tau), k) / factorial;
    }
    return sum;
}

static const char STEPS[] =
    "slipstick: 1\nname: steps\nparameters: {tau: 1}\ncoordinates: {y: 0}\nmass: {y: 1}\n"
    "states: {x: {start: 1, rate: 'past'}}\ndefine: {past: '-delay(x, tau)'}\nrun: {until: 6.3, step: 10 "
    "ms}\n";

static void method_of_steps(void **state)
{
    (void)state;
    const double tau[] = { 1.0, 0.9371 }; // a multiple of the step, and none
    for (int k = 0; k < 2; k++) {
        char sets[40];
        snprintf(sets, sizeof sets, "tau=%.17g", tau[k]);
        slip_model *model = read_model("", STEPS, sets, " ");
        for (int f = 0; f < FORMULATIONS; f++)
            assert_near(end_of(model, formulations[f], "x"), by_steps(6.3, tau[k]),
                        error_of(formulations[f], 2e-5, 2e-8));
        slip_model_destroy(model);
    }
}

// Laplace's transform of the tool, whose poles at +-i w are all that is left after a while
static double complex swing_of_chatter(void)
{
    double zeta = 0.05, wn = 2.0 * acos(-1.0) * 100.0, w = wn * sqrt(1.0 + 2.0 * zeta), x0 = 1e-4;
    double tau = (2.0 * acos(-1.0) - atan(sqrt(1.0 + 2.0 * zeta) / zeta)) / w,
           kappa = 2.0 * zeta * (1.0 + zeta) * wn * wn;
    double complex s = I * w, late = cexp(-s * tau);
    double complex above = (s + 2.0 * zeta * wn) * x0 + kappa * x0 * (1.0 - late) / s;
    return 2.0 * above / (2.0 * s + 2.0 * zeta * wn + kappa * tau * late) * cexp(s * 0.5);
}

static void chatter_at_the_border(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "chatter", "", " ");
    double exact = creal(swing_of_chatter()), size = cabs(swing_of_chatter());
    for (int f = 0; f < FORMULATIONS; f++)
        assert_near(end_of(model, formulations[f], "x"), exact, error_of(formulations[f], 0.05, 1e-3) * size);
    slip_model_destroy(model);
    const char *width[] = { "width=0.9", "width=1.1" };
    double end[2];
    for (int k = 0; k < 2; k++) {
        model = read_model("classics", "chatter", width[k], " ");
        slip_sim *sim = start_sim(model, "lcp");
        run_to_end(sim);
        end[k] = hypot(slip_sim_get(sim, "x"), slip_sim_get(sim, "x'") / 659.0);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    assert_true(end[0] < 0.7 * size && end[1] > 1.4 * size);
}

// x'' = -k x(t - tau) - d x'(t - tau), x = 1 before: polynomials, piece by piece
static double by_pieces(double k, double d, double tau, double until)
{
    enum { DEGREE = 64 };
    double x[DEGREE] = { 1.0 }, v[DEGREE] = { 0.0 }, at = 1.0, rate = 0.0;
    for (double t = 0.0; t < until; t += tau) {
        double length = fmin(tau, until - t), force[DEGREE], power = 1.0, next = 0.0, next_rate = 0.0;
        for (int i = 0; i < DEGREE; i++) force[i] = -k * x[i] - d * v[i];
        for (int i = DEGREE - 1; i > 0; i--) v[i] = force[i - 1] / i;
        v[0] = rate;
        for (int i = DEGREE - 1; i > 0; i--) x[i] = v[i - 1] / i;
        x[0] = at;
        for (int i = 0; i < DEGREE; i++, power *= length) next += x[i] * power, next_rate += v[i] * power;
        at = next, rate = next_rate;
    }
    return at;
}

static void delayed_controller(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: pd\nparameters: {tau: 93.7 ms}\ncoordinates: {x: 1}\nmass: {x: 1}\n"
                   "define: {late(z): 'delay(z, tau)'}\nforces: {x: -40*late(x) - 6*late(x')}\nrun: {until: "
                   "1.9, step: 1 ms}\n",
                   "", " ");
    double exact = by_pieces(40.0, 6.0, 0.0937, 1.9);
    for (int f = 0; f < FORMULATIONS; f++)
        assert_near(end_of(model, formulations[f], "x"), exact, error_of(formulations[f], 1e-5, 1e-6));
    slip_model_destroy(model);
}

// An impact at t1 makes the delayed velocity jump at 1 + t1: x'' = -0.4 x'(t - 1), from x = 0.5 with x' = -1
static void impacts_come_back(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: bounce\ncoordinates: {x: {start: 0.5, rate: -1}}\nmass: {x: 1}\n"
                   "forces: {x: \"-0.4*delay(x', 1 s)\"}\ncontacts: {floor: {gap: x, restitution: 0.5}}\n"
                   "run: {until: 2, step: 0.1 ms}\n",
                   "", " ");
    double c = 0.4, t1 = (1.0 - sqrt(0.6)) / 0.4, up = 0.5 * sqrt(0.6), rest = 1.0 - t1;
    double x = up * rest + 0.5 * c * rest * rest, v = up + c * rest; // at t = 1
    double a = c, b = -c * c;                                        // then x'' = a + b (t - 1)
    x += v * t1 + 0.5 * a * t1 * t1 + b * t1 * t1 * t1 / 6.0;
    v += a * t1 + 0.5 * b * t1 * t1;
    a = -c * up; // and x'' = a + b (t - 1 - t1)
    x += v * rest + 0.5 * a * rest * rest + b * rest * rest * rest / 6.0;
    const char *rigid[] = { "lcp", "gauss", "auto" };
    for (int f = 0; f < 3; f++) assert_near(end_of(model, rigid[f], "x"), x, 1e-9);
    for (int f = 0; f < FORMULATIONS; f++) assert_near(end_of(model, formulations[f], "x"), x, 2e-3);
    slip_model_destroy(model);
}

// Steps of a controller reach the cart 0.3 s later: two delays in a row
static void delays_of_delays(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: push\ncoordinates: {x: 0}\nmass: {x: 1}\n"
                   "controllers: {c: {period: 1, first: 0.25, outputs: {u: 1 - 2*u}}}\n"
                   "forces: {x: 'delay(delay(u, 0.1 s), 0.2 s)'}\nrun: {until: 1.75, step: 1 ms}\n",
                   "", " ");
    double v = 1.0, x = 0.5; // u = 1 from 0.25 on, so x'' = 1 from 0.55 to 1.55, then -1
    x += v * 0.2 - 0.5 * 0.2 * 0.2;
    for (int f = 0; f < FORMULATIONS; f++) assert_near(end_of(model, formulations[f], "x"), x, 1e-9);
    slip_model_destroy(model);
}

static void runs_go_on_to_the_same_bits(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "chatter", "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        def.until = 0.1;
        assert_true(compare(model, &def, "chatter", 0.05));
    }
    slip_model_destroy(model);
}

// Past a stick or a slip the past of a delay begins a new stretch: who takes a run up has to know whether the
// contact stuck, or the stretch begins at the wrong place
static void delays_of_what_sticks_go_on(void **state)
{
    (void)state;
    static const char *const models[] = {
        "slipstick: 1\nname: guide\ncoordinates: {x: 0.1}\nmass: {x: 1}\n"
        "forces: {x: \"-delay(100*x + 12*x', 20 ms)\"}\nfrictions: {guide: {slip: x, limit: 0.1}}\n"
        "run: {until: 0.6}\n",
        "slipstick: 1\nname: ball\ncoordinates: {x: {start: 0.05, rate: 0.3}, y: 0.1}\nmass: {x: 1, y: 1}\n"
        "forces: {x: \"-4*delay(x, 30 ms)\", y: -9.81}\n"
        "contacts: {floor: {gap: y, slip: x, friction: 0.1, restitution: 0.5}}\nrun: {until: 0.6}\n",
    };
    for (int k = 0; k < 2; k++) {
        slip_model *model = read_model("", models[k], "", " ");
        for (int f = 0; f < FORMULATIONS; f++)
            for (int part = 1; part < 8; part++) {
                slip_sim_def def = slip_default_sim_def();
                def.formulation = formulations[f];
                assert_true(compare(model, &def, slip_model_name(model), 0.6 * part / 8.0));
            }
        slip_model_destroy(model);
    }
}

// 50 000 steps in the time of a delay: the past is thinned, not lost
static void long_pasts_are_thinned(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: long\ncoordinates: {x: {start: 0, rate: 1}}\nmass: {x: 1}\n"
                   "forces: {x: -x}\nrecord: {past: 'delay(x, 0.5 s)'}\n"
                   "run: {until: 1, max_step: 10 us, formulation: lcp}\n",
                   "", " ");
    assert_near(end_of(model, "lcp", "past"), sin(0.5), 1e-9);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(method_of_steps),        cmocka_unit_test(chatter_at_the_border),
        cmocka_unit_test(delayed_controller),     cmocka_unit_test(impacts_come_back),
        cmocka_unit_test(delays_of_delays),       cmocka_unit_test(runs_go_on_to_the_same_bits),
        cmocka_unit_test(long_pasts_are_thinned), cmocka_unit_test(delays_of_what_sticks_go_on),
    };
    return cmocka_run_group_tests_name("delays", tests, NULL, NULL);
}
