/// viscous.c: laws with a viscous part under rigid formulations: F + D v brings a mass to rest after
/// (m/D) ln(1 + D v0/F) on a way of m v0/D - m F/D^2 ln(1 + D v0/F).
#include "models.h"

static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau" };

static slip_sim *run(const slip_model *model, const char *formulation, const char *sensitivity)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.sensitivity = sensitivity;
    def.relative = def.absolute = 1e-10;
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    return sim;
}

// in a plane, along (0.6, 0.8): the drag turns nothing
static void comes_to_rest(void **state)
{
    (void)state;
    static const char TEXT[] = "slipstick: 1\nname: n\nparameters: {D: 3, until: 1}\n"
                               "coordinates: {x: {rate: 1.2}, y: {rate: 1.6}}\nmass: {x: 1.5, y: 1.5}\n"
                               "frictions: {oil: {slip: [x, y], limit: 0.7, law: {coulomb-viscous: "
                               "{viscous: D}}}}\nrecord: {T: oil.friction, S: oil.friction.y}\n"
                               "run: {step: 1e-4, until: until}\n";
    const double m = 1.5, F = 0.7, D = 3.0, v0 = 2.0, k = log(1.0 + D * v0 / F),
                 way = m * v0 / D - m * F / D / D * k;
    for (int f = 0; f < 4; f++) {
        slip_model *model = read_model("", TEXT, "until=1.5", ";");
        slip_sim *sim = run(model, formulations[f], NULL);
        assert_true(m / D * k < 1.5);
        assert_near(slip_sim_get(sim, "x"), 0.6 * way, f < 3 ? 1e-8 : 2e-5);
        assert_near(slip_sim_get(sim, "y"), 0.8 * way, f < 3 ? 1e-8 : 2e-5);
        assert_near(slip_sim_get(sim, "x'"), 0.0, 1e-12);
        assert_near(slip_sim_get(sim, "T"), 0.0, 1e-9);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
        model = read_model("", TEXT, "until=0.3", ";"); // on the way: F + D v
        const double v = (v0 + F / D) * exp(-D / m * 0.3) - F / D;
        sim = run(model, formulations[f], NULL);
        assert_near(slip_sim_get(sim, "y'"), 0.8 * v, f < 3 ? 1e-8 : 5e-4);
        assert_near(slip_sim_get(sim, "T"), -0.6 * (F + D * v), f < 3 ? 1e-7 : 2e-3);
        assert_near(slip_sim_get(sim, "S"), -0.8 * (F + D * v), f < 3 ? 1e-7 : 2e-3);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// on a belt at 0.5 m/s that a mass at rest is put on: the same, seen from the belt
static void on_a_belt(void **state)
{
    (void)state;
    slip_model *model = read_model("",
                                   "slipstick: 1\nname: n\ncoordinates: {x: 0}\nmass: {x: 2}\n"
                                   "frictions: {belt: {slip': x' - 0.5, limit: 1, law: {stribeck: {static: "
                                   "1, viscous: 4}}}}\nrun: {step: 1e-4, until: 1}\n",
                                   "", ";");
    const double k = log(1.0 + 4.0 * 0.5), way = 2.0 * 0.5 / 4.0 - 2.0 / 16.0 * k;
    for (int f = 0; f < 4; f++) {
        slip_sim *sim = run(model, formulations[f], NULL);
        assert_near(slip_sim_get(sim, "x"), 0.5 - way, f < 3 ? 1e-8 : 2e-5);
        assert_near(slip_sim_get(sim, "x'"), 0.5, 1e-12);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// F (1 + (s - 1) exp(-(v/v_s)^2)) + D v: the way is the integral of m v dv over it, by Simpson's rule
static double stribeck_way(double s, double D)
{
    enum { COUNT = 20000 };
    const double v0 = 0.4;
    double sum = 0.0;
    for (int k = 0; k <= COUNT; k++) {
        const double v = v0 * k / COUNT, F = 0.9 * (1.0 + (s - 1.0) * exp(-v * v / 0.01)) + D * v;
        sum += (k == 0 || k == COUNT ? 1 : k % 2 ? 4 : 2) * 1.3 * v / F;
    }
    return sum * v0 / COUNT / 3.0;
}

typedef struct slips {
    int count;
    double t[8];
} slips;

static void keep_slip(void *context, const slip_event *event)
{
    slips *s = context;
    if (event->kind == SLIP_EVENT_SLIDE && s->count < 8) s->t[s->count++] = event->t;
}

// a block behind a spring sticks and slips: its period by Runge-Kutta 8 and by Radau's method, which agree to
// 1e-12
static void sticks_and_slips(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "squeal", "", ";");
    for (int f = 0; f < 4; f++) {
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        def.relative = def.absolute = 1e-10;
        slip_sim *sim = make_sim(model, &def);
        slips s = { 0 };
        slip_sim_on_event(sim, keep_slip, &s);
        run_to_end(sim);
        assert_int_equal(s.count, 5);
        assert_near(s.t[0], 1.4, f < 3 ? 1e-9 : 2e-3);
        assert_near((s.t[4] - s.t[0]) / 4.0, 1.80601833748, f < 3 ? 1e-8 : 5e-4);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// parameters of a law are parameters of the model: ways and their derivatives
static void derivatives(void **state)
{
    (void)state;
    slip_model *model = read_model("",
                                   "slipstick: 1\nname: n\nparameters: {s: 1.5, D: 2}\n"
                                   "coordinates: {x: {rate: 0.4}}\nmass: {x: 1.3}\n"
                                   "frictions: {g: {slip: x, limit: 0.9, law: {stribeck: {static: s, speed: "
                                   "0.1, viscous: D}}}}\nrun: {step: 1e-3, until: 2}\n",
                                   "", ";");
    const double h = 1e-4, by_s = (stribeck_way(1.5 + h, 2.0) - stribeck_way(1.5 - h, 2.0)) / (2.0 * h),
                 by_D = (stribeck_way(1.5, 2.0 + h) - stribeck_way(1.5, 2.0 - h)) / (2.0 * h);
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = run(model, formulations[f], "s,D");
        assert_near(slip_sim_get(sim, "x"), stribeck_way(1.5, 2.0), 1e-8);
        assert_near(slip_sim_get(sim, "d(x)/d(s)"), by_s, 1e-6);
        assert_near(slip_sim_get(sim, "d(x)/d(D)"), by_D, 1e-6);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// other numbers in a simulation that is started again: forces are derived anew
static void started_again(void **state)
{
    (void)state;
    static const char TEXT[] = "slipstick: 1\nname: n\nparameters: {D: 0}\ncoordinates: {x: {rate: 1}}\n"
                               "mass: {x: 1}\nfrictions: {g: {slip: x, limit: 1, law: {coulomb-viscous: "
                               "{viscous: D}}}}\nrun: {formulation: lcp, step: 1e-3, until: 2}\n";
    const double D[] = { 0.0, 2.0, 5.0, 0.0 };
    slip_model *model = read_model("", TEXT, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.relative = def.absolute = 1e-10;
    slip_sim *sim = make_sim(model, &def);
    slip_model *varied[4] = { NULL };
    for (int k = 0; k < 4; k++) {
        char change[40];
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_error error = { 0 };
        snprintf(change, sizeof change, "D=%g", D[k]);
        assert_int_equal(slip_model_vary(model, (const char *[]){ change }, 1, notes, &varied[k]), SLIP_OK);
        assert_int_equal(slip_sim_restart(sim, varied[k], &def, &error), SLIP_OK);
        run_to_end(sim);
        const double way = D[k] > 0.0 ? 1.0 / D[k] - log(1.0 + D[k]) / (D[k] * D[k]) : 0.5;
        assert_near(slip_sim_get(sim, "x"), way, 1e-8);
        slip_diagnostics_destroy(notes);
    }
    slip_sim_destroy(sim);
    for (int k = 0; k < 4; k++) slip_model_destroy(varied[k]);
    slip_model_destroy(model);
}

static void refused(void **state)
{
    (void)state;
    static const char TEXT[] =
        "slipstick: 1\nname: n\ncoordinates: {x: {rate: 1}, y: 0}\nmass: {x: 1, y: 1}\n"
        "forces: {y: -1}\ncontacts: {floor: {gap: y, slip: x, friction: 1, law: {%s}}}\n";
    static const struct {
        const char *law, *words;
    } cases[] = { { "coulomb-viscous: {viscous: 2}", "that would end where the contact opens" },
                  { "lugre: {stiffness: 1000}", "this law has states" } };
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < 4; f++) {
            char text[400];
            snprintf(text, sizeof text, TEXT, cases[k].law);
            slip_model *model = read_model("", text, "", ";");
            slip_sim_def def = slip_default_sim_def();
            slip_error error = { 0 };
            slip_sim *sim = NULL;
            def.formulation = formulations[f];
            assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
            assert_non_null(strstr(error.text, cases[k].words));
            slip_model_destroy(model);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_to_rest), cmocka_unit_test(on_a_belt),     cmocka_unit_test(sticks_and_slips),
        cmocka_unit_test(derivatives),   cmocka_unit_test(started_again), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
