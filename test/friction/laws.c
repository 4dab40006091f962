/// laws.c: every friction law of the library: what all share, and what is particular to each.
#include <stdlib.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

static const slip_law_value common[] = { { "stiffness", 1000 }, { "damping", 1 }, { "beta", 1e-3 } };

/// With F = 1, K = 1000, B = 1 and the defaults of the rest; `more` may set one parameter.
static slip_friction_law *make(const char *name, int components, const slip_law_value *more)
{
    slip_law_value set[8];
    int count = 0;
    for (int k = 0; slip_law_parameter_name(name, k); k++)
        for (int i = 0; i < 3; i++)
            if (strcmp(slip_law_parameter_name(name, k), common[i].name) == 0) set[count++] = common[i];
    if (more) set[count++] = *more;
    slip_error error = { 0 };
    slip_friction_law *law = NULL;
    slip_status status = slip_law_create(name, 1.0, components, set, count, &error, &law);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    return law;
}

/// One step of length T at velocity v; gives the force.
static double push(slip_friction_law *law, double v, double T, double *state)
{
    double rate[16], force;
    slip_law_evaluate(law, &v, state, T, &force, rate);
    for (int k = 0; k < slip_law_state_count(law); k++) state[k] += T * rate[k];
    return force;
}

// sliding on at a steady speed every law gives F, with the sign of the velocity; but karnopp at rest gives
// nothing
static void all_reach_the_limit_when_sliding(void **state)
{
    (void)state;
    slip_part_info part;
    for (int k = 0; slip_part(SLIP_LAWS, k, &part); k++) {
        for (int side = -1; side <= 1; side += 2) {
            slip_friction_law *law = make(part.name, 1, NULL);
            double y[16] = { 0 }, force = 0;
            for (int n = 0; n < 20000; n++) force = push(law, side * 0.05, 1e-4, y);
            if (!(fabs(force - side) <= 1e-6)) print_error("%s\n", part.name);
            assert_near(force, side, 1e-6);
            slip_law_destroy(law);
        }
    }
}

// moved to and fro, none gives energy: the work done against friction over a closed round is not negative
static void none_creates_energy(void **state)
{
    (void)state;
    slip_part_info part;
    for (int k = 0; slip_part(SLIP_LAWS, k, &part); k++) {
        for (double amplitude = 1e-4; amplitude < 1e-1; amplitude *= 3) {
            slip_friction_law *law = make(part.name, 1, NULL);
            double y[16] = { 0 }, work = 0;
            for (int n = 0; n < 40000; n++) {
                double v = amplitude * 6.283185307179586 * cos(6.283185307179586e-4 * n);
                double force = push(law, v, 1e-4, y);
                if (n >= 20000) work += force * v * 1e-4;
            }
            if (!(work >= -1e-12)) print_error("%s at %g\n", part.name, amplitude);
            assert_true(work >= -1e-12);
            slip_law_destroy(law);
        }
    }
}

// a force that turns with the slip: two components are one along the direction
static void two_components_are_isotropic(void **state)
{
    (void)state;
    slip_part_info part;
    for (int k = 0; slip_part(SLIP_LAWS, k, &part); k++) {
        if (strcmp(part.name, "karnopp") == 0 || strcmp(part.name, "elasto-plastic") == 0) continue;
        slip_friction_law *one = make(part.name, 1, NULL), *two = make(part.name, 2, NULL);
        double a[16] = { 0 }, b[16] = { 0 }, rate[16], f[2];
        for (int n = 0; n < 3000; n++) {
            double v = 0.02 * sin(0.01 * n), plane[] = { 0.6 * v, -0.8 * v };
            double force = push(one, v, 1e-4, a);
            slip_law_evaluate(two, plane, b, 1e-4, f, rate);
            for (int i = 0; i < slip_law_state_count(two); i++) b[i] += 1e-4 * rate[i];
            if (!(fabs(f[0] - 0.6 * force) <= 1e-12)) print_error("%s\n", part.name);
            assert_near(f[0], 0.6 * force, 1e-12);
            assert_near(f[1], -0.8 * force, 1e-12);
        }
        slip_law_destroy(one);
        slip_law_destroy(two);
    }
}

// below the limit these move with the body and come back with it: no creep in a million small pushes
static void three_hold_exactly(void **state)
{
    (void)state;
    static const char *const names[] = { "kikuuwe", "sat", "iwan" };
    for (int k = 0; k < 2; k++) {
        slip_friction_law *law = make(names[k], 1, NULL);
        double y[16] = { 0 }, x = 0;
        for (int n = 0; n < 100000; n++) {
            double v = 2e-4 * cos(0.01 * n);
            x += 1e-4 * v;
            push(law, v, 1e-4, y);
            assert_near(y[0], x, 1e-16);
        }
        slip_law_destroy(law);
    }
}

