/// physics/contact/damping_law.c: the records of all damping laws, in the order of registry/damping_laws.def.
#include "physics/contact/damping_law.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "physics/contact/contact_law_tolerances.h"
#include "physics/contact/hertz.h"

#define PART(symbol, name) &slip_damping_##symbol,
static const slip_damping_law *const laws[] = {
#include "registry/damping_laws.def"
};
#undef PART

const slip_damping_law *slip_damping_law_at(int k)
{
    return k >= 0 && k < (int)(sizeof laws / sizeof *laws) ? laws[k] : NULL;
}

const slip_damping_law *slip_damping_law_named(const char *name)
{
    for (int k = 0; slip_damping_law_at(k); k++)
        if (strcmp(laws[k]->info.name, name) == 0) return laws[k];
    return NULL;
}

void slip_peak_force_range(double exponent, double restitution, double *low, double *high)
{
    *low = *high = 1.0;
    for (int k = 0; slip_damping_law_at(k); k++) {
        const double x = laws[k]->factor(restitution);
        if (!(x <= MAX_ESTIMATED_DAMPING)) continue;
        const double ratio = slip_damped_peak_ratio(exponent, x);
        *low = fmin(*low, ratio);
        *high = fmax(*high, ratio);
    }
}
