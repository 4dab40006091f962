/// model/contact_elasticity.c: what the elasticity of a contact says about it.
#include <math.h>

#include "model/model.h"
#include "physics/contact/hertz.h"

double slip_contact_hertz_stiffness(const slip_contact *c)
{
    const slip_elasticity *e = &c->elastic;
    if (!c->has_gap || c->angular || isnan(e->young[0]) || isnan(e->radius)) return NAN;
    return slip_hertz_stiffness(slip_hertz_modulus(e->young, e->poisson), e->radius);
}
