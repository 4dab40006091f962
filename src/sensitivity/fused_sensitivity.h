/// sensitivity/fused_sensitivity.h: a step of an explicit integrator, with columns of derivatives, as one program.
///
/// The numbers X of a step are states and columns, and all their rates are formulas of the time and of X. Its
/// stages are copies of one tape, so that a step is one piece of machine code.
#ifndef SLIP_SENSITIVITY_FUSED_SENSITIVITY_H
#define SLIP_SENSITIVITY_FUSED_SENSITIVITY_H

#include "symbolic/graph/formula.h"
#include "integrator/integrator.h"

typedef struct slip_fused_sensitivity {
    int count; ///< numbers of X
    slip_tableau table;
    slip_tape *rates, *program;
    double *reg;                     ///< also for inputs that are no part of X: theirs to set
    int time, told, h, x, end, zero; ///< registers
} slip_fused_sensitivity;

/// rate[i] is that of the graph input input[i]; the time is input 0, and `stage` the one that holds the stage
/// step (-1: none). False when out of memory, or the program would be too long to be worth it; destroy in any
/// case.
bool slip_fused_sensitivity_create(slip_fused_sensitivity *march, slip_graph *graph, const slip_ref *rate,
                                   const int *input, int count, int stage, const slip_tableau *table);
void slip_fused_sensitivity_destroy(slip_fused_sensitivity *march);

/// Puts part of X in, takes part of it out behind a step.
void slip_fused_sensitivity_load(slip_fused_sensitivity *march, int first, int count, const double *x);
void slip_fused_sensitivity_step(slip_fused_sensitivity *march, double t, double h);
void slip_fused_sensitivity_read(const slip_fused_sensitivity *march, int first, int count, double *x);

#endif
