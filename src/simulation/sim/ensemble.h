/// simulation/sim/ensemble.h: an ensemble from inside.
#ifndef SLIP_SIMULATION_SIM_ENSEMBLE_H
#define SLIP_SIMULATION_SIM_ENSEMBLE_H

#include <signal.h>

#include "symbolic/simd/simd_lanes.h"
#include "formulation/ode/ode_lanes.h"
#include "slipstick/ensemble.h"

enum { SLIP_MIN_LANES_PER_GROUP = 4 }; ///< members that make a group; fewer are faster one by one

/// Whether simulations like this one may share lanes. Events, controllers and delays of the model want steps
/// of their own.
bool slip_ensemble_can_pack(const slip_sim *sim);

/// An ensemble of simulations that stay their owners', who must not touch them before it is destroyed.
slip_status slip_ensemble_gather(slip_sim *const *sims, int count, slip_ensemble **ensemble);

/// Someone who looks at the states that lanes lead members through: at each of them once, in order. Lanes of
/// one group of members come after those of another.
typedef struct slip_lane_observer slip_lane_observer;
struct slip_lane_observer {
    /// The member is in this lane, at the present state of its simulation, which was observed: it begins
    /// there, or its modes have changed. False: it is to go on alone from there, and was not looked at.
    bool (*enter)(slip_lane_observer *watch, int lane, int member);

    /// The lanes of `in` have made a step, which there was nothing to observe of; steps[lane] so far. Bits of
    /// lanes that are to go on alone from there, and were not looked at.
    uint32_t (*look)(slip_lane_observer *watch, uint32_t in, const slip_ode_lanes *lanes,
                     const double *steps);

    /// The member leaves its lane, from a state that is not looked at yet.
    void (*leave)(slip_lane_observer *watch, int lane, int member);
};

/// Leads members as far as lanes go, up to their last step. Members that have no lane stay where they are,
/// and the last state of the others is for whoever goes on from there: `watch` (may be NULL) has not seen it.
/// False when it was stopped.
bool slip_ensemble_advance_lanes(slip_ensemble *ensemble, slip_lane_observer *watch,
                                 const volatile sig_atomic_t *stop);

/// Runs on with another instruction set; false when the processor does not have it.
bool slip_ensemble_set_packing(slip_ensemble *ensemble, slip_simd_width packing);

#endif
