/// physics/friction/friction_law.c: the records of all laws, in the order of registry/friction_laws.def.
#include <string.h>

#include "physics/friction/friction_law.h"

#define PART(symbol, name) &slip_law_##symbol,
static const slip_law *const laws[] = {
#include "registry/friction_laws.def"
};

const slip_law *slip_law_at(int k)
{
    return k >= 0 && k < (int)(sizeof laws / sizeof *laws) ? laws[k] : NULL;
}

const slip_law *slip_law_named(const char *name)
{
    for (int k = 0; slip_law_at(k); k++)
        if (strcmp(laws[k]->info.name, name) == 0) return laws[k];
    return NULL;
}

slip_law_result slip_law_result_empty(void)
{
    return (slip_law_result){ .force = { SLIP_NONE, SLIP_NONE },
                              .stick = SLIP_NONE,
                              .decay = SLIP_NONE,
                              .sliding = SLIP_NONE,
                              .max_at_rest = SLIP_NONE };
}
