/// dynamics/effective_mass.h: how heavy a mechanism feels at a contact, 1/(w M^-1 w') with bilateral
/// constraints held, at its start; and what presses on the contact there.
#ifndef SLIP_DYNAMICS_EFFECTIVE_MASS_H
#define SLIP_DYNAMICS_EFFECTIVE_MASS_H

#include "dynamics/equations.h"

typedef struct slip_mass_probe slip_mass_probe;

/// Evaluates M at the start of the model. SLIP_BAD_MODEL when it is not positive definite there.
slip_status slip_mass_probe_create(slip_equations *equations, slip_error *error, slip_mass_probe **probe);
void slip_mass_probe_destroy(slip_mass_probe *probe);

/// The effective mass along a row at the start; infinite when the row moves nothing. A row whose
/// entries vanish or are undefined just there is probed with ones instead.
double slip_effective_mass(slip_mass_probe *probe, const slip_row *row);

/// The effective mass along a row as an expression of (t, q), bilateral constraints held: for constants of a
/// contact that follow the mass along the motion, so that a restitution holds wherever the contact strikes.
/// *mass is SLIP_NONE when it does not change along the motion (slip_effective_mass is it, always), or when
/// mass blocks are too large for an expression. SLIP_OK or SLIP_NO_MEMORY.
slip_status slip_effective_mass_formula(slip_equations *equations, const slip_row *row, slip_ref *mass);

/// The same where several rows push on the same bodies: call slip_shared_mass_add_row once for each of them, then
/// slip_shared_mass gives masses m_k such that springs K_k = m_k w^2 on all rows together have no mode above
/// w: 1/m_k bounds the sum of row k of W M^-1 W' (Cauchy-Schwarz block by block; exact for a single row).
void slip_shared_mass_add_row(slip_mass_probe *probe, const slip_row *row);
double slip_shared_mass(slip_mass_probe *probe, const slip_row *row);

/// What presses on each contact that touches at the start, as if nothing moved and without friction; 0 for
/// the others. An estimate, for choosing a stiffness. `ease` is how much they give to one another: the sum of
/// row k of W M^-1 W' over them in absolute values, 1/kg, so that stiffnesses K = w^2/ease make no mode far
/// above w. Both have one number per element.
slip_status slip_static_loads_at_start(slip_mass_probe *probe, double *load, double *ease);

/// How a row starts, in the units of what it measures.
typedef struct slip_row_start {
    double size;  ///< the largest of the terms w_k q_k
    double speed; ///< of the row
    double pull;  ///< its acceleration by all that pushes but contacts and frictions
} slip_row_start;
slip_row_start slip_row_start_of(slip_mass_probe *probe, const slip_row *row);

double slip_gap_at_start(const slip_mass_probe *probe, const slip_element *element);

/// The length by which a gap is measured at the start: its own, or the largest of the terms it is made of,
/// w_k q_k.
double slip_gap_size(const slip_mass_probe *probe, const slip_element *element);

#endif
