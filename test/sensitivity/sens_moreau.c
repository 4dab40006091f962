/// steps.c: derivatives under moreau, against closed forms, against those of lcp and against quotients of the
/// same run.
#include "ride.h"

#define BALL                                                                                                 \
    "slipstick: 1\nname: ball\nparameters: {e: 0.8, h0: 1, g: 9.81}\ncoordinates: {y: {start: h0}}\n"        \
    "energy: {kinetic: y'^2/2, potential: g*y}\ncontacts: {floor: {gap: y, restitution: e}}\n"

// -------------------------------------------------------------------------------------------- closed forms

// With V = sqrt(2 g h) the n-th impact is at t_n = V/g (1 + 2 sum_{k=1}^{n-1} e^k), and behind it
// y = e^n V s - g s^2/2, s = t - t_n
static void of_bounces(void **state)
{
    (void)state;
    static const char *const until[] = { "run.until=0.9", "run.until=1.5", "run.until=2.5", "run.until=3" };
    static const double time[] = { 0.9, 1.5, 2.5, 3.0 };
    const double e = 0.8, g = 9.81, V = sqrt(2 * g);
    int most = 0;
    for (int i = 0; i < 4; i++) {
        int n = 1;
        double at = V / g, by_e = 0.0;
        while (at + 2 * pow(e, n) * V / g < time[i]) {
            at += 2 * pow(e, n) * V / g;
            by_e += 2 * n * pow(e, n - 1) * V / g;
            n++;
        }
        most = n > most ? n : most;
        const double v = pow(e, n) * V, s = time[i] - at, rate = v - g * s, by_h = at * g / (V * V);
        ride r = run(BALL RUN("1e-2", "1"), until[i], "moreau", "e, h0, y");
        assert_near(slip_sim_get(r.sim, "y"), v * s - 0.5 * g * s * s, 1e-10);
        assert_near(slope(&r, "y", "e"), n * v / e * s - rate * by_e, 1e-8);
        assert_near(slope(&r, "y'", "e"), n * v / e + g * by_e, 1e-8);
        assert_near(slope(&r, "y", "h0"), v * g / (V * V) * s - rate * by_h, 1e-8);
        assert_near(slope(&r, "y'", "h0"), v * g / (V * V) + g * by_h, 1e-8);
        assert_near(slope(&r, "y", "y"), slope(&r, "y", "h0"), 1e-12);
        end(&r);
    }
    assert_true(most >= 4);
    ride r = run(BALL RUN("1e-2", "5"), "", "moreau", "e, h0"); // it lies still after infinitely many
    assert_near(slope(&r, "y", "e"), 0.0, 1e-12);
    assert_near(slope(&r, "y'", "h0"), 0.0, 1e-12);
    end(&r);
}

static void take_impact(void *context, const slip_event *event)
{
    void **both = context;
    slip_sim *sim = both[0];
    double(*to)[3] = both[1];
    int *count = both[2];
    if (event->kind != SLIP_EVENT_IMPACT || *count == 3) return;
    double *row = to[(*count)++];
    row[0] = slip_sim_event_time_derivative(sim, 0);
    row[1] = slip_sim_event_state_derivative(sim, 1, 0);
    row[2] = slip_sim_event_state_derivative_after(sim, 1, 0);
}

