/// symbolic/native/basic_block.h: basic blocks of a tape in SSA form, with local value numbering and dead-code elimination, for machine-code generation.
///
/// A block is a sequence of operations without a jump into it; only its last operation may be a jump. Within
/// it every result is a value of its own, whatever register of the tape it is written to. A copy is therefore
/// not an operation, equal operations on equal values are done once, and unused results are not computed. The
/// bits are those of the tape.
#ifndef SLIP_SYMBOLIC_NATIVE_BASIC_BLOCK_H
#define SLIP_SYMBOLIC_NATIVE_BASIC_BLOCK_H

#include <limits.h>

#include "symbolic/tape/tape.h"

enum { SLIP_NEVER_READ = INT_MAX, SLIP_MAX_READS = 8 };

/// A value that an operation reads, and the operation that reads it next; SLIP_NEVER_READ if none does.
typedef struct slip_read {
    int32_t value, next;
} slip_read;

/// In place of an operation: the value read is stored to register `target` of the tape.
enum { SLIP_BLOCK_OP_STORE = 256, SLIP_BLOCK_OP_NONE };

/// An operation of a block, in order of execution.
typedef struct slip_block_op {
    uint16_t op;        ///< of the tape, or SLIP_BLOCK_OP_STORE, SLIP_BLOCK_OP_NONE
    uint8_t reads;      ///< number of operands
    uint8_t condition;  ///< of an `if`: the comparison of its first two operands; 0: one operand is the
                        ///< condition
    uint8_t side[2];    ///< of an `if`: the operation that computes each branch from the operands; 0: it is
                        ///< one operand
    int32_t at;         ///< operation of the tape
    int32_t to, second; ///< results, the second one for the cosine of a sine and cosine; -1 none
    uint32_t target;    ///< of SLIP_BLOCK_OP_STORE
    slip_read read[SLIP_MAX_READS];
} slip_block_op;

/// A value: in a register of the tape when the block begins, or the result of an operation.
typedef struct slip_block_value {
    int32_t given; ///< that register, -1 none
    int32_t first; ///< operation that reads it first, SLIP_NEVER_READ
} slip_block_value;

/// Capabilities of the code generator.
typedef struct slip_basic_block_rules {
    bool (*belongs)(slip_tape_op op); ///< the operation may be in a block
    bool (*ends)(slip_tape_op op);    ///< the operation may end a block
    bool waits;                       ///< an `if` may jump over an expensive branch
    int twice; ///< blocks of up to so many operations are executed for two sets of registers at once
} slip_basic_block_rules;

typedef struct slip_basic_blocks slip_basic_blocks;
struct slip_basic_blocks {
    const slip_tape *tape;
    slip_basic_block_rules kind;
    int count;
    int *begin, *end;   ///< operations of each
    bool *target;       ///< per operation: a jump leads there
    size_t most_values; ///< of any

    // the present block
    int act_count, value_count;
    slip_block_op *acts;
    slip_block_value *values;

    struct slip_basic_block_work *work;
};

/// False when out of memory; to be destroyed in any case.
bool slip_basic_blocks_find(slip_basic_blocks *s, const slip_tape *tape, slip_basic_block_rules kind);
void slip_basic_blocks_destroy(slip_basic_blocks *s);

/// Operations and values of a block. If it is executed for two sets of registers, each operation for the
/// second set follows that for the first, so that neither waits for the other; its registers are numbered
/// from tape->registers on.
bool slip_basic_block_is_doubled(const slip_basic_blocks *s, int which);
void slip_basic_block_read(slip_basic_blocks *s, int which);

/// The number of operands of an operation that is not a jump.
int slip_tape_operands(slip_tape_op op);

static inline bool slip_tape_is_fused(slip_tape_op op)
{
    return op >= SLIP_TAPE_ADD_ADD && op <= SLIP_TAPE_DIV_BY_MUL;
}
static inline bool slip_tape_is_comparison(slip_tape_op op)
{
    return op >= SLIP_TAPE_LT && op <= SLIP_TAPE_NE;
}

/// Whether the register is a constant of the tape other than NaN: machine code may rely on it
/// (slip_tape_cache_take_tape, slip_lanes_same_program).
bool slip_tape_is_number(const slip_tape *tape, int tape_register);

#endif
