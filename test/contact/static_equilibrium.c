/// rest.c: where a model can stay, with the forces that hold it.
#include "dynamics/contact/static_equilibrium.h"

#include <math.h>

#include "models.h"

#define HEAD "slipstick: 1\nname: r\n"

// the equilibrium of a model text: places into q
static slip_static_equilibrium rest_of(const char *text, const char *sets, double *q)
{
    slip_model *model = read_model("", text, sets, " ");
    slip_static_equilibrium rest;
    slip_error error = { 0 };
    slip_status status = slip_static_equilibrium_find(model, q, &rest, &error);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    slip_model_destroy(model);
    return rest;
}

static void says_none(const char *text, const char *sets, const char *words)
{
    slip_model *model = read_model("", text, sets, " ");
    slip_static_equilibrium rest;
    slip_error error = { 0 };
    double q[20];
    assert_int_equal(slip_static_equilibrium_find(model, q, &rest, &error), SLIP_BAD_MODEL);
    if (!strstr(error.text, words)) fail_msg("'%s' is not in '%s'", words, error.text);
    slip_model_destroy(model);
}

// a value of a run from rest, at the start and at the end
static void stays(const char *text, const char *sets, const char *formulation, const char *column,
                  double value, double tolerance)
{
    slip_model *model = read_model("", text, sets, " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.until = 0.2;
    slip_sim *sim = make_sim(model, &def);
    if (strcmp(formulation, "moreau") != 0) assert_near(slip_sim_get(sim, column), value, tolerance);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, column), value, tolerance);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void smooth_forces(void **state)
{
    (void)state;
    double q[12];
    const char *well = HEAD "parameters: {x0: 0.3}\ncoordinates: {x: x0}\nmass: {x: 1}\n"
                            "energy: {potential: (x^2 - 1)^2}\nstart: at rest\n";
    slip_static_equilibrium rest = rest_of(well, "", q);
    assert_near(q[0], 1.0, 1e-10);
    assert_true(rest.others == 1 && !rest.held && !rest.neutral && !rest.unstable);
    assert_non_null(strstr(rest.text, "x = -1"));
    rest = rest_of(well, "x0=-0.1", q);
    assert_near(q[0], -1.0, 1e-10);
    rest = rest_of(well, "x0=0", q); // on the top: it stays, which is said
    assert_true(q[0] == 0.0 && rest.unstable);
    rest = rest_of(HEAD "coordinates: {x: 1, y: 2}\nmass: {x: 1, y: 1}\nforces: {y: -y}\nstart: at rest\n",
                   "", q);
    assert_near(q[0], 1.0, 1e-10);
    assert_near(q[1], 0.0, 1e-10);
    assert_true(rest.neutral);
}

// a chain of pendulums hangs straight down, also from a constraint instead of an angle
static void chains_and_constraints(void **state)
{
    (void)state;
    double q[12];
    slip_static_equilibrium rest = rest_of(
        HEAD
        "parameters: {n: 6}\ncoordinates: {a1: 1.2, a2: 0.9, a3: 0.7, a4: 0.2, a5: -0.1, a6: 2}\n"
        "energy: {kinetic: 'sum(i=1..n, 0.5*a(i)''^2)', potential: 'sum(i=1..n, -(n + 1 - i)*cos(a(i)))'}\n"
        "start: at rest\n",
        "", q);
    for (int k = 0; k < 6; k++) assert_near(q[k], 0.0, 1e-10);
    rest =
        rest_of(HEAD "coordinates: {x: 0.5, y: 0}\nenergy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                     "constraints: {rod: x^2 + y^2 - 0.25}\nstart: at rest\n",
                "", q);
    assert_near(q[0], 0.0, 1e-10);
    assert_near(q[1], -0.5, 1e-10);
    assert_false(rest.unstable);
}

