/// formulation/ode/ode_lanes.h: several runs of one model in lanes, step by step.
///
/// Runs that differ in numbers alone have the same program for a step (fused_rk4.h); it is run for SLIP_LANES
/// of them at once. A run stays what it is, a slip_method: it is put into a lane where it stands, and taken
/// out again as if it had made the steps itself, to the bit. A lane only says when somebody has to look at
/// its run, because modes have changed, a law is too fast for the step or a contact too soft.
#ifndef SLIP_FORMULATION_ODE_ODE_LANES_H
#define SLIP_FORMULATION_ODE_ODE_LANES_H

#include <stdint.h>

#include "symbolic/simd/simd_lanes.h"
#include "formulation/method.h"

typedef struct slip_ode_lanes slip_ode_lanes;

/// Whether the method has a program, so that it can be put into lanes; whether two of them may share some.
bool slip_ode_lanes_supports(const slip_method *method);
bool slip_ode_lanes_match(const slip_method *a, const slip_method *b);

/// Lanes for methods that match this one. NULL when out of memory.
slip_ode_lanes *slip_ode_lanes_create(const slip_method *like, slip_simd_width packing);
void slip_ode_lanes_destroy(slip_ode_lanes *lanes);

void slip_ode_lanes_set_packing(slip_ode_lanes *lanes, slip_simd_width packing);

/// Puts a method that was observed into a lane. False when its rates cannot be had: then its own step says
/// why.
bool slip_ode_lanes_put(slip_ode_lanes *lanes, int lane, slip_method *method);

/// One step of all lanes, lane j to t_after[j]. Bit j of the result: its run has to be observed; bit j of
/// *failed: the step met what is not finite, and the lane is to be taken out with slip_ode_lanes_undo.
uint32_t slip_ode_lanes_step(slip_ode_lanes *lanes, const double *t_after, uint32_t *failed);

/// The run of a lane where it stands now, or where it stood before the last step. It was not observed there.
void slip_ode_lanes_store(const slip_ode_lanes *lanes, int lane, slip_method *method);
void slip_ode_lanes_undo(const slip_ode_lanes *lanes, int lane, slip_method *method);

/// A state of all lanes where they stand, and their times.
const double *slip_ode_lanes_state(const slip_ode_lanes *lanes, int state);
const double *slip_ode_lanes_time(const slip_ode_lanes *lanes);

/// The run was observed: what it has warned of is not asked for again.
void slip_ode_lanes_observed(slip_ode_lanes *lanes, int lane, const slip_method *method);

#endif
