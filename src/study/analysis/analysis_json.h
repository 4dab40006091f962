/// study/analysis/analysis_json.h: what was analysed as members of a JSON object that others go on with.
#ifndef SLIP_STUDY_ANALYSIS_ANALYSIS_JSON_H
#define SLIP_STUDY_ANALYSIS_ANALYSIS_JSON_H

#include "base/json.h"
#include "slipstick/analysis.h"
#include "slipstick/domain_map.h"

void slip_analysis_add_json(slip_json *json, const slip_analysis *analysis);
void slip_critical_add_json(slip_json *json, const slip_critical *critical);

/// How often each domain occurs stands under `key`.
void slip_domain_map_add_json(slip_json *json, const char *key, slip_domain_map *map);

#endif
