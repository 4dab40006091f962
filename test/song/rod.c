/// rod.c: the falling rod of Song 2001 against independent integrations: rigid, compliant, smooth friction.
#include "song/helper.h"

#include "simulation/sim/sim.h"

typedef struct seen {
    double slide, stick, release;
} seen;

static void on_event(void *context, const slip_event *event)
{
    seen *s = context;
    if (event->kind == SLIP_EVENT_SLIDE) s->slide = event->t;
    if (event->kind == SLIP_EVENT_STICK) s->stick = event->t;
    if (event->kind == SLIP_EVENT_RELEASE && isnan(s->release)) s->release = event->t;
}

// the simulation at a time: a run of its own, so that its last step ends there
static slip_sim *at_time(const slip_model *model, const char *formulation, double tolerance, double t,
                         seen *events)
{
    slip_sim *sim = simulate(model, formulation, "cash-karp", tolerance, fmax(t, 1e-6));
    *events = (seen){ NAN, NAN, NAN };
    slip_sim_on_event(sim, on_event, events);
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    assert_int_equal(outcome, SLIP_DONE);
    return sim;
}

/// Compares what both the sample and the simulation know.
static void compare(slip_sim *sim, const json_t *sample, double absolute, double relative)
{
    static const char *const keys[][2] = { { "xc", "xc" },   { "theta", "th" }, { "thetadot", "th'" },
                                           { "vT", "vT" },   { "N", "N" },      { "T", "F" },
                                           { "phiN", "gap" } };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (!json_object_get(sample, keys[k][0])) continue;
        double expected = number(sample, keys[k][0]), value = slip_sim_get(sim, keys[k][1]);
        if (fabs(value - expected) > absolute + relative * fabs(expected))
            print_error("%s at t = %g\n", keys[k][0], number(sample, "t"));
        assert_near(value, expected, absolute + relative * fabs(expected));
    }
}

static void rigid_case_1(void **state)
{
    (void)state;
    json_t *root, *samples = truth("case1 rigid: samples", &root), *one;
    slip_model *model = load("rod-case1", "");
    seen events;
    size_t k;
    json_array_foreach(samples, k, one)
    {
        if (number(one, "t") == 0.0) continue;
        slip_sim *sim = at_time(model, "lcp", 1e-11, number(one, "t"), &events);
        compare(sim, one, 1e-10, 1e-7);
        assert_null(slip_sim_warning(sim, 0)); // trusted throughout
        slip_sim_destroy(sim);
    }
    assert_near(events.slide, 0.20311530622224572, 1e-8); // case1 rigid: sliding reversal time
    assert_near(events.slide, 0.205, 0.0025);             // as the paper says
    json_decref(root);

    // at the reversal there is one solution, sliding to the right at once
    json_t *v = truth("case1 rigid: state at reversal", &root);
    for (int side = -1; side <= 1; side += 2) {
        slip_sim *sim = at_time(model, "lcp", 1e-11, 0.20311530622224572 + side * 1e-9, &events);
        assert_near(slip_sim_get(sim, "th"), number(v, "theta"), 1e-7);
        assert_near(slip_sim_get(sim, "th'"), number(v, "thetadot"), 1e-6);
        assert_near(slip_sim_get(sim, "xc"), number(v, "xc"), 1e-8);
        assert_near(slip_sim_get(sim, "N"), number(v, side < 0 ? "N_before" : "N_after"), 1e-7);
        assert_near(slip_sim_get(sim, "F"), number(v, side < 0 ? "T_before" : "T_after"), 1e-7);
        slip_sim_destroy(sim);
    }
    json_decref(root);
    v = truth("case1 rigid: end (theta=0, rod flat)", &root);
    slip_sim *sim = at_time(model, "lcp", 1e-11, number(v, "t"), &events);
    assert_near(slip_sim_get(sim, "th"), 0.0, 1e-8);
    assert_near(slip_sim_get(sim, "th'"), number(v, "thetadot"), 1e-6);
    assert_near(slip_sim_get(sim, "xc"), number(v, "xc"), 1e-8);
    assert_near(slip_sim_get(sim, "vT"), number(v, "vT"), 1e-7);
    assert_near(slip_sim_get(sim, "N"), 0.088 * 9.81 / 4.0, 1e-8);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    json_decref(root);
}

