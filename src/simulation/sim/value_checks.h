/// simulation/sim/value_checks.h: does what the model says have a value wherever the motion goes?
///
/// A gap that is not a number looks like one that is open, a negative coefficient of friction drives a body,
/// and an infinite force ends in whatever the integrator makes of it. What cannot happen by the form of the
/// formulas is left out, which is nearly everything in nearly every model; the rest is looked at after each
/// step, the same for every formulation.
#ifndef SLIP_SIMULATION_SIM_VALUE_CHECKS_H
#define SLIP_SIMULATION_SIM_VALUE_CHECKS_H

#include "formulation/method.h"

typedef struct slip_value_checks slip_value_checks;

/// False when out of memory. *values is NULL when there is nothing to look at.
bool slip_value_checks_create(const slip_model *model, slip_value_checks **values);
void slip_value_checks_destroy(slip_value_checks *values);

/// What was warned of.
void slip_value_checks_archive(slip_value_checks *values, slip_archive *archive);

/// At the present state of the method: SLIP_RUNNING, or SLIP_UNSOLVED and why. Warns of negative friction.
slip_run_outcome slip_value_checks_run(slip_value_checks *values, slip_method *method);

/// Whether such a check would find nothing to say. It may find nothing where this is false.
bool slip_value_checks_pass(slip_value_checks *values, const slip_method *method);

/// The method cannot go on: whether that is because something has no value within the time `ahead`; then it
/// says so in place of what the method said.
bool slip_value_checks_explain(slip_value_checks *values, slip_method *method, double ahead);

#endif
