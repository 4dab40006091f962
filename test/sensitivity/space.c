/// space.c: derivatives of bodies that turn in space, and to what bodies are made of.
#include "ride.h"

#define TIGHT(until) "run: {step: 1 ms, until: " until ", relative: 1e-11, absolute: 1e-13}\n"

// A function of one number by a rule of fourth order: for closed forms that are long to differentiate by hand
static double slope_of(double (*f)(const double *p), const double *p, int k, double step)
{
    double at[5], q[12];
    memcpy(q, p, sizeof q);
    for (int i = -2; i <= 2; i++) {
        q[k] = p[k] + i * step;
        at[i + 2] = f(q);
    }
    return (at[0] - 8 * at[1] + 8 * at[3] - at[4]) / (12 * step);
}

// A free symmetric top, whose spin goes round at (C - A)/A w3 (Euler). A and C are numbers that are worked
// into the model when it is read; A is the same number as another one
static void of_a_top(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: top\nspace: 3\nparameters: {w: 0.8, A: 2, C: 3.1, w3: 4, z0: 2}\n"
        "bodies: {top: {mass: 1, inertia: [A, A, C], spin: [w, 0, w3], z: z0}}\n"
        "record: {w1: top.w1, height: top.z}\n" TIGHT("0.5");
    static const struct {
        const char *formulation;
        double within;
    } list[] = { { "lcp", 1e-10 }, { "gauss", 1e-10 }, { "moreau", 1e-6 }, { "dai", 1e-9 } };
    const double t = 0.5, w = 0.8, A = 2, C = 3.1, w3 = 4, round = (C - A) / A * w3, s = sin(round * t);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ride r = run(text, "", list[i].formulation, "w, A, C, w3, z0, top.w1");
        const double within = list[i].within;
        assert_near(slope(&r, "w1", "w"), cos(round * t), within);
        assert_near(slope(&r, "w1", "A"), w * t * s * C / (A * A) * w3, within);
        assert_near(slope(&r, "w1", "C"), -w * t * s * w3 / A, within);
        assert_near(slope(&r, "w1", "w3"), -w * t * s * (C - A) / A, within);
        assert_near(slope(&r, "w1", "top.w1"), cos(round * t), within);
        assert_near(slope(&r, "height", "z0"), 1.0, within);
        // quaternions keep their length, so that p dp is 0
        static const char *const parts[] = { "top.qw", "top.qx", "top.qy", "top.qz" };
        double along = 0.0;
        for (int k = 0; k < 4; k++) along += slip_sim_get(r.sim, parts[k]) * slope(&r, parts[k], "C");
        assert_near(along, 0.0, within);
        end(&r);
    }
}

// A ball that spins lands, slides and leaves. Its slip s keeps its direction while it is struck, so that all
// impact laws say the same: v+ = v - mu (1 + e) V s/|s|, with V = sqrt(2 g (h - R))
enum { MU, E, V, WX, WY, H, R };
static double place_of(const double *p)
{
    const double g = 9.81, fall = sqrt(2 * g * (p[H] - p[R])), t = fall / g, x = p[V] - p[R] * p[WY],
                 y = 0.7 + p[R] * p[WX];
    return p[V] * 0.5 - p[MU] * (1 + p[E]) * fall * x / sqrt(x * x + y * y) * (0.5 - t);
}

static double height_of(const double *p)
{
    const double g = 9.81, fall = sqrt(2 * g * (p[H] - p[R])), s = 0.5 - fall / g;
    return p[R] + p[E] * fall * s - 0.5 * g * s * s;
}

// 2/5 m R^2 w' = R x T: about x
static double spin_of(const double *p)
{
    const double g = 9.81, fall = sqrt(2 * g * (p[H] - p[R])), x = p[V] - p[R] * p[WY],
                 y = 0.7 + p[R] * p[WX];
    return p[WX] - 2.5 / p[R] * p[MU] * (1 + p[E]) * fall * y / sqrt(x * x + y * y);
}

