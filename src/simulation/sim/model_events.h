/// simulation/sim/model_events.h: events of the model: a condition becomes true, and values change.
///
/// The end of every step is looked at before the step is taken, by a peek. Where a condition becomes true in
/// it, the instant is located by further peeks and the step ends there; so every formulation has events
/// without knowing of them. A condition that was true before is no event, and one that becomes true by the
/// values an event sets is one, in the same instant.
#ifndef SLIP_SIMULATION_SIM_MODEL_EVENTS_H
#define SLIP_SIMULATION_SIM_MODEL_EVENTS_H

#include "formulation/method.h"

typedef struct slip_model_events slip_model_events;
struct slip_derivative_columns;

/// For a run of length `until`. False when out of memory. *whens is NULL when the model has no events.
bool slip_model_events_create(const slip_model *model, const slip_method *method, double until,
                              slip_model_events **whens);
void slip_model_events_destroy(slip_model_events *whens);

/// Derivatives that go along; NULL: none.
void slip_model_events_set_sensitivities(slip_model_events *whens,
                                         struct slip_derivative_columns *derivatives);

/// What the next event depends on.
void slip_model_events_archive(slip_model_events *whens, slip_archive *archive);

/// The end of a step from the present state that leads to `reach` without events: not after the first of
/// them. The present time where one is due now. Whole steps are `step` long; NaN: steps of any length do.
double slip_model_events_limit(slip_model_events *whens, slip_method *method, double reach, double step);

/// After a step, or a change from outside: what happens at the present time. SLIP_DONE: the run is to end.
/// `until` is the length of the run.
slip_run_outcome slip_model_events_update(slip_model_events *whens, slip_method *method, double until);

/// The state was changed from outside.
void slip_model_events_state_changed(slip_model_events *whens);

/// The run begins again.
void slip_model_events_restart(slip_model_events *whens);

/// Something has happened at the present time: the state there is two.
bool slip_model_events_jumped(const slip_model_events *whens, const slip_method *method);

/// The condition that ended the run, as written, and when; NULL when none did.
const char *slip_model_events_stop(const slip_model_events *whens, double *t);

/// No condition ends the run from here on.
void slip_model_events_ignore_stop(slip_model_events *whens);

/// J, that assignments have added to the system so far.
double slip_model_events_work(const slip_model_events *whens);

#endif
