/// formulation/ode/stability_limit.h: is the step within what the integrator keeps stable?
///
/// An explicit step of length h multiplies a mode with eigenvalue z by R(h z); beyond |R| = 1 the mode
/// grows. sat and max bound the growth, so nothing blows up: one sees creep in stick and chatter in
/// contact, for ever (Xiong 2013 at its printed steps, errata X17 and X19). The guard takes the
/// eigenvalues of the exact linearisation, element states included:
///   before the run, with every contact closed and every friction sticking, at the start;
///   during it, of every combination of modes when it is first entered, at the state that enters it.
/// Groups of states that do not see each other are looked at one by one.
#ifndef SLIP_FORMULATION_ODE_STABILITY_LIMIT_H
#define SLIP_FORMULATION_ODE_STABILITY_LIMIT_H

#include "formulation/ode/ode.h"
#include "integrator/integrator.h"

typedef struct slip_stability_limit slip_stability_limit;

/// *guard is NULL when the integrator has no limit of stability.
slip_status slip_stability_limit_create(slip_ode *ode, const slip_integrator *integrator, slip_error *error,
                                        slip_stability_limit **guard);
void slip_stability_limit_destroy(slip_stability_limit *guard);

/// What limits the step.
typedef struct slip_step_limit {
    double step;       ///< s, largest stable one; infinite when nothing limits it
    double re, im;     ///< 1/s, the eigenvalue that does
    const char *state; ///< a state of the group it belongs to
} slip_step_limit;

/// With everything closed and sticking, at (t, x), where f(t, x) = rate.
slip_step_limit slip_stability_limit_all_stick(slip_stability_limit *guard, double t, const double *x,
                                               const double *rate);

/// Of the combinations of modes at (t, x) that were not met before; infinite when there is none, or when
/// none has a limit below `enough`. Costs a look at the modes when they have not changed; allocates nothing.
slip_step_limit slip_stability_limit_new_modes(slip_stability_limit *guard, double t, const double *x,
                                               const double *rate, const unsigned char *modes, double enough);

/// The largest step at which a mode does not grow; infinite for a mode that grows by itself.
double slip_largest_stable_step(const slip_integrator *integrator, double re, double im);

/// Which regimes it has looked at.
void slip_stability_limit_archive(slip_stability_limit *guard, slip_archive *archive);

#endif
