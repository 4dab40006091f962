/// closed.c: optima that are known in closed form, and what is said where there is none.
#include <math.h>

#include "models.h"

// thrown from a height h: it lands at v/g sqrt(v^2 + 2 g h) at the farthest, at tan(angle) = v/sqrt(v^2 + 2 g
// h)
static const char thrown[] =
    "slipstick: 1\n"
    "name: Throw\n"
    "parameters: {v: 5 m/s, angle: 0.3, h: 2 m}\n"
    "coordinates: {x: {start: 0, rate: v*cos(angle)}, y: {start: h, rate: v*sin(angle)}}\n"
    "mass: {x: 1, y: 1}\n"
    "forces: {y: -9.81}\n"
    "run: {until: 10, stop: y < 0}\n";

// pushed with the speed v it slides v^2/(2 mu g) far
static const char pushed[] = "slipstick: 1\n"
                             "name: Push\n"
                             "parameters: {v: 1 m/s, mu: 0.3}\n"
                             "coordinates: {x: {start: 0, rate: v}, y: 0}\n"
                             "mass: {x: 1, y: 1}\n"
                             "forces: {y: -9.81}\n"
                             "contacts: {floor: {gap: y, slip: x, friction: mu}}\n"
                             "run: {until: 4}\n";

// the same over stripes of 0.25 m, mu 0.1 and 0.5 in turn: the work of friction adds up
static const char striped[] =
    "slipstick: 1\n"
    "name: Stripes\n"
    "parameters: {v: 1 m/s}\n"
    "coordinates: {x: {start: 0, rate: v}, y: 0}\n"
    "mass: {x: 1, y: 1}\n"
    "forces: {y: -9.81}\n"
    "contacts: {floor: {gap: y, slip: x, friction: \"if(floor(x/0.25) - 2*floor(x/0.5) > 0.5, 0.5, 0.1)\"}}\n"
    "run: {until: 4}\n";

static slip_optimize_def define(const slip_model *model, const char *minimize, const char *const *free_names,
                                int count)
{
    slip_optimize_def def = slip_default_optimize_def();
    def.model = model;
    def.minimize = minimize;
    def.free = free_names, def.free_count = count;
    return def;
}

static slip_optimum *search(const slip_optimize_def *def)
{
    slip_error error = { 0 };
    slip_optimum *o = NULL;
    const slip_status status = slip_optimize(def, &error, &o);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    return o;
}

static void the_longest_throw(void **state)
{
    (void)state;
    static const char *const methods[] = { NULL, "cobyla", "subplex", "slsqp", "direct", "crs", "isres" };
    static const char *const names[] = { "angle" };
    const double lower[] = { 0.0 }, upper[] = { 1.5 }, root = sqrt(25.0 + 4.0 * 9.81);
    slip_model *model = read_model("", thrown, "", ";");
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        slip_optimize_def def = define(model, "x", names, 1);
        def.maximize = true;
        def.lower = lower, def.upper = upper;
        def.method = methods[k];
        def.max_runs = 400;
        slip_optimum *o = search(&def);
        assert_near(o->objective, 5.0 / 9.81 * root, 1e-9);
        assert_near(o->value[0], atan(5.0 / root), 3e-5); // the objective is flat there
        assert_near(o->gradient[0], 0.0, 1e-3);
        assert_true(o->trusted && o->feasible && !o->at_bound[0]);
        slip_optimum_destroy(o);
    }
    slip_model_destroy(model);
}

// the slowest throw that reaches x = 5 obeys v^2 = g (sqrt(h^2 + x^2) - h)
static void the_slowest_throw_that_gets_there(void **state)
{
    (void)state;
    static const char *const names[] = { "v", "angle" }, *const constraints[] = { "x >= 5" };
    static const char *const methods[] = { "cobyla", "slsqp" };
    const double lower[] = { 1.0, 0.1 }, upper[] = { 20.0, 1.4 };
    slip_model *model = read_model("", thrown, "v=8", ";");
    for (int k = 0; k < 2; k++) {
        slip_optimize_def def = define(model, "v", names, 2);
        def.lower = lower, def.upper = upper;
        def.constraints = constraints, def.constraint_count = 1;
        def.method = methods[k];
        slip_optimum *o = search(&def);
        assert_near(o->value[0], sqrt(9.81 * (sqrt(29.0) - 2.0)), 1e-5);
        assert_near(o->slack[0], 0.0, 1e-5);
        assert_near(o->gradient[0], 1.0, 1e-6);
        assert_true(o->feasible);
        slip_optimum_destroy(o);
    }
    slip_model_destroy(model);
}

