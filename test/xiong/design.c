/// design.c: restitution of formulation dai: the exact function, its inverse, and what a simulation makes of
/// it.
#include "simulation/sim/sim.h"
#include "slipstick/design.h"
#include "xiong/helper.h"

// ------------------------------------------------------------------------------------ exact function

/// Contact (eqs 24, 25) in units of w and the impact speed, integrated directly: rk4 with small steps in
/// long double, release by bisection on the length of the last step.
typedef struct contact {
    long double p, v, e;
} contact;

static contact rate_of(long double a, long double b, contact x)
{
    return (contact){ x.v, x.e - b * (x.p + x.e) / a, -(x.p + x.e) / a };
}

static contact moved(contact x, long double h, contact d)
{
    return (contact){ x.p + h * d.p, x.v + h * d.v, x.e + h * d.e };
}

static contact rk4_step(long double a, long double b, contact x, long double h)
{
    contact k1 = rate_of(a, b, x), k2 = rate_of(a, b, moved(x, h / 2, k1)),
            k3 = rate_of(a, b, moved(x, h / 2, k2));
    contact k4 = rate_of(a, b, moved(x, h, k3));
    contact sum = { k1.p + 2 * k2.p + 2 * k3.p + k4.p, k1.v + 2 * k2.v + 2 * k3.v + k4.v,
                    k1.e + 2 * k2.e + 2 * k3.e + k4.e };
    return moved(x, h / 6, sum);
}

static slip_dai_free_impact integrate(double ratio, double beta_w)
{
    long double b = beta_w, a = ratio * b, h = 2e-3L * (a < 1 ? a : 1), t = 0;
    contact x = { 0, -1, 0 };
    slip_dai_free_impact out = { 0 };
    for (;; t += h) {
        contact next = rk4_step(a, b, x, h);
        out.penetration = fmax(out.penetration, (double)-next.p);
        out.peak_force = fmax(out.peak_force, (double)rate_of(a, b, next).v);
        if (rate_of(a, b, next).v <= 0) break;
        x = next;
    }
    long double low = 0, high = h;
    for (int k = 0; k < 70; k++) {
        long double middle = (low + high) / 2;
        if (rate_of(a, b, rk4_step(a, b, x, middle)).v > 0)
            low = middle;
        else
            high = middle;
    }
    out.restitution = (double)rk4_step(a, b, x, low).v;
    out.release = -(double)rk4_step(a, b, x, low).p;
    out.duration = (double)(t + low);
    return out;
}

static void impact_is_exact(void **state)
{
    (void)state;
    const double ratios[] = { 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0 };
    const double beta_ws[] = { 0.2, 0.7, 1.0, 1.2649110640673518, 1.5, 2.0, 3.1622776601683795, 10.0 };
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        for (size_t j = 0; j < sizeof beta_ws / sizeof *beta_ws; j++) {
            slip_dai_free_impact exact = slip_dai_impact(ratios[i], beta_ws[j]),
                                 direct = integrate(ratios[i], beta_ws[j]);
            assert_near(exact.restitution, direct.restitution, 1e-9);
            assert_near(exact.duration, direct.duration, 1e-9);
            assert_near(exact.release, direct.release, 1e-9);
            assert_near(exact.penetration, direct.penetration, 1e-5); // the direct one is sampled
            assert_near(exact.peak_force, direct.peak_force, 1e-4);
            assert_near(slip_dai_ratio(exact.restitution, beta_ws[j]), ratios[i], 1e-9);
        }
}

static void published_values(void **state)
{
    (void)state;
    const double w = sqrt(1e5);
    const struct {
        double alpha, restitution;
    } figure5[] = { { 0.01, 1.0 },
                    { 0.007, 0.8807496471146602 },
                    { 0.005, 0.7707927918800421 },
                    { 0.001, 0.2923641963478946 } };
    for (int k = 0; k < 4; k++)
        assert_near(slip_dai_impact(figure5[k].alpha / 0.01, 0.01 * w).restitution, figure5[k].restitution,
                    1e-10);
    assert_near(slip_dai_impact(0.7, 4e-3 * w).restitution, 0.8260054757189415, 1e-9); // Example I
    // alpha -> 0: the linear spring and damper without pull
    for (double z = 0.1; z < 0.95; z += 0.1) {
        double s = sqrt(1 - z * z), e = exp(-z / s * atan2(2 * z * s, 2 * z * z - 1));
        assert_near(slip_dai_impact(1e-3, 2 * z).restitution, e, 2e-3);
    }
}

