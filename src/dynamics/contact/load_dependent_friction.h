/// dynamics/contact/load_dependent_friction.h: friction limits that depend on forces of the same instant.
///
/// A friction with a load has the limit c L, L being a force that its own friction changes: rolling
/// resistance and the normal force of its contact. L = measured(solution with the limits c L) is looked for
/// from the loads of the last solution on. Between changes of mode solutions are affine in the limits, so
/// that Broyden's method needs a few rounds; it also finds loads that plain iteration runs away from.
#ifndef SLIP_DYNAMICS_CONTACT_LOAD_DEPENDENT_FRICTION_H
#define SLIP_DYNAMICS_CONTACT_LOAD_DEPENDENT_FRICTION_H

#include "dynamics/system.h"

typedef enum slip_load_iteration {
    SLIP_LOADS_CONVERGED,
    SLIP_LOADS_ITERATE,
    SLIP_LOADS_DIVERGED
} slip_load_iteration;

typedef struct slip_friction_loads {
    int count;     ///< 0: no limit follows a force, and nothing here is looked at
    int *element;  ///< per load: whose limit it is
    double *load;  ///< per load: N, >= 0, in force
    double *found; ///< per load: as measured in the last solution
    int round;
    double *off, *off_before, *step, *way; ///< of Broyden's method, per load
    double *H;                             ///< count x count: inverse of d(found - load)/d(load)
    double *Y, *A, *B, *y, *lambda;        ///< scratch of slip_friction_loads_gain
} slip_friction_loads;

/// Measures or carves.
void slip_friction_loads_layout(slip_arena *arena, const slip_system *system, slip_friction_loads *loads);

/// What a load is a force of.
static inline const slip_load *slip_friction_load_of(const slip_friction_loads *loads,
                                                     const slip_system *system, int k)
{
    return &system->elements[loads->element[k]].contact->load;
}

/// The force of a joint of which `lambda` has the multipliers of all constraints; N.
double slip_joint_load(const slip_load *load, const double *lambda);

/// Whether some load is that of a joint.
bool slip_friction_loads_need_joints(const slip_friction_loads *loads, const slip_system *system);

/// Limits in force: friction[e] is the factor of a friction with a load, and becomes its limit.
void slip_friction_loads_apply(const slip_friction_loads *loads, double *friction);

/// How much of its own force a friction that follows it can make: below 1 there is one answer
/// (load_friction_gain.c).
double slip_friction_loads_gain(const slip_friction_loads *loads, const slip_system *system,
                                const slip_terms *terms);

/// Why no answer was found at time t, where frictions that follow forces may have none; false elsewhere.
bool slip_friction_loads_explain(const slip_friction_loads *loads, const slip_system *system,
                                 const slip_terms *terms, double t, char *text, size_t size);

/// Before the first solution.
void slip_friction_loads_begin(slip_friction_loads *loads);

/// After a solution whose loads are in `found`: whether they are those in force, else what to try next.
slip_load_iteration slip_friction_loads_iterate(slip_friction_loads *loads);

#endif
