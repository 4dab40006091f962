/// symbolic/analysis/interval_bounds.h: what values expressions can take while their inputs stay within bounds.
///
/// Interval arithmetic over the nodes. A value in a table of samples says nothing about what lies between
/// two of them; a bound does.
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
    int *narrow; ///< nodes that may change a lot on a short way of their operands
    int below_count;
    int *below; ///< those and all that they follow from, in order
} slip_interval_bounds;

/// Of roots[0..count), all present. False when out of memory; destroy in any case.
bool slip_interval_bounds_create(slip_interval_bounds *bounds, const slip_graph *graph, const slip_ref *roots,
                                 int count);
void slip_interval_bounds_destroy(slip_interval_bounds *bounds);

/// Bounds of every root; input[k] are those of input k of the graph, for all that the roots hold.
void slip_interval_bounds_run(slip_interval_bounds *bounds, const slip_interval *input);

/// The same for the nodes that slip_interval_bounds_is_smooth looks at, and no others.
void slip_interval_bounds_run_narrow(slip_interval_bounds *bounds, const slip_interval *input);

static inline slip_interval slip_interval_bounds_of(const slip_interval_bounds *bounds, int root)
{
    return bounds->value[bounds->root[root]];
}

/// Whether every node below the roots that could change a lot on a short way does not within the bounds of
/// the last run: what goes into an exp or tanh changes by 1 at the most, a denominator by a factor of 2.
bool slip_interval_bounds_is_smooth(const slip_interval_bounds *enclosure);

/// Parts of the roots that may change a lot on a short way, however smooth they are: exp(-(x/w)^2),
/// 1/(1 + (x/w)^2), tanh((x - a)/w) - tanh((x - b)/w), cos(x)^100. Products and sums of several are one
/// part. Left out: what holds an input beyond the first `inputs`, or a function whose bounds are not known.
/// still[0..still_count) are expressions that do not change, whatever they look like; SLIP_NONE are passed
/// over. A list on the heap, NULL when out of memory.
slip_ref *slip_graph_narrow_parts(const slip_graph *graph, const slip_ref *roots, int count, int inputs,
                                  const slip_ref *still, int still_count, int *found);

#endif