// cos(5 v) + v/10 has a valley every 2 pi/5; the lowest of them within 0.1 to 9 is the first, at sin(5 v) = 0.02
static void the_lowest_of_many_valleys(void **state)
{
    (void)state;
    static const char *const names[] = { "v" };
    const double lower[] = { 0.1 }, upper[] = { 9.0 }, best = (3.14159265358979323846 - asin(0.02)) / 5.0;
    slip_model *model = read_model("", pushed, "v=8", ";");
    slip_optimize_def def = define(model, "cos(5*v) + 0.1*v", names, 1);
    def.lower = lower, def.upper = upper;
    slip_optimum *o = search(&def);
    assert_near(o->value[0], best, 1e-4);
    assert_near(o->objective, cos(5.0 * best) + 0.1 * best, 1e-8);
    assert_true(o->scanned >= 24 && o->starts > 1);
    double again = 0.0;
    slip_error error = { 0 };
    assert_int_equal(slip_optimize_value(&def, o->value, &error, &again), SLIP_OK);
    assert_near(again, o->objective, 1e-12);
    slip_optimum_destroy(o);
    def.starts = 1; // from the start alone: its own valley
    o = search(&def);
    assert_true(o->scanned == 0 && o->objective > cos(5.0 * best) + 0.1 * best + 0.1);
    slip_optimum_destroy(o);
    slip_model_destroy(model);
}

static void an_equality_is_met(void **state)
{
    (void)state;
    static const char *const names[] = { "v" }, *const constraints[] = { "x == 2 m" };
    const double lower[] = { 0.5 }, upper[] = { 9.0 };
    slip_model *model = read_model("", pushed, "", ";");
    slip_optimize_def def = define(model, "v^2", names, 1);
    def.lower = lower, def.upper = upper;
    def.constraints = constraints, def.constraint_count = 1;
    slip_optimum *o = search(&def);
    assert_near(o->value[0], sqrt(2.0 * 0.3 * 9.81 * 2.0), 1e-5);
    assert_true(o->feasible);
    slip_optimum_destroy(o);
    slip_model_destroy(model);
}

// friction so that it comes to rest at 1 m, under every formulation that slides to a stop exactly
static void friction_for_a_distance(void **state)
{
    (void)state;
    static const char *const names[] = { "mu" };
    static const struct {
        const char *formulation;
        double tolerance;
    } under[] = { { "lcp", 1e-5 }, { "gauss", 1e-5 }, { "auto", 1e-5 }, { "moreau", 1e-3 }, { "dai", 1e-3 } };
    const double lower[] = { 0.05 }, upper[] = { 0.9 };
    slip_model *model = read_model("", pushed, "v=2 run.until=5", " ");
    for (size_t k = 0; k < sizeof under / sizeof *under; k++) {
        slip_optimize_def def = define(model, "(x - 1)^2", names, 1);
        def.lower = lower, def.upper = upper;
        def.sim.formulation = under[k].formulation;
        slip_optimum *o = search(&def);
        assert_near(o->value[0], 4.0 / (2.0 * 9.81), under[k].tolerance);
        slip_optimum_destroy(o);
    }
    slip_model_destroy(model);
}

// a ball that may leave the floor once: its restitution is the one at which the second impact is the last
static void values_of_a_whole_run(void **state)
{
    (void)state;
    static const char ball[] =
        "slipstick: 1\nname: Ball\nparameters: {e: 0.5}\ncoordinates: {y: 1}\n"
        "mass: {y: 1}\nforces: {y: -9.81}\ncontacts: {floor: {gap: y, restitution: e}}\n"
        "run: {until: 1}\n";
    static const char *const names[] = { "e" };
    const double lower[] = { 0.1 }, upper[] = { 0.9 };
    slip_model *model = read_model("", ball, "", ";");
    // after 0.4515 s it rises to e^2 times its height: e = 0.8 where that is 0.64
    slip_optimize_def def = define(model, "(max(y) - 0.64)^2 + 0*count(impact)", names, 1);
    def.lower = lower, def.upper = upper;
    def.after = 0.46;
    def.sim.formulation = "lcp";
    def.sim.step = 1e-3;
    slip_optimum *o = search(&def);
    assert_near(o->value[0], 0.8, 1e-4);
    slip_optimum_destroy(o);
    slip_model_destroy(model);
}

