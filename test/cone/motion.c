/// motion.c: contacts that slip in two directions under lcp and gauss: closed forms, invariants, agreement.
#include "cone/helper.h"

// v0 along any direction: slip ends after 2 v0/(7 mu g), and the sphere rolls on with 5/7 of its speed
static void a_sliding_sphere_ends_in_rolling(void **state)
{
    (void)state;
    for (int k = 0; k < 14; k++) {
        char sets[64];
        double phi = 0.45 * k, v0 = 7.0, mu = 0.1, g = 9.8;
        snprintf(sets, sizeof sets, "phi=%.17g", phi);
        slip_model *model = read_model("", SPHERE("mu"), sets, ";");
        slip_sim *sim = simulate(model, both[k % 2], 0, 0, 3);
        times seen = run_for(sim, SLIP_EVENT_STICK);
        assert_int_equal(seen.count, 1);
        double t = 2.0 * v0 / (7.0 * mu * g);
        assert_near(seen.t[0], t, 1e-12);
        assert_near(slip_sim_get(sim, "x'"), 5.0 / 7.0 * v0 * cos(phi), 1e-13 * v0);
        assert_near(slip_sim_get(sim, "y'"), 5.0 / 7.0 * v0 * sin(phi), 1e-13 * v0);
        assert_near(slip_sim_get(sim, "thz'"), 3.0, 0);
        double way = v0 * t - 0.5 * mu * g * t * t + 5.0 / 7.0 * v0 * (3.0 - t);
        assert_near(slip_sim_get(sim, "x"), way * cos(phi), 1e-11);
        assert_near(slip_sim_energy(sim).numerical, 0, 1e-11);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static void the_sphere_of_xiong(void **state)
{
    (void)state;
    slip_model *model = read_model("xiong", "rolling-sphere-mechanics", "", ";");
    const double known[] = { 0.3194, 0.8472, 1.2830, 1.6431 };
    double x[2];
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, both[f], 0, 1e-10, 0);
        times seen = run_for(sim, SLIP_EVENT_IMPACT);
        assert_true(seen.count > 20);
        for (int k = 0; k < 4; k++) assert_near(seen.t[k], known[k], 6e-5);
        // z falls by R from rest; each flight lasts e times the one before
        double t = sqrt(2.0 * 0.5 / 9.8), flight = 2.0 * t;
        for (int k = 0; k < 12; k++) {
            assert_near(seen.t[k], t, 1e-11);
            flight *= 0.826, t += flight;
        }
        assert_near(slip_sim_get(sim, "x'"), 5.5 * 5.0 / 7.0, 1e-12);
        assert_near(slip_sim_get(sim, "x'") + 0.4 * 0.5 * slip_sim_get(sim, "thy'"), 5.5, 1e-12);
        x[f] = slip_sim_get(sim, "x");
        slip_sim_destroy(sim);
    }
    assert_near(x[0], x[1], 1e-12);
    slip_sim *steps = simulate(model, "moreau", 1e-4, 0, 0);
    run_to_end(steps);
    assert_near(slip_sim_get(steps, "x"), x[0], 2e-3);
    assert_near(slip_sim_get(steps, "x'"), 5.5 * 5.0 / 7.0, 1e-9);
    slip_sim_destroy(steps);
    slip_model_destroy(model);
}

// whatever the floor does, the weight is carried in the mean: slip ends when it would without the fall
static void the_sphere_of_kikuuwe(void **state)
{
    (void)state;
    slip_model *model = read_model("kikuuwe", "sphere", "", ";");
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, both[f], 0, 1e-9, 0);
        times seen = run_for(sim, SLIP_EVENT_STICK);
        assert_int_equal(seen.count, 1);
        assert_near(seen.t[0], 2.0 * 2.0 / (7.0 * 0.1 * 9.8), 1e-12);
        assert_near(slip_sim_get(sim, "px'"), 10.0 / 7.0, 1e-12);
        assert_near(slip_sim_get(sim, "thy'"), 50.0 / 7.0, 1e-11);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// v (k + cos phi) falls by a (k^2 - 1) per second and v sin(phi)/tan(phi/2)^k is constant
