/// simulation/run/sensitivity_files.h: sensitivities in the files of a run.
#ifndef SLIP_SIMULATION_RUN_SENSITIVITY_FILES_H
#define SLIP_SIMULATION_RUN_SENSITIVITY_FILES_H

#include "base/json.h"
#include "base/text.h"
#include "slipstick/sim.h"

/// Columns of events.csv after the others: d(t)/d(p), then d(x-)/d(p) and d(x+)/d(p), the derivatives of each
/// state just before and just after the event with respect to each parameter. None without sensitivities.
void slip_event_derivative_names(const slip_sim *sim, slip_text *line);
void slip_event_derivatives(const slip_sim *sim, const slip_event *event, slip_text *line);

/// The object `sensitivity` of summary.json; null without sensitivities.
void slip_summary_sensitivity(slip_json *json, slip_sim *sim);

#endif