static void of_a_ball_that_spins(void **state)
{
    (void)state;
    static const char ball[] =
        "slipstick: 1\nname: ball\nspace: 3\n"
        "parameters: {mu: 0.2, e: 0.7, v: 2, wx: 30, wy: -10, h: 0.6, R: 0.1}\nbodies:\n"
        "  ground: {shape: {plane: [0, 0, 0]}}\n"
        "  ball: {mass: 0.5, inertia: 0.2*R^2, shape: {sphere: R}, x: {rate: v}, y: {rate: 0.7}, z: h,\n"
        "    spin: [wx, wy, 3]}\n"
        "contacts:\n  floor: {between: [ball, ground], friction: mu, restitution: e, impact: %s}\n"
        "gravity: 9.81\n" TIGHT("0.5");
    static const char *const laws[] = { "newton", "newton-process", "poisson", "poisson-process",
                                        "energetic" },
                             *const names[] = { "mu", "e", "v", "wx", "wy", "h", "R" };
    const double p[12] = { 0.2, 0.7, 2, 30, -10, 0.6, 0.1 };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        char text[800];
        snprintf(text, sizeof text, ball, laws[i]);
        ride r = run(text, "", i % 2 ? "gauss" : "lcp", "mu, e, v, wx, wy, h, R");
        assert_near(slip_sim_get(r.sim, "ball.x"), place_of(p), 1e-10);
        for (int k = 0; k < 7; k++) {
            const double step = 1e-3 * fabs(p[k]);
            const struct {
                const char *of;
                double is;
            } list[] = { { "ball.x", slope_of(place_of, p, k, step) },
                         { "ball.z", slope_of(height_of, p, k, step) },
                         { "ball.wx", slope_of(spin_of, p, k, step) } };
            for (int q = 0; q < 3; q++)
                assert_near(slope(&r, list[q].of, names[k]), list[q].is, 1e-8 * fmax(1.0, fabs(list[q].is)));
        }
        end(&r);
    }
}

// A ball that is pushed slides and then rolls: x = 5/7 v T + 2 v^2/(49 mu g). Radius and mass have no say
static void of_a_ball_that_rolls(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: rolls\nspace: 3\nparameters: {mu: 0.3, v: 1, R: 0.1, m: 1, T: 0.7}\nbodies:\n"
        "  ground: {shape: {plane: [0, 0, 0]}}\n"
        "  ball: {mass: m, inertia: 0.4*m*R^2, shape: {sphere: R}, x: {rate: 0.6*v}, y: {rate: 0.8*v}, z: "
        "R}\n"
        "gravity: 9.81\ncontacts: {table: {between: [ball, ground], friction: mu}}\n"
        "record: {way: 0.6*ball.x + 0.8*ball.y}\n" TIGHT("T");
    const double mu = 0.3, v = 1, g = 9.81, T = 0.7;
    ride r = run(text, "", "lcp", "mu, v, R, m");
    assert_near(slip_sim_get(r.sim, "way"), 5 * v * T / 7 + 2 * v * v / (49 * mu * g), 1e-10);
    assert_near(slope(&r, "way", "v"), 5 * T / 7 + 4 * v / (49 * mu * g), 1e-9);
    assert_near(slope(&r, "way", "mu"), -2 * v * v / (49 * mu * mu * g), 1e-9);
    assert_near(slope(&r, "way", "R"), 0.0, 1e-9);
    assert_near(slope(&r, "way", "m"), 0.0, 1e-9);
    assert_near(slope(&r, "ball.z", "R"), 1.0, 1e-10);
    end(&r);
}

// By way of parameters that follow from it a parameter decides what bodies are made of: the spin W follows
// from p, and with it the angle of a free body
static void of_parameters_that_follow(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: follows\nspace: 3\nparameters: {p: 0.5, W: 2*p^2, L: 3*W}\n"
        "bodies: {rod: {mass: 1, inertia: [1, 1, 2], spin: [0, 0, L]}}\nrecord: {w: rod.w3}\n" TIGHT("0.4");
    ride r = run(text, "", "lcp", "p"); // the angle is 6 p^2 t, and half of it is in the quaternion
    assert_near(slope(&r, "w", "p"), 12 * 0.5, 1e-9);
    assert_near(slope(&r, "rod.qz", "p"), cos(0.5 * 6 * 0.25 * 0.4) * 6 * 0.5 * 0.4, 1e-9);
    end(&r);
}

// A table on four legs: how they share its weight is a choice, and how that changes is not known; the way it
// slides is
static void of_loads_that_are_shared(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: table\nparameters: {m: 2, mu: 0.2}\n"
        "coordinates: {x: {rate: 1}, y: 0, a: 0, b: 0}\nmass: {x: m, y: m, a: m, b: m}\nforces: {y: "
        "-9.81*m}\n"
        "contacts:\n  one: {gap: y + a + b, slip: x, friction: mu}\n"
        "  two: {gap: y + a - b, slip: x, friction: mu}\n  three: {gap: y - a + b, slip: x, friction: mu}\n"
        "  four: {gap: y - a - b, slip: x, friction: mu}\n"
        "record: {N: one.normal, all: one.normal + two.normal + three.normal + four.normal}\n" TIGHT("0.2");
    ride r = run(text, "", "lcp", "m, mu");
    assert_near(slope(&r, "x", "mu"), -0.5 * 9.81 * 0.04, 1e-9);
    assert_true(isnan(slope(&r, "N", "m")));
    end(&r);
}

