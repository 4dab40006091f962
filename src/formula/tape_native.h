/// formula/tape_native.h: a tape on its way to machine code. For tape_native.c, tape_acts.c and tape_calls.c.
#ifndef SLIP_FORMULA_TAPE_NATIVE_H
#define SLIP_FORMULA_TAPE_NATIVE_H

#include "formula/holding.h"
#include "formula/tape_encode.h"

enum {
    SLIP_XMM_FIRST = 4, ///< xmm0 to xmm3 are for work, the others hold values
    SLIP_XMM_END = 16,
    SLIP_ACT_BYTES = 320, ///< of one act, generously: eight loads and eight stores around the operation
};

enum { POOL_SIGN, POOL_SIZE, POOL_ONE, POOL_COUNT, POOL_BYTES = 64 };

/// What a saturation does when it is not in the middle: behind the rest of the code.
typedef struct slip_aside {
    int to, limit, value;   ///< xmm registers
    size_t high, low, back; ///< behind the jumps to it; where it goes back to
} slip_aside;

typedef struct slip_assembler {
    slip_holding holding; ///< the first, so that it leads to the rest
    slip_scalar_encoder out;
    slip_stretches stretches;
    const slip_tape *tape;
    uint32_t *memo;      ///< per operation: register that remembers its last argument and value; 0 none
    uint32_t memo_count; ///< of such registers; slots come behind them
    slip_aside *asides;
    size_t aside_count, aside_capacity, capacity;
    size_t *start; ///< per operation: where its stretch begins
    size_t *leap;  ///< per jump: behind its distance
    bool failed;
} slip_assembler;

/// The register of the tape that a place is.
uint32_t slip_register_at(const slip_assembler *s, int place);

/// An operation that is neither call nor jump; the register of its result.
int slip_act_compute(slip_assembler *s, const slip_act *act);
void slip_act_asides(slip_assembler *s); ///< at the end of the code

/// tape_calls.c: which calls are remembered (false when out of memory), and a call.
bool slip_calls_find_memos(slip_assembler *s);
bool slip_act_is_call(slip_tape_op op);
void slip_act_call(slip_assembler *s, const slip_act *act);

#endif
