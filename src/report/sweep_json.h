/// report/sweep_json.h: a sweep, as the page wants it (web/data.md).
#ifndef SLIP_REPORT_SWEEP_JSON_H
#define SLIP_REPORT_SWEEP_JSON_H

#include "core/json.h"
#include "slipstick/sweep.h"

void slip_sweep_report_json(slip_json *json, const slip_sweep *sweep);
void slip_sweep_found_json(slip_json *json, const slip_sweep *sweep);

#endif
