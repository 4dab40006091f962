/// symbolic/graph/graph.h: inside a graph. For the files of src/symbolic only.
#ifndef SLIP_SYMBOLIC_GRAPH_GRAPH_H
#define SLIP_SYMBOLIC_GRAPH_GRAPH_H

#include <assert.h>

#include "base/arena.h"
#include "symbolic/graph/formula.h"
#include "symbolic/graph/parameter_reads.h"

/// Where a node was written.
typedef struct slip_graph_place_entry {
    slip_span at;
    slip_ref node;
} slip_graph_place_entry;

struct slip_graph {
    slip_node *nodes;
    size_t count, capacity;
    slip_graph_place_entry *places; // of nodes that were written; most are made of others
    size_t place_count, place_capacity;
    int32_t *table; // open addressing over nodes, -1 is free; a power of two
    size_t table_size, table_used;
    slip_pool *pool; // names
    const char **input_names, **parameter_names;
    slip_ref *inputs;
    double *values; // of the parameters, by their numbers
    size_t input_count, input_capacity, names_capacity, parameter_count, parameter_capacity, values_capacity;
    bool borrowed; // all but the values belongs to another graph
    /// Scratch copy on the way to a tape: folds constants to anything (inf, NaN), orders operands of
    /// + and * and drops negations. Nothing of that changes bits, but the text as written is lost.
    bool for_tape;
    bool narrow;                        // how sat is differentiated, see slip_graph_differentiate_narrow
    bool failed;                        // a node could not be made for want of memory
    struct slip_tape_cache *tape_cache; // of its tapes; NULL: none
    slip_read_log *read_log;            // notes which parameters are read; NULL: nobody asks
    unsigned left_out;                  // caches that are not used, see caches.h
};

static inline bool slip_is_node(const slip_graph *g, slip_ref r)
{
    return r >= 0 && (size_t)r < g->count;
}
static inline const slip_node *slip_graph_at(const slip_graph *g, slip_ref r)
{
    assert(slip_is_node(g, r));
    return &g->nodes[r];
}
static inline bool slip_is_constant(const slip_graph *g, slip_ref r)
{
    return g->nodes[r].op == SLIP_OP_CONSTANT;
}
static inline bool slip_is_value(const slip_graph *g, slip_ref r, double value)
{
    return g->nodes[r].op == SLIP_OP_CONSTANT && g->nodes[r].value == value;
}
static inline double slip_graph_leaf_value(const slip_graph *g, const slip_node *n)
{
    if (n->op != SLIP_OP_PARAMETER) return n->value;
    if (g->read_log) slip_read_log_note(g->read_log, n->index, g->values[n->index]);
    return g->values[n->index];
}
static inline slip_ref slip_unary(slip_graph *g, slip_op op, slip_ref a)
{
    return slip_graph_op(g, op, a, SLIP_NONE, SLIP_NONE);
}
static inline slip_ref slip_binary(slip_graph *g, slip_op op, slip_ref a, slip_ref b)
{
    return slip_graph_op(g, op, a, b, SLIP_NONE);
}

bool slip_op_is_set_valued(slip_op op);

/// The node with exactly these operands, found or made; no simplification.
slip_ref slip_graph_intern(slip_graph *graph, slip_op op, slip_ref a, slip_ref b, slip_ref c);

/// A simpler equal node, or SLIP_NONE when the operation is to be kept. Operands are valid nodes.
/// *failed is set when memory ran out.
slip_ref slip_graph_simplify(slip_graph *graph, slip_op op, slip_ref a, slip_ref b, slip_ref c, bool *failed);

/// Remembers where an expression was written, the first time.
void slip_graph_set_place(slip_graph *graph, slip_ref ref, slip_span place);

// ------------------------------------------------------------------------------------------- walks

/// The nodes below some roots, roots included, operands before users. Costs what it visits, however
/// large the graph around them is.
typedef struct slip_traversal {
    slip_ref *refs;
    int count;
    int32_t *table; // hash of ref -> position
    size_t table_size;
} slip_traversal;

/// Absent roots (SLIP_NONE) are left out. False when out of memory.
bool slip_traversal_create(slip_traversal *walk, const slip_graph *graph, const slip_ref *roots, int count);
void slip_traversal_destroy(slip_traversal *walk);
int slip_traversal_find(const slip_traversal *walk, slip_ref ref); ///< position, -1 when not below the roots

/// What each node of a walk follows from: no input, the time (input 0) alone, more. Heap memory; NULL when
/// out of it.
enum { SLIP_DEPENDS_ON_NOTHING, SLIP_DEPENDS_ON_TIME, SLIP_DEPENDS_ON_STATE };
unsigned char *slip_traversal_dependence(const slip_traversal *walk, const slip_graph *graph);

// ----------------------------------------------------------------------------------------- algebra

/// The rest of slip_graph_sum and its family. In a product or quotient a scale (the first operand of
/// slip_graph_product and slip_graph_quotient, the second of slip_graph_factor) of the form if(c, v, 0) takes the
/// operation inside, so that a branch which is not taken cannot spoil the result by 0*inf.
slip_ref slip_graph_factor(slip_graph *g, slip_ref factor, slip_ref scale);
slip_ref slip_graph_quotient(slip_graph *g, slip_ref scale, slip_ref b);
slip_ref slip_graph_negative(slip_graph *g, slip_ref a);
slip_ref slip_graph_mask(slip_graph *g, slip_ref condition, bool wanted, slip_ref a);

#endif
