/// simulation/sim/ensemble.h: the internal interface of an ensemble: simulations that are advanced in lanes.
#ifndef SLIP_SIMULATION_SIM_ENSEMBLE_H
#define SLIP_SIMULATION_SIM_ENSEMBLE_H

#include <signal.h>

#include "symbolic/simd/simd_lanes.h"
#include "formulation/ode/ode_lanes.h"
#include "slipstick/ensemble.h"

enum { SLIP_MIN_LANES_PER_GROUP = 4 }; ///< members that make a group; fewer are faster one by one

/// True if simulations like this one may share lanes. Events, controllers and delays of a model need steps of
/// individual length.
bool slip_ensemble_can_pack(const slip_sim *sim);

/// An ensemble of simulations that the caller goes on owning, and must not use before the ensemble is
/// destroyed.
slip_status slip_ensemble_gather(slip_sim *const *sims, int count, slip_ensemble **ensemble);

/// Observes the states of members that are advanced in lanes, each state once and in order. The groups of
/// members come one after another.
typedef struct slip_lane_observer slip_lane_observer;
struct slip_lane_observer {
    /// The member enters this lane at the present state of its simulation, at the start or after a change of
    /// its modes. False: the state was not observed, and the member leaves the lane to continue by itself.
    bool (*enter)(slip_lane_observer *watch, int lane, int member);

    /// The lanes with a bit in `in` have made a step without an event; steps[lane] is their number so far.
    /// Returns the bits of lanes whose state was not observed, and whose members continue by themselves.
    uint32_t (*look)(slip_lane_observer *watch, uint32_t in, const slip_ode_lanes *lanes,
                     const double *steps);

    /// The member leaves its lane, at a state that has not been observed yet.
    void (*leave)(slip_lane_observer *watch, int lane, int member);
};

/// Advances members as far as lanes can, up to their last step. Members without a lane stay where they are.
/// The last state of the others is left to the caller: `watch` (may be NULL) has not observed it. False when
/// it was stopped.
bool slip_ensemble_advance_lanes(slip_ensemble *ensemble, slip_lane_observer *watch,
                                 const volatile sig_atomic_t *stop);

/// Continues with another instruction set; false when the processor does not have it.
bool slip_ensemble_set_packing(slip_ensemble *ensemble, slip_simd_width packing);

#endif
