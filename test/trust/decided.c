// How much of its time a rigid formulation decides about its own answer: at least nine tenths of every
// shipped model that it takes, whether the verdict is good or bad. Heaps with friction are mostly undecided,
// as docs/many-body.md says.
#include <glob.h>
#include <string.h>

#include "formulation/method.h"
#include "models.h"
#include "simulation/sim/sim.h"

static const char *formulation;

static slip_sim *sim_of(const slip_model *model)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    def.formulation = formulation;
    return slip_sim_create(model, &def, &error, &sim) == SLIP_OK ? sim : NULL;
}

// the share of the time so far; 1 without a verdict
static double decided(const slip_sim *sim)
{
    const slip_method *m = sim->method;
    double unknown = m->trust.seconds[SLIP_UNKNOWN_VERDICT];
    if (!m->trust.judged || !(m->t > 0.0)) return 1.0;
    if (m->trust.now == SLIP_UNKNOWN_VERDICT) unknown += m->t - m->trust.since;
    return 1.0 - unknown / m->t;
}

// A bearing that jams: where it comes to rest follows from the last bits of its start, and at most of these
// places neither a proof of one motion nor a second motion is found.
static bool is_left_out(const char *path)
{
    return strcmp(formulation, "moreau") == 0 && strstr(path, "/journal-pendulum");
}

static void test_shipped_models(void **state)
{
    (void)state;
    glob_t files;
    int taken = 0, poor = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t k = 0; k < files.gl_pathc; k++) {
        if (strstr(files.gl_pathv[k], "/many-body/") || is_left_out(files.gl_pathv[k])) continue;
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *model = NULL;
        assert_int_equal(slip_model_read_file(files.gl_pathv[k], NULL, 0, notes, &model), SLIP_OK);
        slip_diagnostics_destroy(notes);
        slip_sim *sim = sim_of(model);
        while (sim && slip_sim_step(sim) == SLIP_RUNNING) {}
        const double share = sim ? decided(sim) : 1.0;
        if (share < 0.9) print_error("%s: %.1f %% decided\n", files.gl_pathv[k], 100.0 * share);
        taken += sim != NULL, poor += share < 0.9;
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    globfree(&files);
    print_message("%s: %d models\n", formulation, taken);
    assert_true(taken > 40);
    assert_int_equal(poor, 0);
}

int main(int argc, char **argv)
{
    assert_int_equal(argc, 2);
    formulation = argv[1];
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_shipped_models) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
