/// rigid/strike_problem.h: an impact of the contacts of a rigid system, from its rows.
#ifndef SLIP_RIGID_STRIKE_PROBLEM_H
#define SLIP_RIGID_STRIKE_PROBLEM_H

#include "rigid/problem.h"
#include "rigid/striker.h"

typedef struct slip_strike {
    slip_striker striker;
    double *response; ///< what each impulse does to the rates, n numbers each
    double *W;
    slip_rigid *rigid;
    slip_outcome outcome; ///< of the last contact problem
} slip_strike;

/// Measures or carves.
void slip_strike_layout(slip_arena *arena, const slip_system *system, int d, slip_strike *s);

/// Row of unknown i of the impact in hand; -1 where its contact has none.
int slip_strike_row(const slip_strike *s, const slip_system *system, int i);

/// The problem of the contacts that were added to s->striker, at rates u, with the terms of r.
void slip_strike_assemble(slip_strike *s, slip_rigid *r, const double *u);

/// At the end of a dynamic jam: what slides on the border of a jam, as near as rounding and steps come, is
/// taken to be beyond it, where the model names a law of impact for it.
void slip_strike_press(slip_strike *s, const slip_system *system);

#endif
