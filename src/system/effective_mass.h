/// system/effective_mass.h: how heavy a mechanism feels at a contact, 1/(w M^-1 w'), at its start.
#ifndef SLIP_SYSTEM_EFFECTIVE_MASS_H
#define SLIP_SYSTEM_EFFECTIVE_MASS_H

#include "system/equations.h"

typedef struct slip_mass_probe slip_mass_probe;

/// Evaluates M at the start of the model. SLIP_BAD_MODEL when it is not positive definite there.
slip_status slip_mass_probe_create(slip_equations *equations, slip_error *error, slip_mass_probe **probe);
void slip_mass_probe_destroy(slip_mass_probe *probe);

/// The effective mass along a row at the start; infinite when the row moves nothing. A row whose
/// entries vanish or are undefined just there counts with the lightest coordinate it touches.
double slip_effective_mass(slip_mass_probe *probe, const slip_row *row);

#endif
