/// dynamics/system_tapes.h: the tapes of a system and where their results go. For the files of src/dynamics only.
#ifndef SLIP_DYNAMICS_SYSTEM_TAPES_H
#define SLIP_DYNAMICS_SYSTEM_TAPES_H

#include "dynamics/system.h"

/// What the energy tape begins with.
enum {
    SLIP_ENERGY_KINETIC,
    SLIP_ENERGY_POTENTIAL,
    SLIP_ENERGY_POWER,
    SLIP_ENERGY_RHEONOMIC,
    SLIP_ENERGY_COUNT
};

/// Where a result of a tape goes in slip_terms.flat or .factor.
typedef struct slip_result_target {
    int reg, to;
} slip_result_target;

typedef struct slip_level_tape {
    slip_tape *tape;
    int flat_count, mass_count;
    slip_result_target *flat, *mass; // varying results only
} slip_level_tape;

struct slip_system_tapes {
    slip_pool *pool;
    slip_level_tape level[SLIP_LEVEL_COUNT];
    slip_tape *energy;             // SLIP_ENERGY_COUNT, then the records
    slip_tape *velocity;           // q' where it is not u; NULL when it is throughout
    int turning_count, *turning;   // those coordinates
    int *turning_reg;              // where the tape leaves their rates
    int straight_count, *straight; // those that move along their rate
    double *flat, *factor;         // constants in place, zeros elsewhere
    slip_ref *flat_ref, *mass_ref; // the expressions of both
    slip_ref power;                // of the forces, locked where the tapes are
    bool *block_constant;
    int *alone;            // per coordinate that nothing couples to others: where its factor is; else -1
    bool *by_alone;        // per row: all of its coordinates are
    const slip_row **rows; // in the order of the system
    int *owner;            // element of each row; -1: bilateral constraint
};

/// Offsets of the parts of slip_terms.flat; one place that knows the order.
typedef struct slip_term_offsets {
    int gap, constraint, h, value, drift, friction, static_friction, z, size;
} slip_term_offsets;

slip_term_offsets slip_term_offsets_of(const slip_system *system);

#endif
