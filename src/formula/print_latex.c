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

static void infix(slip_printer *p, const slip_node *n, const char *sign, int left, int right)
{
    slip_print_later(p, n->arg[1], right);
    slip_print_text_later(p, sign);
    slip_print_later(p, n->arg[0], left);
}

static bool begins_with_number(const slip_graph *g, slip_ref node)
{
    const slip_node *n = slip_at(g, node);
    while (n->op == SLIP_OP_MUL || n->op == SLIP_OP_POW) n = slip_at(g, n->arg[0]);
    return n->op == SLIP_OP_CONSTANT;
}

static const char *command(slip_op op)
{
    switch (op) {
    case SLIP_OP_MIN:
        return "\\min";
    case SLIP_OP_MAX:
        return "\\max";
    case SLIP_OP_EXP:
        return "\\exp";
    case SLIP_OP_LOG:
        return "\\ln";
    case SLIP_OP_SIN:
        return "\\sin";
    case SLIP_OP_COS:
        return "\\cos";
    case SLIP_OP_TAN:
        return "\\tan";
    case SLIP_OP_ASIN:
        return "\\arcsin";
    case SLIP_OP_ACOS:
        return "\\arccos";
    case SLIP_OP_ATAN:
        return "\\arctan";
    case SLIP_OP_ATAN2:
        return "\\operatorname{atan2}";
    case SLIP_OP_SINH:
        return "\\sinh";
    case SLIP_OP_COSH:
        return "\\cosh";
    case SLIP_OP_TANH:
        return "\\tanh";
    case SLIP_OP_SIGN:
        return "\\operatorname{sign}";
    case SLIP_OP_SAT:
    case SLIP_OP_SAT_X:
    case SLIP_OP_SAT_Y:
        return "\\operatorname{sat}";
    case SLIP_OP_DIO:
        return "\\operatorname{dio}";
    default:
        return "\\operatorname{sgn}";
    }
}

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
    slip_print_text_later(p, command(n->op));
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

static void arithmetic(slip_printer *p, const slip_node *n)
{
    switch (n->op) {
    case SLIP_OP_ADD:
        infix(p, n, " + ", SLIP_HOLDS_SUM, SLIP_HOLDS_PRODUCT);
        break;
    case SLIP_OP_SUB:
        infix(p, n, " - ", SLIP_HOLDS_SUM, SLIP_HOLDS_PRODUCT);
        break;
    case SLIP_OP_MUL:
        infix(p, n, begins_with_number(p->graph, n->arg[1]) ? " \\cdot " : " \\, ", SLIP_HOLDS_PRODUCT,
              slip_at(p->graph, n->arg[1])->op == SLIP_OP_DIV ? SLIP_HOLDS_SIGN : SLIP_HOLDS_POWER);
        break;
    case SLIP_OP_DIV:
        slip_print_text_later(p, "}");
        between(p, n->arg[1], "}{", "");
        between(p, n->arg[0], "\\frac{", "");
        break;
    case SLIP_OP_POW:
        between(p, n->arg[1], "}^{", "}");
        slip_print_later(p, n->arg[0], SLIP_HOLDS_ATOM);
        slip_print_text_later(p, "{");
        break;
    default: // NEG
        slip_print_later(p, n->arg[0], SLIP_HOLDS_PRODUCT);
        slip_print_text_later(p, "-");
        break;
    }
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
    case SLIP_OP_LT:
        infix(p, n, " < ", SLIP_HOLDS_SUM, SLIP_HOLDS_SUM);
        break;
    case SLIP_OP_LE:
        infix(p, n, " \\le ", SLIP_HOLDS_SUM, SLIP_HOLDS_SUM);
        break;
    case SLIP_OP_EQ:
        infix(p, n, " = ", SLIP_HOLDS_SUM, SLIP_HOLDS_SUM);
        break;
    case SLIP_OP_NE:
        infix(p, n, " \\ne ", SLIP_HOLDS_SUM, SLIP_HOLDS_SUM);
        break;
    case SLIP_OP_AND:
        infix(p, n, " \\wedge ", SLIP_HOLDS_AND, SLIP_HOLDS_NOT);
        break;
    case SLIP_OP_OR:
        infix(p, n, " \\vee ", SLIP_HOLDS_OR, SLIP_HOLDS_AND);
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
        if (n->op >= SLIP_OP_MIN)
            call(p, n);
        else
            arithmetic(p, n);
        break;
    }
}
