/// simulation/recording/force_network.h: forces between bodies along a run, as lines of their strength.
#ifndef SLIP_SIMULATION_RECORDING_FORCE_NETWORK_H
#define SLIP_SIMULATION_RECORDING_FORCE_NETWORK_H

#include "base/arena.h"
#include "simulation/sim/sim.h"

/// Lines that are kept of all instants together; at the most so many instants.
enum {
    SLIP_FORCE_NETWORK_MAX_LINES = 120000,
    SLIP_FORCE_NETWORK_MAX_INSTANTS = 500,
    SLIP_FORCE_NETWORK_LINE_NUMBERS = 7
};

/// Instants at equal distances: every stride-th step; when there is no room, every other one goes.
typedef struct slip_force_network {
    int count;                   ///< instants
    int *first;                  ///< of their lines; count + 1
    double *time;                ///< s
    float *value;                ///< per line: from x y z, to x y z, N
    long stride;                 ///< steps from one to the next
    slip_detected_contact *list; ///< scratch
    int room;
} slip_force_network;

/// Of a simulation without contacts that are found it takes nothing.
void slip_force_network_layout(slip_arena *arena, const slip_sim *sim, slip_force_network *network);

/// The present state, when it is due.
void slip_force_network_add(slip_force_network *network, slip_sim *sim);

#endif
