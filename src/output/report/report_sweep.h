/// output/report/report_sweep.h: a sweep, as the page wants it (web/data.md).
#ifndef SLIP_OUTPUT_REPORT_REPORT_SWEEP_H
#define SLIP_OUTPUT_REPORT_REPORT_SWEEP_H

#include "base/json.h"
#include "slipstick/sweep.h"

void slip_sweep_report_json(slip_json *json, const slip_sweep *sweep);
void slip_sweep_findings_json(slip_json *json, const slip_sweep *sweep);

#endif
