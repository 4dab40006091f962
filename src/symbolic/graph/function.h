/// symbolic/graph/function.h: a function of the formula language is one record, and one line in functions.def.
///
///     static slip_ref partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
///     {
///         return slip_graph_product(g, s, slip_unary(g, SLIP_OP_COS, n->arg[0])); // (sin x)' = cos x
///     }
///     SLIP_FUNCTION_OF_ONE(sin, slip_sin, .info = { "sin", "x", "sine, x in rad" }, .partial = partial,
///                          .range = ..., .latex = "\\sin");
///
/// The value is an argument of the macro, so there is no function without one; what is left out means what
/// its comment says. The reader, derivatives, bounds, switches, tapes, machine code, print and lists know a
/// function by its record alone. A few also have a machine instruction of their own (SLIP_INSTRUCTIONS in
/// operations.h).
#ifndef SLIP_SYMBOLIC_GRAPH_FUNCTION_H
#define SLIP_SYMBOLIC_GRAPH_FUNCTION_H

#include <math.h>

#include "symbolic/graph/operations.h"
#include "symbolic/graph/graph.h"

/// The side of a kink that an expression is locked to (switching_functions.h).
typedef struct slip_locked_side {
    slip_ref number;   ///< -1, 0 or 1; of a function with levels, the whole number that it is held at
    slip_ref positive; ///< truth value: the operand is positive, or the first one the larger of two
    slip_ref sign;     ///< of the operand: -1, 0 or 1
} slip_locked_side;

/// What a function makes of units: what its operands have to be, and its value then is.
typedef enum slip_function_units {
    SLIP_UNITS_UNKNOWN,       ///< nothing is known
    SLIP_UNITS_KEPT,          ///< of its operand
    SLIP_UNITS_SAME,          ///< all operands the same, the value too
    SLIP_UNITS_CHOICE,        ///< the same for all but the first
    SLIP_UNITS_ROOT,          ///< half the powers of its operand
    SLIP_UNITS_NUMBER,        ///< a pure number from a pure number
    SLIP_UNITS_ANGLE,         ///< a pure number from an angle in rad
    SLIP_UNITS_INVERSE_ANGLE, ///< an angle from a pure number, or from two operands alike
    SLIP_UNITS_SIGN,          ///< a pure number from anything
} slip_function_units;

typedef struct slip_function {
    slip_function_info info; ///< how it is written and what it is
    int arity;               ///< operands, 1 to 3
    bool set_valued;         ///< it has no value; an inclusion says what it stands for
    union {
        double (*of_one)(double);
        double (*of_two)(double, double);
        double (*of_three)(double, double, double);
    } value;
    const char *value_name; ///< what that is called in C, for programs that are printed

    // in the language
    bool chains;     ///< f(a, b, c) is f(f(a, b), c), and so on
    slip_op pair[2]; ///< with a vector as its last argument: its components; none: only numbers
    int component;   ///< 1 (x) or 2 (y): a component of another one, not to be called by name
    slip_function_units units;
    const char *set_elsewhere; ///< of a set-valued one: what to write where none may stand

    /// s times the derivative with respect to operand k, for the node `self`, which is *n. Nodes are made one
    /// call after the other (derive.c says why). SLIP_ZERO_DERIVATIVE: constant in that operand. NULL: between jumps in
    /// all.
    slip_ref (*partial)(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s);

    /// Bounds of the value from bounds of the operands. NULL: nothing is known.
    slip_interval (*range)(const slip_interval *operand);

    /// Whether it may have no finite value at operands within these bounds. NULL: it always has one.
    bool (*fails)(const slip_interval *operand);

    /// An equal node that is simpler, exactly; SLIP_NONE to keep it as it is. NULL: there is none.
    slip_ref (*simplify)(slip_graph *g, const slip_ref *operand);

    bool jumps; ///< its value does

    bool narrow; ///< smooth, but all of its change may be on a short way of its operand: exp, tanh

    /// Where it bends or jumps, one of: as one switch, at zero of its operand or of the difference of its
    /// two, what it is on the side that is held; or written with operations that switch. NULL: smooth.
    slip_ref (*held)(slip_graph *g, const slip_node *n, const slip_locked_side *side);
    slip_ref (*pieces)(slip_graph *g, const slip_node *n);
    bool levels; ///< it switches at every whole number of its operand, as floor does

    /// Written with operations of the tape; NULL: the tape calls its value.
    slip_ref (*lower)(slip_graph *tape, const slip_ref *operand);
    int cost; ///< of a call, in multiplications; 0: a call as costly as sin

    const char *latex;           ///< command; NULL: its name, upright
    const char *latex_around[2]; ///< what stands around the operand instead, as |x|
} slip_function;

