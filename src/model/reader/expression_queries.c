/// model/reader/expression_queries.c: queries about expressions: constant value, dependence on a node,
/// set-valuedness. Unlike the graph's own functions they report lack of memory separately.
#include <math.h>
#include <stdlib.h>

#include "model/reader/reader.h"

bool slip_value_of(slip_reader *r, slip_ref ref, double *value)
{
    *value = slip_graph_evaluate(r->model->graph, ref);
    if (!isnan(*value)) return true;
    // not a number, or not enough memory to know
    slip_tape *tape = slip_tape_create(r->model->graph, &ref, 1);
    if (!tape) return slip_reader_no_memory(r);
    if (!slip_tape_result_constant(tape, 0, value)) *value = NAN;
    slip_tape_destroy(tape);
    return true;
}

// marks every node below `value`; operands stand before their operation, so one pass is enough
static bool *nodes_below(slip_reader *r, slip_value value, slip_ref *top)
{
    *top = value.part[0];
    if (value.count == 2 && value.part[1] > *top) *top = value.part[1];
    bool *below = calloc((size_t)*top + 1, sizeof *below);
    if (!below) {
        slip_reader_no_memory(r);
        return NULL;
    }
    for (int k = 0; k < value.count; k++) below[value.part[k]] = true;
    for (slip_ref ref = *top; ref >= 0; ref--) {
        if (!below[ref]) continue;
        slip_node node = slip_graph_node(r->model->graph, ref);
        for (int k = 0; k < 3; k++)
            if (node.arg[k] >= 0) below[node.arg[k]] = true;
    }
    return below;
}

bool slip_depends_on_node(slip_reader *r, slip_value value, slip_ref node)
{
    slip_ref top;
    bool *below = nodes_below(r, value, &top);
    bool found = below && node <= top && below[node];
    free(below);
    return found;
}

bool slip_is_set_valued(slip_reader *r, slip_value value)
{
    for (int k = 0; k < value.count; k++) {
        slip_ref where;
        if (!slip_graph_is_set_valued(r->model->graph, value.part[k], &where)) continue;
        return where >= 0 || slip_reader_no_memory(r);
    }
    return false;
}
