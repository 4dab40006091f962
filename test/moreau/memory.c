/// memory.c: steps allocate nothing, and a failing allocation while creating is survived.
#include "alloc_fail.h"
#include "helper.h"
#include "simulation/sim/sim.h"

static void test_steps_allocate_nothing(void **state)
{
    (void)state;
    static const char *const names[] = { "flores/slider-crank", "flores/slider-crank-ideal", "classics/stack",
                                         "classics/table", "classics/rocking-block" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[100];
        snprintf(path, sizeof path, "models/%s.yaml", names[k]);
        slip_model *model = model_file(path, (const char *const[4]){ "run.projection=all" });
        slip_sim *sim = simulate(model, NULL, NAN, NAN);
        for (int step = 0; step < 400;
             step++) { // what a step has to say may take memory, a quiet one takes none
            long said = sim->events;
            alloc_fail_at(0);
            slip_sim_step(sim);
            long asked = alloc_fail_stop();
            if (sim->events == said && slip_log_event_count(sim->method->log) == 0)
                assert_int_equal(asked, 0);
        }
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static void test_creation_survives(void **state)
{
    (void)state;
    slip_model *model = model_file("models/classics/rocking-block.yaml", NULL);
    for (long k = 1;; k++) {
        slip_sim_def def = slip_default_sim_def();
        slip_error error = { 0 };
        slip_sim *sim = NULL;
        alloc_fail_at(k);
        slip_status status = slip_sim_create(model, &def, &error, &sim);
        const long asked = alloc_fail_stop();
        assert_int_equal(status == SLIP_OK, sim != NULL);
        if (status != SLIP_OK) assert_int_equal(status, SLIP_NO_MEMORY);
        slip_sim_destroy(sim);
        if (asked < k) break;
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_allocate_nothing),
        cmocka_unit_test(test_creation_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
