/// crowds.h: a model with detected contacts, from its text or its name, run from start to end.
#ifndef SLIP_TEST_CROWDS_H
#define SLIP_TEST_CROWDS_H

#include <math.h>
#include <string.h>

#include "../models.h"
#include "simulation/sim/sim.h"

/// A model under `moreau`: `text` is one, or the name of a model of models/`folder`; `sets` are parted by
/// ';'.
static inline slip_sim *start_crowd(slip_model **model, const char *folder, const char *text,
                                    const char *sets, double step, double until)
{
    *model = read_model(folder, text, sets, ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "moreau";
    def.step = step, def.until = until;
    return make_sim(*model, &def);
}

/// The same, of a text behind a head that several have in common.
static inline slip_sim *start_headed(slip_model **model, const char *head, const char *text, const char *sets,
                                     double step, double until)
{
    char whole[4000];
    const int length = snprintf(whole, sizeof whole, "%s%s", head, text);
    assert_true(length < (int)sizeof whole);
    return start_crowd(model, "", whole, sets, step, until);
}

/// A number of the run, as the JSON has it under `measures`.
static inline double measure(const slip_sim *sim, const char *name)
{
    for (int k = 0; k < sim->method->measure_count; k++)
        if (strcmp(sim->method->measures[k].name, name) == 0) return sim->method->measures[k].value;
    fail_msg("no measure '%s'", name);
    return NAN;
}

static inline void finish(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

#endif
