/// formula/stretch.h: a tape cut into stretches, and a stretch as values, for those that make machine code.
///
/// A stretch is a run of operations that are done one after the other: no jump leads into it, and only its
/// last operation may be one. Within it every result is a value of its own, whatever register of the tape it
/// is written to. So a copy is no operation, the same operation on the same values is done once, and what
/// nobody reads is not done. The bits are those of the tape.
#ifndef SLIP_FORMULA_STRETCH_H
#define SLIP_FORMULA_STRETCH_H

#include <limits.h>

#include "formula/tape.h"

enum { SLIP_NEVER = INT_MAX, SLIP_MAX_READS = 8 };

/// A value that an act reads, and the act that reads it next; SLIP_NEVER when none does.
typedef struct slip_read {
    int32_t value, next;
} slip_read;

/// In the place of an operation: the value that is read goes to register `target` of the tape.
enum { SLIP_ACT_STORE = 256, SLIP_ACT_NONE };

/// Something to be done, in order.
typedef struct slip_act {
    uint16_t op;       ///< of the tape, or SLIP_ACT_STORE, SLIP_ACT_NONE
    uint8_t reads;     ///< how many
    uint8_t condition; ///< of an `if`: the comparison that its first two reads are to pass; 0: one read is it
    uint8_t side[2];   ///< of an `if`: the operation that makes its value from the reads; 0: it is one read
    int32_t at;        ///< operation of the tape
    int32_t to, second; ///< values that it makes, the second one of a sine and cosine; -1 none
    uint32_t target;    ///< of SLIP_ACT_STORE
    slip_read read[SLIP_MAX_READS];
} slip_act;

/// A value: given in a register of the tape when the stretch begins, or made by an act.
typedef struct slip_made {
    int32_t given; ///< that register, -1 none
    int32_t first; ///< act that reads it first, SLIP_NEVER
} slip_made;

/// What machine code can do.
typedef struct slip_stretch_kind {
    bool (*belongs)(slip_tape_op op); ///< such an operation may be in a stretch
    bool (*ends)(slip_tape_op op);    ///< and this one at its end
    bool waits;                       ///< an `if` may jump to what takes long
    int twice; ///< stretches of up to so many operations are done for two sets of registers at once
} slip_stretch_kind;

typedef struct slip_stretches slip_stretches;
struct slip_stretches {
    const slip_tape *tape;
    slip_stretch_kind kind;
    int count;
    int *begin, *end;   ///< operations of each
    bool *target;       ///< per operation: a jump leads there
    size_t most_values; ///< of any

    // the one in hand
    int act_count, value_count;
    slip_act *acts;
    slip_made *values;

    struct slip_stretch_work *work;
};

/// False when out of memory; to be destroyed in any case.
bool slip_stretches_find(slip_stretches *s, const slip_tape *tape, slip_stretch_kind kind);
void slip_stretches_destroy(slip_stretches *s);

/// Acts and values of one. Where it is done for two sets of registers, each act for the second follows that
/// for the first, so that one need not wait for the other; its registers are numbered from tape->registers
/// on.
bool slip_stretch_is_twice(const slip_stretches *s, int which);
void slip_stretch_read(slip_stretches *s, int which);

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
/// (slip_shelf_take_tape, slip_lanes_alike).
bool slip_tape_is_number(const slip_tape *tape, int tape_register);

#endif
