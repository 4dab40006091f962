/// print.h: what both notations share. For the files of src/formula only.
#ifndef SLIP_FORMULA_PRINT_H
#define SLIP_FORMULA_PRINT_H

#include "core/text.h"
#include "formula/function.h"

/// How tightly an expression holds together; an operand that holds less than needed gets parentheses.
enum {
    SLIP_HOLDS_ANY,
    SLIP_HOLDS_OR,
    SLIP_HOLDS_AND,
    SLIP_HOLDS_NOT,
    SLIP_HOLDS_COMPARISON,
    SLIP_HOLDS_SUM,
    SLIP_HOLDS_PRODUCT,
    SLIP_HOLDS_SIGN,
    SLIP_HOLDS_POWER,
    SLIP_HOLDS_CALL,
    SLIP_HOLDS_ATOM,
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

void slip_print_later(slip_printer *p, slip_ref node, int needed);
void slip_print_text_later(slip_printer *p, const char *text);

/// Operators between two operands; false when the operation is not written so.
bool slip_print_infix(slip_printer *p, slip_ref node, bool latex);

int slip_plain_holds(const slip_graph *graph, slip_ref node);
int slip_latex_holds(const slip_graph *graph, slip_ref node);
void slip_latex_node(slip_printer *p, slip_ref node);
void slip_latex_name(const char *name, slip_text *out);

#endif
