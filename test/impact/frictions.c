/// frictions.c: frictions that follow a force, in impacts: closed forms of rolling, spinning, load-dependent and
/// joint friction whose impulses are limited by the impulses that they follow.
#include <math.h>

#include "sensitivity/ride.h"

static const char *const laws[] = { "newton", "poisson", "newton-process", "poisson-process", "energetic" };
static const char *const rigid[] = { "lcp", "gauss", "auto", "moreau" };
enum { LAWS = 5, RIGID = 4 };

// the value of a column at the end, with another impact law and formulation
static double end_of(const char *text, const char *law, const char *sets, const char *formulation,
                     const char *column)
{
    char all[400];
    snprintf(all, sizeof all, "%s%simpact=%s", sets, sets[0] ? ";" : "", law);
    ride r = run(text, all, formulation, NULL);
    const double value = slip_sim_get(r.sim, column);
    end(&r);
    return value;
}

static double sign_of(double x)
{
    return x < 0.0 ? -1.0 : 1.0;
}

// ---- a disc: slides, rolls and comes to rest in an impact of one contact

static const char DISC[] =
    "slipstick: 1\nname: disc\n"
    "parameters: {m: 1.3, I: 0.2, R: 0.15, mu: 0.1, c: 0.01, e: 0.6, v: 4, u: 5, w: 30}\nimpact: newton\n"
    "bodies:\n  ground: {shape: {line: [0, 0]}}\n"
    "  disc: {mass: m, inertia: I, shape: {circle: R}, y: {start: R, rate: -v}, x: {rate: u}, th: {rate: "
    "w}}\n"
    "contacts: {floor: {between: [disc, ground], friction: mu, rolling: c, restitution: e}}\n"
    "run: {step: 1e-6, until: 1e-6}\n";

typedef struct disc {
    double mu, c, u, w;
} disc;

// x' and th' after the impact: m dx' = T, I dth' = R T + C, |T| <= mu P and |C| <= c P against what is left
static void disc_after(const disc *d, double *u, double *w)
{
    const double m = 1.3, I = 0.2, R = 0.15, P = m * 1.6 * 4.0;
    double C = -d->c * P * sign_of(d->w), T = -d->mu * P * sign_of(d->u + R * d->w);
    *u = d->u + T / m, *w = d->w + (R * T + C) / I;
    if ((*u + R * *w) * (d->u + R * d->w) < 0.0) { // the slip stops, and the spin goes on
        T = -(d->u + R * d->w + R * C / I) / (1.0 / m + R * R / I);
        *u = d->u + T / m, *w = d->w + (R * T + C) / I;
        if (*w * d->w < 0.0) *u = *w = 0.0; // both stop
    }
}

static void of_a_disc(void **state)
{
    (void)state;
    static const disc discs[] = { { 0.1, 0.01, 5.0, 30.0 },
                                  { 2.0, 0.01, 5.0, 30.0 },
                                  { 2.0, 0.01, 0.1, 0.3 },
                                  { 0.05, 0.02, 5.0, -20.0 } };
    for (size_t k = 0; k < sizeof discs / sizeof *discs; k++) {
        char sets[120];
        double u, w;
        disc_after(&discs[k], &u, &w);
        snprintf(sets, sizeof sets, "mu=%.17g;c=%.17g;u=%.17g;w=%.17g", discs[k].mu, discs[k].c, discs[k].u,
                 discs[k].w);
        for (int f = 0; f < RIGID; f++)
            for (int law = 0; law < LAWS; law++) {
                assert_near(end_of(DISC, laws[law], sets, rigid[f], "disc.x'"), u, 1e-9);
                assert_near(end_of(DISC, laws[law], sets, rigid[f], "disc.th'"), w, 1e-8);
            }
    }
}

// ---- a ball in space: rolling friction against the spin along the floor, spinning friction about its normal

static void of_a_ball(void **state)
{
    (void)state;
    static const char TEXT[] =
        "slipstick: 1\nname: ball\nspace: 3\nimpact: newton\nbodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"
        "  ball: {mass: 2, inertia: 0.05, shape: {sphere: 0.1}, z: {start: 0.1, rate: -3}, spin: [6, 8, "
        "20]}\n"
        "contacts: {floor: {between: [ball, ground], rolling: 0.03, spinning: 0.01, restitution: 0.5}}\n"
        "run: {step: 1e-6, until: 1e-6}\n";
    const double P = 2.0 * 1.5 * 3.0, slows = 0.03 * P / 0.05, turns = 20.0 - 0.01 * P / 0.05;
    for (int f = 0; f < RIGID; f++)
        for (int law = 0; law < LAWS; law++) {
            assert_near(end_of(TEXT, laws[law], "", rigid[f], "ball.wx"), 6.0 - 0.6 * slows, 1e-8);
            assert_near(end_of(TEXT, laws[law], "", rigid[f], "ball.wy"), 8.0 - 0.8 * slows, 1e-8);
            assert_near(end_of(TEXT, laws[law], "", rigid[f], "ball.wz"), turns, 1e-8);
        }
}

// ---- a pin: its friction follows the impulse in the joint, which the contact and the friction make

static const char ARM[] =
    "slipstick: 1\nname: arm\nparameters: {m: 2, I: 0.1, a: 0.4, L: 0.9, mu: 0.5, r: 0.1, "
    "e: 0.7, w: 3}\nimpact: newton\n"
    "bodies:\n  ground: {shape: {line: [0, 0]}}\n"
    "  arm: {mass: m, inertia: I, centre: [a, 0], th: {rate: -w}, shape: {point: [L, 0]},\n"
    "    joint: {revolute: ground, friction: mu, radius: r}}\n"
    "contacts: {stop: {between: [arm, ground], restitution: e}}\n"
    "run: {step: 1e-6, until: 1e-6}\n";

