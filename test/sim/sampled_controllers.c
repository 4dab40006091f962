/// samples.c: controllers that act at sample times, under every formulation.
#include <math.h>

#include "formulations.h"

static void dead_beat_ends_after_two_samples(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "dead-beat", "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "x"), 1.0, 1e-9);
        assert_near(slip_sim_get(sim, "x'"), 0.0, 1e-9);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

/// x'' = u, u = -a x - b v - c s of the sample, s the sum of x, put out `delay` later; step by step in closed
/// form.
static double closed_form(double T, double delay, double until)
{
    double x = 0.3, v = -0.2, s = 0.0, u = 0.0;
    long count = lround(until / T);
    for (long k = 0; k < count; k++) {
        double next = -8.0 * x - 3.0 * v - 2.0 * s;
        s += T * x;
        const double piece[] = { delay, T - delay }, force[] = { u, next };
        for (int i = 0; i < 2; i++) {
            x += piece[i] * (v + 0.5 * piece[i] * force[i]);
            v += piece[i] * force[i];
        }
        u = next;
    }
    return x;
}

static const char PID[] =
    "slipstick: 1\nname: pid\nparameters: {T: 0.0625, d: 0}\ncoordinates: {x: {start: 0.3, rate: -0.2}}\n"
    "mass: {x: 1}\nforces: {x: u}\ncontrollers:\n  pid:\n    period: T\n    delay: d\n"
    "    memory: {s: {next: s + T*x}}\n    outputs: {u: -8*x - 3*x' - 2*s}\n"
    "run: {step: 1 ms, until: 5}\n";

static void samples_are_held_and_delayed(void **state)
{
    (void)state;
    const double delays[] = { 0.0, 0.01, 0.0421 };
    for (int k = 0; k < 3; k++) {
        char sets[40];
        snprintf(sets, sizeof sets, "d=%.17g", delays[k]);
        slip_model *model = read_model("", PID, sets, " ");
        for (int f = 0; f < FORMULATIONS; f++) {
            slip_sim *sim = start_sim(model, formulations[f]);
            run_to_end(sim);
            assert_near(slip_sim_get(sim, "x"), closed_form(0.0625, delays[k], 5.0), 1e-9);
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

// a period below the step is met all the same
static void steps_are_split_at_samples(void **state)
{
    (void)state;
    slip_model *model = read_model("", PID, "run.step=0.1 T=0.03125", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        if (strcmp(formulations[f], "lcp") != 0 && strcmp(formulations[f], "moreau") != 0) continue;
        slip_sim *sim = start_sim(model, formulations[f]);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "x"), closed_form(0.03125, 0.0, 5.0), 1e-9);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

static double end_of(const char *sets)
{
    slip_model *model = read_model("", PID, sets, " ");
    slip_sim *sim = start_sim(model, "lcp");
    double last = 0.0, low = INFINITY, high = 0.0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        double since = slip_sim_get(sim, "s.since"); // when the last sample was taken
        if (since > last && last > 0.0) low = fmin(low, since - last), high = fmax(high, since - last);
        last = since;
    }
    assert_true(low >= 0.0625 - 0.02 && high <= 0.0625 + 0.02 && high - low > 0.005);
    double x = slip_sim_get(sim, "x");
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return x;
}

static void jitter_is_the_same_in_every_run(void **state)
{
    (void)state;
    double x = end_of("controllers.pid.jitter=0.02");
    assert_near(end_of("controllers.pid.jitter=0.02"), x, 0.0);
    assert_true(fabs(end_of("controllers.pid.jitter=0.02 controllers.pid.seed=7") - x) > 1e-6);
}

static void outputs_must_be_finite(void **state)
{
    (void)state;
    const char *text =
        "slipstick: 1\nname: bad\ncoordinates: {x: {start: 1, rate: -1}}\nmass: {x: 1}\nforces: {x: u}\n"
        "controllers: {c: {period: 0.3, outputs: {u: 1e-12*sqrt(x)}}}\nrun: {step: 1 ms, until: 3}\n";
    slip_model *model = read_model("", text, "", " ");
    slip_sim *sim = start_sim(model, "moreau");
    assert_int_equal(run_to_failure(sim), SLIP_UNSOLVED);
    assert_near(slip_sim_time(sim), 1.2, 1e-9);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_beat_ends_after_two_samples), cmocka_unit_test(samples_are_held_and_delayed),
        cmocka_unit_test(steps_are_split_at_samples),       cmocka_unit_test(jitter_is_the_same_in_every_run),
        cmocka_unit_test(outputs_must_be_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
