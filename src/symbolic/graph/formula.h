/// symbolic/graph/formula.h: the formula language. Text -> graph -> derivatives -> tape -> numbers.
///
/// A slip_graph holds expressions as nodes that refer to earlier nodes only (children before
/// parents), each distinct expression once, so shared subexpressions are computed once and every
/// pass over a graph is a loop, not a recursion. A slip_tape is the compiled form: a flat list of
/// operations on a register file, evaluated without allocation; on x86-64 also as machine code, which
/// takes 1 to 2 times what a C compiler's takes, with the same bits as the list gives.
///
/// Failure: functions that make nodes return SLIP_NONE when memory runs out, and give SLIP_NONE back
/// when one of their arguments is SLIP_NONE, so a caller checks once, at the end.
#ifndef SLIP_SYMBOLIC_GRAPH_FORMULA_H
#define SLIP_SYMBOLIC_GRAPH_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/text.h"
#include "symbolic/graph/dimension.h"

typedef int32_t slip_ref; ///< a node of a graph
enum { SLIP_NONE = -1 };

/// Leaves and operators: name, number of operands.
// clang-format off
#define SLIP_OPERATORS(X)                                                                                 \
    X(CONSTANT, 0) X(PARAMETER, 0) X(INPUT, 0)                                                            \
    X(ADD, 2) X(SUB, 2) X(MUL, 2) X(DIV, 2) X(POW, 2) X(NEG, 1)                                           \
    X(LT, 2) X(LE, 2) X(EQ, 2) X(NE, 2) /* a > b is LT(b, a) */                                           \
    X(AND, 2) X(OR, 2) X(NOT, 1)
// clang-format on

/// Operators first, then the functions of functions.def.
#define SLIP_OP_AS_ENUM(name, arity) SLIP_OP_##name,
#define FUNCTION(NAME, symbol)       SLIP_OP_##NAME,
typedef enum slip_op {
    SLIP_OPERATORS(SLIP_OP_AS_ENUM) SLIP_OPERATOR_COUNT,
    SLIP_OP_LAST_OPERATOR = SLIP_OPERATOR_COUNT - 1,
#include "symbolic/graph/functions.def"
    SLIP_OP_COUNT
} slip_op;
#undef FUNCTION

int slip_op_arity(slip_op op); ///< number of operands

typedef struct slip_node {
    slip_op op;
    slip_ref arg[3]; ///< operands; SLIP_NONE where unused
    double value;    ///< CONSTANT: its value; PARAMETER: its value in force
    int index;       ///< INPUT: its number from 0; PARAMETER: its number from 0
    int place;       ///< of the graph's own: where it was written, see slip_graph_place
} slip_node;

typedef struct slip_graph slip_graph;

slip_graph *slip_graph_create(void); ///< NULL when out of memory
void slip_graph_destroy(slip_graph *graph);

/// A copy of the nodes, with the same numbers, in its own memory; NULL when out of memory.
slip_graph *slip_graph_copy(const slip_graph *graph);

/// The nodes of `graph`, shared, with parameter values of its own, which are initially those of `graph`.
/// Read-only: no node can be made in it, but it can be copied. `graph` must not change and must outlive it.
/// NULL when out of memory.
slip_graph *slip_graph_share(const slip_graph *graph);

/// Removes nodes and inputs that were made since a mark, and restores the parameter values from the graph
/// that this one is a copy of.
typedef struct slip_graph_mark {
    size_t nodes, inputs, parameters;
    slip_pool_mark names;
} slip_graph_mark;
slip_graph_mark slip_graph_set_mark(const slip_graph *graph);
void slip_graph_rewind(slip_graph *graph, slip_graph_mark mark);
void slip_graph_take_values(slip_graph *graph, const slip_graph *from);

/// A node by number; valid until the next node is made.
slip_node slip_graph_node(const slip_graph *graph, slip_ref ref);
int slip_graph_node_count(const slip_graph *graph);

