/// creep.c: a run of a compliant formulation knows how far what sticks slides.
#include <math.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

static const char block[] =
    "slipstick: 1\nname: Block\ncoordinates: {x: 0}\nmass: {x: 2}\nforces: {x: 3}\n"
    "frictions: {f: {slip: x, limit: 5, compliance: {gamma: 1e-4}}}\nrun: {until: 4}\n";

static const char dial[] =
    "slipstick: 1\nname: Dial\ncoordinates: {a: 0 rad}\nmass: {a: 2 kg m^2}\nforces: {a: 3 N m}\n"
    "frictions: {f: {slip: a, limit: 5 N m, compliance: {gamma: 1e-4}}}\nrun: {until: 4 s}\n";

static slip_creep creep_of(const char *text, const char *formulation, bool companion, bool *warned)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_sim_def def = slip_default_sim_def();
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    def.formulation = formulation;
    run.companion = companion;
    assert_int_equal(slip_model_read_text("m.yaml", text, strlen(text), NULL, 0, notes, &model), SLIP_OK);
    assert_int_equal(slip_sim_create(model, &def, NULL, &sim), SLIP_OK);
    assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
    slip_creep creep = slip_run_creep(sim);
    if (creep.known) assert_string_equal(creep.element, "f");
    creep.element = NULL; // goes with the simulation
    *warned = false;
    for (int k = 0; slip_sim_warning(sim, k); k++)
        *warned = *warned || strstr(slip_sim_warning(sim, k), "creeps while it sticks");
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return creep;
}

// F tanh(v/gamma) balances 3 of 5 N at v = gamma atanh(0.6)
static void test_smoothed_friction_creeps(void **state)
{
    (void)state;
    bool warned;
    slip_creep creep = creep_of(block, "tanh", true, &warned);
    double v = 1e-4 * atanh(0.6);
    assert_true(creep.known && warned);
    assert_near(creep.rate, v, 0.01 * v);
    assert_near(creep.distance, 4.0 * v, 0.04 * v);
    assert_near(creep.time, 4.0, 0.01);
    assert_string_equal(creep.unit, "m");
}

static void test_angles_creep_in_radians(void **state)
{
    (void)state;
    bool warned;
    slip_creep creep = creep_of(dial, "tanh", true, &warned);
    assert_true(creep.known && warned);
    assert_string_equal(creep.unit, "rad");
}

static void test_stick_springs_do_not(void **state)
{
    (void)state;
    static const char *const all[] = { "dai", "modular", "kelvin-voigt", "hunt-crossley" };
    for (int f = 0; f < 4; f++) {
        bool warned;
        slip_creep creep = creep_of(block, all[f], true, &warned);
        assert_true(creep.known && !warned);
        assert_true(creep.rate < 1e-9);
    }
}

static void test_only_where_it_is_looked_for(void **state)
{
    (void)state;
    bool warned;
    assert_false(creep_of(block, "tanh", false, &warned).known || warned);
    assert_false(creep_of(block, "moreau", true, &warned).known || warned);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_smoothed_friction_creeps),
                                        cmocka_unit_test(test_angles_creep_in_radians),
                                        cmocka_unit_test(test_stick_springs_do_not),
                                        cmocka_unit_test(test_only_where_it_is_looked_for) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
