/// impacts.c: derivatives through impacts by every law, alone and of several contacts at once.
#include "ride.h"

#define TIGHT(until) "run: {step: 1 ms, until: " until ", relative: 1e-11, absolute: 1e-13}\n"

static const char *const laws[] = { "newton", "newton-process", "poisson", "poisson-process", "energetic" };
enum { LAWS = sizeof laws / sizeof *laws };

// A rod that strikes with its end: normal and slip are coupled, so that laws differ, and the slip may turn
// back. Against quotients of runs
static void of_a_rod(void **state)
{
    (void)state;
    static const char rod[] =
        "slipstick: 1\nname: rod\nparameters: {mu: %s, e: 0.6, v: 0.4, w0: 1, a0: 0.7, h: 0.6, m: 1.3}\n"
        "coordinates: {x: {rate: v}, y: {start: h}, a: {start: a0, rate: w0}}\n"
        "mass: {x: m, y: m, a: m/12}\nforces: {y: -9.81*m}\n"
        "contacts: {tip: {gap: y - 0.5*sin(a), slip: x - 0.5*cos(a), friction: mu, restitution: e,\n"
        "    impact: %s}}\n" TIGHT("0.35");
    static const struct {
        const char *mu;
        double value;
    } frictions[] = { { "0.1", 0.1 }, { "0.8", 0.8 } };
    static const struct {
        const char *name;
        double value;
    } to[] = { { "e", 0.6 }, { "v", 0.4 }, { "w0", 1 }, { "a0", 0.7 }, { "h", 0.6 } };
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < LAWS; i++) {
            char text[600];
            snprintf(text, sizeof text, rod, frictions[f].mu, laws[i]);
            ride r = run(text, "", "lcp", "e, v, w0, a0, h, mu"), other = run(text, "", "moreau", "mu");
            for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
                double q = quotient_by(text, "lcp", NULL, "a'", to[k].name, to[k].value, 2e-4);
                assert_near(slope(&r, "a'", to[k].name), q, 2e-7 * fmax(1.0, fabs(q)));
                q = quotient_by(text, "lcp", NULL, "x", to[k].name, to[k].value, 2e-4);
                assert_near(slope(&r, "x", to[k].name), q, 2e-7 * fmax(1.0, fabs(q)));
            }
            double q = quotient_by(text, "lcp", NULL, "x'", "mu", frictions[f].value, 2e-4);
            assert_near(slope(&r, "x'", "mu"), q, 2e-7 * fmax(1.0, fabs(q)));
            assert_near(slope(&other, "x'", "mu"), q, 1e-4 * fmax(1.0, fabs(q)));
            end(&r);
            end(&other);
        }
}

// A ball strikes three that touch each other. Whatever the law, rates behind are proportional to the rate
// before, and places follow: x = x_0 + u+ (T - t), t = d/v
static void of_a_cradle(void **state)
{
    (void)state;
    static const char cradle[] =
        "slipstick: 1\nname: cradle\nparameters: {v: 1.5, d: 0.3, e: 0.8, m: 1.7}\n"
        "coordinates: {a: {start: -d, rate: v}, b: 0, c: 0, f: 0}\nmass: {a: m, b: 1, c: 1.2, f: 0.9}\n"
        "contacts:\n  ab: {gap: b - a, restitution: e, impact: %s}\n"
        "  bc: {gap: c - b, restitution: e, impact: %s}\n"
        "  cf: {gap: f - c, restitution: e, impact: %s}\n" TIGHT("0.5");
    static const char *const names[] = { "a", "b", "c", "f" };
    const double v = 1.5, d = 0.3, T = 0.5;
    for (int i = 0; i < LAWS; i++) {
        char text[700];
        snprintf(text, sizeof text, cradle, laws[i], laws[i], laws[i]);
        ride r = run(text, "", "lcp", "v, d, e");
        for (int k = 0; k < 4; k++) {
            char rate[4];
            snprintf(rate, sizeof rate, "%s'", names[k]);
            const double u = slip_sim_get(r.sim, rate);
            assert_near(slope(&r, rate, "v"), u / v, 1e-9);
            assert_near(slope(&r, rate, "d"), 0.0, 1e-9);
            assert_near(slope(&r, names[k], "v"), u / v * (T - d / v) + u * d / (v * v), 1e-9);
            assert_near(slope(&r, names[k], "d"), -u / v, 1e-9);
            const double q = quotient_by(text, "lcp", NULL, rate, "e", 0.8, 1e-4);
            assert_near(slope(&r, rate, "e"), q, 1e-8);
        }
        end(&r);
    }
}

static void ends(const char *text, const char *names, const char *words)
{
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    def.sensitivity = names;
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    const char *why = slip_sim_derivatives_end(sim, NULL);
    if (!why || !strstr(why, words)) print_error("%s\n", why ? why : "derivatives go on");
    assert_true(why && strstr(why, words));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// A disc lands so that friction just stops its slip: mu (1 + e) V = |s|/3 with J = m R^2/2, where a little
// less friction lets it slide on
static void at_borders(void **state)
{
    (void)state;
    static const char disc[] = "slipstick: 1\nname: disc\nparameters: {mu: %.17g, v: 1}\n"
                               "coordinates: {x: {rate: v}, y: {start: 0.5}, a: 0}\n"
                               "mass: {x: 1, y: 1, a: 0.005}\nforces: {y: -10}\n"
                               "contacts: {floor: {gap: y, slip: x + 0.1*a, friction: mu,\n"
                               "    restitution: 0.5, impact: %s}}\n" TIGHT("0.5");
    for (int i = 0; i < LAWS; i++) {
        char text[600];
        snprintf(text, sizeof text, disc, 1.0 / 3.0 / (1.5 * sqrt(10.0)), laws[i]);
        ends(text, "mu", "border");
        ends(text, "v", "border");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_rod),
        cmocka_unit_test(of_a_cradle),
        cmocka_unit_test(at_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
