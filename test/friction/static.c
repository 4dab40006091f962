/// static.c: static friction above that of sliding under rigid formulations: closed forms of a mass on a belt
/// and of a mass that comes to rest.
#include "models.h"

static const char BELT[] = "slipstick: 1\nname: belt\nparameters: {Fs: 1, Fk: 0.6, v: 0.2}\n"
                           "coordinates: {x: {start: 0.2, rate: 0.2}}\nmass: {x: 1}\n"
                           "energy: {potential: 0.5*x^2}\n"
                           "frictions: {belt: {slip': x' - v, limit: Fk, static: Fs}}\n"
                           "run: {formulation: lcp, step: 1e-3, until: 21}\n";

// the same with the load of a contact
static const char PRESSED[] = "slipstick: 1\nname: belt\nparameters: {Fs: 1, Fk: 0.6, v: 0.2}\n"
                              "coordinates: {x: {start: 0.2, rate: 0.2}, y: 0}\nmass: {x: 1, y: 1}\n"
                              "energy: {potential: 0.5*x^2 + 2*y}\n"
                              "contacts: {belt: {gap: y, slip': x' - v, friction: Fk/2, static: Fs/2}}\n"
                              "run: {formulation: lcp, step: 1e-3, until: 21}\n";

static const char DECAY[] = "slipstick: 1\nname: decay\nparameters: {x0: 0.3}\n"
                            "coordinates: {x: {start: x0}}\nmass: {x: 2}\nenergy: {potential: 25*x^2}\n"
                            "frictions: {floor: {slip: x, limit: 4, static: 5}}\n"
                            "run: {formulation: lcp, step: 1e-3, until: 5}\n";

typedef struct seen {
    double slip[4], stick[4];
    int slips, sticks;
} seen;

static void on_event(void *context, const slip_event *event)
{
    seen *s = context;
    if (event->kind == SLIP_EVENT_SLIDE && s->slips < 4) s->slip[s->slips++] = event->t;
    if (event->kind == SLIP_EVENT_STICK && s->sticks < 4) s->stick[s->sticks++] = event->t;
}

// d = (Fs - Fk)/k, w = sqrt(k/m): sticks for 2 d/v, slips for 2 (pi - atan(d w/v))/w
static void ride(const char *text, const char *formulation, double tolerance)
{
    const double slips = 2.0 * (3.14159265358979324 - atan(2.0)), sticks = 4.0;
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.relative = def.absolute = 1e-10;
    slip_sim *sim = make_sim(model, &def);
    seen s = { 0 };
    slip_sim_on_event(sim, on_event, &s);
    double most = 0.0, least = 1.0;
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) {
        outcome = slip_sim_step(sim);
        most = fmax(most, slip_sim_get(sim, "x")), least = fmin(least, slip_sim_get(sim, "x"));
    }
    assert_int_equal(outcome, SLIP_DONE);
    assert_true(s.slips >= 2 && s.sticks >= 2);
    assert_near(s.slip[1] - s.slip[0], slips + sticks, tolerance);
    assert_near(s.slip[1] - s.stick[0], sticks, tolerance);
    assert_near(most, 0.6 + sqrt(0.4 * 0.4 + 0.2 * 0.2), fmax(tolerance, 2e-3)); // at steps
    assert_near(least, 0.6 - sqrt(0.4 * 0.4 + 0.2 * 0.2), fmax(tolerance, 2e-3));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void a_belt(void **state)
{
    (void)state;
    ride(BELT, "lcp", 1e-6);
    ride(BELT, "auto", 1e-6);
    ride(PRESSED, "lcp", 1e-6);
    ride(BELT, "gauss", 1e-6);
    ride(PRESSED, "gauss", 1e-6);
    ride(BELT, "moreau", 1e-2);
    ride(PRESSED, "moreau", 1e-2);
}

// n half-cycles, the least n with |x0 - 2 n Fk/k| <= Fs/k
static void a_decay(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau" };
    static const struct {
        const char *start;
        double rest;
    } cases[] = { { "x0=0.3", -0.02 }, { "x0=0.5", -0.02 }, { "x0=0.8", 0.0 } };
    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 3; k++) {
            slip_model *model = read_model("", DECAY, cases[k].start, ";");
            slip_sim_def def = slip_default_sim_def();
            def.formulation = formulations[f];
            def.relative = def.absolute = 1e-10;
            slip_sim *sim = make_sim(model, &def);
            run_to_end(sim);
            assert_near(slip_sim_get(sim, "x"), cases[k].rest, f < 3 ? 1e-7 : 1e-4);
            assert_near(slip_sim_get(sim, "x'"), 0.0, 1e-12);
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
}