// t_n = V/g (1 + 2 sum e^k) moves by t_n/(2 h) with the height, and rates before and behind it change by half
// of themselves over h: two impacts on the way of steps of 0.8 s
static void of_impact_times(void **state)
{
    (void)state;
    slip_model *model = read_model("", BALL RUN("0.8", "1.6"), "run.step=0.8", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "moreau";
    def.sensitivity = "h0";
    slip_sim *sim = make_sim(model, &def);
    double found[3][3] = { { 0 } };
    int count = 0;
    void *both[] = { sim, found, &count };
    slip_sim_on_event(sim, take_impact, both);
    run_to_end(sim);
    assert_int_equal(count, 2);
    const double e = 0.8, g = 9.81, V = sqrt(2 * g);
    double at = V / g, v = V;
    for (int k = 0; k < count; k++) {
        assert_near(found[k][0], at / 2, 1e-9);
        assert_near(found[k][1], -v / 2, 1e-9);
        assert_near(found[k][2], e * v / 2, 1e-9);
        v *= e;
        at += 2 * v / g;
    }
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// It stops at v^2/(2 mu g), at a time within an internal step: for lengths of it that end nowhere near
static void of_a_stop(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: stop\nparameters: {mu: 0.3, v: 2, g: 9.81}\ncoordinates: {x: {rate: v}}\n"
        "mass: {x: 1}\nfrictions: {f: {slip: x, limit: mu*g}}\nrun: {step: 0.01, until: 1}\n";
    static const char *const steps[] = { "run.step=0.02", "run.step=0.0137", "run.step=0.003" };
    const double mu = 0.3, v = 2, g = 9.81;
    for (int i = 0; i < 3; i++) {
        ride r = run(text, steps[i], "moreau", "mu, v");
        assert_near(slope(&r, "x", "mu"), -v * v / (2 * mu * mu * g), 1e-9);
        assert_near(slope(&r, "x", "v"), v / (mu * g), 1e-9);
        assert_near(slope(&r, "x'", "mu"), 0.0, 0.0);
        end(&r);
    }
}

// A mass on a spring is let go at rest where friction cannot hold it: x = F/k + (x0 - F/k) cos(w t). A second
// one that it rubs on stays
static void of_a_release(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: release\nparameters: {F: 2, G: 0.5, x0: 0.1}\ncoordinates: {x: x0, y: 0}\n"
        "mass: {x: 1, y: 1}\nforces: {x: -100*x, y: 3*x}\n"
        "frictions: {f: {slip: x, limit: F}, g: {slip: x - y, limit: G}, h: {slip: y, limit: 0.9}}\n" RUN(
            "1e-3", "0.15");
    ride r = run(text, "", "moreau", "F, G, x0");
    assert_near(slope(&r, "x", "x0"), cos(1.5), 1e-6);
    assert_near(slope(&r, "x", "F"), (1.0 - cos(1.5)) / 100.0, 1e-8);
    assert_near(slope(&r, "x'", "G"), sin(1.5) / 10.0, 1e-7);
    assert_near(slope(&r, "y", "F"), 0.0, 0.0);
    end(&r);
}

// A body at the top of a hill, at rest on a contact without friction: nothing holds it there, and
// x = x0 cosh(w t). With friction something does
static void of_a_smooth_contact(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: smooth\nparameters: {mu: 0}\ncoordinates: {x: 0, y: 0}\nmass: {x: 1, y: 1}\n"
        "forces: {x: 2*x, y: -9.81}\ncontacts: {f: {gap: y, slip: x, friction: mu}}\n" RUN("1e-4", "1");
    static const char *const formulations[] = { "lcp", "gauss", "moreau" };
    for (int k = 0; k < 3; k++) {
        ride r = run(text, "", formulations[k], "x");
        assert_near(slope(&r, "x", "x"), cosh(sqrt(2.0)), 1e-6);
        assert_near(slope(&r, "x'", "x"), sqrt(2.0) * sinh(sqrt(2.0)), 1e-6);
        end(&r);
        r = run(text, "mu=0.1", formulations[k], "x");
        assert_near(slope(&r, "x", "x"), 1.0, 1e-12);
        end(&r);
    }
}

// Up an incline that is too steep to stay on, and down again: with a+- = g (sin +- mu cos) it turns after
// t1 = v/a+ at v^2/(2 a+), and comes back by a- (t - t1)^2/2. One that is not stays
static void of_an_incline(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: incline\nparameters: {mu: 0.3, b: 0.5, g: 9.81, v: 1}\n"
                               "coordinates: {x: {rate: -v}, y: {start: 0}}\nmass: {x: 1, y: 1}\n"
                               "forces: {x: g*sin(b), y: -g*cos(b)}\n"
                               "contacts: {floor: {gap: y, slip: x, friction: mu, restitution: 0}}\n"
                               "record: {N: floor.normal, T: floor.friction}\n" RUN("1e-2", "0.7");
    const double g = 9.81, b = 0.5, v = 1, t = 0.7;
    for (int k = 0; k < 2; k++) {
        const double mu = k ? 0.8 : 0.3, up = g * (sin(b) + mu * cos(b)), down = g * (sin(b) - mu * cos(b)),
                     s = t - v / up, up_mu = g * cos(b);
        ride r = run(text, k ? "mu=0.8" : "", "moreau", "mu, v");
        const double back = k ? 0.0 : s * down;
        assert_near(slope(&r, "x", "mu"),
                    v * v / (2 * up * up) * up_mu + back * v / (up * up) * up_mu -
                        (k ? 0.0 : s * s / 2 * up_mu),
                    1e-9);
        assert_near(slope(&r, "x", "v"), -v / up - back / up, 1e-9);
        assert_near(slope(&r, "y", "mu"), 0.0, 1e-12);
        assert_near(slope(&r, "N", "mu"), 0.0, 1e-9);
        assert_near(slope(&r, "T", "mu"), k ? 0.0 : -g * cos(b), 1e-9);
        end(&r);
    }
}

// as in flow.c: a force that ends at a place, or at a time
static void of_jumps(void **state)
{
    (void)state;
    static const char place[] =
        "slipstick: 1\nname: place\nparameters: {a: 0.3, F: 2}\ncoordinates: {x: {start: 0}}\n"
        "mass: {x: 1}\nforces: {x: 'if(x < a, F, 0)'}\n" RUN("1e-2", "1");
    static const char time[] =
        "slipstick: 1\nname: time\nparameters: {a: 0.313, F: 2}\ncoordinates: {x: {start: 0}}\n"
        "mass: {x: 1}\nforces: {x: 'if(t < a, F, 0)'}\n" RUN("1e-2", "1");
    const double a = 0.3, F = 2, s = sqrt(2 * a / F), v = F * s;
    ride r = run(place, "", "moreau", "a, F");
    assert_near(slip_sim_get(r.sim, "x"), a + v * (1 - s), 1e-6);
    assert_near(slope(&r, "x'", "a"), F / v, 1e-6);
    assert_near(slope(&r, "x", "a"), (1 - s) * F / v, 1e-6);
    assert_near(slope(&r, "x'", "F"), s / 2, 1e-6);
    end(&r);
    r = run(time, "", "moreau", "a, F");
    assert_near(slope(&r, "x", "a"), F * (1 - 0.313), 1e-7);
    assert_near(slope(&r, "x'", "a"), F, 1e-7);
    assert_near(slope(&r, "x", "F"), 0.313 * (1 - 0.313 / 2), 1e-7);
    end(&r);
}

// A force on y jumps where x, pulled by p, passes 0.3: right there a contact opens, a friction lets go, or y pulls z
// along which it rested on. From then on y has the acceleration a, and dy = -a (t - s) ds, dy' = -a ds
static void of_jumps_that_let_go(void **state)
{
    (void)state;
#define LET_GO(forces, element)                                                                              \
    "slipstick: 1\nname: let go\nparameters: {p: 1}\ncoordinates: {x: {rate: 1}, y: 0, z: 0}\n"              \
    "mass: {x: 1, y: 2, z: 1}\nforces: {x: 0.3*p, " forces "}\n" element "\n" RUN("1e-2", "0.6")
    static const struct {
        const char *text;
        double a; // of y behind the jump
    } models[] = {
        { LET_GO("y: 'if(x > 0.3, 5, -1)'", "contacts: {floor: {gap: y}}"), 2.5 },
        { LET_GO("y: 'if(x > 0.3, 5, 1)'", "frictions: {dry: {slip: y, limit: 2}}"), 1.5 },
        { LET_GO("y: 'if(x > 0.3, -5, 1)'", "frictions: {dry: {slip: y, limit: 2}}"), -1.5 },
        { LET_GO("y: 'if(x > 0.3, 5, -1)', z: 'if(x > 0.3, 1, -1)'",
                 "contacts: {upper: {gap: y - z}, lower: {gap: z}}"),
          2.5 },
    };
    const double s = (sqrt(1.0 + 4.0 * 0.15 * 0.3) - 1.0) / 0.3, ds = -0.15 * s * s / (1.0 + 0.3 * s);
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        ride r = run(models[k].text, "", "moreau", "p");
        assert_near(slope(&r, "y", "p"), -models[k].a * (0.6 - s) * ds, 1e-6);
        assert_near(slope(&r, "y'", "p"), -models[k].a * ds, 1e-6);
        end(&r);
    }
}

static double when_moves; // dt/dh0 of the event of the model

static void take_event(void *context, const slip_event *event)
{
    slip_sim *sim = context;
    if (event->kind == SLIP_EVENT_WHEN) when_moves = slip_sim_event_time_derivative(sim, 0);
}

// a ball that an event of the model throws back: y = v s e - g s^2/2 with s = t - v/g
static void of_model_events(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: reset\nparameters: {e: 0.7, h0: 0.3, g: 9.81}\n"
        "coordinates: {y: {start: h0}}\nmass: {y: 1}\nforces: {y: -g}\n"
        "when: {bounce: {condition: y < 0 and y' < 0, set: {\"y'\": -e*y'}}}\n" RUN("1e-3", "0.45");
    const double g = 9.81, e = 0.7, v = sqrt(2 * g * 0.3), s = 0.45 - v / g;
    ride r = { .model = read_model("", text, "", ";") };
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "moreau";
    def.sensitivity = "h0, e";
    r.sim = make_sim(r.model, &def);
    when_moves = NAN;
    slip_sim_on_event(r.sim, take_event, r.sim);
    while (slip_sim_step(r.sim) == SLIP_RUNNING) {}
    assert_near(when_moves, 1 / v, 1e-7);
    assert_near(slope(&r, "y", "h0"), (1 + e) * g * s / v - e, 1e-6);
    assert_near(slope(&r, "y", "e"), v * s, 1e-6);
    end(&r);
}

// ------------------------------------------------------------------------------------- those of lcp,
// quotients

#define OSCILLATOR                                                                                           \
    "slipstick: 1\nname: oscillator\nparameters: {e: 0.7, w: 2.3, s: 0.2, z: 0.05}\n"                        \
    "coordinates: {x: {start: -0.5}}\nmass: {x: 1}\nforces: {x: cos(w*t) - x - 2*z*x'}\n"                    \
    "contacts: {wall: {gap: s - x, restitution: e}}\n"
#define DRAG                                                                                                 \
    "slipstick: 1\nname: drag\nparameters: {mu: 0.3, k: 40, v: 0.5, m: 1.2}\ncoordinates: {x: {start: 0}}\n" \
    "mass: {x: m}\nforces: {x: k*(v*t - x)}\nfrictions: {f: {slip: x, limit: mu*m*9.81}}\n"
#define ROD                                                                                                  \
    "slipstick: 1\nname: rod\nparameters: {mu: 0.4, e: 0.5, l: 1, m: 2, a: 0.6}\n"                           \
    "coordinates: {x: {rate: 0.7}, y: {start: 1.2}, th: {start: a}}\n"                                       \
    "energy: {kinetic: m*(x'^2 + y'^2)/2 + m*l^2/24*th'^2, potential: 9.81*m*y}\n"                           \
    "contacts: {tip: {gap: y - l/2*sin(th), slip: x - l/2*cos(th), friction: mu, restitution: e}}\n"
// a box that lands on its corners, one after the other without end, and slides on a little
#define BOX                                                                                                  \
    "slipstick: 1\nname: box\nparameters: {v: 1, mu: 0.4, e: 0.5}\n"                                         \
    "coordinates: {x: {rate: v}, y: {start: 0.4}, th: {start: 0.3}}\nmass: {x: 1, y: 1, th: 0.1}\n"          \
    "forces: {y: -9.81}\ncontacts:\n"                                                                        \
    "  l: {gap: y - 0.5*sin(th) - 0.2*cos(th), slip: x - 0.5*cos(th) + 0.2*sin(th), friction: mu, "          \
    "restitution: e}\n"                                                                                      \
    "  r: {gap: y + 0.5*sin(th) - 0.2*cos(th), slip: x + 0.5*cos(th) + 0.2*sin(th), friction: mu, "          \
    "restitution: e}\n"
// a pendulum as a point on a circle, which a wall stops: a constraint and a strike
#define CIRCLE                                                                                               \
    "slipstick: 1\nname: circle\nparameters: {e: 0.6, g: 9.81, d: 0.1}\n"                                    \
    "coordinates: {x: {start: -0.8}, y: {start: -0.6}}\nmass: {x: 1, y: 1}\nforces: {y: -g}\n"               \
    "constraints: {rope: x^2 + y^2 - 1}\ncontacts: {wall: {gap: d - x, restitution: e}}\n"

static void as_under_lcp(void **state)
{
    (void)state;
    static const struct {
        const char *text, *names, *to[3], *of[2];
        double near; // of the largest derivative of that state
    } list[] = {
        { OSCILLATOR RUN("1e-3", "10"), "e, w, s", { "e", "w", "s" }, { "x", "x'" }, 1e-5 },
        { DRAG RUN("1e-3", "2.9"), "mu, k, m", { "mu", "k", "m" }, { "x", "x'" }, 1e-4 },
        { ROD RUN("1e-3", "0.75"), "mu, e, a", { "mu", "e", "a" }, { "x", "th'" }, 1e-5 },
        { BOX RUN("1e-3", "0.25"), "v, mu, e", { "v", "mu", "e" }, { "x", "th'" }, 1e-5 },
        { BOX RUN("1e-3", "1"), "v, mu, e", { "v", "mu", "e" }, { "x", "x" }, 1e-3 },
        { CIRCLE RUN("1e-3", "1.2"), "e, g, d", { "e", "g", "d" }, { "x", "y'" }, 1e-5 },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ride r = run(list[i].text, "", "moreau", list[i].names),
             other = run(list[i].text, "", "lcp", list[i].names);
        for (int of = 0; of < 2; of++) {
            double largest = 0.0;
            for (int k = 0; k < 3; k++)
                largest = fmax(largest, fabs(slope(&other, list[i].of[of], list[i].to[k])));
            assert_true(largest > 0.0);
            for (int k = 0; k < 3; k++)
                assert_near(slope(&r, list[i].of[of], list[i].to[k]),
                            slope(&other, list[i].of[of], list[i].to[k]), list[i].near * largest);
        }
        end(&r);
        end(&other);
    }
}

static void as_quotients(void **state)
{
    (void)state;
    static const char text[] = OSCILLATOR RUN("1e-3", "6");
    ride r = run(text, "", "moreau", "e, w, s");
    static const struct {
        const char *name;
        double value;
    } to[] = { { "e", 0.7 }, { "w", 2.3 }, { "s", 0.2 } };
    for (int k = 0; k < 3; k++) {
        const double q = quotient_by(text, "moreau", NULL, "x'", to[k].name, to[k].value, 2e-4);
        assert_near(slope(&r, "x'", to[k].name), q, 1e-4 * fmax(fabs(q), 1.0));
    }
    end(&r);
}

// ------------------------------------------------------------------------------------------------ none

static void ends(const char *text, const char *sets, const char *names, const char *words, double at)
{
    ride r = run(text, sets, "moreau", names);
    double t = 0.0;
    const char *why = slip_sim_derivatives_end(r.sim, &t);
    assert_non_null(why);
    if (!strstr(why, words)) print_error("%s\n", why);
    assert_non_null(strstr(why, words));
    assert_near(t, at, 0.011);
    assert_true(isnan(slip_sim_derivative(r.sim, slip_sim_column_name(r.sim, 1), "v")));
    assert_true(!slip_sim_warning(r.sim, 0) || strstr(words, "inside")); // the motion is as good as ever
    assert_non_null(slip_sim_note_at(r.sim, 0));
    end(&r);
}

static void where_there_are_none(void **state)
{
    (void)state;
    static const char graze[] =
        "slipstick: 1\nname: graze\nparameters: {s: 1, v: 2}\ncoordinates: {x: {rate: v}}\nmass: {x: 1}\n"
        "forces: {x: -2}\ncontacts: {wall: {gap: s - x, restitution: 0.5}}\n" RUN("1e-2", "1.5");
    ends(graze, "s=1.00000000001", "s, v", "without touching", 1.0);
    ends(graze, "s=1", "s, v", "without touching", 1.0);
    ends(graze, "s=0.9999999999", "s, v", "hardly more than grazing", 1.0);
    ends(graze, "s=1.00000000001;run.step=0.013", "s, v", "without touching", 1.0);
    ends(
        "slipstick: 1\nname: once\nparameters: {v: 0}\ncoordinates: {a: {start: 1, rate: v}, b: {start: 1}}\n"
        "energy: {kinetic: (a'^2 + b'^2)/2, potential: 9.81*(a + b) + (a - b)^2}\n"
        "contacts: {left: {gap: a, restitution: 0.5}, right: {gap: b, restitution: 0.5}}\n" RUN("1e-2", "1"),
        "", "v", "at once", sqrt(2.0 / 9.81));
    // it starts inside the floor and is held there
    ends("slipstick: 1\nname: inside\nparameters: {v: -0.1}\ncoordinates: {y: {start: v}}\nmass: {y: 1}\n"
         "forces: {y: -9.81}\ncontacts: {floor: {gap: y, restitution: 0.5}}\n" RUN("1e-2", "0.1"),
         "", "v", "held inside", 0.0);
    // an incline of just the slope that friction holds
    ends("slipstick: 1\nname: limit\nparameters: {v: 1}\ncoordinates: {x: {rate: v}}\nmass: {x: 1}\n"
         "forces: {x: -3}\nfrictions: {f: {slip: x, limit: 3}}\n" RUN("1e-2", "1"),
         "", "v", "friction is at its limit", 1.0 / 6.0);
}

static void after_a_set(void **state)
{
    (void)state;
    slip_model *model = read_model("", BALL RUN("1e-2", "1"), "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "moreau";
    def.sensitivity = "y";
    slip_sim *sim = make_sim(model, &def);
    slip_error error = { 0 };
    assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    assert_true(slip_sim_derivative(sim, "y", "y") == 1.0);
    assert_int_equal(slip_sim_set(sim, "y", 2.0, &error), SLIP_OK);
    assert_true(isnan(slip_sim_derivative(sim, "y", "y")));
    assert_non_null(strstr(slip_sim_derivatives_end(sim, NULL), "outside"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void of_what_is_refused(void **state)
{
    (void)state;
    slip_error error = { 0 };
    slip_model *model = read_model("", BALL "run: {until: 1, substeps: 1}\n", "", ";");
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    def.formulation = "moreau";
    def.sensitivity = "e";
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
    assert_non_null(strstr(error.text, "leave substeps out"));
    slip_model_destroy(model);
}

// the motion is the same to the last bit, through impacts and rest
static void same_bits(void **state)
{
    (void)state;
    static const char *const texts[] = { BALL RUN("1e-2", "3"), OSCILLATOR RUN("1e-2", "5"),
                                         DRAG RUN("1e-2", "2"), ROD RUN("1e-2", "0.75") };
    static const char *const names[] = { "e, h0", "e, w", "mu, k", "mu, e" };
    for (int i = 0; i < 4; i++) {
        ride with = run(texts[i], "", "moreau", names[i]), without = run(texts[i], "", "moreau", NULL);
        for (int k = 1; k <= 2; k++) {
            const char *column = slip_sim_column_name(with.sim, k);
            const double a = slip_sim_get(with.sim, column), b = slip_sim_get(without.sim, column);
            assert_memory_equal(&a, &b, sizeof a);
        }
        end(&with);
        end(&without);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_bounces),
        cmocka_unit_test(of_impact_times),
        cmocka_unit_test(of_a_stop),
        cmocka_unit_test(of_a_release),
        cmocka_unit_test(of_a_smooth_contact),
        cmocka_unit_test(of_an_incline),
        cmocka_unit_test(of_jumps),
        cmocka_unit_test(of_jumps_that_let_go),
        cmocka_unit_test(of_model_events),
        cmocka_unit_test(as_under_lcp),
        cmocka_unit_test(as_quotients),
        cmocka_unit_test(where_there_are_none),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(after_a_set),
        cmocka_unit_test(of_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