/// True once memory ran out while a node was made: for callers to whom SLIP_NONE also means an absent node.
bool slip_graph_failed(const slip_graph *graph);

int slip_graph_input_count(const slip_graph *graph);
int slip_graph_parameter_count(const slip_graph *graph);
slip_ref slip_graph_input_ref(const slip_graph *graph, int index); ///< the node of input number `index`
const char *slip_graph_input_name(const slip_graph *graph, int index);

/// Where the parser first met this expression; source == NULL when it was derived.
slip_span slip_graph_place(const slip_graph *graph, slip_ref ref);

/// New leaves. Inputs are numbered in order of creation: input k is register k of every tape.
/// A parameter prints by its name and is folded to its value when a tape is compiled.
slip_ref slip_graph_constant(slip_graph *graph, double value);
slip_ref slip_graph_input(slip_graph *graph, const char *name);
const char *const *slip_graph_input_names(const slip_graph *graph); ///< of all, in their order
slip_ref slip_graph_input_named(slip_graph *graph,
                                const char *name); ///< without a copy: it outlives the graph
slip_ref slip_graph_parameter(slip_graph *graph, const char *name, double value);

/// Another value for a parameter. Expressions keep their form; tapes made before keep the old value.
void slip_graph_set_parameter(slip_graph *graph, slip_ref parameter, double value);

/// One operation. Simplifies what is exact (constants, x + 0, x * 1, x * 0, x ^ 1, --x, ...) and otherwise
/// keeps the expression as written: products and sums are not reordered, because inclusions read the factors
/// of sgn off them.
slip_ref slip_graph_op(slip_graph *graph, slip_op op, slip_ref a, slip_ref b, slip_ref c);

/// Sums and products of derived expressions, free to gather constants and like terms (0.5*m*2*v is
/// m*v), which may change the last bit. For equations that the program makes, not for those it reads.
slip_ref slip_graph_sum(slip_graph *graph, slip_ref a, slip_ref b);
slip_ref slip_graph_difference(slip_graph *graph, slip_ref a, slip_ref b);
slip_ref slip_graph_product(slip_graph *graph, slip_ref a, slip_ref b);

/// True when `root` depends on the input or parameter or subexpression `on`.
bool slip_graph_depends(const slip_graph *graph, slip_ref root, slip_ref on);

/// Sets used[k] for every parameter k that one of the roots depends on and leaves the others alone. Returns
/// how many the roots depend on, -1 when out of memory.
int slip_graph_parameters(const slip_graph *graph, const slip_ref *roots, int count, bool *used);

/// True when `root` follows from more than constants and input 0, the time; also when out of memory.
bool slip_graph_depends_on_state(const slip_graph *graph, slip_ref root);

/// One nonzero partial derivative.
typedef struct slip_partial {
    int input;      ///< number of the input
    slip_ref value; ///< derivative with respect to it
} slip_partial;

/// All nonzero first derivatives of `root` with respect to inputs, in input order (reverse sweep
/// over the nodes below `root` only, so a sparse function is cheap in a large graph). The array is
/// heap memory to be released with free(). Returns their number, or -1 when out of memory.
/// Kinks (abs, min, max, sat, if, floor, sign) are differentiated piece by piece.
int slip_graph_gradient(slip_graph *graph, slip_ref root, slip_partial **out);

/// Selects how derivatives take sat(Z, x) at Z = 0 and x = 0 from now on: as 0, its value (narrow), or,
/// initially, as that of a width about to grow, which implicit steps need when a contact has just closed.
void slip_graph_differentiate_narrow(slip_graph *graph, bool narrow);

/// Directional derivative: sum over inputs k of d root / d input_k * direction[k]; direction[k] may
/// be SLIP_NONE for zero; `count` entries, inputs beyond count count as zero (forward sweep).
slip_ref slip_graph_directional(slip_graph *graph, slip_ref root, const slip_ref *direction, int count);

