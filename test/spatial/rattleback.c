/// rattleback.c: a stone that rolls on an ellipsoid, written with formulas, against numbers of reference
/// integrations: Runge-Kutta of order 8 in the axes of the stone with the force of contact eliminated, and
/// extrapolation with a quaternion and the force of contact.
#include <math.h>

#include "models.h"

static slip_sim *start(const slip_model *model, const char *formulation, double until)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.until = until;
    def.relative = 1e-11;
    def.absolute = 1e-13;
    return make_sim(model, &def);
}

static void follows_the_reference(void **state)
{
    (void)state;
    static const struct {
        double t, n[3], w[3], tolerance;
    } expected[] = {
        { 0.25,
          { -0.01069442483526457, -0.05359513531434969, 0.9985054785768989 },
          { 4.115315161215167, -0.5619947530749896, -4.8348327536486 },
          1e-7 },
        { 0.5,
          { -0.01811060208487099, 0.009248479980786973, 0.9997932144749598 },
          { 8.692602952320337, 0.04290469368728315, -3.968432521253251 },
          1e-7 },
        { 1.0,
          { -0.02316491660863067, -0.006004342434466698, 0.9997136262502623 },
          { 5.041042306418593, 1.761423169463578, -3.117543537418236 },
          1e-6 },
        { 2.0,
          { -0.04316196173589944, -0.1047179082647934, 0.9935648970992096 },
          { 4.438574942731855, 1.13123711026746, -0.8846581892132422 },
          1e-5 },
    };
    static const char *const n[] = { "n1", "n2", "n3" }, *const w[] = { "stone.w1", "stone.w2", "stone.w3" };
    slip_model *model = read_model("spatial", "rattleback", "", ";");
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        slip_sim *sim = start(model, "lcp", expected[k].t);
        run_to_end(sim);
        for (int i = 0; i < 3; i++) {
            assert_near(slip_sim_get(sim, n[i]), expected[k].n[i], expected[k].tolerance);
            assert_near(slip_sim_get(sim, w[i]), expected[k].w[i], expected[k].tolerance);
        }
        const slip_energy energy = slip_sim_energy(sim);
        assert_near(energy.kinetic + energy.potential, 0.1238853136735528, 1e-9);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// it spins the other way from 2.761109 s on, but for its rattling
static void it_turns(void **state)
{
    (void)state;
    slip_model *model = read_model("spatial", "rattleback", "", ";");
    slip_sim *sim = start(model, "lcp", 2.761109 - 1e-5);
    run_to_end(sim);
    assert_true(slip_sim_get(sim, "spin") < 0.0);
    slip_sim_destroy(sim);
    sim = start(model, "lcp", 2.761109 + 1e-5);
    run_to_end(sim);
    assert_true(slip_sim_get(sim, "spin") > 0.0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void under_others(void **state)
{
    (void)state;
    static const char *const formulations[] = { "gauss", "auto", "moreau" };
    slip_model *model = read_model("spatial", "rattleback", "", ";");
    for (int k = 0; k < 3; k++) {
        slip_sim *sim = start(model, formulations[k], 0.25);
        run_to_end(sim);
        const double tolerance = k == 2 ? 1e-3 : 1e-7;
        assert_near(slip_sim_get(sim, "stone.w1"), 4.115315161215167, tolerance);
        assert_near(slip_sim_get(sim, "stone.w3"), -4.8348327536486, tolerance);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_reference),
        cmocka_unit_test(it_turns),
        cmocka_unit_test(under_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
