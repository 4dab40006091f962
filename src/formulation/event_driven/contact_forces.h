/// formulation/event_driven/contact_forces.h: which contact forces are knowable.
///
/// The motion of a rigid system with redundant contacts is often determined while its forces are not. For
/// each contact: the force of least norm, and exact bounds over all forces that satisfy the same laws:
///     gauss   all minimisers of (2.39): same motion, N >= 0, |T| <= mu N
///     lcp     all solutions of the contact LCP for the present contact states, which may move differently
#ifndef SLIP_FORMULATION_EVENT_DRIVEN_CONTACT_FORCES_H
#define SLIP_FORMULATION_EVENT_DRIVEN_CONTACT_FORCES_H

#include "formulation/event_driven/event_driven.h"

typedef struct slip_force_bounds {
    double low, high; ///< N; NaN when there are too many contacts to look at every case
    bool unique;
} slip_force_bounds;

void slip_contact_forces_layout(slip_arena *arena, slip_event_driven *m);

/// m->rigid holds the problem and its solution. Replaces it by the one of least norm with the same motion.
void slip_contact_forces_least_norm(slip_event_driven *m);

/// What is recorded of an element at the present state, behind slip_contact_forces_least_norm. A
/// slip_quantity_reader of a slip_event_driven.
void slip_contact_forces_quantities(void *context, int element, unsigned wanted, double *value);

#endif
