/// parts.c: constraints, moving guides, known-limit friction, two-component slip, projection, what is said.
#include "helper.h"

static const double g = 9.81;

static void finish(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// ---- bilateral constraints and projection ------------------------------------------------------------

static const char pendulum[] = "slipstick: 1\nname: Pendulum in x and y\n"
                               "coordinates: {x: {start: 1}, y: 0}\n"
                               "energy: {kinetic: \"0.5*(x'^2 + y'^2)\", potential: 9.81*y}\n"
                               "constraints: {rod: x^2 + y^2 - 1}\n"
                               "run: {formulation: moreau, projection: %s, substeps: 1}\n";

static double swing(const char *projection, double dt, double *length)
{
    char text[600];
    snprintf(text, sizeof text, pendulum, projection);
    slip_model *model = model_text(text);
    slip_sim *sim = simulate(model, NULL, dt, 2.0);
    double most = total_energy(sim);
    const double start = most;
    *length = 0.0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        const double x = slip_sim_get(sim, "x"), y = slip_sim_get(sim, "y");
        *length = fmax(*length, fabs(hypot(x, y) - 1.0));
        most = fmax(most, total_energy(sim));
    }
    assert_true(measure(sim, "projection_energy") <= 0.0);
    finish(sim, model);
    return most - start;
}

static void test_projection_keeps_constraints(void **state)
{
    (void)state;
    double with, without;
    swing("none", 1e-3, &without);
    swing("constraints", 1e-3, &with);
    assert_true(without > 1e-3);
    assert_true(with < 1e-12);
    assert_true(swing("constraints", 1e-4, &with) < 1e-2);
}

// the projection itself: energy before and after, step by step, in a machine that strikes
static void test_projection_never_adds(void **state)
{
    (void)state;
    static const char *const files[] = { "models/flores/slider-crank.yaml",
                                         "models/classics/bouncing-ball.yaml",
                                         "models/classics/rocking-block.yaml",
                                         "models/classics/falling-rod.yaml" };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        double deepest[2], gained = 0.0;
        for (int on = 0; on < 2; on++) {
            slip_model *model =
                model_file(files[k], (const char *const[4]){ "run.substeps=1", on ? "run.projection=all"
                                                                                  : "run.projection=none" });
            slip_sim *sim = simulate(model, NULL, 1e-4, k ? 3.0 : 0.3);
            while (slip_sim_step(sim) == SLIP_RUNNING) gained = fmax(gained, inside(sim)->last.projection);
            deepest[on] = measure(sim, "penetration");
            if (on && k < 2) assert_true(measure(sim, "projected") > 0.0);
            finish(sim, model);
        }
        assert_true(gained <= 0.0);
        assert_true(deepest[1] <= deepest[0] * 1.2);
    }
}

static void test_elastic_ball_keeps_its_height(void **state)
{
    (void)state;
    slip_model *model =
        model_file("models/classics/bouncing-ball.yaml",
                   (const char *const[4]){ "run.projection=all", "contacts.floor.restitution=1" });
    slip_sim *sim = simulate(model, NULL, 1e-3, 10.0);
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        assert_near(total_energy(sim), 9.81, 1e-11); // paid for to the last digit
        if (slip_sim_get(sim, "y'") > 0.0) assert_true(slip_sim_get(sim, "y") > -1e-12); // out again at once
    }
    finish(sim, model);
}

