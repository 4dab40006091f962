/// flow.c: derivatives under formulations that are ODEs, against closed forms and against quotients of the
/// same discrete run.
#include "ride.h"

// ------------------------------------------------------------------------------------------------- smooth

static const char *const integrators[] = { "rk4",       "rk4-generalised", "substeps",
                                           "cash-karp", "sdirk4",          "esdirk4" };

// x = x0 cos(w t), w = sqrt(k/m); two coupled masses in relative coordinates, so that M is no diagonal
static void of_an_oscillator(void **state)
{
    (void)state;
    static const char single[] = "slipstick: 1\nname: one\nparameters: {k: 4, m: 2, x0: 0.7}\n"
                                 "coordinates: {x: {start: x0}}\nmass: {x: m}\nforces: {x: -k*x}\n"
                                 "record: {E: k*x^2/2}\n" RUN("2e-3", "1.3");
    static const char pair[] = "slipstick: 1\nname: pair\nparameters: {k: 4, m: 2, x0: 0.7}\n"
                               "coordinates: {a: {start: 0}, x: {start: x0}}\n"
                               "energy: {kinetic: 3*a'^2/2 + m*(a' + x')^2/2, potential: k*x^2/2}\n"
                               "record: {E: k*x^2/2}\n" RUN("2e-3", "1.3");
    for (int p = 0; p < 2; p++)
        for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
            ride r = run_by(p ? pair : single, "", "dai", integrators[i], "k, m, x0, x'");
            const double t = 1.3, x0 = 0.7, m = p ? 3 * 2.0 / 5.0 : 2.0, w = sqrt(4 / m),
                         dw = p ? -0.5 * w / m * (9.0 / 25.0) : -0.5 * w / m, x = x0 * cos(w * t);
            assert_near(slip_sim_get(r.sim, "x"), x, 1e-8);
            assert_near(slope(&r, "x", "k"), -x0 * t * sin(w * t) * w / 8, 1e-8);
            assert_near(slope(&r, "x", "m"), -x0 * t * sin(w * t) * dw, 1e-8);
            assert_near(slope(&r, "x", "x0"), cos(w * t), 1e-8);
            assert_near(slope(&r, "x'", "x0"), -w * sin(w * t), 1e-8);
            assert_near(slope(&r, "x", "x'"), sin(w * t) / w, 1e-8);
            assert_near(slope(&r, "E", "x0"), 4 * x * cos(w * t), 1e-7);
            assert_near(slope(&r, "E", "k"), x * x / 2 - 4 * x * x0 * t * sin(w * t) * w / 8, 1e-7);
            end(&r);
        }
}

// ----------------------------------------------------------------------------------- quotients of the same
// run

// a block that is pulled over a rough floor by a spring: sat and max as they are, with constants of contacts
// that were given and that were chosen
static void of_discrete_runs(void **state)
{
    (void)state;
    static const char drag[] =
        "slipstick: 1\nname: drag\nparameters: {mu: 0.3, k: 40, v: 0.5, m: 1.2, c: 2}\n"
        "coordinates: {x: {start: 0, rate: 0.1}}\nmass: {x: m}\n"
        "forces: {x: k*(v*t - x) - c*x'}\n"
        "frictions: {f: {slip: x, limit: mu*m*9.81}}\n"
        "record: {P: mu*m*9.81*x'}\n" RUN("1e-3", "0.3");
    static const struct {
        const char *formulation, *integrator;
    } list[] = {
        { "dai", "rk4" }, { "modular", "rk4-generalised" }, { "tanh", "rk4" }, { "kelvin-voigt", "rk4" }
    };
    static const struct {
        const char *name;
        double value;
    } to[] = { { "mu", 0.3 }, { "k", 40 }, { "v", 0.5 }, { "m", 1.2 } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ride r = run_by(drag, "", list[i].formulation, list[i].integrator, "mu, k, v, m");
        for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
            double exact = slope(&r, "x", to[k].name),
                   q = quotient_by(drag, list[i].formulation, list[i].integrator, "x", to[k].name,
                                   to[k].value, 2e-5),
                   exact_p = slope(&r, "P", to[k].name),
                   q_p = quotient_by(drag, list[i].formulation, list[i].integrator, "P", to[k].name,
                                     to[k].value, 2e-5);
            assert_near(exact, q, 1e-6 * fmax(fabs(q), 1e-3));
            assert_near(exact_p, q_p, 1e-5 * fmax(fabs(q_p), 1e-2));
        }
        end(&r);
    }
}

