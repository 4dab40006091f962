/// simulation/sim/auto_settings.h: what a model leaves open, chosen from what it contains, with the reason.
#ifndef SLIP_SIMULATION_SIM_AUTO_SETTINGS_H
#define SLIP_SIMULATION_SIM_AUTO_SETTINGS_H

#include "formulation/method.h"

enum { SLIP_REASON_LENGTH = 160 };

/// The name of a formulation that suits the model; one that uses an integrator or a solver where one was
/// asked for.
const char *slip_choose_formulation(const slip_model *model, bool integrator, bool solver, char *reason);

/// The integrator of a formulation that suits the model. A name that plays no part is a name all the same.
const char *slip_choose_integrator(const slip_model *model, const slip_formulation *formulation);

/// A step for a run of this length, s: short against the run, the fastest motion near the start, and the time
/// until something first touches. `finer`: the integrator takes finer steps where the motion asks for them,
/// so only the run counts.
double slip_choose_step(const slip_model *model, double until, bool finer, char *reason);

/// Absolute error tolerance for a run of this length: 1e-9, or 1e-6 of the largest speed that rates and
/// forces at the start promise, where that is less.
double slip_choose_absolute(const slip_model *model, double until);

#endif
