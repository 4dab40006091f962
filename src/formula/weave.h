/// formula/weave.h: a program made of copies of a tape and of operations between them.
///
/// A weaver begins with the registers of a tape, and adds its own behind them. A copy of the tape may have
/// other registers in the place of its own. What no result needs is left out at the end, and the program
/// becomes machine code like any tape. It shares the register file with the tape it is made of:
///
///     slip_weaver *w = slip_weave_begin(tape);
///     int half = slip_weave_registers(w, 1);
///     slip_weave_mul_add(w, to, half, rate, from);    // to := half * rate + from
///     slip_weave_copy(w, place);                      // register r of the tape is place[r] here
///     slip_tape *program = slip_weave_end(w, results, count);
#ifndef SLIP_FORMULA_WEAVE_H
#define SLIP_FORMULA_WEAVE_H

#include "formula/formula.h"

typedef struct slip_weaver slip_weaver;

/// NULL when out of memory. The tape must outlive the weaver, not the program.
slip_weaver *slip_weave_begin(const slip_tape *tape);

/// `count` new registers in a row, the first of them. Before a run they hold what their user puts there.
int slip_weave_registers(slip_weaver *weaver, int count);

/// This register holds a time: functions of it alone are remembered from copy to copy and from run to run.
void slip_weave_time(slip_weaver *weaver, int time);

void slip_weave_add(slip_weaver *weaver, int to, int a, int b);            ///< a + b
void slip_weave_mul(slip_weaver *weaver, int to, int a, int b);            ///< a * b
void slip_weave_mul_add(slip_weaver *weaver, int to, int a, int b, int c); ///< a * b + c
void slip_weave_add_mul(slip_weaver *weaver, int to, int a, int b, int c); ///< (a + b) * c
void slip_weave_sub_mul(slip_weaver *weaver, int to, int a, int b, int c); ///< c - a * b
void slip_weave_div(slip_weaver *weaver, int to, int a, int b);            ///< a / b
void slip_weave_sqrt(slip_weaver *weaver, int to, int a);
void slip_weave_move(slip_weaver *weaver, int to, int a);

/// Does now what follows from the time in this register alone, for all copies to come that have it in the
/// place of the time. Nothing where there is little to gain.
void slip_weave_forestall(slip_weaver *weaver, int time);

/// All operations of the tape; its register r is place[r] here, for r below slip_tape_registers.
void slip_weave_copy(slip_weaver *weaver, const int *place);

/// The program, which leaves results[0..count) in their registers; the weaver is destroyed. NULL when out of
/// memory.
slip_tape *slip_weave_end(slip_weaver *weaver, const int *results, int count);

#endif
