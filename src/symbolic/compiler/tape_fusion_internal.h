/// symbolic/compiler/tape_fusion_internal.h: inside a fusion of tapes. For the files of src/symbolic only.
#ifndef SLIP_SYMBOLIC_COMPILER_TAPE_FUSION_INTERNAL_H
#define SLIP_SYMBOLIC_COMPILER_TAPE_FUSION_INTERNAL_H

#include "symbolic/tape/tape.h"
#include "symbolic/compiler/tape_fusion.h"

/// What follows from one time alone.
typedef struct slip_hoisted {
    int time;   ///< its register
    int *value; ///< per operation of the tape: the register that has its result; -1 for jumps
} slip_hoisted;

struct slip_tape_fusion {
    const slip_tape *from;
    slip_tape *made;
    size_t capacity, origin_capacity; ///< of code and origin
    bool failed;
    bool *early; ///< per operation of the tape: it follows from the time alone; NULL: not asked for
    int nowhere; ///< a register that nobody reads
    int forestalled_count;
    slip_hoisted forestalled[SLIP_MAX_TIMES];
};

void slip_fusion_put(slip_tape_fusion *w, slip_instruction i, int origin);

/// NULL when nothing was done in advance for the time in this register.
const slip_hoisted *slip_fusion_hoisted(const slip_tape_fusion *w, int time);

/// Behind the last operation of the `if` whose condition is at k; -1 when it has no second side.
static inline int slip_fusion_end_of_if(const slip_tape *t, int k)
{
    int over = (int)t->code[k].c - 1;
    return over > k && t->code[over].op == SLIP_TAPE_JUMP ? (int)t->code[over].c : -1;
}

#endif
