/// study/compare/comparison_reference.h: the reference motion with which formulations are compared.
///
/// No formulation is presumed to be right. A reference stands when two independent families agree along the
/// whole motion: event-driven and refined time stepping, else one of them and a refined compliant
/// formulation, else two compliant ones. Where they differ the motion is disputed, and nothing is
/// recommended.
#ifndef SLIP_STUDY_COMPARE_COMPARISON_REFERENCE_H
#define SLIP_STUDY_COMPARE_COMPARISON_REFERENCE_H

#include "study/compare/comparison.h"
#include "study/compare/measured_run.h"
#include "verdict/run/trajectory_samples.h"

typedef struct slip_reference {
    const slip_measured_model *watched;
    double step, until, budget; ///< s; s; processor time for each family, s
    const volatile sig_atomic_t *stop;
    slip_trajectory_samples instants; ///< the times at which motions are compared
    slip_trajectory_samples track;    ///< the motion that is the reference; count 0 when there is none
    double *scale;                    ///< size of the motion along each coordinate
} slip_reference;

/// Chooses the instants of comparison. False when out of memory.
bool slip_reference_create(slip_reference *r, const slip_measured_model *watched);
void slip_reference_destroy(slip_reference *r);

/// Finds the reference from the rows that ran: fills its track, c->reference, c->reference_row and
/// c->disputed. SLIP_NO_MEMORY or SLIP_OK.
slip_status slip_reference_find(slip_reference *r, slip_comparison *c);

/// Samples the motion of a formulation at these instants. False when out of memory; a motion that does not
/// reach the end has fewer samples. `seconds` may be NULL.
bool slip_reference_trace(const slip_reference *r, const char *formulation, double step,
                          slip_trajectory_samples *track, double *seconds);

/// The largest difference between two motions in a coordinate, relative to its size; infinite when one ends
/// early.
double slip_reference_distance(const slip_reference *r, const slip_trajectory_samples *a,
                               const slip_trajectory_samples *b);

#endif