/// A node with a known derivative along a direction: its operands are not differentiated.
typedef struct slip_known_derivative {
    slip_ref node, rate;
} slip_known_derivative;

/// The same with known derivatives of some nodes, sorted by node: the rates of a rotation matrix are shorter
/// than those derived from its angles or its quaternion.
slip_ref slip_graph_directional_known(slip_graph *graph, slip_ref root, const slip_ref *direction, int count,
                                      const slip_known_derivative *known, int known_count);

/// A copy of `root` in which rule() has the last word on every node: it is offered each node after
/// its operands were rewritten (`original` is the node as it was, `rewritten` the node with new
/// operands) and returns the node to use instead.
typedef slip_ref slip_rewrite_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten);
slip_ref slip_graph_rewrite(slip_graph *graph, slip_ref root, slip_rewrite_rule *rule, void *context);

/// The same for many roots, which are replaced; absent ones (SLIP_NONE) stay. Each node is visited once.
/// False when out of memory.
bool slip_graph_rewrite_all(slip_graph *graph, slip_ref *roots, int count, slip_rewrite_rule *rule,
                            void *context);

/// What is known of the sign of an expression from its form and the values of its parameters
/// (interval arithmetic over the nodes; inputs are unbounded, dio is nonnegative). NaN: out of memory.
typedef struct slip_interval {
    double low, high;
} slip_interval;
slip_interval slip_graph_interval(const slip_graph *graph, slip_ref root);

/// False when the expression is finite wherever its inputs are, by its form: no root, logarithm, power or
/// arcus of what may be out of their domain, no division by what may be zero. True when out of memory.
bool slip_graph_may_fail(const slip_graph *graph, slip_ref root);

/// True when the expression has a jump other than through dio: a comparison, if, sign, floor or sgn.
/// *where is set to the first such node; true with SLIP_NONE when out of memory.
bool slip_graph_is_discontinuous(const slip_graph *graph, slip_ref root, slip_ref *where);

/// True when the expression holds a sgn or dio; *where is set as above.
bool slip_graph_is_set_valued(const slip_graph *graph, slip_ref root, slip_ref *where);

// ---------------------------------------------------------------------------------------- parsing

/// What a formula stands for: one number, or two components (sgn(x, y), sat(Z, x, y), sums of
/// these, products with scalars, .x and .y to take them apart).
typedef struct slip_value {
    int count; ///< 1 or 2
    slip_ref part[2];
    slip_dimension dimension; ///< of both
} slip_value;

/// Values of unknown dimension.
static inline slip_value slip_scalar(slip_ref a)
{
    return (slip_value){ .count = 1, .part = { a, SLIP_NONE } };
}
static inline slip_value slip_pair(slip_ref a, slip_ref b)
{
    return (slip_value){ .count = 2, .part = { a, b } };
}

enum { SLIP_MAX_ARGUMENTS = 6, SLIP_ANY_ARGUMENTS = 1 << 20, SLIP_PROBLEM_LENGTH = 240 };

/// How the parser resolves names. `primes` counts the quotes after a name: x' is ("x", 1).
/// A dotted name (floor.normal) is offered whole before .x and .y are tried as components.
typedef struct slip_scope {
    void *context;
    /// True and fills *value when the name is known. A known name whose part[0] is SLIP_NONE (its own
    /// formula was wrong) makes the parse fail without another message.
    bool (*find)(void *context, const char *name, int primes, slip_value *value);
    /// The k-th name to suggest for a misspelt one; NULL at the end. May be NULL.
    const char *(*suggest)(void *context, int k);
    /// How many arguments a function of the model takes; -1 when there is none of that name,
    /// SLIP_ANY_ARGUMENTS when its own formula was wrong. May be NULL.
    int (*arity)(void *context, const char *name);
    /// Its value, for a call that stands `depth` levels deep. False when there is none; `problem`
    /// (SLIP_PROBLEM_LENGTH bytes) says why, or is empty when that was said.
    bool (*call)(void *context, const char *name, int depth, const slip_value *argument, slip_value *value,
                 char *problem);
    int depth; ///< levels around this formula: that of a function stands inside of the one that calls it
    bool set_valued;             ///< sgn and dio are legal here
    const char *set_valued_hint; ///< what to say where they are not; NULL for the default sentence
} slip_scope;

