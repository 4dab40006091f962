/// tangent/march.h: a step of an explicit integrator, with columns of derivatives, as one program.
///
/// The numbers X of a step are states and columns, and all their rates are formulas of the time and of X. Its
/// stages are copies of one tape, so that a step is one piece of machine code.
#ifndef SLIP_TANGENT_MARCH_H
#define SLIP_TANGENT_MARCH_H

#include "formula/formula.h"
#include "integrator/integrator.h"

typedef struct slip_march {
    int count; ///< numbers of X
    slip_tableau table;
    slip_tape *rates, *program;
    double *reg;                     ///< also for inputs that are no part of X: theirs to set
    int time, told, h, x, end, zero; ///< registers
} slip_march;

/// rate[i] is that of the graph input input[i]; the time is input 0, and `stage` the one that holds the stage
/// step (-1: none). False when out of memory, or the program would be too long to be worth it; destroy in any
/// case.
bool slip_march_create(slip_march *march, slip_graph *graph, const slip_ref *rate, const int *input,
                       int count, int stage, const slip_tableau *table);
void slip_march_destroy(slip_march *march);

/// Puts part of X in, takes part of it out behind a step.
void slip_march_put(slip_march *march, int first, int count, const double *x);
void slip_march_step(slip_march *march, double t, double h);
void slip_march_take(const slip_march *march, int first, int count, double *x);

#endif
