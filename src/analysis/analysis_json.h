/// analysis/analysis_json.h: what was analysed as members of a JSON object that others go on with.
#ifndef SLIP_ANALYSIS_ANALYSIS_JSON_H
#define SLIP_ANALYSIS_ANALYSIS_JSON_H

#include "core/json.h"
#include "slipstick/analysis.h"
#include "slipstick/analyze.h"

void slip_analysis_add_json(slip_json *json, const slip_analysis *analysis);
void slip_critical_add_json(slip_json *json, const slip_critical *critical);

/// How often each domain occurs stands under `key`.
void slip_map_add_json(slip_json *json, const char *key, slip_map *map);

#endif
