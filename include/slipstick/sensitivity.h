/// sensitivity.h: derivatives of a motion, through impacts, sticking and sliding.
///
///     slip_sim_def def = slip_default_sim_def();
///     def.formulation = "lcp";
///     def.sensitivity = "mu, x'";      // a parameter, and the rate at which x starts
///     ... slip_sim_create, slip_sim_step as ever ...
///     double slope = slip_sim_derivative(sim, "x", "mu");
///
/// They ride along with the run, are exact but for its tolerances, and do not change it by a bit; columns
/// d(x)/d(mu) stand behind those of the trajectory. Where a derivative does not exist, or is not known, all
/// are NaN from there on, and slip_sim_derivatives_end says why.
#ifndef SLIPSTICK_SENSITIVITY_H
#define SLIPSTICK_SENSITIVITY_H

#include "slipstick/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is differentiated to, in the order asked for; NULL past the end.
const char *slip_sim_sensitivity_name(const slip_sim *sim, int k);

/// Of a column (a state or a recorded quantity) at the present time, at fixed time; NaN when there is none.
double slip_sim_derivative(slip_sim *sim, const char *column, const char *to);

/// Of the time of the last event, to name k; in a slip_event_sink: of the event that it is called with. 0 of
/// events that others do not move, as those at given times.
double slip_sim_event_time_derivative(const slip_sim *sim, int k);

/// Of state number `state` (0: the first coordinate) just before that event, at the event's own time: what
/// moves with it counts.
double slip_sim_event_state_derivative(const slip_sim *sim, int state, int k);

/// The same just after it.
double slip_sim_event_state_derivative_after(const slip_sim *sim, int state, int k);

/// Of the kinetic and the potential energy of the present state, to name k. NaN when there are none.
double slip_sim_energy_derivative(slip_sim *sim, int k, double *kinetic, double *potential);

/// Where derivatives end because a contact is grazed, there is one on one side, and a square root on the
/// other: with name k changed by dp, so that the contact is struck, the rate of a coordinate behind it
/// changes by the coefficient times sqrt|dp|. `side` is set to the sign of such a dp; NaN and 0 where nothing
/// was grazed. lcp, gauss; moreau, but where the turn and the end of a step are one.
double slip_sim_grazing(const slip_sim *sim, int coordinate, int k, int *side);

/// Why there are no derivatives any more, and from when on in *t (may be NULL); NULL while there are.
const char *slip_sim_derivatives_end(const slip_sim *sim, double *t);

#ifdef __cplusplus
}
#endif
#endif
