/// formulations.h: tests that go through all nine.
#ifndef SLIP_TEST_FORMULATIONS_H
#define SLIP_TEST_FORMULATIONS_H

#include "models.h"

static const char *const formulations[] = { "lcp",     "gauss",        "auto",          "moreau", "dai",
                                            "modular", "kelvin-voigt", "hunt-crossley", "tanh" };
enum { FORMULATIONS = sizeof formulations / sizeof *formulations };

/// A simulation under one of them.
static inline slip_sim *start_sim(const slip_model *model, const char *formulation)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    return make_sim(model, &def);
}

#endif
