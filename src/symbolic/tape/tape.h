/// symbolic/tape/tape.h: inside a tape. For the files of src/symbolic only.
#ifndef SLIP_SYMBOLIC_TAPE_TAPE_H
#define SLIP_SYMBOLIC_TAPE_TAPE_H

#include "symbolic/graph/function.h"

/// name, value in terms of the operands A, B, C (registers): what the language has, and two operations in one
/// where the inner result is used once: fewer steps and no trip through memory, and the same two roundings.
// clang-format off
#define SLIP_TAPE_VALUES(X)                                                                              \
    SLIP_OPERATOR_VALUES(X) SLIP_INSTRUCTIONS(X) X(MOVE, A)                                                                        \
    X(ADD_ADD, (A + B) + C) X(SUB_ADD, (A - B) + C) X(MUL_ADD, (A * B) + C)                              \
    X(ADD_SUB, (A + B) - C) X(SUB_SUB, (A - B) - C) X(MUL_SUB, (A * B) - C)                              \
    X(SUB_OF_ADD, C - (A + B)) X(SUB_OF_SUB, C - (A - B)) X(SUB_OF_MUL, C - (A * B))                     \
    X(ADD_MUL, (A + B) * C) X(SUB_MUL, (A - B) * C) X(MUL_MUL, (A * B) * C)                              \
    X(ADD_DIV, (A + B) / C) X(SUB_DIV, (A - B) / C) X(MUL_DIV, (A * B) / C)                              \
    X(DIV_BY_ADD, C / (A + B)) X(DIV_BY_SUB, C / (A - B)) X(DIV_BY_MUL, C / (A * B))
// clang-format on

/// The rest: SINCOS (C is the register of the cosine), jumps (C is the target), the end.
#define SLIP_TAPE_ACTIONS(X) X(SINCOS) X(JUMP) X(UNLESS) X(UNLESS_LT) X(UNLESS_LE) X(END)

#define SLIP_TAPE_AS_ENUM(name, value) SLIP_TAPE_##name,
#define SLIP_TAPE_ACTION_AS_ENUM(name) SLIP_TAPE_##name,
typedef enum slip_tape_op {
    SLIP_TAPE_VALUES(SLIP_TAPE_AS_ENUM) SLIP_TAPE_ACTIONS(SLIP_TAPE_ACTION_AS_ENUM) SLIP_TAPE_CALL
} slip_tape_op;

/// From SLIP_TAPE_CALL on: calls of the functions, in the order of functions.def.
static inline slip_tape_op slip_tape_call(slip_op function)
{
    return (slip_tape_op)(SLIP_TAPE_CALL + (function - SLIP_OPERATOR_COUNT));
}
static inline const slip_function *slip_tape_called(slip_tape_op op)
{
    return op < SLIP_TAPE_CALL ? NULL
                               : slip_function_of((slip_op)(SLIP_OPERATOR_COUNT + (op - SLIP_TAPE_CALL)));
}
/// In the place of operations that lanes have machine code for: A is its number, C the operation behind them.
enum { SLIP_TAPE_BLOCK = 255 };
_Static_assert(SLIP_TAPE_CALL + (SLIP_OP_COUNT - SLIP_OPERATOR_COUNT) <= SLIP_TAPE_BLOCK,
               "an operation is one byte");

static inline bool slip_tape_is_jump(slip_tape_op op)
{
    return op >= SLIP_TAPE_JUMP && op <= SLIP_TAPE_UNLESS_LE;
}

enum { SLIP_MAX_REGISTERS = 1 << 24, SLIP_MAX_TIMES = 4 };

/// 16 bytes: four registers and an operation.
typedef struct slip_instruction {
    uint32_t op : 8, to : 24;
    uint32_t a, b, c;
} slip_instruction;

struct slip_tape {
    slip_instruction *code;
    int length, registers;
    int first_constant, constant_count;
    int first_memo; // registers from here on remember function values for the machine code; NaN at first
    double *constants;
    int time_count, time[SLIP_MAX_TIMES]; // inputs that are times
    int *origin; // of a program: which operation of its tape each one is a copy of, -1 none; else NULL
    int result_count;
    int *results;             // register of each root
    bool interpreted;         // no machine code is to be made, of programs of it neither
    void (*native)(double *); // the same as machine code, or NULL
    void *pages;              // that code
    size_t page_bytes;

    struct slip_tape_cache *tape_cache; // where it goes when it is given up; NULL: none
    slip_graph *low;                    // what it was made from, if there is one
    slip_ref *roots;                    // in `low`
    slip_ref *constant_node;            // in `low`
};

/// Really gives up a tape.
void slip_tape_release(slip_tape *tape);

/// A tape of another graph that differs from this lowered one in numbers alone, with the numbers of this one;
/// NULL when there is none on the tape_cache.
slip_tape *slip_tape_cache_take_tape(struct slip_tape_cache *tape_cache, const slip_graph *low,
                                     const slip_ref *roots, int count, int inputs);
/// The same for a program with the operations of `like`, which has no machine code yet.
slip_tape *slip_tape_cache_take_program(struct slip_tape_cache *tape_cache, const slip_tape *like);
void slip_tape_cache_put_tape(struct slip_tape_cache *tape_cache, slip_tape *tape);

/// Translates the instructions to machine code where that is possible; leaves tape->native NULL where not.
/// The bits are the same with and without the instructions of AVX.
void slip_tape_make_native(slip_tape *tape, bool avx);
bool slip_tape_has_avx(void);       ///< this processor does
bool slip_tape_can_be_native(void); ///< there is a translation for this processor, and the system lets it run
void slip_tape_drop_native(slip_tape *tape);

/// Runs the instructions one by one, whether there is machine code or not.
void slip_tape_interpret(const slip_tape *tape, double *registers);

/// Copies the expressions below the roots into a new graph with parameters as numbers, and brings
/// them to what the tape has operations for. roots[] are replaced by nodes of the new graph, in
/// which an input keeps its number in arg[0]. NULL when out of memory.
slip_graph *slip_graph_lower(const slip_graph *graph, const slip_ref *roots, slip_ref *lowered, int count);

/// The same, with the parameters that `tunable` marks as inputs behind those of the graph: parameter k is input
/// slip_graph_input_count(graph) + k. Bits are those of the other form, but for the sign of a zero.
slip_graph *slip_graph_lower_tunable(const slip_graph *graph, const bool *tunable, const slip_ref *roots,
                                     slip_ref *lowered, int count);

/// How the nodes of a lowered graph become instructions. Arrays have one entry per node.
typedef struct slip_plan {
    const slip_graph *graph;
    int node_count;
    int32_t *uses;     ///< 0: not needed
    int32_t *region;   ///< branch of an `if` that alone needs the node; 0 is outside all
    int32_t *absorbed; ///< which operand is computed in the same instruction, + 1; -1: absorbed itself
    int32_t *partner;  ///< sin and cos of one angle: the other, at the first; -1 none; -2 at the second
    int32_t *next;     ///< next node of the same region
    int32_t *branch;   ///< of an `if` that jumps: its first region, the second follows it; else -1
    int32_t *first;    ///< first node of a region
    int region_count;
} slip_plan;

bool slip_plan_create(slip_plan *plan, const slip_graph *graph, const slip_ref *roots, int count);
void slip_plan_destroy(slip_plan *plan);

#endif