// a bar on a spring and a stop: m g/2 each
static void a_stop_carries_its_share(void **state)
{
    (void)state;
    static const char *const under[] = { "lcp", "gauss", "moreau", "auto" };
    for (int k = 0; k < 4; k++) {
        slip_model *model = read_model("classics", "bar-on-a-stop", "", " ");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = under[k];
        def.until = 0.1;
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "load"), 9.81, 1e-6);
        assert_near(slip_sim_get(sim, "y"), -2 * 9.81 / 1600, 1e-9);
        assert_string_equal(slip_sim_start_reason(sim), "one equilibrium was found");
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static void friction_holds_what_it_can(void **state)
{
    (void)state;
    const char *incline = HEAD "parameters: {a: 20 deg, mu: 0.5, x0: 0.7}\ncoordinates: {x: x0, y: 0}\n"
                               "mass: {x: 2, y: 2}\nforces: {x: -2*9.81*sin(a), y: -2*9.81*cos(a)}\n"
                               "contacts: {floor: {gap: y, slip: x, friction: mu}}\n"
                               "record: {N: floor.normal, T: floor.friction}\nstart: at rest\n";
    double q[2], a = 20 * acos(-1.0) / 180;
    slip_static_equilibrium rest = rest_of(incline, "", q);
    assert_true(rest.held && q[0] == 0.7);
    assert_non_null(strstr(rest.text, "reached from the given start"));
    stays(incline, "", "lcp", "N", 2 * 9.81 * cos(a), 1e-9);
    stays(incline, "", "lcp", "T", 2 * 9.81 * sin(a), 1e-9);
    stays(incline, "", "moreau", "x", 0.7, 1e-12);
    says_none(incline, "mu=0.3", "nothing stops 'x'"); // tan 20 deg = 0.364
    says_none(incline, "mu=0", "nothing stops 'x'");
    // let go at x0, a spring slides to the edge of what friction holds: F/k
    const char *spring = HEAD "parameters: {x0: 1}\ncoordinates: {x: x0}\nmass: {x: 1}\nforces: {x: -100*x}\n"
                              "frictions: {f: {slip: x, limit: 3}}\nstart: at rest\n";
    rest_of(spring, "", q);
    assert_near(q[0], 0.03, 1e-10);
    rest_of(spring, "x0=-2", q);
    assert_near(q[0], -0.03, 1e-10);
    rest = rest_of(spring, "x0=0.02", q);
    assert_true(q[0] == 0.02 && rest.held);
    // a belt drags with all of it: mu m g/k
    rest = rest_of(HEAD "coordinates: {x: 0}\nmass: {x: 2}\nforces: {x: -100*x}\n"
                        "frictions: {belt: {slip': x' - 0.3, limit: 5}}\nstart: at rest\n",
                   "", q);
    assert_near(q[0], 0.05, 1e-10);
    assert_false(rest.held);
}

// two blocks, the upper one 3 cm off: the load on the corners of the floor from the balance of moments
static void a_stack_settles(void **state)
{
    (void)state;
    const char *stack = HEAD
        "gravity: 9.81\nbodies:\n  ground: {shape: {line: [0, 0]}}\n"
        "  a: {mass: 1, inertia: 0.01, y: {start: 0.12}, shape: {box: [0.2, 0.2]}}\n"
        "  b: {mass: 1, inertia: 0.01, y: {start: 0.35}, x: {start: 0.03}, shape: {box: [0.2, 0.2]}}\n"
        "contacts: {floor: {between: [a, ground], friction: 0.5}, pair: {between: [b, a], friction: 0.5}}\n"
        "record: {left: floor_3.normal, right: floor_4.normal}\nstart: at rest\n";
    stays(stack, "", "lcp", "left", 9.81 - 0.5 * 9.81 * 0.3, 1e-6);
    stays(stack, "", "lcp", "right", 9.81 + 0.5 * 9.81 * 0.3, 1e-6);
    stays(stack, "", "moreau", "b.y", 0.3, 1e-9);
    const char *box =
        HEAD "space: 3\ngravity: 9.81\nbodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"
             "  box: {mass: 2, inertia: [0.01, 0.02, 0.03], z: {start: 0.2}, shape: {box: [0.2, 0.1, 0.06]},"
             " attitude: {axis: [1, 1, 0], angle: 10 deg}}\n"
             "contacts: {floor: {between: [box, ground], friction: 0.5}}\nstart: at rest\n";
    stays(box, "", "moreau", "box.z", 0.03, 1e-9);
    stays(box, "", "moreau", "box.qx", 0.0, 1e-9);
}

