/// symbolic/graph/print.c: expressions as text.
#include "symbolic/graph/print.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

#define PI 3.14159265358979323846

static void push_task(slip_printer *p, struct slip_print_task task)
{
    if (p->failed || !slip_array_grow((void **)&p->tasks, &p->capacity, p->count, sizeof *p->tasks))
        p->failed = true;
    else
        p->tasks[p->count++] = task;
}

// what is pushed first is written last
void slip_printer_push(slip_printer *p, slip_ref node, int needed)
{
    push_task(p, (struct slip_print_task){ NULL, node, needed });
}
void slip_printer_push_text(slip_printer *p, const char *text)
{
    push_task(p, (struct slip_print_task){ text, SLIP_NONE, 0 });
}

// ------------------------------------------------------------------------------------------- plain

int slip_plain_precedence(const slip_graph *g, slip_ref node)
{
    const slip_node *n = slip_graph_at(g, node);
    switch (n->op) {
    case SLIP_OP_CONSTANT:
        return n->value < 0.0 ? SLIP_PRECEDENCE_SIGN : SLIP_PRECEDENCE_ATOM;
    case SLIP_OP_ADD:
    case SLIP_OP_SUB:
        return SLIP_PRECEDENCE_SUM;
    case SLIP_OP_MUL:
    case SLIP_OP_DIV:
    case SLIP_OP_NEG:
        return SLIP_PRECEDENCE_PRODUCT; // -a*b is the negation of the product
    case SLIP_OP_POW:
        return SLIP_PRECEDENCE_POWER;
    case SLIP_OP_LT:
    case SLIP_OP_LE:
    case SLIP_OP_EQ:
    case SLIP_OP_NE:
        return SLIP_PRECEDENCE_COMPARISON;
    case SLIP_OP_AND:
        return SLIP_PRECEDENCE_AND;
    case SLIP_OP_OR:
        return SLIP_PRECEDENCE_OR;
    case SLIP_OP_NOT:
        return SLIP_PRECEDENCE_NOT;
    default:
        return SLIP_PRECEDENCE_ATOM;
    }
}

// -2*x would be read as the product of -2 and x, so a negated product that begins so needs parentheses
static bool begins_with_number(const slip_graph *g, slip_ref node)
{
    const slip_node *n = slip_graph_at(g, node);
    while (n->op == SLIP_OP_MUL || n->op == SLIP_OP_DIV) n = slip_graph_at(g, n->arg[0]);
    return n->op == SLIP_OP_CONSTANT;
}

// how operators between two operands are written
static const struct infix {
    const char *plain, *latex, *plain_swapped, *latex_swapped;
    int left, right; // what the operands must hold
} infixes[SLIP_OPERATOR_COUNT] = {
    [SLIP_OP_ADD] = { " + ", " + ", NULL, NULL, SLIP_PRECEDENCE_SUM, SLIP_PRECEDENCE_PRODUCT },
    [SLIP_OP_SUB] = { " - ", " - ", NULL, NULL, SLIP_PRECEDENCE_SUM, SLIP_PRECEDENCE_PRODUCT },
    [SLIP_OP_MUL] = { "*", " \\, ", NULL, NULL, SLIP_PRECEDENCE_PRODUCT, SLIP_PRECEDENCE_POWER },
    [SLIP_OP_DIV] = { "/", NULL, NULL, NULL, SLIP_PRECEDENCE_PRODUCT, SLIP_PRECEDENCE_POWER },
    [SLIP_OP_POW] = { "^", NULL, NULL, NULL, SLIP_PRECEDENCE_ATOM, SLIP_PRECEDENCE_POWER },
    [SLIP_OP_LT] = { " < ", " < ", " > ", " > ", SLIP_PRECEDENCE_SUM, SLIP_PRECEDENCE_SUM },
    [SLIP_OP_LE] = { " <= ", " \\le ", " >= ", " \\ge ", SLIP_PRECEDENCE_SUM, SLIP_PRECEDENCE_SUM },
    [SLIP_OP_EQ] = { " == ", " = ", NULL, NULL, SLIP_PRECEDENCE_SUM, SLIP_PRECEDENCE_SUM },
    [SLIP_OP_NE] = { " != ", " \\ne ", NULL, NULL, SLIP_PRECEDENCE_SUM, SLIP_PRECEDENCE_SUM },
    [SLIP_OP_AND] = { " and ", " \\wedge ", NULL, NULL, SLIP_PRECEDENCE_AND, SLIP_PRECEDENCE_NOT },
    [SLIP_OP_OR] = { " or ", " \\vee ", NULL, NULL, SLIP_PRECEDENCE_OR, SLIP_PRECEDENCE_AND },
};

