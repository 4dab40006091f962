/// borders.c: what happens at once, and what only just happens or not.
#include "ride.h"

#define TIGHT(until) "run: {step: 1e-3, until: " until ", relative: 1e-11, absolute: 1e-13}\n"

static void ends(const char *text, const char *sets, const char *formulation, const char *names,
                 const char *words)
{
    ride r = run(text, sets, formulation, names);
    const char *why = slip_sim_derivatives_end(r.sim, NULL);
    if (!why || !strstr(why, words)) print_error("%s: %s\n", formulation, why ? why : "derivatives go on");
    assert_true(why && strstr(why, words));
    assert_true(isnan(
        slip_sim_derivative(r.sim, slip_sim_column_name(r.sim, 1), slip_sim_sensitivity_name(r.sim, 0))));
    end(&r);
}

// A wall that shakes before a body that hardly moves: within one step of the motion the gap turns often. 1e-8
// further away it is another matter
static void of_a_wall_that_shakes(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: shakes\nparameters: {s: 1, v: 0.001}\ncoordinates: {x: "
                               "{rate: v}}\nmass: {x: 1}\n"
                               "contacts: {wall: {gap: s - x + 0.001*t - cos(40*t - 2), restitution: 0.5}}\n"
                               "run: {until: 1, relative: 1e-9, absolute: 1e-11}\n";
    ends(text, "s=1.00000000005", "lcp", "v", "without touching");
    ride r = run(text, "s=1.00000001", "lcp", "v");
    assert_near(slope(&r, "x", "v"), 1.0, 1e-12);
    end(&r);
}

// The slip is v - 1 + (1 - t)^2: with v above 1 it slides on, below 1 it rests for a while. A little above,
// dx/dv is t; a little below it stops growing where it comes to rest
static void of_a_slip_that_nearly_ends(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: nearly\nparameters: {v: 1}\ncoordinates: {x: {rate: v}}\n"
                               "mass: {x: 1}\nforces: {x: 2*t - 1}\nfrictions: {f: {slip: x, limit: 1}}\n"
                               "run: {until: 2, relative: 1e-9, absolute: 1e-11}\n";
    ends(text, "v=1.000000000001", "lcp", "v", "slides on");
    ride r = run(text, "v=1.0001", "lcp", "v");
    assert_near(slope(&r, "x", "v"), 2.0, 1e-8);
    assert_near(slope(&r, "x'", "v"), 1.0, 1e-8);
    end(&r);
    r = run(text, "v=0.9999", "lcp", "v"); // it rests from t = 1 - 0.01 to 1
    assert_near(slope(&r, "x", "v"), 0.99, 1e-6);
    assert_near(slope(&r, "x'", "v"), 0.0, 1e-8);
    end(&r);
}

// Two events of the model at the same time, by chance: each moves with its own parameter
static void of_events_at_once(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: at once\nparameters: {p: 0.5, q: 0.5}\nmodes: {a: 0, b: 0}\n"
        "coordinates: {x: {rate: 1}, y: {rate: 1}}\nmass: {x: 1, y: 1}\nforces: {x: a, y: b}\n"
        "when: {one: {condition: x > p, set: {a: 1}}, two: {condition: y > q, set: {b: 1}}}\n" TIGHT("1");
    static const char *const list[] = { "lcp", "moreau", "dai" };
    for (int i = 0; i < 3; i++) {
        ends(text, "", list[i], "p, q", "at once");
        ride r = run(text, "q=0.50001", list[i], "p, q"); // x = T + (T - p)^2/2
        assert_near(slope(&r, "x", "p"), -0.5, 1e-9);
        assert_near(slope(&r, "y", "p"), 0.0, 1e-9);
        assert_near(slope(&r, "y", "q"), -0.49999, 1e-9);
        end(&r);
    }
}

// One that follows from another at once, and one that an impact brings about: both move with what did it.
// With V = sqrt(2 g h) the impact is at V/g, and behind it z'' = t - V/g
static void of_what_follows(void **state)
{
    (void)state;
    static const char chain[] =
        "slipstick: 1\nname: chain\nparameters: {p: 0.5}\nmodes: {a: 0, b: 0}\ncoordinates: {x: {rate: 1}}\n"
        "mass: {x: 1}\nforces: {x: b}\n"
        "when: {one: {condition: x > p, set: {a: 1}}, two: {condition: a > 0.5, set: {b: 1}}}\n" TIGHT("1");
    static const char jump[] =
        "slipstick: 1\nname: jump\nparameters: {h: 1}\nmodes: {up: 0}\n"
        "coordinates: {y: {start: h}, z: {rate: 1}}\nmass: {y: 1, z: 1}\n"
        "forces: {y: -9.81, z: up*(t - up.since)}\ncontacts: {floor: {gap: y, restitution: 0.8}}\n"
        "when: {rise: {condition: y' > 0.5, set: {up: 1}}}\n" TIGHT("0.8");
    static const char *const list[] = { "lcp", "gauss", "moreau", "dai" };
    const double V = sqrt(2 * 9.81), t = V / 9.81;
    for (int i = 0; i < 4; i++) {
        ride r = run(chain, "", list[i], "p");
        assert_near(slope(&r, "x", "p"), -0.5, 1e-9);
        end(&r);
        if (i == 3) continue; // no rates jump there
        r = run(jump, "", list[i], "h");
        assert_near(slope(&r, "up.since", "h"), 1 / V, 1e-9);
        assert_near(slope(&r, "z", "h"), -(0.8 - t) * (0.8 - t) / (2 * V), 1e-9);
        end(&r);
    }
}

// Without friction the slope to it has the sign of the slip: x' = v - (1 + e) V mu sgn(v)
static void of_no_friction(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: smooth\nparameters: {mu: 0, v: 1}\ncoordinates: {x: {rate: v}, y: {start: 1}}\n"
        "mass: {x: 1, y: 1}\nforces: {y: -9.81}\n"
        "contacts: {floor: {gap: y, slip: x, friction: mu, restitution: 0.5}}\n" TIGHT("0.6");
    for (int i = 0; i < 2; i++) {
        ride r = run(text, i ? "v=-1" : "", "lcp", "mu");
        assert_near(slope(&r, "x'", "mu"), (i ? 1.5 : -1.5) * sqrt(2 * 9.81), 1e-9);
        end(&r);
    }
}

// At rest without friction: friction of width 0 has no stick, so x = x0' sin(w t)/w, in a line and in a plane
static void of_no_friction_at_rest(void **state)
{
    (void)state;
    static const char line[] =
        "slipstick: 1\nname: rests\nparameters: {F: 0}\ncoordinates: {x: {}}\n"
        "mass: {x: 2}\nforces: {x: -8*x}\nfrictions: {f: {slip: x, limit: F}}\n" TIGHT("1");
    static const char plane[] = "slipstick: 1\nname: rests\nparameters: {F: 0}\ncoordinates: {x: {}, y: {}}\n"
                                "mass: {x: 2, y: 2}\nforces: {x: -8*x, y: -8*y}\n"
                                "frictions: {f: {slip: [x, y], limit: F}}\n" TIGHT("1");
    static const char *const list[] = { "lcp",          "gauss",         "dai", "modular",
                                        "kelvin-voigt", "hunt-crossley", "tanh" };
    for (int i = 0; i < 14; i++) {
        ride r = run(i % 2 ? plane : line, "", list[i / 2], "x', F");
        assert_near(slope(&r, "x", "x'"), 0.5 * sin(2.0), 1e-8);
        assert_near(slope(&r, "x'", "x'"), cos(2.0), 1e-8);
        assert_near(slope(&r, "x", "F"), 0.0, 0.0);
        end(&r);
    }
}

// Up with 20 and down with 10 behind an impact: y = w s - 10 s^2 with w = e sqrt(2 10 h), s = T - sqrt(2
// h/10)
static void of_a_side_that_an_impact_changes(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: heavier up\nparameters: {h: 0.8, e: 0.5}\ncoordinates: {y: h}\nmass: {y: 1}\n"
        "forces: {y: \"if(y' > 0, -20, -10)\"}\ncontacts: {floor: {gap: y, restitution: e}}\n" TIGHT("0.5");
    static const char *const list[] = { "lcp", "gauss", "moreau" };
    const double h = 0.8, e = 0.5, v = sqrt(20.0 * h), s = 0.5 - v / 10.0, dv = 10.0 / v, ds = -dv / 10.0;
    for (int i = 0; i < 3; i++) {
        ride r = run(text, "", list[i], "h, e");
        assert_near(slip_sim_get(r.sim, "y"), e * v * s - 10.0 * s * s, 1e-6);
        assert_near(slope(&r, "y", "e"), v * s, 1e-5);
        assert_near(slope(&r, "y", "h"), e * dv * s + e * v * ds - 20.0 * s * ds, 1e-5);
        end(&r);
    }
}

// A push of 5 from p on, by conditions inside others: x = p + (T - p/v) v + 5/2 (T - p/v)^2
static void of_conditions_inside_others(void **state)
{
    (void)state;
    static const char *const forces[] = { "5*max(sign(x - p), 0)",
                                          "if(sign(x - p) + sign(x - 0.1) > 1.5, 5, 0)",
                                          "if(floor(x/p) >= 1, 5, 0)" };
    const double p = 0.6, s = 1.0 - p;
    for (int k = 0; k < 3; k++)
        for (int f = 0; f < (k < 2 ? 2 : 1); f++) { // moreau has no derivatives of floor
            char text[400];
            snprintf(text, sizeof text,
                     "slipstick: 1\nname: inside\nparameters: {p: 0.6, v: 1}\ncoordinates: {x: {rate: v}}\n"
                     "mass: {x: 1}\nforces: {x: \"%s\"}\n" TIGHT("1"),
                     forces[k]);
            ride r = run(text, "", f ? "moreau" : "lcp", "p, v");
            assert_near(slope(&r, "x", "p"), -5.0 * s, 1e-6);
            assert_near(slope(&r, "x'", "p"), -5.0, 1e-6);
            assert_near(slope(&r, "x", "v"), 1.0 + 5.0 * s * p, 1e-6);
            end(&r);
        }
}

// y stays at the border: beside it the force on x is another one, or not
static void of_what_stays_at_a_border(void **state)
{
    (void)state;
    static const char jumps[] =
        "slipstick: 1\nname: border\ncoordinates: {x: {}, y: {}}\nmass: {x: 1, y: 1}\n"
        "forces: {x: \"if(y > 0, 2, 1)\"}\n" TIGHT("1");
    static const char smooth[] =
        "slipstick: 1\nname: border\ncoordinates: {x: {}, y: {}}\nmass: {x: 1, y: 1}\n"
        "forces: {x: \"1 + sign(y)*y^2\"}\n" TIGHT("1");
    ends(jumps, "", "lcp", "y", "stays at its border");
    ride r = run(jumps, "", "lcp", "x");
    assert_near(slope(&r, "x", "x"), 1.0, 1e-12);
    end(&r);
    r = run(smooth, "", "lcp", "y");
    assert_near(slope(&r, "x", "y"), 0.0, 1e-12);
    end(&r);
}

// The speed falls by 1 a second, and by 3 below p: a border that steps of moreau meet in the middle of a step
static void of_a_rate_at_a_border(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: rate\nparameters: {p: 0.6137}\ncoordinates: {x: {rate: 1}}\n"
        "mass: {x: 1}\nforces: {x: \"if(x' < p, -3, -1)\"}\n" TIGHT("0.5");
    const double p = 0.6137, s = 0.5 - (1.0 - p); // x' = p - 3 s, and x = (1 - p^2)/2 + p s - 3/2 s^2
    static const char *const list[] = { "lcp", "moreau" };
    for (int i = 0; i < 2; i++) {
        ride r = run(text, "", list[i], "p");
        assert_near(slip_sim_get(r.sim, "x'"), p - 3.0 * s, 1e-9);
        assert_near(slope(&r, "x'", "p"), -2.0, 1e-6);
        assert_near(slope(&r, "x", "p"), -p + s + p - 3.0 * s, 1e-6);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_wall_that_shakes),
        cmocka_unit_test(of_a_slip_that_nearly_ends),
        cmocka_unit_test(of_events_at_once),
        cmocka_unit_test(of_what_follows),
        cmocka_unit_test(of_no_friction),
        cmocka_unit_test(of_no_friction_at_rest),
        cmocka_unit_test(of_a_side_that_an_impact_changes),
        cmocka_unit_test(of_conditions_inside_others),
        cmocka_unit_test(of_what_stays_at_a_border),
        cmocka_unit_test(of_a_rate_at_a_border),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
