/// integrator/cash_karp.h: one step of Cash and Karp's pair without its control.
#ifndef SLIP_INTEGRATOR_CASH_KARP_H
#define SLIP_INTEGRATOR_CASH_KARP_H

#include "integrator/integrator.h"

enum { SLIP_CASH_KARP_STAGES = 6 };

/// Where its stages are, what each is made of, and the weights of its fifth-order solution.
typedef struct slip_cash_karp_table {
    double nodes[SLIP_CASH_KARP_STAGES], b[SLIP_CASH_KARP_STAGES][SLIP_CASH_KARP_STAGES - 1];
    double c5[SLIP_CASH_KARP_STAGES];
} slip_cash_karp_table;
extern const slip_cash_karp_table slip_cash_karp;

/// The fifth-order solution at t + h into `out`, with k[0] = f(t, x) already in work. For steps whose
/// length is not a matter of accuracy, as when an event is being located. False when a stage has no rate.
bool slip_cash_karp_attempt(const slip_ode_problem *problem, double t, const double *x, double h,
                            slip_integrator_work *work, double *out);

#endif
