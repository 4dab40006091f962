/// symbolic/graph/print.h: what both notations share. For the files of src/symbolic only.
#ifndef SLIP_SYMBOLIC_GRAPH_PRINT_H
#define SLIP_SYMBOLIC_GRAPH_PRINT_H

#include "base/text.h"
#include "symbolic/graph/function.h"

/// How tightly an expression holds together; an operand that holds less than needed gets parentheses.
enum {
    SLIP_PRECEDENCE_ANY,
    SLIP_PRECEDENCE_OR,
    SLIP_PRECEDENCE_AND,
    SLIP_PRECEDENCE_NOT,
    SLIP_PRECEDENCE_COMPARISON,
    SLIP_PRECEDENCE_SUM,
    SLIP_PRECEDENCE_PRODUCT,
    SLIP_PRECEDENCE_SIGN,
    SLIP_PRECEDENCE_POWER,
    SLIP_PRECEDENCE_CALL,
    SLIP_PRECEDENCE_ATOM,
};

/// Printing is a stack of what is still to be written, so that a sum of 10^5 terms needs no recursion.
typedef struct slip_printer {
    const slip_graph *graph;
    slip_text *out;
    struct slip_print_task {
        const char *text; // when not NULL
        slip_ref node;
        int needed;
    } * tasks;
    size_t count, capacity;
    bool failed;
} slip_printer;

void slip_printer_push(slip_printer *p, slip_ref node, int needed);
void slip_printer_push_text(slip_printer *p, const char *text);

/// Operators between two operands; false when the operation is not written so.
bool slip_printer_infix(slip_printer *p, slip_ref node, bool latex);

int slip_plain_precedence(const slip_graph *graph, slip_ref node);
int slip_latex_precedence(const slip_graph *graph, slip_ref node);
void slip_latex_node(slip_printer *p, slip_ref node);
void slip_latex_name(const char *name, slip_text *out);

#endif
