/// output/report/report_cycles.h: periodic motions and their branches for the page.
#ifndef SLIP_OUTPUT_REPORT_REPORT_CYCLES_H
#define SLIP_OUTPUT_REPORT_REPORT_CYCLES_H

#include "base/json.h"
#include "slipstick/cycle.h"
#include "slipstick/two_parameter.h"

/// Member `cycle` of the page's object (web/data.md): one orbit, or branches along "w=0.5:2".
void slip_cycle_report_json(slip_json *json, const slip_cycle *cycle, const slip_cycle_branch *branch,
                            const char *along);

/// What to read first.
void slip_cycle_findings_json(slip_json *json, const slip_cycle *cycle, const slip_cycle_branch *branch,
                              const char *along);

/// What is special over two parameters, as the member "plane"; and in words.
void slip_two_parameter_report_json(slip_json *json, const slip_two_parameter_diagram *plane);
void slip_two_parameter_findings_json(slip_json *json, const slip_two_parameter_diagram *plane);

#endif
