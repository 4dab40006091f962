/// symbolic/source/formula_source_internal.h: formulas for C99, from inside.
#ifndef SLIP_SYMBOLIC_SOURCE_FORMULA_SOURCE_INTERNAL_H
#define SLIP_SYMBOLIC_SOURCE_FORMULA_SOURCE_INTERNAL_H

#include "symbolic/source/formula_source.h"
#include "symbolic/tape/tape.h"

/// Inputs of both graphs: those of the model's graph, then its parameters, then, in `motion`, what is prepared.
struct slip_formula_source {
    slip_graph *low;    // all of it
    slip_graph *motion; // the same with what follows from parameters alone as inputs
    int count, inputs, parameters;
    slip_ref *root; // in `motion`
    bool *is_prepared;
    slip_ref *prepared; // in `low`
    int prepared_count;
};

#endif
