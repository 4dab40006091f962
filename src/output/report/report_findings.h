/// output/report/report_findings.h: what analyses and fits say, as elements of `found`.
#ifndef SLIP_OUTPUT_REPORT_REPORT_FINDINGS_H
#define SLIP_OUTPUT_REPORT_REPORT_FINDINGS_H

#include "base/json.h"
#include "slipstick/report.h"

void slip_analysis_findings_json(slip_json *json, const slip_analysis *analysis);
void slip_domain_map_findings_json(slip_json *json, const slip_domain_map *map);
void slip_critical_findings_json(slip_json *json, const slip_critical *critical);
void slip_fit_findings_json(slip_json *json, const slip_fit *fit);

#endif
