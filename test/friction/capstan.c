/// capstan.c: a rope around a post (Euler, Eytelwein), under every formulation.
#include <math.h>

#include "formulations.h"

static const double MU = 0.3, G = 9.81;

static bool is_rigid(int f)
{
    return f < 4; // lcp, gauss, auto, moreau
}

static void a_load_goes_down(void **state)
{
    (void)state;
    double pi = acos(-1.0), phi[] = { pi, 0.5 * pi };
    for (int k = 0; k < 2; k++) {
        char sets[60];
        snprintf(sets, sizeof sets, "phi=%.17g", phi[k]);
        slip_model *model = read_model("classics", "capstan", sets, " ");
        double c = tanh(MU * phi[k] / 2.0), left = (1.0 - c) * 3.5, right = (1.0 + c) * 1.0;
        double a = (left - right) * G / (left + right + 0.02);
        for (int f = 0; f < FORMULATIONS; f++) {
            slip_sim *sim = start_sim(model, formulations[f]);
            run_to_end(sim);
            assert_near(slip_sim_get(sim, "y1"), 0.32 * a, is_rigid(f) ? 1e-9 : 2e-3);
            double ratio = slip_sim_get(sim, "T1") / slip_sim_get(sim, "T2");
            assert_near(ratio, 3.5 * (G - a) / (G + a), is_rigid(f) ? 1e-9 : 2e-3);
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

// to both sides of T1 = T2 exp(mu phi); and the other way round, where the light end is the load
static void it_holds_up_to_the_limit(void **state)
{
    (void)state;
    double limit = exp(MU * acos(-1.0)), m1[] = { 0.99 * limit, 1.01 * limit, 1.01 / limit, 0.99 / limit };
    for (int k = 0; k < 4; k++) {
        char sets[60];
        snprintf(sets, sizeof sets, "m1=%.17g", m1[k]);
        slip_model *model = read_model("classics", "capstan", sets, " ");
        for (int f = 0; f < FORMULATIONS; f++) {
            slip_sim *sim = start_sim(model, formulations[f]);
            run_to_end(sim);
            double moved = fabs(slip_sim_get(sim, "s"));
            if (strcmp(formulations[f], "tanh") != 0) assert_true(moved < 2e-3 || k % 2 == 1); // which creeps
            assert_true(moved > 5e-3 || k % 2 == 0);
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_goes_down),
        cmocka_unit_test(it_holds_up_to_the_limit),
    };
    return cmocka_run_group_tests_name("capstan", tests, NULL, NULL);
}
