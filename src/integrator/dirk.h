/// integrator/dirk.h: diagonally implicit Runge-Kutta methods with error control.
///
/// Stage i solves  z = w + h gamma f(t + c_i h, x + z),  w = h sum_{j<i} a_ij k_j,  by Newton's method
/// with the exact derivative. Right-hand sides with sat and max are piecewise smooth: the derivative is
/// taken anew wherever the iteration does not contract fast, which is the semismooth Newton method.
/// The last stage is the new state, so modes that have decayed stay at zero (stiff accuracy).
#ifndef SLIP_INTEGRATOR_DIRK_H
#define SLIP_INTEGRATOR_DIRK_H

#include "integrator/integrator.h"

enum { SLIP_DIRK_STAGES = 6 }; ///< with k_0 = f(t, x), which a method need not use

typedef struct slip_dirk {
    double gamma;
    double node[SLIP_DIRK_STAGES]; ///< stage 0 is the start
    double a[SLIP_DIRK_STAGES][SLIP_DIRK_STAGES];
    int estimates; ///< number of error estimates; the largest one counts
    double error[2][SLIP_DIRK_STAGES];
    int filters;     ///< number of times that (I - h gamma df/dx)^-1 is applied to an estimate, to remove
                     ///< stiff modes
    double leftover; ///< part of the admissible error of a step (1) that Newton's iteration may leave; it
                     ///< enters the rates of the stages
    bool thrifty;    ///< keeps a derivative as long as the iteration contracts fast
} slip_dirk;

void slip_dirk_layout(slip_arena *arena, int count, slip_integrator_work *work);

/// As slip_integrator.tableau.
void slip_dirk_tableau(const slip_dirk *method, slip_tableau *tableau);

/// As slip_integrator.step.
slip_run_outcome slip_dirk_step(const slip_dirk *method, const slip_ode_problem *problem,
                                slip_step_control *control, double t, const double *x, double most,
                                slip_integrator_work *work, double *out, double *taken);

#endif
