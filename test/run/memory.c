/// memory.c: every formulation survives failed allocations: out of memory is said, or the answer is the
/// same as without the failure. Run with the address sanitizer it also shows that nothing leaks.
#include "alloc_fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

// the first allocations one by one, the many alike behind them by strides that meet no period
enum { STEPS = 3, MAX_COLUMNS = 128, EACH = 100, STRIDE = 13 };

static const struct pair {
    const char *formulation, *model;
} pairs[] = {
    { "dai", "models/xiong/rolling-sphere.yaml" },
    { "dai", "models/xiong/two-masses-conveyor.yaml" },
    { "dai", "models/classics/falling-rod.yaml" },
    { "modular", "models/kikuuwe/two-link-lugre.yaml" },
    { "moreau", "models/classics/four-bar-clearance.yaml" },
    { "lcp", "models/classics/falling-rod.yaml" },
    { "gauss", "models/classics/block-on-incline.yaml" },
    { "kelvin-voigt", "models/classics/block-on-incline.yaml" },
    { "hunt-crossley", "models/gomez/journal-pendulum.yaml" },
    { "tanh", "models/classics/block-on-incline.yaml" },
    { "auto", "models/song/rod-case1.yaml" },
};

static slip_model *read_model(const char *path)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_file(path, NULL, 0, notes, &model) != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        print_error("%s", said);
        free(said);
    }
    slip_diagnostics_destroy(notes);
    assert_non_null(model);
    return model;
}

// creates with the k-th allocation failing (0: none), then takes a few steps
static slip_status try_once(const slip_model *model, const char *formulation, long k, long *asked,
                            double *row)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    alloc_fail_at(k);
    slip_status status = slip_sim_create(model, &def, &error, &sim);
    *asked = alloc_fail_stop();
    assert_int_equal(status == SLIP_OK, sim != NULL);
    if (k == 0 && !sim) print_error("%s: %s\n", error.where, error.text);
    if (sim) {
        for (int step = 0; step < STEPS; step++) slip_sim_step(sim);
        assert_true(slip_sim_column_count(sim) <= MAX_COLUMNS);
        slip_sim_columns(sim, row);
    }
    slip_sim_destroy(sim);
    return status;
}

static void test_failed_allocations_are_survived(void **state)
{
    (void)state;
    long wrong = 0;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        slip_model *model = read_model(pairs[p].model);
        double whole[MAX_COLUMNS] = { 0 }, row[MAX_COLUMNS];
        long all, asked;
        assert_int_equal(try_once(model, pairs[p].formulation, 0, &all, whole), SLIP_OK);
        for (long k = 1; k <= all; k += k < EACH ? 1 : STRIDE) {
            memset(row, 0, sizeof row);
            slip_status status = try_once(model, pairs[p].formulation, k, &asked, row);
            bool right = status == SLIP_OK ? memcmp(row, whole, sizeof row) == 0 : status == SLIP_NO_MEMORY;
            if (!right)
                print_error("%s of %s, allocation %ld of %ld: %s\n", pairs[p].formulation, pairs[p].model, k,
                            all, slip_status_text(status));
            wrong += !right;
        }
        slip_model_destroy(model);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_failed_allocations_are_survived) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