// two wells of a polynomial, the deeper one far from the start
static const char wells[] =
    "slipstick: 1\nname: Wells\nparameters: {a: 1, b: 0.5}\ncoordinates: {x: {start: 0, rate: 1}}\n"
    "mass: {x: 1}\nforces: {x: 0}\nrun: {until: 1}\n";

static void many_starts_find_the_deeper_well(void **state)
{
    (void)state;
    static const char *const names[] = { "a", "b" };
    const double lower[] = { -2.0, -1.0 }, upper[] = { 2.0, 1.0 };
    slip_model *model = read_model("", wells, "", ";");
    slip_optimum *found[2];
    for (int k = 0; k < 2; k++) {
        slip_optimize_def def = define(model, "(a^2 - 1)^2 + 0.2*a + b^2*x", names, 2);
        def.lower = lower, def.upper = upper;
        def.starts = 8;
        def.threads = k ? 3 : 1;
        found[k] = search(&def);
        // the root of 4 a^3 - 4 a + 0.2 near -1
        assert_near(found[k]->value[0], -1.0241203002150503, 1e-5);
        assert_near(found[k]->value[1], 0.0, 1e-5);
        assert_true(found[k]->starts == 8 && found[k]->agreed >= 2 && found[k]->agreed < 8);
    }
    assert_memory_equal(found[0]->value, found[1]->value, sizeof found[0]->value);
    assert_int_equal(found[0]->runs, found[1]->runs);
    slip_optimum_destroy(found[0]);
    slip_optimum_destroy(found[1]);
    slip_model_destroy(model);
}

static void a_bound_is_said(void **state)
{
    (void)state;
    static const char *const names[] = { "a" };
    const double lower[] = { -1.0 }, upper[] = { 2.0 };
    slip_model *model = read_model("", wells, "", ";");
    slip_optimize_def def = define(model, "3*a*x", names, 1);
    def.lower = lower, def.upper = upper;
    slip_optimum *o = search(&def);
    assert_near(o->value[0], -1.0, 1e-9);
    assert_near(o->gradient[0], 3.0, 1e-6);
    assert_true(o->at_bound[0]);
    slip_model *there = NULL;
    slip_error error;
    assert_int_equal(slip_optimum_model(&def, o, &error, &there), SLIP_OK);
    assert_near(slip_model_parameter_value(there, 0), o->value[0], 0.0);
    slip_model_destroy(there);
    slip_optimum_destroy(o);
    slip_model_destroy(model);
}

// x = v^2/(2 mu g) at rest: its derivatives ride along with the run, through sticking, where there are any
static void derivatives_are_exact_where_they_ride_along(void **state)
{
    (void)state;
    static const char *const names[] = { "v", "parameters.mu", "coordinates.x.start" };
    const double lower[] = { 0.5, 0.2, -1.0 }, upper[] = { 3.0, 0.9, 1.0 }, g = 9.81;
    slip_model *model = read_model("", pushed, "", ";");
    static const char *const formulations[] = { "lcp", "moreau", "auto" };
    for (int k = 0; k < 3; k++) {
        slip_optimize_def def = define(model, "x*mu", names, 3);
        def.maximize = true;
        def.lower = lower, def.upper = upper;
        def.sim.formulation = formulations[k];
        def.sim.relative = 1e-10, def.sim.absolute = 1e-12;
        slip_optimum *o = search(&def);
        const double mu = o->value[1], x = 1.0 + 9.0 / (2.0 * mu * g), scale = k ? 1e-2 : 1e-8;
        assert_true(o->exact == (k < 2));
        assert_near(o->value[0], 3.0, 1e-6);
        assert_near(o->value[2], 1.0, 1e-6);
        assert_near(o->gradient[0], mu * 3.0 / (mu * g), scale);
        assert_near(o->gradient[1], x - mu * 9.0 / (2.0 * mu * mu * g), scale);
        assert_near(o->gradient[2], mu, scale);
        slip_optimum_destroy(o);
    }
    slip_model_destroy(model);
}

