/// refusals.c: what has no derivatives says so.
#include <math.h>

#include "models.h"

static const char head[] = "slipstick: 1\nname: test\n";

static slip_status ask(const char *text, const char *formulation, const char *names, slip_error *error)
{
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.sensitivity = names;
    slip_sim *sim = NULL;
    slip_status status = slip_sim_create(model, &def, error, &sim);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return status;
}

static void refuse(const char *text, const char *formulation, const char *names, slip_status wanted,
                   const char *words)
{
    slip_error error = { 0 };
    assert_int_equal(ask(text, formulation, names, &error), wanted);
    assert_non_null(strstr(error.text, words));
}

#define BALL                                                                                                 \
    "slipstick: 1\nname: ball\nparameters: {e: 0.8}\ncoordinates: {y: {start: 1}}\n"                         \
    "energy: {kinetic: y'^2/2, potential: 9.81*y}\ncontacts: {floor: {gap: y, restitution: e}}\n"            \
    "run: {until: 1}\n"

static void of_names(void **state)
{
    (void)state;
    refuse(BALL, "lcp", "f", SLIP_UNKNOWN_NAME, "neither a parameter nor a coordinate");
    refuse(BALL, "lcp", "e, e", SLIP_BAD_ARGUMENT, "twice");
    refuse(BALL, "auto", "e", SLIP_UNSUPPORTED, "lcp, gauss, moreau and the compliant ones");
    slip_error error = { 0 };
    assert_int_equal(ask(BALL, "lcp", "", &error), SLIP_OK);
    assert_int_equal(ask(BALL, "moreau", NULL, &error), SLIP_OK);
}

// an equilibrium that friction holds is one of many
static void of_models(void **state)
{
    (void)state;
    refuse("slipstick: 1\nname: held\nparameters: {k: 5}\ncoordinates: {x: {start: 0.01}}\nmass: {x: 1}\n"
           "forces: {x: 1 - k*x}\nfrictions: {f: {slip: x, limit: 3}}\nstart: at rest\nrun: {until: 1}\n",
           "lcp", "k", SLIP_UNSUPPORTED, "friction holds it");
}

