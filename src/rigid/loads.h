/// rigid/loads.h: limits of friction that follow forces of the same instant.
///
/// A friction with a load has the limit c L, L being a force that its own friction changes: rolling
/// resistance and the normal force of its contact. L = measured(solution with the limits c L) is looked for
/// from the loads of the last solution on. Between changes of mode solutions are affine in the limits, so
/// that Broyden's method needs a few rounds; it also finds loads that plain iteration runs away from.
#ifndef SLIP_RIGID_LOADS_H
#define SLIP_RIGID_LOADS_H

#include "system/system.h"

typedef enum slip_loads_answer { SLIP_LOADS_SETTLED, SLIP_LOADS_AGAIN, SLIP_LOADS_LOST } slip_loads_answer;

typedef struct slip_loads {
    int count;     ///< 0: no limit follows a force, and nothing here is looked at
    int *element;  ///< per load: whose limit it is
    double *load;  ///< per load: N, >= 0, in force
    double *found; ///< per load: as measured in the last solution
    int round;
    double *off, *off_before, *step, *way; ///< of Broyden's method, per load
    double *H;                             ///< count x count: inverse of d(found - load)/d(load)
    double *Y, *A, *B, *y, *lambda;        ///< scratch of slip_loads_gain
} slip_loads;

/// Measures or carves.
void slip_loads_layout(slip_arena *arena, const slip_system *system, slip_loads *loads);

/// What a load is a force of.
static inline const slip_load *slip_loads_of(const slip_loads *loads, const slip_system *system, int k)
{
    return &system->elements[loads->element[k]].contact->load;
}

/// The force of a joint of which `lambda` has the multipliers of all constraints; N.
double slip_loads_of_joint(const slip_load *load, const double *lambda);

/// Whether some load is that of a joint.
bool slip_loads_need_joints(const slip_loads *loads, const slip_system *system);

/// Limits in force: friction[e] is the factor of a friction with a load, and becomes its limit.
void slip_loads_apply(const slip_loads *loads, double *friction);

/// How much of its own force a friction that follows it can make: below 1 there is one answer (load_gain.c).
double slip_loads_gain(const slip_loads *loads, const slip_system *system, const slip_terms *terms);

/// Why no answer was found at time t, where frictions that follow forces may have none; false elsewhere.
bool slip_loads_complain(const slip_loads *loads, const slip_system *system, const slip_terms *terms,
                         double t, char *text, size_t size);

/// Before the first solution.
void slip_loads_begin(slip_loads *loads);

/// After a solution whose loads are in `found`: whether they are those in force, else what to try next.
slip_loads_answer slip_loads_next(slip_loads *loads);

#endif
