/// helper.h: models and simulations for the tests of formulation moreau.
#ifndef SLIP_TEST_MOREAU_HELPER_H
#define SLIP_TEST_MOREAU_HELPER_H

#include <stdlib.h>
#include <string.h>

#include "formulation/moreau/moreau.h"
#include "simulation/sim/sim.h"
#include "slipstick/slipstick.h"
#include "test.h"

static inline slip_model *checked(slip_status status, slip_diagnostics *notes, slip_model *model)
{
    if (status != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        print_error("%s", said);
        free(said);
    }
    slip_diagnostics_destroy(notes);
    assert_non_null(model);
    return model;
}

/// A model of the source tree, with up to 4 overrides; NULL ends them.
static inline slip_model *model_file(const char *path, const char *const sets[4])
{
    int count = 0;
    while (sets && count < 4 && sets[count]) count++;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status = slip_model_read_file(path, sets, count, notes, &model);
    return checked(status, notes, model);
}

static inline slip_model *model_text(const char *text)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status = slip_model_read_text("test.yaml", text, strlen(text), NULL, 0, notes, &model);
    return checked(status, notes, model);
}

/// NaN and NULL: as the model says.
static inline slip_sim *simulate(const slip_model *model, const char *solver, double step, double until)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error error;
    slip_sim *sim = NULL;
    def.formulation = "moreau";
    def.solver = solver;
    def.step = step;
    def.until = until;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    return sim;
}

static inline slip_moreau *inside(slip_sim *sim)
{
    return (slip_moreau *)sim->method;
}

static inline void run_to(slip_sim *sim, long steps)
{
    while (slip_sim_steps(sim) < steps) {
        slip_run_outcome outcome = slip_sim_step(sim);
        if (outcome != SLIP_RUNNING && slip_sim_steps(sim) < steps)
            fail_msg("ended after %ld steps: %s", slip_sim_steps(sim), slip_run_outcome_text(outcome));
    }
}

static inline void run_whole(slip_sim *sim)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    assert_int_equal(outcome, SLIP_DONE);
}

static inline double total_energy(slip_sim *sim)
{
    slip_energy e = slip_sim_energy(sim);
    return e.kinetic + e.potential;
}

static inline double measure(slip_sim *sim, const char *name)
{
    const slip_method *m = sim->method;
    for (int k = 0; k < m->measure_count; k++)
        if (strcmp(m->measures[k].name, name) == 0) return m->measures[k].value;
    fail_msg("there is no measure '%s'", name);
    return NAN;
}

#endif
