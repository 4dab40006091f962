/// simulation/sim/condition_locator.h: locates the instant in the next step at which a condition becomes
/// true.
#ifndef SLIP_SIMULATION_SIM_CONDITION_LOCATOR_H
#define SLIP_SIMULATION_SIM_CONDITION_LOCATOR_H

#include "base/arena.h"
#include "formulation/method.h"

typedef struct slip_condition_locator {
    const slip_model *model;
    slip_tape *tape;    ///< conditions, then their margins
    int input_count, n; ///< t and the states; number of coordinates, 0 for an inclusion
    double *reg, *row, *from, *end;
} slip_condition_locator;

/// False when out of memory; destroy in any case.
bool slip_condition_locator_create(slip_condition_locator *locate, const slip_model *model);
void slip_condition_locator_destroy(slip_condition_locator *locate);
void slip_condition_locator_layout(slip_arena *arena, slip_condition_locator *locate,
                                   const slip_method *method);
void slip_condition_locator_start(slip_condition_locator *locate);

/// Evaluates all conditions at a state; slip_condition_locator_holds then tells whether condition k holds
/// there.
void slip_condition_locator_evaluate(slip_condition_locator *locate, double t, const double *state);
bool slip_condition_locator_holds(const slip_condition_locator *locate, int k);

/// Evaluates all conditions at a time t that the run has not reached yet. False when the method cannot
/// provide the state.
bool slip_condition_locator_peek(slip_condition_locator *locate, slip_method *method, double t);

/// The first condition that becomes true between `begin` (at or after the present time) and `reach`, with the
/// instant in *at, on the side where it holds. -1 when there is none, or when the method cannot look ahead. A
/// condition that `was` true and is true at the end, but not in between, makes *at the instant at which it is
/// false; it does not count as an event there.
int slip_condition_locator_first(slip_condition_locator *locate, slip_method *method, double begin,
                                 double reach, const bool *was, double *at);

#endif
