/// design.c: ask a compliant contact for a restitution, get it.
#include "song/helper.h"

static const char ball[] =
    "slipstick: 1\nname: ball\nparameters: {m: 2, e: 0.5, v: 1, phase: 0, h: 1e-4}\n"
    "coordinates: {y: {start: v*h*(3 + phase), rate: -v}}\nenergy: {kinetic: 0.5*m*y'^2}\n"
    "contacts: {floor: {gap: y, restitution: e, compliance: {speed: v}}}\n"
    "run: {step: h, until: 1}\nrecord: {N: floor.normal}\n";

static double bounce(const char *formulation, double e, double v, double phase, double h)
{
    char sets[160];
    snprintf(sets, sizeof sets, "e=%.17g;v=%.17g;phase=%.17g;h=%.17g", e, v, phase, h);
    slip_model *model = load(ball, sets);
    slip_sim *sim = simulate(model, formulation, "rk4", 0.0, 1.0);
    assert_null(slip_sim_warning(sim, 0));
    do assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    while (slip_sim_get(sim, "y") > 0.0 || slip_sim_get(sim, "y'") < 0.0);
    while (slip_sim_get(sim, "y") < 0.0) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    double made = slip_sim_get(sim, "y'") / v;
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return made;
}

// whatever the speed, the phase of touchdown within a step and the step: within 0.5 %
static void restitution_as_asked(void **state)
{
    (void)state;
    static const char *const formulations[] = { "kelvin-voigt", "hunt-crossley" };
    double worst[2] = { 0.0 };
    for (int f = 0; f < 2; f++)
        for (double e = 0.1; e <= 1.001; e += 0.1)
            for (int p = 0; p < 5; p++)
                for (int k = 0; k < 2; k++)
                    worst[f] = fmax(worst[f], fabs(bounce(formulations[f], fmin(e, 1.0), k ? 3.0 : 0.2,
                                                          0.2 * p, k ? 1e-3 : 1e-4) -
                                                   fmin(e, 1.0)));
    print_message("worst error of restitution: kelvin-voigt %.4f, hunt-crossley %.4f\n", worst[0], worst[1]);
    assert_true(worst[0] <= 0.005);
    assert_true(worst[1] <= 0.005);
}

static void maps_and_inverses(void **state)
{
    (void)state;
    assert_near(slip_kelvin_voigt_restitution(0.0), 1.0, 0.0);
    assert_near(slip_kelvin_voigt_restitution(1.0), exp(-2.0), 1e-12);
    assert_near(slip_kelvin_voigt_restitution(1.0 - 1e-9), exp(-2.0), 1e-8);
    assert_near(slip_hunt_crossley_restitution(0.0), 1.0, 0.0);
    assert_near(slip_hunt_crossley_restitution(1e-4), 1.0 - 2.0 / 3.0 * 1e-4, 1e-8); // the classical estimate
    for (double e = 0.01; e <= 1.0; e += 0.03) {
        assert_near(slip_kelvin_voigt_restitution(slip_kelvin_voigt_zeta(e)), e, 1e-12);
        assert_near(slip_hunt_crossley_restitution(slip_hunt_crossley_x(e)), e, 1e-12);
        double x = slip_hunt_crossley_x(e);
        if (e > 0.15) assert_near(x - log1p(x), -e * x - log1p(-e * x), 1e-11); // below, 1 - e x is rounding
    }
    assert_true(isnan(slip_kelvin_voigt_zeta(0.0)) && isnan(slip_hunt_crossley_x(1.1)));
    assert_true(isnan(slip_kelvin_voigt_restitution(-1.0)) && isnan(slip_hunt_crossley_restitution(NAN)));
}