static void restitution_rises_with_alpha(void **state)
{
    (void)state;
    for (double b = 0.5; b < 20; b *= 1.7) {
        double before = 0;
        for (double r = 0.02; r <= 1.0; r += 0.02) {
            double e = slip_dai_impact(r, b).restitution;
            assert_true(e > before && e <= 1 + 1e-12);
            before = e;
        }
    }
}

static void senseless_arguments_give_nan(void **state)
{
    (void)state;
    assert_true(isnan(slip_dai_impact(0, 1).restitution) && isnan(slip_dai_impact(1.5, 1).restitution));
    assert_true(isnan(slip_dai_impact(0.5, NAN).restitution) && isnan(slip_dai_impact(0.5, 1e9).restitution));
    assert_true(isnan(slip_dai_ratio(0.01, 1)) && isnan(slip_dai_ratio(1.1, 1)) &&
                isnan(slip_dai_ratio(0.5, -1)));
    assert_true(isnan(slip_design_dai(0.5, -1, 1e-3).K) && isnan(slip_design_dai(NAN, 1, 1e-3).K));
    assert_true(isnan(slip_design_dai(0.5, 1, 0).K));
}

// ------------------------------------------------------------------------------------- in a simulation

static const char *const ball = "slipstick: 1\n"
                                "name: ball\n"
                                "parameters: {m: 1, v: 1, y0: 0.01, e: 0.5, g: 0}\n"
                                "coordinates: {y: {start: y0, rate: -v}}\n"
                                "energy: {kinetic: 0.5*m*y'^2, potential: m*g*y}\n"
                                "contacts: {floor: {gap: y, restitution: e}}\n"
                                "record: {f: floor.normal}\n";

// speed after the first contact over speed at touchdown
static double bounce(const char *sets, double v_touch, double step, double until)
{
    slip_model *model = load_model(ball, sets);
    slip_sim_def def = slip_default_sim_def();
    def.step = step;
    def.until = until;
    slip_sim *sim = make_dai_sim(model, &def);
    bool touched = false;
    double after = NAN;
    for (slip_run_outcome o = SLIP_RUNNING; o == SLIP_RUNNING && isnan(after);) {
        o = slip_sim_step(sim);
        double f = slip_sim_get(sim, "f");
        touched = touched || f > 0;
        if (touched && f == 0) after = slip_sim_get(sim, "y'");
    }
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return after / v_touch;
}

// free impacts: every restitution, phase within a step, mass and speed
static void asked_restitution_is_realised(void **state)
{
    (void)state;
    const double masses[] = { 1e-3, 1, 500 }, speeds[] = { 1e-3, 1, 80 };
    for (double e = 0.3; e < 0.985; e += 0.04)
        for (int phase = 0; phase < 8; phase++) {
            int k = phase % 3;
            double step = 1e-3, y0 = speeds[k] * step * (2 + phase / 8.0);
            char sets[160];
            snprintf(sets, sizeof sets, "e=%.17g m=%g v=%g y0=%.17g", e, masses[(phase + 1) % 3], speeds[k],
                     y0);
            assert_near(bounce(sets, speeds[k], step, 0.2), e, 0.005 * e);
        }
}

// a drop: gravity acts during the contact too, so it must be short beside v/g
static void asked_restitution_is_realised_in_a_drop(void **state)
{
    (void)state;
    for (double e = 0.3; e < 0.985; e += 0.04)
        for (int phase = 0; phase < 4; phase++) {
            double y0 = 1 + 1e-4 * phase, v = sqrt(2 * 9.81 * y0);
            char sets[160];
            snprintf(sets, sizeof sets, "e=%.17g v=0 g=9.81 y0=%.17g", e, y0);
            assert_near(bounce(sets, v, 1e-4, 0.6), e, 0.005 * e);
        }
}