// both readings of the characteristic time; xc and forces at every sample
static void compliant_case_1(void **state)
{
    (void)state;
    static const char *const names[] = { "case1 compliant HC+Coulomb, T=sqrt(L/g)",
                                         "case1 compliant HC+Coulomb, T=1" };
    for (int n = 0; n < 2; n++) {
        json_t *root, *runs = truth(names[n], &root), *run, *one;
        size_t i, k;
        json_array_foreach(runs, i, run)
        {
            double eps = number(run, "eps");
            if (eps < 0.9e-4) continue; // the stiffer ones belong to the order of convergence
            char sets[100];
            snprintf(sets, sizeof sets, "eps=%.17g;%s", eps, n ? "T=1" : "mu=0.27");
            slip_model *model = load("rod-case1", sets);
            json_array_foreach(json_object_get(run, "samples"), k, one)
            {
                seen events;
                slip_sim *sim = at_time(model, "hunt-crossley", 1e-10, number(one, "t"), &events);
                compare(sim, one, 2e-8, 2e-5);
                slip_sim_destroy(sim);
            }
            slip_model_destroy(model);
        }
        json_decref(root);
    }
}

// Theorem 4.1: x - x_0 = O(sqrt(eps)); the rolling interval at the reversal likewise
static void order_of_convergence(void **state)
{
    (void)state;
    const double rigid = -0.037861471509728996; // xc at 0.19 s, case1 rigid: samples
    double error[2], rolls[2];
    for (int k = 0; k < 2; k++) {
        slip_model *model = load("rod-case1", k ? "eps=1e-6" : "eps=1e-4");
        seen events;
        slip_sim *sim = at_time(model, "hunt-crossley", 1e-10, 0.19, &events);
        error[k] = fabs(slip_sim_get(sim, "xc") - rigid);
        slip_sim_destroy(sim);
        sim = at_time(model, "hunt-crossley", 1e-13, 0.21,
                      &events); // events are told at the end of a step: short ones
        rolls[k] = events.slide - events.stick;
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    double order = log(error[0] / error[1]) / log(1e2), rolling = log(rolls[0] / rolls[1]) / log(1e2);
    assert_near(order, 0.48452779445036737, 0.01);
    assert_near(rolling, 0.49959455109558165, 0.01);
    assert_true(order > 0.47 && order < 0.51 && rolling > 0.47 && rolling < 0.51);
}

static void smooth_friction(void **state)
{
    (void)state;
    seen events;
    json_t *root, *runs = truth("case1 smooth friction compliant HC, T=sqrt(L/g)", &root), *run, *one;
    size_t i, k;
    json_array_foreach(runs, i, run)
    {
        char sets[100];
        snprintf(sets, sizeof sets, "eps=%.17g", number(run, "eps"));
        slip_model *model = load("rod-case1", sets);
        json_array_foreach(json_object_get(run, "samples"), k, one)
        {
            slip_sim *sim = at_time(model, "tanh", 1e-10, number(one, "t"), &events);
            compare(sim, one, 2e-8, 2e-5);
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
    json_decref(root);
    // with rigid contacts (41): the coefficient of friction itself is smooth
    json_t *samples = truth("case1 smooth friction rigid: samples", &root);
    slip_model *model = load("rod-case1", "contacts.tip.friction=mu*tanh(abs(x' + L*sin(th)*th')/1e-3)");
    json_array_foreach(samples, k, one)
    {
        slip_sim *sim = at_time(model, "lcp", 1e-11, number(one, "t"), &events);
        compare(sim, one, 1e-9, 1e-6);
        slip_sim_destroy(sim);
    }
    assert_near(events.slide, 0.20313234878673042, 1e-7);
    slip_model_destroy(model);
    json_decref(root);
}

// started on the unstable equilibrium the compliant contact separates; 2 % deeper it jams
static void case_2_leaves_the_unstable_branch(void **state)
{
    (void)state;
    json_t *root,
        *runs = truth("case2 reconstruction: compliant HC started on the unstable equilibrium", &root), *run;
    size_t i;
    json_array_foreach(runs, i, run)
    {
        char sets[100];
        snprintf(sets, sizeof sets, "eps=%.17g;d0=%.17g", number(run, "eps"), -number(run, "phi0"));
        slip_model *model = load("rod-case2", sets);
        slip_sim *sim = simulate(model, "hunt-crossley", "cash-karp", 1e-11, 0.05);
        slip_error error = { 0 };
        double eps = number(run, "eps"), T = number(run, "T"), K_t = 1.0 / (eps * T * T),
               N0 = number(run, "N0");
        assert_near(slip_sim_get(sim, "N"), N0, 1e-9 * N0);
        assert_int_equal(slip_sim_set(sim, "tip.delta", N0 / K_t * (1.0 + 1e-12), &error),
                         SLIP_OK); // about to slide left
        while (slip_sim_get(sim, "gap") <= 0.0) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        double rate = slip_sim_get(sim, "y'") - 0.5 * cos(slip_sim_get(sim, "th")) * slip_sim_get(sim, "th'");
        double late =
            slip_sim_get(sim, "gap") / (0.5 * (rate + number(run, "phid_sep"))); // since the gap was zero
        assert_near(slip_sim_time(sim) - late, number(run, "t_sep"), 2e-5 * number(run, "t_sep"));
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    json_decref(root);
    // 2 % above the equilibrium it jams. Friction is mu N all the way, which tanh says best: gamma far below
    // any slip
    json_t *above =
        json_object_get(truth("case2 claim: started below N* the compliant solution separates; started "
                              "above N* it jams",
                              &root),
                        "above");
    slip_model *model =
        load("rod-case2", "d0=1.02*2.401679913147933e-4;v0=-1e-8;contacts.tip.compliance.gamma=1e-10");
    slip_sim *sim = simulate(model, "tanh", "cash-karp", 1e-11, number(above, "t") * (1.0 - 1e-7));
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(sim, "N"), number(above, "N"), 1e-5 * number(above, "N")); // it grew from 2.3
    assert_near(slip_sim_get(sim, "vT"), 0.0, 1e-6);                                    // and stopped the tip
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    json_decref(root);
}

// the end of a held branch: when its slip has come back to zero
typedef struct release {
    double t;
    int count;
} release;

static void on_release(void *context, const slip_event *event)
{
    release *r = context;
    if (event->kind == SLIP_EVENT_RELEASE) r->t = event->t, r->count++;
}

static slip_sim *held(const slip_model *model, double until, release *r)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp", def.branch = "contact", def.until = until;
    slip_sim *sim = make_sim(model, &def);
    *r = (release){ NAN, 0 };
    slip_sim_on_event(sim, on_release, r);
    return sim;
}

// the paper's second rigid solution: contact kept although unstable, until the slip returns to zero and
// separation is the only solution left
static void case_2_held_on_the_unstable_branch(void **state)
{
    (void)state;
    static const char *const columns[] = { "th", "th'", "xc", "vT", "N" };
    static const char *const keys[] = { "theta", "thetadot", "xc", "vT", "N" };
    json_t *root, *samples = truth("case2 reconstruction: contact-maintaining samples", &root), *one;
    size_t i;
    release end;
    slip_model *model = load("rod-case2", "v0=-2e-10"); // it slides, by as little as can be told from rest
    json_array_foreach(samples, i, one)
    {
        slip_sim *sim = held(model, fmax(number(one, "t"), 1e-10), &end);
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        assert_int_equal(sim->outcome, SLIP_DONE);
        for (int k = 0; k < 5; k++) {
            double expected = number(one, keys[k]);
            assert_near(slip_sim_get(sim, columns[k]), expected, 1e-7 * fabs(expected) + 2e-8);
        }
        assert_int_equal(sim->method->trust.now, SLIP_UNSTABLE_BRANCH);
        slip_sim_destroy(sim);
    }
    json_decref(root);
    json_t *last = truth("case2 reconstruction: end of contact-maintaining solution", &root);
    slip_sim *sim = held(model, 0.2, &end);
    double N = 0.0;
    while (slip_sim_step(sim) == SLIP_RUNNING) N = fmax(N, slip_sim_get(sim, "N"));
    assert_int_equal(end.count, 1);
    assert_near(end.t, number(last, "t"), 1e-7 * number(last, "t"));
    assert_near(end.t, 0.163, 0.0005); // the paper
    assert_true(N > 14.0 &&
                N < 1.0000001 * number(last, "N")); // it rises to 16.63 N and drops to 0 from there
    assert_near(slip_sim_get(sim, "N"), 0.0, 0.0);
    assert_int_equal(sim->method->trust.now, SLIP_TRUSTED);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    json_decref(root);

    // inertias for 0.1635, 0.1630, 0.1625 s
    json_t *inertias = truth("case2 inertia that reproduces 0.163 s (L=0.5)", &root);
    for (size_t k = 0; k < 3; k++) {
        char sets[100];
        snprintf(sets, sizeof sets, "v0=-2e-10;I=%.17g", json_number_value(json_array_get(inertias, k)));
        model = load("rod-case2", sets);
        sim = held(model, 0.17, &end);
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        assert_near(end.t, 0.1635 - 0.0005 * (double)k, 1e-7);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    json_decref(root);
}

// its first solution: separation, which is free flight and what `lcp` takes by itself
static void case_2_separates(void **state)
{
    (void)state;
    json_t *root, *samples = truth("case2 reconstruction: separating solution", &root), *one;
    size_t i;
    slip_model *model = load("rod-case2", "v0=-2e-10");
    json_array_foreach(samples, i, one)
    {
        slip_sim *sim = simulate(model, "lcp", NULL, 0.0, number(one, "t"));
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        assert_near(slip_sim_get(sim, "th"), number(one, "theta"), 1e-9);
        assert_near(slip_sim_get(sim, "gap"), number(one, "phiN"), 1e-9);
        assert_near(slip_sim_get(sim, "xc"), number(one, "xc"), 1e-9);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
    json_decref(root);
}

// momentum: with all forces recorded, m x'' is the friction and m y'' the normal force less weight
static void energy_and_cone(void **state)
{
    (void)state;
    static const char *const formulations[] = { "kelvin-voigt", "hunt-crossley", "tanh" };
    for (int n = 0; n < 3; n++) {
        slip_model *model = load("rod-case1", "");
        slip_sim *sim = simulate(model, formulations[n], "cash-karp", 1e-9, 0.22);
        double most = 0.0;
        while (slip_sim_step(sim) == SLIP_RUNNING) {
            assert_true(fabs(slip_sim_get(sim, "F")) <=
                        0.27 * slip_sim_get(sim, "N") * (1.0 + 1e-12) + 1e-15);
            assert_true(slip_sim_get(sim, "N") >= 0.0); // no suction
            slip_energy e = slip_sim_energy(sim);
            assert_near(e.numerical, 0.0, 1e-9);
            assert_true(e.friction >= most - 1e-6); // friction takes, save what its spring gives back
            most = fmax(most, e.friction);
        }
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_case_1),
        cmocka_unit_test(compliant_case_1),
        cmocka_unit_test(order_of_convergence),
        cmocka_unit_test(smooth_friction),
        cmocka_unit_test(case_2_leaves_the_unstable_branch),
        cmocka_unit_test(case_2_held_on_the_unstable_branch),
        cmocka_unit_test(case_2_separates),
        cmocka_unit_test(energy_and_cone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
