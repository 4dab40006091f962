/// helper.h: models as the tests of formulation dai use them.
#ifndef SLIP_TEST_XIONG_HELPER_H
#define SLIP_TEST_XIONG_HELPER_H

#include "models.h"

/// A model of models/xiong or a text, with overrides: "bouncing-mass", "alpha=0.005 K=2e5".
static inline slip_model *load_model(const char *name, const char *sets)
{
    return read_model("xiong", name, sets, " ");
}

#endif