enum { SLIP_ZERO_DERIVATIVE = -2 }; ///< a derivative that is nothing at all: no node stands for it
enum { SLIP_CALL_COST = 12 };       ///< of a function that states none

#define SLIP_FUNCTION_OF_ONE(symbol, f, ...)                                                                 \
    const slip_function slip_function_##symbol = {                                                           \
        .arity = 1, .value = { .of_one = f }, .value_name = #f, __VA_ARGS__                                  \
    }
#define SLIP_FUNCTION_OF_TWO(symbol, f, ...)                                                                 \
    const slip_function slip_function_##symbol = {                                                           \
        .arity = 2, .value = { .of_two = f }, .value_name = #f, __VA_ARGS__                                  \
    }
#define SLIP_FUNCTION_OF_THREE(symbol, f, ...)                                                               \
    const slip_function slip_function_##symbol = {                                                           \
        .arity = 3, .value = { .of_three = f }, .value_name = #f, __VA_ARGS__                                \
    }
#define SLIP_SET_VALUED_FUNCTION(symbol, operands, ...)                                                      \
    const slip_function slip_function_##symbol = { .arity = operands, .set_valued = true, __VA_ARGS__ }

#define FUNCTION(NAME, symbol) extern const slip_function slip_function_##symbol;
#include "symbolic/graph/functions.def"
#undef FUNCTION

/// In the order of functions.def, as their operations.
extern const slip_function *const slip_functions[];

/// The function of an operation; NULL for leaves and operators.
static inline const slip_function *slip_function_of(slip_op op)
{
    return op < SLIP_OPERATOR_COUNT ? NULL : slip_functions[op - SLIP_OPERATOR_COUNT];
}

/// Its value; NaN when it is set-valued.
static inline double slip_function_value(const slip_function *f, double a, double b, double c)
{
    if (f->set_valued) return NAN;
    if (f->arity == 1) return f->value.of_one(a);
    return f->arity == 2 ? f->value.of_two(a, b) : f->value.of_three(a, b, c);
}

static inline int slip_function_cost(const slip_function *f)
{
    return f->cost ? f->cost : SLIP_CALL_COST;
}

// --------------------------------------------------------------------- for the files of functions

/// Bounds of a node from those of its operands; everything for an input.
slip_interval slip_interval_of_node(const slip_graph *g, const slip_node *n, const slip_interval *operand);

/// Bounds; nothing is known when they are not in order or not numbers.
slip_interval slip_interval_of(double low, double high);

/// Of a nondecreasing function that lives on [from, to].
slip_interval slip_interval_increasing(double (*f)(double), slip_interval a, double from, double to);
slip_interval slip_interval_abs(slip_interval a);

/// a^2 and a^2 + b^2, as written by hand.
slip_ref slip_graph_square(slip_graph *g, slip_ref a);
slip_ref slip_graph_sum_of_squares(slip_graph *g, slip_ref a, slip_ref b);

/// The function of that name and its operation (may be NULL); NULL when there is none.
const slip_function *slip_function_find(const char *name, size_t length, slip_op *op);
const char *slip_function_suggest(const char *word, char *buffer, int size);

/// For names known from elsewhere (ln, pow, ceil): what to write here; NULL when there is nothing to say.
const char *slip_function_alternative(const char *name);

#endif
