/// report/cycle_json.h: periodic motions and their branches for the page.
#ifndef SLIP_REPORT_CYCLE_JSON_H
#define SLIP_REPORT_CYCLE_JSON_H

#include "core/json.h"
#include "slipstick/cycle.h"
#include "slipstick/plane.h"

/// Member `cycle` of the page's object (web/data.md): one orbit, or branches along "w=0.5:2".
void slip_cycle_report_json(slip_json *json, const slip_cycle *cycle, const slip_cycle_branch *branch,
                            const char *along);

/// What to read first.
void slip_cycle_found_json(slip_json *json, const slip_cycle *cycle, const slip_cycle_branch *branch,
                           const char *along);

/// What is special over two parameters, as the member "plane"; and in words.
void slip_plane_report_json(slip_json *json, const slip_plane *plane);
void slip_plane_found_json(slip_json *json, const slip_plane *plane);

#endif
