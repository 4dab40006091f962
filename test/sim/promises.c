/// promises.c: every shipped model under every formulation can be interrupted, and goes on to the same bits.
#include <glob.h>

#include "resume.h"

static void every_model_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    glob_t found;
    int compared = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 40);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *model = NULL;
        assert_int_equal(slip_model_read_file(found.gl_pathv[k], NULL, 0, notes, &model), SLIP_OK);
        slip_diagnostics_destroy(notes);
        slip_part_info part;
        for (int f = 0; slip_part(SLIP_FORMULATIONS, f, &part); f++) {
            slip_sim_def def = slip_default_sim_def();
            def.formulation = part.name;
            def.until = 0.008;
            compared += compare(model, &def, found.gl_pathv[k], 0.004);
        }
        slip_model_destroy(model);
    }
    globfree(&found);
    assert_true(compared > 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_model_goes_on_to_the_same_bits) };
    return cmocka_run_group_tests_name("promises", tests, NULL, NULL);
}
