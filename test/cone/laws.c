/// laws.c: friction that depends on speed, and frictions of known limit, under lcp and gauss.
#include "cone/helper.h"

// composite Simpson rule of v^power/(g f(v)) over [0, v0]: time to rest, or the way there
static double until_rest(double (*f)(double), double g, double v0, int power)
{
    enum { PARTS = 20000 };
    double sum = 0.0;
    for (int k = 0; k <= PARTS; k++) {
        double v = v0 * k / PARTS, weight = k == 0 || k == PARTS ? 1.0 : k % 2 ? 4.0 : 2.0;
        sum += weight * (power ? v : 1.0) / (g * f(v));
    }
    return sum * v0 / (3.0 * PARTS);
}

static double stribeck(double v)
{
    return 0.3 + 0.2 * exp(-v * v / 0.01);
}

// slip s' = -7/2 g (mu + b s)
static void a_sphere_with_friction_that_grows(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        slip_model *model =
            read_model("", SPHERE("mu + b*sqrt((x' - R*thy')^2 + (y' + R*thx')^2)"), "b=0.04;phi=2.2", ";");
        slip_sim *sim = simulate(model, both[f], 0, 1e-11, 3);
        times seen = run_for(sim, SLIP_EVENT_STICK);
        assert_int_equal(seen.count, 1);
        assert_near(seen.t[0], log(1.0 + 0.04 * 7.0 / 0.1) / (3.5 * 9.8 * 0.04), 1e-10);
        assert_near(slip_sim_get(sim, "x'"), 5.0 * cos(2.2), 1e-10);
        assert_near(slip_sim_get(sim, "thz'"), 3.0, 0);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static const char plane[] = BLOCK("", "{gap: z, slip: [x, y], friction: 0.3 + 0.2*exp(-(x'^2 + y'^2)/0.01)}");
static const char line[] = "slipstick: 1\nname: line\nparameters: {v0: 1.5, dir: 0}\n"
                           "coordinates: {x: {rate: v0}, y: 0}\n"
                           "energy: {kinetic: x'^2 + y'^2, potential: 2*9.81*y}\n"
                           "contacts: {floor: {gap: y, slip: x, friction: 0.3 + 0.2*exp(-x'^2/0.01)}}\n";

static void stribeck_to_rest(void **state)
{
    (void)state;
    double t = until_rest(stribeck, 9.81, 1.5, 0), way = until_rest(stribeck, 9.81, 1.5, 1);
    for (int k = 0; k < 4; k++) {
        slip_model *model = read_model("", k < 2 ? line : plane, "v0=1.5;dir=0.8", ";");
        slip_sim *sim = simulate(model, both[k % 2], 0, 1e-11, 1);
        times seen = run_for(sim, SLIP_EVENT_STICK);
        assert_int_equal(seen.count, 1);
        assert_near(seen.t[0], t, 1e-10);
        assert_near(slip_sim_get(sim, "x"), k < 2 ? way : way * cos(0.8), 1e-10);
        if (k >= 2) assert_near(slip_sim_get(sim, "y"), way * sin(0.8), 1e-10);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    // the ODE of formulation dai with an L-stable integrator comes to the same
    slip_model *model = read_model("", line, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "dai", def.integrator = "sdirk4", def.step = 1e-4, def.until = 1;
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "x"), way, 1e-5);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// limit 3 + 0.5 |v| against a mass of 2: rest after 4 log(1 + v0/6)
static const char known_limit[] =
    "slipstick: 1\nname: known limit\nparameters: {v0: 2, dir: 0.9, push: 0}\n"
    "coordinates: {x: {rate: v0*cos(dir)}, y: {rate: v0*sin(dir)}}\n"
    "energy: {kinetic: x'^2 + y'^2}\nforces: {x: push*t*cos(dir), y: push*t*sin(dir)}\n"
    "frictions: {pad: {slip: [x, y], limit: 3 + 0.5*sqrt(x'^2 + y'^2)}}\n"
    "record: {T: pad.friction, Ty: pad.friction.y, stick: pad.stick}\n";

static void a_known_limit_in_the_plane(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        slip_model *model = read_model("", known_limit, "", ";");
        slip_sim *sim = simulate(model, both[f], 0, 1e-11, 2);
        times seen = run_for(sim, SLIP_EVENT_STICK);
        double rest = 4.0 * log(1.0 + 2.0 / 6.0), way = 4.0 * 2.0 - 6.0 * rest;
        assert_int_equal(seen.count, 1);
        assert_near(seen.t[0], rest, 1e-10);
        assert_near(slip_sim_get(sim, "x"), way * cos(0.9), 1e-9);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
        // held to the limit, to the last digit on the way, then it starts
        model = read_model("", known_limit, "v0=0;push=2", ";");
        sim = simulate(model, both[f], 0, 1e-9, 1.25);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "T"), -2.5 * cos(0.9), 1e-14);
        assert_near(slip_sim_get(sim, "Ty"), -2.5 * sin(0.9), 1e-14);
        assert_true(slip_sim_get(sim, "stick") > 0.0 && slip_sim_get(sim, "x") == 0.0);
        slip_sim_destroy(sim);
        sim = simulate(model, both[f], 0, 1e-9, 2);
        seen = run_for(sim, SLIP_EVENT_SLIDE);
        assert_int_equal(seen.count, 1);
        assert_near(seen.t[0], 1.5, 1e-11);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// a mass on a belt, held by a spring: sticks and slips for ever. The cycle of the three is the same
static const char belt[] =
    "slipstick: 1\nname: belt\nparameters: {vb: 0.1, mk: 0.3, ms: 0.5}\ncoordinates: {x: {rate: vb}, y: 0}\n"
    "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y + 0.5*10*x^2}\n"
    "contacts: {belt: {gap: y, slip': x' - vb, friction: mk + (ms - mk)*exp(-((x' - vb)/0.2)^2)}}\n";

static void stick_and_slip_on_a_belt(void **state)
{
    (void)state;
    slip_model *model = read_model("", belt, "", ";");
    double x[2], first[2], last[2];
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, both[f], 0, 1e-10, 20);
        times seen = run_for(sim, SLIP_EVENT_SLIDE);
        assert_true(seen.count >= 3);
        first[f] = seen.t[0], last[f] = seen.t[seen.count - 1];
        x[f] = slip_sim_get(sim, "x");
        slip_sim_destroy(sim);
    }
    assert_near(first[0], 0.5 * 9.81 / (10.0 * 0.1), 1e-10); // the spring has pulled to mu_s m g
    assert_near(first[1], first[0], 1e-10);
    assert_near(last[1], last[0], 1e-8);
    assert_near(x[1], x[0], 1e-8);
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "dai", def.integrator = "sdirk4", def.step = 1e-3, def.until = 20;
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "x"), x[0], 2e-3);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_with_friction_that_grows),
        cmocka_unit_test(stribeck_to_rest),
        cmocka_unit_test(a_known_limit_in_the_plane),
        cmocka_unit_test(stick_and_slip_on_a_belt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
