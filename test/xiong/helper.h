/// helper.h: models as the tests of formulation dai use them.
#ifndef SLIP_TEST_XIONG_HELPER_H
#define SLIP_TEST_XIONG_HELPER_H

#include "models.h"

/// A model of models/xiong or a text, with overrides: "bouncing-mass", "alpha=0.005 K=2e5".
static inline slip_model *load_model(const char *name, const char *sets)
{
    return read_model("xiong", name, sets, " ");
}

/// The model under dai at 1 ms where neither it nor `def` says otherwise: these are the tests of that
/// formulation.
static inline slip_sim *make_dai_sim(const slip_model *model, const slip_sim_def *def)
{
    slip_sim *sim = make_sim(model, def);
    slip_sim_def own = def ? *def : slip_default_sim_def();
    if (!slip_sim_formulation_reason(sim)[0] && !slip_sim_step_reason(sim)[0]) return sim;
    if (slip_sim_formulation_reason(sim)[0]) own.formulation = "dai";
    if (slip_sim_step_reason(sim)[0]) own.step = 1e-3;
    slip_sim_destroy(sim);
    return make_sim(model, &own);
}

#endif