// elements that yield one after the other: the first of Iwan's at F_1 n/K, so the loop at rest has an area
static void iwan_has_hysteresis_at_rest(void **state)
{
    (void)state;
    double work[2];
    static const char *const names[] = { "iwan", "kikuuwe" };
    for (int k = 0; k < 2; k++) {
        slip_friction_law *law = make(names[k], 1, NULL);
        double y[16] = { 0 };
        work[k] = 0;
        for (int n = 0; n < 20000; n++) {
            double v = 0.5e-3 * 0.6283185307179586 * cos(0.6283185307179586e-3 * n),
                   force = push(law, v, 1e-3, y);
            if (n >= 10000) work[k] += force * v * 1e-3;
        }
        slip_law_destroy(law);
    }
    assert_true(work[0] > 1e-5);
    assert_true(work[1] < 2e-6); // damping alone
}

// reference 4: up to breakaway the deflection is elastic, so a shaking load below it wears nothing off
static void elasto_plastic_holds_below_breakaway(void **state)
{
    (void)state;
    const slip_law_value late = { "breakaway", 0.9 };
    slip_friction_law *ep = make("elasto-plastic", 1, &late), *lugre = make("lugre", 1, NULL);
    double a[1] = { 0 }, b[1] = { 0 }, x = 0;
    for (int n = 0; n < 100000; n++) { // deflection 0.2 .. 0.8 mm of F/K = 1 mm
        double v = n < 5000 ? 1e-3 : 3e-4 * 6.283185307179586 * cos(6.283185307179586e-3 * n);
        x += 1e-4 * v;
        push(ep, v, 1e-4, a);
        push(lugre, v, 1e-4, b);
    }
    assert_near(a[0], x, 1e-12);
    assert_true(fabs(b[0] - x) > 1e-4);
    slip_law_destroy(ep);
    slip_law_destroy(lugre);
}

// reference 4: what has slid and turns back is elastic until it is stretched the other way, though it is beyond breakaway
static void elasto_plastic_unloads_elastically(void **state)
{
    (void)state;
    slip_friction_law *ep = make("elasto-plastic", 1, NULL);
    double z[1] = { 0 };
    for (int n = 0; n < 100000; n++) push(ep, 1e-3, 1e-4, z); // ten times as far as F/K = 1 mm
    assert_near(z[0], 1e-3, 1e-6);
    const double slid = z[0];
    for (int n = 1; n <= 9000; n++) {
        push(ep, -1e-3, 1e-4, z);
        assert_near(z[0], slid - 1e-7 * n, 1e-14);
    }
    slip_law_destroy(ep);
}

static void stribeck_falls_with_speed(void **state)
{
    (void)state;
    slip_friction_law *law = make("stribeck", 1, NULL);
    double y[1] = { 0 };
    assert_near(push(law, 1e-9, 1e-4, y), 1.25, 1e-12);
    assert_near(push(law, 0.01, 1e-4, y), 1 + 0.25 * exp(-1), 1e-12);
    assert_near(push(law, -1, 1e-4, y), -1, 1e-12);
    slip_law_destroy(law);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    slip_error error;
    slip_friction_law *law = NULL;
    const slip_law_value set[] = { { "stiffness", 1 }, { "dampin", 1 } }, negative = { "stiffness", -1 };
    assert_int_equal(slip_law_create("lugr", 1, 1, NULL, 0, &error, &law), SLIP_UNKNOWN_NAME);
    assert_int_equal(slip_law_create("lugre", 1, 1, set, 2, &error, &law), SLIP_UNKNOWN_NAME);
    assert_non_null(strstr(error.text, "dampin"));
    assert_int_equal(slip_law_create("lugre", 1, 1, NULL, 0, &error, &law), SLIP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "stiffness"));
    assert_int_equal(slip_law_create("dahl", 1, 1, &negative, 1, &error, &law), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_law_create("dahl", 1, 3, set, 1, &error, &law), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_law_create("elasto-plastic", 1, 2, NULL, 0, &error, &law), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_law_create("coulomb", -1, 1, NULL, 0, &error, &law), SLIP_BAD_ARGUMENT);
    assert_null(law);
}

// -------------------------------------------------------------------------------------------- in models

