/// counterexamples.c: one bounce, and its derivative. Each scene stands for a public thread in which a
/// package gives a wrong gradient, NaN or none (docs/one-bounce.md); here each is compared with its closed
/// form.
#include <math.h>

#include "models.h"

static slip_sim *run_scene(const char *name, const char *sets, const char *names, slip_model **model)
{
    char path[160];
    snprintf(path, sizeof path, "../test/sensitivity/scenes/%s", name);
    *model = read_model(".", path, sets, ";");
    slip_sim_def def = slip_default_sim_def();
    def.sensitivity = names;
    slip_sim *sim = make_sim(*model, &def);
    slip_run_outcome outcome;
    do outcome = slip_sim_step(sim);
    while (outcome == SLIP_RUNNING);
    assert_int_equal(outcome, SLIP_DONE);
    assert_null(slip_sim_derivatives_end(sim, NULL));
    return sim;
}

static void drop(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void compare(slip_sim *sim, const char *column, const char *to, double expected)
{
    assert_near(slip_sim_derivative(sim, column, to), expected, 1e-9 * fmax(1.0, fabs(expected)));
}

// y = e V s - g s^2/2 with V = sqrt(2 g h) and s = T - V/g
static void height_after_one_bounce(void **state)
{
    (void)state;
    static const char *const heights[] = { "h0=0.6", "h0=0.8", "h0=1", "h0=1.5" };
    const double g = 9.81, e = 0.8;
    double before = 1.0;
    for (int k = 0; k < 4; k++) {
        slip_model *model;
        slip_sim *sim = run_scene("falling-ball", heights[k], "h0,e", &model);
        const double h = strtod(heights[k] + 3, NULL), v = sqrt(2.0 * g * h), s = 0.8 - v / g;
        const double slope = (1.0 + e) * g * s / v - e;
        assert_near(slip_sim_get(sim, "y"), e * v * s - 0.5 * g * s * s, 1e-10);
        compare(sim, "y", "h0", slope);
        compare(sim, "y", "e", v * s);
        assert_true(fabs(slope - before) > 0.1); // it is another one at every height
        before = slope;
        drop(sim, model);
    }
}

static void elastic_wall(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("elastic-wall", "", "y0,v0", &model);
    assert_near(slip_sim_get(sim, "y"), 1.0, 1e-11);
    compare(sim, "y", "y0", -1.0);
    compare(sim, "y", "v0", 1.0);
    drop(sim, model);
}

static void equal_balls_exchange_everything(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("two-balls", "", "x1,x2,v1,v2", &model);
    static const struct {
        const char *column;
        double to[4];
    } rows[] = {
        { "b'", { 0, 0, 1, 0 } }, { "a'", { 0, 0, 0, 1 } }, { "b", { 1, 0, 1, 0 } }, { "a", { 0, 1, 0, 1 } }
    };
    static const char *const names[] = { "x1", "x2", "v1", "v2" };
    for (int r = 0; r < 4; r++)
        for (int k = 0; k < 4; k++) compare(sim, rows[r].column, names[k], rows[r].to[k]);
    drop(sim, model);
}

// the first ball strikes, waits, and is struck by the one that comes back from the wall
static void ball_ball_wall(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("ball-ball-wall", "", "x1,v1,wall", &model);
    const double speed = slip_sim_get(sim, "a'"), other = slip_sim_get(sim, "b'");
    assert_near(0.5 * (speed * speed + other * other), 2.0, 1e-12);
    assert_near(slip_sim_get(sim, "a"), 0.3, 1e-11);
    compare(sim, "a", "x1", -1.0);
    compare(sim, "a", "v1", -1.2);
    compare(sim, "a", "wall", 2.0);
    drop(sim, model);
}

// it leaves at t0 = m g/k, then y = k (T - t0)^3/(6 m)
static void leaving_a_floor(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("leaving", "", "k,m", &model);
    const double g = 9.81, k = 20.0, t0 = g / k, s = 1.0 - t0;
    assert_near(slip_sim_get(sim, "y"), k * s * s * s / 6.0, 1e-11);
    compare(sim, "y", "k", s * s * s / 6.0 + 0.5 * k * s * s * g / (k * k));
    compare(sim, "y", "m", -k * s * s * s / 6.0 - 0.5 * k * s * s * g / k);
    drop(sim, model);
}

// x = (F/m - mu g) T^2/2, at every instant in contact
static void touching_a_floor(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("touching", "", "F,m,mu", &model);
    const double F = 8.0, m = 2.0, g = 9.81, half = 0.5 * 0.7 * 0.7;
    assert_near(slip_sim_get(sim, "x"), (F / m - 0.3 * g) * half, 1e-12);
    compare(sim, "x", "F", half / m);
    compare(sim, "x", "m", -F / (m * m) * half);
    compare(sim, "x", "mu", -g * half);
    compare(sim, "y", "F", 0.0);
    drop(sim, model);
}

// y = V s - g s^2/2, s = T - 499.5 P, P = 2 V/g
static void five_hundred_bounces(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("many-bounces", "", "h0", &model);
    const double g = 9.81, h = 0.05, v = sqrt(2.0 * g * h), p = 2.0 * v / g, s = 100.93 - 499.5 * p;
    const double slope = g / v * s - (v - g * s) * 499.5 * p / (2.0 * h);
    assert_near(slip_sim_get(sim, "y"), v * s - 0.5 * g * s * s, 1e-8);
    assert_near(slip_sim_derivative(sim, "y", "h0"), slope, 1e-6 * fabs(slope));
    drop(sim, model);
}

static void time_of_an_event(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("moving-threshold", "", "q", &model);
    assert_near(slip_sim_event_time_derivative(sim, 0), 1.0, 1e-12);
    compare(sim, "u", "q", 1.5);
    drop(sim, model);
}

static void output_between_two_events(void **state)
{
    (void)state;
    static const struct {
        const char *until;
        double first, second;
    } ends[] = { { "run.until=0.49999995", 0.0, 0.0 },
                 { "run.until=0.50000005", 1.5, 0.0 },
                 { "run.until=0.5000002", 1.5, 1.5 } };
    for (int k = 0; k < 3; k++) {
        slip_model *model;
        slip_sim *sim = run_scene("output-between", ends[k].until, "a,b", &model);
        compare(sim, "x", "a", ends[k].first);
        compare(sim, "y", "b", ends[k].second);
        drop(sim, model);
    }
}

// five impacts: x = 10 w - v T
static void several_events_in_a_step(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("twice-in-a-step", "", "v,w", &model);
    assert_near(slip_sim_get(sim, "x"), -0.0015, 1e-14);
    compare(sim, "x", "v", -0.0215);
    compare(sim, "x", "w", 10.0);
    drop(sim, model);
}

// x = q + 3 (T - p - (q - p)/2): the first is taken first, whichever is listed first
static void first_of_two_events(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("first-of-two", "", "p,q", &model);
    const double p = 0.3, q = 0.301;
    assert_near(slip_sim_get(sim, "x"), q + 3.0 * (1.0 - p - 0.5 * (q - p)), 1e-12);
    compare(sim, "x", "p", -1.5);
    compare(sim, "x", "q", -0.5);
    drop(sim, model);
}

// the condition is true and false again within a step: x = q + v (T - q/v)/2, whatever the width of the gate
static void two_sign_changes_in_a_step(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("narrow-gate", "", "q,v,w", &model);
    assert_near(slip_sim_get(sim, "x"), 0.4 + 2.0 * (1.0 - 0.2) / 2.0, 1e-12);
    compare(sim, "x", "q", 0.5);
    compare(sim, "x", "v", 0.5);
    compare(sim, "x", "w", 0.0);
    drop(sim, model);
}

// u+ = u - 2 (u n) n with the normal n at the point that is struck
static void normal_that_turns(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run_scene("round-post", "", "b,v", &model);
    const double b = 0.3, v = 2.0, x = -sqrt(1.0 - b * b), t = (x + 2.0) / v, s = 1.2 - t, dx = -b / x;
    const double ux = v * (1.0 - 2.0 * x * x), uy = -2.0 * v * x * b;
    compare(sim, "x'", "b", -4.0 * v * x * dx);
    compare(sim, "y'", "b", -2.0 * v * (dx * b + x));
    compare(sim, "x", "b", dx - 4.0 * v * x * dx * s - ux * dx / v);
    compare(sim, "y", "b", 1.0 - 2.0 * v * (dx * b + x) * s - uy * dx / v);
    compare(sim, "x", "v", ux / v * s + ux * t / v);
    drop(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(height_after_one_bounce),
        cmocka_unit_test(elastic_wall),
        cmocka_unit_test(equal_balls_exchange_everything),
        cmocka_unit_test(ball_ball_wall),
        cmocka_unit_test(leaving_a_floor),
        cmocka_unit_test(touching_a_floor),
        cmocka_unit_test(five_hundred_bounces),
        cmocka_unit_test(time_of_an_event),
        cmocka_unit_test(output_between_two_events),
        cmocka_unit_test(several_events_in_a_step),
        cmocka_unit_test(first_of_two_events),
        cmocka_unit_test(two_sign_changes_in_a_step),
        cmocka_unit_test(normal_that_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
