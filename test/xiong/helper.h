/// helper.h: models as the tests of formulation dai use them.
#ifndef SLIP_TEST_XIONG_HELPER_H
#define SLIP_TEST_XIONG_HELPER_H

#include "models.h"

/// A model of models/xiong or a text, with overrides: "bouncing-mass", "alpha=0.005 K=2e5".
static inline slip_model *load_model(const char *name, const char *sets)
{
    return read_model("xiong", name, sets, " ");
}

/// The model under dai with rk4 at 1 ms where neither it nor `def` says otherwise: these are the tests of
/// that formulation in steps of one length.
static inline slip_sim *make_dai_sim(const slip_model *model, const slip_sim_def *def)
{
    slip_sim *sim = make_sim(model, def);
    slip_sim_def own = def ? *def : slip_default_sim_def();
    const char *integrator = slip_sim_settings(sim).integrator;
    bool open = !integrator || strcmp(integrator, "substeps") == 0;
    if (!slip_sim_formulation_reason(sim)[0] && !slip_sim_step_reason(sim)[0] && !open) return sim;
    if (open) own.integrator = "rk4";
    if (slip_sim_formulation_reason(sim)[0]) own.formulation = "dai";
    if (slip_sim_step_reason(sim)[0]) own.step = 1e-3;
    slip_sim_destroy(sim);
    return make_sim(model, &own);
}

#endif
