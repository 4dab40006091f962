/// simulation/sim/contact_loads.h: a tally of the forces of contacts, frictions and joints along a run.
///
/// Methods that make steps of finer ones call it at the end of each (slip_load_observer); for the others the
/// simulation calls it at the end of each step. It reads recorded quantities without a name that stand behind all
/// others (slip_model.load_records).
#ifndef SLIP_SIMULATION_SIM_CONTACT_LOADS_H
#define SLIP_SIMULATION_SIM_CONTACT_LOADS_H

#include "formulation/method.h"
#include "slipstick/loads.h"

typedef struct slip_contact_loads slip_contact_loads;

/// For a method whose last records are those of the tally; *loads is NULL when the model has no elements. False
/// when out of memory.
bool slip_contact_loads_create(const slip_model *model, slip_method *method,
                               const slip_formulation *formulation, slip_contact_loads **loads);
void slip_contact_loads_destroy(slip_contact_loads *loads); ///< NULL is fine, here and below

/// An event that the method has located: impacts count.
void slip_contact_loads_event(slip_contact_loads *loads, const slip_event *event);

/// The present state of the method, after its events.
void slip_contact_loads_observe(slip_contact_loads *loads, slip_method *method);

/// Forgets what was tallied so far.
void slip_contact_loads_restart(slip_contact_loads *loads);

void slip_contact_loads_archive(slip_contact_loads *loads, slip_archive *archive);

bool slip_contact_loads_get(const slip_contact_loads *loads, int k, slip_element_loads *out);

#endif
