/// formulation/ode/record_lanes.h: recorded quantities of several runs in lanes (ode_lanes.h).
#ifndef SLIP_FORMULATION_ODE_RECORD_LANES_H
#define SLIP_FORMULATION_ODE_RECORD_LANES_H

#include "formulation/ode/ode_lanes.h"

typedef struct slip_record_lanes slip_record_lanes;

/// For methods that fit this one. NULL when out of memory.
slip_record_lanes *slip_record_lanes_create(const slip_method *like);
void slip_record_lanes_destroy(slip_record_lanes *records); ///< NULL is fine
bool slip_record_lanes_match(const slip_method *a, const slip_method *b);

/// The numbers of a method that is in this lane.
void slip_record_lanes_put(slip_record_lanes *records, int lane, const slip_method *method);

/// Evaluates all records where the lanes stand. Bit j: one of lane j is not a number.
uint32_t slip_record_lanes_evaluate(slip_record_lanes *records, const slip_ode_lanes *lanes);

/// A record of all lanes, as of the last look.
const double *slip_record_lanes_row(const slip_record_lanes *records, int record);

#endif
