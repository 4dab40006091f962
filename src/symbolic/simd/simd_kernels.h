/// symbolic/simd/simd_kernels.h: the interpreter for lanes, one function per instruction set (simd_sse2.c,
/// simd_avx2.c and simd_avx512.c instantiate simd_interpreter.h).
#ifndef SLIP_SYMBOLIC_SIMD_SIMD_KERNELS_H
#define SLIP_SYMBOLIC_SIMD_SIMD_KERNELS_H

#include "symbolic/simd/simd_lanes.h"
#include "symbolic/tape/tape.h"

struct slip_lanes_code {
    slip_instruction *code; ///< the operations of the tape; SLIP_TAPE_BLOCK at the start of a block
    void (**run)(double *rows, double *slots); ///< each block, for all lanes
    double *slots;                             ///< values that are used only within a block
    void *pages;
    size_t page_bytes;
};

/// `code` may be NULL.
void slip_lanes_run_2(const slip_tape *tape, const slip_lanes_code *code, double *rows);
void slip_lanes_run_4(const slip_tape *tape, const slip_lanes_code *code, double *rows);
void slip_lanes_run_8(const slip_tape *tape, const slip_lanes_code *code, double *rows);

#endif
