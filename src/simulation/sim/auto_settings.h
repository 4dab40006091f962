/// simulation/sim/auto_settings.h: settings that a model leaves open, chosen from its contents, with the
/// reason.
#ifndef SLIP_SIMULATION_SIM_AUTO_SETTINGS_H
#define SLIP_SIMULATION_SIM_AUTO_SETTINGS_H

#include "formulation/method.h"

enum { SLIP_REASON_LENGTH = 160 };

/// The name of a formulation that suits the model; one that uses an integrator or a solver if the user named
/// one. `refused` has a bit for each formulation that does not take the model, by its place in the list; where
/// all have one, it is the name that it would be without.
const char *slip_choose_formulation(const slip_model *model, bool integrator, bool solver, unsigned refused,
                                    char *reason);

/// The integrator that suits the model under this formulation. Formulations that use none still get a valid
/// name.
const char *slip_choose_integrator(const slip_model *model, const slip_formulation *formulation);

/// A step (s) for a run of this length: short compared with the run, with the fastest mode at the start, and
/// with the time until a contact first closes. `finer`: the integrator subdivides the step by itself where
/// necessary, so that only the length of the run matters.
double slip_choose_step(const slip_model *model, double until, bool finer, char *reason);

/// Absolute error tolerance for a run of this length: 1e-9, or 1e-6 of the largest speed that follows from
/// rates and forces at the start, where that is smaller.
double slip_choose_absolute(const slip_model *model, double until);

#endif
