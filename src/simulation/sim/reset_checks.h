/// simulation/sim/reset_checks.h: whether what an event sets breaks a constraint.
///
/// Rigid formulations move such a state back onto the constraints, each in its own metric, and compliant ones
/// draw it there: the motion after that is the formulation's choice, so it is said, as of a start that does.
#ifndef SLIP_SIMULATION_SIM_RESET_CHECKS_H
#define SLIP_SIMULATION_SIM_RESET_CHECKS_H

#include "formulation/method.h"
#include "symbolic/tape/tape.h"

typedef struct slip_reset_checks {
    const slip_model *model;
    int count;       ///< of constraints; 0: nothing to look at
    slip_tape *tape; ///< constraints, then their rates
    double *reg;     ///< registers
    double *value;   ///< as they were before the events of an instant
    double *q;       ///< so the coordinates
} slip_reset_checks;

/// Compiles the constraints of the method, if events of the model set anything. False when out of memory.
bool slip_reset_checks_create(slip_reset_checks *c, const slip_model *model, const slip_method *method);
void slip_reset_checks_destroy(slip_reset_checks *c);

/// Before the first event of an instant, and after the last: warns of constraints that they have broken, in
/// the name of `event`.
void slip_reset_checks_keep(slip_reset_checks *c, const slip_method *m);
void slip_reset_checks_judge(slip_reset_checks *c, slip_method *m, const char *event);

#endif
