/// sim/whens.h: events of the model: a condition becomes true, and values change.
///
/// The end of every step is looked at before the step is taken, by a peek. Where a condition becomes true in
/// it, the instant is located by further peeks and the step ends there; so every formulation has events
/// without knowing of them. A condition that was true before is no event, and one that becomes true by the
/// values an event sets is one, in the same instant.
#ifndef SLIP_SIM_WHENS_H
#define SLIP_SIM_WHENS_H

#include "method/method.h"

typedef struct slip_whens slip_whens;
struct slip_derivatives;

/// False when out of memory. *whens is NULL when the model has no events.
bool slip_whens_create(const slip_model *model, const slip_method *method, slip_whens **whens);
void slip_whens_destroy(slip_whens *whens);

/// Derivatives that go along; NULL: none.
void slip_whens_take_derivatives(slip_whens *whens, struct slip_derivatives *derivatives);

/// What the next event depends on.
void slip_whens_archive(slip_whens *whens, slip_archive *archive);

/// The end of a step from the present state that leads to `reach` without events: not after the first of
/// them. The present time where one is due now. Whole steps are `step` long; NaN: steps of any length do.
double slip_whens_limit(slip_whens *whens, slip_method *method, double reach, double step);

/// After a step, or a change from outside: what happens at the present time. SLIP_DONE: the run is to end.
/// `until` is the length of the run.
slip_run_outcome slip_whens_pass(slip_whens *whens, slip_method *method, double until);

/// The state was changed from outside.
void slip_whens_touched(slip_whens *whens);

/// The run begins again.
void slip_whens_restart(slip_whens *whens);

/// Something has happened at the present time: the state there is two.
bool slip_whens_jumped(const slip_whens *whens, const slip_method *method);

/// The condition that ended the run, as written, and when; NULL when none did.
const char *slip_whens_stop(const slip_whens *whens, double *t);

/// No condition ends the run from here on.
void slip_whens_run_on(slip_whens *whens);

/// J, that assignments have added to the system so far.
double slip_whens_work(const slip_whens *whens);

#endif
