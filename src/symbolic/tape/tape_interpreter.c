/// symbolic/tape/tape_interpreter.c: evaluating a tape.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "symbolic/graph/operations.h"
#include "symbolic/tape/tape.h"

void slip_tape_start(const slip_tape *t, double *registers)
{
    if (t->constant_count > 0)
        memcpy(registers + t->first_constant, t->constants, (size_t)t->constant_count * sizeof *registers);
    int first = t->first_constant + t->constant_count;
    memset(registers + first, 0, (size_t)(t->registers - first) * sizeof *registers);
    for (int k = t->first_memo; k < t->registers; k++) registers[k] = NAN; // each function of NaN is NaN
}

#define A r[i->a]
#define B r[i->b]
#define C r[i->c]

// Each operation jumps to the next by itself: the processor then predicts the jump from where it
// stands. One common switch took 2 to 4 times as long, nearly all of it in wrong guesses.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpedantic" // labels as values, ranges of a table
#define TABLE_OF(name, value) &&run_##name,
#define TABLE_OF_ACTION(name) &&run_##name,
#define ON(name)              run_##name
#define CALLS                 run_CALL
#define GO                    goto *labels[i->op]
#define BEGIN                                                                                                \
    static const void *const labels[256] = { SLIP_TAPE_VALUES(TABLE_OF) SLIP_TAPE_ACTIONS(                   \
                                                 TABLE_OF_ACTION)[SLIP_TAPE_CALL... 255] = &&run_CALL };     \
    GO;
#define FINISH
#else
#define ON(name) case SLIP_TAPE_##name
#define GO       continue
#define CALLS    default
#define BEGIN                                                                                                \
    for (;;) switch (i->op) {
#define FINISH }
#endif

void slip_tape_interpret(const slip_tape *t, double *r)
{
    const slip_instruction *i = t->code;
    BEGIN
#define RUN(name, value)                                                                                     \
    ON(name) : r[i->to] = value;                                                                             \
    i++;                                                                                                     \
    GO;
    SLIP_TAPE_VALUES(RUN)
    ON(SINCOS) :
    {
        slip_sincos(A, &r[i->to], &C);
        i++;
        GO;
    }
CALLS:
    r[i->to] = slip_function_value(slip_tape_called((slip_tape_op)i->op), A, B, C);
    i++;
    GO;
    ON(JUMP) : i = t->code + i->c;
    GO;
    ON(UNLESS) : i = A != 0.0 ? i + 1 : t->code + i->c;
    GO;
    ON(UNLESS_LT) : i = A < B ? i + 1 : t->code + i->c;
    GO;
    ON(UNLESS_LE) : i = A <= B ? i + 1 : t->code + i->c;
    GO;
    ON(END) : return;
    FINISH
}

void slip_tape_run(const slip_tape *t, double *registers)
{
    if (t->native)
        t->native(registers);
    else
        slip_tape_interpret(t, registers);
}

void slip_tape_adopt(const slip_tape *t, double *registers, const double *row, long stride)
{
    for (int k = 0; k < t->result_count; k++) registers[t->results[k]] = row[t->results[k] * stride];
}
