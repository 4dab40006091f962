/// law.h: friction laws in numbers: force and rates of the internal states from the slip velocity.
///
///     slip_law_value set[] = { { "stiffness", 5000 }, { "damping", 1 } };
///     slip_friction_law *law = NULL;
///     if (slip_law_create("kikuuwe", 0.5, 1, set, 2, &error, &law) != SLIP_OK) ...
///     slip_law_evaluate(law, &v, &e, tau, &force, &rate);
///
/// Names and parameters: `slipstick list laws`, slip_law_parameter_name(), docs/laws.md. Forces carry the
/// sign of the velocity: the body receives minus them. The same laws serve frictions of a model (`law:`). A
/// law may be evaluated by one thread at a time; evaluation allocates nothing.
#ifndef SLIPSTICK_LAW_H
#define SLIPSTICK_LAW_H

#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_friction_law slip_friction_law;

typedef struct slip_law_value {
    const char *name;
    double value;
} slip_law_value;

/// The k-th parameter of a law; NULL past the end or for an unknown law.
const char *slip_law_parameter_name(const char *law, int k);

/// A law with the kinetic friction force `limit` (N or N m), for slips of 1 or 2 components. Parameters that
/// are not given take the defaults of the manual; a stiffness or damping must be given.
slip_status slip_law_create(const char *name, double limit, int components, const slip_law_value *values,
                            int value_count, slip_error *error, slip_friction_law **law);
void slip_law_destroy(slip_friction_law *law); ///< NULL is fine

int slip_law_components(const slip_friction_law *law); ///< components of slip, 1 or 2, as it was made

/// Internal states, all components together; they start at 0.
int slip_law_state_count(const slip_friction_law *law);

/// `velocity` and `force` have one number per component, `state` and `rate` slip_law_state_count() each.
/// tau is the step that this evaluation stands for (Kikuuwe 2008, eq 19); 0 gives the law in continuous time.
void slip_law_evaluate(slip_friction_law *law, const double *velocity, const double *state, double tau,
                       double *force, double *rate);

/// Another friction force from now on, as where the normal force changes; >= 0.
void slip_law_set_limit(slip_friction_law *law, double limit);

#ifdef __cplusplus
}
#endif
#endif