// runs that cannot begin, or whose value is not a number, are passed by and counted
static void runs_without_a_value(void **state)
{
    (void)state;
    static const char *const names[] = { "mu" };
    const double lower[] = { -0.5 }, upper[] = { 1.0 };
    slip_model *model = read_model("", pushed, "v=2", ";");
    slip_optimize_def def = define(model, "x^2 + (1/mu)*0", names, 1);
    def.lower = lower, def.upper = upper;
    def.method = "direct";
    def.max_runs = 60;
    def.maximize = true;
    slip_optimum *o = search(&def);
    assert_true(o->failed_runs > 0 && o->failed_runs < o->runs);
    assert_true(o->value[0] >= 0.0);
    slip_optimum_destroy(o);
    def.minimize = "sqrt(-1 - x^2)";
    slip_error error = { 0 };
    assert_int_equal(slip_optimize(&def, &error, &o), SLIP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "gave a value"));
    slip_model_destroy(model);
}

static void it_stops_when_it_is_asked_to(void **state)
{
    (void)state;
    static const char *const names[] = { "a" };
    static volatile sig_atomic_t stop;
    slip_model *model = read_model("", wells, "", ";");
    slip_optimize_def def = define(model, "(a - 3)^2*x", names, 1);
    def.max_runs = 3;
    slip_optimum *o = search(&def);
    assert_int_equal(o->outcome, SLIP_OPTIMIZE_MAX_RUNS);
    slip_optimum_destroy(o);
    slip_error error = { 0 };
    stop = 1;
    def.stop = &stop;
    assert_int_equal(slip_optimize(&def, &error, &o), SLIP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "stopped"));
    slip_model_destroy(model);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const char *const names[] = { "a" }, *const wrong[] = { "b2" }, *const sum[] = { "a + 1" };
    const double lower[] = { 1.0 }, upper[] = { 1.0 };
    slip_model *model = read_model("", wells, "", ";");
    const slip_optimize_def good = define(model, "x", names, 1);
    struct {
        slip_optimize_def def;
        const char *said;
    } cases[10];
    for (int k = 0; k < 10; k++) cases[k].def = good;
    cases[0].def.minimize = "x + nothing", cases[0].said = "unknown name 'nothing'";
    cases[1].def.free = wrong, cases[1].said = "did you mean 'b'?";
    cases[2].def.constraints = sum, cases[2].def.constraint_count = 1, cases[2].said = "expected A <= B";
    cases[3].def.method = "newton", cases[3].said = "there is no method 'newton'";
    cases[4].def.method = "direct", cases[4].said = "needs a lower and an upper bound";
    cases[5].def.method = "bobyqa", cases[5].said = "needs two free values";
    cases[6].def.lower = lower, cases[6].def.upper = upper, cases[6].said = "leave nothing free";
    cases[7].def.tolerance = 0.0, cases[7].said = "must be between 0 and 1";
    cases[8].def.free_count = 0, cases[8].said = "expected 1 to 12 names";
    cases[9].def.minimize = "max(xx)", cases[9].said = "a run leaves no 'max(xx)' behind";
    for (int k = 0; k < 10; k++) {
        slip_error error = { 0 };
        slip_optimum *o = NULL;
        assert_int_equal(slip_optimize(&cases[k].def, &error, &o), SLIP_BAD_ARGUMENT);
        assert_null(o);
        if (!strstr(error.text, cases[k].said)) fail_msg("case %d says '%s'", k, error.text);
    }
    slip_model_destroy(model);
}

// to 0.8 m: 0.5 m with mu 0.1 and 0.3 m with mu 0.5
static void a_speed_for_a_stripe(void **state)
{
    (void)state;
    static const char *const names[] = { "v" };
    const double lower[] = { 0.5 }, upper[] = { 4.0 };
    slip_model *model = read_model("", striped, "", ";");
    slip_optimize_def def = define(model, "(x - 0.8)^2", names, 1);
    def.lower = lower, def.upper = upper;
    slip_optimum *o = search(&def);
    assert_near(o->value[0], sqrt(2.0 * 9.81 * (0.1 * 0.5 + 0.5 * 0.3)), 1e-3);
    assert_near(o->objective, 0.0, 1e-6);
    slip_optimum_destroy(o);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_throw),
        cmocka_unit_test(the_slowest_throw_that_gets_there),
        cmocka_unit_test(the_lowest_of_many_valleys),
        cmocka_unit_test(an_equality_is_met),
        cmocka_unit_test(friction_for_a_distance),
        cmocka_unit_test(a_speed_for_a_stripe),
        cmocka_unit_test(values_of_a_whole_run),
        cmocka_unit_test(many_starts_find_the_deeper_well),
        cmocka_unit_test(a_bound_is_said),
        cmocka_unit_test(derivatives_are_exact_where_they_ride_along),
        cmocka_unit_test(runs_without_a_value),
        cmocka_unit_test(it_stops_when_it_is_asked_to),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
