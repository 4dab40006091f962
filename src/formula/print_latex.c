/// print_latex.c: expressions as LaTeX (amsmath).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/number.h"
#include "formula/print.h"

#define PI 3.14159265358979323846

int slip_latex_holds(const slip_graph *g, slip_ref node)
{
    const slip_node *n = slip_at(g, node);
    switch (n->op) {
    case SLIP_OP_DIV:
        return SLIP_HOLDS_SIGN; // the bar of a fraction is its parenthesis
    case SLIP_OP_IF:
        return SLIP_HOLDS_SUM;
    case SLIP_OP_PARAMETER:
    case SLIP_OP_INPUT:
        return SLIP_HOLDS_ATOM;
    default:
        break;
    }
    const slip_function *f = slip_function_of(n->op);
    if (!f) return slip_plain_holds(g, node);
    return f->latex_around[0] ? SLIP_HOLDS_ATOM : SLIP_HOLDS_CALL;
}

// 2.5e-06 is 2.5 10^-6
static void latex_number(double value, slip_text *out)
{
    char number[40];
    if (value == PI) {
        slip_text_add(out, "\\pi");
        return;
    }
    slip_number_write(value, number, sizeof number);
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
    const slip_node *n = slip_at(g, node);
    while (n->op == SLIP_OP_MUL || n->op == SLIP_OP_POW) n = slip_at(g, n->arg[0]);
    return n->op == SLIP_OP_CONSTANT;
}

static void between(slip_printer *p, slip_ref inner, const char *before, const char *after)
{
    slip_print_text_later(p, after);
    slip_print_later(p, inner, SLIP_HOLDS_ANY);
    slip_print_text_later(p, before);
}

static void call(slip_printer *p, const slip_node *n)
{
    static const char *const ends[] = { "\\right)", "\\right)_{x}", "\\right)_{y}" };
    const slip_function *f = slip_function_of(n->op);
    if (f->latex_around[0]) {
        between(p, n->arg[0], f->latex_around[0], f->latex_around[1]);
        return;
    }
    slip_print_text_later(p, ends[f->component]);
    for (int j = f->arity - 1; j >= 0; j--) {
        slip_print_later(p, n->arg[j], SLIP_HOLDS_ANY);
        if (j > 0) slip_print_text_later(p, ", ");
    }
    slip_print_text_later(p, "\\left(");
    if (f->latex) {
        slip_print_text_later(p, f->latex);
    } else {
        slip_print_text_later(p, "}");
        slip_print_text_later(p, f->info.name);
        slip_print_text_later(p, "\\operatorname{");
    }
}

static void cases(slip_printer *p, const slip_node *n)
{
    slip_print_text_later(p, " & \\text{otherwise} \\end{cases}");
    slip_print_later(p, n->arg[2], SLIP_HOLDS_ANY);
    slip_print_text_later(p, " \\\\ ");
    slip_print_later(p, n->arg[0], SLIP_HOLDS_ANY);
    slip_print_text_later(p, " & \\text{if } ");
    slip_print_later(p, n->arg[1], SLIP_HOLDS_ANY);
    slip_print_text_later(p, "\\begin{cases} ");
}

static void product(slip_printer *p, const slip_node *n)
{
    const slip_node *second = slip_at(p->graph, n->arg[1]);
    slip_print_later(p, n->arg[1], second->op == SLIP_OP_DIV ? SLIP_HOLDS_SIGN : SLIP_HOLDS_POWER);
    slip_print_text_later(p, begins_with_number(p->graph, n->arg[1]) ? " \\cdot " : " \\, ");
    slip_print_later(p, n->arg[0], SLIP_HOLDS_PRODUCT);
}

static void power(slip_printer *p, const slip_node *n)
{
    between(p, n->arg[1], "}^{", "}");
    slip_print_later(p, n->arg[0], SLIP_HOLDS_ATOM);
    slip_print_text_later(p, "{");
}

void slip_latex_node(slip_printer *p, slip_ref node)
{
    const slip_graph *g = p->graph;
    const slip_node *n = slip_at(g, node);
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
        product(p, n);
        break;
    case SLIP_OP_DIV:
        between(p, n->arg[1], "}{", "}");
        between(p, n->arg[0], "\\frac{", "");
        break;
    case SLIP_OP_POW:
        power(p, n);
        break;
    case SLIP_OP_NEG:
        slip_print_later(p, n->arg[0], SLIP_HOLDS_PRODUCT);
        slip_print_text_later(p, "-");
        break;
    case SLIP_OP_NOT:
        slip_print_later(p, n->arg[0], SLIP_HOLDS_SUM);
        slip_print_text_later(p, "\\neg ");
        break;
    case SLIP_OP_IF:
        cases(p, n);
        break;
    default:
        if (!slip_print_infix(p, node, true)) call(p, n);
        break;
    }
}
