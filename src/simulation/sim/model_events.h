/// simulation/sim/model_events.h: events of the model: a condition becomes true, and values change.
///
/// The end of every step is evaluated by a peek before the step is taken. Where a condition becomes true
/// during the step, the instant is located by further peeks, and the step ends there; formulations need not
/// know about events. A condition that was true before is no event. One that becomes true by the assignments
/// of an event is an event at the same instant.
#ifndef SLIP_SIMULATION_SIM_MODEL_EVENTS_H
#define SLIP_SIMULATION_SIM_MODEL_EVENTS_H

#include "formulation/method.h"

typedef struct slip_model_events slip_model_events;
struct slip_derivative_columns;

/// For a run of length `until`. False when out of memory. *whens is NULL when the model has no events.
bool slip_model_events_create(const slip_model *model, const slip_method *method, double until,
                              slip_model_events **whens);
void slip_model_events_destroy(slip_model_events *whens);

/// Sensitivities that have to jump at events; NULL: none.
void slip_model_events_set_sensitivities(slip_model_events *whens,
                                         struct slip_derivative_columns *derivatives);

/// Saves or restores the state on which the next event depends.
void slip_model_events_archive(slip_model_events *whens, slip_archive *archive);

/// The end of a step from the present state that would lead to `reach` without events: at the first event, or
/// the present time where one is due now. Fixed steps are `step` long; NaN: steps may have any length.
double slip_model_events_limit(slip_model_events *whens, slip_method *method, double reach, double step);

/// Carries out the events at the present time, after a step or after a change by the caller. SLIP_DONE: the
/// run ends. `until` is the length of the run.
slip_run_outcome slip_model_events_update(slip_model_events *whens, slip_method *method, double until);

/// The state was changed by the caller.
void slip_model_events_state_changed(slip_model_events *whens);

/// The run begins again.
void slip_model_events_restart(slip_model_events *whens);

/// True if an event happened at the present time, so that the state has two values there.
bool slip_model_events_jumped(const slip_model_events *whens, const slip_method *method);

/// The condition that ended the run, as written, and when; NULL when none did.
const char *slip_model_events_stop(const slip_model_events *whens, double *t);

/// From now on no condition ends the run.
void slip_model_events_ignore_stop(slip_model_events *whens);

/// Energy (J) that assignments have added to the system so far.
double slip_model_events_work(const slip_model_events *whens);

#endif