// what cannot be had is said
static void warnings_and_mistakes(void **state)
{
    (void)state;
    slip_model *model = load(ball, "e=0");
    slip_sim *sim = simulate(model, "kelvin-voigt", "rk4", 0.0, 1.0);
    assert_non_null(strstr(slip_sim_warning(sim, 0), "below what a compliant contact reaches"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    model = load(ball, "contacts.floor.compliance.damping=10");
    sim = simulate(model, "kelvin-voigt", "rk4", 0.0, 1.0);
    assert_non_null(strstr(slip_sim_warning(sim, 0), "the given compliance makes a restitution of"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    static const char *const wrong[][2] = { { "contacts.floor.compliance.eps=1e-3", "needs compliance.mass" },
                                            { "contacts.floor.compliance.exponent=0.5",
                                              "must be 1 or greater" } };
    for (int k = 0; k < 2; k++) {
        model = load(ball, wrong[k][0]);
        slip_sim_def def = slip_default_sim_def();
        def.formulation = "hunt-crossley";
        slip_error error = { 0 };
        assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_BAD_MODEL);
        assert_non_null(strstr(error.text, wrong[k][1]));
        slip_model_destroy(model);
    }
}

// a block on a slope below its friction angle stays; friction deforms by T/K and holds without creep
static void sticks_without_creep(void **state)
{
    (void)state;
    slip_model *model =
        load("slipstick: 1\nname: slope\nparameters: {m: 1, g: 9.81, a: 0.2, mu: 0.3}\n"
             "coordinates: {x: {start: 0}, y: {start: 0}}\nenergy: {kinetic: 0.5*m*(x'^2 + y'^2)}\n"
             "forces: {x: m*g*sin(a), y: -m*g*cos(a)}\n"
             "contacts: {floor: {gap: y, slip: x, friction: mu}}\nrun: {step: 1e-3, until: 4}\n",
             "");
    slip_sim *sim = simulate(model, "kelvin-voigt", "rk4", 0.0, 4.0);
    while (slip_sim_time(sim) < 2.0) slip_sim_step(sim);
    double x = slip_sim_get(sim, "x");
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(sim, "x"), x, 1e-9);
    assert_true(fabs(slip_sim_get(sim, "x")) < 1e-3);
    slip_sim_destroy(sim);
    sim = simulate(model, "tanh", "rk4", 0.0,
                   4.0); // smooth friction creeps at gamma atanh(tan a/mu), as the paper says
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(sim, "x'"), 1e-3 * atanh(tan(0.2) / 0.3), 1e-6);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static int warnings_with(const slip_sim *sim, const char *words)
{
    int count = 0;
    for (int k = 0; slip_sim_warning(sim, k); k++) count += strstr(slip_sim_warning(sim, k), words) != NULL;
    return count;
}

// a rod that turns while it falls: its mass at the tip is another one at touchdown, up to four times that of
// the start, and the restitution is still the one asked for
static void restitution_where_the_mass_has_changed(void **state)
{
    (void)state;
    static const char rod[] =
        "slipstick: 1\nname: rod\nparameters: {m: 1, L: 1, I: m*L^2/3, e: 0.6, th0: 0, om: 2, v0: 1}\n"
        "coordinates: {y: {start: 1 + L*sin(th0), rate: -v0}, th: {start: th0, rate: om}}\n"
        "energy: {kinetic: 0.5*m*y'^2 + 0.5*I*th'^2}\n"
        "contacts: {tip: {gap: y - L*sin(th), restitution: e}}\n"
        "run: {step: 1e-4, until: 4}\nrecord: {gap: tip.gap, N: tip.normal, v: y' - L*cos(th)*th'}\n";
    static const double starts[][3] = { { 0.0, 1.2, 0.1 }, { 1.5, 0.8, 1.0 }, { 0.3, -1.0, 0.9 } };
    for (int k = 0; k < 3; k++) {
        char sets[100];
        snprintf(sets, sizeof sets, "th0=%.17g;om=%.17g;v0=%.17g", starts[k][0], starts[k][1], starts[k][2]);
        slip_model *model = load(rod, sets);
        slip_sim *sim = simulate(model, "kelvin-voigt", "rk4", 0.0, 4.0);
        double in = 0.0;
        while (slip_sim_get(sim, "N") == 0.0) {
            in = slip_sim_get(sim, "v");
            assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        }
        while (slip_sim_get(sim, "N") > 0.0) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        double th = slip_sim_get(sim, "th");
        assert_true(fabs(cos(th) * cos(th) - cos(starts[k][0]) * cos(starts[k][0])) > 0.2); // it has changed
        assert_near(-slip_sim_get(sim, "v") / in, 0.6, 0.01);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// ten blocks on one another at the step of their file: what carries the most is not pressed through
static void a_stack_stands(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "stack", "", ";");
    slip_sim *sim = simulate(model, "kelvin-voigt", "rk4", 0.0, 1.0);
    double lowest = INFINITY, load = 0.0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        lowest = fmin(lowest, slip_sim_get(sim, "y1"));
        if (slip_sim_steps(sim) > 500) load += slip_sim_get(sim, "joint1") / 500.0;
    }
    assert_int_equal(slip_sim_steps(sim), 1000);
    assert_true(lowest > 0.05 * 0.9);                           // of a block that is 0.1 m high
    assert_near(load, 98.1, 5.0);                               // the weight of all, while it swings to rest
    assert_int_equal(warnings_with(sim, "is too soft for"), 1); // more than 1 % all the same, and it says so
    slip_sim_destroy(sim);
    sim = make_sim(model, &(slip_sim_def){ .formulation = "kelvin-voigt",
                                           .integrator = "rk4",
                                           .step = 2e-4,
                                           .until = 1.0,
                                           .max_step = NAN,
                                           .relative = NAN,
                                           .absolute = NAN });
    while (slip_sim_step(sim) == SLIP_RUNNING) lowest = slip_sim_get(sim, "y1");
    assert_near(lowest, 0.05, 0.01 * 0.05);
    assert_null(slip_sim_warning(sim, 0));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// small restitutions scatter with the instant of touchdown within a fixed step; a free choice of steps finds
// it
static void small_restitutions(void **state)
{
    (void)state;
    double low = 1.0, high = 0.0;
    for (int p = 0; p < 20; p++) {
        double made = bounce("kelvin-voigt", 0.1, 1.0, 0.05 * p, 1e-3);
        low = fmin(low, made), high = fmax(high, made);
    }
    print_message("a restitution of 0.1 under rk4: %.4f to %.4f\n", low, high);
    assert_true(low > 0.095 && high < 0.105);
    slip_model *model = load(ball, "e=0.05");
    slip_sim *sim = simulate(model, "kelvin-voigt", "rk4", 0.0, 1.0);
    assert_int_equal(warnings_with(sim, "holds within 0.005 only"), 1);
    slip_sim_destroy(sim);
    sim = simulate(model, "kelvin-voigt", "cash-karp", 1e-8, 1.0);
    assert_null(slip_sim_warning(sim, 0));
    while (!(slip_sim_get(sim, "y'") > 0.0) || slip_sim_get(sim, "y") < 0.0)
        assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    assert_near(slip_sim_get(sim, "y'"), 0.05, 1e-5);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// one sentence for all contacts, and only where it applies
static void speed_is_named_once(void **state)
{
    (void)state;
    slip_model *model =
        load("slipstick: 1\nname: two\ncoordinates: {x: {start: 0.5, rate: 1}}\nenergy: {kinetic: 0.5*x'^2}\n"
             "contacts: {left: {gap: x, restitution: 0.5}, right: {gap: 1 - x, restitution: 0.5}}\n",
             "");
    slip_sim *sim = simulate(model, "hunt-crossley", "rk4", 0.0, 1.0);
    assert_int_equal(warnings_with(sim, "depends on the impact speed"), 1);
    assert_int_equal(warnings_with(sim, "left, right"), 1);
    slip_sim_destroy(sim);
    sim = simulate(model, "tanh", "rk4", 0.0, 1.0); // kelvin-voigt normals: any speed
    assert_null(slip_sim_warning(sim, 0));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// a pendulum by a constraint swings as one by its angle; a constraint that says nothing new is refused
static void pendulum_under(const char *formulation, const char *integrator)
{
    static const char format[] = "slipstick: 1\nname: pendulum\ncoordinates: {x: 0.5, y: 0}\n"
                                 "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                                 "constraints: {rod: x^2 + y^2 - 0.25%s}\nrun: {step: 1 ms, until: 1}\n";
    char text[400];
    snprintf(text, sizeof text, format, "");
    slip_model *model = load(text, ""),
               *angle = load("slipstick: 1\nname: pendulum\ncoordinates: {a: 0}\n"
                             "energy: {kinetic: 0.125*a'^2, potential: 9.81*0.5*sin(a)}\n"
                             "run: {step: 1 ms, until: 1}\n",
                             "");
    slip_sim *held = simulate(model, formulation, integrator, 0.0, 1.0),
             *free = simulate(angle, formulation, integrator, 0.0, 1.0);
    while (slip_sim_step(held) == SLIP_RUNNING)
        assert_near(hypot(slip_sim_get(held, "x"), slip_sim_get(held, "y")), 0.5, 1.5e-8); // and no drift
    while (slip_sim_step(free) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(held, "x"), 0.5 * cos(slip_sim_get(free, "a")), 1e-7);
    assert_near(slip_sim_get(held, "y"), 0.5 * sin(slip_sim_get(free, "a")), 1e-7);
    assert_near(slip_sim_energy(held).numerical, 0.0, 1e-7);
    assert_null(slip_sim_warning(held, 0));
    slip_sim_destroy(held);
    slip_sim_destroy(free);
    slip_model_destroy(model);
    slip_model_destroy(angle);
    snprintf(text, sizeof text, format, ", again: 2*x^2 + 2*y^2 - 0.5");
    model = load(text, "");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_error error = { 0 };
    slip_sim *none = NULL;
    assert_int_equal(slip_sim_create(model, &def, &error, &none), SLIP_UNSUPPORTED);
    assert_non_null(strstr(error.text, "'again'"));
    slip_model_destroy(model);
}

static void pendulum_by_a_constraint(void **state)
{
    (void)state;
    pendulum_under("kelvin-voigt", "rk4");
    pendulum_under("dai", "rk4");
    pendulum_under("modular", "rk4-generalised");
}

// a weight on the end of a rod that a constraint holds, dry friction in the pivot: it swings to the side and
// rests there with g m l |cos a| <= F. By coordinates or by the angle, under the formulations with true
// stiction
static void friction_beside_a_constraint(void **state)
{
    (void)state;
    static const char *const under[] = { "dai", "modular" };
    for (int k = 0; k < 2; k++) {
        slip_model *held = load("slipstick: 1\nname: rod\ncoordinates: {x: 0.5, y: 0}\n"
                                "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                                "constraints: {rod: x^2 + y^2 - 0.25}\n"
                                "frictions: {pivot: {slip': (x*y' - y*x')/(x^2 + y^2), limit: 1}}\n"
                                "run: {step: 1 ms, until: 4}\n",
                                ""),
                   *free = load("slipstick: 1\nname: rod\ncoordinates: {a: 0}\n"
                                "energy: {kinetic: 0.125*a'^2, potential: 9.81*0.5*sin(a)}\n"
                                "frictions: {pivot: {slip: a, limit: 1}}\nrun: {step: 1 ms, until: 4}\n",
                                "");
        slip_sim *one = simulate(held, under[k], "substeps", 0.0, 4.0),
                 *two = simulate(free, under[k], "substeps", 0.0, 4.0);
        while (slip_sim_step(one) == SLIP_RUNNING) {}
        while (slip_sim_step(two) == SLIP_RUNNING) {}
        double a = atan2(slip_sim_get(one, "y"), slip_sim_get(one, "x"));
        assert_near(a, slip_sim_get(two, "a"), 1e-4);
        assert_true(fabs(9.81 * 0.5 * cos(a)) <= 1.0);
        assert_near(slip_sim_get(one, "x'"), 0.0, 1e-6);
        slip_sim_destroy(one);
        slip_sim_destroy(two);
        slip_model_destroy(held);
        slip_model_destroy(free);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restitution_as_asked),
        cmocka_unit_test(maps_and_inverses),
        cmocka_unit_test(warnings_and_mistakes),
        cmocka_unit_test(sticks_without_creep),
        cmocka_unit_test(restitution_where_the_mass_has_changed),
        cmocka_unit_test(a_stack_stands),
        cmocka_unit_test(small_restitutions),
        cmocka_unit_test(speed_is_named_once),
        cmocka_unit_test(pendulum_by_a_constraint),
        cmocka_unit_test(friction_beside_a_constraint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
