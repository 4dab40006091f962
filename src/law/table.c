/// law/table.c: the friction laws there are, from laws.def.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "law/law.h"

enum {
#define LAW(id, name, components, states, summary, accepts, reference) LAW_##id,
#define PARAMETER(law, key, range, fallback, text, meaning)
#include "part/laws.def"
#undef LAW
#undef PARAMETER
    LAW_COUNT
};

static const slip_law laws[LAW_COUNT] = {
#define LAW(id, name, components, states, summary, accepts, reference)                                       \
    [LAW_##id] = { { name, summary, accepts, reference }, components, states, slip_law_write_##id },
#define PARAMETER(law, key, range, fallback, text, meaning)
#include "part/laws.def"
#undef LAW
#undef PARAMETER
};

static const struct {
    const char *law;
    slip_law_parameter parameter;
} parameters[] = {
#define LAW(id, name, components, states, summary, accepts, reference)
#define PARAMETER(law, key, range, fallback, text, meaning) { law, { key, fallback, text } },
#include "part/laws.def"
#undef LAW
#undef PARAMETER
};

const slip_law *slip_law_at(int k)
{
    return k >= 0 && k < LAW_COUNT ? &laws[k] : NULL;
}

const slip_law *slip_law_named(const char *name)
{
    for (int k = 0; k < LAW_COUNT; k++)
        if (strcmp(laws[k].info.name, name) == 0) return &laws[k];
    return NULL;
}

const slip_law_parameter *slip_law_parameter_at(const slip_law *law, int k)
{
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        if (strcmp(parameters[i].law, law->info.name) == 0 && k-- == 0) return &parameters[i].parameter;
    return NULL;
}

bool slip_law_scales_with_load(const slip_law *law)
{
    return law->write == slip_law_write_dahl || law->write == slip_law_write_lugre ||
           law->write == slip_law_write_elasto_plastic;
}