// A ball that is thrown with a spin across: its slip ends in a direction that depends on its radius, and it
// rolls on with v = 5/7 v0 + 2/7 w0 x (0, 0, R)
static void of_a_slip_that_ends(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: masse\nspace: 3\nparameters: {R: 0.0286, mu: 0.2, w: 100}\nbodies:\n"
        "  ground: {shape: {plane: [0, 0, 0]}}\n"
        "  cue: {mass: 0.17, inertia: 0.068*R^2, shape: {sphere: R}, x: {rate: 2}, z: R, spin: [-w, -60, "
        "40]}\n"
        "gravity: 9.81\ncontacts: {cloth: {between: [cue, ground], friction: mu}}\n"
        "run: {until: 0.8, relative: %s, absolute: %s}\n";
    static const char *const tolerances[] = { "1e-6", "1e-9" };
    for (int k = 0; k < 2; k++) {
        char model[600];
        snprintf(model, sizeof model, text, tolerances[k], tolerances[k]);
        ride r = run(model, "", "lcp", "R, mu, w");
        assert_near(slope(&r, "cue.y'", "R"), 2 * 100 / 7.0, 1e-8);
        assert_near(slope(&r, "cue.x'", "R"), -2 * 60 / 7.0, 1e-8);
        assert_near(slope(&r, "cue.y'", "w"), 2 * 0.0286 / 7.0, 1e-9);
        assert_near(slope(&r, "cue.x'", "w"), 0.0, 1e-9);
        assert_near(slope(&r, "cue.x'", "mu"), 0.0, 1e-8);
        assert_near(slope(&r, "cue.wx", "R"), 0.0, 1e-6);
        end(&r);
    }
}

// Slips that begin in space: a point that lets go, and the rolling and spinning friction of a ball. Against
// quotients of runs
static void of_slips_that_begin(void **state)
{
    (void)state;
    static const char point[] =
        "slipstick: 1\nname: point\nparameters: {mu: 0.3, F: 4, k: 2}\ncoordinates: {x: 0, y: 0, z: 0}\n"
        "mass: {x: 1.1, y: 1.1, z: 1.1}\nforces: {x: F*sin(2*t), y: k*t^2 + 0.3*x, z: -9.81*1.1}\n"
        "contacts: {floor: {gap: z, slip: [x, y], friction: mu%s}}\n"
        "run: {until: 1.2, relative: 1e-9, absolute: 1e-11}\n";
    static const char rolls[] =
        "slipstick: 1\nname: rolls\nspace: 3\nparameters: {mu: 0.3, F: 0.004, k: 20}\nbodies:\n"
        "  ground: {shape: {plane: [0, 0, 0]}}\n"
        "  ball: {mass: 1, inertia: 0.004, shape: {sphere: 0.1}, x: {rate: 1}, z: 0.1, spin: [0, 0, k]}\n"
        "gravity: 9.81\ncontacts: {table: {between: [ball, ground], friction: mu, rolling: F,\n"
        "    spinning: 0.001}}\n" TIGHT("0.9");
    char text[700];
    snprintf(text, sizeof text, point, ", static: 0.35");
    static const struct {
        const char *name;
        double value[2];
    } to[] = { { "mu", { 0.3, 0.3 } }, { "F", { 4, 0.004 } }, { "k", { 2, 20 } } };
    for (int i = 0; i < 2; i++) {
        const char *model = i ? rolls : text, *of = i ? "ball.x" : "x";
        ride r = run(model, "", "lcp", "mu, F, k");
        for (int k = 0; k < 3; k++) {
            const double q = quotient_by(model, "lcp", NULL, of, to[k].name, to[k].value[i], 1e-3);
            assert_near(slope(&r, of, to[k].name), q, 2e-6 * fmax(1.0, fabs(q)));
        }
        end(&r);
    }
    snprintf(text, sizeof text, point, ""); // right at the limit
    ride r = run(text, "", "lcp", "mu");
    const char *why = slip_sim_derivatives_end(r.sim, NULL);
    assert_true(why && strstr(why, "right at the limit"));
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_top),
        cmocka_unit_test(of_a_ball_that_spins),
        cmocka_unit_test(of_a_ball_that_rolls),
        cmocka_unit_test(of_slips_that_begin),
        cmocka_unit_test(of_a_slip_that_ends),
        cmocka_unit_test(of_parameters_that_follow),
        cmocka_unit_test(of_loads_that_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
