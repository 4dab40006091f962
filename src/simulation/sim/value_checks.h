/// simulation/sim/value_checks.h: checks that the formulas of the model have a valid value wherever the
/// motion goes.
///
/// A gap that is not a number looks like an open one, a negative friction coefficient drives a body, and an
/// infinite force has unpredictable effects in an integrator. Formulas whose structure excludes this are not
/// checked, which is nearly all of them in nearly every model; the others are checked after each step, in the
/// same way for every formulation.
#ifndef SLIP_SIMULATION_SIM_VALUE_CHECKS_H
#define SLIP_SIMULATION_SIM_VALUE_CHECKS_H

#include "formulation/method.h"

typedef struct slip_value_checks slip_value_checks;

/// False when out of memory. *values is NULL when there is nothing to check.
bool slip_value_checks_create(const slip_model *model, slip_value_checks **values);
void slip_value_checks_destroy(slip_value_checks *values);

/// Saves or restores which warnings have been given.
void slip_value_checks_archive(slip_value_checks *values, slip_archive *archive);

/// Checks the present state of the method: SLIP_RUNNING, or SLIP_UNSOLVED with the reason. Warns of negative
/// friction.
slip_run_outcome slip_value_checks_run(slip_value_checks *values, slip_method *method);

/// True if slip_value_checks_run would report nothing. A quick test: where it is false there may be nothing
/// to report either.
bool slip_value_checks_pass(slip_value_checks *values, const slip_method *method);

/// The method has failed: true if a formula has no valid value within the time `ahead`; this then replaces
/// the reason that the method gave.
bool slip_value_checks_explain(slip_value_checks *values, slip_method *method, double ahead);

#endif