static void a_block_across_an_incline(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "block-across-incline", "", ";");
    const double a = 9.81 * sin(0.3), k = 0.5 / tan(0.3), v0 = 1.5, phi0 = 1.2;
    const double first = v0 * (k + cos(phi0)), second = v0 * sin(phi0) / pow(tan(0.5 * phi0), k);
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, both[f], 0, 1e-11, 0);
        times seen = { .kind = SLIP_EVENT_STICK };
        slip_sim_on_event(sim, note_time, &seen);
        while (slip_sim_step(sim) == SLIP_RUNNING) {
            double vx = slip_sim_get(sim, "x'"), vy = slip_sim_get(sim, "y'"), v = sqrt(vx * vx + vy * vy),
                   phi = atan2(vy, vx), t = slip_sim_time(sim);
            double T = slip_sim_get(sim, "friction_x"), Ty = slip_sim_get(sim, "friction_y");
            double limit = 0.5 * slip_sim_get(sim, "load");
            assert_true(sqrt(T * T + Ty * Ty) <= limit * (1.0 + 4e-16));
            if (v < 1e-4) continue;
            assert_near(v * (k + cos(phi)), first - a * (k * k - 1.0) * t, 1e-9);
            assert_near(v * sin(phi), second * pow(tan(0.5 * phi), k), 1e-9);
            assert_near(T * vx + Ty * vy, -limit * v, 1e-12);
        }
        assert_int_equal(seen.count, 1);
        assert_near(seen.t[0], first / (a * (k * k - 1.0)), 1e-10);
        assert_true(slip_sim_get(sim, "x'") == 0.0 || fabs(slip_sim_get(sim, "x'")) < 1e-15);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// too steep to stop: no stick, and the direction tends to the fall line; thrown straight up it turns back at
// rest
static void a_block_that_does_not_stop(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        slip_model *model = read_model("classics", "block-across-incline", "mu=0.25;phi0=3;al=0.3", ";");
        slip_sim *sim = simulate(model, both[f], 0, 1e-10, 2);
        assert_int_equal(run_for(sim, SLIP_EVENT_STICK).count, 0);
        const double a = 9.81 * sin(0.3), k = 0.25 / tan(0.3);
        double vx = slip_sim_get(sim, "x'"), vy = slip_sim_get(sim, "y'"), v = sqrt(vx * vx + vy * vy);
        assert_near(v * k + vx, 1.5 * (k + cos(3.0)) - a * (k * k - 1.0) * 2.0, 1e-8);
        assert_true(vx > 0.9 && fabs(vy) < 1e-2);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
        model = read_model("classics", "block-across-incline", "mu=0.25;phi0=3.14159265358979323846", ";");
        sim = simulate(model, both[f], 0, 1e-10, 2);
        times seen = run_for(sim, SLIP_EVENT_SLIDE); // "the other way"
        double up = a + 0.25 * 9.81 * cos(0.3), down = a - 0.25 * 9.81 * cos(0.3);
        assert_int_equal(seen.count, 1);
        assert_near(seen.t[0], 1.5 / up, 1e-12);
        assert_near(slip_sim_get(sim, "x'"), down * (2.0 - 1.5 / up), 1e-9);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static const char pushed[] =
    BLOCK("forces: {x: k*t*cos(w*t + rot), y: k*t*sin(w*t + rot)}\n", "{gap: z, slip: [x, y], friction: mu}");

// a force that grows and turns: it starts when k t = mu m g, against friction at its limit
static void a_push_that_turns(void **state)
{
    (void)state;
    slip_model *model = read_model("", pushed, "", ";");
    double end[2];
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, both[f], 0, 1e-9, 5);
        times seen = run_for(sim, SLIP_EVENT_SLIDE);
        assert_int_equal(seen.count, 1);
        assert_near(seen.t[0], 0.5 * 2.0 * 9.81 / 3.0, 1e-11);
        end[f] = slip_sim_get(sim, "x");
        slip_sim_destroy(sim);
    }
    assert_near(end[0], end[1], 1e-7);
    double off[2];
    for (int k = 0; k < 2; k++) { // time stepping comes to the same, at its own order
        slip_sim *steps = simulate(model, "moreau", k ? 5e-4 : 1e-3, 0, 5);
        run_to_end(steps);
        off[k] = fabs(slip_sim_get(steps, "x") - end[0]);
        slip_sim_destroy(steps);
    }
    assert_true(off[0] < 2e-4 && off[1] < 0.7 * off[0]);
    slip_model_destroy(model);
}

