/// integrator/table.c: the integrators there are. One line each.
#include <string.h>

#include "integrator/integrator.h"

static const slip_integrator *const integrators[] = {
    &slip_integrator_rk4,             // fixed step, the papers' own
    &slip_integrator_rk4_generalised, // the same with stage steps, Kikuuwe 2008
    &slip_integrator_cash_karp,       // error control, Gomez 2008
    &slip_integrator_sdirk4,          // implicit, error control: stiff contacts cost no accuracy
    &slip_integrator_cvode,           // multistep, where SUNDIALS is there
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
