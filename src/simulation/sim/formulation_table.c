/// simulation/sim/formulation_table.c: the records of all formulations, in the order of registry/formulations.def.
#include <string.h>

#include "formulation/method.h"

#define PART(symbol, name) extern const slip_formulation slip_formulation_##symbol;
#include "registry/formulations.def"
#undef PART

#define PART(symbol, name) &slip_formulation_##symbol,
static const slip_formulation *const formulations[] = {
#include "registry/formulations.def"
};

const slip_formulation *slip_formulation_at(int k)
{
    return k >= 0 && k < (int)(sizeof formulations / sizeof *formulations) ? formulations[k] : NULL;
}

const slip_formulation *slip_formulation_named(const char *name)
{
    for (int k = 0; slip_formulation_at(k); k++)
        if (strcmp(slip_formulation_at(k)->info.name, name) == 0) return slip_formulation_at(k);
    return NULL;
}
