/// formulation/ode/fused_rk4.h: a whole step of the classical Runge-Kutta scheme as one tape.
///
/// From (t, x) with k_0 = f(t, x):
///     k_r = f(t + T_r, x + T_r k_{r-1}; tau_r),  T_1 .. T_3 = h/2, h/2, h
///     x  := x + h/6 (k_0 + 2 k_1 + 2 k_2 + k_3)
/// then k_0 and the modes at the new state, and whether that is finite: the same operations in the same order
/// as rk4 and rk4-generalised take one by one, without the trips through memory and calls between them.
#ifndef SLIP_FORMULATION_ODE_FUSED_RK4_H
#define SLIP_FORMULATION_ODE_FUSED_RK4_H

#include "integrator/integrator.h"
#include "formulation/ode/ode.h"

typedef struct slip_fused_rk4 slip_fused_rk4;

/// For steps of this length. *program is NULL where the integrator takes other steps, or the model is too
/// large for it to be worth while. It shares the registers of slip_ode_rate, so that modes are asked for as
/// ever.
slip_status slip_fused_rk4_create(slip_ode *ode, const slip_integrator *integrator, double step,
                                  slip_fused_rk4 **program);
void slip_fused_rk4_destroy(slip_fused_rk4 *program);

/// Puts x, with its quadratures, and f(t, x) = xdot where a step begins.
void slip_fused_rk4_load(slip_fused_rk4 *program, const double *x, const double *xdot);

/// Instead of a step (fused_rk4_work.h): what that of another program with the same operations left, to
/// t_after. Its register r is row[r * stride].
void slip_fused_rk4_adopt(slip_fused_rk4 *program, double t_after, const double *row, long stride);

/// The rates that the registers hold.
void slip_fused_rk4_rate(const slip_fused_rk4 *program, double *xdot);

#endif
