/// reading.c: what a model with detected contacts may say, and what it hears when it says something
/// else.
#include "crowds.h"

#include <math.h>

#include "model/model.h"

static const char HEAD[] = "slipstick: 1\nname: test\nspace: 3\ngravity: 9.81\n";

// the first message about a text
static void refused(const char *text, const char *expected)
{
    char whole[4000];
    snprintf(whole, sizeof whole, "%s%s", HEAD, text);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_not_equal(slip_model_read_text("test.yaml", whole, strlen(whole), NULL, 0, notes, &model),
                         SLIP_OK);
    char *said = slip_diagnostics_text(notes);
    if (!strstr(said, expected)) print_error("expected: %s\ngot: %s\n", expected, said);
    assert_non_null(strstr(said, expected));
    free(said);
    slip_diagnostics_destroy(notes);
}

#define GROUND "bodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"
#define BALL   "  ball: {mass: 1, inertia: 0.1, shape: {sphere: 0.1}, z: 1}\n"

static void mistakes(void **state)
{
    (void)state;
    refused(GROUND BALL "contacts: {c: {detect: [bal, ground]}}\n", "there is no body 'bal'");
    refused(GROUND BALL "contacts: {c: {detect: [box*, ground]}}\n",
            "no body has a name that begins with 'box'");
    refused(GROUND BALL "contacts: {c: {detect: [ball.top, ground]}}\n", "body 'ball' has no shape 'top'");
    refused(GROUND BALL "contacts: {c: {detect: [ball, ground], gap: ball.z}}\n",
            "has both 'found' and 'gap'");
    refused(GROUND BALL "contacts: {c: {detect: [ball, ground], friction: 0.1*t}}\n", "has to be constant");
    refused(GROUND BALL "contacts: {c: {detect: [ball, ground], static: 0.2, friction: 0.3}}\n",
            "static friction of contact 'c', 0.2, is below its sliding friction, 0.3");
    refused(GROUND BALL "materials: {ice: {ice: {friction: 0.3, static: 0.2}}}\n"
                        "contacts: {c: {detect: [ball, ground]}}\n",
            "static friction of the pair of materials 'ice', 0.2, is below its sliding friction, 0.3");
    refused(GROUND "  slab: {mass: 1, inertia: 1, shape: {plane: [0, 0, 0], speed: 1}}\n" BALL
                   "contacts: {c: {detect: [ball, slab]}}\n",
            "a surface that runs cannot lie on a free body whose contacts are detected");
    refused(GROUND BALL "contacts: {c: {detect: [ball, ground], rolling: -1 mm}}\n", "rolling");
    refused(GROUND BALL "contacts: {c: {detect: [ball, ground], rolling: ball.z}}\n", "rolling");
    refused(GROUND BALL "contacts: {c: {detect: [ball, ground], impact: poisson}}\n",
            "strikes by Newton's law");
    refused(GROUND "contacts: {c: {detect: [ground]}}\n",
            "none of the bodies whose contacts are detected can move");
    refused(GROUND "  ball: {inertia: 0.1, shape: {sphere: 0.1}}\ncontacts: {c: {detect: [ball, ground]}}\n",
            "it needs a mass");
    refused(GROUND "  ball: {mass: 1, shape: {point: [0, 0, 0]}}\ncontacts: {c: {detect: [ball, ground]}}\n",
            "a point is no solid");
    refused(GROUND BALL "contacts: {c: {detect: [ball, ground]}, d: {gap: ball.x + 1, impact: poisson}}\n",
            "in a model with 'detect' all strike by Newton's law");
}

// other formulations say why they do not take it
static void formulations(void **state)
{
    (void)state;
    char whole[4000];
    snprintf(whole, sizeof whole, "%s%s", HEAD, GROUND BALL "contacts: {c: {detect: [ball*, ground]}}\n");
    slip_model *model = read_model("", whole, "", ";");
    static const char *const others[] = { "lcp",           "gauss", "dai",     "kelvin-voigt",
                                          "hunt-crossley", "tanh",  "modular", "auto" };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        slip_sim_def def = slip_default_sim_def();
        slip_error error = { 0 };
        slip_sim *sim = NULL;
        def.formulation = others[k];
        assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
        assert_non_null(strstr(error.text, "moreau takes the model as it is"));
    }
    slip_sim *sim = make_sim(model, NULL);
    assert_string_equal(slip_sim_settings(sim).formulation, "moreau");
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// what formulas move beside a crowd and the step does not take
static void machines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        { "repeat:\n  for: {i: 1..40}\n  bodies:\n"
          "    l(i): {mass: 1, inertia: 0.1, centre: [0.1, 0], joint: {revolute: arm.tip}, th: 0.1*i}\n",
          "41 coordinates from 'arm.th' on hang on one another, and 36 may" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char whole[4000];
        snprintf(whole, sizeof whole,
                 "slipstick: 1\nname: test\ngravity: 9.81\nbodies:\n  ground: {shape: {line: [0, -9]}}\n"
                 "  arm: {mass: 1, inertia: 0.1, centre: [0.1, 0], points: {tip: [1, 0]}, joint: {revolute: "
                 "ground}, shape: "
                 "{circle: 0.1}}\n"
                 "  ball: {mass: 1, inertia: 0.1, shape: {circle: 0.1}, y: 1}\n"
                 "contacts: {c: {detect: [arm, ball, ground]}}\n%s",
                 cases[k].text);
        slip_model *model = read_model("", whole, "", ";");
        slip_sim_def def = slip_default_sim_def();
        slip_error error = { 0 };
        slip_sim *sim = NULL;
        def.formulation = "moreau";
        assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
        if (!strstr(error.text, cases[k].expected)) print_error("%s\n", error.text);
        assert_non_null(strstr(error.text, cases[k].expected));
        slip_model_destroy(model);
    }
}

