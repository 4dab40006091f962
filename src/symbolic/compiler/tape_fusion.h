/// symbolic/compiler/tape_fusion.h: tape fusion: a program built by inlining copies of a tape with operations between them.
///
/// A fusion starts with the registers of a tape, and adds its own after them. A copy of the tape may use
/// other registers in place of its own. Operations that no result needs are removed at the end, and the
/// program becomes machine code like any tape. It shares the register file with the tape that it is made of:
///
///     slip_tape_fusion *w = slip_fusion_begin(tape);
///     int half = slip_fusion_registers(w, 1);
///     slip_fusion_mul_add(w, to, half, rate, from);    // to := half * rate + from
///     slip_fusion_inline(w, place);                      // register r of the tape is place[r] here
///     slip_tape *program = slip_fusion_end(w, results, count);
#ifndef SLIP_SYMBOLIC_COMPILER_TAPE_FUSION_H
#define SLIP_SYMBOLIC_COMPILER_TAPE_FUSION_H

#include "symbolic/graph/formula.h"

typedef struct slip_tape_fusion slip_tape_fusion;

/// NULL when out of memory. The tape must outlive the fusion, but not the program.
slip_tape_fusion *slip_fusion_begin(const slip_tape *tape);

/// The first of `count` new contiguous registers. Before a run they hold values that their user sets.
int slip_fusion_registers(slip_tape_fusion *weaver, int count);

/// This register holds a time: functions of it alone are memoised from copy to copy and from run to run.
void slip_fusion_time(slip_tape_fusion *weaver, int time);

void slip_fusion_add(slip_tape_fusion *weaver, int to, int a, int b);            ///< a + b
void slip_fusion_mul(slip_tape_fusion *weaver, int to, int a, int b);            ///< a * b
void slip_fusion_mul_add(slip_tape_fusion *weaver, int to, int a, int b, int c); ///< a * b + c
void slip_fusion_add_mul(slip_tape_fusion *weaver, int to, int a, int b, int c); ///< (a + b) * c
void slip_fusion_sub_mul(slip_tape_fusion *weaver, int to, int a, int b, int c); ///< c - a * b
void slip_fusion_div(slip_tape_fusion *weaver, int to, int a, int b);            ///< a / b
void slip_fusion_sqrt(slip_tape_fusion *weaver, int to, int a);
void slip_fusion_move(slip_tape_fusion *weaver, int to, int a);

/// Computes now all operations that depend on the time in this register alone, for all later copies that use
/// it as their time. Does nothing if there is little to gain.
void slip_fusion_hoist_time(slip_tape_fusion *weaver, int time);

/// All operations of the tape; its register r is place[r] here, for r below slip_tape_registers.
void slip_fusion_inline(slip_tape_fusion *weaver, const int *place);

/// The program, which leaves results[0..count) in their registers; the fusion is destroyed. NULL when out of
/// memory.
slip_tape *slip_fusion_end(slip_tape_fusion *weaver, const int *results, int count);

#endif