static void test_rates_that_break_a_constraint(void **state)
{
    (void)state;
    slip_model *model = model_text("slipstick: 1\nname: Jump\ncoordinates: {x: {rate: 1}, y: 0}\n"
                                   "energy: {kinetic: \"0.5*(x'^2 + y'^2)\"}\nconstraints: {tie: x - y}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 0.1);
    run_whole(sim);
    assert_near(slip_sim_get(sim, "x'"), 0.5, 1e-15);
    assert_near(slip_sim_energy(sim).impact, 0.25, 1e-15);
    assert_non_null(strstr(slip_sim_warning(sim, 0), "'tie'"));
    finish(sim, model);
}

// the same constraint twice: redundant, not fatal
static void test_redundant_constraints(void **state)
{
    (void)state;
    slip_model *model =
        model_text("slipstick: 1\nname: Twice\ncoordinates: {x: {rate: 1}, y: {rate: 1}}\n"
                   "energy: {kinetic: \"0.5*(x'^2 + 3*y'^2)\"}\nconstraints: {one: x - y, two: 2*x - 2*y}\n"
                   "forces: {x: 4}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 1.0);
    run_whole(sim);
    assert_near(slip_sim_get(sim, "y'"), 2.0, 1e-12);
    assert_near(slip_sim_energy(sim).work, 6.0, 1e-9); // 4 N over 1.5 m
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-9);
    finish(sim, model);
}

// ---- friction with a known limit, belts, guides -------------------------------------------------------

static void test_known_limit(void **state)
{
    (void)state;
    slip_model *model =
        model_text("slipstick: 1\nname: Brake\ncoordinates: {x: {rate: 1}}\nenergy: {kinetic: \"x'^2\"}\n"
                   "frictions: {pad: {slip: x, limit: 0.5}}\nforces: {x: \"if(t > 5, 0.6, 0)\"}\n"
                   "record: {f: pad.friction, s: pad.stick}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 6.0);
    run_to(sim, 3999);
    assert_true(slip_sim_get(sim, "s") == 0.0);
    assert_near(slip_sim_get(sim, "f"), -0.5, 1e-12);
    run_to(sim, 4500);
    const double rest = slip_sim_get(sim, "x");
    assert_near(rest, 2.0, 1e-3); // v^2/(2 F/m)
    assert_true(slip_sim_get(sim, "s") == 1.0);
    run_to(sim, 5000);
    assert_true(slip_sim_get(sim, "x") == rest); // held to the last bit
    run_whole(sim);
    assert_near(slip_sim_get(sim, "x'"), 0.05, 2e-4); // breaks loose: (0.6 - 0.5)/2
    slip_energy e = slip_sim_energy(sim);
    assert_near(e.numerical, 0.0, 1e-10);
    finish(sim, model);
}

// a disc of friction in two directions beside a contact: the mixed problem
static void test_two_components(void **state)
{
    (void)state;
    slip_model *model = model_text("slipstick: 1\nname: Puck\nparameters: {v: 2}\n"
                                   "coordinates: {x: {rate: 1.2}, y: {rate: 1.6}, z: 0}\n"
                                   "energy: {kinetic: \"0.5*(x'^2 + y'^2 + z'^2)\", potential: 9.81*z}\n"
                                   "contacts: {ice: {gap: z, slip: [x, y], friction: 0.1}}\n"
                                   "frictions: {pin: {slip: [x, y], limit: 0.5}}\n");
    static const char *const solvers[] = { "auto", "nsgs", "newton", "ala" };
    for (int k = 0; k < 4; k++) {
        slip_sim *sim = simulate(model, solvers[k], 1e-3, 2.0);
        run_whole(sim);
        const double a = 0.1 * g + 0.5;
        assert_near(hypot(slip_sim_get(sim, "x"), slip_sim_get(sim, "y")), 4.0 / (2.0 * a), 1e-4);
        assert_near(slip_sim_get(sim, "y") / slip_sim_get(sim, "x"), 4.0 / 3.0, 1e-7);
        assert_near(slip_sim_energy(sim).friction, 2.0, 1e-7);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// a block on a belt: carried along, the belt's work in the ledger
static void test_belt(void **state)
{
    (void)state;
    slip_model *model = model_text("slipstick: 1\nname: Belt\ncoordinates: {x: 0, y: 0}\n"
                                   "energy: {kinetic: \"0.5*(x'^2 + y'^2)\", potential: 9.81*y}\n"
                                   "contacts: {belt: {gap: y, \"slip'\": \"x' - 1.5\", friction: 0.3}}\n"
                                   "record: {slip: belt.slip, stuck: belt.stick}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 1.0);
    run_whole(sim);
    assert_near(slip_sim_get(sim, "x'"), 1.5, 1e-12);
    assert_near(slip_sim_get(sim, "slip"), 0.0, 1e-12);
    slip_energy e = slip_sim_energy(sim);
    assert_near(e.work, 2.25, 1e-6); // half becomes motion, half heat
    assert_near(e.friction, 1.125, 1e-3);
    assert_near(e.numerical, 0.0, 1e-10);
    finish(sim, model);
}

// a floor that comes up: the moving guide strikes with its own speed
static void test_moving_floor(void **state)
{
    (void)state;
    slip_model *model = model_text(
        "slipstick: 1\nname: Racket\ncoordinates: {y: {start: 0.1}}\nenergy: {kinetic: \"0.5*y'^2\"}\n"
        "contacts: {racket: {gap: y - 2*t, restitution: 0.5}}\n");
    slip_sim *sim = simulate(model, NULL, 1e-4, 0.2);
    run_whole(sim);
    assert_near(slip_sim_get(sim, "y'"), 3.0, 1e-12); // 2 (1 + e)
    slip_energy e = slip_sim_energy(sim);
    assert_near(e.work, 6.0, 1e-12);   // impulse 3 at speed 2
    assert_near(e.impact, 1.5, 1e-12); // 1/2 (1 - e^2) 2^2
    assert_near(e.numerical, 0.0, 1e-12);
    finish(sim, model);
}

// tangential restitution: a superball reverses its spin
static void test_tangential_restitution(void **state)
{
    (void)state;
    slip_model *model = model_text(
        "slipstick: 1\nname: Superball\ncoordinates: {x: {rate: 1}, y: {start: 0.01, rate: -2}, th: {rate: "
        "30}}\n"
        "parameters: {r: 0.05}\nenergy: {kinetic: \"0.5*(x'^2 + y'^2) + 0.2*r^2*th'^2\"}\n"
        "contacts: {floor: {gap: y, slip: x + r*th, friction: 10, restitution: 1, restitution_t: 1}}\n");
    slip_sim *sim = simulate(model, NULL, 1e-4, 0.02);
    const double before = total_energy(sim), slip = 1.0 + 0.05 * 30.0;
    run_whole(sim);
    assert_near(slip_sim_get(sim, "x'") + 0.05 * slip_sim_get(sim, "th'"), -slip, 1e-12);
    assert_near(total_energy(sim), before, 1e-12);
    finish(sim, model);
}

// ---- what is refused and what is said ----------------------------------------------------------------

static void refuse(const char *text, const char *solver, slip_status expected, const char *word)
{
    slip_model *model = model_text(text);
    slip_sim_def def = slip_default_sim_def();
    slip_error error;
    slip_sim *sim = NULL;
    def.formulation = "moreau";
    def.solver = solver;
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), expected);
    assert_null(sim);
    assert_non_null(strstr(error.text, word));
    slip_model_destroy(model);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char puck[] = "slipstick: 1\nname: Puck\ncoordinates: {x: 0, y: 0, z: 0}\n"
                               "energy: {kinetic: \"0.5*(x'^2 + y'^2 + z'^2)\"}\n"
                               "contacts: {ice: {gap: z, slip: [x, y], friction: 0.1}}\n";
    refuse(puck, "lemke", SLIP_UNSUPPORTED, "two-component");
    refuse(puck, "qp", SLIP_UNSUPPORTED, "does not take");
    refuse(
        "slipstick: 1\nname: P\ncoordinates: {x: 0}\nenergy: {kinetic: \"x'^2\"}\nrun: {projection: some}\n",
        NULL, SLIP_BAD_MODEL, "none, constraints or all");
}

// Two contacts that contradict each other: a step without a solution ends the run and keeps the state
static void test_unsolvable(void **state)
{
    (void)state;
    slip_model *model =
        model_text("slipstick: 1\nname: Crushed\ncoordinates: {x: 0}\nenergy: {kinetic: \"0.5*x'^2\"}\n"
                   "contacts: {left: {gap: x - t}, right: {gap: -x - t}}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 1.0);
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    assert_int_equal(outcome, SLIP_UNSOLVED);
    assert_true(slip_sim_get(sim, "x") == 0.0 && slip_sim_steps(sim) == 0);
    assert_non_null(strstr(slip_log_failure(sim->method->log), "no solver"));
    finish(sim, model);
}

static void test_blow_up(void **state)
{
    (void)state;
    slip_model *model =
        model_text("slipstick: 1\nname: Away\ncoordinates: {x: {start: 1}}\nenergy: {kinetic: \"0.5*x'^2\"}\n"
                   "forces: {x: exp(x^2)}\n");
    slip_sim *sim = simulate(model, NULL, 1e-2, 100.0);
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    assert_int_equal(outcome, SLIP_BLOWN_UP);
    assert_true(isfinite(slip_sim_get(sim, "x")));
    finish(sim, model);
}

// a step that leaves no trace, and a state set from outside
static void test_peek_and_set(void **state)
{
    (void)state;
    slip_model *model = model_file("models/classics/bouncing-ball.yaml", NULL);
    slip_sim *one = simulate(model, NULL, 1e-3, 1.0), *other = simulate(model, NULL, 1e-3, 1.0);
    double row[3];
    for (int k = 0; k < 900; k++) {
        assert_int_equal(slip_sim_peek(one, slip_sim_time(one) + 0.4e-3, row), SLIP_RUNNING);
        slip_sim_step(one);
        slip_sim_step(other);
        assert_true(slip_sim_get(one, "y") == slip_sim_get(other, "y"));
    }
    assert_int_equal(slip_sim_set(one, "y", 2.0, NULL), SLIP_OK);
    slip_sim_step(one);
    assert_near(slip_sim_get(one, "y"), 2.0, 0.02);
    slip_sim_destroy(other);
    finish(one, model);
}

// ---- options of the solver ------------------------------------------------------------------------------

// impulses that one sweep of pgs is too few for: with it, others answer
static double rescued(const slip_sim_def *def, const char *change)
{
    slip_model *model = model_file("models/classics/rocking-block.yaml", (const char *[4]){ change });
    slip_error error;
    slip_sim *sim = NULL;
    assert_int_equal(slip_sim_create(model, def, &error, &sim), SLIP_OK);
    while (slip_sim_step(sim) == SLIP_RUNNING) continue;
    const double count = measure(sim, "rescued_solves");
    finish(sim, model);
    return count;
}

static void test_options_of_the_solver(void **state)
{
    (void)state;
    slip_error error;
    slip_sim_def def = slip_default_sim_def();
    slip_solve_options options = slip_no_solve_options();
    def.formulation = "moreau";
    def.solver = "pgs";
    def.until = 0.3;
    assert_true(rescued(&def, NULL) == 0.0);
    assert_true(rescued(&def, "run.solver_options.max_iterations=1") > 0.0);
    def.solver_options = &options;
    assert_int_equal(slip_solve_option_set(&options, "max_iterations=1", &error), SLIP_OK);
    assert_true(rescued(&def, NULL) > 0.0);
    assert_true(rescued(&def, "run.solver_options.max_iterations=1000") > 0.0); // what is asked for counts
    assert_int_equal(slip_solve_option_set(&options, "max_iterations=1000", &error), SLIP_OK);
    assert_true(rescued(&def, "run.solver_options.max_iterations=1") == 0.0);

    slip_model *model = model_file("models/classics/rocking-block.yaml", (const char *[4]){ NULL });
    slip_sim *sim = NULL;
    options.tolerance = 2.0;
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_BAD_ARGUMENT);
    assert_string_equal(error.text, "must be from 0 to 1, got 2");
    options.tolerance = 1e-9;
    def.solver = NULL;
    def.formulation = "dai";
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projection_keeps_constraints),
        cmocka_unit_test(test_projection_never_adds),
        cmocka_unit_test(test_elastic_ball_keeps_its_height),
        cmocka_unit_test(test_rates_that_break_a_constraint),
        cmocka_unit_test(test_redundant_constraints),
        cmocka_unit_test(test_known_limit),
        cmocka_unit_test(test_two_components),
        cmocka_unit_test(test_belt),
        cmocka_unit_test(test_moving_floor),
        cmocka_unit_test(test_tangential_restitution),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_unsolvable),
        cmocka_unit_test(test_blow_up),
        cmocka_unit_test(test_peek_and_set),
        cmocka_unit_test(test_options_of_the_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
