/// sim/formulations.c: the records of all formulations, in the order of part/formulations.def.
#include "method/method.h"

#define PART(symbol, name) extern const slip_formulation slip_formulation_##symbol;
#include "part/formulations.def"
#undef PART

#define PART(symbol, name) &slip_formulation_##symbol,
static const slip_formulation *const formulations[] = {
#include "part/formulations.def"
};

const slip_formulation *slip_formulation_at(int k)
{
    return k >= 0 && k < (int)(sizeof formulations / sizeof *formulations) ? formulations[k] : NULL;
}
