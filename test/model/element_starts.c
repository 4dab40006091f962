/// element_starts.c: where states of elements begin.
#include <math.h>

#include "models.h"

#define HEAD "slipstick: 1\nname: s\n"
#define JOINT                                                                                                \
    HEAD "parameters: {a0: 2 mm}\ncoordinates: {x: 0}\nmass: {x: 2}\n"                                       \
         "frictions: {joint: {slip: x, limit: 10, dai: {K: 1000, beta: 0.004}}}\nstart: {joint.a: a0}\n"

static double end_of(const char *text, const char *sets, const char *formulation, double t,
                     const char *column)
{
    slip_model *model = read_model("", text, sets, " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.step = 1e-4;
    def.until = t > 0.0 ? t : 1e-4;
    slip_sim *sim = make_sim(model, &def);
    if (t > 0.0) run_to_end(sim);
    double value = slip_sim_get(sim, column);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return value;
}

// in stick a' = x', so m x'' = -K (a0 + x) - K beta x': a damped oscillation about -a0
static double oscillation(double t, double a0)
{
    const double m = 2.0, K = 1000.0, beta = 0.004;
    double w = sqrt(K / m), z = 0.5 * beta * w, d = w * sqrt(1.0 - z * z);
    return -a0 + a0 * exp(-z * w * t) * (cos(d * t) + z * w / d * sin(d * t));
}

static void a_loaded_friction_springs_back(void **state)
{
    (void)state;
    for (double t = 0.1; t < 0.45; t += 0.1) {
        assert_near(end_of(JOINT, "", "dai", t, "x"), oscillation(t, 2e-3), 1e-9);
        assert_near(end_of(JOINT, "a0=0.003", "dai", t, "x"), oscillation(t, 3e-3), 1e-9);
        assert_near(end_of(JOINT, "start.joint.a=-0.001", "dai", t, "x"), oscillation(t, -1e-3), 1e-9);
    }
    assert_near(end_of(JOINT, "start.joint.a=0.001", "dai", 0.0, "joint.a"), 1e-3, 0.0);
}

static void laws_components_and_inclusions(void **state)
{
    (void)state;
    const char *lugre =
        HEAD "coordinates: {x: 0}\nmass: {x: 1}\nfrictions: {joint: {slip: x, limit: 10, law: "
             "{lugre: {stiffness: 1000}}}}\nstart: {joint.e: 0.002}\nrecord: {f: joint.friction}\n";
    assert_near(end_of(lugre, "", "dai", 0.0, "f"), -2.0, 1e-12);
    const char *plane = HEAD "coordinates: {x: 0, y: 0}\nmass: {x: 1, y: 1}\n"
                             "frictions: {pad: {slip: [x, y], limit: 10, dai: {K: 1000, beta: 0.01}}}\n"
                             "start: {pad.a.x: 0.001, pad.a.y: -0.002}\nrecord: {f: pad.friction.y}\n";
    assert_near(end_of(plane, "", "dai", 0.0, "pad.a.x"), 1e-3, 0.0);
    assert_near(end_of(plane, "", "dai", 0.0, "f"), 2.0, 1e-12);
    const char *inclusion = HEAD "parameters: {F: 10}\ndefine: {O: F*sgn(x')}\ninclusion: {x'': -O - x}\n"
                                 "start: {x: 1, O.a: 0.002}\ndai: {K: 1000, beta: 0.01}\n";
    assert_near(end_of(inclusion, "", "dai", 0.0, "O.a"), 2e-3, 0.0);
    assert_near(end_of(inclusion, "start.O.a=0.001", "dai", 0.0, "O.a"), 1e-3, 0.0);
    assert_near(end_of(inclusion, "start.O.a=0.001", "dai", 0.0, "x"), 1.0, 0.0);
    const char *unnamed =
        HEAD "inclusion: {x'': -10*sgn(x')}\nstart: {sgn1.a: 0.002}\ndai: {K: 1000, beta: 0.01}\n";
    assert_near(end_of(unnamed, "", "dai", 0.0, "sgn1.a"), 2e-3, 0.0);
}

static void a_formulation_without_it_says_so(void **state)
{
    (void)state;
    static const char *const others[] = {
        "lcp", "gauss", "moreau", "auto", "kelvin-voigt", "tanh", "modular"
    };
    slip_model *model = read_model("", JOINT, "", " ");
    for (int k = 0; k < 7; k++) {
        slip_sim_def def = slip_default_sim_def();
        def.formulation = others[k];
        slip_sim *sim = make_sim(model, &def);
        bool said = false;
        for (int j = 0; slip_sim_warning(sim, j); j++)
            said = said || strstr(slip_sim_warning(sim, j), "the start of 'joint.a' is not used");
        assert_true(said);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// `auto` has deformations too, but not at the start
static void auto_begins_rigid(void **state)
{
    (void)state;
    const char *text = HEAD "coordinates: {x: 0}\nmass: {x: 2}\nfrictions: {joint: {slip: x, limit: 10}}\n"
                            "start: {joint.delta: 1 mm}\n";
    slip_model *model = read_model("", text, "", " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "auto";
    slip_sim *sim = make_sim(model, &def);
    assert_non_null(slip_sim_warning_at(sim, 0));
    assert_non_null(strstr(slip_sim_warning_at(sim, 0)->text, "begins with rigid contacts"));
    slip_sim_destroy(sim);
    def.formulation = "kelvin-voigt";
    sim = make_sim(model, &def);
    assert_null(slip_sim_warning_at(sim, 0));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_friction_springs_back),
        cmocka_unit_test(laws_components_and_inclusions),
        cmocka_unit_test(a_formulation_without_it_says_so),
        cmocka_unit_test(auto_begins_rigid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
