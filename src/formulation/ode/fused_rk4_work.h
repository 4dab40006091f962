/// formulation/ode/fused_rk4_work.h: the program of a step, from inside.
#ifndef SLIP_FORMULATION_ODE_FUSED_RK4_WORK_H
#define SLIP_FORMULATION_ODE_FUSED_RK4_WORK_H

#include "formulation/ode/ode_work.h"
#include "formulation/ode/fused_rk4.h"

struct slip_fused_rk4 {
    slip_ode *ode;
    slip_tape *tape;
    double *reg; // those of slip_ode_rate, and more
    int count;   // states and quadratures
    int *value;  // register of each of them
    int *rate;   // of k_0 of each
    int time;    // of t + h/2; that of t + h follows it
    int finite;  // 0 when everything is
    double half, whole;
    uint64_t asked; // times that f had been evaluated when the registers were filled
    bool full;
};

// what every step asks for is not called

/// Whether the registers hold the state that the last step ended in, its rates and modes: nobody evaluated f
/// since, or forgot it.
static inline bool slip_fused_rk4_is_current(const slip_fused_rk4 *p)
{
    return p->full && p->asked == p->ode->work->asked;
}

static inline void slip_fused_rk4_invalidate(slip_fused_rk4 *p)
{
    p->full = false;
}

/// One step from t, where the registers hold state and rates, to t_after. False when it meets what is not
/// finite: then they hold nothing.
static inline bool slip_fused_rk4_step(slip_fused_rk4 *p, double t, double t_after)
{
    p->reg[0] = t_after;
    p->reg[p->time] = t + p->half;
    p->reg[p->time + 1] = t + p->whole;
    slip_tape_run(p->tape, p->reg);
    p->asked = p->ode->work->asked;
    p->full = p->reg[p->finite] == 0.0;
    return p->full;
}

/// The state that the registers hold, with its quadratures.
static inline void slip_fused_rk4_state(const slip_fused_rk4 *p, double *x)
{
    for (int i = 0; i < p->count; i++) x[i] = p->reg[p->value[i]];
}

#endif
