/// formula/lanes_kernel.h: the interpreter of lanes, one function per instruction set (lanes_2.c, lanes_4.c,
/// lanes_8.c make them from lanes_body.h).
#ifndef SLIP_FORMULA_LANES_KERNEL_H
#define SLIP_FORMULA_LANES_KERNEL_H

#include "formula/lanes.h"
#include "formula/tape.h"

struct slip_lanes_code {
    slip_instruction *code; ///< the operations of the tape; where a stretch begins, SLIP_TAPE_STRETCH
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
