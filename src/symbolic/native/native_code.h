/// symbolic/native/native_code.h: a tape being translated to machine code. Internal to native_code.c, x86_instructions.c and x86_calls.c.
#ifndef SLIP_SYMBOLIC_NATIVE_NATIVE_CODE_H
#define SLIP_SYMBOLIC_NATIVE_NATIVE_CODE_H

#include "symbolic/native/register_allocator.h"
#include "symbolic/native/x86_scalar_encode.h"

enum {
    SLIP_XMM_FIRST = 4, ///< xmm0 to xmm3 are scratch, the others hold values
    SLIP_XMM_END = 16,
    SLIP_X86_OP_MAX_BYTES =
        320, ///< of one act, generously: eight loads and eight stores around the operation
};

enum { POOL_SIGN, POOL_SIZE, POOL_ONE, POOL_COUNT, POOL_BYTES = 64 };

/// The code of a saturation that is active, placed after the rest of the code.
typedef struct slip_cold_path {
    int to, limit, value;   ///< xmm registers
    size_t high, low, back; ///< places after the jumps to it; place that it returns to
} slip_cold_path;

typedef struct slip_assembler {
    slip_regalloc holding; ///< first member, so that its address is that of the whole
    slip_scalar_encoder out;
    slip_basic_blocks stretches;
    const slip_tape *tape;
    uint32_t *memo;      ///< per operation: register that memoises its last argument and value; 0 none
    uint32_t memo_count; ///< number of these registers; spill slots come after them
    slip_cold_path *asides;
    size_t aside_count, aside_capacity, capacity;
    size_t *start; ///< per operation: start of its block
    size_t *leap;  ///< per jump: the place after its distance
    bool failed;
} slip_assembler;

/// The tape register of a location.
uint32_t slip_x86_tape_register(const slip_assembler *s, int place);

/// Emits an operation that is neither call nor jump; returns the register of its result.
int slip_x86_compute(slip_assembler *s, const slip_block_op *act);
void slip_x86_cold_paths(slip_assembler *s); ///< at the end of the code

/// x86_calls.c: finds the calls that are memoised (false when out of memory), and emits a call.
bool slip_x86_find_memos(slip_assembler *s);
bool slip_x86_is_call(slip_tape_op op);
void slip_x86_call(slip_assembler *s, const slip_block_op *act);

#endif
