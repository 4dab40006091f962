/// output/report/report_runs.h: the parts of web/data.md that tell of one run, as JSON.
#ifndef SLIP_OUTPUT_REPORT_REPORT_RUNS_H
#define SLIP_OUTPUT_REPORT_REPORT_RUNS_H

#include "simulation/recording/recording.h"
#include "base/json.h"

/// An element of `runs`.
void slip_run_json(slip_json *json, const slip_recording *recording, bool reproducible);

/// Elements of `found`, each with `before` in front of its sentence.
void slip_run_findings_json(slip_json *json, const slip_recording *recording, const char *before);
void slip_finding_json(slip_json *json, slip_tone tone, const char *before, const char *text, size_t length);

#endif
