/// symbolic/native/basic_block.h: a tape cut into stretches, and a stretch as values, for those that make machine code.
///
/// A stretch is a run of operations that are done one after the other: no jump leads into it, and only its
/// last operation may be one. Within it every result is a value of its own, whatever register of the tape it
/// is written to. So a copy is no operation, the same operation on the same values is done once, and what
/// nobody reads is not done. The bits are those of the tape.
#ifndef SLIP_SYMBOLIC_NATIVE_BASIC_BLOCK_H
#define SLIP_SYMBOLIC_NATIVE_BASIC_BLOCK_H

#include <limits.h>

#include "symbolic/tape/tape.h"

enum { SLIP_NEVER_READ = INT_MAX, SLIP_MAX_READS = 8 };

/// A value that an act reads, and the act that reads it next; SLIP_NEVER_READ when none does.
typedef struct slip_read {
    int32_t value, next;
} slip_read;

/// In the place of an operation: the value that is read goes to register `target` of the tape.
enum { SLIP_BLOCK_OP_STORE = 256, SLIP_BLOCK_OP_NONE };

/// Something to be done, in order.
typedef struct slip_block_op {
    uint16_t op;       ///< of the tape, or SLIP_BLOCK_OP_STORE, SLIP_BLOCK_OP_NONE
    uint8_t reads;     ///< how many
    uint8_t condition; ///< of an `if`: the comparison that its first two reads are to pass; 0: one read is it
    uint8_t side[2];   ///< of an `if`: the operation that makes its value from the reads; 0: it is one read
    int32_t at;        ///< operation of the tape
    int32_t to, second; ///< values that it makes, the second one of a sine and cosine; -1 none
    uint32_t target;    ///< of SLIP_BLOCK_OP_STORE
    slip_read read[SLIP_MAX_READS];
} slip_block_op;

/// A value: given in a register of the tape when the stretch begins, or made by an act.
typedef struct slip_block_value {
    int32_t given; ///< that register, -1 none
    int32_t first; ///< act that reads it first, SLIP_NEVER_READ
} slip_block_value;

/// What machine code can do.
typedef struct slip_basic_block_rules {
    bool (*belongs)(slip_tape_op op); ///< such an operation may be in a stretch
    bool (*ends)(slip_tape_op op);    ///< and this one at its end
    bool waits;                       ///< an `if` may jump to what takes long
    int twice; ///< stretches of up to so many operations are done for two sets of registers at once
} slip_basic_block_rules;

typedef struct slip_basic_blocks slip_basic_blocks;
struct slip_basic_blocks {
    const slip_tape *tape;
    slip_basic_block_rules kind;
    int count;
    int *begin, *end;   ///< operations of each
    bool *target;       ///< per operation: a jump leads there
    size_t most_values; ///< of any

    // the one in hand
    int act_count, value_count;
    slip_block_op *acts;
    slip_block_value *values;

    struct slip_basic_block_work *work;
};

/// False when out of memory; to be destroyed in any case.
bool slip_basic_blocks_find(slip_basic_blocks *s, const slip_tape *tape, slip_basic_block_rules kind);
void slip_basic_blocks_destroy(slip_basic_blocks *s);

/// Acts and values of one. Where it is done for two sets of registers, each act for the second follows that
/// for the first, so that one need not wait for the other; its registers are numbered from tape->registers
/// on.
bool slip_basic_block_is_doubled(const slip_basic_blocks *s, int which);
void slip_basic_block_read(slip_basic_blocks *s, int which);

/// How many operands an operation that is no jump has.
int slip_tape_operands(slip_tape_op op);

static inline bool slip_tape_is_fused(slip_tape_op op)
{
    return op >= SLIP_TAPE_ADD_ADD && op <= SLIP_TAPE_DIV_BY_MUL;
}
static inline bool slip_tape_is_comparison(slip_tape_op op)
{
    return op >= SLIP_TAPE_LT && op <= SLIP_TAPE_NE;
}

/// Whether the register is a constant of the tape that is a number: machine code may count on that
/// (slip_tape_cache_take_tape, slip_lanes_same_program).
bool slip_tape_is_number(const slip_tape *tape, int tape_register);

#endif
