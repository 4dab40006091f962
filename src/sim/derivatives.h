/// sim/derivatives.h: derivatives that ride along with a simulation, as columns.
#ifndef SLIP_SIM_DERIVATIVES_H
#define SLIP_SIM_DERIVATIVES_H

#include "method/method.h"

typedef struct slip_derivatives slip_derivatives;

/// To the parameters and starts in `list`, by commas. *out is NULL when the list is NULL or empty.
slip_status slip_derivatives_create(slip_method *method, const slip_model *model, const char *list,
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

/// The derivatives themselves; NULL of none.
struct slip_tangent *slip_derivatives_tangent(slip_derivatives *derivatives);

#endif
