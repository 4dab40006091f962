/// simulation/sim/derivative_columns.h: sensitivities that are integrated along with a simulation, as columns
/// of the trajectory.
#ifndef SLIP_SIMULATION_SIM_DERIVATIVE_COLUMNS_H
#define SLIP_SIMULATION_SIM_DERIVATIVE_COLUMNS_H

#include "formulation/method.h"

typedef struct slip_derivative_columns slip_derivative_columns;

/// Sensitivities with respect to the parameters and initial values in settings->sensitivity, separated by
/// commas. *out is NULL when there are none. The method was made with `settings` and `formulation`, from the
/// model or from the model at rest.
slip_status slip_derivative_columns_create(slip_method *method, const slip_model *model,
                                           const slip_formulation *formulation, const slip_sim_def *settings,
                                           slip_error *error, slip_derivative_columns **out);
void slip_derivative_columns_destroy(slip_derivative_columns *derivatives);

/// Number of columns: one per state and recorded quantity for each name. 0 without sensitivities.
int slip_derivative_columns_width(const slip_derivative_columns *derivatives);

/// "d(x)/d(mu)".
const char *slip_derivative_columns_name(const slip_derivative_columns *derivatives, int column);

/// Fills the columns at the present time, or at the time of the last peek.
void slip_derivative_columns_fill(slip_derivative_columns *derivatives, double t, double *row);

/// See slip_sim_restart_at.
void slip_derivative_columns_restart(slip_derivative_columns *derivatives);

/// The state was changed by the caller: there are no sensitivities from now on.
void slip_derivative_columns_invalidate(slip_derivative_columns *derivatives);

/// The sensitivities of an event-driven method; NULL for other methods, and without sensitivities.
struct slip_sensitivity *slip_derivative_columns_tangent(slip_derivative_columns *derivatives);

/// False where they may be derivatives of the scheme rather than of the motion, as after a touch-down under
/// fixed steps: an optimiser must not follow them.
bool slip_derivative_columns_exact(const slip_derivative_columns *derivatives);

/// Event k of the model happens now; called before its assignments change the state.
void slip_derivative_columns_event(slip_derivative_columns *derivatives, int k);

/// A controller samples `count` values from the present state, beginning with number `first` of the values of
/// all controllers; and a sampled value is assigned to a coordinate.
void slip_derivative_columns_sample(slip_derivative_columns *derivatives, int first, int count);
void slip_derivative_columns_assign(slip_derivative_columns *derivatives, int value, int coordinate);

/// The next event sent to the sink has this time.
void slip_derivative_columns_announce(slip_derivative_columns *derivatives, double t);

/// The name of parameter or initial value k; NULL past the end.
const char *slip_derivative_columns_parameter(const slip_derivative_columns *derivatives, int k);

/// Derivatives at the last event with respect to name k: of its time, and of a state just before or just
/// after it. NaN where they are not known.
double slip_derivative_columns_event_time(const slip_derivative_columns *derivatives, int k);
double slip_derivative_columns_event_state(const slip_derivative_columns *derivatives, bool after, int state,
                                           int k);

/// Derivatives of kinetic and potential energy of the present state with respect to name k.
void slip_derivative_columns_energy(slip_derivative_columns *derivatives, int k, double *kinetic,
                                    double *potential);

/// The contact at whose grazing the sensitivities end; -1: none. Then, for a name k, the derivative of the
/// smallest gap in *change, and the coefficient of the rate of a coordinate on the side where the contact
/// closes.
int slip_derivative_columns_grazed(const slip_derivative_columns *derivatives);
double slip_derivative_columns_grazing(const slip_derivative_columns *derivatives, int coordinate, int k,
                                       double *change);

/// Why the sensitivities have ended, and when; NULL while they exist.
const char *slip_derivative_columns_end(const slip_derivative_columns *derivatives, double *t);

#endif
