/// sim/derivatives.h: derivatives that ride along with a simulation, as columns.
#ifndef SLIP_SIM_DERIVATIVES_H
#define SLIP_SIM_DERIVATIVES_H

#include "method/method.h"

typedef struct slip_derivatives slip_derivatives;

/// To the parameters and starts in settings->sensitivity, by commas. *out is NULL when there are none.
/// `settings` and `formulation` made the method, from the model, or from where that is at rest.
slip_status slip_derivatives_create(slip_method *method, const slip_model *model,
                                    const slip_formulation *formulation, const slip_sim_def *settings,
                                    slip_error *error, slip_derivatives **out);
void slip_derivatives_destroy(slip_derivatives *derivatives);

/// Number of columns: of states and recorded quantities, to each name. 0 of none.
int slip_derivatives_width(const slip_derivatives *derivatives);

/// "d(x)/d(mu)".
const char *slip_derivatives_name(const slip_derivatives *derivatives, int column);

/// The columns at the present time, or at one that the method was just asked for by a peek.
void slip_derivatives_fill(slip_derivatives *derivatives, double t, double *row);

/// See slip_sim_begin_at.
void slip_derivatives_restart(slip_derivatives *derivatives);

/// The state was changed from outside: there are no derivatives from now on.
void slip_derivatives_touched(slip_derivatives *derivatives);

/// The derivatives of an event-driven method; NULL of others, and of none.
struct slip_tangent *slip_derivatives_tangent(slip_derivatives *derivatives);

/// False where they may be those of fixed steps behind a touch-down, and not of the motion: no slope to
/// follow.
bool slip_derivatives_follow_motion(const slip_derivatives *derivatives);

/// Event k of the model happens now, before the state is changed as it says.
void slip_derivatives_happen(slip_derivatives *derivatives, int k);

/// Controllers of the model take values from the present state, `count` of them from `first` on among those
/// of all controllers; and a value that was taken is put into a mode.
void slip_derivatives_sample(slip_derivatives *derivatives, int first, int count);
void slip_derivatives_put(slip_derivatives *derivatives, int value, int coordinate);

/// An event of this time is told of next.
void slip_derivatives_tell(slip_derivatives *derivatives, double t);

/// What is differentiated to; NULL past the end.
const char *slip_derivatives_to(const slip_derivatives *derivatives, int k);

/// Of the last event, to name k: of its time; of a state just before and just after it. NaN where there are
/// none.
double slip_derivatives_event_time(const slip_derivatives *derivatives, int k);
double slip_derivatives_event_state(const slip_derivatives *derivatives, bool after, int state, int k);

/// Of both energies of the present state, to name k.
void slip_derivatives_energy(slip_derivatives *derivatives, int k, double *kinetic, double *potential);

/// The element that is grazed where they end; -1: none is. How the least gap changes with name k, and the
/// coefficient of the rate of a coordinate on the side where it closes.
int slip_derivatives_grazed(const slip_derivatives *derivatives);
double slip_derivatives_grazing(const slip_derivatives *derivatives, int coordinate, int k, double *change);

/// Why there are none any more, and since when; NULL while there are.
const char *slip_derivatives_end(const slip_derivatives *derivatives, double *t);

#endif