bool slip_printer_infix(slip_printer *p, slip_ref node, bool latex)
{
    const slip_node *n = slip_graph_at(p->graph, node);
    if (n->op >= SLIP_OPERATOR_COUNT) return false;
    const struct infix *f = &infixes[n->op];
    if (!(latex ? f->latex : f->plain)) return false;
    // a number on the left goes to the right: 0 < x is written x > 0
    bool swap = f->plain_swapped && slip_is_constant(p->graph, n->arg[0]);
    slip_printer_push(p, n->arg[swap ? 0 : 1], f->right);
    if (swap)
        slip_printer_push_text(p, latex ? f->latex_swapped : f->plain_swapped);
    else
        slip_printer_push_text(p, latex ? f->latex : f->plain);
    slip_printer_push(p, n->arg[swap ? 1 : 0], f->left);
    return true;
}

static void print_call(slip_printer *p, const slip_node *n)
{
    static const char *const ends[] = { ")", ").x", ").y" };
    const slip_function *f = slip_function_of(n->op);
    slip_printer_push_text(p, ends[f->component]);
    for (int j = f->arity - 1; j >= 0; j--) {
        slip_printer_push(p, n->arg[j], SLIP_PRECEDENCE_ANY);
        if (j > 0) slip_printer_push_text(p, ", ");
    }
    slip_printer_push_text(p, "(");
    slip_printer_push_text(p, f->info.name);
}

static void plain_node(slip_printer *p, slip_ref node)
{
    const slip_graph *g = p->graph;
    const slip_node *n = slip_graph_at(g, node);
    char number[SLIP_DECIMAL_SIZE];
    if (slip_printer_infix(p, node, false)) return;
    switch (n->op) {
    case SLIP_OP_CONSTANT:
        slip_decimal_write(n->value, number);
        slip_text_add(p->out, "%s", n->value == PI ? "pi" : number);
        break;
    case SLIP_OP_PARAMETER:
        slip_text_add(p->out, "%s", g->parameter_names[n->index]);
        break;
    case SLIP_OP_INPUT:
        slip_text_add(p->out, "%s", g->input_names[n->index]);
        break;
    case SLIP_OP_NOT:
        slip_printer_push(p, n->arg[0], SLIP_PRECEDENCE_NOT);
        slip_printer_push_text(p, "not ");
        break;
    case SLIP_OP_NEG: {
        bool number_first = begins_with_number(g, n->arg[0]);
        slip_printer_push(p, n->arg[0], number_first ? SLIP_PRECEDENCE_POWER : SLIP_PRECEDENCE_PRODUCT);
        slip_printer_push_text(p, "-");
        break;
    }
    default:
        print_call(p, n);
        break;
    }
}

// ------------------------------------------------------------------------------------ both notations

void slip_graph_print(const slip_graph *g, slip_ref root, slip_notation notation, slip_text *out)
{
    bool latex = notation == SLIP_LATEX;
    slip_printer p = { .graph = g, .out = out };
    size_t start = out->length;
    slip_printer_push(&p, root, SLIP_PRECEDENCE_ANY);
    while (p.count > 0 && !p.failed && !out->failed) {
        struct slip_print_task task = p.tasks[--p.count];
        if (out->length - start > SLIP_FORMULA_LENGTH) { // shared parts are written out each time
            slip_text_add(out, latex ? "\\cdots" : "...");
            break;
        }
        if (task.text) {
            slip_text_bytes(out, task.text, strlen(task.text));
            continue;
        }
        int holds = latex ? slip_latex_precedence(g, task.node) : slip_plain_precedence(g, task.node);
        if (holds < task.needed) {
            slip_text_add(out, latex ? "\\left(" : "(");
            slip_printer_push_text(&p, latex ? "\\right)" : ")");
        }
        if (latex)
            slip_latex_node(&p, task.node);
        else
            plain_node(&p, task.node);
    }
    if (p.failed) out->failed = true;
    free(p.tasks);
}
