/// formula/weave_work.h: inside a weaver. For the files of src/formula only.
#ifndef SLIP_FORMULA_WEAVE_WORK_H
#define SLIP_FORMULA_WEAVE_WORK_H

#include "formula/tape.h"
#include "formula/weave.h"

/// What follows from one time alone.
typedef struct slip_forestalled {
    int time;   ///< its register
    int *value; ///< per operation of the tape: the register that has its result; -1 for jumps
} slip_forestalled;

struct slip_weaver {
    const slip_tape *from;
    slip_tape *made;
    size_t capacity, origin_capacity; ///< of code and origin
    bool failed;
    bool *early; ///< per operation of the tape: it follows from the time alone; NULL: not asked for
    int nowhere; ///< a register that nobody reads
    int forestalled_count;
    slip_forestalled forestalled[SLIP_MAX_TIMES];
};

void slip_weave_put(slip_weaver *w, slip_instruction i, int origin);

/// NULL when nothing was done in advance for the time in this register.
const slip_forestalled *slip_weave_forestalled(const slip_weaver *w, int time);

/// Behind the last operation of the `if` whose condition is at k; -1 when it has no second side.
static inline int slip_weave_end_of_if(const slip_tape *t, int k)
{
    int over = (int)t->code[k].c - 1;
    return over > k && t->code[over].op == SLIP_TAPE_JUMP ? (int)t->code[over].c : -1;
}

#endif
