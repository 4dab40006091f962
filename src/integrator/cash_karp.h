/// integrator/cash_karp.h: one step of Cash and Karp's pair without its error control.
#ifndef SLIP_INTEGRATOR_CASH_KARP_H
#define SLIP_INTEGRATOR_CASH_KARP_H

#include "integrator/integrator.h"

/// Writes the fifth-order solution at t + h into `out`, with k[0] = f(t, x) already in work. For steps whose
/// length is not a matter of accuracy, as when an event is being located. False if a stage cannot be
/// evaluated.
bool slip_cash_karp_attempt(const slip_ode_problem *problem, double t, const double *x, double h,
                            slip_integrator_work *work, double *out);

#endif
