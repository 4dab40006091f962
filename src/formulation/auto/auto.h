/// formulation/auto/auto.h: rigid while trusted, compliant where not (what Song 2001 leaves to future work), from
/// inside.
///
/// The rigid half is formulation lcp, the compliant half the ODE of compliant.h under cash-karp; both keep
/// their own state and ledger, and one of them is in charge.
///     rigid -> compliant   when the verdict is against the rigid answer, or it has none. Contacts keep the
///     load
///                          of the last trusted instant: they are pressed in by its rest deformation, and
///                          their tangential springs stretched to its friction. Velocities stay, so momentum
///                          does too.
///     compliant -> rigid   when everything has separated; or when what is closed has followed the one stable
///                          rigid solution for several times of the boundary layer. Gaps are closed and what
///                          is left of their rates is removed by an impulse, which is reported. A contact
///                          that still gives way without a force (on its way out of a damper) is neither.
/// Shifts are the least ones in the kinetic metric; the energy they change is booked to `contact`.
#ifndef SLIP_FORMULATION_AUTO_AUTO_H
#define SLIP_FORMULATION_AUTO_AUTO_H

#include "formulation/regularized/compliant.h"
#include "formulation/event_driven/event_driven.h"

typedef struct slip_auto {
    slip_method base;
    slip_event_driven *rigid;
    slip_method *soft;
    slip_method *active; ///< &rigid->base or soft
    int n, elements;
    int *delta_at; ///< per element: place of its tangential deformations in the state; -1 without
    double *state, *row;

    double *trusted_N, *trusted_T;    ///< per element, and per element twice, at the last trusted instant
    double *N, *gap_rate, *slip_rate; ///< per element, slips twice, of the compliant contacts now
    double *Y, *G, *lambda, *shift;   ///< least shifts: rows x n, rows x rows, rows, n
    int *row_of, *owner;

    double settled_since; ///< s; NaN: the boundary layer moves
    double entered;       ///< s, when the compliant half took over
    double *peak, *impulse,
        *load;     ///< per element, since then: largest N, its impulse; N that counts as ordinary
    bool *stopped; ///< its slip came to rest since then
    double last_t;
    double handover_energy; ///< J, booked at hand-overs
    double *from, *to; ///< the state before and after the last hand-over: q, u, and to compliant contacts the
                       ///< deformations
    double compliant;  ///< s, of all times with the compliant half that are over
    slip_constant measures[5]; ///< three of its own, then what impacts of the rigid half created
    void *memory;
} slip_auto;

/// auto_handover.c: q moved so that the gaps of the listed elements become -depth; u so that their rates (and
/// the slips of those that stick) vanish. Returns the largest impulse per row, N s (rates) or 0.
void slip_auto_shift_gaps(slip_auto *m, double t, double *q, const double *u, int count, const int *element,
                          const double *depth);
double slip_auto_stop_rates(slip_auto *m, double t, const double *q, double *u, int count, const int *element,
                            const bool *sticks);

/// N, gap rates and slip rates of the compliant contacts at (t, q, u).
void slip_auto_evaluate_contacts(slip_auto *m, double t, const double *q, const double *u);

double slip_auto_energy(slip_auto *m, double t, const double *q, const double *u);

void slip_auto_handover_layout(slip_arena *arena, slip_auto *m);

/// auto_settle.c: whether the loads follow the rigid solution of the compliant state, after
/// slip_auto_evaluate_contacts; *decay is the slowest rate, 1/s, at which its boundary layer settles.
bool slip_auto_follows_rigid(slip_auto *m, double t, double *decay);

/// The time of a contact's bounces over 2 pi, s, under the load that would stop a fall; that load, N.
double slip_auto_contact_time(slip_auto *m, int element, double *load);

/// The constants of an element's contact where it is now.
slip_compliant_constants slip_auto_contact_constants(slip_auto *m, int element);

#endif