// ------------------------------------------------------------------------------------------------- contacts

// A ball meets an elastic wall of stiffness K without gravity, d away: it leaves with the same speed after
// half a period, y = v (t - pi sqrt(m/K)) - d
static void of_an_elastic_wall(void **state)
{
    (void)state;
    static const char wall[] =
        "slipstick: 1\nname: wall\nparameters: {d: 0.2, v: 1.5, K: 1e4, m: 0.8}\n"
        "coordinates: {y: {start: d, rate: -v}}\nmass: {y: m}\nforces: {y: 0}\n"
        "contacts: {wall: {gap: y, compliance: {stiffness: K, damping: 0}}}\n" RUN("1e-3", "0.4");
    static const char *const list[] = { "substeps", "sdirk4", "esdirk4", "cash-karp" };
    const double t = 0.4, m = 0.8, K = 1e4, d = 0.2, v = 1.5, half = acos(-1.0) * sqrt(m / K);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ride r = run_by(wall, "", "kelvin-voigt", list[i], "d, v, K, m");
        assert_near(slip_sim_get(r.sim, "y"), v * (t - half) - d, 1e-7);
        assert_near(slope(&r, "y", "d"), -1.0, 1e-5);
        assert_near(slope(&r, "y", "v"), t - half, 1e-5);
        assert_near(slope(&r, "y", "K"), v * half / (2 * K), 1e-5 * v * half / (2 * K));
        assert_near(slope(&r, "y", "m"), -v * half / (2 * m), 1e-5 * v * half / (2 * m));
        assert_near(slope(&r, "y'", "v"), 1.0, 1e-5);
        assert_near(slope(&r, "y'", "d"), 0.0, 1e-5);
        end(&r);
    }
}

#define BALL                                                                                                 \
    "slipstick: 1\nname: ball\nparameters: {e: 0.7, h0: 0.3, g: 9.81}\ncoordinates: {y: {start: h0}}\n"      \
    "mass: {y: 1.5}\nforces: {y: -1.5*g}\ncontacts: {floor: {gap: y, restitution: e}}\n"

// contacts that are made for a restitution are so stiff that little is left to the rigid ball:
// dy/dh0 = (1 + e) g s/v - e, dy/de = v s with the time s since the bounce
static void of_a_stiff_floor(void **state)
{
    (void)state;
    static const char ball[] = BALL RUN("1e-3", "0.45");
    static const char *const list[] = { "dai", "kelvin-voigt", "hunt-crossley", "tanh", "modular" };
    const double g = 9.81, e = 0.7, v = sqrt(2 * g * 0.3), s = 0.45 - v / g;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ride r = run_by(ball, "", list[i], NULL, "h0, e, y");
        double rigid = (1 + e) * g * s / v - e;
        assert_near(slope(&r, "y", "h0"), rigid, 1e-3 * rigid);
        assert_near(slope(&r, "y", "y"), rigid, 1e-3 * rigid);
        assert_near(slope(&r, "y'", "h0"), (1 + e) * g / v, 1e-3 * (1 + e) * g / v);
        assert_near(slope(&r, "y", "e"), v * s, 1e-3 * v * s);
        assert_null(slip_sim_note_at(r.sim, 0));
        end(&r);
    }
}