// turned by any angle: forces of an instant to rounding. Motion to what the absolute tolerance leaves open
// where the slip begins slowly, since its direction is known no better than that over its speed
static void all_directions_are_alike(void **state)
{
    (void)state;
    double T0 = 0, x0 = 0;
    for (int k = 0; k < 9; k++) {
        double rot = 0.7 * k;
        for (int f = 0; f < 2; f++) {
            char sets[80];
            snprintf(sets, sizeof sets, "rot=%.17g;w=0", rot);
            slip_model *model = read_model("", pushed, sets, ";");
            slip_sim *sim = simulate(model, both[f], 0, 1e-9, 2.0); // still sticks
            run_to_end(sim);
            double T = slip_sim_get(sim, "T"), Ty = slip_sim_get(sim, "Ty");
            assert_near(T * cos(rot) + Ty * sin(rot), -6.0, 1e-14);
            assert_near(T * sin(rot) - Ty * cos(rot), 0.0, 1e-14);
            slip_sim_destroy(sim);
            sim = simulate(model, both[f], 0, 1e-9, 4.5);
            run_to_end(sim);
            T = slip_sim_get(sim, "T"), Ty = slip_sim_get(sim, "Ty");
            double x = slip_sim_get(sim, "x") * cos(rot) + slip_sim_get(sim, "y") * sin(rot);
            if (k == 0 && f == 0) T0 = T, x0 = x;
            assert_near(T * cos(rot) + Ty * sin(rot), T0, 1e-10);
            assert_near(x, x0, 3e-7);
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
    }
    // k (t - t0)^3/(6 m) with t0 = 3.27
    assert_near(x0, 3.0 * pow(4.5 - 3.27, 3) / 12.0, 1e-8);
}

// unlike masses along two directions and a normal that feels friction: the cone problem of one contact,
// exactly
static const char skew[] =
    "slipstick: 1\nname: skew\nparameters: {mu: 0.3, fx: 0, fy: 0, c: 0.2}\n"
    "coordinates: {x: 0, y: 0, z: 0}\n"
    "energy: {kinetic: 0.5*(x'^2 + 4*y'^2 + 2*z'^2) + c*x'*z', potential: 10*z}\n"
    "forces: {x: fx, y: fy}\n"
    "contacts: {floor: {gap: z, slip: [x, y], friction: mu}}\n"
    "record: {N: floor.normal, T: floor.friction, Ty: floor.friction.y, stick: floor.stick}\n";

static void the_cone_problem_of_one_instant(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        char sets[96];
        double fx = 5.0 * cos(0.37 * k), fy = 5.0 * sin(0.37 * k) * (1 + k % 3), c = 0.2;
        snprintf(sets, sizeof sets, "fx=%.17g;fy=%.17g", fx, fy);
        slip_model *model = read_model("", skew, sets, ";");
        double got[2][3];
        for (int f = 0; f < 2; f++) {
            slip_sim *sim = simulate(model, both[f], 0, 1e-9, 1);
            assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
            slip_sim_destroy(sim);
            sim = simulate(model, both[f], 0, 1e-9, 1);
            double N = slip_sim_get(sim, "N"), T = slip_sim_get(sim, "T"), Ty = slip_sim_get(sim, "Ty");
            got[f][0] = N, got[f][1] = T, got[f][2] = Ty;
            // z'' = 0: c x'' = N - 10, x'' = fx + T, 4 y'' = fy + Ty
            double ax = fx + T, ay = (fy + Ty) / 4.0;
            assert_near(c * ax, N - 10.0, 1e-12);
            assert_true(sqrt(T * T + Ty * Ty) <= 0.3 * N * (1.0 + 1e-15));
            double a = sqrt(ax * ax + ay * ay);
            if (slip_sim_get(sim, "stick") > 0.0) {
                assert_near(a, 0.0, 1e-13);
            } else {
                assert_near(T, -0.3 * N * ax / a, 1e-11);
                assert_near(Ty, -0.3 * N * ay / a, 1e-11);
            }
            slip_sim_destroy(sim);
        }
        for (int i = 0; i < 3; i++) assert_near(got[0][i], got[1][i], 1e-9);
        slip_model_destroy(model);
    }
}

