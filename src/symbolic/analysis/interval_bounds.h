/// symbolic/analysis/interval_bounds.h: bounds of expressions whose inputs stay within bounds.
///
/// Interval arithmetic over the nodes. Samples say nothing about values between them; a bound does.
#ifndef SLIP_SYMBOLIC_ANALYSIS_INTERVAL_BOUNDS_H
#define SLIP_SYMBOLIC_ANALYSIS_INTERVAL_BOUNDS_H

#include "symbolic/graph/formula.h"

typedef struct slip_interval_bounds {
    const slip_graph *graph;
    int count, root_count;
    slip_ref *node;       ///< operands before users
    int *operand;         ///< 3 per node: their positions
    int *root;            ///< position of each root
    slip_interval *value; ///< per node
    int narrow_count;
    int *narrow; ///< nodes that may change much over a short range of their operands
    int below_count;
    int *below; ///< these and all nodes that they depend on, in order
} slip_interval_bounds;

/// For roots[0..count), all present. False when out of memory; destroy in any case.
bool slip_interval_bounds_create(slip_interval_bounds *bounds, const slip_graph *graph, const slip_ref *roots,
                                 int count);
void slip_interval_bounds_destroy(slip_interval_bounds *bounds);

/// Bounds of every root; input[k] are those of input k of the graph, for all inputs of the roots.
void slip_interval_bounds_run(slip_interval_bounds *bounds, const slip_interval *input);

/// The same only for the nodes that slip_interval_bounds_is_smooth needs.
void slip_interval_bounds_run_narrow(slip_interval_bounds *bounds, const slip_interval *input);

static inline slip_interval slip_interval_bounds_of(const slip_interval_bounds *bounds, int root)
{
    return bounds->value[bounds->root[root]];
}

/// Whether every narrow node below the roots is smooth within the bounds of the last run: the argument of an
/// exp or tanh changes by 1 at most, a denominator by a factor of 2.
bool slip_interval_bounds_is_smooth(const slip_interval_bounds *enclosure);

/// Parts of the roots that may change much over a short range, however smooth they are: exp(-(x/w)^2), 1/(1 +
/// (x/w)^2), tanh((x - a)/w) - tanh((x - b)/w), cos(x)^100. Products and sums of several are one part. Parts
/// that depend on an input beyond the first `inputs`, or contain a function without known bounds, are left
/// out. still[0..still_count) are expressions that are known to be constant, whatever their form; SLIP_NONE
/// is skipped. A list on the heap, NULL when out of memory.
slip_ref *slip_graph_narrow_parts(const slip_graph *graph, const slip_ref *roots, int count, int inputs,
                                  const slip_ref *still, int still_count, int *found);

#endif
