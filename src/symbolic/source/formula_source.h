/// symbolic/source/formula_source.h: formulas as statements of C99.
///
/// What tapes compute, in the same operations and the same order, so with the same bits: one statement for
/// what is used more than once, expressions for the rest, `if` for branches that are skipped. Parameters that
/// are tunable stay variables. What follows from them alone is computed when they change ("prepared"), not in
/// every step.
#ifndef SLIP_SYMBOLIC_SOURCE_FORMULA_SOURCE_H
#define SLIP_SYMBOLIC_SOURCE_FORMULA_SOURCE_H

#include "base/text.h"
#include "symbolic/graph/formula.h"

typedef struct slip_formula_source slip_formula_source;

/// How leaves are written in C.
typedef struct slip_source_names {
    const char *const *input;     ///< of each input of the graph
    const char *const *parameter; ///< of each parameter of the graph
    const char *prepared;         ///< the array of what follows from parameters
    const char *indent;           ///< before each line
} slip_source_names;

/// Of `count` roots of a graph; `tunable` says which of its parameters stay variables. NULL when out of memory.
slip_formula_source *slip_formula_source_create(const slip_graph *graph, const bool *tunable,
                                                const slip_ref *roots, int count);
void slip_formula_source_destroy(slip_formula_source *source);

/// Numbers that follow from parameters alone and are kept.
int slip_formula_source_prepared_count(const slip_formula_source *source);

/// Whether root k follows from numbers and tunable parameters alone.
bool slip_formula_source_is_prepared(const slip_formula_source *source, int root);

/// Whether one of the roots from `first` on depends on this input of the graph.
bool slip_formula_source_uses(const slip_formula_source *source, int first, int count, int input);

/// Statements that fill the prepared numbers. False when out of memory.
bool slip_formula_source_prepare(const slip_formula_source *source, const slip_source_names *names,
                                 slip_text *text);

/// Statements that assign `count` roots, from `first` on, to the C variables `to`;
/// those without one (NULL) are left out. False when out of memory.
bool slip_formula_source_print(const slip_formula_source *source, int first, int count, const char *const *to,
                               const slip_source_names *names, slip_text *text);

/// A number that a C compiler reads back to the same double.
const char *slip_source_number(double value, char *buffer, int size);

#endif
