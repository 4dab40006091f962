/// inputs.c: a network that drives an input of a model.
#include <math.h>

#include "formulations.h"

// A mass on a spring swings with w = 3 rad/s; where it is, is the force on the model, held for 10 ms each
// time
static void a_component_drives_a_model(void **state)
{
    (void)state;
    enum { TIMES = 150 };
    const double h = 0.01, swing[2] = { 0.7, 0.0 };
    double x = 0.2, v = 0.0; // x'' = 0.7 cos(3 k h) from k h to (k + 1) h
    for (int k = 0; k < TIMES; k++) {
        double a = 0.7 * cos(3.0 * k * h);
        x += h * (v + 0.5 * h * a);
        v += h * a;
    }
    slip_model *model = read_model("",
                                   "slipstick: 1\nname: driven\ncoordinates: {x: 0.2}\nmass: {x: 1}\n"
                                   "inputs: {push: 0}\nforces: {x: push}\n"
                                   "run: {step: 3 ms, until: 5}\n", // no part of 10 ms
                                   "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        double mass = 1.0;
        slip_spring_damper spring = { 9.0, 0.0 };
        slip_error error = { 0 };
        slip_net *net = slip_net_create();
        int moves = slip_net_add_admittance(net, slip_net_mass(1), &mass, swing),
            pulls = slip_net_add_impedance(net, slip_net_spring_damper(1), &spring, NULL);
        for (int k = 0; k < 2; k++) slip_net_wire(net, moves, k, pulls, k, 1.0);
        slip_net_wire(net, pulls, 0, moves, 0, -1.0);
        slip_net_def def = slip_default_net_def();
        def.step = h;
        assert_int_equal(slip_net_ready(net, &def, &error), SLIP_OK);
        slip_sim *sim = start_sim(model, formulations[f]);
        for (int k = 0; k < TIMES; k++) {
            assert_int_equal(slip_sim_set_input(sim, "push", slip_net_output(net, moves, 0), &error),
                             SLIP_OK);
            assert_int_equal(slip_sim_step_to(sim, (k + 1) * h), SLIP_RUNNING);
            assert_int_equal(slip_net_step(net), SLIP_RUNNING);
        }
        assert_near(slip_sim_time(sim), TIMES * h, 1e-12);
        assert_near(slip_sim_get(sim, "x"), x, 1e-7); // the swing is by rk4
        assert_near(slip_sim_get(sim, "x'"), v, 1e-7);
        assert_near(slip_sim_get(sim, "push.since"), (TIMES - 1) * h, 1e-12);
        slip_sim_destroy(sim);
        slip_net_destroy(net);
    }
    slip_model_destroy(model);
}

static bool current_rate(void *self, double t, const double *x, const double *force, double *xdot)
{
    (void)self, (void)t;
    xdot[0] = (force[0] - x[0]) / 0.1;
    return true;
}

// i' = (12 - w - i)/0.1 and w' = 4 i - 2 sgn(w), exchanged once in h: w at t = 1
static double speed_of_motor(const slip_model *model, double h, const char *formulation)
{
    const slip_admittance winding = {
        .name = "winding", .states = 1, .forces = 1, .motions = 1, .rate = current_rate
    };
    slip_error error = { 0 };
    slip_net *net = slip_net_create();
    int coil = slip_net_add_admittance(net, &winding, NULL, NULL), supply = slip_net_add_input(net, 12.0),
        back = slip_net_add_input(net, 0.0);
    slip_net_wire(net, supply, 0, coil, 0, 1.0);
    slip_net_wire(net, back, 0, coil, 0, -1.0);
    slip_net_def def = slip_default_net_def();
    def.step = h;
    assert_int_equal(slip_net_ready(net, &def, &error), SLIP_OK);
    slip_sim *sim = start_sim(model, formulation);
    for (long k = 1; k <= lround(1.0 / h); k++) {
        slip_sim_set_input(sim, "torque", 4.0 * slip_net_output(net, coil, 0), &error);
        assert_int_equal(slip_sim_step_to(sim, (double)k * h), SLIP_RUNNING);
        slip_net_set_input(net, back, slip_sim_get(sim, "th'"));
        slip_net_step(net);
    }
    double w = slip_sim_get(sim, "th'");
    slip_sim_destroy(sim);
    slip_net_destroy(net);
    return w;
}

// It sticks until 4 i = 2, i = 12 (1 - exp(-10 t)); from there on i and w are a linear system with the
// eigenvalues -5 +- i sqrt(15) that settles at i = 0.5, w = 11.5
static double exact_speed(void)
{
    double start = -0.1 * log(1.0 - 0.5 / 12.0), t = 1.0 - start, b = sqrt(15.0);
    double w0 = -11.5, rate = 0.0; // w - 11.5 and w' = 4 (i - 0.5) where it starts
    return 11.5 + exp(-5.0 * t) * (w0 * cos(b * t) + (rate + 5.0 * w0) / b * sin(b * t));
}

static void a_motor_and_its_rotor(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: rotor\ncoordinates: {th: 0}\nmass: {th: 1}\n"
                   "inputs: {torque: 0}\nforces: {th: torque}\n"
                   "frictions: {bearing: {slip: th, limit: 2}}\nrun: {until: 5, step: 1 ms}\n",
                   "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        double exact = exact_speed(), coarse = speed_of_motor(model, 4e-3, formulations[f]) - exact,
               fine = speed_of_motor(model, 2e-3, formulations[f]) - exact;
        assert_true(fabs(fine) < 0.02 && fabs(coarse) < 0.04);
        if (f < 3) assert_near(coarse / fine, 2.0, 0.1); // of the first order
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_component_drives_a_model),
        cmocka_unit_test(a_motor_and_its_rotor),
    };
    return cmocka_run_group_tests_name("inputs", tests, NULL, NULL);
}
