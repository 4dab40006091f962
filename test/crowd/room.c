/// room.c: memory of a whole process that reads and steps a model with many contacts, per contact.
#define _DEFAULT_SOURCE
#include <sys/resource.h>

#include "crowds.h"

static double kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss;
}

// Four contacts for each box but the lowest row, reading and names of all bodies included
static void pyramid_takes_little(void **state)
{
    (void)state;
    slip_model *model;
    const double before = kilobytes();
    slip_sim *sim = start_crowd(&model, "crowds", "pyramid", "rows=100", 1e-2, 0.1);
    for (int k = 0; k < 8; k++) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    const int contacts = slip_sim_found(sim, NULL, 0);
    assert_true(contacts > 15000);
    if (kilobytes() - before > 3.0 * contacts)
        fail_msg("%.3g kB per contact", (kilobytes() - before) / contacts);
    finish(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(pyramid_takes_little) };
    return cmocka_run_group_tests_name("crowd.room", tests, NULL, NULL);
}
