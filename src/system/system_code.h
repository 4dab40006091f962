/// system/system_code.h: the tapes of a system and where their results go. For the files of src/system only.
#ifndef SLIP_SYSTEM_CODE_H
#define SLIP_SYSTEM_CODE_H

#include "system/system.h"

/// What the energy tape begins with.
enum { SLIP_KINETIC, SLIP_POTENTIAL, SLIP_POWER, SLIP_DRIVEN, SLIP_ENERGIES };

/// Where a result of a tape goes in slip_terms.flat or .factor.
typedef struct slip_route {
    int reg, to;
} slip_route;

typedef struct slip_level_code {
    slip_tape *tape;
    int flat_count, mass_count;
    slip_route *flat, *mass; // varying results only
} slip_level_code;

struct slip_system_code {
    slip_pool *pool;
    slip_level_code level[SLIP_LEVEL_COUNT];
    slip_tape *energy;             // SLIP_ENERGIES, then the records
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
typedef struct slip_offsets {
    int gap, constraint, h, value, drift, friction, z, size;
} slip_offsets;

slip_offsets slip_offsets_of(const slip_system *system);

#endif
