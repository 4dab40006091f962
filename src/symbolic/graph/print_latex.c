/// symbolic/graph/print_latex.c: expressions as LaTeX (amsmath).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "symbolic/graph/print.h"

#define PI 3.14159265358979323846

int slip_latex_precedence(const slip_graph *g, slip_ref node)
{
    const slip_node *n = slip_graph_at(g, node);
    switch (n->op) {
    case SLIP_OP_DIV:
        return SLIP_PRECEDENCE_SIGN; // the bar of a fraction is its parenthesis
    case SLIP_OP_IF:
        return SLIP_PRECEDENCE_SUM;
    case SLIP_OP_PARAMETER:
    case SLIP_OP_INPUT:
        return SLIP_PRECEDENCE_ATOM;
    default:
        break;
    }
    const slip_function *f = slip_function_of(n->op);
    if (!f) return slip_plain_precedence(g, node);
    return f->latex_around[0] ? SLIP_PRECEDENCE_ATOM : SLIP_PRECEDENCE_CALL;
}

// 2.5e-06 is 2.5 10^-6
static void latex_number(double value, slip_text *out)
{
    char number[SLIP_DECIMAL_SIZE];
    if (value == PI) {
        slip_text_add(out, "\\pi");
        return;
    }
    slip_decimal_write(value, number);
    char *e = strchr(number, 'e');
    if (!e) {
        slip_text_add(out, "%s", number);
        return;
    }
    *e = '\0';
    const char *digits = strcmp(number, "1") == 0 ? "" : strcmp(number, "-1") == 0 ? "-" : number;
    slip_text_add(out, "%s%s10^{%d}", digits, digits[0] && digits[0] != '-' ? " \\cdot " : "", atoi(e + 1));
}

static bool begins_with_number(const slip_graph *g, slip_ref node)
{
    const slip_node *n = slip_graph_at(g, node);
    while (n->op == SLIP_OP_MUL || n->op == SLIP_OP_POW) n = slip_graph_at(g, n->arg[0]);
    return n->op == SLIP_OP_CONSTANT;
}

static void latex_enclosed(slip_printer *p, slip_ref inner, const char *before, const char *after)
{
    slip_printer_push_text(p, after);
    slip_printer_push(p, inner, SLIP_PRECEDENCE_ANY);
    slip_printer_push_text(p, before);
}

static void latex_call(slip_printer *p, const slip_node *n)
{
    static const char *const ends[] = { "\\right)", "\\right)_{x}", "\\right)_{y}" };
    const slip_function *f = slip_function_of(n->op);
    if (f->latex_around[0]) {
        latex_enclosed(p, n->arg[0], f->latex_around[0], f->latex_around[1]);
        return;
    }
    slip_printer_push_text(p, ends[f->component]);
    for (int j = f->arity - 1; j >= 0; j--) {
        slip_printer_push(p, n->arg[j], SLIP_PRECEDENCE_ANY);
        if (j > 0) slip_printer_push_text(p, ", ");
    }
    slip_printer_push_text(p, "\\left(");
    if (f->latex) {
        slip_printer_push_text(p, f->latex);
    } else {
        slip_printer_push_text(p, "}");
        slip_printer_push_text(p, f->info.name);
        slip_printer_push_text(p, "\\operatorname{");
    }
}

static void latex_cases(slip_printer *p, const slip_node *n)
{
    slip_printer_push_text(p, " & \\text{otherwise} \\end{cases}");
    slip_printer_push(p, n->arg[2], SLIP_PRECEDENCE_ANY);
    slip_printer_push_text(p, " \\\\ ");
    slip_printer_push(p, n->arg[0], SLIP_PRECEDENCE_ANY);
    slip_printer_push_text(p, " & \\text{if } ");
    slip_printer_push(p, n->arg[1], SLIP_PRECEDENCE_ANY);
    slip_printer_push_text(p, "\\begin{cases} ");
}

static void latex_product(slip_printer *p, const slip_node *n)
{
    const slip_node *second = slip_graph_at(p->graph, n->arg[1]);
    slip_printer_push(p, n->arg[1], second->op == SLIP_OP_DIV ? SLIP_PRECEDENCE_SIGN : SLIP_PRECEDENCE_POWER);
    slip_printer_push_text(p, begins_with_number(p->graph, n->arg[1]) ? " \\cdot " : " \\, ");
    slip_printer_push(p, n->arg[0], SLIP_PRECEDENCE_PRODUCT);
}

static void latex_power(slip_printer *p, const slip_node *n)
{
    latex_enclosed(p, n->arg[1], "}^{", "}");
    slip_printer_push(p, n->arg[0], SLIP_PRECEDENCE_ATOM);
    slip_printer_push_text(p, "{");
}

void slip_latex_node(slip_printer *p, slip_ref node)
{
    const slip_graph *g = p->graph;
    const slip_node *n = slip_graph_at(g, node);
    switch (n->op) {
    case SLIP_OP_CONSTANT:
        latex_number(n->value, p->out);
        break;
    case SLIP_OP_PARAMETER:
        slip_latex_name(g->parameter_names[n->index], p->out);
        break;
    case SLIP_OP_INPUT:
        slip_latex_name(g->input_names[n->index], p->out);
        break;
    case SLIP_OP_MUL:
        latex_product(p, n);
        break;
    case SLIP_OP_DIV:
        latex_enclosed(p, n->arg[1], "}{", "}");
        latex_enclosed(p, n->arg[0], "\\frac{", "");
        break;
    case SLIP_OP_POW:
        latex_power(p, n);
        break;
    case SLIP_OP_NEG:
        slip_printer_push(p, n->arg[0], SLIP_PRECEDENCE_PRODUCT);
        slip_printer_push_text(p, "-");
        break;
    case SLIP_OP_NOT:
        slip_printer_push(p, n->arg[0], SLIP_PRECEDENCE_SUM);
        slip_printer_push_text(p, "\\neg ");
        break;
    case SLIP_OP_IF:
        latex_cases(p, n);
        break;
    default:
        if (!slip_printer_infix(p, node, true)) latex_call(p, n);
        break;
    }
}
