/// symbolic/native/native_code.h: a tape on its way to machine code. For tape_native.c, tape_acts.c and tape_calls.c.
#ifndef SLIP_SYMBOLIC_NATIVE_NATIVE_CODE_H
#define SLIP_SYMBOLIC_NATIVE_NATIVE_CODE_H

#include "symbolic/native/register_allocator.h"
#include "symbolic/native/x86_scalar_encode.h"

enum {
    SLIP_XMM_FIRST = 4, ///< xmm0 to xmm3 are for work, the others hold values
    SLIP_XMM_END = 16,
    SLIP_X86_OP_MAX_BYTES =
        320, ///< of one act, generously: eight loads and eight stores around the operation
};

enum { POOL_SIGN, POOL_SIZE, POOL_ONE, POOL_COUNT, POOL_BYTES = 64 };

/// What a saturation does when it is not in the middle: behind the rest of the code.
typedef struct slip_cold_path {
    int to, limit, value;   ///< xmm registers
    size_t high, low, back; ///< behind the jumps to it; where it goes back to
} slip_cold_path;

typedef struct slip_assembler {
    slip_regalloc holding; ///< the first, so that it leads to the rest
    slip_scalar_encoder out;
    slip_basic_blocks stretches;
    const slip_tape *tape;
    uint32_t *memo;      ///< per operation: register that remembers its last argument and value; 0 none
    uint32_t memo_count; ///< of such registers; slots come behind them
    slip_cold_path *asides;
    size_t aside_count, aside_capacity, capacity;
    size_t *start; ///< per operation: where its stretch begins
    size_t *leap;  ///< per jump: behind its distance
    bool failed;
} slip_assembler;

/// The register of the tape that a place is.
uint32_t slip_x86_tape_register(const slip_assembler *s, int place);

/// An operation that is neither call nor jump; the register of its result.
int slip_x86_compute(slip_assembler *s, const slip_block_op *act);
void slip_x86_cold_paths(slip_assembler *s); ///< at the end of the code

/// tape_calls.c: which calls are remembered (false when out of memory), and a call.
bool slip_x86_find_memos(slip_assembler *s);
bool slip_x86_is_call(slip_tape_op op);
void slip_x86_call(slip_assembler *s, const slip_block_op *act);

#endif