// a stack of `count` blocks, 0.2 m wide and high, each `gap` above the one below and `shift`/(2 k) of a width
// beside it, k counted from the top
static slip_model *stack_of(int count, double gap, double shift)
{
    char text[6000];
    double x = 0.0;
    size_t at = (size_t)snprintf(text, sizeof text,
                                 HEAD "gravity: 9.81\nbodies:\n  ground: {shape: {line: [0, 0]}}\n");
    for (int k = 0; k < count; k++) {
        if (k) x += 0.2 * shift / (2.0 * (count - k));
        at += (size_t)snprintf(
            text + at, sizeof text - at,
            "  b%d: {mass: 1, inertia: 0.01, x: {start: %.17g}, y: {start: %.17g}, shape: {box: "
            "[0.2, 0.2]}}\n",
            k, x, 0.1 + 0.2 * k + gap * (k + 1));
    }
    at += (size_t)snprintf(text + at, sizeof text - at,
                           "contacts:\n  floor: {between: [b0, ground], friction: 0.5}\n");
    for (int k = 1; k < count; k++)
        at += (size_t)snprintf(text + at, sizeof text - at, "  p%d: {between: [b%d, b%d], friction: 0.5}\n",
                               k, k, k - 1);
    snprintf(text + at, sizeof text - at,
             "record: {left: floor_3.normal, right: floor_4.normal}\nstart: at rest\n");
    return read_model("", text, "", " ");
}

// ten equal blocks, corner on corner: settled to the last digits, and left alone where they rest already
static void a_tall_stack(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        slip_model *model = stack_of(10, apart ? 0.01 : 0.0, 0.0);
        double q[30];
        slip_static_equilibrium rest;
        slip_error error = { 0 };
        assert_int_equal(slip_static_equilibrium_find(model, q, &rest, &error), SLIP_OK);
        assert_true(rest.held);
        for (int k = 0; k < 10; k++) {
            assert_near(q[3 * k], 0.0, apart ? 1e-12 : 0.0);
            assert_near(q[3 * k + 1], 0.1 + 0.2 * k, apart ? 1e-12 : 0.0);
            assert_near(q[3 * k + 2], 0.0, apart ? 1e-12 : 0.0);
        }
        slip_model_destroy(model);
    }
}

// blocks that overhang as far as they can, but for 1 %: the floor carries them where the moments say
static void an_overhang(void **state)
{
    (void)state;
    const int count = 5;
    slip_model *model = stack_of(count, 0.0, 0.99);
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    def.until = 0.05;
    slip_sim *sim = make_sim(model, &def);
    double moment = 0.0, x = 0.0;
    for (int k = 1; k < count; k++) x += 0.2 * 0.99 / (2.0 * (count - k)), moment += 9.81 * x;
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "left"), 0.5 * 9.81 * count - moment / 0.2, 1e-6);
    assert_near(slip_sim_get(sim, "right"), 0.5 * 9.81 * count + moment / 0.2, 1e-6);
    assert_near(slip_sim_get(sim, "b4.y"), 0.9, 1e-12);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void other_formulations_begin_there(void **state)
{
    (void)state;
    static const char *const under[] = { "dai", "modular", "kelvin-voigt", "hunt-crossley", "tanh" };
    for (int k = 0; k < 5; k++) {
        slip_model *model = read_model("classics", "bar-on-a-stop", "", " ");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = under[k];
        def.until = 0.2;
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "y"), -2 * 9.81 / 1600, 2e-4); // sinks in a little
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_forces),
        cmocka_unit_test(chains_and_constraints),
        cmocka_unit_test(a_stop_carries_its_share),
        cmocka_unit_test(friction_holds_what_it_can),
        cmocka_unit_test(a_stack_settles),
        cmocka_unit_test(a_tall_stack),
        cmocka_unit_test(an_overhang),
        cmocka_unit_test(other_formulations_begin_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
