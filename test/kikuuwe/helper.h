/// helper.h: models as the tests of Kikuuwe 2008 use them.
#ifndef SLIP_TEST_KIKUUWE_HELPER_H
#define SLIP_TEST_KIKUUWE_HELPER_H

#include "models.h"

/// A model of models/kikuuwe or a text, with overrides: "sphere", "mu=0.2 K=1e6".
static inline slip_model *load_model(const char *name, const char *sets)
{
    return read_model("kikuuwe", name, sets, " ");
}

#endif
