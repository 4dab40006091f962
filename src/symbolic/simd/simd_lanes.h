/// symbolic/simd/simd_lanes.h: a tape run for SLIP_LANES sets of registers at once.
///
/// Registers of all lanes stand side by side: that of lane j in rows[r * SLIP_LANES + j]. Every lane gets the
/// bits that slip_tape_run gives it alone, with any instruction set: packed arithmetic rounds as single
/// arithmetic does, and the elementary functions are the same kernels. Branches that lanes do not agree on
/// are run for those that take them, the others being masked out.
#ifndef SLIP_SYMBOLIC_SIMD_SIMD_LANES_H
#define SLIP_SYMBOLIC_SIMD_SIMD_LANES_H

#include "symbolic/graph/formula.h"

enum { SLIP_LANES = 32 };

/// How many numbers one instruction takes: 2 (SSE2, or what the compiler makes of it elsewhere), 4 (AVX2), 8
/// (AVX-512).
typedef enum slip_simd_width {
    SLIP_SIMD_WIDTH_2,
    SLIP_SIMD_WIDTH_4,
    SLIP_SIMD_WIDTH_8,
    SLIP_SIMD_WIDTH_COUNT
} slip_simd_width;

/// Whether this processor, and this build, have it. The widest that they have.
bool slip_simd_width_available(slip_simd_width packing);
slip_simd_width slip_simd_width_best(void);

/// Registers of a tape for all lanes, aligned; NULL when out of memory. To be released with free().
double *slip_lanes_rows(const slip_tape *tape);

/// Machine code for a tape with one packing: runs of plain operations without calls and jumps. NULL where
/// there is none: with two numbers at a time, and where memory cannot be made executable; all of the tape is
/// interpreted then, with the same bits.
typedef struct slip_lanes_code slip_lanes_code;
slip_lanes_code *slip_lanes_code_create(const slip_tape *tape, slip_simd_width packing);
void slip_lanes_code_destroy(slip_lanes_code *code);

/// As slip_tape_start and slip_tape_run. Inputs may differ from lane to lane, constants too. `code` is of
/// this tape and packing, or NULL.
void slip_lanes_start(const slip_tape *tape, double *rows);
void slip_lanes_run(const slip_tape *tape, slip_simd_width packing, const slip_lanes_code *code,
                    double *rows);

/// Whether two tapes have the same operations on the same registers, whatever their constants.
bool slip_lanes_same_program(const slip_tape *a, const slip_tape *b);

/// The same, and the same number of registers: one may run in a lane of the other.
bool slip_lanes_same_registers(const slip_tape *a, const slip_tape *b);

/// A tape with its registers of all lanes and machine code for it.
typedef struct slip_tape_lanes {
    const slip_tape *tape;
    slip_simd_width packing;
    slip_lanes_code *code; ///< may be NULL
    double *rows;
} slip_tape_lanes;

/// False when out of memory. The tape must outlive it.
bool slip_tape_lanes_create(slip_tape_lanes *lanes, const slip_tape *tape, slip_simd_width packing);
void slip_tape_lanes_destroy(slip_tape_lanes *lanes);
void slip_tape_lanes_set_packing(slip_tape_lanes *lanes, slip_simd_width packing);

/// The registers of a run into a lane.
void slip_tape_lanes_load(slip_tape_lanes *lanes, int lane, const double *registers);

static inline double *slip_tape_lanes_row(const slip_tape_lanes *lanes, int reg)
{
    return lanes->rows + (long)reg * SLIP_LANES;
}

static inline void slip_tape_lanes_run(const slip_tape_lanes *lanes)
{
    slip_lanes_run(lanes->tape, lanes->packing, lanes->code, lanes->rows);
}

#endif
