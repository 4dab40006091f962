/// ensemble_memory.c: steps of an ensemble allocate nothing, and a failing allocation while it is made is
/// survived.
#include "../alloc_fail.h"
#include "formulations.h"
#include "simulation/sim/ensemble.h"

enum { MEMBERS = 6, STEPS = 200 };

static const struct {
    const char *folder, *name, *formulation, *integrator, *parameter;
    double low, high;
} cases[] = {
    { "xiong", "friction-mass", "dai", "rk4", "F", 0.1, 1.0 },
    { "xiong", "rolling-sphere", "dai", "rk4", "mu", 0.05, 0.3 },
    { "kikuuwe", "two-link", "modular", "rk4-generalised", "F", 0.1, 1.0 },
    { "kikuuwe", "sphere", "hunt-crossley", "rk4", "mu", 0.05, 0.5 },
    { "xiong", "friction-mass", "lcp", NULL, "F", 0.1, 1.0 }, // one after the other
};
enum { CASES = sizeof cases / sizeof *cases };

static slip_status make(int k, const slip_model *model, slip_ensemble **e)
{
    double values[MEMBERS];
    slip_error error = { 0 };
    slip_sim_def def = slip_default_sim_def();
    def.formulation = cases[k].formulation;
    def.integrator = cases[k].integrator;
    for (int j = 0; j < MEMBERS; j++)
        values[j] = cases[k].low + (cases[k].high - cases[k].low) * j / (MEMBERS - 1);
    return slip_ensemble_create(model, &def, &cases[k].parameter, 1, values, MEMBERS, &error, e);
}

static void count_events(void *context, const slip_event *event)
{
    (void)event;
    ++*(long *)context;
}

// what a step has to say may take memory, a quiet one takes none
static void steps_allocate_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        slip_model *model = read_model(cases[k].folder, cases[k].name, "", ";");
        slip_ensemble *e = NULL;
        assert_int_equal(make(k, model, &e), SLIP_OK);
        long events = 0, quiet = 0;
        for (int j = 0; j < MEMBERS; j++)
            slip_sim_on_event(slip_ensemble_member(e, j), count_events, &events);
        slip_ensemble_step(e); // looks at the start
        for (int step = 0; step < STEPS; step++) {
            const long said = events;
            alloc_fail_at(0);
            slip_ensemble_step(e);
            const long asked = alloc_fail_stop();
            if (events != said) continue;
            quiet++;
            if (asked) fail_msg("%s under %s: %ld allocations", cases[k].name, cases[k].formulation, asked);
        }
        assert_true(quiet > STEPS / 2);
        slip_ensemble_destroy(e);
        slip_model_destroy(model);
    }
}

// Out of memory is said for the ensemble, or for members that could not be made; without machine code it runs
// as well
static void creation_survives(void **state)
{
    (void)state;
    slip_model *model = read_model("xiong", "friction-mass", "", ";");
    for (long k = 1;; k += 1 + k / 16) {
        slip_ensemble *e = NULL;
        alloc_fail_at(k);
        const slip_status status = make(0, model, &e);
        const long asked = alloc_fail_stop();
        assert_int_equal(status == SLIP_OK, e != NULL);
        if (status != SLIP_OK) assert_int_equal(status, SLIP_NO_MEMORY);
        for (int j = 0; e && j < MEMBERS; j++)
            assert_true(slip_ensemble_member(e, j) != NULL || slip_ensemble_error(e, j)->text[0] != 0);
        if (e) slip_ensemble_step(e);
        slip_ensemble_destroy(e);
        if (asked < k) break;
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_allocate_nothing),
        cmocka_unit_test(creation_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
