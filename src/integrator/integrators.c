/// integrator/integrators.c: the records of all integrators, in the order of registry/integrators.def.
#include <string.h>

#include "integrator/integrator.h"

#define PART(symbol, name) &slip_integrator_##symbol,
static const slip_integrator *const integrators[] = {
#include "registry/integrators.def"
};

const slip_integrator *slip_integrator_at(int k)
{
    return k >= 0 && k < (int)(sizeof integrators / sizeof *integrators) ? integrators[k] : NULL;
}

const slip_integrator *slip_integrator_named(const char *name)
{
    for (int k = 0; slip_integrator_at(k); k++)
        if (strcmp(slip_integrator_at(k)->info.name, name) == 0) return slip_integrator_at(k);
    return NULL;
}
