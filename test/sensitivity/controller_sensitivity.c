/// sampled.c: derivatives through controllers, and of modes that know since when they are what they are.
#include "ride.h"

static const char *const formulations[] = { "lcp", "gauss", "moreau", "dai" };
static const double NEAR = 1e-9;
enum { FORMULATIONS = sizeof formulations / sizeof *formulations };

// A sampled controller of m x'' = u, whose output is held for a period h. The state at the samples follows a
// linear recursion, and so do its derivatives: with u = kp (r - x) - kd v,
//     x+ = x + v h + u h^2/2m,   v+ = v + u h/m
static void of_a_controller(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: sampled\nparameters: {kp: 40, kd: 9, r: 0.1, m: 1.3}\n"
                               "coordinates: {x: {start: 0.02, rate: 0.3}}\nmass: {x: m}\n"
                               "controllers:\n  hold: {period: 20 ms, outputs: {u: kp*(r - x) - kd*x'}}\n"
                               "forces: {x: u}\n" RUN("1e-3", "0.4");
    const double h = 0.02, kp = 40, kd = 9, r0 = 0.1, m = 1.3;
    // columns: the state itself, then by kp, r, m and the start of x
    double x[5] = { 0.02, 0, 0, 0, 1 }, v[5] = { 0.3, 0, 0, 0, 0 };
    for (int k = 0; k < 20; k++) {
        double u[5];
        for (int c = 0; c < 5; c++) u[c] = -kp * x[c] - kd * v[c];
        u[0] += kp * r0;
        u[1] += r0 - x[0];
        u[2] += kp;
        u[3] -= u[0] / m; // what a force does goes with 1/m
        for (int c = 0; c < 5; c++) {
            x[c] += v[c] * h + u[c] * h * h / (2 * m);
            v[c] += u[c] * h / m;
        }
    }
    static const char *const names[] = { "kp", "r", "m", "x" };
    for (int f = 0; f < FORMULATIONS; f++) {
        ride r = run(text, "", formulations[f], "kp, r, m, x");
        assert_near(slip_sim_get(r.sim, "x"), x[0], 1e-11);
        for (int c = 1; c < 5; c++) {
            assert_near(slope(&r, "x", names[c - 1]), x[c], NEAR);
            assert_near(slope(&r, "x'", names[c - 1]), v[c], NEAR);
        }
        end(&r);
    }
}

// Outputs that come later, memory, and friction: against quotients of runs
static void of_memory_and_delay(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: pid\nparameters: {r: 0.1, kp: 400, ki: 500, F: 2}\ncoordinates: {x: 0}\n"
        "mass: {x: 1.1}\ncontrollers:\n  pid:\n    period: 20 ms\n    delay: 3 ms\n    jitter: 1 ms\n"
        "    memory: {sum: {start: 0, next: sum + 0.02*(r - x)}}\n"
        "    outputs: {u: kp*(r - x) + ki*sum - 30*x'}\n"
        "forces: {x: u}\nfrictions: {guide: {slip: x, limit: F}}\n"
        "run: {until: 0.5, relative: 1e-11, absolute: 1e-13}\n";
    static const struct {
        const char *name;
        double value;
    } to[] = { { "r", 0.1 }, { "kp", 400 }, { "ki", 500 }, { "F", 2 } };
    ride r = run(text, "", "lcp", "r, kp, ki, F");
    for (int k = 0; k < 4; k++) {
        const double q = quotient_by(text, "lcp", NULL, "x", to[k].name, to[k].value, 1e-5);
        assert_near(slope(&r, "x", to[k].name), q, 1e-6 * fabs(q));
    }
    end(&r);
}

static void of_sample_times(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: times\nparameters: {T: 0.02}\ncoordinates: {x: 1}\nmass: {x: 1}\n"
                   "controllers: {c: {period: T, outputs: {u: -x}}}\nforces: {x: u}\nrun: {until: 1}\n",
                   "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    def.sensitivity = "T";
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
    assert_non_null(strstr(error.text, "when controllers act"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// From where it passes q, at q with a rate of 1, a force grows with the time since then:
// x = T + (T - q)^3/6, and the time since when it does moves with q
static void of_since(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: since\nparameters: {q: 0.4}\nmodes: {push: 0}\ncoordinates: {x: {rate: 1}}\n"
        "mass: {x: 1}\nforces: {x: push*(t - push.since)}\n"
        "when: {go: {condition: x > q, set: {push: 1}}}\n" RUN("1e-3", "1");
    for (int f = 0; f < FORMULATIONS; f++) {
        ride r = run(text, "", formulations[f], "q");
        assert_near(slope(&r, "push.since", "q"), 1.0, 1e-9);
        assert_near(slope(&r, "x", "q"), -0.18, 1e-9);
        assert_near(slope(&r, "x'", "q"), -0.6, 1e-9);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_controller),
        cmocka_unit_test(of_memory_and_delay),
        cmocka_unit_test(of_sample_times),
        cmocka_unit_test(of_since),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
