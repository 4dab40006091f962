/// report/run_json.h: the parts of web/data.md that tell of one run, as JSON.
#ifndef SLIP_REPORT_RUN_JSON_H
#define SLIP_REPORT_RUN_JSON_H

#include "recording/recording.h"
#include "core/json.h"

/// An element of `runs`.
void slip_run_json(slip_json *json, const slip_recording *recording, bool reproducible);

/// Elements of `found`, each with `before` in front of its sentence.
void slip_run_found_json(slip_json *json, const slip_recording *recording, const char *before);
void slip_finding_json(slip_json *json, slip_tone tone, const char *before, const char *text, size_t length);

#endif
