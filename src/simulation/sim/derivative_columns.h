/// simulation/sim/derivative_columns.h: derivatives that ride along with a simulation, as columns.
#ifndef SLIP_SIMULATION_SIM_DERIVATIVE_COLUMNS_H
#define SLIP_SIMULATION_SIM_DERIVATIVE_COLUMNS_H

#include "formulation/method.h"

typedef struct slip_derivative_columns slip_derivative_columns;

/// To the parameters and starts in settings->sensitivity, by commas. *out is NULL when there are none.
/// `settings` and `formulation` made the method, from the model, or from where that is at rest.
slip_status slip_derivative_columns_create(slip_method *method, const slip_model *model,
                                           const slip_formulation *formulation, const slip_sim_def *settings,
                                           slip_error *error, slip_derivative_columns **out);
void slip_derivative_columns_destroy(slip_derivative_columns *derivatives);

/// Number of columns: of states and recorded quantities, to each name. 0 of none.
int slip_derivative_columns_width(const slip_derivative_columns *derivatives);

/// "d(x)/d(mu)".
const char *slip_derivative_columns_name(const slip_derivative_columns *derivatives, int column);

/// The columns at the present time, or at one that the method was just asked for by a peek.
void slip_derivative_columns_fill(slip_derivative_columns *derivatives, double t, double *row);

/// See slip_sim_restart_at.
void slip_derivative_columns_restart(slip_derivative_columns *derivatives);

/// The state was changed from outside: there are no derivatives from now on.
void slip_derivative_columns_invalidate(slip_derivative_columns *derivatives);

/// The derivatives of an event-driven method; NULL of others, and of none.
struct slip_sensitivity *slip_derivative_columns_tangent(slip_derivative_columns *derivatives);

/// False where they may be those of fixed steps behind a touch-down, and not of the motion: no slope to
/// follow.
bool slip_derivative_columns_exact(const slip_derivative_columns *derivatives);

/// Event k of the model happens now, before the state is changed as it says.
void slip_derivative_columns_event(slip_derivative_columns *derivatives, int k);

/// Controllers of the model take values from the present state, `count` of them from `first` on among those
/// of all controllers; and a value that was taken is put into a mode.
void slip_derivative_columns_sample(slip_derivative_columns *derivatives, int first, int count);
void slip_derivative_columns_assign(slip_derivative_columns *derivatives, int value, int coordinate);

/// An event of this time is told of next.
void slip_derivative_columns_announce(slip_derivative_columns *derivatives, double t);

/// What is differentiated to; NULL past the end.
const char *slip_derivative_columns_parameter(const slip_derivative_columns *derivatives, int k);

/// Of the last event, to name k: of its time; of a state just before and just after it. NaN where there are
/// none.
double slip_derivative_columns_event_time(const slip_derivative_columns *derivatives, int k);
double slip_derivative_columns_event_state(const slip_derivative_columns *derivatives, bool after, int state,
                                           int k);

/// Of both energies of the present state, to name k.
void slip_derivative_columns_energy(slip_derivative_columns *derivatives, int k, double *kinetic,
                                    double *potential);

/// The element that is grazed where they end; -1: none is. How the least gap changes with name k, and the
/// coefficient of the rate of a coordinate on the side where it closes.
int slip_derivative_columns_grazed(const slip_derivative_columns *derivatives);
double slip_derivative_columns_grazing(const slip_derivative_columns *derivatives, int coordinate, int k,
                                       double *change);

/// Why there are none any more, and since when; NULL while there are.
const char *slip_derivative_columns_end(const slip_derivative_columns *derivatives, double *t);

#endif
