/// output/equations/abbreviations.h: long expressions in pieces that have names, long lines of LaTeX in several.
#ifndef SLIP_OUTPUT_EQUATIONS_ABBREVIATIONS_H
#define SLIP_OUTPUT_EQUATIONS_ABBREVIATIONS_H

#include "base/text.h"
#include "symbolic/graph/formula.h"

/// Abbreviations of a sheet: a piece keeps its name in all equations that follow.
typedef struct slip_abbreviations {
    slip_ref *symbol; ///< of each node of the graph, SLIP_NONE where it has none
    int room, count;
} slip_abbreviations;

/// `ref` with its long and its repeated pieces by name; ref itself when it is short. Tells each new piece,
/// before any that uses it. SLIP_NONE when memory ran out.
slip_ref slip_abbreviate(slip_abbreviations *shorts, slip_graph *graph, slip_ref ref,
                         void (*piece)(void *context, const char *name, slip_ref value), void *context);
void slip_abbreviations_destroy(slip_abbreviations *shorts);

/// Adds LaTeX of one equation's right side, broken before + and - where a line would leave the page.
void slip_add_latex_lines(slip_text *out, const char *latex);

#endif
