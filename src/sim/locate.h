/// sim/locate.h: where in the step ahead a condition becomes true.
#ifndef SLIP_SIM_LOCATE_H
#define SLIP_SIM_LOCATE_H

#include "core/arena.h"
#include "method/method.h"

typedef struct slip_locate {
    const slip_model *model;
    slip_tape *tape;    ///< conditions, then their margins
    int input_count, n; ///< t and the state; coordinates, 0 of an inclusion
    double *reg, *row, *from, *end;
} slip_locate;

/// False when out of memory; destroy in any case.
bool slip_locate_create(slip_locate *locate, const slip_model *model);
void slip_locate_destroy(slip_locate *locate);
void slip_locate_layout(slip_arena *arena, slip_locate *locate, const slip_method *method);
void slip_locate_start(slip_locate *locate);

/// Looks at a state; then: whether condition k holds there.
void slip_locate_at(slip_locate *locate, double t, const double *state);
bool slip_locate_holds(const slip_locate *locate, int k);

/// Looks at the state at t, which the run has not reached yet. False when there is none to be had.
bool slip_locate_look(slip_locate *locate, slip_method *method, double t);

/// The first condition that becomes true between `begin`, not before the present time, and `reach`, and the
/// instant, on the side where it holds; -1 when there is none, or the method cannot look. What `was` true
/// and will be at the end, but not in between, makes *at end there, and counts for none.
int slip_locate_first(slip_locate *locate, slip_method *method, double begin, double reach, const bool *was,
                      double *at);

#endif
