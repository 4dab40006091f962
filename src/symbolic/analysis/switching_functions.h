/// symbolic/analysis/switching_functions.h: where expressions bend or jump.
///
/// if, comparisons, min, max, abs, sign, floor and sat are smooth but where a function of theirs, the value
/// of a switch, changes sign. A method that stops there needs each piece by itself, also at its border and a
/// little beyond, where a stage may look: in locked expressions the side of a switch is an input and not what
/// its operands say at the moment.
///
///     slip_switches_create(&s, graph, roots, count);   // finds them
///     slip_switches_lock(&s, graph, roots, count);     // replaces the roots by locked ones
#ifndef SLIP_SYMBOLIC_ANALYSIS_SWITCHING_FUNCTIONS_H
#define SLIP_SYMBOLIC_ANALYSIS_SWITCHING_FUNCTIONS_H

#include "symbolic/graph/formula.h"

/// A side that is not locked: the expression itself decides. Else the sign of the value: -1, 1, or 0 where
/// the motion stays at the border, at which sign(0) is 0, a < a false and a <= a true; of a floor, the whole
/// number that it is held at.
#define SLIP_SIDE_FREE 1e300

typedef struct slip_switch {
    slip_ref node;   ///< where it was first met
    slip_ref value;  ///< changes sign at the border
    slip_ref locked; ///< the same with what is inside it locked, after locking
    slip_ref level;  ///< of a floor: the floor; else SLIP_NONE
    slip_ref within; ///< of a floor, after locking: positive inside the step that it is held at
    slip_ref own;    ///< of a floor, after locking: the floor with what is inside it locked
    int input;       ///< number of the input that is its side, after locking; -1 before
    bool timed;      ///< follows from the time (input 0) alone
    bool jumps;      ///< something jumps at its border, so that what it is at the border itself matters
} slip_switch;

typedef struct slip_switches {
    int count;
    slip_switch *list;
    int node_count; ///< of the graph when they were looked for
    int *of_node;   ///< per node: its switch + 1, negative where the sign is the opposite; 0: none
} slip_switches;

/// What has pieces in the roots, as sat, is replaced by them; absent roots (SLIP_NONE) stay. False when out
/// of memory; destroy in any case.
bool slip_switches_create(slip_switches *switches, slip_graph *graph, slip_ref *roots, int count);
void slip_switches_destroy(slip_switches *switches);

/// Replaces the roots by locked expressions. False when out of memory.
bool slip_switches_lock(slip_switches *switches, slip_graph *graph, slip_ref *roots, int count);

/// Marks the switches below some roots, as they were before locking. False when out of memory.
bool slip_switches_below(const slip_switches *switches, const slip_graph *graph, const slip_ref *roots,
                         int count, bool *used);

#endif
