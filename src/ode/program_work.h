/// ode/program_work.h: the program of a step, from inside.
#ifndef SLIP_ODE_PROGRAM_WORK_H
#define SLIP_ODE_PROGRAM_WORK_H

#include "ode/program.h"

struct slip_ode_program {
    slip_ode *ode;
    slip_tape *tape;
    double *reg; // those of slip_ode_rate, and more
    int count;   // states and quadratures
    int *value;  // register of each of them
    int *rate;   // of k_0 of each
    int time;    // of t + h/2; that of t + h follows it
    int finite;  // 0 when everything is
    double half, whole;
    unsigned long asked; // times that f had been evaluated when the registers were filled
    bool full;
};

#endif