// After it the pin goes on to slow the arm, by 4e-7 in the microsecond that is run. In compression J w = P L + k F with F = m a w - P, k = mu r; in expansion friction turns against P
static void of_a_pin(void **state)
{
    (void)state;
    const double m = 2.0, a = 0.4, L = 0.9, k = 0.05, e = 0.7, w = 3.0, J = 0.1 + m * a * a;
    const double down = (L - k) / (J - k * m * a), up = (L + k) / (J + k * m * a); // of the rate, by P
    static const char *const formulations[] = { "lcp", "gauss", "moreau" };
    for (int f = 0; f < 3; f++) {
        assert_near(end_of(ARM, "newton", "", formulations[f], "arm.th'"), e * w, 1e-6);
        assert_near(end_of(ARM, "newton-process", "", formulations[f], "arm.th'"), e * w, 1e-6);
        assert_near(end_of(ARM, "poisson-process", "", formulations[f], "arm.th'"), e * w * up / down, 1e-6);
        assert_near(end_of(ARM, "energetic", "", formulations[f], "arm.th'"), e * w * sqrt(up / down), 1e-6);
    }
}

// ---- the ledger, and a block whose guide follows the floor

static const char BLOCK[] = "slipstick: 1\nname: block\nparameters: {c: 0.1, e: 0.5, v: 3, h: 1}\n"
                            "coordinates: {y: {start: h}, s: {rate: v}}\nmass: {y: 2, s: 2}\n"
                            "forces: {y: -19.62}\ncontacts: {floor: {gap: y, restitution: e}}\n"
                            "frictions: {pad: {slip: s, load: floor, factor: c}}\n"
                            "run: {step: 1e-3, until: 0.8, relative: 1e-10, absolute: 1e-12}\n";

static void of_a_block(void **state)
{
    (void)state;
    const double fall = sqrt(2.0 / 9.81), strike = 9.81 * fall, after = 3.0 - 0.1 * 1.5 * strike;
    for (int f = 0; f < RIGID; f++) {
        ride r = run(BLOCK, "", rigid[f], NULL);
        const slip_energy energy = slip_sim_energy(r.sim);
        assert_near(slip_sim_get(r.sim, "s'"), after, 1e-6);
        assert_near(slip_sim_get(r.sim, "s"), 3.0 * fall + after * (0.8 - fall), 1e-5);
        assert_near(energy.kinetic + energy.potential + energy.friction + energy.impact, // of all there was
                    energy.start + energy.work, 1e-5);
        assert_near(energy.friction + energy.impact, 9.0 - after * after + 0.75 * strike * strike, 1e-5);
        end(&r);
    }
}

// ---- contacts that are detected

static void of_a_detected_contact(void **state)
{
    (void)state;
    static const char TEXT[] =
        "slipstick: 1\nname: disc\nbodies:\n  ground: {shape: {line: [0, 0]}}\n"
        "  disc: {mass: 1, inertia: 0.004, shape: {circle: 0.1}, y: {start: 0.6}, th: {rate: 30}}\n"
        "gravity: 9.81\ncontacts: {floor: {detect: [disc, ground], rolling: 0.002, restitution: 0.5}}\n"
        "run: {step: 1e-4, until: 1}\n";
    ride r = run(TEXT, "", "moreau", NULL);
    // it has come to rest, and the floor has given the impulse m g t
    assert_near(slip_sim_get(r.sim, "disc.th'"), 30.0 - 0.002 / 0.004 * 9.81, 1e-6);
    end(&r);
}

// ---- derivatives

static void have_derivatives(void **state)
{
    (void)state;
    const double strike = sqrt(2.0 * 9.81), t = 0.8 - strike / 9.81; // after the only impact
    static const char *const formulations[] = { "lcp", "moreau" };
    for (int f = 0; f < 2; f++) {
        ride r = run(BLOCK, "", formulations[f], "c, e, v, h");
        assert_near(slope(&r, "s'", "c"), -1.5 * strike, 1e-5);
        assert_near(slope(&r, "s'", "e"), -0.1 * strike, 1e-5);
        assert_near(slope(&r, "s'", "v"), 1.0, 1e-6);
        assert_near(slope(&r, "s'", "h"), -0.15 * 9.81 / strike, 1e-5);
        assert_near(slope(&r, "s", "c"), -1.5 * strike * t, 1e-5);
        end(&r);
    }
    static const char *const to[] = { "mu", "c", "u", "w", "v", "e" };
    static const double value[] = { 0.1, 0.01, 5.0, 30.0, 4.0, 0.6 };
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < 6; k++) {
            ride r = run(DISC, "", formulations[f], to[k]);
            assert_near(slope(&r, "disc.th'", to[k]),
                        quotient_by(DISC, formulations[f], NULL, "disc.th'", to[k], value[k], 1e-4), 1e-5);
            end(&r);
        }
}

// of a joint: by Newton's law the arm leaves with e w, whatever its pin takes
static void have_derivatives_by_a_pin(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss" };
    for (int f = 0; f < 2; f++) {
        ride r = run(ARM, "", formulations[f], "mu, e, w");
        assert_near(slope(&r, "arm.th'", "mu"), 0.0, 1e-5);
        assert_near(slope(&r, "arm.th'", "e"), 3.0, 1e-5);
        assert_near(slope(&r, "arm.th'", "w"), 0.7, 1e-5);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_disc),
        cmocka_unit_test(of_a_ball),
        cmocka_unit_test(of_a_pin),
        cmocka_unit_test(of_a_block),
        cmocka_unit_test(of_a_detected_contact),
        cmocka_unit_test(have_derivatives),
        cmocka_unit_test(have_derivatives_by_a_pin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
