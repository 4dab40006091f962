/// integrator/cash_karp.h: steps of Cash and Karp's pair for those who make its stages in a way of their own, or
/// choose the length of a step themselves.
#ifndef SLIP_INTEGRATOR_CASH_KARP_H
#define SLIP_INTEGRATOR_CASH_KARP_H

#include "integrator/integrator.h"

/// All stages of a step over h at once, from the present state of a problem: the state at its end, and that of
/// the embedded rule.
typedef struct slip_cash_karp_stages {
    void *context;
    void (*make)(void *context, double h, double *high, double *low);
} slip_cash_karp_stages;

/// Writes the fifth-order solution at t + h into `out`, with k[0] = f(t, x) already in work. For steps whose
/// length is not a matter of accuracy, as when an event is being located. False if a stage cannot be
/// evaluated. Without `stages` they are made one by one.
bool slip_cash_karp_attempt(const slip_ode_problem *problem, const slip_cash_karp_stages *stages, double t,
                            const double *x, double h, slip_integrator_work *work, double *out);

/// As the integrator's own step, which has no `stages`.
slip_run_outcome slip_cash_karp_step(const slip_ode_problem *problem, const slip_cash_karp_stages *stages,
                                     slip_step_control *control, double t, const double *x, double most,
                                     slip_integrator_work *work, double *out, double *taken);

#endif
