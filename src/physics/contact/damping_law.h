/// physics/contact/damping_law.h: how much damping a contact gets for a restitution.
///
/// The force of a contact with hysteresis damping is N = K d^n (1 + x d'/v), where d' = v at touch-down. The
/// literature writes x K/v as a hysteresis damping factor chi, and has several formulas for it, most of them from
/// the energy that a nearly elastic impact loses. What restitution x really makes does not depend on n
/// (slip_hunt_crossley_restitution in slipstick/design.h).
/// A law is one file with one record, and one line in registry/damping_laws.def.
#ifndef SLIP_PHYSICS_CONTACT_DAMPING_LAW_H
#define SLIP_PHYSICS_CONTACT_DAMPING_LAW_H

#include "slipstick/parts.h"

typedef struct slip_damping_law {
    slip_part_info info;
    double (*factor)(double restitution); ///< x; infinite where there is none
} slip_damping_law;

/// NULL past the end.
const slip_damping_law *slip_damping_law_at(int k);

/// NULL when there is none of that name.
const slip_damping_law *slip_damping_law_named(const char *name);

/// The least and the greatest peak force of an impact on N = K d^exponent, over that of an elastic one, for the
/// restitution e: over all laws whose damping a material may have, and none.
void slip_peak_force_range(double exponent, double restitution, double *low, double *high);

#define PART(symbol, name) extern const slip_damping_law slip_damping_##symbol;
#include "registry/damping_laws.def"
#undef PART

#endif