// The same under a force that grows with time. Up to the bounce at t1 with v1 and a1 it moves by F(t), behind
// it by F(t) - (1 + e) v1 (t - t1), so dy/dh0 = 1 + (1 + e) (a1 (t - t1) - v1)/v1
static void of_a_driven_ball(void **state)
{
    (void)state;
    static const char ball[] =
        "slipstick: 1\nname: driven\nparameters: {e: 0.7, h0: 0.3, g: 9.81, A: 60}\n"
        "coordinates: {y: {start: h0}}\nmass: {y: 1}\nforces: {y: -g + A*t - 4*A*t^2}\n"
        "contacts: {floor: {gap: y, restitution: e}}\n" RUN("1e-2", "0.4");
    static const char *const list[] = { "dai", "kelvin-voigt", "hunt-crossley", "tanh", "modular" };
    const double g = 9.81, e = 0.7, h0 = 0.3, A = 60, t = 0.4;
    double t1 = 0.3, v1 = 0.0, a1;
    for (int k = 0; k < 50; k++) { // Newton's method
        v1 = -g * t1 + A * t1 * t1 / 2 - 4 * A * t1 * t1 * t1 / 3;
        t1 -= (h0 - g * t1 * t1 / 2 + A * t1 * t1 * t1 / 6 - A * t1 * t1 * t1 * t1 / 3) / v1;
    }
    a1 = -g + A * t1 - 4 * A * t1 * t1;
    const double rigid = 1 + (1 + e) * (a1 * (t - t1) - v1) / v1;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ride r = run_by(ball, "", list[i], NULL, "h0");
        assert_near(slope(&r, "y", "h0"), rigid, 1e-3 * fabs(rigid));
        end(&r);
    }
}

// fixed steps do not move with a touchdown, and a note says so
static void of_fixed_steps(void **state)
{
    (void)state;
    static const char ball[] = BALL RUN("1e-4", "0.45");
    ride r = run_by(ball, "", "dai", "rk4", "h0");
    const slip_warning *note = slip_sim_note_at(r.sim, 0);
    assert_non_null(note);
    assert_non_null(strstr(note->text, "fixed steps of rk4"));
    double q = quotient_by(ball, "dai", "rk4", "y", "h0", 0.3, 1e-8);
    assert_near(slope(&r, "y", "h0"), q, 1e-5 * fabs(q));
    end(&r);
}

// ---------------------------------------------------------------------------------------------------- jumps

// A force that ends at a place or at a time. From rest: x = F t^2/2 up to a at s = sqrt(2 a/F), then x = a +
// F s (t - s); up to t1: x = F t1^2/2 + F t1 (t - t1)
static void of_jumps(void **state)
{
    (void)state;
    static const char place[] =
        "slipstick: 1\nname: place\nparameters: {a: 0.3, F: 2}\ncoordinates: {x: {start: 0}}\n"
        "mass: {x: 1}\nforces: {x: 'if(x < a, F, 0)'}\n" RUN("1e-2", "1");
    static const char time[] =
        "slipstick: 1\nname: time\nparameters: {a: 0.313, F: 2}\ncoordinates: {x: {start: 0}}\n"
        "mass: {x: 1}\nforces: {x: 'if(t < a, F, 0)'}\n" RUN("1e-2", "1");
    static const char *const list[] = { "substeps", "cash-karp", "sdirk4", "esdirk4" };
    const double a = 0.3, F = 2, s = sqrt(2 * a / F), v = F * s;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ride r = run_by(place, "", "dai", list[i], "a, F");
        assert_near(slip_sim_get(r.sim, "x"), a + v * (1 - s), 1e-6);
        assert_near(slope(&r, "x'", "a"), F / v, 1e-5);
        assert_near(slope(&r, "x", "a"), (1 - s) * F / v, 1e-5);
        assert_near(slope(&r, "x'", "F"), s / 2, 1e-5);
        end(&r);
        r = run_by(time, "", "dai", list[i], "a, F");
        assert_near(slope(&r, "x", "a"), F * (1 - 0.313), 1e-7);
        assert_near(slope(&r, "x'", "a"), F, 1e-7);
        assert_near(slope(&r, "x", "F"), 0.313 * (1 - 0.313 / 2), 1e-7);
        end(&r);
    }
    ride r = run_by(place, "", "dai", "rk4", "a");
    assert_non_null(strstr(slip_sim_derivatives_end(r.sim, NULL), "within a step of rk4"));
    assert_true(isnan(slip_sim_derivative(r.sim, "x", "a")));
    end(&r);
    r = run_by(time, "", "dai", "rk4", "F"); // the time of the jump does not follow from F
    assert_near(slope(&r, "x'", "F"), 0.313, 0.01);
    end(&r);
}

