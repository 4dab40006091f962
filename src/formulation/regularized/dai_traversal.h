/// formulation/regularized/dai_traversal.h: what the procedure of Xiong 2013, section 4.4, knows of an inclusion.
#ifndef SLIP_FORMULATION_REGULARIZED_DAI_TRAVERSAL_H
#define SLIP_FORMULATION_REGULARIZED_DAI_TRAVERSAL_H

#include "formulation/regularized/dai.h"
#include "formulation/regularized/dai_inclusion.h"

/// A walk over the right-hand sides. Everything is remembered per node, so a shared subexpression is
/// looked at once.
typedef struct slip_dai_traversal {
    const slip_model *model;
    slip_ode *ode;
    slip_graph *graph;
    slip_error *error;
    slip_status status;
    int original_count; // nodes of the model's graph: only these can hold sgn and dio
    char *holds;        // per original node: what it holds, whether a right-hand side uses it
    slip_ref *replaced; // per original node: what stands for it; SLIP_NONE when not yet known
    int *definition;    // per original node: the definition that is exactly it, + 1; 0 when none is
    bool *taken;        // per definition: its name is an element's
    int *last_sgn;      // per original node: last element whose theta begins with it, + 1
    slip_inclusion_element *elements;
    size_t count, capacity;
    int dio_count, sgn_count;
} slip_dai_traversal;

enum {
    SLIP_CONTAINS_NOTHING = 1,
    SLIP_CONTAINS_DIO = 2,
    SLIP_CONTAINS_SGN = 4,
    SLIP_IS_REFERENCED = 8,
    SLIP_IS_VARYING = 16
};

static inline slip_node slip_dai_traversal_node(const slip_dai_traversal *w, slip_ref ref)
{
    return slip_graph_node(w->graph, ref);
}

static inline bool slip_op_is_sgn(slip_op op)
{
    return op == SLIP_OP_SGN || op == SLIP_OP_SGN_X || op == SLIP_OP_SGN_Y;
}

static inline bool slip_dai_traversal_contains(const slip_dai_traversal *w, slip_ref ref, int what)
{
    return ref >= 0 && (w->holds[ref] & what) != 0;
}

static inline bool slip_dai_traversal_is_varying(const slip_dai_traversal *w, slip_ref ref)
{
    return slip_dai_traversal_contains(w, ref, SLIP_IS_VARYING);
}

/// The walk ends with this sentence about a node.
slip_status slip_dai_traversal_fail(slip_dai_traversal *w, slip_ref at, const char *text);

/// A node that could not be made ends the walk: in a product SLIP_NONE stands for 1.
slip_ref slip_dai_traversal_check(slip_dai_traversal *w, slip_ref ref);

/// The first definition of a node gives it its name.
void slip_dai_traversal_definitions(slip_dai_traversal *w);

/// An element is called like the definition that is exactly it, else dio1, sgn1, ...
const char *slip_dai_traversal_name(slip_dai_traversal *w, slip_ref term, const char *word, int *number);

/// NULL when there is no memory for one more.
slip_inclusion_element *slip_dai_traversal_add(slip_dai_traversal *w, slip_inclusion_element made);

/// Those for all, then those for this element; friction falls back on K and beta.
slip_dai_constants slip_dai_traversal_constants(slip_dai_traversal *w, const slip_inclusion_element *element);

/// A product with one sgn in it: sign * factor * sgn(theta).
typedef struct slip_sgn_product {
    slip_ref sgn;                // the sgn node; SLIP_NONE when the chain ends on a sum or a defined element
    slip_ref rest;               // what the chain ends on
    slip_ref factor;             // product of everything beside it; SLIP_NONE stands for 1
    slip_ref varying;            // what of the factor is not constant; SLIP_NONE stands for 1
    double scale;                // value of the constant rest of the factor, with its sign
    slip_ref over, varying_over; // divisors met on the way down, until the end of it
} slip_sgn_product;

/// What stands beside the sgn of a term.
slip_sgn_product slip_sgn_product_of(slip_dai_traversal *w, slip_ref ref);

/// A product inside another: also through definitions, which no longer stand for themselves there.
slip_sgn_product slip_sgn_product_within(slip_dai_traversal *w, const slip_sgn_product *outer, slip_ref ref);

/// c*f where f is a definition: f is the element and c, a constant, stays outside.
bool slip_sgn_product_is_defined(const slip_dai_traversal *w, slip_ref start, const slip_sgn_product *p);

#endif
