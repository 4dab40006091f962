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
    case SLIP_OP_ABS:
    case SLIP_OP_SQRT:
    case SLIP_OP_FLOOR:
    case SLIP_OP_PARAMETER:
    case SLIP_OP_INPUT:
        return SLIP_HOLDS_ATOM;
    default:
        break;
    }
    if (n->op >= SLIP_OP_MIN) return SLIP_HOLDS_CALL;
    return slip_plain_holds(g, node);
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

static const char *const commands[SLIP_OP_COUNT] = {
    [SLIP_OP_MIN] = "\\min",
    [SLIP_OP_MAX] = "\\max",
    [SLIP_OP_EXP] = "\\exp",
    [SLIP_OP_LOG] = "\\ln",
    [SLIP_OP_SIN] = "\\sin",
    [SLIP_OP_COS] = "\\cos",
    [SLIP_OP_TAN] = "\\tan",
    [SLIP_OP_ASIN] = "\\arcsin",
    [SLIP_OP_ACOS] = "\\arccos",
    [SLIP_OP_ATAN] = "\\arctan",
    [SLIP_OP_ATAN2] = "\\operatorname{atan2}",
    [SLIP_OP_SINH] = "\\sinh",
    [SLIP_OP_COSH] = "\\cosh",
    [SLIP_OP_TANH] = "\\tanh",
    [SLIP_OP_SIGN] = "\\operatorname{sign}",
    [SLIP_OP_SAT] = "\\operatorname{sat}",
    [SLIP_OP_SAT_X] = "\\operatorname{sat}",
    [SLIP_OP_SAT_Y] = "\\operatorname{sat}",
    [SLIP_OP_DIO] = "\\operatorname{dio}",
    [SLIP_OP_SGN] = "\\operatorname{sgn}",
    [SLIP_OP_SGN_X] = "\\operatorname{sgn}",
    [SLIP_OP_SGN_Y] = "\\operatorname{sgn}",
};

static void call(slip_printer *p, const slip_node *n)
{
    bool second = n->op == SLIP_OP_SAT_Y || n->op == SLIP_OP_SGN_Y;
    bool first = n->op == SLIP_OP_SAT_X || n->op == SLIP_OP_SGN_X;
    slip_print_text_later(p, second ? "\\right)_{y}" : first ? "\\right)_{x}" : "\\right)");
    for (int j = slip_op_arity[n->op] - 1; j >= 0; j--) {
        slip_print_later(p, n->arg[j], SLIP_HOLDS_ANY);
        if (j > 0) slip_print_text_later(p, ", ");
    }
    slip_print_text_later(p, "\\left(");
    slip_print_text_later(p, commands[n->op]);
}

static void between(slip_printer *p, slip_ref inner, const char *before, const char *after)
{
    slip_print_text_later(p, after);
    slip_print_later(p, inner, SLIP_HOLDS_ANY);
    slip_print_text_later(p, before);
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
    case SLIP_OP_ABS:
        between(p, n->arg[0], "\\left|", "\\right|");
        break;
    case SLIP_OP_SQRT:
        between(p, n->arg[0], "\\sqrt{", "}");
        break;
    case SLIP_OP_FLOOR:
        between(p, n->arg[0], "\\left\\lfloor ", "\\right\\rfloor ");
        break;
    default:
        if (!slip_print_infix(p, node, true)) call(p, n);
        break;
    }
}