// a ball that an event of the model throws back: y = v s e - g s^2/2 with s = t - v/g
static void of_model_events(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: reset\nparameters: {e: 0.7, h0: 0.3, g: 9.81}\n"
        "coordinates: {y: {start: h0}}\nmass: {y: 1}\nforces: {y: -g}\n"
        "when: {bounce: {condition: y < 0 and y' < 0, set: {\"y'\": -e*y'}}}\n" RUN("1e-3", "0.45");
    static const char *const list[] = { "rk4", "cash-karp", "sdirk4" };
    const double g = 9.81, e = 0.7, v = sqrt(2 * g * 0.3), s = 0.45 - v / g;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ride r = run_by(text, "", "dai", list[i], "h0, e");
        assert_near(slope(&r, "y", "h0"), (1 + e) * g * s / v - e, 1e-6);
        assert_near(slope(&r, "y", "e"), v * s, 1e-6);
        end(&r);
    }
}

// --------------------------------------------------------------------------------------------------- the
// rest

// the motion is the same to the last bit
static void same_bits(void **state)
{
    (void)state;
    static const char ball[] = BALL RUN("1e-3", "0.6");
    static const char *const list[] = { "rk4", "substeps", "cash-karp", "sdirk4", "esdirk4" };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ride with = run_by(ball, "", "dai", list[i], "e, y, y'"),
             without = run_by(ball, "", "dai", list[i], NULL);
        double a[2] = { slip_sim_get(with.sim, "y"), slip_sim_get(with.sim, "y'") },
               b[2] = { slip_sim_get(without.sim, "y"), slip_sim_get(without.sim, "y'") };
        assert_memory_equal(a, b, sizeof a);
        end(&with);
        end(&without);
    }
}

// A body that turns in space: a free symmetric top, whose spin goes round at (C - A)/A w3 (Euler). Its
// inertia is a number that is worked into the model when it is read
static void of_a_body_in_space(void **state)
{
    (void)state;
    static const char top[] =
        "slipstick: 1\nname: top\nspace: 3\nparameters: {w: 0.8, A: 2, C: 3.1, w3: 4, z0: 2}\n"
        "bodies: {top: {mass: 1, inertia: [A, A, C], spin: [w, 0, w3], z: z0}}\n"
        "record: {w1: top.w1, height: top.z}\n" RUN("1e-3", "0.5");
    ride r = run_by(top, "", "dai", "rk4", "w, C, w3, z0");
    const double t = 0.5, w = 0.8, A = 2, C = 3.1, w3 = 4, round = (C - A) / A * w3;
    assert_near(slip_sim_get(r.sim, "w1"), w * cos(round * t), 1e-9);
    assert_near(slope(&r, "w1", "w"), cos(round * t), 1e-9);
    assert_near(slope(&r, "w1", "C"), -w * t * w3 / A * sin(round * t), 1e-9);
    assert_near(slope(&r, "w1", "w3"), -w * t * (C - A) / A * sin(round * t), 1e-9);
    assert_near(slope(&r, "height", "z0"), 1.0, 1e-9);
    double q = quotient_by(top, "dai", "rk4", "top.qx", "C", C, 2e-5);
    assert_near(slope(&r, "top.qx", "C"), q, 1e-7);
    end(&r);
}

// A parameter at the end of what it may be is varied to the other side alone, and one that is the same number
// as others of the model is told from them. In flight a ball knows nothing of its mass and restitution
static void of_values_at_an_end(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: end\nparameters: {e: 1, m: 1, h: 1}\n"
                               "coordinates: {y: {start: h}}\nmass: {y: m}\nforces: {y: -9.81*m}\n"
                               "contacts: {floor: {gap: y, restitution: e}}\n" RUN("1e-3", "0.3");
    ride r = run_by(text, "", "dai", NULL, "e, m, h");
    assert_near(slope(&r, "y", "e"), 0.0, 1e-12);
    assert_near(slope(&r, "y", "m"), 0.0, 1e-12);
    assert_near(slope(&r, "y", "h"), 1.0, 1e-12);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_an_oscillator),
        cmocka_unit_test(of_discrete_runs),
        cmocka_unit_test(of_an_elastic_wall),
        cmocka_unit_test(of_a_stiff_floor),
        cmocka_unit_test(of_a_driven_ball),
        cmocka_unit_test(of_fixed_steps),
        cmocka_unit_test(of_jumps),
        cmocka_unit_test(of_model_events),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(of_a_body_in_space),
        cmocka_unit_test(of_values_at_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
