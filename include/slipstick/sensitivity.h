/// sensitivity.h: derivatives of a motion, through impacts, sticking and sliding.
///
///     slip_sim_def def = slip_default_sim_def();
///     def.formulation = "lcp";
///     def.sensitivity = "mu, x'";      // a parameter, and the initial rate of x
///     ... slip_sim_create, slip_sim_step as ever ...
///     double slope = slip_sim_derivative(sim, "x", "mu");
///
/// They are computed along with the run, are exact up to its tolerances, and do not change a bit of it;
/// columns d(x)/d(mu) follow those of the trajectory. Where a derivative does not exist, or is not known, all
/// are NaN from there on, and slip_sim_derivatives_end says why.
#ifndef SLIPSTICK_SENSITIVITY_H
#define SLIPSTICK_SENSITIVITY_H

#include "slipstick/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The parameters and initial values, in the order given; NULL past the end.
const char *slip_sim_sensitivity_name(const slip_sim *sim, int k);

/// Derivative of a column (a state or a recorded quantity) at the present time; NaN when there is none.
double slip_sim_derivative(slip_sim *sim, const char *column, const char *to);

/// Derivative of the time of the last event to name k; in a slip_event_sink, of the event it is called with.
/// 0 for events at given times.
double slip_sim_event_time_derivative(const slip_sim *sim, int k);

/// Derivative of state number `state` (0: the first coordinate) just before that event, including the change
/// of the event's time.
double slip_sim_event_state_derivative(const slip_sim *sim, int state, int k);

/// The same just after it.
double slip_sim_event_state_derivative_after(const slip_sim *sim, int state, int k);

/// Derivatives of the kinetic and the potential energy of the present state to name k. NaN when there are
/// none.
double slip_sim_energy_derivative(slip_sim *sim, int k, double *kinetic, double *potential);

/// Where derivatives end because a contact is grazed, there is a derivative on one side and a square root on
/// the other: if name k changes by dp, so that the contact is struck, the rate of a coordinate after it
/// changes by the coefficient times sqrt|dp|. `side` is set to the sign of such a dp; NaN and 0 if nothing
/// was grazed. lcp, gauss; moreau, unless the gap turns exactly at the end of a step.
double slip_sim_grazing(const slip_sim *sim, int coordinate, int k, int *side);

/// Why derivatives have ended, and when, in *t (may be NULL); NULL while there are derivatives.
const char *slip_sim_derivatives_end(const slip_sim *sim, double *t);

#ifdef __cplusplus
}
#endif
#endif
