/// symbolic/compiler/tape_fusion_internal.h: internals of tape fusion, for the files of src/symbolic only.
#ifndef SLIP_SYMBOLIC_COMPILER_TAPE_FUSION_INTERNAL_H
#define SLIP_SYMBOLIC_COMPILER_TAPE_FUSION_INTERNAL_H

#include "symbolic/tape/tape.h"
#include "symbolic/compiler/tape_fusion.h"

/// Operations that depend on one time alone.
typedef struct slip_hoisted {
    int time;   ///< its register
    int *value; ///< per operation of the tape: the register of its result; -1 for jumps
} slip_hoisted;

struct slip_tape_fusion {
    const slip_tape *from;
    slip_tape *made;
    size_t capacity, origin_capacity; ///< of code and origin
    bool failed;
    bool *early; ///< per operation of the tape: it depends on the time alone; NULL: not determined yet
    int nowhere; ///< a register that is never read
    int forestalled_count;
    slip_hoisted forestalled[SLIP_MAX_TIMES];
};

void slip_fusion_put(slip_tape_fusion *w, slip_instruction i, int origin);

/// NULL if nothing was hoisted for the time in this register.
const slip_hoisted *slip_fusion_hoisted(const slip_tape_fusion *w, int time);

/// The index after the last operation of the `if` whose condition is at k; -1 if it has no second branch.
static inline int slip_fusion_end_of_if(const slip_tape *t, int k)
{
    int over = (int)t->code[k].c - 1;
    return over > k && t->code[over].op == SLIP_TAPE_JUMP ? (int)t->code[over].c : -1;
}

#endif
