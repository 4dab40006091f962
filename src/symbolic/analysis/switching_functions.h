/// symbolic/analysis/switching_functions.h: switching functions: where expressions have kinks or jumps.
///
/// if, comparisons, min, max, abs, sign, floor and sat are smooth except where a function of theirs, the
/// value of a switch, changes sign. A method that stops there needs each smooth piece by itself, also at its
/// border and a little beyond, where a stage may evaluate it: in locked expressions the side of a switch is
/// an input and does not follow from its operands.
///
///     slip_switches_create(&s, graph, roots, count);   // finds them
///     slip_switches_lock(&s, graph, roots, count);     // replaces the roots by locked ones
#ifndef SLIP_SYMBOLIC_ANALYSIS_SWITCHING_FUNCTIONS_H
#define SLIP_SYMBOLIC_ANALYSIS_SWITCHING_FUNCTIONS_H

#include "symbolic/graph/formula.h"

/// A free side: the expression itself decides. Otherwise the sign of the value: -1, 1, or 0 if the motion
/// stays at the border, where sign(0) is 0, a < a false and a <= a true; for a floor, the integer that it is
/// locked to.
#define SLIP_SIDE_FREE 1e300

typedef struct slip_switch {
    slip_ref node;   ///< where it was first met
    slip_ref value;  ///< changes sign at the border
    slip_ref locked; ///< the same with the switches inside it locked, after locking
    slip_ref level;  ///< of a floor: the floor; else SLIP_NONE
    slip_ref within; ///< of a floor, after locking: positive inside the step that it is locked to
    slip_ref own;    ///< of a floor, after locking: the floor with the switches inside it locked
    int input;       ///< number of the input that is its side, after locking; -1 before
    bool timed;      ///< depends on the time (input 0) alone
    bool jumps;      ///< the expression jumps at its border, so that its value at the border itself matters
} slip_switch;

typedef struct slip_switches {
    int count;
    slip_switch *list;
    int node_count; ///< of the graph when the switches were found
    int *of_node;   ///< per node: its switch + 1, negative where the sign is the opposite; 0: none
} slip_switches;

/// Functions with several pieces, as sat, are replaced by these; absent roots (SLIP_NONE) stay. False when
/// out of memory; destroy in any case.
bool slip_switches_create(slip_switches *switches, slip_graph *graph, slip_ref *roots, int count);
void slip_switches_destroy(slip_switches *switches);

/// Replaces the roots by locked expressions. False when out of memory.
bool slip_switches_lock(slip_switches *switches, slip_graph *graph, slip_ref *roots, int count);

/// Marks the switches below some roots, as they were before locking. False when out of memory.
bool slip_switches_below(const slip_switches *switches, const slip_graph *graph, const slip_ref *roots,
                         int count, bool *used);

#endif