// nodes that a model of so many bodies is made of
static int nodes_of(const char *body, int count)
{
    char whole[1000];
    snprintf(whole, sizeof whole,
             "%sbodies: {ground: {shape: {plane: [0, 0, 0]}}}\n"
             "repeat:\n  for: {i: 1..%d}\n  bodies:\n    b(i): {mass: 1, inertia: 0.1, z: i, %s}\n"
             "contacts: {c: {detect: [b*, ground]}}\n",
             HEAD, count, body);
    slip_model *model = read_model("", whole, "", ";");
    const int nodes = slip_graph_node_count(model->graph);
    slip_model_destroy(model);
    return nodes;
}

// A body that nothing names is its seven coordinates and rates, what its quaternion divided by its length
// needs, which a drawing has (four squares, three sums, a root, four quotients), and its number in `repeat`
static void bodies_are_numbers(void **state)
{
    (void)state;
    static const char *const shapes[] = { "shape: {sphere: 0.1}", "shape: {box: [0.1, 0.2, 0.3]}",
                                          "shape: {cylinder: [0.1, 0.2]}" };
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const int more = nodes_of(shapes[k], 110) - nodes_of(shapes[k], 10);
        assert_true(more >= 100 * 14);
        assert_true(more <= 100 * (14 + 12 + 1));
    }
}

// How a body turns, asked for by records alone: a ball that spins about z with w has turned by w t
static void attitude_when_asked(void **state)
{
    (void)state;
    const double w = 2.0, t = 0.5;
    slip_model *model;
    slip_sim *sim = start_crowd(
        &model, "",
        "slipstick: 1\nname: spin\nspace: 3\nbodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"
        "  ball: {mass: 1, inertia: 0.1, shape: {sphere: 0.1}, z: 1, spin: [0, 0, 2], points: {tip: [0.5, 0, "
        "0]}}\n"
        "contacts: {c: {detect: [ball, ground]}}\n"
        "record: {q: ball.qz, qr: ball.qz', w: ball.w3, x: ball.tip.x, yr: ball.tip.y'}\n",
        "", 1e-3, 1.0);
    step_until(sim, t);
    assert_near(slip_sim_get(sim, "q"), sin(0.5 * w * t), 1e-12);
    assert_near(slip_sim_get(sim, "qr"), 0.5 * w * cos(0.5 * w * t), 1e-12);
    assert_near(slip_sim_get(sim, "w"), w, 1e-12);
    assert_near(slip_sim_get(sim, "x"), 0.5 * cos(w * t), 1e-12);
    assert_near(slip_sim_get(sim, "yr"), 0.5 * w * cos(w * t), 1e-12);
    finish(sim, model);
}

// A free top beside a crowd moves to the same bits whether formulas name it or not
static void bystanders(void **state)
{
    (void)state;
    double last[2][7];
    for (int k = 0; k < 2; k++) {
        static const char *const parts[] = { "x", "z", "qw", "qx", "qy", "qz", "w2" };
        char whole[1000];
        snprintf(whole, sizeof whole,
                 GROUND BALL
                 "  top: {mass: 1, inertia: [0.1, 0.2, 0.3], centre: [0.1, 0, 0], z: 9, spin: [1, "
                 "5, 0.1]}\ncontacts: {c: {detect: [ball, ground]}}\nrecord: {w2: top.w2}\n%s",
                 k ? "define: {height: top.z}\n" : "");
        slip_model *model;
        slip_sim *sim = start_headed(&model, HEAD, whole, "", 1e-3, 1.0);
        step_until(sim, 0.3);
        for (int i = 0; i < 7; i++) {
            char name[20];
            snprintf(name, sizeof name, i < 6 ? "top.%s" : "%s", parts[i]);
            last[k][i] = slip_sim_get(sim, name);
            assert_true(isfinite(last[k][i]));
        }
        finish(sim, model);
    }
    assert_true(last[0][2] != 1.0); // it turned
    assert_memory_equal(last[0], last[1], sizeof last[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes),
        cmocka_unit_test(formulations),
        cmocka_unit_test(machines),
        cmocka_unit_test(bodies_are_numbers),
        cmocka_unit_test(attitude_when_asked),
        cmocka_unit_test(bystanders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