// four legs: the motion is that of moreau; least norm shares the load; one leg may carry half of it or
// nothing
static void a_table_on_four_legs(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "table", "", ";");
    slip_sim *steps = simulate(model, "moreau", 1e-4, 0, 0);
    run_to_end(steps);
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, both[f], 0, 1e-9, 0);
        run_to_end(sim);
        const char *names[] = { "x", "y", "z", "roll", "pitch" };
        for (int k = 0; k < 5; k++)
            assert_near(slip_sim_get(sim, names[k]), slip_sim_get(steps, names[k]), 2e-4);
        const char *legs[] = { "fl", "fr", "rl", "rr" };
        double sum = 0.0;
        for (int k = 0; k < 4; k++) {
            sum += slip_sim_get(sim, legs[k]);
            if (f == 1) assert_near(slip_sim_get(sim, legs[k]), 24.525, 1e-8);
        }
        assert_near(sum, 98.1, 1e-9);
        assert_near(slip_sim_energy(sim).numerical, 0, 1e-9);
        slip_sim_destroy(sim);
    }
    slip_sim_destroy(steps);
    slip_model_destroy(model);
}

// a plate on three feet thrown and spun: each foot slides its own way; friction takes what moves
static const char plate[] =
    "slipstick: 1\nname: plate\nparameters: {mu: 0.3, spin: 6, v: 1}\n"
    "coordinates: {x: {rate: v}, y: 0, z: 0, al: 0, be: 0, th: {rate: spin}}\n"
    "energy: {kinetic: 0.5*(x'^2 + y'^2 + z'^2) + 0.02*(al'^2 + be'^2) + 0.03*th'^2, potential: 9.81*z}\n"
    "contacts:\n"
    "  a: {gap: z + 0.2*al, slip': [x' - 0.2*sin(th)*th', y' + 0.2*cos(th)*th'], friction: mu}\n"
    "  b: {gap: z - 0.1*al + 0.17*be, slip': [x' - 0.2*sin(th + 2.1)*th', y' + 0.2*cos(th + 2.1)*th'], "
    "friction: mu}\n"
    "  c: {gap: z - 0.1*al - 0.17*be, slip': [x' - 0.2*sin(th - 2.1)*th', y' + 0.2*cos(th - 2.1)*th'], "
    "friction: mu}\n"
    "record: {Na: a.normal, Ta: a.friction, Tay: a.friction.y, sa: a.slip, say: a.slip.y, ka: a.stick}\n";

static void a_plate_that_spins(void **state)
{
    (void)state;
    slip_model *model = read_model("", plate, "", ";");
    slip_sim *steps = simulate(model, "moreau", 1e-4, 0, 2);
    run_to_end(steps);
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, both[f], 0, 1e-9, 2);
        while (slip_sim_step(sim) == SLIP_RUNNING) {
            double N = slip_sim_get(sim, "Na"), T = slip_sim_get(sim, "Ta"), Ty = slip_sim_get(sim, "Tay"),
                   s = slip_sim_get(sim, "sa"), sy = slip_sim_get(sim, "say");
            assert_true(N >= 0.0 && sqrt(T * T + Ty * Ty) <= 0.3 * N * (1.0 + 1e-12));
            if (slip_sim_get(sim, "ka") == 0.0 && sqrt(s * s + sy * sy) > 1e-6)
                assert_near(T * s + Ty * sy, -0.3 * N * sqrt(s * s + sy * sy), 1e-12);
        }
        slip_energy energy = slip_sim_energy(sim);
        assert_true(energy.friction >= 0.0);
        assert_near(energy.friction, 0.5 + 0.03 * 36.0 / 1.0, 1e-6); // all of it: 0.5 v^2 + 0.03 spin^2
        assert_near(energy.numerical, 0, 1e-6);
        const char *names[] = { "x", "y", "th" };
        for (int k = 0; k < 3; k++)
            assert_near(slip_sim_get(sim, names[k]), slip_sim_get(steps, names[k]), 1e-3);
        slip_sim_destroy(sim);
    }
    slip_sim_destroy(steps);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sliding_sphere_ends_in_rolling),
        cmocka_unit_test(the_sphere_of_xiong),
        cmocka_unit_test(the_sphere_of_kikuuwe),
        cmocka_unit_test(a_block_across_an_incline),
        cmocka_unit_test(a_block_that_does_not_stop),
        cmocka_unit_test(a_push_that_turns),
        cmocka_unit_test(all_directions_are_alike),
        cmocka_unit_test(the_cone_problem_of_one_instant),
        cmocka_unit_test(a_table_on_four_legs),
        cmocka_unit_test(a_plate_that_spins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