static slip_model *mass_with(const char *law, slip_diagnostics *notes)
{
    char text[512];
    snprintf(text, sizeof text,
             "slipstick: 1\nname: Mass\ncoordinates: {x: {rate: 0.5}}\nmass: {x: 2}\n"
             "frictions: {rub: {slip: x, limit: 3, law: {%s}}}\nrun: {step: 0.1 ms, until: 0.2}\n",
             law);
    slip_model *model = NULL;
    slip_model_read_text("m.yaml", text, strlen(text), NULL, 0, notes, &model);
    return model;
}

// any law under any formulation with an integrator: v falls by F t/m
static void all_brake_a_mass_in_a_model(void **state)
{
    (void)state;
    static const char *const formulations[] = { "dai", "modular", "kelvin-voigt" };
    slip_part_info part;
    for (int k = 0; slip_part(SLIP_LAWS, k, &part); k++) {
        for (int i = 0; i < 3; i++) {
            char law[64];
            // bristles need a stiffness: sliding wears them off at |v| K/F, which a step must resolve
            bool bristles =
                slip_law_parameter_name(part.name, 0) && strstr("dahl lugre elasto-plastic", part.name);
            snprintf(law, sizeof law, "%s: {%s}", part.name, bristles ? "stiffness: 2e4" : "");
            slip_diagnostics *notes = slip_diagnostics_create();
            slip_model *model = mass_with(law, notes);
            assert_non_null(model);
            slip_sim_def def = slip_default_sim_def();
            def.formulation = formulations[i];
            slip_error error = { 0 };
            slip_sim *sim = NULL;
            assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_OK);
            slip_run_outcome outcome;
            do outcome = slip_sim_step(sim);
            while (outcome == SLIP_RUNNING);
            assert_int_equal(outcome, SLIP_DONE);
            double v = slip_sim_get(sim, "x'");
            if (!(fabs(v - 0.2) <= 2e-3)) print_error("%s under %s\n", part.name, formulations[i]);
            assert_near(v, 0.5 - 3 * 0.2 / 2, 2e-3);
            slip_sim_destroy(sim);
            slip_model_destroy(model);
            slip_diagnostics_destroy(notes);
        }
    }
}

static void rigid_formulations_refuse_them(void **state)
{
    (void)state;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = mass_with("lugre: {stiffness: 1e4}", notes);
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "moreau";
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
    assert_non_null(strstr(error.text, "lugre"));
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
}

// |v| K/F = 0.5*2e5/3 = 3.3e4 1/s: a step of 0.1 ms is too long, and the run says so
static void too_fast_for_the_step_is_told(void **state)
{
    (void)state;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = mass_with("dahl: {stiffness: 2e5}", notes);
    slip_sim *sim = NULL;
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "modular";
    assert_int_equal(slip_sim_create(model, &def, NULL, &sim), SLIP_OK);
    while (slip_sim_step(sim) == SLIP_RUNNING) continue;
    bool told = false;
    for (int k = 0; slip_sim_warning(sim, k); k++)
        told = told || strstr(slip_sim_warning(sim, k), "slides too fast");
    assert_true(told);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
}

static void mistakes_in_models(void **state)
{
    (void)state;
    static const char *const wrong[][2] = { { "lugr: {}", "lugre" },
                                            { "lugre: {}", "needs 'stiffness'" },
                                            { "lugre: {stiffnes: 1}", "stiffness" },
                                            { "lugre: {stiffness: -1}", "greater than 0" },
                                            { "lugre: {}, dahl: {}", "must be one law" } };
    for (int k = 0; k < 5; k++) {
        slip_diagnostics *notes = slip_diagnostics_create();
        assert_null(mass_with(wrong[k][0], notes));
        char *said = slip_diagnostics_text(notes);
        if (!strstr(said, wrong[k][1])) print_error("%s\n", said);
        assert_non_null(strstr(said, wrong[k][1]));
        free(said);
        slip_diagnostics_destroy(notes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_reach_the_limit_when_sliding),
        cmocka_unit_test(none_creates_energy),
        cmocka_unit_test(two_components_are_isotropic),
        cmocka_unit_test(three_hold_exactly),
        cmocka_unit_test(iwan_has_hysteresis_at_rest),
        cmocka_unit_test(elasto_plastic_holds_below_breakaway),
        cmocka_unit_test(elasto_plastic_unloads_elastically),
        cmocka_unit_test(stribeck_falls_with_speed),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(all_brake_a_mass_in_a_model),
        cmocka_unit_test(rigid_formulations_refuse_them),
        cmocka_unit_test(too_fast_for_the_step_is_told),
        cmocka_unit_test(mistakes_in_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