enum { SLIP_FORMULA_DEPTH = 200, SLIP_FORMULA_LENGTH = 1 << 20 };

/// Parses text[0..length). `map` gives, for each byte of text, its offset in where.source (NULL: the
/// text stands there as it is, from where.start on), so that carets are right in quoted and folded
/// YAML too. Mistakes go to `notes`; returns false when there was one.
bool slip_formula_parse(slip_graph *graph, const char *text, size_t length, slip_span where,
                        const int32_t *map, const slip_scope *scope, slip_diagnostics *notes,
                        slip_value *value);

/// Names that a model may not use: functions, units are fine, words like `and`, `t`, `pi`.
bool slip_formula_is_reserved(const char *name);

/// A name of the language: a letter or _, then letters, digits, _.
bool slip_formula_is_name(const char *text, size_t length);

/// Functions that can be called and units of the language, for `list`, the manual and its test. NULL past the
/// end.
typedef struct slip_function_info {
    const char *name, *arguments, *meaning;
} slip_function_info;
const slip_function_info *slip_formula_function(int k);
typedef struct slip_unit_info {
    const char *name, *meaning;
    double scale; ///< to SI
} slip_unit_info;
const slip_unit_info *slip_formula_unit(int k);

// ------------------------------------------------------------------------------------- evaluation

/// Value of an expression without inputs (constants and parameters); NaN when it has inputs or
/// set-valued parts.
double slip_graph_evaluate(const slip_graph *graph, slip_ref root);

/// Values of many expressions at once, for inputs in the order they were declared; NaN where something is
/// set-valued. For a single use: a tape takes more time to make than it saves, and a hundred times the
/// memory. False when out of memory.
bool slip_graph_values(const slip_graph *graph, const slip_ref *roots, int count, const double *inputs,
                       double *values);

typedef struct slip_tape slip_tape;

/// Compiles the expressions roots[0..count). NULL when out of memory, now or while the graph was made.
/// Set-valued operations have no value: what depends on one is not a number. What only one branch of an `if`
/// needs is skipped when the other is taken.
slip_tape *slip_tape_create(const slip_graph *graph, const slip_ref *roots, int count);
void slip_tape_destroy(slip_tape *tape);

int slip_tape_registers(const slip_tape *tape);     ///< size of the register file, in doubles
int slip_tape_length(const slip_tape *tape);        ///< number of operations
int slip_tape_result(const slip_tape *tape, int k); ///< register that holds roots[k] after a run
bool slip_tape_result_constant(const slip_tape *tape, int k, double *value); ///< known at compile time?

/// Puts the constants into a register file (once), then: set registers [0, inputs), run, read the
/// results. The same register file must not be used by two threads at once; the tape may be.
void slip_tape_start(const slip_tape *tape, double *registers);
void slip_tape_run(const slip_tape *tape, double *registers);
/// Instead of a run: what one of a tape with the same operations left, whose register r is row[r * stride].
void slip_tape_adopt(const slip_tape *tape, double *registers, const double *row, long stride);

// --------------------------------------------------------------------------------------- printing

typedef enum slip_notation { SLIP_PLAIN, SLIP_LATEX } slip_notation;

/// Appends the expression as text that the parser reads back to the same node, or as LaTeX.
void slip_graph_print(const slip_graph *graph, slip_ref root, slip_notation notation, slip_text *out);

#endif