// A rod on its tip leaves it like cosh(20 t): d x/d p is 1e26 after 3 s, and says nothing any more
static void of_what_grows(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: tip\nparameters: {p: 0}\ncoordinates: {x: {start: p}}\n"
                               "mass: {x: 1}\nforces: {x: 400*x}\nrun: {until: 4}\n";
    static const char *const formulations[] = { "lcp", "dai" };
    for (int k = 0; k < 2; k++) {
        slip_model *model = read_model("", text, "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[k];
        def.sensitivity = "p";
        slip_sim *sim = make_sim(model, &def);
        double ended = NAN;
        run_to_end(sim);
        const char *why = slip_sim_derivatives_end(sim, &ended);
        assert_non_null(why);
        assert_non_null(strstr(why, "beyond all bounds"));
        assert_near(ended, log(1e23) / 20.0, 0.1); // that of x', 20 sinh(20 t); a step later at the most
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// Where it is drawn to: k x = F, d x/d F = 1/k; then it moves on from there
static void of_a_start_at_rest(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: rest\nparameters: {k: 40, m: 1.3, F: 2}\ncoordinates: {x: {start: 0.1}}\n"
        "mass: {x: m}\nforces: {x: F - k*x + sin(t)}\nstart: at rest\n"
        "run: {until: 0.7, step: 1e-3, relative: 1e-11, absolute: 1e-13}\n";
    static const char *const list[] = { "lcp", "moreau", "dai" };
    for (int i = 0; i < 3; i++) {
        slip_model *model = read_model("", text, "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = list[i];
        def.sensitivity = "F, k, x";
        slip_sim *sim = make_sim(model, &def);
        assert_near(slip_sim_derivative(sim, "x", "F"), 1.0 / 40, 1e-12);
        assert_near(slip_sim_derivative(sim, "x", "k"), -2.0 / 1600, 1e-12);
        assert_near(slip_sim_derivative(sim, "x", "x"), 1.0, 0.0);
        run_to_end(sim);
        // the force holds it up all the time: what F does stays
        assert_near(slip_sim_derivative(sim, "x", "F"), 1.0 / 40, i == 1 ? 1e-7 : 1e-10);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// from outside
static void after_a_set(void **state)
{
    (void)state;
    slip_model *model = read_model("", BALL, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    def.sensitivity = "y";
    slip_sim *sim = make_sim(model, &def);
    slip_error error = { 0 };
    assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    assert_true(slip_sim_derivative(sim, "y", "y") == 1.0);
    assert_null(slip_sim_derivatives_end(sim, NULL));
    assert_int_equal(slip_sim_set(sim, "y", 2.0, &error), SLIP_OK);
    assert_true(isnan(slip_sim_derivative(sim, "y", "y")));
    assert_non_null(strstr(slip_sim_derivatives_end(sim, NULL), "outside"));
    assert_null(slip_sim_save(sim, &error));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// two balls that land at once, and one of them sooner or later by its start: which is first is open
static void at_once(void **state)
{
    (void)state;
    char text[600];
    snprintf(text, sizeof text,
             "%scoordinates: {a: {start: 1}, b: {start: 1}}\n"
             "energy: {kinetic: (a'^2 + b'^2)/2, potential: 9.81*(a + b) + (a - b)^2}\n"
             "contacts: {left: {gap: a, restitution: 0.5}, right: {gap: b, restitution: 0.5}}\n"
             "run: {until: 1}\n",
             head);
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    def.sensitivity = "a";
    slip_sim *sim = make_sim(model, &def);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    double t = 0.0;
    assert_non_null(slip_sim_derivatives_end(sim, &t));
    assert_float_equal(t, sqrt(2.0 / 9.81), 1e-9);
    assert_true(isnan(slip_sim_derivative(sim, "b", "a")));
    assert_null(slip_sim_warning(sim, 0)); // the motion is as good as ever
    assert_non_null(slip_sim_note_at(sim, 0));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// the motion is the same to the last bit
static void same_bits(void **state)
{
    (void)state;
    static const char *const names[] = { NULL, "e, y, y'" };
    slip_model *model = read_model("", BALL, "", ";");
    double end[2][2];
    for (int k = 0; k < 2; k++) {
        slip_sim_def def = slip_default_sim_def();
        def.formulation = "gauss";
        def.sensitivity = names[k];
        slip_sim *sim = make_sim(model, &def);
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        end[k][0] = slip_sim_get(sim, "y"), end[k][1] = slip_sim_get(sim, "y'");
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
    assert_memory_equal(end[0], end[1], sizeof end[0]);
}

// sixteen points of a journal slide, and two of them would do: which carry is the choice of the formulation.
// A block on two feet slides the same way whoever carries, since both have the same friction and no lever.
static void of_loads_that_are_open(void **state)
{
    (void)state;
    static const char feet[] = "slipstick: 1\nname: feet\nparameters: {mu: 0.2}\n"
                               "coordinates: {x: {start: 0, rate: 1}, y: 0}\nmass: {x: 1, y: 1}\n"
                               "forces: {y: -9.81}\ncontacts:\n"
                               "  left: {gap: y, slip: x, friction: mu}\n"
                               "  right: {gap: y, slip: x, friction: mu}\nrun: {until: 0.1}\n";
    for (int k = 0; k < 2; k++) {
        slip_model *model =
            k ? read_model("", feet, "", ";") : read_model("gomez", "journal-pendulum", "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = "gauss";
        def.sensitivity = "mu";
        def.until = 0.1;
        slip_sim *sim = make_sim(model, &def);
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        const char *why = slip_sim_derivatives_end(sim, NULL);
        if (k)
            assert_near(slip_sim_derivative(sim, "x", "mu"), -0.5 * 9.81 * 0.01, 1e-9);
        else
            assert_non_null(why && strstr(why, "which of them carry") ? why : NULL);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_names),      cmocka_unit_test(of_models),
        cmocka_unit_test(of_what_grows), cmocka_unit_test(of_a_start_at_rest),
        cmocka_unit_test(after_a_set),   cmocka_unit_test(at_once),
        cmocka_unit_test(same_bits),     cmocka_unit_test(of_loads_that_are_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
