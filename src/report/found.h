/// report/found.h: what analyses and fits say, as elements of `found`.
#ifndef SLIP_REPORT_FOUND_H
#define SLIP_REPORT_FOUND_H

#include "core/json.h"
#include "slipstick/report.h"

void slip_analysis_found_json(slip_json *json, const slip_analysis *analysis);
void slip_map_found_json(slip_json *json, const slip_map *map);
void slip_critical_found_json(slip_json *json, const slip_critical *critical);
void slip_fit_found_json(slip_json *json, const slip_fit *fit);

#endif
