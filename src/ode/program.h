/// ode/program.h: a whole step of the classical Runge-Kutta scheme as one tape.
///
/// From (t, x) with k_0 = f(t, x):
///     k_r = f(t + T_r, x + T_r k_{r-1}; tau_r),  T_1 .. T_3 = h/2, h/2, h
///     x  := x + h/6 (k_0 + 2 k_1 + 2 k_2 + k_3)
/// then k_0 and the modes at the new state, and whether that is finite: the same operations in the same order
/// as rk4 and rk4-generalised take one by one, without the trips through memory and calls between them.
#ifndef SLIP_ODE_PROGRAM_H
#define SLIP_ODE_PROGRAM_H

#include "integrator/integrator.h"
#include "ode/ode.h"

typedef struct slip_ode_program slip_ode_program;

/// For steps of this length. *program is NULL where the integrator takes other steps, or the model is too
/// large for it to be worth while. It shares the registers of slip_ode_rate, so that modes are asked for as
/// ever.
slip_status slip_ode_program_create(slip_ode *ode, const slip_integrator *integrator, double step,
                                    slip_ode_program **program);
void slip_ode_program_destroy(slip_ode_program *program);

/// Puts x, with its quadratures, and f(t, x) = xdot where a step begins.
void slip_ode_program_load(slip_ode_program *program, const double *x, const double *xdot);

/// Instead of a step (program_work.h): what that of another program with the same operations left, to
/// t_after. Its register r is row[r * stride].
void slip_ode_program_adopt(slip_ode_program *program, double t_after, const double *row, long stride);

/// The rates that the registers hold.
void slip_ode_program_rate(const slip_ode_program *program, double *xdot);

#endif