// law stribeck is a limit that falls with the speed: the same motion as with that formula in its place
static void stribeck(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau" };
    static const char text[] =
        "slipstick: 1\nname: n\ncoordinates: {x: {rate: 1}, y: 0}\nmass: {x: 1, y: 1}\n"
        "energy: {potential: 9.81*y}\n"
        "contacts: {floor: {gap: y, slip: x, friction: %s}}\n"
        "run: {formulation: lcp, step: 1e-3, until: 0.1}\n";
    char law[600], formula[600];
    snprintf(law, sizeof law, text, "0.3, law: {stribeck: {static: 1.5, speed: 0.5}}");
    snprintf(formula, sizeof formula, text, "0.3*(1 + 0.5*exp(-4*x'^2))");
    for (int f = 0; f < 4; f++) {
        double end[2];
        for (int k = 0; k < 2; k++) {
            slip_model *model = read_model("", k ? formula : law, "", ";");
            slip_sim_def def = slip_default_sim_def();
            def.formulation = formulations[f];
            slip_sim *sim = make_sim(model, &def);
            run_to_end(sim);
            end[k] = slip_sim_get(sim, "x'");
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
        assert_near(end[0], end[1], 1e-12);
        assert_true(end[0] < 1.0 - 0.3 * 9.81 * 0.1);
    }
}

// A clutch whose limit fades, pulled more and more: x'' = t - F (1 - t/10) from where t = p F (1 - t/10) on
static double faded(double p)
{
    const double F = 2.0, t0 = p * F / (1.0 + 0.1 * p * F), t = 3.0, a = 1.0 + 0.1 * F;
    return a * (t * t * t - t0 * t0 * t0) / 6.0 - F * (t * t - t0 * t0) / 2.0 -
           (a * t0 * t0 / 2.0 - F * t0) * (t - t0);
}

// as a multiple of a limit, as a formula, and both at a contact
static void a_fading_clutch(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau" };
    static const char text[] = "slipstick: 1\nname: clutch\nparameters: {p: 1.5, F: 2}\n"
                               "define: {hold: F*(1 - t/10)}\n"
                               "coordinates: {x: 0, y: 0}\nmass: {x: 1, y: 1}\nforces: {x: t, y: -4}\n"
                               "%s\nrun: {formulation: lcp, step: 1e-3, until: 3}\n";
    static const char *const ways[] = {
        "frictions: {f: {slip: x, limit: hold, static_ratio: p}}",
        "frictions: {f: {slip: x, limit: hold, static: p*hold}}",
        "contacts: {f: {gap: y, slip: x, friction: hold/4, static_ratio: p}}",
        "contacts: {f: {gap: y, slip: x, friction: hold/4, static: if(t > 1, p*hold/4, 9)}}",
    };
    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 4; k++) {
            char whole[800];
            snprintf(whole, sizeof whole, text, ways[k]);
            for (int again = 0; again < 2; again++) {
                slip_model *model = read_model("", whole, again ? "p=1.2" : "", ";");
                slip_sim_def def = slip_default_sim_def();
                def.formulation = formulations[f];
                slip_sim *sim = make_sim(model, &def);
                run_to_end(sim);
                assert_near(slip_sim_get(sim, "x"), faded(again ? 1.2 : 1.5), f < 3 ? 1e-8 : 2e-3);
                slip_sim_destroy(sim);
                slip_model_destroy(model);
            }
        }
}

// a static friction that falls below that of sliding is that of sliding; one that jumps lets go at once
static void a_static_friction_that_falls(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau" };
    const struct {
        const char *at_rest;
        double begins; // when it is down to 1.5
    } cases[] = { { "3 - 2*t", 0.75 },
                  { "if(t < 1.3, 3, 0)", 1.3 },
                  { "3*exp(-10*(t - 1.3))", 1.3 + log(2.0) / 10.0 } };
    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 3; k++) {
            char text[500];
            snprintf(text, sizeof text,
                     "slipstick: 1\nname: falls\ncoordinates: {x: 0}\nmass: {x: 1}\nforces: {x: 1.5}\n"
                     "frictions: {f: {slip: x, limit: 1, static: '%s'}}\n"
                     "run: {formulation: lcp, step: 1e-3, until: 2}\n",
                     cases[k].at_rest);
            slip_model *model = read_model("", text, "", ";");
            slip_sim_def def = slip_default_sim_def();
            def.formulation = formulations[f];
            slip_sim *sim = make_sim(model, &def);
            run_to_end(sim);
            const double slid = 2.0 - cases[k].begins;
            assert_near(slip_sim_get(sim, "x"), 0.25 * slid * slid, f < 3 ? 1e-8 : 2e-3);
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
}

static void refused(void **state)
{
    (void)state;
    static const char *const others[] = { "dai", "modular", "kelvin-voigt", "hunt-crossley", "tanh" };
    slip_model *model = read_model("", BELT, "", ";");
    for (int k = 0; k < 5; k++) {
        slip_sim_def def = slip_default_sim_def();
        def.formulation = others[k];
        slip_error error = { 0 };
        slip_sim *sim = NULL;
        assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
        assert_non_null(strstr(error.text, "has a static friction of its own"));
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt),
        cmocka_unit_test(a_decay),
        cmocka_unit_test(stribeck),
        cmocka_unit_test(a_fading_clutch),
        cmocka_unit_test(a_static_friction_that_falls),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
