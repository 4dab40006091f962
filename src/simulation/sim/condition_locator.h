/// simulation/sim/condition_locator.h: locates the instant in the next step at which a condition becomes
/// true.
#ifndef SLIP_SIMULATION_SIM_CONDITION_LOCATOR_H
#define SLIP_SIMULATION_SIM_CONDITION_LOCATOR_H

#include "base/arena.h"
#include "formulation/method.h"

typedef struct slip_condition_locator {
    const slip_model *model;
    slip_tape *tape;    ///< conditions, then their margins
    int input_count, n; ///< t and the state; coordinates, 0 of an inclusion
    double resolution;  ///< s, between two places to look at, in long steps
    double *reg, *row, *from, *end;
} slip_condition_locator;

/// For a run of length `until`. False when out of memory; destroy in any case.
bool slip_condition_locator_create(slip_condition_locator *locate, const slip_model *model, double until);
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

/// The first condition that becomes true between `begin`, not before the present time, and `reach`, and the
/// instant, on the side where it holds; -1 when there is none, or the method cannot look. What `was` true
/// and will be again, but not in between, makes *at end there, and counts for none. A step is looked at in eight
/// places at the least, a run in some two thousand, and where the margin of a condition turns near its border.
int slip_condition_locator_first(slip_condition_locator *locate, slip_method *method, double begin,
                                 double reach, const bool *was, double *at);

#endif
