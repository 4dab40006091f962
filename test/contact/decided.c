/// decided.c: of the first second of every shipped model, under its own formulation, at least nine tenths
/// have a verdict. Models whose contacts are detected say `unknown`, as docs/many-body.md has it: their problems
/// are too large to be looked at for a second answer.
#include <glob.h>
#include <string.h>

#include "models.h"
#include "simulation/sim/sim.h"
#include "slipstick/slipstick.h"

static const double LEAST = 0.9, SECONDS = 1.0;

// the part of a run that is decided; 1 when the formulation does not judge, or does not take the model
static double decided(const slip_model *model, const char *formulation)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    def.formulation = formulation;
    if (!(model->run.until <= SECONDS)) def.until = SECONDS;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) return 1.0;
    while (slip_sim_step(sim) == SLIP_RUNNING) continue;
    slip_method *method = sim->method;
    double end = slip_sim_time(sim), part = 1.0;
    if (method->trust.judged && end > 0.0) {
        double unknown = method->trust.seconds[SLIP_UNKNOWN_VERDICT];
        if (method->trust.now == SLIP_UNKNOWN_VERDICT) unknown += end - method->trust.since;
        part = 1.0 - unknown / end;
    }
    slip_sim_destroy(sim);
    return part;
}

static void shipped_models_have_a_verdict(void **state)
{
    (void)state;
    static const char *const names[] = { NULL, "lcp" };
    glob_t files = { 0 };
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    assert_true(files.gl_pathc > 40);
    for (size_t k = 0; k < files.gl_pathc; k++) {
        if (strstr(files.gl_pathv[k], "/many-body/")) continue;
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *model = NULL;
        assert_int_equal(slip_model_read_file(files.gl_pathv[k], NULL, 0, notes, &model), SLIP_OK);
        for (size_t i = 0; i < sizeof names / sizeof *names && model->type == SLIP_MECHANICS; i++) {
            double part = decided(model, names[i]);
            if (!(part >= LEAST))
                fail_msg("%s, %s: %.0f %% decided", files.gl_pathv[k],
                         names[i] ? names[i] : "own formulation", 100.0 * part);
        }
        slip_model_destroy(model);
        slip_diagnostics_destroy(notes);
    }
    globfree(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(shipped_models_have_a_verdict) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
