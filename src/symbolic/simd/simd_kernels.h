/// symbolic/simd/simd_kernels.h: the interpreter of lanes, one function per instruction set (lanes_2.c, lanes_4.c,
/// lanes_8.c make them from lanes_body.h).
#ifndef SLIP_SYMBOLIC_SIMD_SIMD_KERNELS_H
#define SLIP_SYMBOLIC_SIMD_SIMD_KERNELS_H

#include "symbolic/simd/simd_lanes.h"
#include "symbolic/tape/tape.h"

struct slip_lanes_code {
    slip_instruction *code; ///< the operations of the tape; where a stretch begins, SLIP_TAPE_BLOCK
    void (**run)(double *rows, double *slots); ///< each stretch, for all lanes
    double *slots;                             ///< for what a stretch keeps to itself
    void *pages;
    size_t page_bytes;
};

/// `code` may be NULL.
void slip_lanes_run_2(const slip_tape *tape, const slip_lanes_code *code, double *rows);
void slip_lanes_run_4(const slip_tape *tape, const slip_lanes_code *code, double *rows);
void slip_lanes_run_8(const slip_tape *tape, const slip_lanes_code *code, double *rows);

#endif