/// Velocity and gap when the first contact ends, between the samples: the force is followed to 0 from its
/// last two.
typedef struct release {
    double v, y;
} release;

static release first_release(const char *sets, double g, double step)
{
    slip_model *model = load_model(ball, sets);
    slip_sim_def def = slip_default_sim_def();
    def.step = step;
    slip_sim *sim = make_dai_sim(model, &def);
    double before = 0, last = 0;
    release r = { NAN, NAN };
    for (slip_run_outcome o = SLIP_RUNNING; o == SLIP_RUNNING && isnan(r.v);) {
        o = slip_sim_step(sim);
        double f = slip_sim_get(sim, "f");
        if (last > 0 && f == 0) {
            double flown = step * (1 - fmin(1, last / (before - last)));
            r.v = slip_sim_get(sim, "y'") + g * flown;
            r.y = slip_sim_get(sim, "y") - r.v * flown + 0.5 * g * flown * flown;
        }
        before = last;
        last = f;
    }
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return r;
}

// A long contact under gravity: the velocity lost is g |gap at release| / (speed of touchdown), and what is
// left when that is given back is the restitution asked for. Without giving it back the drop is some 2 % low
// at 0.3.
static void gravity_takes_what_the_gap_at_release_says(void **state)
{
    (void)state;
    const double g = 9.81;
    for (double e = 0.3; e < 0.985; e += 0.04)
        for (int phase = 0; phase < 4; phase++) {
            double y0 = 1 + 1e-3 * phase, v = sqrt(2 * g * y0);
            char sets[160];
            snprintf(sets, sizeof sets, "e=%.17g v=0 g=9.81 y0=%.17g", e, y0);
            release r = first_release(sets, g, 1e-3);
            assert_near((r.v + g * fabs(r.y) / v) / v, e, 0.005 * e);
        }
}

