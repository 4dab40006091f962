/// simulation/recording/force_network.h: contact forces between bodies along a run, as lines weighted by
/// force.
#ifndef SLIP_SIMULATION_RECORDING_FORCE_NETWORK_H
#define SLIP_SIMULATION_RECORDING_FORCE_NETWORK_H

#include "base/arena.h"
#include "simulation/sim/sim.h"

/// Largest number of lines of all instants together, and of instants.
enum {
    SLIP_FORCE_NETWORK_MAX_LINES = 120000,
    SLIP_FORCE_NETWORK_MAX_INSTANTS = 500,
    SLIP_FORCE_NETWORK_LINE_NUMBERS = 7
};

/// Instants at equal distances: every stride-th step. When the memory is full, every second instant is
/// dropped.
typedef struct slip_force_network {
    int count;                   ///< number of instants
    int *first;                  ///< index of the first line of each instant; count + 1
    double *time;                ///< s
    float *value;                ///< per line: start x y z, end x y z, force in N
    long stride;                 ///< steps between two instants
    slip_detected_contact *list; ///< workspace
    int room;                    ///< its size
} slip_force_network;

/// Takes no memory for a simulation without detected contacts.
void slip_force_network_layout(slip_arena *arena, const slip_sim *sim, slip_force_network *network);

/// Adds the present state if an instant is due.
void slip_force_network_add(slip_force_network *network, slip_sim *sim);

#endif
