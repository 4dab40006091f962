/// tape_run.c: evaluating a tape.
#include <string.h>

#include "formula/apply.h"
#include "formula/tape.h"

void slip_tape_start(const slip_tape *t, double *registers)
{
    if (t->constant_count > 0)
        memcpy(registers + t->first_constant, t->constants, (size_t)t->constant_count * sizeof *registers);
    int first = t->first_constant + t->constant_count;
    memset(registers + first, 0, (size_t)(t->registers - first) * sizeof *registers);
}

#define A r[i->a]
#define B r[i->b]
#define C r[i->c]

void slip_tape_run(const slip_tape *t, double *r)
{
    const slip_instruction *i = t->code;
    for (;;) {
        switch ((slip_tape_op)i->op) {
#define RUN(name, value)                                                                                     \
    case SLIP_TAPE_##name:                                                                                   \
        r[i->to] = value;                                                                                    \
        break;
            SLIP_TAPE_VALUES(RUN)
        case SLIP_TAPE_SINCOS: {
            double angle = A;
            r[i->to] = sin(angle);
            C = cos(angle);
            break;
        }
        case SLIP_TAPE_JUMP:
            i = t->code + i->c;
            continue;
        case SLIP_TAPE_UNLESS:
            if (A != 0.0) break;
            i = t->code + i->c;
            continue;
        case SLIP_TAPE_UNLESS_LT:
            if (A < B) break;
            i = t->code + i->c;
            continue;
        case SLIP_TAPE_UNLESS_LE:
            if (A <= B) break;
            i = t->code + i->c;
            continue;
        case SLIP_TAPE_END:
        case SLIP_TAPE_OP_COUNT:
            return;
        }
        i++;
    }
}