// a run says what its weight takes when that is more than 1 %, and which step would do
static void what_gravity_takes_is_said(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) { // then at the step that was named
        slip_model *model = load_model(ball, "e=0.3 v=0 g=9.81 y0=1");
        slip_sim_def def = slip_default_sim_def();
        def.step = k ? 0.13e-3 : 1e-3;
        def.until = 0.6;
        slip_sim *sim = make_dai_sim(model, &def);
        run_to_end(sim);
        const char *said = slip_sim_warning(sim, 0);
        if (k == 0) {
            double speed, realised, stated;
            assert_non_null(said);
            assert_int_equal(sscanf(strstr(said, ", at "),
                                    ", at %lf m/s, realises a restitution of about %lf, not %lf,", &speed,
                                    &realised, &stated),
                             3);
            const slip_warning *w = slip_sim_warning_at(sim, 0);
            assert_int_equal(w->kind, SLIP_WARNING_RESTITUTION);
            assert_int_equal(w->advice_count, 2);
            assert_string_equal(w->advice[1].word, "substeps");
            assert_string_equal(w->advice[0].key, "run.step");
            release r = first_release("e=0.3 v=0 g=9.81 y0=1", 9.81, 1e-3);
            assert_near(speed, sqrt(2 * 9.81), 0.01);
            assert_near(realised, sqrt(r.v * r.v - 2 * 9.81 * fabs(r.y)) / speed, 0.002);
            assert_near(w->advice[0].value, 0.13e-3, 1e-9);
            assert_null(slip_sim_warning(sim, 1)); // later bounces are not told one by one
        } else {
            assert_null(said);
        }
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// The tip of a double pendulum feels another mass at the wall than where it was released; the stiffness
// follows.
static void restitution_holds_where_the_mass_changes(void **state)
{
    (void)state;
    const char *const wanted[] = { "e=0.3", "e=0.5", "e=0.8", "e=0.98" };
    for (int k = 0; k < 4; k++) {
        slip_model *model = read_model("classics", "double-pendulum-wall", wanted[k], " ");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = "dai";
        def.step = 1e-5;
        def.until = 0.45;
        slip_sim *sim = make_dai_sim(model, &def);
        double before = 0, after = 0, e = atof(wanted[k] + 2);
        for (bool touched = false; slip_sim_step(sim) == SLIP_RUNNING;) {
            assert_int_equal(slip_sim_observe(sim), SLIP_RUNNING);
            bool closed = sim->method->mode[0] & SLIP_MODE_CLOSED;
            if (!closed && !touched) before = slip_sim_get(sim, "vx");
            touched = touched || closed;
            if (closed || !touched) continue;
            after = slip_sim_get(sim, "vx");
            break;
        }
        assert_near(before, 4.322395, 1e-3);
        assert_near(-after / before, e, 0.01 * e);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static void out_of_reach_is_said(void **state)
{
    (void)state;
    const struct {
        const char *sets, *said;
    } cases[] = {
        { "e=0.05", "below what formulation dai reaches" },
        { "e=0.2", NULL },
        { "e=0.5", NULL },
        { "e=0.5 contacts.floor.dai.K=1e4 contacts.floor.dai.alpha=0.01 contacts.floor.dai.beta=0.01",
          "the given dai constants" }
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slip_model *model = load_model(ball, cases[k].sets);
        slip_sim *sim = make_dai_sim(model, NULL);
        const char *warning = slip_sim_warning(sim, 0);
        if (cases[k].said)
            assert_true(warning && strstr(warning, cases[k].said));
        else
            assert_null(warning);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// given constants win, and the others are chosen around them
static void given_constants_win(void **state)
{
    (void)state;
    const char *const sets[] = { "e=0.7 contacts.floor.dai.K=2e6", "e=0.7 contacts.floor.dai.beta=0.002",
                                 "e=0.7 contacts.floor.dai.K=2e4 contacts.floor.dai.beta=0.01" };
    for (int k = 0; k < 3; k++) {
        char all[200];
        snprintf(all, sizeof all, "%s v=2 y0=0.01", sets[k]);
        assert_near(bounce(all, 2, 2e-5, 0.2), 0.7, 0.005 * 0.7);
    }
}

// many frictions on one body: stuck without a warning, and still
static void a_crowd_of_frictions_is_stable(void **state)
{
    (void)state;
    char text[4096];
    int at = snprintf(
        text, sizeof text,
        "slipstick: 1\nname: crowd\ncoordinates: {x: 0, y: 0, a: 0}\n"
        "energy: {kinetic: 0.5*(x'^2 + y'^2 + 0.1*a'^2), potential: 9.81*y}\nforces: {x: 1 + 0.5*sin(20*t)}\n"
        "contacts:\n");
    for (int k = 0; k < 12; k++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  c%d: {gap: y + %g*sin(a), slip: x + 0.3*a, friction: 0.5}\n", k, -0.55 + 0.1 * k);
    slip_model *model = load_model(text, "");
    slip_sim_def def = slip_default_sim_def();
    def.until = 4;
    slip_sim *sim = make_dai_sim(model, &def);
    step_until(sim, 2);
    double slider = slip_sim_get(sim, "x") + 0.3 * slip_sim_get(sim, "a") - slip_sim_get(sim, "c3.a");
    run_to_end(sim);
    assert_null(slip_sim_warning(sim, 0));
    assert_near(slip_sim_get(sim, "x") + 0.3 * slip_sim_get(sim, "a") - slip_sim_get(sim, "c3.a"), slider,
                1e-12);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impact_is_exact),
        cmocka_unit_test(published_values),
        cmocka_unit_test(restitution_rises_with_alpha),
        cmocka_unit_test(senseless_arguments_give_nan),
        cmocka_unit_test(asked_restitution_is_realised),
        cmocka_unit_test(asked_restitution_is_realised_in_a_drop),
        cmocka_unit_test(gravity_takes_what_the_gap_at_release_says),
        cmocka_unit_test(what_gravity_takes_is_said),
        cmocka_unit_test(restitution_holds_where_the_mass_changes),
        cmocka_unit_test(out_of_reach_is_said),
        cmocka_unit_test(given_constants_win),
        cmocka_unit_test(a_crowd_of_frictions_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
