/// modular.c: formulation modular on models of its own, and against the other formulations.
#include "kikuuwe/helper.h"

static const char incline[] =
    "slipstick: 1\nname: Incline\nparameters: {m: 2, mu: 0.5, a: 0.4, g: 9.81}\n"
    "coordinates: {x: 0, y: 0}\n"
    "energy: {kinetic: 0.5*m*(x'^2 + y'^2), potential: m*g*(y*cos(a) - x*sin(a))}\n"
    "contacts: {floor: {gap: y, slip: x, friction: mu}}\n"
    "record: {N: floor.normal, T: floor.friction, stick: floor.stick}\n"
    "run: {formulation: modular, integrator: rk4-generalised, step: 1 ms, until: 3}\n";

static void a_block_holds_on_a_slope(void **state)
{
    (void)state;
    slip_model *model = load_model(incline, "");
    slip_sim *sim = make_sim(model, NULL);
    double settled = NAN;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        double N = slip_sim_get(sim, "N"), T = slip_sim_get(sim, "T");
        assert_true(N >= 0);
        assert_true(fabs(T) <= 0.5 * N * (1 + 1e-12));
        if (slip_sim_steps(sim) == 1500) settled = slip_sim_get(sim, "x");
    }
    assert_near(slip_sim_get(sim, "x"), settled, 1e-12); // no creep
    assert_near(slip_sim_get(sim, "N"), 2 * 9.81 * cos(0.4), 1e-6);
    assert_near(slip_sim_get(sim, "T"), -2 * 9.81 * sin(0.4), 1e-6);
    assert_near(slip_sim_get(sim, "stick"), 1, 0);
    assert_null(slip_sim_warning(sim, 0));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void it_slides_as_coulomb_says(void **state)
{
    (void)state;
    slip_model *model = load_model(incline, "mu=0.2");
    slip_sim *sim = make_sim(model, NULL);
    run_to_end(sim);
    double a = 9.81 * (sin(0.4) - 0.2 * cos(0.4));
    assert_near(slip_sim_get(sim, "x'"), 3 * a,
                2e-3 * 3 * a); // the floor gives way for a moment at the start
    slip_energy e = slip_sim_energy(sim);
    assert_near(e.numerical, 0, 1e-4 * e.friction);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// whatever the phase of touchdown within a step
static void restitution_is_what_was_asked_for(void **state)
{
    (void)state;
    static const char *const wanted[] = { "0.05", "0.2", "0.5", "0.8", "0.95", "1" };
    for (int k = 0; k < 6; k++) {
        for (int phase = 0; phase < 10; phase++) {
            char sets[64], height[32];
            snprintf(height, sizeof height, "%.6f", 1.0005 + 1e-4 * phase);
            snprintf(sets, sizeof sets, "e=%s h=%s", wanted[k], height);
            slip_model *model = load_model(
                "slipstick: 1\nname: Ball\nparameters: {e: 0.5, h: 1, m: 0.7}\n"
                "coordinates: {y: {start: h, rate: -1}}\n"
                "energy: {kinetic: 0.5*m*y'^2}\n"
                "contacts: {floor: {gap: y, restitution: e}}\n"
                "run: {formulation: modular, integrator: rk4-generalised, step: 1 ms, until: 2.5}\n",
                sets);
            slip_sim *sim = make_sim(model, NULL);
            run_to_end(sim);
            assert_near(slip_sim_get(sim, "y'"), atof(wanted[k]), 0.011);
            assert_null(slip_sim_warning(sim, 0));
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
    }
}

// two-component slip: a coin pushed askew decelerates along its path, which stays straight
static void friction_opposes_the_slip_in_the_plane(void **state)
{
    (void)state;
    slip_model *model =
        load_model("slipstick: 1\nname: Coin\ncoordinates: {x: {rate: 3}, y: {rate: 4}}\n"
                   "energy: {kinetic: 0.5*(x'^2 + y'^2)}\n"
                   "frictions: {table: {slip: [x, y], limit: 2}}\n"
                   "record: {fx: table.friction, fy: table.friction.y}\n"
                   "run: {formulation: modular, integrator: rk4-generalised, step: 1 ms, until: 4}\n",
                   "");
    slip_sim *sim = make_sim(model, NULL);
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        double x = slip_sim_get(sim, "x"), y = slip_sim_get(sim, "y");
        assert_near(4 * x, 3 * y, 1e-9);
        assert_true(hypot(slip_sim_get(sim, "fx"), slip_sim_get(sim, "fy")) <= 2 * (1 + 1e-12));
    }
    assert_near(hypot(slip_sim_get(sim, "x"), slip_sim_get(sim, "y")), 25.0 / 4, 5e-3); // v^2/(2 F/m)
    assert_near(slip_sim_get(sim, "x'"), 0, 1e-9);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// with the stage step at 0 the element is the sat of formulation dai: beta = B/K
static void without_stage_steps_it_is_dai(void **state)
{
    (void)state;
    slip_model *model =
        load_model("slipstick: 1\nname: Mass\ncoordinates: {p: 0}\nmass: {p: 1}\n"
                   "forces: {p: 'if(t < 2, min(0.52, 0.8*t), 0.336 + 0.144*cos(100*t))'}\n"
                   "frictions: {f: {slip: p, limit: 0.5, compliance: {stiffness_t: 5000, damping_t: "
                   "10}, dai: {K: 5000, beta: 0.002}}}\n"
                   "run: {integrator: rk4, step: 1 ms, until: 4}\n",
                   "");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "modular";
    slip_sim *a = make_sim(model, &def);
    def.formulation = "dai";
    slip_sim *b = make_sim(model, &def);
    run_to_end(a);
    run_to_end(b);
    assert_near(slip_sim_get(a, "p"), slip_sim_get(b, "p"), 1e-13);
    assert_near(slip_sim_get(a, "f.e"), slip_sim_get(b, "f.a"), 1e-15);
    slip_sim_destroy(a);
    slip_sim_destroy(b);
    slip_model_destroy(model);
}

// the regularisation is of order 1/K: rest angles of the arm against the rigid one (errata K19)
static void stiffer_joints_approach_the_rigid_arm(void **state)
{
    (void)state;
    double error[2];
    static const char *const stiffness[] = { "K=5000 B=1", "K=50000 B=1" };
    for (int k = 0; k < 2; k++) {
        slip_model *model = load_model("two-link", stiffness[k]);
        slip_sim_def def = slip_default_sim_def();
        def.until = 6;
        def.step = 2e-5;
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        error[k] = fabs(slip_sim_get(sim, "th0") - slip_sim_get(sim, "joint0.e") - 1.1797603529026508);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    assert_true(error[0] < 6e-4 && error[1] < 0.2 * error[0]);
}

// errata K16: the sphere's stick is stable up to 2.1e-4 s; two times that is told before it chatters
static void a_step_too_long_is_told(void **state)
{
    (void)state;
    static const double steps[] = { 2.0e-4, 2.3e-4 };
    for (int k = 0; k < 2; k++) {
        slip_model *model = load_model("sphere", "");
        slip_sim_def def = slip_default_sim_def();
        def.step = steps[k];
        slip_sim *sim = make_sim(model, &def);
        if (k == 0) assert_null(slip_sim_warning(sim, 0));
        if (k == 1) assert_non_null(slip_sim_warning(sim, 0));
        if (k == 1) assert_non_null(strstr(slip_sim_warning(sim, 0), "largest stable step there is 0.00021"));
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// Stages that slide while the present sticks are no reason for an alarm: an arm that is pushed until its
// joints give way, and then shaken
static void sliding_stages_are_no_alarm(void **state)
{
    (void)state;
    static const char *const arm =
        "slipstick: 1\n"
        "name: arm\n"
        "parameters: {m0: 0.6, m1: 0.6, l0: 0.28, l1: 0.25, F: 0.5, K: 5000, B: 1}\n"
        "define:\n"
        "  w: th0' + th1'\n"
        "  push: min(0.52, 0.3*t)\n"
        "  tau0: if(t < 4, push, 0.336 + 0.144*sin(100*t))\n"
        "  tau1: if(t < 4, push, 0.336 + 0.144*cos(100*t))\n"
        "coordinates: {th0: {start: 0.1}, th1: {start: -0.3}}\n"
        "energy:\n"
        "  kinetic: m0*l0^2*th0'^2/6 + m1*(l0^2*th0'^2/2 + l1^2*w^2/6 + l0*l1*cos(th1)*th0'*w/2)\n"
        "forces: {th0: tau0, th1: tau1}\n"
        "frictions:\n"
        "  joint0: {slip: th0, limit: F, compliance: {stiffness_t: K, damping_t: B}}\n"
        "  joint1: {slip: th1, limit: F, compliance: {stiffness_t: K, damping_t: B}}\n"
        "run: {formulation: modular, integrator: rk4-generalised, step: 0.1 ms, until: 6}\n";
    slip_model *model = read_model("", arm, "", " ");
    slip_sim *sim = make_sim(model, NULL);
    run_to_end(sim);
    assert_null(slip_sim_warning(sim, 0));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// A falling rod does not depend on the step; a contact that is stiffer where the rod strikes than where it
// was released is, and is told when it gets there, not before. With its constants kept, the step that is
// named will do.
static void a_regime_too_fast_is_told_when_it_is_entered(void **state)
{
    (void)state;
    slip_model *model = read_model("gomez", "painleve-rod", "", " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "modular";
    def.integrator = "rk4-generalised";
    def.until = 1;
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    assert_null(slip_sim_warning(sim, 0));
    slip_sim_destroy(sim);
    slip_model_destroy(model);

    model = read_model("song", "rod-case2", "", " ");
    def.step = 1e-3;
    def.until = 0.3;
    sim = make_sim(model, &def);
    assert_null(slip_sim_warning(sim, 0));
    run_to_end(sim);
    const char *said = slip_sim_warning(sim, 0);
    assert_non_null(said);
    assert_non_null(strstr(
        said, "in the regime that the motion has entered: its largest stable step there is 0.000847 s"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);

    model = read_model("song", "rod-case2",
                       "contacts.tip.compliance.stiffness=2004.8602582334538 "
                       "contacts.tip.compliance.damping=100.2430129116727 "
                       "contacts.tip.compliance.stiffness_t=16075.604064678073 "
                       "contacts.tip.compliance.damping_t=22.505845690549297",
                       " ");
    def.step = 0.83e-3;
    sim = make_sim(model, &def);
    run_to_end(sim);
    for (int k = 0; slip_sim_warning(sim, k); k++)
        assert_null(strstr(slip_sim_warning(sim, k), "largest stable step"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// a rod as a stiff constraint keeps its length, and what the mass falls by is its speed
static void a_constraint_holds(void **state)
{
    (void)state;
    slip_model *model = load_model("slipstick: 1\nname: Pendulum\ncoordinates: {x: 1, y: 0}\n"
                                   "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: y}\n"
                                   "constraints: {rod: x^2 + y^2 - 1}\nrun: {formulation: modular}\n",
                                   "");
    slip_sim_def def = slip_default_sim_def();
    def.until = 2.0;
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    double x = slip_sim_get(sim, "x"), y = slip_sim_get(sim, "y");
    assert_near(hypot(x, y), 1.0, 1e-3);
    assert_near(0.5 * (pow(slip_sim_get(sim, "x'"), 2.0) + pow(slip_sim_get(sim, "y'"), 2.0)) + y, 0.0, 1e-3);
    assert_true(y < -0.9);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_holds_on_a_slope),
        cmocka_unit_test(it_slides_as_coulomb_says),
        cmocka_unit_test(restitution_is_what_was_asked_for),
        cmocka_unit_test(friction_opposes_the_slip_in_the_plane),
        cmocka_unit_test(without_stage_steps_it_is_dai),
        cmocka_unit_test(stiffer_joints_approach_the_rigid_arm),
        cmocka_unit_test(a_step_too_long_is_told),
        cmocka_unit_test(a_regime_too_fast_is_told_when_it_is_entered),
        cmocka_unit_test(sliding_stages_are_no_alarm),
        cmocka_unit_test(a_constraint_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
