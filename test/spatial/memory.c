/// memory.c: allocations fail while scenes in space are read and simulations of them are made: each time the
/// answer is a status, and nothing leaks. Steps allocate nothing.
#include "alloc_fail.h"
#include "helper.h"

// the first ones one by one, then by strides that meet no period
static long next(long k)
{
    return k < 60 ? k + 1 : k + 17;
}

static void reading_survives(void **state)
{
    (void)state;
    long all = 0;
    for (long k = 0; k <= all; k = next(k)) { // 0: none fails, and they are counted
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *model = NULL;
        alloc_fail_at(k);
        slip_status status =
            slip_model_read_file("test/fuzz/corpus/model/space.yaml", NULL, 0, notes, &model);
        long asked = alloc_fail_stop();
        if (k == 0) all = asked;
        assert_int_equal(status == SLIP_OK, model != NULL);
        if (status != SLIP_OK && status != SLIP_NO_MEMORY)
            print_error("allocation %ld: %s\n", k, slip_status_text(status));
        assert_true(status == SLIP_OK || (k > 0 && status == SLIP_NO_MEMORY));
        slip_model_destroy(model);
        slip_diagnostics_destroy(notes);
    }
    assert_true(all > 100); // else nothing was counted
}

static void creating_survives(void **state)
{
    (void)state;
    static const char *const names[][3] = { { "spatial", "coin", "lcp" },
                                            { "spatial", "tumbling-box", "moreau" },
                                            { "spatial", "rssr", "gauss" },
                                            { "kikuuwe", "two-link-penalty", "modular" },
                                            { "spatial", "spherical-pendulum", "dai" } };
    for (int i = 0; i < 5; i++) {
        slip_model *model = read_model(names[i][0], names[i][1], "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = names[i][2];
        long all = 0;
        for (long k = 0; k <= all; k = next(k)) {
            slip_error error = { 0 };
            slip_sim *sim = NULL;
            alloc_fail_at(k);
            slip_status status = slip_sim_create(model, &def, &error, &sim);
            long asked = alloc_fail_stop();
            if (k == 0) all = asked;
            assert_int_equal(status == SLIP_OK, sim != NULL);
            assert_true(status == SLIP_OK || (k > 0 && status == SLIP_NO_MEMORY));
            slip_sim_destroy(sim);
        }
        slip_sim *sim = make_sim(model, &def);
        alloc_fail_at(0);
        for (int step = 0; step < 300; step++) slip_sim_step(sim);
        assert_int_equal(alloc_fail_stop(), 0);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_survives),
        cmocka_unit_test(creating_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
